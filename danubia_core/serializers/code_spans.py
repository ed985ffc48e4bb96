"""Inline code between ticks (CommonMark 6.1)."""

from __future__ import annotations

import re
from typing import Final

_TICKS: Final = re.compile("`+")
_LINE_BREAK: Final = re.compile(r"\s*[\r\n]\s*")


def render_code(text: str) -> str:
    """Return `text` as a code span: the fence is longer than any run of ticks inside.

    >>> render_code("a ` b"), render_code("`")
    ('``a ` b``', '`` ` ``')
    """
    if "\n" in text or "\r" in text:
        text = _LINE_BREAK.sub(" ", text)
    if "`" not in text:
        return f"` {text} `" if text[0] == " " == text[-1] else f"`{text}`"
    fence = "`" * (max(map(len, _TICKS.findall(text))) + 1)
    return f"{fence} {text} {fence}" if text[0] in " `" or text[-1] in " `" else f"{fence}{text}{fence}"


def read_code(span: str) -> str:
    """Return the text of a code span that `render_code` gave."""
    body = span.strip("`")
    ticks = (len(span) - len(body)) // 2
    body = span[ticks : len(span) - ticks]
    return body[1:-1] if body[0] == " " == body[-1] else body


def join_code(out: list[str]) -> None:
    """Make one span of those that stand side by side: their ticks would be read as one run."""
    previous = -1
    for place, piece in enumerate(out):
        if not piece:
            continue
        if piece[0] == "`" and previous >= 0 and out[previous][0] == "`":
            out[place] = render_code(read_code(out[previous]) + read_code(piece))
            out[previous] = ""
        previous = place
