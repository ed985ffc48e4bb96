"""What a filter cuts, as sums: the text left of any subtree is a subtraction and two bisections away."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from danubia_core.document import Document
from danubia_core.rungs import PROSE_SHARE_PERCENT


class Cuts:
    """A set of cut subtrees over one document."""

    def __init__(self, document: Document, cuts: Iterable[int]) -> None:
        self.document = document
        self.starts: list[int] = []  # topmost cut nodes, ascending
        self._text = [0]
        self._prose = [0]
        stop = 0
        for i in sorted(cuts):
            if i >= stop:
                stop = document.end[i]
                self.starts.append(i)
                self._text.append(self._text[-1] + document.text_bytes(i))
                self._prose.append(self._prose[-1] + document.prose_bytes(i))

    def cut_bytes(self, start: int, stop: int) -> int:
        """Text cut between two indexes, UTF-8 bytes."""
        return self._text[bisect_left(self.starts, stop)] - self._text[bisect_left(self.starts, start)]

    def is_cut(self, i: int) -> bool:
        """Whether node `i` lies inside (or is) a cut subtree."""
        return self.document.lies_in(i, self.starts)

    def kept_bytes(self, i: int) -> int:
        """Text left of the subtree at `i`, UTF-8 bytes."""
        return self.document.text_bytes(i) - self.cut_bytes(i, self.document.end[i])

    def kept_prose_bytes(self, i: int) -> int:
        """Prose left of the subtree at `i`, UTF-8 bytes."""
        low, high = bisect_left(self.starts, i), bisect_left(self.starts, self.document.end[i])
        return self.document.prose_bytes(i) - (self._prose[high] - self._prose[low])

    def sum_kept(self, regions: Iterable[int]) -> int:
        """Text left of several subtrees, UTF-8 bytes."""
        return sum(self.kept_bytes(i) for i in regions)

    def sum_kept_prose(self, regions: Iterable[int]) -> int:
        """Prose left of several subtrees, UTF-8 bytes."""
        return sum(self.kept_prose_bytes(i) for i in regions)

    def is_prose(self, regions: Iterable[int]) -> bool:
        """Whether what is left of several subtrees is mostly prose."""
        regions = list(regions)
        return self.sum_kept_prose(regions) * 100 >= self.sum_kept(regions) * PROSE_SHARE_PERCENT
