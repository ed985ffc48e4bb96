"""Verdicts in sum: means by extractor, the judge's own noise, and which differences stand above it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from evaluation.intervals import Figure, estimate_mean
from evaluation.judge.answers import ASPECTS, Scores
from evaluation.judge.client import Verdict

FILE: Final = "judge.json"


class Judged(msgspec.Struct, kw_only=True):
    """What one extractor was judged: the mean of all four aspects, each aspect, the difference to the first extractor.

    `is_noise` tells that the difference is under the judge's noise floor, or not beyond chance over these pages.
    """

    extractor: str
    mean: Figure
    aspects: dict[str, Figure]
    difference: Figure | None = None
    is_noise: bool = False


class Judgement(msgspec.Struct, kw_only=True):
    """A judge's verdicts in sum.

    Attributes:
        noise_floor: mean absolute difference between two judgings of the same output (mean of four aspects); None
            when nothing was judged twice. noise_pairs: how many outputs were.
        pages: pages with a valid verdict. invalid, failed: tasks without one.
        input_tokens, output_tokens: what this run used; remembered verdicts cost nothing.
    """

    model: str
    family: str
    extractors: list[Judged]
    noise_floor: float | None
    noise_pairs: int
    pages: int
    invalid: int
    failed: int
    input_tokens: int = 0
    output_tokens: int = 0


def sum_verdicts(verdicts: Iterable[Verdict], names: list[str], *, model: str, family: str) -> Judgement:
    """Sum verdicts; differences are to the first of `names`."""
    verdicts = list(verdicts)
    first: dict[str, dict[str, Scores]] = {}
    again: dict[str, dict[str, Scores]] = {}
    for verdict in verdicts:
        if verdict.scores:
            (again if verdict.repetition else first)[verdict.page] = verdict.scores
    floor, pairs = measure_noise(first, again)
    return Judgement(
        model=model,
        family=family,
        extractors=[_sum_one(name, names[0], first, floor) for name in names],
        noise_floor=floor,
        noise_pairs=pairs,
        pages=len(first),
        invalid=sum(verdict.problem.startswith("invalid") for verdict in verdicts),
        failed=sum(verdict.problem.startswith("failed") for verdict in verdicts),
        input_tokens=sum(verdict.input_tokens for verdict in verdicts),
        output_tokens=sum(verdict.output_tokens for verdict in verdicts),
    )


def measure_noise(first: dict[str, dict[str, Scores]], again: dict[str, dict[str, Scores]]) -> tuple[float | None, int]:
    """Return how far two judgings of the same outputs lie apart in the mean, and how many outputs that is over."""
    gaps = [
        abs(scores.mean - first[page][name].mean)
        for page, outputs in again.items()
        if page in first
        for name, scores in outputs.items()
    ]
    return (fmean(gaps), len(gaps)) if gaps else (None, 0)


def _sum_one(name: str, base: str, pages: dict[str, dict[str, Scores]], floor: float | None) -> Judged:
    own = [scores[name] for scores in pages.values()]
    judged = Judged(
        extractor=name,
        mean=estimate_mean([scores.mean for scores in own]),
        aspects={aspect: estimate_mean([getattr(scores, aspect) for scores in own]) for aspect in ASPECTS},
    )
    if name != base:
        judged.difference = estimate_mean([scores[name].mean - scores[base].mean for scores in pages.values()])
        judged.is_noise = abs(judged.difference.mean) < (floor or 0.0) or not judged.difference.is_beyond_noise
    return judged


def format_judgement(judgement: Judgement) -> str:
    """Return a judgement as lines to print."""
    floor = "not measured" if judgement.noise_floor is None else f"{judgement.noise_floor:.2f}"
    head = f"judged by {judgement.model} ({judgement.family}): {judgement.pages} pages"
    lost = f"{judgement.invalid} invalid, {judgement.failed} failed"
    lines = [f"{head}, {lost}; noise floor {floor} over {judgement.noise_pairs} outputs judged twice"]
    for judged in judgement.extractors:
        aspects = "  ".join(f"{aspect} {figure.mean:.2f}" for aspect, figure in judged.aspects.items())
        line = (
            f"{judged.extractor:24} {judged.mean.mean:.2f} [{judged.mean.low:.2f}, {judged.mean.high:.2f}]  {aspects}"
        )
        if judged.difference is not None:
            line += f"  {judged.difference.mean:+.2f}" + (" (noise)" if judged.is_noise else "")
        lines.append(line)
    return "\n".join(lines)


def group_problems(verdicts: Iterable[Verdict]) -> dict[str, list[str]]:
    """Return problem → the pages that had it."""
    found: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.problem:
            found[verdict.problem].append(verdict.page)
    return dict(found)


def write_judgement(run: Path, judgement: Judgement) -> None:
    """Write a judgement beside the run's rows."""
    (run / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(judgement)) + b"\n")


def read_judgement(run: Path) -> Judgement | None:
    """Return the judgement of a run, or None when it was not judged."""
    file = run / FILE
    return msgspec.json.decode(file.read_bytes(), type=Judgement) if file.exists() else None
