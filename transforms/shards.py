"""A shard: the rows, skips and failures of one range on their way into Parquet files and a manifest's counts."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, Final

from schemas import failure_row, skipped_row
from schemas.columns import Column
from transforms.manifests import FAILURES, PAGES, SKIPPED
from transforms.pages import ReadFailure
from transforms.parquet_files import ParquetFile
from transforms.rows import PageFailure, Row, SkippedPage
from transforms.stores import Store

ROW_OVERHEAD_BYTES: Final = 400  # what the record's own columns add to an answer's size


class ReckoningError(RuntimeError):
    """A range's pages and its rows, skips and failures do not add up: elements were lost or mixed on their way."""


class Shard:
    """One range's rows, skips and failures while they come in."""

    def __init__(
        self, store: Store, name: str, columns: Iterable[Column], limits: dict[str, int], metadata: dict[str, str]
    ) -> None:
        self._store = store
        self._pages = f"{PAGES}/{name}.parquet"
        self._failures_path = f"{FAILURES}/{name}.parquet"
        self._skipped_path = f"{SKIPPED}/{name}.parquet"
        self._metadata = metadata
        self._stack = ExitStack()
        self._file = ParquetFile(columns, metadata, **limits)
        self._file.open(store, self._pages, self._stack)
        self._failures: list[dict[str, Any]] = []
        self._skipped: list[dict[str, Any]] = []
        self._began = time.time()
        self.skips: Counter[str] = Counter()
        self.rungs: Counter[str] = Counter()
        self.failure_kinds: Counter[str] = Counter()
        self.page_failures = self.read_failures = self.html_bytes = self.row_bytes = 0

    @property
    def rows(self) -> int:
        """How many rows have come."""
        return self._file.rows

    @property
    def pages(self) -> int:
        """How many pages have come, whatever became of them."""
        return self._file.rows + self.skips.total() + self.page_failures

    def add(self, item: Row | SkippedPage | PageFailure | ReadFailure) -> None:
        """Take one element."""
        if isinstance(item, Row):
            self._file.add(item.values, item.row_bytes + ROW_OVERHEAD_BYTES)
            self.rungs[item.rung] += 1
            self.html_bytes += item.html_bytes
            self.row_bytes += item.row_bytes
        elif isinstance(item, SkippedPage):
            self._skipped.append(skipped_values(item))
            self.skips[item.reason] += 1
            self.html_bytes += item.html_bytes
        else:
            self._failures.append(failure_values(item))
            self.failure_kinds[f"{item.stage}:{item.reason if isinstance(item, PageFailure) else item.error}"] += 1
            if isinstance(item, PageFailure):
                self.page_failures += 1
                self.html_bytes += item.html_bytes
            else:
                self.read_failures += 1

    def commit(self) -> dict[str, Any]:
        """Finish the files; gives the counts for the manifest."""
        self._file.flush()
        self._stack.close()
        write_few(self._store, self._failures_path, failure_row.COLUMNS, self._failures, self._metadata)
        write_few(self._store, self._skipped_path, skipped_row.COLUMNS, self._skipped, self._metadata)
        return {
            "pages_file": self._pages,
            "failures_file": self._failures_path if self._failures else None,
            "skipped_file": self._skipped_path if self._skipped else None,
            "rows": self.rows,
            "failures": len(self._failures),
            "rungs": dict(sorted(self.rungs.items())),
            "failure_kinds": dict(sorted(self.failure_kinds.items())),
            "html_bytes": self.html_bytes,
            "row_bytes": self.row_bytes,
            "parquet_bytes": self._store.size(self._pages),
            "began": self._began,
            "ended": time.time(),
            "process": os.getpid(),
        }

    def abort(self) -> None:
        """Drop everything; no file appears."""
        error = ReckoningError("the range was not finished")
        self._stack.__exit__(ReckoningError, error, None)


def count_nothing() -> dict[str, Any]:
    """Give the counts of a manifest without rows."""
    numbers = ("rows", "failures", "html_bytes", "row_bytes", "parquet_bytes")
    files = {"pages_file": None, "failures_file": None, "skipped_file": None}
    times = {"began": time.time(), "ended": time.time(), "process": os.getpid()}
    return {**files, **dict.fromkeys(numbers, 0), "rungs": {}, "failure_kinds": {}, **times}


def failure_values(failure: ReadFailure | PageFailure) -> dict[str, Any]:
    """Give a failure's row."""
    return {
        "url": failure.url,
        "warc": failure.warc,
        "offset": failure.offset,
        "length": failure.length,
        "record_id": failure.record_id,
        "stage": failure.stage,
        "reason": failure.reason if isinstance(failure, PageFailure) else "unreadable",
        "exception": failure.error,
        "message": failure.message,
        "trace": failure.trace if isinstance(failure, PageFailure) else "",
        "range_index": failure.range.index,
    }


def skipped_values(skipped: SkippedPage) -> dict[str, Any]:
    """Give a skipped page's row."""
    return {
        "url": skipped.url,
        "warc": skipped.range.warc,
        "offset": skipped.offset,
        "length": skipped.length,
        "record_id": skipped.record_id,
        "reason": skipped.reason,
        "html_bytes": skipped.html_bytes,
        "range_index": skipped.range.index,
    }


def write_few(
    store: Store, path: str, columns: Iterable[Column], rows: list[dict[str, Any]], metadata: Mapping[str, str]
) -> None:
    """Write what a range seldom has; with no rows there is no file, nor one left from an earlier attempt."""
    if not rows:
        store.remove(path)
        return
    file = ParquetFile(columns, metadata)
    with ExitStack() as stack:
        file.open(store, path, stack)
        for row in rows:
            file.add(row, sum(len(value) for value in row.values() if isinstance(value, str)))
        file.flush()
