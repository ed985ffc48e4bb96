"""Zstandard frames of a .warc.zst: a record is one frame or several, and never shares one with the next record.

Sources: Zstandard Compression for WARC Files 1.0 (IIPC), RFC 8878. A dictionary may lie in a skippable frame at the
file's beginning. Blocks are inflated one by one: each is 128 KiB at most, so no frame, however made, takes more memory.
A raw block is the most that holds another .warc.zst as it is, so a chain of frames longer than that is proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import zstandard

from transforms.record_headers import RecordError, parse_warc_header, read_length
from transforms.sources import BlockCursor
from transforms.warc_members import CutMemberError, MemberError, ReadableMember

FRAME_MAGIC = b"\x28\xb5\x2f\xfd"
DICTIONARY_MAGIC = b"\x5d\x2a\x4d\x18"
SKIPPABLE_END = b"\x2a\x4d\x18"  # after one byte from 0x50 to 0x5f
PROOF_BYTES = 140_000
MAX_BLOCK_BYTES = 1 << 17
MAX_WINDOW_BYTES = 1 << 27
MAX_DICTIONARY_BYTES = 1 << 26
MAX_HEADER_BYTES = 1 << 20
ID_BYTES, SIZE_BYTES = (0, 1, 2, 4), (0, 2, 4, 8)
SLICE = 1 << 16


class DictionaryError(Exception):
    """The dictionary at a file's beginning cannot be used."""


class ZstdPacking:
    """How the records of one .warc.zst are packed; see warc_members.Packing."""

    magic = FRAME_MAGIC
    proof_bytes = PROOF_BYTES

    def __init__(self, dictionary: bytes = b"") -> None:
        """Use the file's own dictionary, if it has one."""
        data = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._inflater = zstandard.ZstdDecompressor(dict_data=data, max_window_size=MAX_WINDOW_BYTES)

    def open_member(self, cursor: BlockCursor) -> FramedRecord:
        """Begin to read at the cursor."""
        return FramedRecord(cursor, self._inflater)

    def is_start(self, cursor: BlockCursor, offset: int) -> bool:
        """Tell whether a frame's header lies at `offset`."""
        cursor.position = offset
        head = cursor.peek(5)
        return head[:4] == FRAME_MAGIC and len(head) == 5 and not head[4] & 8

    def skip_padding(self, cursor: BlockCursor) -> None:
        """Move over zero bytes and skippable frames."""
        skip_frames(cursor)


def load_packing(cursor: BlockCursor) -> ZstdPacking:
    """Read the dictionary, if any, at the file's beginning; raises DictionaryError."""
    cursor.position = 0
    head = cursor.peek(8)
    if head[:4] != DICTIONARY_MAGIC:
        return ZstdPacking()
    size = int.from_bytes(head[4:], "little")
    if size > MAX_DICTIONARY_BYTES:
        message = f"the zstd dictionary at the file's beginning takes {size} bytes, more than {MAX_DICTIONARY_BYTES}"
        raise DictionaryError(message)
    cursor.position = 8
    data = cursor.peek(size)
    try:
        if data.startswith(FRAME_MAGIC):
            reader = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES).stream_reader(data)
            data = reader.read(MAX_DICTIONARY_BYTES)
        return ZstdPacking(data)
    except (zstandard.ZstdError, ValueError) as error:
        message = f"the zstd dictionary at the file's beginning is damaged: {error}"
        raise DictionaryError(message) from error


def skip_frames(cursor: BlockCursor) -> None:
    """Move over zero bytes and skippable frames, to a frame or to whatever else is there."""
    while view := cursor.window(8):
        if view[0] == 0:
            cursor.position += len(view) - len(bytes(view).lstrip(b"\0"))
            continue
        head = cursor.peek(8)
        if len(head) < 8 or head[1:4] != SKIPPABLE_END or head[0] & 0xF0 != 0x50:
            return
        cursor.position += 8 + int.from_bytes(head[4:], "little")


class FramedRecord(ReadableMember):
    """The frames of one record, or of several where a writer put them into one frame."""

    def __init__(self, cursor: BlockCursor, inflater: Any) -> None:
        """Begin at the cursor's position."""
        super().__init__(cursor)
        self._inflater = inflater
        self._head = b""
        self._due = -1  # bytes of the record, once its header is read

    def chunks(self) -> Iterator[bytes]:
        """Inflated bytes in order; ends once each frame's checksum is proven, raises MemberError otherwise."""
        try:
            while True:
                for chunk in self._read_frame():
                    self._inflated_bytes += len(chunk)
                    self._note_header(chunk)
                    yield chunk
                if not self._goes_on():
                    return
        except MemberError as error:
            self.failure = error
            raise

    def _note_header(self, chunk: bytes) -> None:
        """Learn from the record's header how long it is."""
        if self._due >= 0 or len(self._head) > MAX_HEADER_BYTES:
            return
        self._head += chunk
        end = self._head.find(b"\r\n\r\n")
        if end >= 0:
            try:
                self._due = end + 4 + read_length(parse_warc_header(self._head[:end]))
            except RecordError:
                self._due = 0
            self._head = b""

    def _goes_on(self) -> bool:
        """Tell whether the record needs another frame, and go to it."""
        if self._due >= 0 and self._inflated_bytes >= self._due:
            return False
        after = self._cursor.position
        skip_frames(self._cursor)
        if self._cursor.peek(4) == FRAME_MAGIC:
            return True
        self._cursor.position = after
        return False

    def _read_frame(self) -> Iterator[bytes]:
        """Inflate the frame at the cursor, block by block, and move past it."""
        start = self._cursor.position
        head, has_checksum = self._read_frame_header()
        inflater = self._inflater.decompressobj()
        self._inflate(inflater, head, start)
        is_last = False
        while not is_last:
            word = int.from_bytes(self._take(3), "little")
            is_last, kind, size = bool(word & 1), word >> 1 & 3, word >> 3
            if kind == 3 or size > MAX_BLOCK_BYTES:
                raise MemberError(f"damaged zstd frame: no block near byte {self._cursor.position - 3}")
            block = word.to_bytes(3, "little") + self._take(1 if kind == 1 else size)
            if is_last and has_checksum:
                block += self._take(4)
            yield self._inflate(inflater, block, start)

    def _inflate(self, inflater: Any, data: bytes, start: int) -> bytes:
        try:
            return bytes(inflater.decompress(data))
        except zstandard.ZstdError as error:
            text = str(error).rpartition(": ")[2]
            failure = MemberError(f"damaged zstd frame: {text} near byte {self._cursor.position}")
            failure.end = self._find_frame_end(start)
            raise failure from error

    def _find_frame_end(self, start: int) -> int:
        """Give where a damaged frame ends by its blocks' sizes, if a frame or the end follows there; else -1."""
        here, self._cursor.position = self._cursor.position, start
        try:
            _, has_checksum = self._read_frame_header()
            is_last = False
            while not is_last:
                word = int.from_bytes(self._take(3), "little")
                is_last, kind = bool(word & 1), word >> 1 & 3
                self._cursor.position += 1 if kind == 1 else word >> 3
            self._cursor.position += 4 if has_checksum else 0
            end = self._cursor.position
            return end if self._cursor.peek(4)[:4] in {FRAME_MAGIC, b""} else -1
        except MemberError:
            return -1
        finally:
            self._cursor.position = here

    def _read_frame_header(self) -> tuple[bytes, bool]:
        """Take a frame's header; gives it, and whether a checksum ends the frame."""
        head = self._take(5)
        flags = head[4]
        is_single = bool(flags & 0x20)
        size_bytes = SIZE_BYTES[flags >> 6] or (1 if is_single else 0)
        return head + self._take((not is_single) + ID_BYTES[flags & 3] + size_bytes), bool(flags & 4)

    def _take(self, count: int) -> bytes:
        """Take exactly `count` bytes; raises CutMemberError."""
        data = self._cursor.peek(count) if count else b""
        self._cursor.position += len(data)
        if len(data) < count:
            raise CutMemberError(f"the file ends inside a zstd frame, at byte {self._cursor.position}")
        return data
