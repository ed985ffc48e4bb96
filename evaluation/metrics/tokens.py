"""Text as a stream of tokens: words, and characters in scripts that put no spaces between words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Final

import msgspec
import regex

SPACELESS: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_TOKEN: Final = regex.compile(rf"[{SPACELESS}]\p{{M}}*|[\w--[{SPACELESS}]]+", regex.V1)

Gram = tuple[str, ...]


def split_tokens(text: str) -> list[str]:
    """Return the tokens of a text: compatibility forms and case folded, punctuation left out.

    >>> split_tokens("Ｌight-house, 灯台の CAFÉ")
    ['light', 'house', '灯', '台', 'の', 'café']
    """
    tokens: list[str] = _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
    return tokens


def count_grams(tokens: list[str], n: int) -> Counter[Gram]:
    """Return how often each run of `n` tokens occurs.

    >>> count_grams(["a", "b", "a", "b"], 2)[("a", "b")]
    2
    """
    return Counter(zip(*(tokens[k:] for k in range(n)), strict=False))


class Overlap(msgspec.Struct, frozen=True):
    """How much two bags share: precision, recall and their harmonic mean, each 0 to 1."""

    precision: float
    recall: float
    f1: float


def harmonic_mean(a: float, b: float) -> float:
    """Return 2ab / (a + b), or 0 where both are.

    >>> harmonic_mean(0.5, 1.0)
    0.6666666666666666
    """
    return 2 * a * b / (a + b) if a + b else 0.0


def compare_bags(found: Counter[Gram], reference: Counter[Gram]) -> Overlap:
    """Return the overlap of what was found with the reference; two empty bags agree."""
    if not found or not reference:
        same = float(not found and not reference)
        return Overlap(same, same, same)
    shared = (found & reference).total()
    precision, recall = shared / found.total(), shared / reference.total()
    return Overlap(precision, recall, harmonic_mean(precision, recall))


class Agreement(msgspec.Struct, frozen=True):
    """Agreement of an output with a reference.

    Attributes:
        unigram, bigram: overlap of tokens, and of pairs of neighbours (of tokens, where neither side has a pair).
        found, wanted, shared: number of tokens of the output, of the reference, and in both.
    """

    unigram: Overlap
    bigram: Overlap
    found: int
    wanted: int
    shared: int

    @property
    def headline(self) -> float:
        """The mean of the two F1."""
        return (self.unigram.f1 + self.bigram.f1) / 2


def compare_texts(text: str, reference: str) -> Agreement:
    """Compare an output with a reference.

    >>> compare_texts("one two three", "one two four").headline
    0.5833333333333333
    """
    found, wanted = split_tokens(text), split_tokens(reference)
    found_words, wanted_words = count_grams(found, 1), count_grams(wanted, 1)
    unigram = compare_bags(found_words, wanted_words)
    has_pairs = len(found) > 1 or len(wanted) > 1
    return Agreement(
        unigram=unigram,
        bigram=compare_bags(count_grams(found, 2), count_grams(wanted, 2)) if has_pairs else unigram,
        found=len(found),
        wanted=len(wanted),
        shared=(found_words & wanted_words).total(),
    )
