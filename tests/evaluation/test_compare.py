"""Intervals, comparisons and the gate: what is noise, what is a loss."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from evaluation import gate
from evaluation.__main__ import main
from evaluation.compare import compare_runs, format_comparison
from evaluation.intervals import estimate_mean, is_count_beyond_noise
from evaluation.scores import Row


def make_row(page: str, *, headline: float | None = 0.9, found: int = 1000, shared: int = 900, **more: object) -> Row:
    known: dict[str, object] = {
        "dataset": "folder",
        "label": "article",
        "language": "en",
        "extractor": "danubia",
        "cpu_seconds": 0.01,
        "html_bytes": 5000,
        "text_bytes": 4000,
        "wanted": 1000,
        "unigram": (0.9, 0.9, 0.9),
        "bigram": (0.9, 0.9, 0.9),
    }
    return Row(page=page, headline=headline, found=found, shared=shared, **{**known, **more})  # type: ignore[arg-type]


def test_the_interval_narrows_with_the_pages() -> None:
    few, many = estimate_mean([0.0, 1.0] * 5), estimate_mean([0.0, 1.0] * 500)
    assert few.mean == many.mean == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    assert many.low > 0.46
    assert estimate_mean([0.0, 1.0] * 5) == few


def test_counts_of_wrong_tokens() -> None:
    assert not is_count_beyond_noise(0, 0)
    assert not is_count_beyond_noise(0, 9)
    assert is_count_beyond_noise(0, 10)
    assert not is_count_beyond_noise(200, 150)
    assert is_count_beyond_noise(200, 100)


def test_pages_beyond_noise_are_told_from_the_rest() -> None:
    before = [make_row(f"folder/{n}") for n in range(6)]
    after = [
        make_row("folder/0"),
        make_row("folder/1", headline=0.89, shared=895),  # 200 wrong tokens → 210
        make_row("folder/2", headline=0.5, found=500, shared=400),  # → 700
        make_row("folder/3", headline=0.99, shared=990),  # → 20
        make_row("folder/4", headline=0.1, wanted=1200),  # another reference
        make_row("folder/6"),
    ]
    found = compare_runs(before, after, "danubia")
    assert [change.page for change in found.losses] == ["folder/2"]
    assert [change.page for change in found.gains] == ["folder/3"]
    assert [change.page for change in found.changes] == ["folder/2", "folder/1", "folder/3"]
    assert found.incomparable == ["folder/4"]
    assert (found.only_before, found.only_after) == (1, 1)
    assert found.mean.pages == 4
    assert "folder/2" in format_comparison(found)
    assert "folder/1" not in format_comparison(found)


def test_a_small_loss_on_every_page_is_beyond_noise_in_the_mean() -> None:
    before = [make_row(f"folder/{n}") for n in range(40)]
    after = [make_row(f"folder/{n}", headline=0.9 - 0.0005 * (n % 5 + 1), shared=899) for n in range(40)]
    found = compare_runs(before, after, "danubia")
    assert not found.losses
    assert found.mean.is_beyond_noise
    assert found.mean.high < 0


def test_snippets_alone_are_no_verdict_on_a_page() -> None:
    figures = {"wanted_all": 2.0, "wanted_found": 2.0, "unwanted_all": 2.0, "unwanted_found": 0.0}
    before = [make_row("trafilatura/a", headline=None, public=figures)]
    after = [make_row("trafilatura/a", headline=None, public={**figures, "unwanted_found": 2.0})]
    (change,) = compare_runs(before, after, "danubia").changes
    assert (change.before, change.after, change.beyond_noise) == (1.0, 0.5, False)


def test_the_gate_opens_for_the_same_and_closes_for_a_loss(tmp_path: Path) -> None:
    rows = [make_row(f"folder/{n}", structure={"code": 1.0}) for n in range(5)]
    gate.write_baseline(tmp_path / "baseline.json", rows)
    baseline = gate.read_baseline(tmp_path / "baseline.json")
    assert baseline.floors.headline == 0.89
    assert gate.judge_rows(baseline, rows).faults == []
    worse = [*rows[1:], make_row("folder/0", headline=0.4, found=500, shared=300, structure={"code": 0.0})]
    faults = " ".join(gate.judge_rows(baseline, worse).faults)
    for fault in ("folder/0 lost beyond noise", "mean headline 0.8", "worst page's headline 0.4", "recall of code 0.8"):
        assert fault in faults
    assert gate.judge_rows(baseline, rows[1:]).faults == ["1 pages of the baseline were not run"]
    broken = [*rows[1:], make_row("folder/0", headline=0.0, error="ValueError: no", structure={"code": 1.0})]
    assert "folder/0: ValueError: no" in gate.judge_rows(baseline, broken).faults


def test_the_committed_gate_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    """When this fails, the extraction lost. When the loss is meant: `python -m evaluation gate --write`."""
    assert main(["gate", "--jobs", "1"]) == 0
    assert "the gate: open" in capsys.readouterr().out


def test_the_gate_closes_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = gate.read_baseline(gate.BASELINE)
    row = next(row for row in baseline.rows if row.page == "own/article-en-tide-mills")
    row.shared, row.found, row.headline = row.wanted, row.wanted, 1.0
    strict = gate.Baseline("danubia", gate.Floors(headline=1.01), [row])
    (tmp_path / "strict.json").write_bytes(msgspec.json.encode(strict))
    assert main(["gate", "--baseline", str(tmp_path / "strict.json"), "--jobs", "1"]) == 1
    assert "FAIL mean headline" in capsys.readouterr().out
