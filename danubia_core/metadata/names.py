"""Names as texts write them: with "By" before them, a date or a place after them, or nobody's."""

from __future__ import annotations

import re
from typing import Final

from danubia_core.metadata.head import clean
from danubia_core.metadata.vocabulary import AFTER_NAME, BY, CHANGED_LINE, NOBODY, NOT_A_NAME, PARTICLES

BY_LINE = re.compile(
    rf"^\W*(?:{'|'.join(re.escape(w) for w in sorted(BY, key=len, reverse=True))})(?:\s*[:：/]\s*|\s+|\s*$)", re.I
)
_BY_STARTS: Final = frozenset(words[:2].lower() for words in BY)
MAX_NAME_CHARS: Final = 100
MAX_VISIBLE_WORDS: Final = 7


def clean_name(raw: str) -> str | None:
    """A declared name without "By" before it; None for addresses and for names of nobody, such as "admin".

    >>> clean_name("By Tilda Brook")
    'Tilda Brook'
    """
    text = _without_by(clean(raw)).strip(" ,;:·|-–—")
    if (
        not text
        or len(text) > MAX_NAME_CHARS
        or "://" in text
        or text.startswith(("www.", "@", "/"))
        or text.casefold() in NOBODY
    ):
        return None
    if " " not in text and (text.count(".") > 1 or "/" in text):  # an address, or a template's variable left as it was
        return None
    return text if any(c.isalpha() for c in text) else None


def names_of(text: str) -> list[str]:
    """The name that a visible text is, without "By" before it and a date or a place after it, or none."""
    text = AFTER_NAME.sub("", _without_by(clean(text))).strip(" ,;:·|-–—*\u200b")
    words = text.split()
    if (
        not words
        or len(words) > MAX_VISIBLE_WORDS
        or len(text) > 60
        or NOT_A_NAME.search(text)
        or CHANGED_LINE.search(text)
    ):
        return []
    if words[-1].casefold() in PARTICLES:  # "Posted by" with nothing after it, in whatever words
        return []
    if not any(c.isalpha() for c in text) or (len(words) > 1 and not is_capitalised(text)):
        return []
    return [text]


def may_start_with_by(text: str) -> bool:
    """A cheap look before the search for all the words: nearly no text passes."""
    return not text[:1].isalnum() or text[:2].lower() in _BY_STARTS or text[0] in _BY_STARTS


def _without_by(text: str) -> str:
    return BY_LINE.sub("", text, count=1) if may_start_with_by(text) else text


def is_capitalised(text: str) -> bool:
    """Whether all words but particles start as names do; scripts without capitals pass."""
    words = [w for w in re.split(r"[\s,]+", text) if w and w.casefold() not in PARTICLES]
    return bool(words) and all(not w[0].islower() for w in words)


def is_full_name(text: str) -> bool:
    """Whether the text is two or three words that start with capitals and are not in capitals throughout."""
    words = text.split()
    return (
        2 <= len(words) <= 3
        and all(w[0].isupper() and not w.isupper() for w in words if len(w) > 2)
        and all(c.isalpha() or c in " -.'’" for c in text)
    )
