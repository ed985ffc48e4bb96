"""WARC and ARC records in a stream of bytes: read in order, each proven by what follows it, found again after a fault.

A WARC stored inside a record looks like records too. Where the reader has to find its way again it believes a record
only if exactly CR LF CR LF and then another record, or the end, follow it; after the last record of a stored WARC
come that record's own newlines and then those of the record around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from transforms.record_headers import (
    ARC_START,
    RECORD_START,
    LengthError,
    RecordError,
    describe_start,
    parse_arc_header,
    parse_warc_header,
    read_length,
)
from transforms.record_stream import CHUNK_ERRORS, RecordStream

MAX_HEADER_BYTES = 1 << 20
PROOF_BYTES = 16 << 20
SEPARATOR = b"\r\n\r\n"


@dataclass(slots=True)
class Record:
    """One record: `headers` by lower-case name, `block` (HTTP headers and payload, kept up to a limit), where it lay.

    `offset` and `length` are bytes of the stream, header to block's end. `cut` tells that the block was longer than
    kept.
    """

    offset: int
    length: int
    headers: dict[str, str]
    block: bytes | memoryview = b""
    cut: bool = False


@dataclass(slots=True)
class BrokenRecord:
    """A record that could not be read, with all up to the next one that could; `headers` as far as known."""

    offset: int
    length: int
    error: Exception
    headers: dict[str, str] = field(default_factory=dict)


def walk_records(
    stream: RecordStream, max_record_bytes: int, *, proven: bool = True
) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a stream in order, each once what follows it proves its length.

    After a fault, one BrokenRecord covers everything up to the next record that can be believed. A damaged member or
    a store that fails ends the stream with a BrokenRecord that carries the error. `proven` False: the stream begins
    anywhere, and the first believable record is looked for.
    """
    start, headers = stream.offset, dict[str, str]()
    try:
        if not proven:
            _seek_record(stream, stream.offset, exact_end=False)
        while stream.skip_newlines():
            stream.drop_consumed()
            start, headers = stream.offset, {}
            yield _read_or_pass(stream, headers, max_record_bytes)
            start, headers = stream.offset, {}
    except CHUNK_ERRORS as error:
        yield BrokenRecord(start, max(0, stream.end - start), error, headers or _read_remains(stream, start))


def read_one_record(stream: RecordStream, max_record_bytes: int) -> Record | BrokenRecord:
    """Read the one record that begins here; a BrokenRecord (length -1) carries what is wrong with it."""
    start, headers = stream.offset, dict[str, str]()
    try:
        return _read_record(stream, headers, max_record_bytes)
    except (RecordError, *CHUNK_ERRORS) as error:
        return BrokenRecord(start, -1, error, headers)


def _read_remains(stream: RecordStream, start: int) -> dict[str, str]:
    """Give the whole lines of a header that breaks off, so that the failure can name its page."""
    remains = stream.slice(start, stream.end).rpartition(b"\n")[0]
    return parse_warc_header(remains) if RECORD_START.match(remains + b"\n") else {}


def _read_or_pass(stream: RecordStream, headers: dict[str, str], max_record_bytes: int) -> Record | BrokenRecord:
    """Read the record here, or pass to the next believable one."""
    start = stream.offset
    try:
        return _read_record(stream, headers, max_record_bytes)
    except RecordError as error:
        beyond_end = isinstance(error, LengthError) and error.beyond_end
        _seek_record(stream, max(start + 1, stream.base), exact_end=beyond_end)
        return BrokenRecord(start, stream.offset - start, error, headers)


def _read_record(stream: RecordStream, headers: dict[str, str], max_record_bytes: int) -> Record:
    start = stream.offset
    body = _read_header(stream, start, headers)
    length = read_length(headers)
    end = body + length
    kept = min(length, max_record_bytes)
    if stream.is_beyond(end) or not stream.ensure(body + kept):
        raise _too_long(stream, length, body)
    block = stream.view(body, body + kept)
    if not stream.move_to(end):
        raise _too_long(stream, length, body)
    is_separated = stream.peek_at(end, 4) == SEPARATOR
    if stream.skip_newlines() and not is_separated and not _is_start(stream):
        goes_on = describe_start(stream.peek_at(stream.offset, 80))
        message = f"Content-Length {length} is wrong: after that comes {goes_on}"
        raise LengthError(message)
    return Record(start, end - start, headers, block, cut=kept < length)


def _too_long(stream: RecordStream, length: int, body: int) -> LengthError:
    found = stream.count_after(body)
    error = LengthError(f"Content-Length {length}, but only {found} bytes follow: cut short, or the length is wrong")
    error.beyond_end = True
    return error


def _is_start(stream: RecordStream) -> bool:
    if stream.peek_at(stream.offset, 5) == b"WARC/":
        return True
    return stream.is_arc and ARC_START.match(stream.peek_at(stream.offset, 8192)) is not None


def _read_header(stream: RecordStream, start: int, headers: dict[str, str]) -> int:
    """Fill `headers` from the header at `start`; returns the block's offset, raises RecordError."""
    first = stream.peek_at(start, 5)
    if first != b"WARC/":
        head = stream.peek_at(start, 8192)
        match = ARC_START.match(head)
        if match is None:
            message = f"not a WARC record: starts with {describe_start(head)}"
            raise RecordError(message)
        stream.is_arc = True
        headers.update(parse_arc_header(match))
        return start + match.end()
    end = _find_header_end(stream, start)
    head = stream.slice(start, end)
    if RECORD_START.match(head) is None:
        message = f"not a WARC version line: {describe_start(head)}"
        raise RecordError(message)
    headers.update(parse_warc_header(head))
    return end


def _find_header_end(stream: RecordStream, start: int) -> int:
    """Offset after the empty line; lines end in CR LF, or in LF alone as some writers have it."""
    searched = start
    while True:
        end = stream.find_after(SEPARATOR, searched)
        bare = stream.find_after(b"\n\n", searched, end if end >= 0 else stream.end)
        if end >= 0 or bare >= 0:
            return bare if bare >= 0 else end
        searched = max(start, stream.end - 3)
        if stream.end - start > MAX_HEADER_BYTES:
            message = f"the record header does not end within {MAX_HEADER_BYTES} bytes"
            raise RecordError(message)
        if not stream.ensure(stream.end + 1):
            message = "the file or member ends inside a record header"
            raise RecordError(message)


def _seek_record(stream: RecordStream, offset: int, *, exact_end: bool) -> bool:
    """Move to the first believable record from `offset` on, or to the end of the stream; True if there is one.

    `exact_end`: the faulty record claims to reach beyond the end. Either the stream was cut inside it, and records
    found there belong to a WARC that it stores, cut with it; or its length is wrong, and the records found lead
    exactly to the end.
    """
    while True:
        match = stream.search(RECORD_START, offset)
        if match < 0:
            offset = max(offset, stream.end - 32)
            stream.move_to(offset)
            stream.drop_consumed()
            if not stream.ensure(stream.end + 1):
                stream.move_to(stream.end)
                return False
        elif _leads_on(stream, match, exact_end=exact_end):
            stream.move_to(match)
            return True
        else:
            offset = match + 1


def _leads_on(stream: RecordStream, start: int, *, exact_end: bool) -> bool:
    """Tell whether the record at `start` can be believed: it and those after it follow each other exactly."""
    place = start
    while place - start <= PROOF_BYTES:
        try:
            headers = dict[str, str]()
            body = _read_header(stream, place, headers)
            end = body + read_length(headers)
        except RecordError:
            return place > start and not exact_end
        if stream.is_beyond(end) or end - start > 4 * PROOF_BYTES or not stream.ensure(end):
            return not exact_end and "warc-type" in headers
        after = stream.peek_at(end, 9)
        if after == SEPARATOR:
            return True
        if after != SEPARATOR + b"WARC/":
            # More newlines than two lines' worth are the end of a stored WARC. Anything else is a second fault.
            is_separated = after.startswith(SEPARATOR)
            is_stored = is_separated and after[4:5] in b"\r\n"
            return not exact_end and not is_stored and (is_separated or place > start)
        place = end + 4
    return True
