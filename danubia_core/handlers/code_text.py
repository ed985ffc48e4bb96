"""The characters of a piece of code: all descendants, the page's own line breaks, no gutters, no buttons."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from danubia_core.document import TEXT, Document

LINE_TAGS: Final = frozenset(
    "div p li tr dt dd table figure figcaption ol ul section pre blockquote h1 h2 h3 h4 h5 h6".split()
)
SKIPPED_TAGS: Final = frozenset(("button", "clipboard-copy"))
GUTTER_CLASSES: Final = frozenset(
    "lineno linenos linenumber line-number line-numbers line-numbers-rows linenodiv lnt ln gutter "
    "rouge-gutter blob-num gl hljs-ln-numbers hljs-ln-n react-syntax-highlighter-line-number code-line-number "
    "line-number-cell linenum linenums crayon-nums gutter-line code-gutter lnum codemirror-linenumber "
    "codemirror-gutter-wrapper".split()
)
FURNITURE_CLASSES: Final = frozenset(
    "copy copy-button copy-btn btn-copy copybtn clipboard-copy copy-code-button copy-code code-copy toolbar "
    "code-toolbar-item sr-only visually-hidden screen-reader-text hover-info tooltip tooltiptext "
    "twoslash-popup-container prompt command-line-prompt code-header code-block-header code-title".split()
)
LINE_CLASSES: Final = frozenset("line code-line token-line view-line codeline cl row-line".split())
_BLOCK_STYLE = re.compile(r"display:\s*(?:block|flex|grid|table-row)\b")

_OWN, _BOUNDARY, _WRAPPER, _NUMBER = range(4)
_roles: dict[str, str] = {}


def _classify(names: str) -> str:
    """Return 'gutter', 'furniture' for buttons and bars, 'line' for wrappers of one line, '' for anything else."""
    role = _roles.get(names)
    if role is None:
        if len(_roles) > 20_000:
            _roles.clear()
        tokens = names.lower().split()
        if not GUTTER_CLASSES.isdisjoint(tokens):
            role = "gutter"
        elif not FURNITURE_CLASSES.isdisjoint(tokens):
            role = "furniture"
        else:
            role = "" if LINE_CLASSES.isdisjoint(tokens) else "line"
        _roles[names] = role
    return role


def _holds_numbers(document: Document, k: int) -> bool:
    """Whether an element holds nothing but line numbers or marks of changed lines."""
    return all(word.isdecimal() or not word.isalnum() for word in document.inner_text(k).split())


def is_gutter(document: Document, i: int) -> bool:
    """Whether class names say that the element at `i` holds line numbers."""
    names = document.attrs[i].get("class", "")
    return bool(names) and not GUTTER_CLASSES.isdisjoint(names.lower().split())


class _Reader:
    """Pieces of code with what they are: the page's own, or line breaks that a wrapper implies."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.kinds: list[int] = []
        self.at_start = True
        self.wrappers = 0

    def add(self, text: str, kind: int = _OWN) -> None:
        self.pieces.append(text)
        self.kinds.append(kind)
        if kind != _WRAPPER:
            self.at_start = text.endswith("\n")

    def end_line(self) -> None:
        """A line ends here, unless it has just ended."""
        if not self.at_start:
            self.add("\n", _BOUNDARY)


def read_code(document: Document, i: int) -> str:
    """Return the characters of all descendants of `i`, line breaks as new lines; marks inside code are not heeded."""
    reader = _Reader()
    tags, texts, ends = document.tag, document.text, document.end
    open_lines: list[int] = []
    k, stop = i + 1, ends[i]
    while k < stop:
        while open_lines and open_lines[-1] <= k:
            open_lines.pop()
            reader.end_line()
        tag = tags[k]
        if tag == TEXT:
            is_number = reader.at_start and k == document.parent[k] + 1 and k + 1 == ends[document.parent[k]] != stop
            reader.add(texts[k], _NUMBER if is_number and texts[k].strip().isdecimal() else _OWN)
        elif tag == "br":
            reader.add("\n")
        elif tag in SKIPPED_TAGS or (document.attrs[k] and _is_skipped(document, k, reader)):
            k = ends[k]
            continue
        elif tag in LINE_TAGS or _BLOCK_STYLE.search(document.attrs[k].get("style", "")):
            reader.end_line()
            open_lines.append(ends[k])
        k += 1
    return _join(reader)


def _is_skipped(document: Document, k: int, reader: _Reader) -> bool:
    """Whether the element at `k` is not code; wrappers of a line are noted."""
    attributes = document.attrs[k]
    names = attributes.get("class")
    if names:
        role = _classify(names)
        if role == "gutter" and _holds_numbers(document, k):
            return True
        if role == "furniture" and document.tag[k] not in ("code", "pre"):
            return True
        if role == "line":
            reader.wrappers += 1
            reader.add("", _WRAPPER)
    return "hidden" in attributes or attributes.get("role") == "button" or _looks_skipped(document, k)


def _looks_skipped(document: Document, k: int) -> bool:
    """Whether the style or the content of an element says that it is not code."""
    attributes = document.attrs[k]
    style = attributes.get("style", "").lower()
    if "none" in style or "hidden" in style:
        flat = style.replace(" ", "")
        if "display:none" in flat or "visibility:hidden" in flat:
            return True
        if "user-select:none" in flat and document.inner_text(k).strip("$>#% ").isdecimal():
            return True
    if attributes.get("aria-hidden") == "true" and document.inner_text(k).isdecimal():
        return True
    if document.tag[k] in ("div", "header") and document.find(k, {"button"}) >= 0 and document.end[k] - k < 30:
        return document.find(k, {"pre", "code"}) < 0  # a bar of buttons
    return False


def _join(reader: _Reader) -> str:
    pieces, kinds = reader.pieces, reader.kinds
    if reader.wrappers > 1 and not any("\n" in piece for piece in pieces):
        pieces = ["\n" if kind == _WRAPPER else piece for piece, kind in zip(pieces, kinds, strict=True)]
    if _NUMBER in kinds and _counts_lines(reader):
        pieces = _drop_numbers(pieces, kinds)
    text = "".join(pieces)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.replace("\u00a0", " ").replace("\u200b", "").replace("\ufeff", "")
    return text


def _counts_lines(reader: _Reader) -> bool:
    """Whether the numbers at line starts count the lines."""
    numbers = [int(piece) for piece, kind in zip(reader.pieces, reader.kinds, strict=True) if kind == _NUMBER]
    lines = sum(piece.count("\n") for piece in reader.pieces)
    if len(numbers) < 2 or len(numbers) * 4 < lines:
        return False
    return all(b - a == 1 for a, b in pairwise(numbers))


def _drop_numbers(pieces: list[str], kinds: list[int]) -> list[str]:
    out: list[str] = []
    after_number = False
    for piece, kind in zip(pieces, kinds, strict=True):
        if kind != _NUMBER and not (after_number and kind == _BOUNDARY):
            out.append(piece)
        after_number = kind == _NUMBER
    return out


def trim_code(text: str) -> str:
    """Return code without blank lines at its start and white space at its end; '' if it is blank."""
    start = 0
    while (at := text.find("\n", start)) >= 0 and not text[start:at].strip():
        start = at + 1
    return text[start:].rstrip()
