"""The columns of OUT/failures/*.parquet: one row for each page, record or stretch of bytes that failed."""

from __future__ import annotations

from typing import Final

from schemas.columns import INT32, INT64, STRING, Column

COLUMNS: Final = (
    Column("url", STRING, "The page's address; empty when the record was not read that far."),
    Column("warc", STRING, "The archive: absolute path, or URL as given to --input (or named by its list)."),
    Column("offset", INT64, "Where the record, member or lost stretch begins in the archive, in bytes."),
    Column("length", INT64, "How many bytes of the archive it takes; -1 when unknown."),
    Column("record_id", STRING, "WARC-Record-ID as written; empty when the record was not read that far."),
    Column(
        "stage",
        STRING,
        "Where it failed: read (the store or the compressed file), record (WARC header, Content-Length), http (status "
        "line and headers), payload, extract, or index (a row of an index given by --cdx, which then stands as warc).",
    ),
    Column(
        "reason",
        STRING,
        "timeout, memory or crash: the page broke the limits of its extraction; exception: the extractor raised, which "
        "is a fault of Danubia; unreadable: the input is at fault.",
    ),
    Column("exception", STRING, "The exception's class."),
    Column("message", STRING, "The exception's message, one line."),
    Column("trace", STRING, "Where the extractor raised, innermost frames last; empty for other reasons."),
    Column("range_index", INT32, "Which of the archive's ranges it lay in, from 0."),
)
