"""What the words of a class attribute say of its element: an author, a date, a box of other pages.

Verdicts are remembered: pages repeat few names many times, and sites share them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from danubia_core.metadata.vocabulary import (
    AUTHOR_WORDS,
    CHANGED_WORDS,
    DATE_WORDS,
    NOT_AUTHOR_WORDS,
    NOT_DATE_WORDS,
    PROFILE_WORDS,
    USER_WORDS,
    ZONE_WORDS,
)

AUTHOR, USER, DATE, CHANGED, ZONE, OWN, PROFILE = 1, 2, 4, 8, 16, 32, 64
MARKS: Final = AUTHOR | USER | DATE
ZONE_TOKENS: Final = frozenset("widget card cards".split())  # whole tokens only: page builders call every part a widget
OWN_WORDS: Final = frozenset("article entry post story".split())
EDGE_WORDS: Final = frozenset(("footer", "sidebar"))  # of a post or an article, they hold its own date and author
MAX_VERDICTS: Final = 16384
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TELLING_WORDS: Final = frozenset().union(
    AUTHOR_WORDS, USER_WORDS, DATE_WORDS, CHANGED_WORDS, ZONE_WORDS, OWN_WORDS, ZONE_TOKENS, PROFILE_WORDS
)
MARK_STEMS: Final = tuple(  # one of them is in every word of those three sets
    "aut byline contribut redakteur verfasser writer username usernick nickname poster "
    "dat fecha meta publi pubdate posted time".split()
)


@lru_cache(maxsize=MAX_VERDICTS)
def class_verdict(names: str) -> int:
    """What a class attribute says of its element, as flags."""
    verdict = 0
    for name in names.split():
        verdict |= _judge_name(name)
    return verdict


def find_marks(by_class: dict[str, list[int]]) -> list[tuple[int, int]]:
    """(index, verdict) of the elements whose class speaks of an author or a date, in the page's order.

    Most class attributes are new with each page, so that a memory of verdicts helps little: letters that the telling
    words have in common are looked for first, in all of the page's classes at once, then in each.
    """
    joined = " ".join(by_class).lower()
    stems = [stem for stem in MARK_STEMS if stem in joined]
    found: list[tuple[int, int]] = []
    for names in by_class if stems else ():
        lower = names.lower()
        for stem in stems:
            if stem in lower:
                verdict = class_verdict(names)
                if verdict & MARKS:
                    found.extend((i, verdict) for i in by_class[names])
                break
    found.sort()
    return found


def zone_words(names: str) -> frozenset[str]:
    """The words of a class attribute that name boxes of other pages."""
    return ZONE_WORDS.intersection(word.lower() for word in _WORDS.findall(names))


@lru_cache(maxsize=MAX_VERDICTS)
def _judge_name(name: str) -> int:
    words = {w.lower() for w in _WORDS.findall(name)}
    if words.isdisjoint(_TELLING_WORDS):
        return 0
    verdict = 0
    if words.isdisjoint(NOT_AUTHOR_WORDS):
        verdict = AUTHOR * (not words.isdisjoint(AUTHOR_WORDS)) | USER * (not words.isdisjoint(USER_WORDS))
    if not words.isdisjoint(DATE_WORDS) and words.isdisjoint(NOT_DATE_WORDS):
        verdict |= DATE
    is_own = not words.isdisjoint(OWN_WORDS)
    zones = words & ZONE_WORDS
    is_zone = name in ZONE_TOKENS or (bool(zones) and not (is_own and zones <= EDGE_WORDS))
    verdict |= CHANGED * (not words.isdisjoint(CHANGED_WORDS)) | PROFILE * (not words.isdisjoint(PROFILE_WORDS))
    return verdict | ZONE * is_zone | OWN * is_own
