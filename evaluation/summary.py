"""Rows in sum: a summary an extractor, the figures of each public benchmark as its authors average them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from statistics import fmean

import msgspec

from evaluation.intervals import Figure, estimate_mean
from evaluation.metrics.flags import FLAGS
from evaluation.metrics.structure import KINDS
from evaluation.metrics.tokens import harmonic_mean
from evaluation.run import FLOOR
from evaluation.scores import Row


class Summary(msgspec.Struct, kw_only=True):
    """What one extractor reached.

    Attributes:
        pages: rows of the extractor. scored: those with a headline score, which the means are over.
        headline, unigram, bigram, precision, recall: over the scored pages; precision and recall are unigrams'.
        structure: recall by kind, over the pages that have it and an output in Markdown.
        labels, languages: headline by label and by language.
        public: data set → its own figures.
        flags: flag → pages.
        cpu_seconds: processor time. times_parse: the same in lxml parses of the same pages; None without that floor.
    """

    extractor: str
    pages: int
    scored: int
    headline: Figure
    unigram: Figure
    bigram: Figure
    precision: Figure
    recall: Figure
    difference: Figure | None = None
    structure: dict[str, Figure]
    labels: dict[str, Figure]
    languages: dict[str, Figure]
    public: dict[str, dict[str, float]]
    flags: dict[str, int]
    cpu_seconds: float
    html_bytes: int
    times_parse: float | None = None


def choose_scored(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that the means are over: those with a whole reference, the project's own pages only where alone.

    Danubia drafted the references of its own pages; they would flatter it beside peers.
    """
    scored = [row for row in rows if row.headline is not None]
    return [row for row in scored if row.dataset != "own"] or scored


def summarize(rows: list[Row]) -> list[Summary]:
    """Return a summary of each extractor, in the order of the rows; differences are to the first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.extractor].append(row)
    floor = sum(row.cpu_seconds for row in groups.pop(FLOOR, []))
    summaries = [_summarize_one(name, group, floor) for name, group in groups.items()]
    for summary in summaries[1:]:
        summary.difference = compare_means(groups[summaries[0].extractor], groups[summary.extractor])
    return summaries


def compare_means(before: list[Row], after: list[Row]) -> Figure:
    """Return the mean difference of the headline on the pages that both have, with its interval (paired)."""
    scores = {row.page: row.headline for row in choose_scored(before)}
    pairs = [(scores[row.page], row.headline) for row in choose_scored(after) if row.page in scores]
    return estimate_mean([b - a for a, b in pairs if a is not None and b is not None])


def _summarize_one(name: str, rows: list[Row], floor: float) -> Summary:
    scored = choose_scored(rows)
    seconds = sum(row.cpu_seconds for row in rows)
    return Summary(
        extractor=name,
        pages=len(rows),
        scored=len(scored),
        headline=estimate_mean([row.headline or 0.0 for row in scored]),
        unigram=estimate_mean([row.unigram[2] for row in scored if row.unigram]),
        bigram=estimate_mean([row.bigram[2] for row in scored if row.bigram]),
        precision=estimate_mean([row.unigram[0] for row in scored if row.unigram]),
        recall=estimate_mean([row.unigram[1] for row in scored if row.unigram]),
        structure=_average_structure(scored),
        labels=_average_by(scored, "label"),
        languages=_average_by(scored, "language"),
        public=summarize_public(rows),
        flags={flag: n for flag in FLAGS if (n := Counter(f for row in rows for f in row.flags)[flag])},
        cpu_seconds=seconds,
        html_bytes=sum(row.html_bytes for row in rows),
        times_parse=seconds / floor if floor else None,
    )


def _average_structure(rows: list[Row]) -> dict[str, Figure]:
    found = {kind: [row.structure[kind] for row in rows if kind in row.structure] for kind in KINDS}
    return {kind: estimate_mean(values) for kind, values in found.items() if values}


def _average_by(rows: list[Row], field: str) -> dict[str, Figure]:
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, field)].append(row.headline or 0.0)
    return {name: estimate_mean(groups[name]) for name in sorted(groups, key=lambda name: (-len(groups[name]), name))}


def summarize_public(rows: list[Row]) -> dict[str, dict[str, float]]:
    """Return each data set's own figures, averaged as its authors' scripts do, to four digits."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.dataset].append(row)
    found = {}
    for name, group in groups.items():
        figures = _average_figures(group)
        if name == "scrapinghub":
            figures |= _sum_shingles(group)
        if name in ("trafilatura", "own"):
            figures |= _sum_snippets(group)
        found[name] = {key: round(value, 4) for key, value in figures.items()}
    return found


_AVERAGED = {
    "word_f1": "F1",
    "word_precision": "P",
    "word_recall": "R",
    "word_bigram_f1": "bigram",
    "lines": "md",
    "rouge5": "ROUGE-5",
}


def _average_figures(rows: list[Row]) -> dict[str, float]:
    averaged = dict(_AVERAGED)
    if rows[0].dataset == "wcxb":
        averaged |= {"wanted_share": "with", "unwanted_share": "without"}
    figures = {}
    for name, title in averaged.items():
        values = [row.public[name] for row in rows if name in row.public]
        if values:
            figures[title] = fmean(values)
    if "F1" in figures:
        figures["uni+bi"] = (figures["F1"] + figures["bigram"]) / 2
    return figures


def _sum_shingles(rows: list[Row]) -> dict[str, float]:
    """Scrapinghub: precision and recall a page, averaged over the pages that have one, F1 of the averages."""
    counts = [[row.public[f"shingles_{kind}"] for kind in ("right", "wrong", "missed")] for row in rows]
    precision = fmean([right / (right + wrong) for right, wrong, _ in counts if right + wrong] or [0.0])
    recall = fmean([right / (right + missed) for right, _, missed in counts if right + missed] or [0.0])
    return {"shP": precision, "shR": recall, "shF1": harmonic_mean(precision, recall)}


def _sum_snippets(rows: list[Row]) -> dict[str, float]:
    """Trafilatura: wanted snippets found are right, unwanted ones found are wrong, counted over all pages."""
    total = Counter[str]()
    for row in rows:
        total.update({name: int(value) for name, value in row.public.items() if name.endswith(("_all", "_found"))})
    right, wrong = total["wanted_found"], total["unwanted_found"]
    count = total["wanted_all"] + total["unwanted_all"]
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / total["wanted_all"] if total["wanted_all"] else 0.0
    accuracy = (right + total["unwanted_all"] - wrong) / count if count else 0.0
    return {"tP": precision, "tR": recall, "tAcc": accuracy, "tF": harmonic_mean(precision, recall)}
