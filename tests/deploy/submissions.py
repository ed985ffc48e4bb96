"""How the tests submit jobs to the stand-ins, ask them to end, and read what they left in the store."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq

from tests.deploy.fake_dataflow import FakeDataflow
from tests.deploy.launching import submission

PAGES = 12
RANGE = "--range-bytes=3000"


def command(jobs: FakeDataflow, folder: Path, output: str, *more: str, **settings: str) -> list[str]:
    """Give what `launch.sh submit` gives the command, with the stand-in's address."""
    words = ["--input=gs://mills/in/*.warc.gz", f"--output=gs://mills/{output}", RANGE]
    return submission(folder, *words, f"--dataflow_endpoint={jobs.endpoint}", *more, **settings)


def list_files(folder: str) -> set[str]:
    store, path = fsspec.core.url_to_fs(folder)
    store.invalidate_cache()
    return {name.rpartition("/")[2] for name in store.find(path)}


def upload(path: Path, url: str) -> None:
    fsspec.open(url).fs.put_file(str(path), url)


def fetch_rows(url: str, folder: Path) -> list[dict[str, Any]]:
    store, path = fsspec.core.url_to_fs(url)
    store.invalidate_cache()
    store.get(f"{path}/pages", str(folder), recursive=True)
    return sort_rows(folder)


def sort_rows(folder: Path) -> list[dict[str, Any]]:
    rows = pq.read_table(folder).to_pylist()
    told = [{name: value for name, value in row.items() if name not in ("ms", "warc")} for row in rows]
    return sorted(told, key=lambda row: int(row["offset"]))


def ask_to_end(jobs: FakeDataflow, *, in_submission: bool = False) -> None:
    """Send this process, which is the command's, a signal, once it knows that its job was taken."""
    assert in_submission or jobs.seen.wait(60)
    os.kill(os.getpid(), signal.SIGTERM)
