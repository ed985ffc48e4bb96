"""A watch's rounds, run within the test: what goes wrong in one, what is tried again, what is told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.extract import main
from pipelines.ledger import Ledger
from pipelines.local_runner import WorkerError
from pipelines.options import RunOptions, parse_options
from pipelines.watch import run_watch
from pipelines.watch_options import WatchOptions
from tests.pipelines.runs import read_report
from transforms.manifests import manifest_name, write_manifest
from transforms.pages import RangeSpec
from transforms.stores import Store

WATCH = WatchOptions(interval=0.01, settle=0.01)


def make_manifest(spec: RangeSpec, **changes: Any) -> dict[str, Any]:
    names = ("warc", "index", "count", "start", "end", "size")
    counts = {"records": 3, "pages": 2, "rows": 2, "failures": 0, "html_bytes": 9, "row_bytes": 9, "parquet_bytes": 9}
    groups = {"skips": {"record-type:warcinfo": 1}, "rungs": {"body": 2}, "failure_kinds": {}}
    files = {
        "pages_file": f"pages/{spec.index}.parquet",
        "failures_file": None,
        "skipped_file": None,
        "whole": True,
        "selection": None,
    }
    return {**{name: getattr(spec, name) for name in names}, **counts, **groups, **files, **changes}


class Runner:
    """Stands for Beam: raises what it is told to, round by round; then marks all ranges as done and asks for an end."""

    def __init__(self, output: Path, *errors: Exception | None) -> None:
        self.store = Store(str(output))
        self.errors = list(errors)
        self.rounds: list[list[str]] = []

    def __call__(self, ranges: Sequence[RangeSpec], *_: object) -> None:
        self.rounds.append([Path(spec.warc).name for spec in ranges])
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        for spec in ranges:
            write_manifest(self.store, spec, make_manifest(spec))
        os.kill(os.getpid(), signal.SIGTERM)


def run_rounds(tmp_path: Path, *errors: Exception | None, runner: Runner | None = None) -> tuple[int, Runner]:
    (tmp_path / "in").mkdir(exist_ok=True)
    (tmp_path / "in" / "a.warc").write_bytes(b"12345")
    os.utime(tmp_path / "in" / "a.warc", (1, 1))
    runner = runner or Runner(tmp_path / "out", *errors)
    options = RunOptions(output=str(tmp_path / "out"), inputs=(str(tmp_path / "in"),), range_bytes=3)
    return run_watch(options, WATCH, PipelineOptions([]), runner), runner


def test_a_round_that_stops_is_followed_by_another(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    status, runner = run_rounds(tmp_path, RuntimeError("one\ndisk full\n"))
    assert status == 0
    assert runner.rounds == [["a.warc", "a.warc"]] * 2
    assert "the round stopped: disk full" in caplog.text
    report = read_report(tmp_path / "out")
    assert report["ok"]
    assert report["rows"] == 4
    assert report["watch"]["rounds"] == 2


def test_five_rounds_that_stop_end_the_watch(tmp_path: Path) -> None:
    status, runner = run_rounds(tmp_path, *[RuntimeError("disk full")] * 6)
    assert status == 1
    assert len(runner.rounds) == 5
    assert read_report(tmp_path / "out")["ranges"]["missing"] == 2


def test_a_worker_that_is_gone_ends_the_watch(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    status, runner = run_rounds(tmp_path, WorkerError("a worker process is gone"))
    assert status == 1
    assert len(runner.rounds) == 1
    assert "give the same command again" in caplog.text


def test_an_archive_that_changed_is_told_of_and_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    grown = RangeSpec(str(tmp_path / "in" / "a.warc"), 0, 1, 0, 2, 2)
    options = parse_options(["--input", "x", "--output", str(tmp_path / "out"), "--range-bytes=3"])
    store = Store(options.output)
    store.write_json("_config.json", {"fingerprint": None, "config": {}})
    ledger = Ledger({manifest_name(grown): make_manifest(grown)}, 3)
    ledger.add(grown.warc, 5)
    assert ledger.list_to_do() == []
    assert "has changed since part of it was done" in caplog.text
    report = ledger.reckon(options, 1.0)
    assert not report["ok"]
    assert report["problems"] == [f"1 archives have changed since they were read: {grown.warc}"]
    assert report["rows"] == 2


def test_an_archive_that_grows_while_the_watch_goes_on_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Grow(Runner):
        def __call__(self, ranges: Sequence[RangeSpec], *_: object) -> None:
            for spec in ranges:
                write_manifest(self.store, spec, make_manifest(spec))
            archive = Path(ranges[0].warc)
            archive.write_bytes(archive.read_bytes() + b"678")
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()

    status, _ = run_rounds(tmp_path, runner=Grow(tmp_path / "out"))
    archive = tmp_path / "in" / "a.warc"
    assert status == 1
    assert caplog.text.count("has changed since it was taken (it was 5 bytes, it is 8), and is left") == 1
    report = read_report(tmp_path / "out")
    assert report["problems"] == [f"1 archives have changed since they were read: {archive}"]
    assert report["rows"] == 4


def test_an_unreadable_archive_that_is_replaced_is_taken_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Replace(Runner):
        def __call__(self, ranges: Sequence[RangeSpec], *_: object) -> None:
            if ranges[0].size == 7:
                super().__call__(ranges)
                return
            for spec in ranges:
                write_manifest(self.store, spec, make_manifest(spec, records=1, pages=0, rows=0, failures=1))
            archive = Path(ranges[0].warc)
            archive.write_bytes(b"1234567")
            os.utime(archive, (1, 1))

    monkeypatch.setattr("pipelines.ledger.FIRST_RETRY_SECONDS", 0.01)
    status, runner = run_rounds(tmp_path, runner=Replace(tmp_path / "out"))
    assert status == 0
    assert runner.rounds == [["a.warc"] * 3]
    assert "has changed since" not in caplog.text
    report = read_report(tmp_path / "out")
    assert (report["rows"], report["failures"], report["ranges"]["planned"]) == (6, 0, 3)
    assert len(list((tmp_path / "out" / "_manifests").iterdir())) == 3


def test_a_watch_ends_when_its_output_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Remove(Runner):
        def __call__(self, ranges: Sequence[RangeSpec], *_: object) -> None:
            for spec in ranges:
                write_manifest(self.store, spec, make_manifest(spec))
            (tmp_path / "out" / "_config.json").unlink()

    status, _ = run_rounds(tmp_path, runner=Remove(tmp_path / "out"))
    assert status == 1
    assert "the watch ends: " in caplog.text
    assert "has lost its _config.json" in caplog.text


def test_ranges_in_which_the_store_failed_are_due_again_later_and_later() -> None:
    ledger = Ledger({}, 10)
    ledger.add("s3://crawl/a.warc.gz", 5)
    [spec] = ledger.list_to_do()
    name = manifest_name(spec)
    time = 0.0
    for pause in (60, 120, 240):
        ledger.record({name: make_manifest(spec, whole=False)}, time)
        assert ledger.take_retries(time + pause - 1) == {}
        assert ledger.list_to_do() == []
        assert list(ledger.take_retries(time + pause)) == [name]
        assert ledger.list_to_do() == [spec]
        time += pause
    ledger.record({name: make_manifest(spec)}, time)
    assert ledger.take_retries(time + 1e6) == {}
    assert ledger.list_to_do() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--watch", "--cdx", "a.cdxj"], "--watch goes with --input"),
        (["--watch-topic=projects/p/topics/t", "--input", "a"], "--watch-topic goes with --watch"),
        (["--watch", "--watch-topic=t", "--input", "a"], "give projects/…/subscriptions/…"),
        (["--watch", "--watch-interval=0", "--input", "a"], "must be more than 0"),
        (["--watch", "--input", "a", "--runner=DirectRunner"], "leave --runner away"),
        (["--watch", "--input", "gs://b", "--watch-topic=projects/p/topics/t"], "--runner=DataflowRunner"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main([*arguments, "--output", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
