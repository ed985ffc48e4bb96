"""How the engines' tests start the command, and compare what two runs left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.pipelines import runs
from tests.pipelines.runs import has_members, read_report
from tests.pipelines.slow_extractor import extract_slowly

ARCHIVES = 8
RECORDS, PAGES = 178 * ARCHIVES, 53 * ARCHIVES
SETTINGS = ["--range-bytes=40000", "--columns=+html,-ms"]  # ms is the time that a page took
SLOW = f"--extractor={extract_slowly.__module__}:extract_slowly"
STOP_SECONDS = 120
SECONDS = 600  # for what takes twenty seconds on a machine that has nothing else to do


def extract_command(crawl: Path, output: Path, *options: str) -> list[str]:
    command = [sys.executable, "-m", "pipelines.extract", "--input", str(crawl), "--output", str(output)]
    return [*command, *SETTINGS, *options]


def run_extract(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def start_command(command: Sequence[str], environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """Start a command; after the block neither it nor what it started is there."""
    with subprocess.Popen(
        command, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if has_members(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


def finish_command(process: subprocess.Popen[str], status: int = 0, seconds: float = SECONDS) -> str:
    """Wait until a command ends, and with it all that it started; gives what it said."""
    said, _ = process.communicate(timeout=seconds)
    assert process.returncode == status, said
    wait_for(lambda: not has_members(process.pid), 30)
    return said


def stop_command(process: subprocess.Popen[str], status: int) -> str:
    """Ask a command to end, as a supervisor does; gives what it said."""
    process.terminate()
    said = finish_command(process, status, STOP_SECONDS)
    assert "Traceback" not in said, said
    return said


def wait_for(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    runs.wait_for(condition, seconds)


class Feed:
    """A folder that archives are moved into, and the output of a watch over it."""

    def __init__(self, archives: Iterable[Path], folder: Path) -> None:
        self._archives = iter(archives)
        self.inputs = folder / "in"
        self.output = folder / "out"
        self.inputs.mkdir()

    def add(self, count: int) -> None:
        """Put the next archives here as a careful crawler does: written elsewhere, then moved."""
        for archive in islice(self._archives, count):
            written = Path(shutil.copy2(archive, self.inputs.parent / archive.name))
            written.rename(self.inputs / archive.name)

    def count_done(self) -> int:
        """Count the ranges that are done."""
        return len(list_done(self.output)) if self.output.exists() else 0


def list_done(output: Path) -> list[Path]:
    return sorted((output / "_manifests").glob("*.json"))


def read_manifests(output: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in list_done(output)]


def sorted_bytes(output: Path) -> bytes:
    """All rows with all their columns, by archive and offset, as bytes."""
    table = pq.read_table(output / "pages").sort_by([("warc", "ascending"), ("offset", "ascending")]).combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
    return bytes(sink.getvalue())


def find_records(output: Path) -> Counter[tuple[str, int]]:
    """How often each record of the crawl has a row."""
    table = pq.read_table(output / "pages", columns=["warc", "offset"])
    return Counter(zip(table["warc"].to_pylist(), table["offset"].to_pylist(), strict=True))


def check_equal(output: Path, expected: Path) -> None:
    """The same rows, none lost, none twice, and a reckoning that closes over every record."""
    records, due = find_records(output), find_records(expected)
    assert set(records) == set(due)
    assert set(records.values()) == {1}
    assert sorted_bytes(output) == sorted_bytes(expected)
    report = read_report(output)
    assert report["ok"]
    assert (report["records"], report["pages"], report["failures"]) == (RECORDS, PAGES, 0)
    assert report["ranges"]["missing"] == 0
    files = {path.name: path.read_bytes() for path in (output / "pages").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (expected / "pages").iterdir()}
    assert not list(output.rglob("*.tmp"))
