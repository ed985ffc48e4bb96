"""Watches as their users run them: started, fed, stopped, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipelines.extract import main
from tests.pipelines.archives import make_page, write_archive
from tests.pipelines.runs import RANGE, read_report
from tests.pipelines.runs import wait_for as wait_a_minute
from tests.pipelines.slow_extractor import extract_slowly

SLOW = f"--extractor={extract_slowly.__module__}:extract_slowly"
QUICK = ["--watch", "--watch-interval=0.2", "--watch-settle=1", RANGE]


class Crawl:
    """A folder into which archives come, and one into which their rows go."""

    def __init__(self, folder: Path) -> None:
        self.inputs = folder / "in"
        self.output = folder / "out"
        self.inputs.mkdir()

    def add(self, name: str, pages: int = 4) -> Path:
        """Put an archive here as a careful crawler does: written elsewhere, then moved."""
        written = write_archive(
            self.inputs.parent / "new" / name, [make_page(number) for number in range(pages)], host=f"{name}.example"
        )
        os.utime(written, (1, 1))  # older than all that was here before
        return written.rename(self.inputs / name)

    def find_done(self, name: str) -> int:
        """Count the ranges of an archive that are done."""
        return len(list((self.output / "_manifests").glob(f"{name.removesuffix('.warc.gz')}-*.json")))

    @contextmanager
    def watch(self, *options: str) -> Iterator[subprocess.Popen[str]]:
        """Run a watch; it is killed with its workers unless it ended within the block."""
        command = [sys.executable, "-m", "pipelines.extract", *QUICK, *options]
        command += ["--input", f"{self.inputs}/*", "--output", str(self.output)]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    def count_rows(self) -> int:
        """Give the rows that the report tells of."""
        return int(read_report(self.output)["rows"]) if (self.output / "_report.json").exists() else 0

    def read_rows(self) -> list[tuple[str, int, str]]:
        """Give archive, offset and text of all rows, sorted."""
        table = pq.read_table(self.output / "pages", columns=["warc", "offset", "markdown"])
        return sorted((row["warc"], row["offset"], row["markdown"]) for row in table.to_pylist())


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    return Crawl(tmp_path)


def wait_for(condition: Callable[[], object]) -> None:
    wait_a_minute(condition, 300)  # on a machine that has other things to do


def stop(process: subprocess.Popen[str], number: int = signal.SIGTERM) -> str:
    os.kill(process.pid, number)
    _, error = process.communicate(timeout=300)
    return error


def test_a_watch_that_is_stopped_and_killed_loses_nothing_and_doubles_nothing(crawl: Crawl, tmp_path: Path) -> None:
    with crawl.watch(SLOW) as process:  # stopped in the middle of an archive
        wait_for(crawl.output.exists)
        crawl.add("a.warc.gz", pages=16)
        wait_for(lambda: crawl.find_done("a.warc.gz"))
        error = stop(process)
        assert process.returncode == 0, error
    report = read_report(crawl.output)
    assert report["ranges"]["done_now"] == crawl.find_done("a.warc.gz")
    assert report["ranges"]["missing"] > 0

    with crawl.watch(SLOW) as process:  # killed in the middle of another
        crawl.add("b.warc.gz", pages=16)
        wait_for(lambda: crawl.find_done("b.warc.gz"))
        process.kill()
        process.wait()
    assert read_report(crawl.output)["ranges"]["done_now"] < len(list((crawl.output / "_manifests").iterdir()))

    with crawl.watch() as process:
        wait_for(lambda: crawl.count_rows() == 32)
        crawl.add("c.warc.gz")  # with a time of change before those of the others
        wait_for(lambda: crawl.count_rows() == 36)
        error = stop(process, signal.SIGINT)
        assert process.returncode == 0, error
    assert "Traceback" not in error
    report = read_report(crawl.output)
    assert report["ok"]
    assert report["archives"] == 3

    watched = crawl.read_rows()
    batch = Crawl.__new__(Crawl)
    batch.output = tmp_path / "batch"
    assert main(["--input", f"{crawl.inputs}/*", "--output", str(batch.output), RANGE]) == 0
    assert len({(warc, offset) for warc, offset, _ in watched}) == len(watched) == 36
    assert watched == batch.read_rows()
    assert not list(crawl.output.rglob("*.tmp"))


def test_a_file_is_taken_when_it_is_written(crawl: Crawl) -> None:
    pages = [make_page(number) for number in range(20)]
    whole = write_archive(crawl.output.parent / "whole.warc.gz", pages).read_bytes()
    with crawl.watch("--watch-settle=4") as process:
        crawl.add("a.warc.gz")
        temporary = crawl.inputs / "later.warc.gz.open"
        temporary.write_bytes(whole)
        os.utime(temporary, (1, 1))
        with (crawl.inputs / "b.warc.gz").open("wb", buffering=0) as file:
            file.write(whole[:-1000])
            wait_for(lambda: os.utime(file.name) or crawl.find_done("a.warc.gz"))  # as if it was written all the while
            assert crawl.find_done("b.warc.gz") == 0
            file.write(whole[-1000:])
        wait_for(lambda: crawl.count_rows() == 24)
        assert crawl.find_done("later.warc.gz") == 0
        temporary.rename(crawl.inputs / "later.warc.gz")
        wait_for(lambda: crawl.count_rows() == 44)
        error = stop(process)
        assert process.returncode == 0, error
    assert read_report(crawl.output)["failures"] == 0


def test_a_second_signal_ends_a_watch_at_once(crawl: Crawl) -> None:
    crawl.add("a.warc.gz", pages=100)
    with crawl.watch(SLOW, "--range-bytes=10000000") as process:  # one range, which takes five seconds
        wait_for(lambda: any((crawl.output / "pages").glob(".*")))
        os.killpg(process.pid, signal.SIGTERM)
        time.sleep(0.2)
        error = stop(process)
    assert process.returncode == 128 + signal.SIGTERM
    assert "give the same command again" in error.splitlines()[-1]
    assert crawl.find_done("a.warc.gz") == 0
