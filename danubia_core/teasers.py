"""Teasers: repeated siblings whose headings are links. In an article they advertise other pages.

The density rule spares any block that contains a heading, so boxes of related stories pass it. What tells them apart
is that each heading is itself a link, and that there are several of the same shape side by side. On a page made of
such cards they are the content; the ladder decides that by their share.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from danubia_core.document import TEXT, Document

MINIMUM_CARDS: Final = 2
MAX_CARD_BYTES: Final = 900  # longer blocks below a linked heading are contributions, not teasers
_SECTION_END: Final = frozenset(("body", "html", "main", "article"))


def mark_teasers(document: Document, discards: dict[int, int]) -> list[int]:
    """Return the topmost nodes made of teaser cards (whole groups where possible), ascending."""
    groups: dict[int, list[int]] = {}
    for heading in document.headings:
        if document.is_linked(heading):
            card = _find_card(document, heading)
            if 0 < document.text_bytes(card) <= MAX_CARD_BYTES and card not in discards:
                groups.setdefault(document.parent[card], []).append(card)
    found: list[int] = []
    for parent, cards in groups.items():
        if len(cards) < MINIMUM_CARDS:
            continue
        found.extend(widen(document, parent, cards))
    return document.find_topmost(found)


def _count_headings(document: Document, i: int) -> int:
    headings = document.headings
    return bisect_left(headings, document.end[i]) - bisect_left(headings, i)


def _find_card(document: Document, heading: int) -> int:
    """The highest element around a heading that holds no other heading."""
    card = heading
    while True:
        up = document.parent[card]
        if up <= 0 or document.tag[up] in _SECTION_END or _count_headings(document, up) > 1:
            return card
        card = up


def widen(document: Document, parent: int, cards: list[int]) -> list[int]:
    """Return the whole group of some cards, title included, where nearly all of its text is theirs; else the cards."""
    inside = sum(document.text_bytes(card) for card in cards)
    group = parent
    while document.tag[group] not in _SECTION_END and document.text_bytes(group) - inside <= max(60, inside // 5):
        up = document.parent[group]
        if up <= 0 or document.tag[up] in _SECTION_END:
            return [group]
        if document.text_bytes(up) - inside > max(60, inside // 5):
            return [group]
        group = up
    before = _title_before(document, cards[0])
    return cards if before < 0 else [before, *cards]


def _title_before(document: Document, card: int) -> int:
    """The heading just before a group of cards among its siblings, or -1."""
    previous = -1
    for child in document.children(document.parent[card]):
        if child >= card:
            break
        if document.tag[child] != TEXT or document.text_bytes(child):
            previous = child
    if previous in document.headings and not document.is_linked(previous):
        return previous
    return -1
