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
    """

    name: str
    level: int
    density: bool
    floor_bytes: int
    share_percent: int


BALANCED: Final = (
    Rung("body", 1, True, 250, 40),
    Rung("article", 2, True, 250, 40),
    Rung("region", 3, True, 250, 30),
    Rung("container", 4, True, 250, 50),
    Rung("document", 0, True, 100, 0),
)
LADDERS: Final[dict[Mode, tuple[Rung, ...]]] = {
    "balanced": BALANCED,
    "fast": BALANCED,
    "precision": BALANCED,
    "recall": BALANCED[2:],
}
FORUM: Final = (
    Rung("posts", 5, False, 100, 15),
    Rung("article", 2, False, 250, 40),
    Rung("region", 3, False, 250, 30),
    Rung("body", 1, False, 250, 40),
    Rung("document", 0, True, 100, 0),
)
LAST_RESORT: Final = Rung("whole", 0, False, 0, 0)

POST_LEVEL: Final = 5
MINOR_REGION_PERCENT: Final = 15  # regions below this share of the largest one are teasers beside it


class Choice(msgspec.Struct):
    """The winning rung: its regions (node indexes, ascending), what is cut from them, and its text."""

    rung: Rung
    regions: list[int]
    selected_bytes: int
    document_bytes: int


class _Cuts:
    """Text bytes cut from any subtree, by two bisections."""

    def __init__(self, document: Document, cuts: list[int]) -> None:
        self.starts: list[int] = []
        self.before = [0]
        stop = 0
        for i in sorted(cuts):
            if i < stop:
                continue
            stop = document.end[i]
            self.starts.append(i)
            self.before.append(self.before[-1] + document.text_bytes(i))

    def cut_bytes(self, start: int, end: int) -> int:
        """Bytes cut between two indexes."""
        return self.before[bisect_left(self.starts, end)] - self.before[bisect_left(self.starts, start)]


def choose_rung(document: Document, marks: Marks, mode: Mode, *, forum: bool = False) -> Choice:
    """Try the filters of a mode's ladder on sizes alone and return the first that clears its thresholds."""
    ladder = FORUM if forum else LADDERS[mode]
    searched = _Cuts(document, list(marks.discards))
    both = _Cuts(document, [*marks.discards, *marks.dense])
    n = len(document)
    total = document.text_before[-1]
    reference = total - both.cut_bytes(0, n)
    for rung in ladder:
        cuts = both if rung.density else searched
        regions = _regions_of(document, marks, rung.level, cuts)
        size = sum(_kept(document, cuts, i) for i in regions)
        if regions and size >= rung.floor_bytes and size * 100 >= reference * rung.share_percent:
            return Choice(rung, regions, size, reference)
    return Choice(LAST_RESORT, [0], total - searched.cut_bytes(0, n), reference)


def _kept(document: Document, cuts: _Cuts, i: int) -> int:
    return document.text_bytes(i) - cuts.cut_bytes(i, document.end[i])


def _regions_of(document: Document, marks: Marks, level: int, cuts: _Cuts) -> list[int]:
    if level == 0:
        return [0]
    found = marks.posts if level == POST_LEVEL else marks.regions[level]
    regions = [i for i in found if not _is_cut(document, cuts, i)]
    if level == POST_LEVEL:
        return regions
    if len(regions) < 2:
        return regions
    sizes = {i: _kept(document, cuts, i) for i in regions}
    largest = max(sizes.values())
    return [i for i in regions if sizes[i] * 100 >= largest * MINOR_REGION_PERCENT]


def _is_cut(document: Document, cuts: _Cuts, i: int) -> bool:
    """Whether `i` lies inside (or is) a cut subtree."""
    k = bisect_left(cuts.starts, i + 1) - 1
    return k >= 0 and i < document.end[cuts.starts[k]]
