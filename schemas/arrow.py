"""Arrow schemas from declared columns: types, nullability, descriptions and key-value metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import pyarrow as pa

from schemas import columns
from schemas.columns import Column

ARROW_TYPES: Final[Mapping[str, pa.DataType]] = {
    columns.STRING: pa.string(),
    columns.LARGE_STRING: pa.large_string(),
    columns.INT32: pa.int32(),
    columns.INT64: pa.int64(),
    columns.FLOAT: pa.float32(),
    columns.BOOL: pa.bool_(),
    columns.TIMESTAMP: pa.timestamp("us", tz="UTC"),
    columns.STRINGS: pa.list_(pa.field("element", pa.string(), nullable=False)),
    columns.INT32_MAP: pa.map_(pa.string(), pa.field("value", pa.int32(), nullable=False)),
    columns.INT64_MAP: pa.map_(pa.string(), pa.field("value", pa.int64(), nullable=False)),
}


def arrow_schema(table: Iterable[Column], metadata: Mapping[str, str] | None = None) -> pa.Schema:
    """Build the Arrow schema of these columns; each field bears its description, the schema `metadata`."""
    fields = [
        pa.field(
            column.name,
            ARROW_TYPES[column.type],
            nullable=column.nullable,
            metadata={"description": column.description},
        )
        for column in table
    ]
    return pa.schema(fields, metadata=dict(metadata or {}))
