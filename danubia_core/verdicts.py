"""What the values of attributes mean, remembered: class strings repeat within a page and across pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from danubia_core.vocabulary import ATTRIBUTE_VERDICTS, ROLE_VERDICTS, RULE_INDEX, Verdict, judge_names

HIDDEN_ATTRIBUTE: Final = RULE_INDEX["hidden.attribute"]
_HIDDEN_STYLE = RULE_INDEX["hidden.style"]
_HIDDEN_ARIA = RULE_INDEX["hidden.aria"]
HIDING: Final = frozenset((HIDDEN_ATTRIBUTE, _HIDDEN_STYLE, _HIDDEN_ARIA))
CACHE_LIMIT: Final = 100_000  # values remembered of an attribute; the cache is emptied when full
CACHED_VALUE_CHARS: Final = 300


def is_hidden_style(style: str) -> bool:
    """Whether an inline style hides the element.

    >>> is_hidden_style("color:red; DISPLAY : none")
    True
    """
    low = style.lower()
    if "none" not in low and "hidden" not in low:
        return False
    flat = "".join(low.split())
    return "display:none" in flat or "visibility:hidden" in flat


def _hide(rule: int) -> Verdict:
    verdict = Verdict()
    verdict.outside = verdict.inside = rule
    verdict.hides = True
    return verdict


_BY_ATTRIBUTE = _hide(HIDDEN_ATTRIBUTE)
_BY_STYLE = _hide(_HIDDEN_STYLE)
_BY_ARIA = _hide(_HIDDEN_ARIA)

_JUDGES: Final[dict[str, Callable[[str], Verdict | None]]] = {
    "class": judge_names,
    "id": judge_names,
    "role": lambda value: ROLE_VERDICTS.get(value.lower()),
    "itemprop": lambda value: ATTRIBUTE_VERDICTS.get(("itemprop", value.lower())),
    "property": lambda value: ATTRIBUTE_VERDICTS.get(("property", value.lower())),
    "component": lambda value: ATTRIBUTE_VERDICTS.get(("component", value.lower())),
    "data-role": lambda value: ATTRIBUTE_VERDICTS.get(("data-role", value.lower())),
    "hidden": lambda value: None if value == "until-found" else _BY_ATTRIBUTE,
    "style": lambda value: _BY_STYLE if is_hidden_style(value) else None,
    "aria-hidden": lambda value: _BY_ARIA if value == "true" else None,
}
_NAMES: dict[str, Verdict | None] = {}  # classes and ids speak the same words
_TOPICS: dict[str, tuple[str, ...]] = {}  # of the judged names that have any
VERDICTS: Final[dict[str, dict[str, Verdict | None]]] = {name: {} for name in _JUDGES} | {"class": _NAMES, "id": _NAMES}


def judge_value(name: str, value: str) -> Verdict | None:
    """Judge the value of an attribute and remember the verdict."""
    verdict = _JUDGES[name](value)
    topics: tuple[str, ...] = ()
    if verdict is not None:
        topics = verdict.topics
        verdict = None if verdict.is_empty() else verdict
    if len(value) <= CACHED_VALUE_CHARS:
        _remember(VERDICTS[name], value, verdict, topics)
    return verdict


def _remember(cache: dict[str, Verdict | None], value: str, verdict: Verdict | None, topics: tuple[str, ...]) -> None:
    if len(cache) >= CACHE_LIMIT:
        cache.clear()
        if cache is _NAMES:
            _TOPICS.clear()
    cache[value] = verdict
    if topics:
        _TOPICS[value] = topics


def find_topics(names: str) -> tuple[str, ...]:
    """Return what a class or id string speaks of, unordered; the marks then need not split it again."""
    if names in _TOPICS:
        return _TOPICS[names]
    if names in _NAMES:
        return ()
    names = names[:CACHED_VALUE_CHARS]
    judge_value("class", names)
    return _TOPICS.get(names, ())


def count_topics(by_class: Mapping[str, list[int]]) -> dict[str, int]:
    """Count the elements whose class speaks of a topic, by topic.

    Written out over local names: a page has hundreds of class strings, and most were seen before or mean nothing.
    """
    counts: dict[str, int] = {}
    known, judged = _TOPICS, _NAMES
    for names, nodes in by_class.items():
        if names in known:
            topics = known[names]
        elif names in judged:
            continue
        else:
            topics = find_topics(names)
        for topic in topics:
            counts[topic] = counts.get(topic, 0) + len(nodes)
    return counts
