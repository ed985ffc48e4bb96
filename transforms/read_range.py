"""Read one range of one archive: pages and failures in order, and last the range's reckoning.

A range owns the records that start in it, so any split of a file gives each record exactly once:

- .warc.gz: a record starts where its gzip member does. The members before the range are walked from a proven one, see
  warc_members. A single member with many records (a whole file compressed at once) belongs to the range it starts in.
- .warc: records follow each other by Content-Length, proven from the file's beginning where that is near (a local
  file, or within the lookback), else from `plain_lookback_bytes` before the range.
- .warc.zst: as .warc.gz, by zstd frames, with the file's dictionary; see warc_frames.
- ARC, plain or compressed, is not split: its first range reads all of it, further ones nothing.

A range with picks reads the records that an index names, and nothing else: see read_picks.

A file that is none of these is one failure that says how it begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from transforms.pages import Page, RangeEnd, RangeSpec, ReadFailure, ReadItem
from transforms.read_options import ReadOptions
from transforms.read_picks import find_picks
from transforms.record_headers import ARC_START, RecordError, describe_start
from transforms.record_stream import RecordStream
from transforms.retries import StoreError
from transforms.select_pages import make_failure, select_page
from transforms.sources import BlockCursor, ByteSource, is_local
from transforms.warc_frames import DICTIONARY_MAGIC, FRAME_MAGIC, DictionaryError, load_packing
from transforms.warc_members import (
    GZIP,
    MAGIC,
    MemberError,
    Packing,
    ReadableMember,
    find_end_of_damage,
    find_next_member,
    find_proven_start,
    read_member_head,
)
from transforms.warc_records import BrokenRecord, Record, walk_records

MAX_REASONS = 500
FAR_AWAY = 1 << 62


Outcome = Page | ReadFailure | str


class NotAnArchiveError(Exception):
    """A file, or bytes between two members, that are no WARC or ARC."""


def read_range(spec: RangeSpec, options: ReadOptions | None = None) -> Iterator[ReadItem]:
    """Yield the pages and failures of a range in file order, and last one RangeEnd whose reckoning closes.

    Raises nothing for bad input: a missing or unreadable file, a store that fails in the middle and every kind of
    damage become a ReadFailure.
    """
    options = options or ReadOptions()
    source = ByteSource(spec.warc, options, spec.size)
    tally = Tally(spec)
    read = _read_items if spec.picks is None else _read_picks
    try:
        for item in read(source, spec, options):
            tally.add(item)
            if not isinstance(item, str):
                yield item
    except StoreError as error:
        failure = make_failure({}, spec, (error.offset, -1), "read", error, error.error)
        tally.break_off(error)
        tally.add(failure)
        yield failure
    finally:
        source.close()
    yield tally.close()


class Tally:
    """Counts a range's records: pages, failures, and skips by reason."""

    def __init__(self, spec: RangeSpec) -> None:
        """Begin at nothing."""
        self._spec = spec
        self._skips: Counter[str] = Counter()
        self._pages = self._failures = 0
        self._is_whole = True

    def add(self, item: Outcome) -> None:
        """Count one record. Beyond 500 reasons, new ones count as not-html:other."""
        if isinstance(item, Page):
            self._pages += 1
        elif isinstance(item, ReadFailure):
            self._failures += 1
        else:
            self._skips[item if item in self._skips or len(self._skips) < MAX_REASONS else "not-html:other"] += 1

    def break_off(self, error: StoreError) -> None:
        """Say that the store failed. A file that cannot be opened for good is not unfinished, but a failure."""
        self._is_whole = not error.may_pass and not self._pages and not self._skips

    def close(self) -> RangeEnd:
        """Give the reckoning."""
        records = self._pages + self._failures + self._skips.total()
        return RangeEnd(self._spec, records, self._pages, dict(self._skips), self._failures, self._is_whole)


def _read_items(source: ByteSource, spec: RangeSpec, options: ReadOptions) -> Iterator[Outcome]:
    """Choose how to read by how the file begins."""
    cursor = BlockCursor(source, options.block_bytes if spec.index == 0 else 1 << 14)
    try:
        form, packing = tell_format(cursor)
        if form == "empty":
            message = "the file is empty"
            raise NotAnArchiveError(message)
    except (NotAnArchiveError, DictionaryError) as error:
        if spec.index == 0:
            yield make_failure({}, spec, (0, max(0, spec.size)), "read", error)
        return
    start, end = spec.start, spec.end if spec.index < spec.count - 1 else FAR_AWAY
    if form == "arc":
        if spec.index > 0:
            return
        start, end = 0, FAR_AWAY
    if spec.index > 0:
        cursor = BlockCursor(source, options.block_bytes)
    if packing is not None:
        yield from _read_compressed(cursor, spec, start, end, options, packing)
    else:
        yield from _read_plain(cursor, spec, start, end, options)


def _read_picks(source: ByteSource, spec: RangeSpec, options: ReadOptions) -> Iterator[Outcome]:
    """Read the records that an index picks."""
    if spec.picks is not None:
        for record, place in find_picks(source, spec.picks, options):
            yield _make_outcome(record, spec, place, options)


def tell_format(cursor: BlockCursor) -> tuple[str, Packing | None]:
    """Tell what a file is, "empty", "warc" or "arc", and how it is packed (None: not at all), by how it begins.

    What cannot be told is taken for what the name says. Raises DictionaryError.
    """
    cursor.position = 0
    head = cursor.peek(8192)
    if not head:
        return "empty", None
    packing: Packing | None = None
    if head.startswith((FRAME_MAGIC, DICTIONARY_MAGIC)):
        packing = load_packing(cursor)
    elif head.startswith(MAGIC) or (cursor.url.lower().endswith(".gz") and not head.startswith(b"WARC/")):
        packing = GZIP
    if packing is not None:
        cursor.position = 0
        packing.skip_padding(cursor)
        if packing.is_start(cursor, cursor.position):
            head = read_member_head(cursor, cursor.position, packing)
    cursor.position = 0
    return "arc" if ARC_START.match(head) else "warc", packing


def _read_compressed(
    cursor: BlockCursor, spec: RangeSpec, start: int, end: int, options: ReadOptions, packing: Packing
) -> Iterator[Outcome]:
    cursor.position = find_proven_start(cursor, start, options.lookback_bytes, packing)
    while True:
        packing.skip_padding(cursor)
        offset = cursor.position
        if offset >= end or not cursor.window(1):
            return
        if packing.is_start(cursor, offset):
            outcomes = _read_member(cursor, spec, options, packing, is_owned=offset >= start)
        else:
            outcomes = _pass_foreign(cursor, spec, packing)
        for outcome in outcomes:
            if offset >= start:
                yield outcome


def _pass_foreign(cursor: BlockCursor, spec: RangeSpec, packing: Packing) -> Iterator[Outcome]:
    """Move over bytes that are no gzip member, to the next one."""
    offset = cursor.position
    due = "gzip member" if packing is GZIP else "zstd frame"
    error = NotAnArchiveError(f"not a WARC: no {due}, starts with {describe_start(cursor.peek(80))}")
    cursor.position = find_next_member(cursor, offset + 1, packing)
    yield make_failure({}, spec, (offset, cursor.position - offset), "read", error)


def _read_member(
    cursor: BlockCursor, spec: RangeSpec, options: ReadOptions, packing: Packing, *, is_owned: bool
) -> Iterator[Outcome]:
    """Read the records of the member at the cursor and move past it, or past its damage."""
    member = packing.open_member(cursor)
    stream = RecordStream(member.chunks())
    records = walk_records(stream, options.max_record_bytes) if is_owned else _pass_member(member)
    for index, record in enumerate(records):
        is_broken = isinstance(record, BrokenRecord)
        if is_broken and member.failure is not None:
            cursor.position = find_end_of_damage(cursor, member, packing)
            place = (member.offset, cursor.position - member.offset)
        else:
            is_alone = index == 0 and stream.ended
            place = (member.offset, cursor.position - member.offset if is_alone else -1)
        yield _make_outcome(record, spec, place, options)


def _pass_member(member: ReadableMember) -> Iterator[BrokenRecord]:
    """Inflate a member that belongs to an earlier range, only to prove where it ends."""
    try:
        member.drain()
    except MemberError as error:
        yield BrokenRecord(member.offset, -1, error)


def _read_plain(cursor: BlockCursor, spec: RangeSpec, start: int, end: int, options: ReadOptions) -> Iterator[Outcome]:
    is_near = is_local(spec.warc) or start <= options.plain_lookback_bytes
    cursor.position = begin = 0 if is_near else start - options.plain_lookback_bytes
    stream = RecordStream(cursor.blocks(), begin, spec.size)
    for record in walk_records(stream, options.max_record_bytes, proven=begin == 0):
        if record.offset >= end:
            return
        if record.offset >= start:
            yield _make_outcome(record, spec, (record.offset, record.length), options)


def _make_outcome(
    record: Record | BrokenRecord, spec: RangeSpec, place: tuple[int, int], options: ReadOptions
) -> Outcome:
    if isinstance(record, Record):
        return select_page(record, spec, place, options)
    if isinstance(record.error, StoreError):
        raise record.error
    stage = "record" if isinstance(record.error, RecordError) else "read"
    return make_failure(record.headers, spec, place, stage, record.error)
