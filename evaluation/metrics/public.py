"""The public benchmarks' own metrics, reckoned as their authors' scripts do; docs/evaluation.md names the sources.

A page gives figures by name; `summary.summarize_public` averages them as each benchmark does.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Final

from evaluation.metrics.tokens import compare_bags, count_grams, harmonic_mean
from evaluation.pages import Page

_WORD: Final = re.compile(r"\w+")
SHINGLE: Final = 4  # words, Scrapinghub
ROUGE: Final = 5  # tokens, WebMainBench


def score_public(page: Page, text: str, markdown: str | None) -> dict[str, float]:
    """Return the figures that a page's data set defines, of an output."""
    figures: dict[str, float] = {}
    if page.text is not None:
        figures.update(compare_words(text, page.text))
        if page.dataset == "scrapinghub":
            figures.update(compare_shingles(text, page.text))
    figures.update(_count_snippets(page, text))
    if page.dataset in ("defuddle", "webmainbench", "folder") and page.markdown is not None:
        figures["lines"] = compare_lines(markdown or "", page.markdown)
    if page.dataset == "webmainbench" and page.markdown is not None:
        figures["rouge5"] = compare_rouge(markdown or text, page.markdown)
    return figures


def compare_words(text: str, reference: str) -> dict[str, float]:
    r"""Return precision, recall and F1 of the bags of lower-case words (WCXB); words are runs of `\w`.

    >>> compare_words("The cat sat.", "the cat")["word_f1"]
    0.8
    """
    found, wanted = _WORD.findall(text.lower()), _WORD.findall(reference.lower())
    words = compare_bags(count_grams(found, 1), count_grams(wanted, 1))
    pairs = compare_bags(count_grams(found, 2), count_grams(wanted, 2))
    return {
        "word_precision": words.precision,
        "word_recall": words.recall,
        "word_f1": words.f1,
        "word_bigram_f1": pairs.f1,
    }


def count_shingles(text: str) -> Counter[tuple[str, ...]]:
    """Return the runs of four words, case kept; a text of fewer is one shingle (Scrapinghub)."""
    words = _WORD.findall(text)
    if 0 < len(words) < SHINGLE:
        return Counter([tuple(words)])
    return Counter(tuple(words[k : k + SHINGLE]) for k in range(len(words) - SHINGLE + 1))


def compare_shingles(text: str, reference: str) -> dict[str, float]:
    """Return shingles found, found in vain, and missed, as shares of them all (Scrapinghub)."""
    found, wanted = count_shingles(text), count_shingles(reference)
    counts = ((found & wanted).total(), (found - wanted).total(), (wanted - found).total())
    total = sum(counts)
    names = ("shingles_right", "shingles_wrong", "shingles_missed")
    return {name: count / total if total else 0.0 for name, count in zip(names, counts, strict=True)}


def _count_snippets(page: Page, text: str) -> dict[str, float]:
    """Return how many snippets the text holds: with case for Trafilatura's counts, without for WCXB's shares."""
    if not page.wanted and not page.unwanted:
        return {}
    flat = collapse_space(text)
    low = flat.lower()
    figures: dict[str, float] = {}
    for name, snippets in (("wanted", page.wanted), ("unwanted", page.unwanted)):
        clean = [collapse_space(snippet) for snippet in snippets]
        figures[f"{name}_all"] = len(clean)
        figures[f"{name}_found"] = sum(snippet in flat for snippet in clean)
        if clean:
            figures[f"{name}_share"] = sum(snippet.lower() in low for snippet in clean) / len(clean)
    return figures


def collapse_space(text: str) -> str:
    r"""Return a text with each run of white space as one space.

    >>> collapse_space(" a\n\tb ")
    'a b'
    """
    return re.sub(r"\s+", " ", text).strip()


def compare_lines(markdown: str, reference: str) -> float:
    """Return the similarity of two Markdown texts as sequences of lines, trailing space aside (Defuddle's fixtures)."""
    left, right = ([line.rstrip() for line in side.strip().splitlines()] for side in (markdown, reference))
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


@cache
def _load_jieba() -> Any:
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    return jieba


def compare_rouge(text: str, reference: str) -> float:
    """Return ROUGE-5 F1 over jieba's tokens, white space and punctuation among them (WebMainBench)."""
    if not text.strip() and not reference.strip():
        return 1.0
    bags = []
    for side in (text, reference):
        tokens = _load_jieba().lcut(side)
        bags.append(Counter(tuple(tokens[k : k + ROUGE]) for k in range(len(tokens) - ROUGE + 1)))
    found, wanted = bags
    shared = (found & wanted).total()
    return harmonic_mean(shared / max(found.total(), 1), shared / max(wanted.total(), 1))
