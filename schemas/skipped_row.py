"""The columns of OUT/skipped/*.parquet: one row for each HTML page on which the extractor found no content."""

from __future__ import annotations

from typing import Final

from schemas.columns import INT32, INT64, STRING, Column

COLUMNS: Final = (
    Column("url", STRING, "The page's address."),
    Column("warc", STRING, "The archive: absolute path, or URL as given to --input (or named by its list)."),
    Column("offset", INT64, "Where what holds the record begins in the archive, in bytes."),
    Column("length", INT64, "How many bytes of the archive that takes; -1 when unknown."),
    Column("record_id", STRING, "WARC-Record-ID as written."),
    Column(
        "reason",
        STRING,
        "Why there is no row, as the report counts it: page:empty (no markup), page:no-text (nothing to read outside "
        "scripts, styles and hidden parts), page:navigation-only (nothing but a few links).",
    ),
    Column("html_bytes", INT64, "The page's size without transfer and content codings, in bytes."),
    Column("range_index", INT32, "Which of the archive's ranges it lay in, from 0."),
)
