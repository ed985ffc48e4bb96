"""Cards: repeated siblings that each hold a link and little else. On the page of one product, other products.

Unlike teasers they need no heading. What they are depends on the page: on a list of products they are its content, on
the page of one product, or below an article, they advertise other pages; `rungs.CARDS_OF_LINKS` says where they go.
"""

from __future__ import annotations

from typing import Final

from danubia_core.document import Document
from danubia_core.teasers import widen

MINIMUM_CARDS: Final = 3
MAX_CARD_BYTES: Final = 400
MINIMUM_CARD_BYTES: Final = 8
MAX_PROSE_BYTES: Final = 160
GROUP_SHARE_PERCENT: Final = 80  # cards that are this much of their parent go with it
SAME_CLASS_CHARS: Final = 12  # classes of the cards of one group begin alike and end in states or numbers
_CARD_TAGS: Final = frozenset(("li", "div", "article", "a", "section"))


def mark_cards(document: Document, discards: dict[int, int], *, pictured: bool) -> list[int]:
    """Return the topmost nodes made of linked cards (whole groups where possible), ascending.

    Args:
        document: the page.
        discards: nodes that search rules discard; they are no cards.
        pictured: only cards that each hold a picture.
    """
    found: list[int] = []
    for (parent, _, _), cards in _group_cards(document, discards, pictured=pictured).items():
        if len(cards) < MINIMUM_CARDS:
            continue
        inside = sum(document.text_bytes(card) for card in cards)
        whole = inside * 100 >= document.text_bytes(parent) * GROUP_SHARE_PERCENT
        found.extend(widen(document, parent, sorted(cards)) if whole else cards)
    return document.find_topmost(found)


def _group_cards(
    document: Document, discards: dict[int, int], *, pictured: bool
) -> dict[tuple[int, str, str], list[int]]:
    """Climb from each link to the small elements around it; group them by parent, tag and class."""
    tags, parents, pictures = document.tag, document.parent, document.index.get("img", ())
    groups: dict[tuple[int, str, str], list[int]] = {}
    seen: set[int] = set()
    for link in document.links:
        card = link
        while card > 0 and card not in seen and parents[card] > 0:
            seen.add(card)
            size = document.text_bytes(card)
            if size > MAX_CARD_BYTES or card in discards:
                break
            if (
                tags[card] in _CARD_TAGS
                and size >= MINIMUM_CARD_BYTES
                and document.prose_bytes(card) <= MAX_PROSE_BYTES
                and (not pictured or document.has_any(card, pictures))
            ):
                names = document.attrs[card].get("class", "")[:SAME_CLASS_CHARS]
                groups.setdefault((parents[card], tags[card], names), []).append(card)
            card = parents[card]
    return groups
