"""Bad rows of an index become failures with a manifest of their own, so that the reckoning holds them too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from schemas import failure_row
from transforms.manifests import FAILURES, shard_name, write_manifest
from transforms.pages import RangeEnd, RangeSpec, ReadFailure
from transforms.read_index import BadRow
from transforms.shards import count_nothing, failure_values, write_few
from transforms.stores import Store
from transforms.write_rows import describe_range

KIND = "index:BadRow"


def write_bad_rows(store: Store, index: str, rows: Iterable[BadRow]) -> tuple[RangeSpec, dict[str, Any]]:
    """Write an index's bad rows; gives the index as a range, and its manifest."""
    spec = RangeSpec(index, 0, 1, 0, -1, -1)
    failures = [failure_values(make_failure(row, spec)) for row in rows]
    path = f"{FAILURES}/{shard_name(spec)}.parquet"
    write_few(store, path, failure_row.COLUMNS, failures, {})
    counts = {
        **count_nothing(),
        "is_index": True,
        "failures_file": path,
        "failures": len(failures),
        "failure_kinds": {KIND: len(failures)},
    }
    manifest = describe_range(RangeEnd(spec, len(failures), 0, {}, len(failures)), {}, counts)
    write_manifest(store, spec, manifest)
    return spec, manifest


def make_failure(row: BadRow, spec: RangeSpec) -> ReadFailure:
    """Describe a bad row: no record is known for it, so what it names is told in words."""
    place = f"row {row.row}: " if row.row >= 0 else ""
    return ReadFailure(row.index, -1, -1, "", "index", "BadRow", f"{place}{row.message}", "", spec)
