"""How subscripts and superscripts read where there is only a line of text.

Plain text loses the shift: "10" and a raised "5" would read 105. A raised exponent therefore gets a caret, and a
lowered digit after a digit an underscore; ordinals, marks and chemical formulas (1st, Mme, H2O) stay as they are. The
Markdown has no tags for them either, so both forms agree.
"""

from __future__ import annotations

import re
from typing import Final

_EXPONENT: Final = re.compile(r"[+\-\u2212\u2013]?\d+(?:[.,/]\d+)?|[nkxyzijpqNT]")
_EXPRESSION: Final = re.compile(r"[+\-\u2212]?[^\W_](?:[^\W_]|[.,+\-\u2212*/ ]){0,11}")


def mark_raised(before: str, text: str) -> str:
    """Return a superscript's text as it stands after the character `before` ('' at the start).

    >>> [mark_raised("0", "5"), mark_raised("1", "st"), mark_raised("2", "n+1"), mark_raised("", "14")]
    ['^5', 'st', '^(n+1)', '14']
    """
    if not (before.isalnum() or before in ")]") or before == "":
        return text
    if _EXPONENT.fullmatch(text):
        return "^" + text
    return f"^({text})" if _EXPRESSION.fullmatch(text) and not text.isalnum() else text


def mark_lowered(before: str, text: str) -> str:
    """Return a subscript's text as it stands after the character `before`.

    >>> mark_lowered("H", "2"), mark_lowered("1", "2")
    ('2', '_2')
    """
    return "_" + text if before.isdigit() and text[:1].isdigit() else text
