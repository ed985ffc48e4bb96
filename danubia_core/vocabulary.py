"""Rules compiled to look-ups: a class, id or role string gives one verdict (marks.py remembers it).

Class strings repeat within a page and across pages, so the cost of splitting one into words is paid once.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

from danubia_core.rules import RULES, Rule

MAX_NAMES: Final = 40  # of one attribute; more is a style sheet by other means

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
    """

    __slots__ = ("hides", "inside", "level", "limited", "main", "outside", "post")

    def __init__(self) -> None:
        self.hides = False
        self.level = 0
        self.main = -1
        self.post = False
        self.limited: list[int] = []
        self.outside = -1
        self.inside = -1

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
            self.inside = index if self.inside < 0 else self.inside
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


_BY_WORD = _index_by("words")
_BY_TOKEN = _index_by("tokens")
_BY_PAIR = _index_by("pairs")
_BY_ROLE = _index_by("roles")
_BY_TAG = _index_by("tags")
_BY_ATTRIBUTE = _index_by("attributes")


def judge_names(names: str) -> Verdict | None:
    """Return the verdict on a class or id string (blank-separated names), None when no rule matches."""
    verdict = Verdict()
    for token in names.split()[:MAX_NAMES]:
        _judge_token(token, verdict)
    return None if verdict.is_empty() else verdict


def _judge_token(token: str, verdict: Verdict) -> None:
    for index in _BY_TOKEN.get(token.lower(), ()):
        verdict.add(index, RULES[index])
    words = split_words(token[:100])
    for word in words:
        for index in _BY_WORD.get(word, ()):
            verdict.add(index, RULES[index])
    for first, second in pairwise(words):
        for index in _BY_PAIR.get(f"{first}-{second}", ()):
            verdict.add(index, RULES[index])


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
