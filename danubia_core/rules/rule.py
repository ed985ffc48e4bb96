"""What a rule is: a record that says where it holds, what it matches, what it does, and why."""

from __future__ import annotations

from typing import Literal

import msgspec

Scope = Literal["everywhere", "outside", "inside"]
Action = Literal["main", "discard", "drop", "unwrap"]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule; a node that fulfils any of its matches is marked with it.

    Attributes:
        id: stable dotted name, shown in statistics.
        scope: everywhere, outside marked main content, or inside it.
        action: mark as main, discard with its subtree, drop while parsing, or unwrap.
        reason: why this holds in general.
        page: the kind of page that caused it.
        catches: the smallest markup on which it must fire.
        spares: markup that looks alike, on which it must not.
        words: matches a word of a class or id (`post-share` has the words post and share).
        tokens: matches a whole class or id, in lower case.
        pairs: matches two neighbouring words of one class or id (`related-posts` has the pair related posts).
        roles: matches the role attribute.
        tags: matches the element's name.
        attributes: matches (attribute, value); the value '' stands for any.
        in_prose: inside main content it holds only where what is left is a page of prose (as teasers do).
        unless: words of the element's own class that spare it.
        holds: the element must contain one of these tags, and no heading.
        only_tags: names and roles match on these elements only (empty: on any).
        prose_limit_bytes: the rule spares a node with more prose than this (0: no limit).
        link_share_percent: the rule spares a node with a smaller share of link text than this.
        share_limit_percent: the rule spares a node that holds more of the document's text than this.
        level: for `main`: 1 the body of an article, 2 an article, 3 the main region, 4 a mere container of content.
    """

    id: str
    scope: Scope = "everywhere"
    action: Action = "discard"
    reason: str
    page: str
    catches: str
    spares: str
    words: frozenset[str] = frozenset()
    tokens: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()
    level: int = 0
    in_prose: bool = False
    prose_limit_bytes: int = 0
    share_limit_percent: int = 50
    link_share_percent: int = 0
    only_tags: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()


def split_names(names: str) -> frozenset[str]:
    """Return the names of a blank-separated list.

    >>> sorted(split_names("nav menu"))
    ['menu', 'nav']
    """
    return frozenset(names.split())
