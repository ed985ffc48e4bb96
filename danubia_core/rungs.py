"""The ladder's table: every threshold that decides what is kept, in one place.

Tuned on half of the public development pages and checked on the other half (docs/quality.md).
"""

from __future__ import annotations

from typing import Final

import msgspec

from danubia_core.marks import POST_LEVEL
from danubia_core.options import Mode
from danubia_core.page_features import PageType

MANY_REGIONS: Final = 3  # so many bodies or articles are the cards of a list: its container is the region
MINOR_REGION_PERCENT: Final = 15  # regions below this share of the largest one are teasers beside it
DENSE_KEEP_PERCENT: Final = 60  # where the density rule leaves less than this …
LISTING_PROSE_PERCENT: Final = 35  # … of a region with less prose than this, links are its content
TEASER_REST_PERCENT: Final = 70  # teasers go only where at least this share of the text is not theirs …
TEASER_PROSE_PERCENT: Final = 60  # … and this share of the rest is prose
PROSE_SHARE_PERCENT: Final = 60  # narrow, and drop orphaned headings, only in what is mostly prose
NARROW_FLOOR_BYTES: Final = 500  # less prose than this is not worth narrowing
TITLE_GAP_BYTES: Final = 30  # more text than this between a heading and a region: it is not the region's title
LEAD_LIMIT_BYTES: Final = 1500  # the longest standfirst
LISTING_LIMIT_PERCENT: Final = 65  # a "listing" with more prose than this is taken for an article
PRODUCT_FLOOR_BYTES: Final = 400  # cards go from a product's page only where at least this is left
ORPHAN_CUT_BYTES: Final = 80  # less is a button below the heading
CASCADE_FLOOR_BYTES: Final = 300  # another extractor's proposal with less prose is not looked at
CASCADE_LINK_PERCENT: Final = 20  # cleaner: where links are this share of what the ladder chose …
CASCADE_CLEAN_PERCENT: Final = 15  # … a proposal with no larger share than this …
CASCADE_PROSE_PERCENT: Final = 75  # … that is prose to this share …
CASCADE_KEEP_PERCENT: Final = 80  # … and holds at least this much of the chosen prose is taken
CASCADE_TIMES: Final = 5  # longer: so many times the chosen prose is taken in any case


class Rung(msgspec.Struct, frozen=True):
    """One filter.

    Attributes:
        name: what the statistics call it.
        level: which regions of main content it keeps (1 to 4); 5 keeps forum posts, 0 the whole document.
        floor_bytes: the least text it must keep.
        share_percent: the least share of the reference text (the document's, less all discards) it must keep.
        density: whether density discards, and teasers, are out.
        narrow_percent: descend to the smallest element that holds this share of the region's prose; 0 does not.
        lead: whether the text between the page's h1 and the region is kept, too.
    """

    name: str
    level: int
    floor_bytes: int
    share_percent: int
    density: bool = True
    narrow_percent: int = 90
    lead: bool = True


BALANCED: Final = (
    Rung("body", 1, 250, 40),
    Rung("article", 2, 250, 40),
    Rung("region", 3, 250, 30),
    Rung("container", 4, 250, 50),
    Rung("document", 0, 100, 0),
)
PRECISION: Final = (
    Rung("body", 1, 250, 30, narrow_percent=80, lead=False),
    Rung("article", 2, 250, 30, narrow_percent=80, lead=False),
    Rung("region", 3, 250, 30, narrow_percent=80, lead=False),
    Rung("container", 4, 250, 40, narrow_percent=80, lead=False),
    Rung("document", 0, 100, 0, narrow_percent=80, lead=False),
)
RECALL: Final = (
    Rung("region", 3, 250, 60, density=False, narrow_percent=0),
    Rung("article", 2, 250, 70, density=False, narrow_percent=0),
    Rung("body", 1, 250, 70, density=False, narrow_percent=0),
    Rung("container", 4, 250, 70, density=False, narrow_percent=0),
    Rung("document", 0, 100, 0, density=False, narrow_percent=0),
)
FORUM: Final = (
    Rung("posts", POST_LEVEL, 100, 15, density=False, narrow_percent=0),
    Rung("article", 2, 250, 40, density=False, narrow_percent=0),
    Rung("region", 3, 250, 30, density=False, narrow_percent=0),
    Rung("body", 1, 250, 40, density=False, narrow_percent=0),
    Rung("document", 0, 100, 0),
)
LADDERS: Final[dict[Mode, tuple[Rung, ...]]] = {
    "balanced": BALANCED,
    "fast": BALANCED,
    "precision": PRECISION,
    "recall": RECALL,
}
CARDS: Final = (
    Rung("body", 1, 250, 60, density=False),
    Rung("article", 2, 250, 60, density=False),
    Rung("region", 3, 250, 30, density=False),
    Rung("container", 4, 250, 50, density=False),
    Rung("document", 0, 100, 0, density=False),
)
SERVICE: Final = (
    Rung("body", 1, 250, 70, density=False),
    Rung("article", 2, 250, 70, density=False),
    Rung("region", 3, 250, 60, density=False),
    Rung("container", 4, 250, 70, density=False),
    Rung("document", 0, 100, 0, density=False),
)
TYPE_LADDERS: Final[dict[PageType, tuple[Rung, ...]]] = {
    "forum": FORUM,
    "listing": CARDS,
    "homepage": CARDS,
    "service": SERVICE,
}  # types that want other thresholds: links are their content; forums in all modes, the others in balanced and fast
CARDS_OF_LINKS: Final[dict[PageType, str]] = {
    "article": "pictured",
    "documentation": "pictured",
    "product": "all",
}  # where groups of linked cards speak of other pages, and which of them do
LAST_RESORT: Final = Rung("whole", 0, 0, 0, density=False, narrow_percent=0, lead=False)
