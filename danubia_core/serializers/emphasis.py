"""Emphasis that renders: where delimiters may stand, and what to do where they may not.

CommonMark reads `**` as a mark only where the characters around it allow it (6.2): inside the mark no white space, and
where a punctuation character stands inside, white space or punctuation outside. Pages know no such rule, the less in
scripts without spaces (`これは<b>「重要」</b>です`). In turn: white space at the inner edges moves out; punctuation
at an inner edge moves out; emphasis around a whole link moves into it; else the emphasis is dropped. The words stay the
same in each case, and no asterisk is left to be seen.
"""

from __future__ import annotations

import re
from typing import Final

from danubia_core.serializers.delimiter_runs import LINK_START, Delimiter, find_misplaced, find_runs, read_as_meant
from danubia_core.serializers.markdown_escape import SPACES


def _make_delimiter(mark: str, *, opens: bool, risky: bool, span: int = 2) -> Delimiter:
    delimiter = Delimiter(mark)
    delimiter.opens = opens
    delimiter.risky = risky
    delimiter.span = span
    return delimiter


MAX_VISITS: Final = 500_000  # of pieces, by all repairs of one line

_MARKS: Final = ("**", "*", "~~")
_OPENERS: Final = {mark: _make_delimiter(mark, opens=True, risky=False) for mark in _MARKS}
_RISKY_OPENERS: Final = {mark: _make_delimiter(mark, opens=True, risky=True) for mark in _MARKS}
_CLOSERS: Final = {mark: _make_delimiter(mark, opens=False, risky=False) for mark in _MARKS}
_RISKY_CLOSERS: Final = {mark: _make_delimiter(mark, opens=False, risky=True) for mark in _MARKS}


def pick_opener(mark: str, content: str) -> Delimiter:
    """Return the opening delimiter that stands before `content`."""
    return (_OPENERS if content[0].isalnum() else _RISKY_OPENERS)[mark]


def pick_closer(mark: str, content: str) -> Delimiter:
    """Return the closing delimiter that stands after `content`."""
    return (_CLOSERS if content[-1].isalnum() else _RISKY_CLOSERS)[mark]


def open_mark(mark: str, out: list[str]) -> int:
    """Append the opening delimiter and return where its content starts, to be handed to `close_mark`.

    The same emphasis just before goes on instead, since `****` marks nothing: then its start is returned.
    """
    last = out[-1] if out else ""
    if type(last) is Delimiter and not last.opens and last == mark:
        out.pop()
        return len(out) - last.span + 1
    out.append(_OPENERS[mark])
    return len(out)


def close_mark(mark: str, out: list[str], start: int) -> None:
    """Append the closing delimiter; white space at the edges moves out, and emphasis of nothing is taken back."""
    lead, tail = trim_pieces(out, start)
    if len(out) == start:
        out.pop()
    else:
        out[start - 1] = pick_opener(mark, out[start])
        closer, span = pick_closer(mark, out[-1]), len(out) - start + 1
        out.append(closer if span == 2 else _make_delimiter(mark, opens=False, risky=closer.risky, span=span))
        if lead:
            out.insert(start - 1, lead)
        lead = ""
    if lead or tail:
        out.append(lead + tail)


def _is_blank(piece: str) -> bool:
    return not piece.strip()


def trim_pieces(out: list[str], start: int) -> tuple[str, str]:
    """Take the white space and line breaks off both ends of the pieces from `start` on, and return them."""
    tail = ""
    while len(out) > start and _is_blank(out[-1]):
        tail = out.pop() + tail
    if len(out) > start and len(kept := out[-1].rstrip()) < len(out[-1]):
        tail = out[-1][len(kept) :] + tail
        out[-1] = kept
    lead = ""
    while len(out) > start and _is_blank(out[start]):
        lead += out.pop(start)
    if len(out) > start and len(kept := out[start].lstrip()) < len(out[start]):
        lead += out[start][: -len(kept)]
        out[start] = kept
    return lead, tail


# Repair --------------------------------------------------------------------------------------------------------------


def settle_delimiters(out: list[str]) -> None:
    """Change the line's pieces until each of their delimiters is one to a CommonMark parser.

    A line of thousands of pieces that takes hundreds of repairs loses all of its emphasis: each repair reads it whole.
    """
    if all(map(_is_safe, out, ["", *out], [*out[1:], ""])):
        return
    runs = find_runs(out)
    for _ in range(min(2 * len(out), 1 + MAX_VISITS // len(out))):
        bad = find_misplaced(runs)
        if bad >= 0:
            _repair(out, bad)
        elif read_as_meant(runs):
            return
        else:
            _drop_riskiest(out)
        runs = find_runs(out)
    for index, piece in enumerate(out):  # a line with no emphasis is always right
        if type(piece) is Delimiter:
            out[index] = ""


def _drop_riskiest(out: list[str]) -> None:
    """Take out one emphasis: the last that has a risky delimiter, else the last."""
    places = [place for place, piece in enumerate(out) if type(piece) is Delimiter]
    risky = [place for place in places if out[place].risky]  # type: ignore[attr-defined]
    for place in _find_pair(out, (risky or places)[-1]):
        out[place] = ""


def _is_safe(piece: str, before: str, after: str) -> bool:
    """Tell, of the usual case, that a delimiter can be read in one way only, whatever else the line holds."""
    if type(piece) is not Delimiter:
        return True
    outside = before[-1:] if piece.opens else after[:1]
    return outside == "" or outside in SPACES or not (piece.risky or outside.isalnum())


_LEADING: Final = re.compile(r"(?:[^\w\s]|_)+")
_TRAILING: Final = re.compile(r"(?:[^\w\s]|_)+\Z")
_MARKUP_STARTS: Final = ("[", "](", "`", "$", "![", "  \n")


def _repair(out: list[str], bad: int) -> None:
    opener, closer = _find_pair(out, bad)
    if not (_swap_with_link(out, opener, closer) or _move_punctuation(out, bad)):
        out[opener] = out[closer] = ""


def _find_pair(out: list[str], index: int) -> tuple[int, int]:
    opened: list[int] = []
    for place, piece in enumerate(out):
        if type(piece) is not Delimiter:
            continue
        if piece.opens:
            opened.append(place)
            continue
        opener = opened.pop()
        if index in (opener, place):
            return opener, place
    raise AssertionError(index)


def _swap_with_link(out: list[str], opener: int, closer: int) -> bool:
    """Move emphasis around one whole link into the link's text."""
    first, last = opener + 1, closer - 1
    if (
        out[first] is not LINK_START
        or not out[last].startswith("](")
        or any(p.startswith("](") for p in out[first:last])
    ):
        return False
    out[opener], out[first] = out[first], out[opener]
    out[closer], out[last] = out[last], out[closer]
    return True


def _move_punctuation(out: list[str], bad: int) -> bool:
    """Move punctuation from the inner side of a misplaced delimiter to the outside of its run; tell if that went."""
    opens = out[bad].opens  # type: ignore[attr-defined]
    step = 1 if opens else -1
    inner = bad + step
    while type(out[inner]) is Delimiter and out[inner].opens == opens:  # type: ignore[attr-defined]
        inner += step
    place = bad
    while 0 <= place - step < len(out) and type(out[place - step]) is Delimiter:
        place -= step
        if out[place].opens != opens:  # type: ignore[attr-defined]
            return False
    parted = None if type(out[inner]) is Delimiter else _part_edge(out[inner], front=opens)
    if parted is None:
        return False
    out[inner], moved = parted
    out.insert(place if opens else place + 1, moved)
    return True


def _part_edge(text: str, *, front: bool) -> tuple[str, str] | None:
    """Return what stays of a text and what goes, its punctuation at one end; None if that cannot be."""
    found = (_LEADING.match if front else _TRAILING.search)(text)
    if found is None or text.startswith(_MARKUP_STARTS):
        return None
    kept = text[found.end() :].lstrip() if front else text[: found.start()].rstrip()
    if not kept or (kept[0] if front else kept[-1]) in "*_~\\":
        return None  # nothing stays, or what stood between white space would join the delimiter or escape it
    if not front:
        return kept, text[len(kept) :]
    moved = text[: len(text) - len(kept)]
    is_escape = (len(moved) - len(moved.rstrip("\\"))) % 2 == 1  # it would be one, now that a delimiter follows
    return kept, moved + "\\" if is_escape else moved
