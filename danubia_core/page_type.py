"""What kind of page it is: told from its structure by a scorecard, and for threads from its address, too."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import msgspec

from danubia_core.document import Document
from danubia_core.page_facts import Facts, has_thread_marks
from danubia_core.page_features import BASE_POINTS, FEATURES, LEAST_POINTS, PageType

_FORUM_HOST: Final = frozenset(
    "forum forums community discuss discussion discussions board boards bbs talk answers foro foren".split()
)
_FORUM_PATH: Final = re.compile(
    r"/(?:forums?|threads?|topics?|t|questions?|discussions?|boards?|viewtopic\.php|showthread\.php|comments|foro)(?:[/?]|$)"
    r"|viewtopic|showthread",
    re.IGNORECASE,
)


class TypeChoice(msgspec.Struct, frozen=True):
    """What kind of page it is.

    Attributes:
        name: the type with the most points.
        features: names of the features that speak for it, the weightiest first.
        points: points of every type.
    """

    name: PageType
    features: list[str]
    points: dict[PageType, int]


def choose_type(document: Document) -> TypeChoice:
    """Add up the points of a page's features (page_features.py) and return the type with the most of them."""
    facts = Facts(document)
    points = dict(BASE_POINTS)
    held = [feature for feature in FEATURES if feature.holds(facts)]
    for feature in held:
        for name, value in feature.points.items():
            points[name] += value
    winner = max(points, key=points.__getitem__)
    speaking = [feature for feature in held if feature.points.get(winner, 0) > 0]
    if not speaking or points[winner] < LEAST_POINTS:
        return TypeChoice("other", [], points)
    speaking.sort(key=lambda feature: -feature.points[winner])
    return TypeChoice(winner, [feature.name for feature in speaking], points)


def is_forum(document: Document, url: str | None) -> bool:
    """Whether readers' posts are the content of the page: told by its data, its root's classes or its address."""
    return has_thread_marks(document) or (bool(url) and is_forum_address(url or ""))


def is_forum_address(url: str) -> bool:
    """Whether an address looks like that of a thread.

    >>> is_forum_address("https://forum.example.org/t/a-question/12")
    True
    >>> is_forum_address("https://example.org/news/forum-opens")
    False
    """
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    host = (split.hostname or "").split(".")
    return any(label in _FORUM_HOST for label in host[:-1]) or bool(_FORUM_PATH.search(split.path))
