"""The ladder: five filters over the same marks, most aggressive first; the first that keeps enough text wins."""

from __future__ import annotations

import msgspec

from danubia_core.cuts import Cuts
from danubia_core.document import Document
from danubia_core.marks import POST_LEVEL, Marks
from danubia_core.narrow import find_lead, find_orphans, find_titles, narrow_region
from danubia_core.options import Mode
from danubia_core.page_features import PageType
from danubia_core.rungs import (
    DENSE_KEEP_PERCENT,
    LADDERS,
    LAST_RESORT,
    LISTING_LIMIT_PERCENT,
    LISTING_PROSE_PERCENT,
    MANY_REGIONS,
    MINOR_REGION_PERCENT,
    TEASER_PROSE_PERCENT,
    TEASER_REST_PERCENT,
    TYPE_LADDERS,
    Rung,
)


class Choice(msgspec.Struct):
    """What to collect.

    Attributes:
        rung: the winner.
        regions: subtrees that it keeps, by index, ascending.
        dropped: subtrees inside them that it does not keep, unordered.
        selected_bytes: the text it keeps.
        document_bytes: the document's text less all discards, which the shares refer to.
    """

    rung: Rung
    regions: list[int]
    dropped: list[int]
    selected_bytes: int
    document_bytes: int


class _Filters:
    """The marks as three sets of cuts: search discards; with density discards; with teasers, too."""

    def __init__(self, document: Document, marks: Marks) -> None:
        self.document = document
        self.marks = marks
        self.searched = Cuts(document, marks.discards)
        self.dense = Cuts(document, [*marks.discards, *marks.dense])
        self.every = Cuts(document, [*marks.discards, *marks.dense, *marks.teasers]) if marks.teasers else self.dense

    def cuts_for(self, rung: Rung) -> Cuts:
        """Return what a rung cuts; teasers stay where they are most of what is left, or where there is little prose."""
        if not rung.density:
            return self.searched
        if self.every is self.dense:
            return self.dense
        regions = self.regions_for(rung, self.every)
        rest = self.every.sum_kept(regions)
        if self.every.sum_kept_prose(regions) * 100 < rest * TEASER_PROSE_PERCENT:
            return self.dense
        whole = self.dense.sum_kept(self.regions_for(rung, self.dense))
        return self.every if rest * 100 >= whole * TEASER_REST_PERCENT else self.dense

    def regions_for(self, rung: Rung, cuts: Cuts) -> list[int]:
        """Return the regions of a rung's level that are not cut, less those that are small beside the largest."""
        if rung.level == 0:
            return [0]
        if rung.level == POST_LEVEL:
            return [i for i in self.marks.posts if not cuts.is_cut(i)]
        sizes = {i: cuts.kept_bytes(i) for i in self.marks.regions[rung.level] if not cuts.is_cut(i)}
        largest = max(sizes.values(), default=0)
        return [i for i, size in sizes.items() if size * 100 >= largest * MINOR_REGION_PERCENT]

    def is_listing(self, regions: list[int], size: int) -> bool:
        """Whether links are the content of the regions: little prose, and the density rule takes much of the text."""
        loose = self.searched.sum_kept(regions)
        if size * 100 >= loose * DENSE_KEEP_PERCENT:
            return False
        return self.searched.sum_kept_prose(regions) * 100 < loose * LISTING_PROSE_PERCENT


def _find_ladder(filters: _Filters, reference: int, mode: Mode, page_type: PageType) -> tuple[Rung, ...]:
    """The row of the table for a mode and a type of page."""
    row = TYPE_LADDERS.get(page_type)
    if row is None or (mode in ("precision", "recall") and page_type != "forum"):
        return LADDERS[mode]
    if page_type == "listing" and filters.dense.kept_prose_bytes(0) * 100 >= reference * LISTING_LIMIT_PERCENT:
        return LADDERS[mode]
    return row


def choose_rung(document: Document, marks: Marks, mode: Mode, page_type: PageType = "other") -> Choice:
    """Try the filters of a mode's ladder on sizes alone and return the first that clears its thresholds.

    Args:
        document: the page.
        marks: what the rules and the density pass say of it.
        mode: which ladder of the table.
        page_type: some types have ladders of their own.
    """
    filters = _Filters(document, marks)
    reference = filters.dense.kept_bytes(0)
    ladder = _find_ladder(filters, reference, mode, page_type)
    for rung in ladder:
        cuts = filters.cuts_for(rung)
        regions = filters.regions_for(rung, cuts)
        size = cuts.sum_kept(regions)
        if rung.level in (1, 2) and len(regions) >= MANY_REGIONS and not cuts.is_prose(regions):
            continue
        if not regions or size < rung.floor_bytes or size * 100 < reference * rung.share_percent:
            continue
        if rung.density and filters.is_listing(regions, size):
            cuts, size = filters.searched, filters.searched.sum_kept(regions)
            return Choice(rung, regions, list(cuts.starts), size, reference)
        return _fit(document, cuts, rung, regions, reference)
    cuts = filters.searched
    return Choice(LAST_RESORT, [0], list(cuts.starts), cuts.kept_bytes(0), reference)


def _fit(document: Document, cuts: Cuts, rung: Rung, regions: list[int], reference: int) -> Choice:
    """Fit the winner's regions to their matter."""
    if rung.level in (1, 2) and len(regions) > 1:
        regions = sorted(regions + find_titles(document, cuts, regions))
    if rung.narrow_percent and len(regions) == 1:
        regions = [narrow_region(document, cuts, regions[0], rung.narrow_percent)]
    if rung.lead:
        regions = find_lead(document, cuts, regions[0]) + regions
    dropped = list(cuts.starts)
    if rung.density:
        dropped += find_orphans(document, cuts, regions)
    return Choice(rung, regions, dropped, cuts.sum_kept(regions), reference)
