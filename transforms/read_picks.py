"""Read the records that an index picks: the stretches they lie in are fetched, near ones together, and nothing else.

What lies at a picked place is told by its first bytes: a gzip member, a zstd frame (for which the file's dictionary is
fetched too) or a plain record. It is read and proven as in a
whole read, so its row is the same; the index's length says only how much to fetch. A place where no record starts is a
failure that names it.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.pages import PickList
from transforms.picks import join_picks, load_picks
from transforms.read_options import ReadOptions
from transforms.record_stream import RecordStream
from transforms.sources import BlockCursor, ByteSource
from transforms.warc_frames import FRAME_MAGIC, SKIPPABLE_END, DictionaryError, load_packing
from transforms.warc_members import GZIP, MAGIC, Packing
from transforms.warc_records import BrokenRecord, Record, read_one_record, walk_records

PADDING_BYTES = 16  # beyond a plain record, to see it end
STEP_BYTES = 1 << 16

Found = tuple[Record | BrokenRecord, tuple[int, int]]


class PickError(Exception):
    """An index names a place where there is no record."""


class PickedSource:
    """A source of which the stretches [start, end) are asked for, ascending, in pieces that end where they end.

    Where an index told too short a length, reading goes on in steps of 64 KiB, at most `beyond_bytes` far.
    """

    def __init__(self, source: ByteSource, stretches: Iterator[tuple[int, int]], beyond_bytes: int) -> None:
        self.url = source.url
        self._source = source
        self._stretches = stretches
        self._next = next(stretches, None)
        self._beyond_bytes = beyond_bytes
        self._end = -1

    def read_at(self, offset: int, count: int) -> bytes:
        """Read up to `count` bytes at `offset`, at least one unless the file, or what may be read of it, ends here."""
        while self._next is not None and self._end <= offset and self._next[0] <= offset:
            self._end = self._next[1] + PADDING_BYTES
            self._next = next(self._stretches, None)
        left = self._end - offset
        if left <= -self._beyond_bytes:
            return b""
        return self._source.read_at(offset, min(count, left if left > 0 else STEP_BYTES))


def find_picks(source: ByteSource, picks: PickList, options: ReadOptions) -> Iterator[Found]:
    """Yield what lies at each place, with its offset and length in the file, in ascending order.

    A gzip member of many records gives them all. Raises StoreError and PicksError.
    """
    offsets, lengths = load_picks(picks, options)
    stretches = join_picks(offsets, lengths, options.join_gap_bytes)
    picked = PickedSource(source, stretches, options.max_record_bytes)
    cursor = BlockCursor(picked, options.block_bytes)
    zstd: Packing | None = None
    for offset, length in zip(offsets, lengths, strict=True):
        cursor.position = offset
        head = bytes(cursor.window(4))
        if not head:
            error = PickError(f"an index names a record at byte {offset}, but the file ends before")
            yield BrokenRecord(offset, length, error), (offset, length)
        elif head.startswith(MAGIC):
            yield from _read_member(cursor, length, options, GZIP)
        elif head == FRAME_MAGIC or head[1:] == SKIPPABLE_END:
            try:
                zstd = zstd or load_packing(BlockCursor(source, STEP_BYTES))
            except DictionaryError as error:
                yield BrokenRecord(offset, length, error), (offset, length)
                continue
            zstd.skip_padding(cursor)
            yield from _read_member(cursor, length, options, zstd)
        else:
            record = read_one_record(RecordStream(cursor.blocks(), offset), options.max_record_bytes)
            yield record, (offset, record.length if isinstance(record, Record) else length)


def _read_member(cursor: BlockCursor, length: int, options: ReadOptions, packing: Packing) -> Iterator[Found]:
    member = packing.open_member(cursor)
    stream = RecordStream(member.chunks())
    for index, record in enumerate(walk_records(stream, options.max_record_bytes)):
        is_alone = index == 0 and stream.ended
        if isinstance(record, BrokenRecord) and member.failure is not None:
            yield record, (member.offset, length)
        else:
            yield record, (member.offset, cursor.position - member.offset if is_alone else -1)
