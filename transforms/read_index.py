"""Rows of an index of archives (CDXJ, Common Crawl's columnar table, a plain list), streamed in batches.

Sources: pywb's CDXJ format and Common Crawl's use of it (a key, a timestamp, then JSON with filename, offset, length);
the schema of Common Crawl's cc-index-table. Which of them a file is, its first bytes tell.
"""

from __future__ import annotations

import csv
import io
import re
import zlib
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
    """The JSON of a CDXJ line, as far as it matters here; numbers come as strings too, a status as anything."""

    filename: str
    offset: int | str
    length: int | str = -1
    url: str = ""
    status: Any = ""
    mime: str = ""
    mime_detected: str = msgspec.field(default="", name="mime-detected")
    languages: str = ""


STATUS: Final = re.compile(r"[0-9]{3}")
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
    except (OSError, EOFError, zlib.error, pa.ArrowException) as error:
        raise IndexFileError(f"cannot read the index {url}: {' '.join(str(error).split())[:300]}") from error


def read_columnar(url: str, wanted: IndexFilter, options: ReadOptions) -> Iterator[IndexBatch | BadRow]:
    """Read a Parquet file with Common Crawl's columns; the filter is pushed down into the scan."""
    with SourceFile(url, options) as file:
        fragment = ds.ParquetFileFormat().make_fragment(pa.PythonFile(file, mode="r"))
        names = fragment.physical_schema.names
        if missing := [name for name in COLUMNS if name not in names]:
            raise IndexFileError(f"{url} is no columnar index: it has no column {missing[0]}")
        kind = fragment.physical_schema.types[names.index(COLUMNS[0])]
        if not _holds_text(kind):
            raise IndexFileError(f"{url} is no columnar index: its column {COLUMNS[0]} holds {kind}, not text")
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


def _holds_text(kind: pa.DataType) -> bool:
    """Tell whether a column may hold names: writers leave out that their bytes are text, or make a dictionary."""
    told = kind.value_type if pa.types.is_dictionary(kind) else kind
    types = pa.types
    return any(test(told) for test in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary))


def _split_table(url: str, batch: pa.RecordBatch) -> Iterator[IndexBatch | BadRow]:
    names = batch.column(0).dictionary_encode()
    raw = names.dictionary.cast(pa.large_binary()).to_pylist()
    warcs = [_decode_name(name) for name in raw]
    ids = names.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    places = [batch.column(index).cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) for index in (1, 2)]
    offsets, lengths = places
    is_known = np.array([*(warc is not None for warc in warcs), False])  # the last is for -1
    good = is_known[ids] & (offsets >= 0) & (offsets <= MAX_OFFSET) & (lengths != 0)
    for index in np.flatnonzero(~good):
        name = (raw[ids[index]] or b"").decode("utf-8", "replace") if ids[index] >= 0 else None
        values = [name, *(batch.column(column)[int(index)].as_py() for column in (1, 2))]
        yield BadRow(url, -1, "no record's place: " + ", ".join(map(str, zip(COLUMNS, values, strict=True))))
    numbers = np.cumsum(is_known) - 1
    known = [warc for warc in warcs if warc is not None]
    yield IndexBatch(known, numbers[ids[good]], offsets[good], np.maximum(lengths[good], -1))


def _decode_name(raw: bytes | None) -> str | None:
    try:
        return None if raw is None else read_name(raw.decode())
    except ValueError:
        return None


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
            except (ValueError, csv.Error, msgspec.MsgspecError, RecursionError) as error:  # the last: JSON too deep
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
        status=int(status) if STATUS.fullmatch(status) else None,
    ):
        return None
    length = -1 if fields.length in {"", "-"} else fields.length
    return read_name(fields.filename), read_place(fields.offset, "offset"), read_place(length, "length", least=-1)


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
    return (
        read_name(cells[0].strip()),
        read_place(cells[1].strip(), "offset"),
        read_place(length or -1, "length", least=-1),
    )


def read_name(name: str) -> str:
    """Give an archive's name as it is; raises ValueError for one that no file can have."""
    if not name.strip() or "\0" in name:
        message = "filename holds a NUL" if name.strip() else "filename is empty"
        raise ValueError(message)
    return name


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
