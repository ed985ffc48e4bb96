"""WriteRows: rows into one Parquet file a range, and its manifest when the range's reckoning closes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from danubia_core import __version__
from schemas.columns import Column
from schemas.page_row import SCHEMA_VERSION, page_columns
from transforms.counters import count_range
from transforms.manifests import part_name, shard_name, write_manifest
from transforms.pages import RangeEnd, RangeSpec
from transforms.parquet_files import ROW_GROUP_BYTES, ROW_GROUP_ROWS
from transforms.progress_marks import ProgressMarks
from transforms.rows import ExtractItem, Row, StoppedError
from transforms.shards import ReckoningError, Shard
from transforms.stores import Store


class WriteRows(beam.PTransform):
    """Write ExtractPages' stream below `output` (any fsspec URL); gives one manifest for each range that is done.

    A range's rows go to pages/<archive>-<range>.parquet, its failures to failures/…, and last its manifest to
    _manifests/…. Nothing of a range appears before its RangeEnd has come and its reckoning closes (else
    ReckoningError). `columns` are names of page columns, as given to ExtractPages. `config` goes into the files'
    key-value metadata. `progress` is a local folder for a progress bar's marks. `ends=False` takes a stream without
    range ends: each bundle makes one file, named by its first page, without a manifest.
    """

    def __init__(
        self,
        output: str,
        *,
        columns: Iterable[str] | None = None,
        row_group_bytes: int = ROW_GROUP_BYTES,
        row_group_rows: int = ROW_GROUP_ROWS,
        config: Mapping[str, Any] | None = None,
        ends: bool = True,
        progress: str = "",
    ) -> None:
        super().__init__()
        self._fn = WriteRowsFn(
            output,
            page_columns(columns),
            {"row_group_bytes": row_group_bytes, "row_group_rows": row_group_rows},
            file_metadata(config or {}),
            progress,
            ends=ends,
        )

    def expand(self, items: beam.PCollection) -> beam.PCollection:
        """Wire the DoFn."""
        return items | "Write" >> beam.ParDo(self._fn)


def file_metadata(config: Mapping[str, Any]) -> dict[str, str]:
    """Give the Parquet files' key-value metadata: versions and configuration."""
    return {
        "danubia.schema_version": str(SCHEMA_VERSION),
        "danubia.extractor_version": __version__,
        "danubia.options": json.dumps(dict(config), sort_keys=True),
    }


class WriteRowsFn(beam.DoFn):
    """Keeps the one shard that is open."""

    def __init__(
        self,
        output: str,
        columns: tuple[Column, ...],
        limits: dict[str, int],
        metadata: dict[str, str],
        progress: str,
        *,
        ends: bool,
    ) -> None:
        self._output = output
        self._columns = columns
        self._limits = limits
        self._metadata = metadata
        self._progress = progress
        self._ends = ends

    def setup(self) -> None:
        """Connect to the output."""
        self._store = Store(self._output)
        self._marks = ProgressMarks(self._progress)
        self._shard: Shard | None = None
        self._range: RangeSpec | None = None
        self._is_ended = False
        # Held while the shard is in use: a Parquet file that another thread closes under a write ends the process.
        self._using = threading.Lock()

    def start_bundle(self) -> None:
        """Drop what a failed bundle may have left."""
        with self._using:
            self._drop()

    def process(self, element: ExtractItem) -> Iterator[dict[str, Any]]:
        """Take one element; a RangeEnd finishes the shard and gives its manifest."""
        manifest = None
        with self._using:
            if not isinstance(element, RangeEnd):
                shard = self._open_shard(element.range, element.offset)
                shard.add(element)
                if isinstance(element, Row):
                    self._marks.mark(element.range, element.offset, shard.rows)
            elif self._ends:
                manifest = self._finish(self._open_shard(element.range, element.range.start), element)
        if manifest is not None:
            yield manifest

    def finish_bundle(self) -> Iterator[WindowedValue]:
        """Without range ends, finish the bundle's file; with them, nothing may be left open."""
        with self._using:
            shard = self._shard
            if shard is None:
                return
            if self._ends:
                spec = self._range
                self._drop()
                raise ReckoningError(f"no range end came for {spec}; WriteRows(ends=False) takes streams without them")
            counts = shard.commit()
            self._shard = None
        yield WindowedValue(counts, MIN_TIMESTAMP, (GlobalWindow(),))

    def teardown(self) -> None:
        """Drop what is open: its range is not done. May come from another thread, while a bundle is under way."""
        with self._using:
            self._is_ended = True
            self._drop()
            self._marks.clear()

    def _open_shard(self, spec: RangeSpec, offset: int) -> Shard:
        if self._is_ended:
            raise StoppedError("the runner ended the worker while a range was under way; it is done again")
        if self._shard is not None and (spec == self._range or not self._ends):
            return self._shard
        if self._shard is not None:
            other = self._range
            self._drop()
            raise ReckoningError(f"elements of {spec} came before the end of {other}")
        name = shard_name(spec) if self._ends else part_name(spec, offset)
        self._shard = Shard(self._store, name, self._columns, self._limits, self._metadata)
        self._range = spec
        return self._shard

    def _finish(self, shard: Shard, end: RangeEnd) -> dict[str, Any]:
        spec = end.range
        seen, due = (shard.pages, shard.read_failures), (end.pages, end.failures)
        if seen != due:
            self._drop()
            raise ReckoningError(f"{shard_name(spec)}: the reader counted {due} (pages, failures), the writer {seen}")
        counts = shard.commit()
        manifest = describe_range(end, shard.skips, counts)
        write_manifest(self._store, spec, manifest)
        self._shard = None
        self._marks.clear()
        count_range(manifest)
        return manifest

    def _drop(self) -> None:
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.abort()


def describe_range(end: RangeEnd, page_skips: Mapping[str, int], counts: Mapping[str, Any]) -> dict[str, Any]:
    """Give a range's manifest: what it covers, and the reckoning: records = rows + skips + failures."""
    spec = end.range
    return {
        "warc": spec.warc,
        "index": spec.index,
        "count": spec.count,
        "start": spec.start,
        "end": spec.end,
        "size": spec.size,
        "selection": spec.picks and spec.picks.selection,
        "records": end.records,
        "pages": end.pages,
        "whole": end.is_whole,
        "skips": dict(sorted({**end.skips, **page_skips}.items())),
        **counts,
    }
