"""The columns of OUT/pages/*.parquet: one row a page. They are declared here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from schemas.columns import (
    BOOL,
    FLOAT,
    INT32,
    INT32_MAP,
    INT64,
    INT64_MAP,
    LARGE_STRING,
    STRING,
    STRINGS,
    TIMESTAMP,
    Column,
    choose_columns,
)

SCHEMA_VERSION: Final = 1

# Where the page lay and what the server said of it: filled from the WARC record.
RECORD_COLUMNS: Final = (
    Column("record_id", STRING, "WARC-Record-ID as written, angle brackets included."),
    Column("url", STRING, "The page's address (WARC-Target-URI)."),
    Column(
        "warc",
        STRING,
        "The archive the page came from: absolute path, or URL as given to --input (or named by its list).",
    ),
    Column("offset", INT64, "Where the record's gzip member (or plain record) begins in the archive, in bytes."),
    Column("length", INT64, "How many bytes of the archive the member or record takes; -1 when unknown."),
    Column("crawl_date", TIMESTAMP, "WARC-Date; null when the record bears none that can be read.", nullable=True),
    Column("http_status", INT32, "The HTTP status code, 200 to 299."),
    Column("content_type", STRING, "The HTTP Content-Type header's value; empty when absent."),
    Column("identified_type", STRING, "WARC-Identified-Payload-Type; empty when absent."),
    Column("digest", STRING, "WARC-Payload-Digest; empty when absent."),
    Column(
        "truncated",
        STRING,
        'WARC-Truncated, or "length" when the reader cut an oversized payload, "unspecified" when an encoded payload '
        "ended early; empty for a whole page.",
    ),
    Column("repairs", STRINGS, 'What had to be mended to read the payload, for example "chunked-invalid".'),
)

DECODING_COLUMNS: Final = (
    Column("charset", STRING, "The character encoding the bytes were decoded with, by its WHATWG name in lower case."),
    Column("charset_source", STRING, "How it was found: bom, header, meta, detected or default."),
)

METADATA_COLUMNS: Final = (
    Column("title", STRING, "The page's title, without the site's name where that could be told apart.", nullable=True),
    Column("author", STRING, "Who wrote it.", nullable=True),
    Column("date", STRING, "When it was published, as an ISO 8601 date.", nullable=True),
    Column("site_name", STRING, "The site's own name.", nullable=True),
    Column("description", STRING, "The page's own summary.", nullable=True),
    Column("categories", STRINGS, "The sections or categories the page names itself under."),
    Column("tags", STRINGS, "The keywords or tags the page gives itself."),
    Column("language", STRING, "The language the page declares (BCP 47), unchecked.", nullable=True),
    Column("canonical_url", STRING, "The address the page calls its own, resolved.", nullable=True),
    Column("image", STRING, "The lead image's address, resolved.", nullable=True),
    Column("license", STRING, "The licence the page declares: an address or a name.", nullable=True),
)

CONTENT_COLUMNS: Final = (
    Column(
        "text_language",
        STRING,
        "The language of the extracted text (ISO 639-1 where there is one), told from a sample of it by CLD2; null "
        "when there is too little text, or pycld2 is not installed.",
        nullable=True,
    ),
    Column("markdown", LARGE_STRING, "The main content as Markdown."),
    Column("text", LARGE_STRING, "The main content as plain text."),
    Column("html", LARGE_STRING, "The main content as cleaned HTML. Off by default.", default=False),
    Column("xml", LARGE_STRING, "Metadata and main content as XML (docs/formats.md). Off by default.", default=False),
    Column("xml_tei", LARGE_STRING, "Metadata and main content as a TEI P5 document. Off by default.", default=False),
    Column("tree", LARGE_STRING, "The main content as the typed node tree, JSON (schemas/node_tree.schema.json)."),
)

TYPE_COLUMNS: Final = (
    Column(
        "page_type",
        STRING,
        "What kind of page it is, told from its structure alone: article, documentation, forum, product, listing, "
        "collection, service, homepage or other (docs/page_types.md).",
    ),
    Column("page_type_features", STRINGS, "The features that led to the type, the weightiest first."),
)

STATISTICS_COLUMNS: Final = (
    Column("rung", STRING, "Which rung of the ladder of filters won."),
    Column("total_bytes", INT64, "Text of the whole document, in UTF-8 bytes."),
    Column("main_bytes", INT64, "Text inside marked main content, in UTF-8 bytes."),
    Column("selected_bytes", INT64, "Text that was selected, in UTF-8 bytes."),
    Column("link_bytes", INT64, "Text inside links, in UTF-8 bytes."),
    Column("search_discarded_bytes", INT64, "Text that vocabulary rules discarded, in UTF-8 bytes."),
    Column("density_discarded_bytes", INT64, "Text that the link-density rule discarded, in UTF-8 bytes."),
    Column("trimmed_bytes", INT64, "Text of trailing links and headings that were cut, in UTF-8 bytes."),
    Column("node_counts", INT32_MAP, "How many nodes of each type the tree holds."),
    Column("discards", INT64_MAP, "UTF-8 bytes of text that each rule discarded, by the rule's id."),
    Column(
        "markup_truncated",
        BOOL,
        "Whether the page was longer than the extractor's max_input_bytes, or had over a million tags, and was cut.",
    ),
    Column("ms", FLOAT, "How long extraction took, in milliseconds of wall time."),
)

# What the extraction child fills, in its answer's order.
EXTRACTED_COLUMNS: Final = DECODING_COLUMNS + METADATA_COLUMNS + CONTENT_COLUMNS + TYPE_COLUMNS + STATISTICS_COLUMNS
COLUMNS: Final = RECORD_COLUMNS + EXTRACTED_COLUMNS


def page_columns(names: Iterable[str] | None = None) -> tuple[Column, ...]:
    """Pick the columns of a page row: by default all but html, xml and xml_tei. Raises ValueError for unknown names."""
    return choose_columns(COLUMNS, names)
