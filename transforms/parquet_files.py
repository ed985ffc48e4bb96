"""Rows as dicts into a Parquet file of declared columns, in row groups bounded by bytes and by rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.arrow import arrow_schema
from schemas.columns import LARGE_STRING, Column
from transforms.stores import Store

ROW_GROUP_BYTES: Final = 48_000_000  # of values, uncompressed; a group never passes 64 MB
ROW_GROUP_ROWS: Final = 10_000
ZSTD_LEVEL: Final = 3


class ParquetFile:
    """One Parquet file under way; at most one row group of it is in memory."""

    def __init__(
        self,
        columns: Iterable[Column],
        metadata: Mapping[str, str],
        *,
        row_group_bytes: int = ROW_GROUP_BYTES,
        row_group_rows: int = ROW_GROUP_ROWS,
    ) -> None:
        self._columns = tuple(columns)
        self._schema = arrow_schema(self._columns, metadata)
        self._limits = row_group_bytes, row_group_rows
        self._buffer: list[list[Any]] = [[] for _ in self._columns]
        self._bytes = 0
        self._writer: pq.ParquetWriter | None = None
        self.rows = 0

    def open(self, store: Store, path: str, stack: ExitStack) -> None:
        """Begin the file; it takes its name when `stack` closes without an error."""
        # Long text has neither repeated values nor bounds worth keeping: dictionaries and statistics only cost time.
        short = [column.name for column in self._columns if column.type != LARGE_STRING]
        self._writer = stack.enter_context(
            pq.ParquetWriter(
                stack.enter_context(store.create(path)),
                self._schema,
                compression="zstd",
                compression_level=ZSTD_LEVEL,
                use_dictionary=[name for name in short if "map" not in str(self._schema.field(name).type)],
                write_statistics=short,
            )
        )

    def add(self, values: Mapping[str, Any], row_bytes: int) -> None:
        """Buffer one row; the group is written first when it would pass its bounds. KeyError: a column lacks."""
        most_bytes, most_rows = self._limits
        held = len(self._buffer[0])
        if held and (self._bytes + row_bytes > most_bytes or held >= most_rows):
            self.flush()
        for column, held_values in zip(self._columns, self._buffer, strict=True):
            held_values.append(values[column.name])
        self._bytes += row_bytes
        self.rows += 1

    def flush(self) -> None:
        """Write what is buffered as one row group."""
        if self._writer is None or not self._buffer[0]:
            return
        arrays = []
        for index, field in enumerate(self._schema):
            arrays.append(to_array(self._buffer[index], field.type))
            self._buffer[index] = []  # freed one by one: text and Arrow copy of all columns would be held at once
        table = pa.Table.from_arrays(arrays, schema=self._schema)
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        self._bytes = 0


def to_array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Build one column. Dicts serve as maps; text that UTF-8 cannot hold (lone surrogates) has them replaced.

    >>> to_array(["a", chr(0xD800)], pa.string()).to_pylist()
    ['a', '?']
    """
    if pa.types.is_map(kind):
        values = [None if value is None else sorted(value.items()) for value in values]
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([value and value.encode("utf-8", "replace").decode() for value in values], kind)
