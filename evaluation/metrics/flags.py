"""Mechanical flags: faults of an output that need no judgement."""

from __future__ import annotations

from collections import Counter
from typing import Final

from evaluation.metrics.markdown import Structure
from evaluation.metrics.tokens import split_tokens
from evaluation.pages import Page

FLAGS: Final = {
    "error": "the extractor raised an exception or ran out of time",
    "empty": "the output has no text, the reference has",
    "truncated": "the output holds the reference's beginning and nothing of its last tenth",
    "empty-fences": "a code block of the output is empty",
    "headings-missing": "the reference has headings, the output in Markdown has none",
    "title-missing": "the title is neither in the text nor told beside it",
    "replacement-characters": "the output has U+FFFD where the reference has none",
    "repeated-text": "a paragraph occurs at least twice, and more often than in the reference",
    "reference-stale": "the page or its reference is not the one that the corpus names",
}
HEAD_SHARE: Final = 0.5  # of the first tenth's words: the output holds the beginning
TAIL_SHARE: Final = 0.2
TAIL_WORDS: Final = 20  # shorter tenths say nothing
REPEATED_CHARS: Final = 120


def find_flags(
    page: Page, text: str, found: Structure | None, reference: Structure | None, title: str | None = None
) -> list[str]:
    """Return the names of the flags (keys of `FLAGS`) that hold for an output, less `error`, in the table's order.

    Args:
        page: the page and its reference.
        text: the output's text.
        found: the output's Markdown taken apart; None when the extractor gives none.
        reference: the reference's Markdown, or None.
        title: the title that the extractor tells beside its text.
    """
    wanted = page.text if page.text is not None else reference.text if reference else ""
    hold = {
        "empty": bool(wanted.strip()) and not text.strip(),
        "truncated": is_truncated(text, wanted),
        "empty-fences": bool(found and found.empty_fences),
        "headings-missing": bool(text.strip()) and has_no_headings(found, reference),
        "title-missing": bool(text.strip()) and is_title_missing(page.title, text, title),
        "replacement-characters": "\ufffd" in text and "\ufffd" not in wanted,
        "repeated-text": has_repeats(text, wanted),
        "reference-stale": page.stale,
    }
    return [name for name in FLAGS if hold.get(name)]


def has_no_headings(found: Structure | None, reference: Structure | None) -> bool:
    """Whether an output in Markdown has none of a reference's headings, of which there are several."""
    return bool(found and reference and len(reference.headings) > 1 and not found.headings)


def is_truncated(text: str, reference: str) -> bool:
    """Whether an output stops before the reference does: its beginning is there, of its last tenth next to nothing."""
    wanted = split_tokens(reference)
    tenth = len(wanted) // 10
    if tenth < TAIL_WORDS:
        return False
    found = Counter(split_tokens(text))
    head, tail = Counter(wanted[:tenth]), _rare(wanted, tenth)
    if (found & head).total() < HEAD_SHARE * tenth or len(tail) < TAIL_WORDS // 2:
        return False
    return sum(word in found for word in tail) < TAIL_SHARE * len(tail)


def _rare(tokens: list[str], tenth: int) -> set[str]:
    """The words of the last tenth that occur nowhere before it."""
    return set(tokens[-tenth:]) - set(tokens[:-tenth])


def is_title_missing(label: str | None, text: str, title: str | None) -> bool:
    """Whether most words of a labelled title occur neither in the told title nor in the text."""
    words = set(split_tokens(label or ""))
    if not words:
        return False
    there = set(split_tokens(title or "")) | set(split_tokens(text))
    return len(words & there) * 2 < len(words)


def has_repeats(text: str, reference: str) -> bool:
    """Whether a long line of the text is there twice or more, and more often than in the reference."""
    lines = Counter(flat for line in text.splitlines() if len(flat := " ".join(line.split())) >= REPEATED_CHARS)
    repeated = [(line, count) for line, count in lines.items() if count > 1]
    if not repeated:
        return False
    flat = " ".join(reference.split())
    return any(count > max(1, flat.count(line)) for line, count in repeated)
