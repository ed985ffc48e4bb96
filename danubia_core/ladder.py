"""The ladder: five filters over the same marks, most aggressive first; the first that keeps enough text wins."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import msgspec

from danubia_core.document import Document
from danubia_core.marks import Marks
from danubia_core.options import Mode


class Rung(msgspec.Struct, frozen=True):
    """One filter.

    Attributes:
        name: what the statistics call it.
        level: which regions of main content it keeps (1 to 4); 5 keeps forum posts, 0 the whole document.
        density: whether density discards are out.
        floor_bytes: the least text it must keep.
        share_percent: the least share of the reference text (the document's, less all discards) it must keep.
        lead: whether the text between the page's h1 and the region is kept, too.
        narrow_percent: descend to the smallest element that holds this share of the region's prose; 0 does not.
    """

    name: str
    level: int
    density: bool
    floor_bytes: int
    share_percent: int
    narrow_percent: int = 0
    lead: bool = True


BALANCED: Final = (
    Rung("body", 1, True, 250, 40, 80),
    Rung("article", 2, True, 250, 40, 80),
    Rung("region", 3, True, 250, 30, 80),
    Rung("container", 4, True, 250, 50, 80),
    Rung("document", 0, True, 100, 0, 80),
)
PRECISION: Final = (
    Rung("body", 1, True, 250, 30, 80, lead=False),
    Rung("article", 2, True, 250, 30, 80, lead=False),
    Rung("region", 3, True, 250, 30, 80, lead=False),
    Rung("container", 4, True, 250, 40, 80, lead=False),
    Rung("document", 0, True, 100, 0, 80, lead=False),
)
RECALL: Final = (
    Rung("region", 3, False, 250, 60),
    Rung("article", 2, False, 250, 70),
    Rung("body", 1, False, 250, 70),
    Rung("container", 4, False, 250, 70),
    Rung("document", 0, False, 100, 0),
)
LADDERS: Final[dict[Mode, tuple[Rung, ...]]] = {
    "balanced": BALANCED,
    "fast": BALANCED,
    "precision": PRECISION,
    "recall": RECALL,
}
FORUM: Final = (
    Rung("posts", 5, False, 100, 15),
    Rung("article", 2, False, 250, 40),
    Rung("region", 3, False, 250, 30),
    Rung("body", 1, False, 250, 40),
    Rung("document", 0, True, 100, 0),
)
LAST_RESORT: Final = Rung("whole", 0, False, 0, 0)

DENSE_KEEP_PERCENT: Final = 60  # where the density rule would take more than the rest, links are the content
LISTING_PROSE_PERCENT: Final = 35
TEASER_REST_PERCENT: Final = 70  # teasers go only where at least this much of the text is not theirs
TEASER_PROSE_PERCENT: Final = 60  # … and is mostly prose
POST_LEVEL: Final = 5
MINOR_REGION_PERCENT: Final = 15  # regions below this share of the largest one are teasers beside it


class Choice(msgspec.Struct):
    """The winning rung: its regions (node indexes, ascending), what is cut from them, and its text."""

    rung: Rung
    regions: list[int]
    selected_bytes: int
    document_bytes: int
    teasers: bool = False
    orphans: list[int] = []


class _Cuts:
    """Text and prose bytes cut from any subtree, by two bisections."""

    def __init__(self, document: Document, cuts: list[int]) -> None:
        self.starts: list[int] = []
        self.before = [0]
        self.prose_before = [0]
        stop = 0
        for i in sorted(cuts):
            if i < stop:
                continue
            stop = document.end[i]
            self.starts.append(i)
            self.before.append(self.before[-1] + document.text_bytes(i))
            self.prose_before.append(self.prose_before[-1] + document.prose_bytes(i))

    def cut_bytes(self, start: int, end: int) -> int:
        """Bytes cut between two indexes."""
        return self.before[bisect_left(self.starts, end)] - self.before[bisect_left(self.starts, start)]


    def cut_prose_bytes(self, start: int, end: int) -> int:
        """Prose bytes cut between two indexes."""
        return self.prose_before[bisect_left(self.starts, end)] - self.prose_before[bisect_left(self.starts, start)]

    def is_cut(self, document: Document, i: int) -> bool:
        """Whether `i` lies inside (or is) a cut subtree."""
        k = bisect_left(self.starts, i + 1) - 1
        return k >= 0 and i < document.end[self.starts[k]]


def choose_rung(document: Document, marks: Marks, mode: Mode, *, forum: bool = False) -> Choice:
    """Try the filters of a mode's ladder on sizes alone and return the first that clears its thresholds."""
    ladder = FORUM if forum else LADDERS[mode]
    searched = _Cuts(document, list(marks.discards))
    both = _Cuts(document, [*marks.discards, *marks.dense])
    every = _Cuts(document, [*marks.discards, *marks.dense, *marks.teasers]) if marks.teasers else both
    n = len(document)
    total = document.text_before[-1]
    reference = total - both.cut_bytes(0, n)
    for rung in ladder:
        cuts = _with_teasers(document, marks, rung, both, every) if rung.density else searched
        regions = _regions_of(document, marks, rung.level, cuts)
        size = sum(_kept(document, cuts, i) for i in regions)
        if regions and size >= rung.floor_bytes and size * 100 >= reference * rung.share_percent:
            loose = sum(_kept(document, searched, i) for i in regions) if rung.density else size
            prose = sum(document.prose_bytes(i) - searched.cut_prose_bytes(i, document.end[i]) for i in regions)
            if size * 100 < loose * DENSE_KEEP_PERCENT and prose * 100 < loose * LISTING_PROSE_PERCENT:
                return Choice(msgspec.structs.replace(rung, density=False), regions, loose, reference, teasers=False)
            if rung.narrow_percent and len(regions) == 1:
                regions = [narrow_region(document, cuts, regions[0], size, rung.narrow_percent)]
                size = _kept(document, cuts, regions[0])
            if rung.lead:
                lead = find_lead(document, cuts, regions[0])
                size += sum(document.text_bytes(i) for i in lead)
                regions = lead + regions
            orphans = find_orphans(document, cuts, regions, size) if rung.density else []
            return Choice(rung, regions, size, reference, teasers=cuts is every, orphans=orphans)
    return Choice(LAST_RESORT, [0], total - searched.cut_bytes(0, n), reference)


def _with_teasers(document: Document, marks: Marks, rung: Rung, both: _Cuts, every: _Cuts) -> _Cuts:
    """Cut teasers, too, unless they are most of what the rung would keep."""
    if every is both:
        return both
    regions = _regions_of(document, marks, rung.level, every)
    prose = sum(document.prose_bytes(i) - every.cut_prose_bytes(i, document.end[i]) for i in regions)
    with_cards = sum(_kept(document, both, i) for i in _regions_of(document, marks, rung.level, both))
    without = sum(_kept(document, every, i) for i in regions)
    if prose * 100 < without * TEASER_PROSE_PERCENT:
        return both
    return every if without * 100 >= with_cards * TEASER_REST_PERCENT else both


def _kept(document: Document, cuts: _Cuts, i: int) -> int:
    return document.text_bytes(i) - cuts.cut_bytes(i, document.end[i])


def _regions_of(document: Document, marks: Marks, level: int, cuts: _Cuts) -> list[int]:
    if level == 0:
        return [0]
    found = marks.posts if level == POST_LEVEL else marks.regions[level]
    regions = [i for i in found if not cuts.is_cut(document, i)]
    if level == POST_LEVEL:
        return regions
    if len(regions) < 2:
        return regions
    sizes = {i: _kept(document, cuts, i) for i in regions}
    largest = max(sizes.values())
    return [i for i in regions if sizes[i] * 100 >= largest * MINOR_REGION_PERCENT]


NARROW_INTO: Final = frozenset("div section article main td tr tbody table center font form span body html".split())
PROSE_SHARE_PERCENT: Final = 60  # narrow only what is mostly prose


def narrow_region(document: Document, cuts: _Cuts, region: int, size: int, percent: int) -> int:
    """Descend from a region that is mostly prose to the smallest container that holds nearly all of it."""
    prose = document.prose_bytes(region) - cuts.cut_prose_bytes(region, document.end[region])
    if prose < 500 or prose * 100 < size * PROSE_SHARE_PERCENT:
        return region
    current = region
    while True:
        for child in document.children(current):
            if document.tag[child] not in NARROW_INTO or cuts.is_cut(document, child):
                continue
            kept = document.prose_bytes(child) - cuts.cut_prose_bytes(child, document.end[child])
            if kept * 100 >= prose * percent:
                current = child
                break
        else:
            return current


ORPHAN_CUT_BYTES: Final = 80  # less is a button below the heading
LEAD_LIMIT_BYTES: Final = 1500
_NO_LEAD: Final = frozenset("figure figcaption aside nav ul ol time form button table".split())


def find_lead(document: Document, cuts: _Cuts, region: int) -> list[int]:
    """Return the blocks of prose between the last h1 before a region and the region: a standfirst lies outside it."""
    h1 = max((i for i in document.index.get("h1", ()) if i < region and document.text_bytes(i)), default=-1)
    if h1 < 0 or document.end[h1] > region or document.text_before[region] - document.text_before[h1] > LEAD_LIMIT_BYTES * 2:
        return []
    found: list[int] = []
    k = document.end[h1]
    while k < region:
        stop = document.end[k]
        size = document.text_bytes(k)
        if stop <= region and (size < 50 or document.tag[k] in _NO_LEAD or cuts.is_cut(document, k)):
            k = stop
        elif stop <= region and size <= LEAD_LIMIT_BYTES and document.prose_bytes(k) * 100 >= size * 70:
            found.append(k)
            k = stop
        else:
            k += 1
    return found


def find_orphans(document: Document, cuts: _Cuts, regions: list[int], size: int) -> list[int]:
    """Return headings (h2 to h6) below which everything up to the next heading is cut: titles of boxes that went.

    Only in prose: on a page of cards a heading above a link is a card.
    """
    found: list[int] = []
    prose = sum(document.prose_bytes(i) - cuts.cut_prose_bytes(i, document.end[i]) for i in regions)
    if prose * 100 < size * PROSE_SHARE_PERCENT:
        return found
    for region in regions:
        end = document.end[region]
        low, high = bisect_left(document.headings, region), bisect_left(document.headings, end)
        kept = [i for i in document.headings[low:high] if not cuts.is_cut(document, i)]
        for i, following in zip(kept, [*kept, end][1:], strict=True):
            start = document.end[i]
            cut = cuts.cut_bytes(start, following)
            rest = document.text_before[following] - document.text_before[start] - cut
            if cut >= ORPHAN_CUT_BYTES and rest == 0 and document.tag[i] != "h1":
                found.append(i)
    return found
