"""The gate: a change of the extractor that loses beyond noise, or falls below a floor, does not pass."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from evaluation.compare import Comparison, compare_runs
from evaluation.run import read_rows
from evaluation.scores import Row
from evaluation.summary import Summary, summarize

BASELINE: Final = Path(__file__).with_name("baseline.json")
FLOOR_MARGIN: Final = 0.01  # a new floor stands so much below what was reached


class Floors(msgspec.Struct):
    """What must be reached: means over the baseline's pages, and the worst page's headline."""

    headline: float = 0.0
    worst_page: float = 0.0
    snippets: float = 0.0
    structure: dict[str, float] = {}


class Baseline(msgspec.Struct):
    """What the gate holds a run against."""

    extractor: str
    floors: Floors
    rows: list[Row]


def read_baseline(file: Path) -> Baseline:
    """Return a baseline: of its own file, or of a run's folder or rows (then without floors)."""
    if file.is_dir() or file.suffix == ".jsonl":
        rows = read_rows(file)
        return Baseline(rows[0].extractor, Floors(), rows)
    return msgspec.json.decode(file.read_bytes(), type=Baseline)


def write_baseline(file: Path, rows: list[Row]) -> None:
    """Write rows as the new baseline, times left out, with floors a little below what they reach."""
    summary = summarize(rows)[0]
    bare = [msgspec.structs.replace(row, cpu_seconds=0.0, rung="") for row in rows]
    floors = Floors(
        headline=_lower(summary.headline.mean),
        worst_page=_lower(min((row.headline for row in rows if row.headline is not None), default=0.0)),
        snippets=_lower(_share_snippets(summary)),
        structure={kind: _lower(figure.mean) for kind, figure in summary.structure.items()},
    )
    head = msgspec.json.encode({"extractor": summary.extractor, "floors": floors}).decode()
    lines = ",\n".join(msgspec.json.encode(row).decode() for row in sorted(bare, key=lambda row: row.page))
    file.write_text(f'{head[:-1]},"rows":[\n{lines}\n]}}\n', encoding="utf-8", newline="\n")


def _lower(value: float) -> float:
    return max(0.0, round(value - FLOOR_MARGIN, 3))


def _share_snippets(summary: Summary) -> float:
    """Accuracy over the snippets of the project's own pages."""
    return summary.public.get("own", {}).get("tAcc", 1.0)


class Verdict(msgspec.Struct):
    """What the gate found; `faults` is empty when the run passes."""

    faults: list[str]
    comparison: Comparison


def judge_rows(baseline: Baseline, rows: list[Row]) -> Verdict:
    """Hold the rows of a run against a baseline."""
    comparison = compare_runs(baseline.rows, rows, baseline.extractor)
    faults = _find_shortfalls(baseline.floors, rows)
    mean = comparison.mean
    if mean.high < 0:
        faults.append(f"mean headline lost {-mean.mean:.4f}, interval [{mean.low:+.4f}, {mean.high:+.4f}]")
    faults += [
        f"{change.page} lost beyond noise: {change.before:.4f} → {change.after:.4f}, "
        f"wrong tokens {change.wrong_before} → {change.wrong_after}"
        for change in comparison.losses
    ]
    if comparison.only_before:
        faults.append(f"{comparison.only_before} pages of the baseline were not run")
    return Verdict(faults, comparison)


def _find_shortfalls(floors: Floors, rows: list[Row]) -> list[str]:
    """Return what is below its floor."""
    summary = summarize(rows)[0]
    worst = min((row.headline for row in rows if row.headline is not None), default=1.0)
    reached = {
        "mean headline": (summary.headline.mean, floors.headline),
        "worst page's headline": (worst, floors.worst_page),
        "share of snippets right": (_share_snippets(summary), floors.snippets),
    }
    for kind, floor in floors.structure.items():
        figure = summary.structure.get(kind)
        reached[f"recall of {kind}"] = (figure.mean if figure else 0.0, floor)
    errors = [f"{row.page}: {row.error}" for row in rows if row.error]
    return errors + [
        f"{name} {value:.4f} is below its floor {floor}" for name, (value, floor) in reached.items() if value < floor
    ]
