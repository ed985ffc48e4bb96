"""How much of a reference's structure an output has kept: recall a kind, each 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache
from typing import Any, Final

from evaluation.metrics.markdown import Structure, render_table
from evaluation.metrics.tokens import compare_bags, count_grams, split_tokens

KINDS: Final = ("headings", "levels", "links", "code", "tables", "items", "math")
MAX_CELLS: Final = 100  # tree edit distance costs the square of this, and more
PREFIX_CHARS: Final = 2_000


def recall_structure(found: Structure, reference: Structure) -> dict[str, float]:
    """Return recall by kind, for the kinds that the reference has.

    headings: by text; levels: by text and level; links: by resolved target; code and items: by text, white space and
    punctuation aside; tables: mean TEDS of each reference table and the output's most similar one; math: by TeX without
    spaces.
    """
    pairs: dict[str, tuple[Iterable[Hashable], Iterable[Hashable]]] = {
        "headings": (_fold(t for _, t in found.headings), _fold(t for _, t in reference.headings)),
        "levels": (_fold_levels(found.headings), _fold_levels(reference.headings)),
        "links": (map(_fold_link, found.links), map(_fold_link, reference.links)),
        "code": (_fold(found.code), _fold(reference.code)),
        "items": (_fold(found.items), _fold(reference.items)),
        "math": (map(_fold_math, found.math), map(_fold_math, reference.math)),
    }
    recalls = {kind: recall_bag(*pair) for kind, pair in pairs.items()}
    recalls["tables"] = _recall_tables(found.tables, reference.tables)
    return {kind: value for kind in KINDS if (value := recalls[kind]) is not None}


def recall_bag(found: Iterable[Hashable], reference: Iterable[Hashable]) -> float | None:
    """Return the share of the reference's things that were found, each as often as it occurs; None without any.

    >>> recall_bag(["a", "a"], ["a", "b"])
    0.5
    """
    wanted = Counter(reference)
    return (Counter(found) & wanted).total() / wanted.total() if wanted else None


def _fold(texts: Iterable[str]) -> list[str]:
    return [" ".join(tokens) for text in texts if (tokens := split_tokens(text[:PREFIX_CHARS]))]


def _fold_levels(headings: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(level, " ".join(split_tokens(text))) for level, text in headings if split_tokens(text)]


def _fold_link(target: str) -> str:
    return target.split("://", 1)[-1].rstrip("/")


def _fold_math(tex: str) -> str:
    return "".join(tex.split()).removeprefix(r"\displaystyle")


@cache
def _load_teds() -> Any:
    from table_recognition_metric import TEDS

    return TEDS()


def _recall_tables(found: list[list[list[str]]], reference: list[list[list[str]]]) -> float | None:
    """Return the mean TEDS of the reference's tables, each with the most similar table of the output (by its words)."""
    tables = [table for table in reference if any(any(row) for row in table)]
    if not tables:
        return None
    bags = [count_grams(split_tokens(_join(table)), 1) for table in found]
    scores = []
    for table in tables:
        words = count_grams(split_tokens(_join(table)), 1)
        similar = [compare_bags(bag, words).f1 for bag in bags]
        best = max(range(len(found)), key=similar.__getitem__, default=-1)
        scores.append(compare_tables(found[best], table) if best >= 0 and similar[best] else 0.0)
    return sum(scores) / len(scores)


def compare_tables(found: list[list[str]], reference: list[list[str]]) -> float:
    """Return TEDS, the similarity of two tables as trees of rows and cells; long ones are cut to `MAX_CELLS`."""
    return float(_load_teds()(render_table(found, MAX_CELLS), render_table(reference, MAX_CELLS)))


def _join(table: list[list[str]]) -> str:
    return " ".join(cell for row in table for cell in row)
