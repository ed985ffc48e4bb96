"""Rules compiled to look-ups: a class, id or role string gives one verdict (marks.py remembers it).

Class strings repeat within a page and across pages, so the cost of splitting one into words is paid once.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

from danubia_core.page_topics import index_topics
from danubia_core.rules import RULES, Rule

MAX_NAMES: Final = 40  # of one attribute; more is a style sheet by other means

# `has-sidebar`, `no-footer`: such a name says what its element stands beside or lacks, not what it is.
_QUALIFIERS: Final = frozenset("no not non without has have with hide".split())
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")


class Verdict:
    """What the rules say of one class, id or role string; indexes into RULES, -1 for nothing.

    Attributes:
        level: 1 (strongest) to 4 for main content, 0 for none; `main` is the rule.
        hides: whether a browser does not show the element.
        limited: rules that hold on some elements only (`Rule.only_tags`).
        post: whether it names the text of one forum post.
        outside: the rule that discards outside main content.
        inside: the rule that discards inside it.
        topics: what its words speak of (page_topics.py); no part of the judgement.
    """

    __slots__ = ("hides", "inside", "level", "limited", "main", "outside", "post", "topics")

    def __init__(self) -> None:
        self.hides = False
        self.level = 0
        self.main = -1
        self.post = False
        self.limited: list[int] = []
        self.outside = -1
        self.inside = -1
        self.topics: tuple[str, ...] = ()

    def add(self, index: int, rule: Rule) -> None:
        """Take one matching rule in; the earlier rule wins."""
        if rule.only_tags:
            self.limited.append(index)
        elif rule.level == 5:
            self.post = True
        elif rule.action == "main":
            if not self.level or rule.level < self.level:
                self.level, self.main = rule.level, index
        elif rule.scope == "inside":
            self.inside = index if self.inside < 0 else min(index, self.inside)
        else:
            self._add_outside(index, rule)

    def _add_outside(self, index: int, rule: Rule) -> None:
        if self.outside < 0:
            self.outside = index
        if rule.scope == "everywhere" and self.inside < 0:
            self.inside = index

    def is_empty(self) -> bool:
        """Whether no rule matched."""
        return self.main < 0 and self.outside < 0 and self.inside < 0 and not self.post and not self.limited


def split_words(name: str) -> list[str]:
    """Split a class or id into lower-case words.

    >>> split_words("post-shareBar_2")
    ['post', 'share', 'bar', '2']
    """
    return [word.lower() for word in _WORD.findall(name)]


def _index_by(field: str) -> dict[Any, list[int]]:
    found: dict[Any, list[int]] = {}
    for index, rule in enumerate(RULES):
        for name in getattr(rule, field):
            found.setdefault(name, []).append(index)
    return found


_BY_ROLE = _index_by("roles")
_BY_TAG = _index_by("tags")
_BY_ATTRIBUTE = _index_by("attributes")

Meaning = tuple[tuple[int, ...], tuple[str, ...]]  # rules, by index, and topics


def _index_names(field: str, topics: dict[str, tuple[str, ...]]) -> dict[str, Meaning]:
    rules = _index_by(field)
    return {name: (tuple(rules.get(name, ())), topics.get(name, ())) for name in rules | topics}


_TOPICS = index_topics()
_BY_TOKEN = _index_names("tokens", {})
_BY_WORD = _index_names("words", {name: topics for name, topics in _TOPICS.items() if "-" not in name})
_BY_PAIR = _index_names("pairs", {name: topics for name, topics in _TOPICS.items() if "-" in name})
_PAIRED: Final = frozenset(name.partition("-")[0] for name in _BY_PAIR)
_NOTHING: Final[Meaning] = ((), ())
_MEANINGS: dict[str, Meaning] = {}  # most class strings are new combinations of names seen before
REMEMBERED_TOKENS: Final = 100_000
REMEMBERED_CHARS: Final = 60


def judge_names(names: str) -> Verdict:
    """Return the verdict on a class or id string (blank-separated names); it may be empty."""
    verdict = Verdict()
    for token in names.split()[:MAX_NAMES]:
        meaning = _MEANINGS.get(token) or _read_token(token)
        if meaning is _NOTHING:
            continue
        rules, topics = meaning
        for index in rules:
            verdict.add(index, RULES[index])
        if topics:
            verdict.topics = tuple({*verdict.topics, *topics})
    return verdict


def _read_token(token: str) -> Meaning:
    """Return the rules that one class or id meets, in the order in which they count, and its topics; remember both."""
    found = [_BY_TOKEN[low]] if (low := token.lower()) in _BY_TOKEN else []
    words = split_words(token[:100])
    found += [
        _BY_WORD[word]
        for before, word in zip(["", *words], words, strict=False)
        if word in _BY_WORD and before not in _QUALIFIERS
    ]
    for first, second in pairwise(words):
        if first in _PAIRED and (pair := f"{first}-{second}") in _BY_PAIR:
            found.append(_BY_PAIR[pair])
    meaning = _NOTHING
    if found:
        topics = {topic for _, several in found for topic in several}
        meaning = (tuple(index for rules, _ in found for index in rules), tuple(topics))
    if len(token) <= REMEMBERED_CHARS:
        if len(_MEANINGS) >= REMEMBERED_TOKENS:
            _MEANINGS.clear()
        _MEANINGS[token] = meaning
    return meaning


def _compile(table: dict[Any, list[int]]) -> dict[Any, Verdict]:
    compiled = {}
    for name, indexes in table.items():
        verdict = Verdict()
        for index in indexes:
            verdict.add(index, RULES[index])
        compiled[name] = verdict
    return compiled


ROLE_VERDICTS: Final = _compile(_BY_ROLE)
TAG_VERDICTS: Final = _compile(_BY_TAG)
ATTRIBUTE_VERDICTS: Final = _compile(_BY_ATTRIBUTE)
RULE_INDEX: Final = {rule.id: index for index, rule in enumerate(RULES)}
