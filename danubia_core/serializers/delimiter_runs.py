"""How a CommonMark parser reads a line's delimiters (6.2 and the algorithm of the appendix), to see what it would make.

A line is a list of pieces; `Delimiter`s stand among its texts. Neighbouring delimiters of the same character
are one run.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from danubia_core.serializers.markdown_escape import SPACES

MOST_OPEN: Final = 3  # each kind of emphasis stands at most once around a text


class Delimiter(str):
    """A delimiter among a line's pieces.

    Attributes:
        opens: whether it opens emphasis.
        risky: whether something else than a letter or a digit stands at its inner side.
        span: of one that closes, how many pieces before it its partner stood when it was written.
    """

    __slots__ = ("opens", "risky", "span")
    opens: bool
    risky: bool
    span: int


class LinkStart(str):
    """The bracket that opens a link's text, told from one that the text of a page holds."""

    __slots__ = ()


LINK_START: Final = LinkStart("[")


class Run:
    """Neighbouring delimiters of one character: where they stand among the pieces, and what stands around them."""

    __slots__ = ("after", "before", "delimiters", "left", "places", "size")

    def __init__(self, before: str) -> None:
        self.before = before
        self.after = ""
        self.places: list[int] = []
        self.delimiters: list[Delimiter] = []
        self.size = 0  # characters
        self.left = 0  # characters that no emphasis has taken yet

    @property
    def can_open(self) -> bool:
        """Left-flanking."""
        return flanks(self.before, self.after)

    @property
    def can_close(self) -> bool:
        """Right-flanking."""
        return flanks(self.after, self.before)


def find_runs(out: list[str]) -> list[Run]:
    """Return the line's runs in order."""
    runs: list[Run] = []
    run: Run | None = None
    before = ""
    for place, piece in enumerate(out):
        if not piece:
            continue
        if run is not None and not (type(piece) is Delimiter and piece[0] == before):
            run.after = piece[0]
            run = None
        if type(piece) is Delimiter:
            if run is None:
                run = Run(before)
                runs.append(run)
            run.places.append(place)
            run.delimiters.append(piece)
            run.size += len(piece)
        before = piece[-1]
    return runs


def flanks(outside: str, inside: str) -> bool:
    """Tell whether a run with these characters at its two sides is left-flanking (mirrored: right-flanking)."""
    if inside == "" or inside in SPACES:
        return False
    if inside.isalnum() or not _may_be_punctuation(inside):
        return True
    return outside == "" or outside in SPACES or _is_punctuation(outside)


_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def _is_punctuation(character: str) -> bool:
    return character in _ASCII_PUNCTUATION or unicodedata.category(character)[0] == "P"


def _may_be_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"  # symbols: CommonMark takes them for punctuation since 0.31 only


def find_misplaced(runs: list[Run]) -> int:
    """Return the place of the first delimiter that cannot do what it is there for, or -1."""
    for run in runs:
        can_open, can_close = run.can_open, run.can_close
        for place, delimiter in zip(run.places, run.delimiters, strict=True):
            if not (can_open if delimiter.opens else can_close):
                return place
    return -1


def read_as_meant(runs: list[Run]) -> bool:
    """Tell whether a parser makes the emphasis of these runs that their delimiters mean."""
    made: list[list[str]] = [[] for _ in runs]  # for the text after each run: the emphasis that it stands in
    open_runs: list[int] = []
    for closing, run in enumerate(runs):
        run.left = run.size
        while run.left and run.can_close:
            depth = _find_opening(runs, open_runs, run)
            if depth < 0:
                break
            if depth < len(open_runs) - 1:
                return False  # what stands open between the two marks nothing any more
            opening = open_runs[depth]
            taken = 2 if run.left >= 2 and runs[opening].left >= 2 else 1
            mark = run.delimiters[0][0] * taken
            run.left -= taken
            runs[opening].left -= taken
            for index in range(opening, closing):
                made[index].append(mark)
            if not runs[opening].left:
                open_runs.pop()
        if run.left:
            if not run.can_open or len(open_runs) == MOST_OPEN:
                return False
            open_runs.append(closing)
    return not open_runs and all(map(_is_same, made, _list_meant(runs)))


def _is_same(made: list[str], meant: list[str]) -> bool:
    return sorted(made) == sorted(meant)


def _find_opening(runs: list[Run], open_runs: list[int], closer: Run) -> int:
    """Return which of the open runs a closing one ends, -1 if none."""
    for depth in range(len(open_runs) - 1, -1, -1):
        opener = runs[open_runs[depth]]
        if opener.delimiters[0][0] != closer.delimiters[0][0]:
            continue
        # The rule of three: a run that could be both must not join another where the lengths sum up to its multiple.
        both = opener.can_close or closer.can_open
        threes = (opener.size + closer.size) % 3 == 0 and (opener.size % 3 != 0 or closer.size % 3 != 0)
        if not (both and threes and closer.delimiters[0][0] == "*"):
            return depth
    return -1


def _list_meant(runs: list[Run]) -> list[list[str]]:
    meant: list[list[str]] = []
    opened: list[str] = []
    for run in runs:
        for delimiter in run.delimiters:
            if delimiter.opens:
                opened.append(str(delimiter))
            else:
                opened.pop()
        meant.append(list(opened))
    return meant
