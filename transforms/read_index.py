"""Rows of an index of archives (CDXJ, Common Crawl's columnar table, a plain list), streamed in batches.

Sources: pywb's CDXJ format and Common Crawl's use of it (a key, a timestamp, then JSON with filename, offset, length);
the schema of Common Crawl's cc-index-table. Which of them a file is, its first bytes tell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from transforms.index_filters import FilterError, IndexFilter, build_expression
from transforms.read_options import ReadOptions
from transforms.source_files import SourceFile, open_lines

BATCH_ROWS: Final = 65_536
MAX_LINE_BYTES: Final = 1 << 20
MAX_OFFSET: Final = 1 << 53
PARQUET_MAGIC: Final = b"PAR1"
COLUMNS: Final = ("warc_filename", "warc_record_offset", "warc_record_length")
OFFSET_HEADINGS: Final = frozenset({"offset", COLUMNS[1]})  # of a list's second column


class IndexFileError(ValueError):
    """An index that cannot be read; the message, one line, names it."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row of an index that names no record; `row` is its line (from 1), -1 in a columnar index."""

    index: str
    row: int
    message: str


@dataclass(slots=True)
class IndexBatch:
    """Some rows: for each, which of `warcs` it names, and the record's offset and length there (-1: not told)."""

    warcs: list[str]
    ids: Any
    offsets: Any
    lengths: Any


class CdxFields(msgspec.Struct):
    """The JSON of a CDXJ line, as far as it matters here; numbers come as strings too."""

    filename: str
    offset: int | str
    length: int | str = -1
    url: str = ""
    status: int | str = ""
    mime: str = ""
    mime_detected: str = msgspec.field(default="", name="mime-detected")
    languages: str = ""


DECODER: Final = msgspec.json.Decoder(CdxFields)


def read_index(url: str, wanted: IndexFilter, options: ReadOptions) -> Iterator[IndexBatch | BadRow]:
    """Yield an index's wanted rows in batches, and its bad rows; one batch is held at a time.

    Raises IndexFileError for a file that cannot be read or is no index, and FilterError for a filter that it cannot
    serve.
    """
    try:
        with SourceFile(url, options) as file:
            is_parquet = file.read(4) == PARQUET_MAGIC
        yield from (read_columnar if is_parquet else read_lines)(url, wanted, options)
    except (OSError, EOFError, pa.ArrowException) as error:
        raise IndexFileError(f"cannot read the index {url}: {' '.join(str(error).split())[:300]}") from error


def read_columnar(url: str, wanted: IndexFilter, options: ReadOptions) -> Iterator[IndexBatch | BadRow]:
    """Read a Parquet file with Common Crawl's columns; the filter is pushed down into the scan."""
    with SourceFile(url, options) as file:
        fragment = ds.ParquetFileFormat().make_fragment(pa.PythonFile(file, mode="r"))
        names = fragment.physical_schema.names
        if missing := [name for name in COLUMNS if name not in names]:
            raise IndexFileError(f"{url} is no columnar index: it has no column {missing[0]}")
        try:
            expression = build_expression(wanted, names)
        except FilterError as error:
            raise FilterError(f"{url}: {error}") from None
        scan = fragment.scanner(
            columns=list(COLUMNS), filter=expression, batch_size=BATCH_ROWS, batch_readahead=2, use_threads=False
        )
        for batch in scan.to_batches():
            if batch.num_rows:
                yield from _split_table(url, batch)


def _split_table(url: str, batch: pa.RecordBatch) -> Iterator[IndexBatch | BadRow]:
    names = batch.column(0).dictionary_encode()
    ids = names.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    places = [batch.column(index).cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) for index in (1, 2)]
    offsets, lengths = places
    good = (ids >= 0) & (offsets >= 0) & (offsets <= MAX_OFFSET) & (lengths != 0)
    for index in np.flatnonzero(~good):
        values = [batch.column(column)[int(index)].as_py() for column in range(3)]
        yield BadRow(url, -1, "no record's place: " + ", ".join(map(str, zip(COLUMNS, values, strict=True))))
    yield IndexBatch(names.dictionary.to_pylist(), ids[good], offsets[good], np.maximum(lengths[good], -1))


@dataclass(slots=True)
class Rows:
    """Rows on their way into a batch."""

    warcs: dict[str, int] = field(default_factory=dict)
    ids: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, warc: str, offset: int, length: int) -> None:
        """Take one row."""
        self.ids.append(self.warcs.setdefault(warc, len(self.warcs)))
        self.offsets.append(offset)
        self.lengths.append(length)

    def take(self) -> IndexBatch:
        """Give the rows, and begin anew."""
        numbers = [np.array(column, dtype=np.int64) for column in (self.ids, self.offsets, self.lengths)]
        batch = IndexBatch(list(self.warcs), *numbers)
        self.warcs = {}
        self.ids, self.offsets, self.lengths = [], [], []
        return batch


def read_lines(url: str, wanted: IndexFilter, options: ReadOptions) -> Iterator[IndexBatch | BadRow]:
    """Read CDXJ, or a list of `warc,offset,length`; gzip of one or many members is undone."""
    rows = Rows()
    with open_lines(url, options) as file:
        for number, line in enumerate(_split_lines(file), 1):
            try:
                row = _parse_line(line, wanted, is_first=number == 1)
            except FilterError as error:
                raise FilterError(f"{url}: {error}") from None
            except (ValueError, csv.Error, msgspec.MsgspecError) as error:
                yield BadRow(url, number, f"{' '.join(str(error).split())[:200]}: {_show(line)}")
                continue
            if row is not None:
                rows.add(*row)
                if len(rows.ids) >= BATCH_ROWS:
                    yield rows.take()
    if rows.ids:
        yield rows.take()


def _split_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield lines, each cut at 1 MiB: a file that is no text has no line ends."""
    while line := file.readline(MAX_LINE_BYTES):
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
        yield line


def _parse_line(line: bytes, wanted: IndexFilter, *, is_first: bool) -> tuple[str, int, int] | None:
    """Give a line's place, or None for one that is not wanted, empty or a heading; raises ValueError."""
    start = line.find(b"{")
    if start < 0:
        return _parse_listed(line, wanted, is_first=is_first)
    if line.startswith(b"!meta"):
        return None
    fields = DECODER.decode(line[start:])
    status = str(fields.status)
    if not wanted.is_wanted(
        languages=fields.languages,
        url=fields.url,
        mime=fields.mime_detected or fields.mime,
        status=int(status) if status.isdigit() else None,
    ):
        return None
    if not fields.filename.strip():
        message = "filename is empty"
        raise ValueError(message)
    length = -1 if fields.length in {"", "-"} else fields.length
    return fields.filename, read_place(fields.offset, "offset"), read_place(length, "length", least=-1)


def _parse_listed(line: bytes, wanted: IndexFilter, *, is_first: bool) -> tuple[str, int, int] | None:
    text = line.decode("utf-8-sig" if is_first else "utf-8").strip()
    if not text or text.startswith(("#", "!meta")):
        return None
    if is_first and text.startswith("CDX "):
        message = "CDX with fields by letter is not read; give CDXJ (cdxj-indexer makes it from archives)"
        raise ValueError(message)
    cells = next(csv.reader(io.StringIO(text)))
    if is_first and len(cells) in {2, 3} and cells[1].strip().lower() in OFFSET_HEADINGS:
        return None
    if len(cells) not in {2, 3} or not cells[0].strip():
        message = "neither CDXJ nor warc,offset,length"
        raise ValueError(message)
    if wanted != IndexFilter():
        message = "a plain list tells only warc,offset,length, so it cannot be filtered"
        raise FilterError(message)
    length = cells[2].strip() if len(cells) == 3 else ""
    return cells[0].strip(), read_place(cells[1].strip(), "offset"), read_place(length or -1, "length", least=-1)


def read_place(value: int | str, name: str, *, least: int = 0) -> int:
    """Read an offset or length, by which nothing lies beyond 2^53; raises ValueError.

    >>> read_place("17", "offset"), read_place(-1, "length", least=-1)
    (17, -1)
    """
    text = str(value)
    number = int(text) if text.isascii() and text.removeprefix("-").isdigit() else None
    if number is None or not least <= number <= MAX_OFFSET or (name == "length" and number == 0):
        message = f"{name} is {text[:40]!r}"
        raise ValueError(message)
    return number


def _show(line: bytes) -> str:
    return repr(line[:120].decode("utf-8", "replace").strip())
