"""The stages between parse and collector, in order: marks, density, teasers, ladder; twice where readers discuss."""

from __future__ import annotations

from typing import Final

from danubia_core.cards import mark_cards
from danubia_core.density import mark_dense
from danubia_core.document import Document
from danubia_core.ladder import Choice, choose_rung
from danubia_core.marks import THREAD_RULES, Marks, mark_document, restore_largest
from danubia_core.options import Options
from danubia_core.page_features import PageType
from danubia_core.page_type import is_forum
from danubia_core.rungs import CARDS_OF_LINKS, PRODUCT_FLOOR_BYTES
from danubia_core.teasers import mark_teasers

DISCUSSION_BYTES: Final = 1500  # a page with more content of its own is not a mere thread of comments
DISCUSSION_TIMES: Final = 3


def mark_and_choose(
    document: Document, url: str | None, options: Options, page_type: PageType, *, restore: bool = False
) -> tuple[Marks, Choice]:
    """Mark a document and choose what to collect of it; its type chooses the ladder.

    Whether it is a forum is asked more strictly than its type was, and of its address, too: on the forums' ladder the
    comments below an article are content.

    Args:
        document: the page.
        url: its address.
        options: the mode.
        page_type: what kind of page it is.
        restore: take back the largest discard by a name alone: the discards were seen to leave nothing.
    """
    if is_forum(document, url):
        page_type = "forum"
    elif page_type == "forum":
        page_type = "other"
    marks, choice = _mark_and_choose(document, options, page_type, restore=restore)
    if page_type != "forum" and _is_discussion(document, marks, choice):
        return _mark_and_choose(document, options, "forum")
    return marks, choice


def _mark_and_choose(
    document: Document, options: Options, page_type: PageType, *, restore: bool = False
) -> tuple[Marks, Choice]:
    marks = mark_document(document, forum=page_type == "forum")
    if restore:
        restore_largest(document, marks)
    marks.dense = mark_dense(document, marks.discards)
    if options.mode != "fast":
        marks.teasers = document.find_topmost([*marks.gated, *mark_teasers(document, marks.discards)])
        _mark_cards(document, marks, page_type)
    return marks, choose_rung(document, marks, options.mode, page_type)


def _mark_cards(document: Document, marks: Marks, page_type: PageType) -> None:
    """Mark cards of links where the page's type says that they speak of other pages.

    Below an article they are teasers among others. A product's page has little prose to weigh them against: there
    they go like dense blocks, if something is left.
    """
    which = CARDS_OF_LINKS.get(page_type)
    if which is None:
        return
    cards = mark_cards(document, marks.discards, pictured=which == "pictured")
    if not cards:
        return
    if which == "pictured":
        marks.teasers = document.find_topmost(marks.teasers + cards)
        return
    rest = document.text_before[-1] - sum(map(document.text_bytes, marks.discards))
    if rest - sum(map(document.text_bytes, cards)) > PRODUCT_FLOOR_BYTES:
        marks.dense = document.find_topmost(marks.dense + cards)


def _is_discussion(document: Document, marks: Marks, choice: Choice) -> bool:
    """Whether the comments are what the page is about: a link or a line with a long thread below it."""
    if choice.selected_bytes >= DISCUSSION_BYTES:
        return False
    comments = sum(document.text_bytes(i) for i, rule in marks.discards.items() if rule in THREAD_RULES)
    return comments > choice.selected_bytes * DISCUSSION_TIMES
