"""The stages between parse and collector, in order: marks, density, teasers, ladder; twice where readers discuss."""

from __future__ import annotations

from typing import Final

from danubia_core.density import mark_dense
from danubia_core.document import Document
from danubia_core.ladder import Choice, choose_rung
from danubia_core.marks import THREAD_RULES, Marks, mark_document
from danubia_core.options import Options
from danubia_core.page_features import PageType
from danubia_core.page_type import is_forum
from danubia_core.teasers import mark_teasers

DISCUSSION_BYTES: Final = 1500  # a page with more content of its own is not a mere thread of comments
DISCUSSION_TIMES: Final = 3


def mark_and_choose(document: Document, url: str | None, options: Options, page_type: PageType) -> tuple[Marks, Choice]:
    """Mark a document and choose what to collect of it; its type chooses the ladder.

    Whether it is a forum is asked more strictly than its type was, and of its address, too: on the forums' ladder the
    comments below an article are content.
    """
    if is_forum(document, url):
        page_type = "forum"
    elif page_type == "forum":
        page_type = "other"
    marks, choice = _mark_and_choose(document, options, page_type)
    if page_type != "forum" and _is_discussion(document, marks, choice):
        return _mark_and_choose(document, options, "forum")
    return marks, choice


def _mark_and_choose(document: Document, options: Options, page_type: PageType) -> tuple[Marks, Choice]:
    marks = mark_document(document, forum=page_type == "forum")
    marks.dense = mark_dense(document, marks.discards)
    if options.mode != "fast":
        marks.teasers = mark_teasers(document, marks.discards)
    return marks, choose_rung(document, marks, options.mode, page_type)


def _is_discussion(document: Document, marks: Marks, choice: Choice) -> bool:
    """Whether the comments are what the page is about: a link or a line with a long thread below it."""
    if choice.selected_bytes >= DISCUSSION_BYTES:
        return False
    comments = sum(document.text_bytes(i) for i, rule in marks.discards.items() if rule in THREAD_RULES)
    return comments > choice.selected_bytes * DISCUSSION_TIMES
