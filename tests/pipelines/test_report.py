from __future__ import annotations

from typing import Any

import pytest

from pipelines.report import Run, build_report, format_report
from transforms.pages import RangeSpec

PLAN = [RangeSpec("a.warc.gz", index, 2, 0, 1, 2) for index in range(2)]


def manifest(**changes: Any) -> dict[str, Any]:
    return {
        "warc": "a.warc.gz",
        "start": 0,
        "whole": True,
        "records": 1000,
        "pages": 400,
        "rows": 390,
        "failures": 5,
        "html_bytes": 4_000_000,
        "row_bytes": 900_000,
        "parquet_bytes": 300_000,
        "skips": {"record-type:request": 600, "page:empty": 5},
        "rungs": {"article": 300, "body": 90},
        "failure_kinds": {"extract:timeout": 5},
    } | changes


def report(
    done: list[dict[str, Any]], before: list[dict[str, Any]] | None = None, rate: float = 0.01
) -> dict[str, Any]:
    return build_report(Run("out/", PLAN, before or [], done, 10.0, rate))


def test_a_good_run() -> None:
    found = report([manifest(), manifest()])
    assert found["ok"]
    assert (found["records"], found["rows"], found["skipped"], found["failures"]) == (2000, 780, 1210, 10)
    assert found["skips"] == {"record-type:request": 1200, "page:empty": 10}
    assert found["pages_per_second"] == 80.0


def test_speed_counts_this_run_alone() -> None:
    assert report([manifest()], before=[manifest()])["pages_per_second"] == 40.0


@pytest.mark.parametrize(
    ("done", "rate", "problem"),
    [
        ([manifest()], 0.01, "1 of 2 ranges are not done"),
        ([manifest(), manifest(rows=389)], 0.01, "the reckoning does not close: 2000 records, but 779 rows"),
        ([manifest(), manifest()], 0.004, "10 of 2000 records failed"),
        (
            [manifest(records=1, rows=0, failures=1, skips={})] * 2,
            0.01,
            "nothing could be read of 1 of 1 archives: a.warc.gz",
        ),
    ],
)
def test_a_run_that_went_wrong_says_why(done: list[dict[str, Any]], rate: float, problem: str) -> None:
    found = report(done, rate=rate)
    assert not found["ok"]
    assert any(problem in line for line in found["problems"])


def test_the_spread_of_the_ranges_times_is_told() -> None:
    times = [{"began": 100.0, "ended": 100.0 + seconds} for seconds in (1.0, 9.0, 2.0)]
    found = report([manifest(**each) for each in times], before=[manifest(began=0.0, ended=70.0)])
    assert found["range_seconds"] == {"median": 2.0, "p95": 2.0, "most": 9.0}
    assert "a range took 2.0 s (median), 2.0 s (95 %), 9.0 s (most)\n" in format_report(found)


def test_the_table_shows_the_reckoning() -> None:
    table = format_report(report([manifest(), manifest()]))
    assert "2,000 records = 780 rows + 1,210 skipped + 10 failures\n" in table
    assert "800 pages in 10.0 s: 80.0 pages/s, 800.0 kB/s of HTML" in table
    assert "8.0 MB of HTML became 600.0 kB of Parquet: out/pages/*.parquet" in table
    assert "out/failures/*.parquet" in table


def test_a_store_that_failed_is_a_problem_whatever_the_rate() -> None:
    found = report([manifest(), manifest(start=7, whole=False)], rate=1.0)
    assert not found["ok"]
    assert found["closes"]
    [problem] = found["problems"]
    assert "1 of 2 ranges (a.warc.gz from byte 7)" in problem
    assert "the same command again" in problem
