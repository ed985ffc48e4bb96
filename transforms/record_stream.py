"""Bytes pulled from chunks as a parser needs them, addressed by their offset in the stream."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms.retries import StoreError
from transforms.warc_members import MemberError

CHUNK_ERRORS = (MemberError, StoreError)


class RecordStream:
    """A stream of bytes, held from the current record's start on.

    `base` is the offset of the first byte held, `offset` the current place, `end` the offset after the last byte held.
    `size` is the whole stream's if it is known, else -1. An exception of the chunks comes again on each later pull.
    """

    def __init__(self, chunks: Iterator[bytes], offset: int = 0, size: int = -1) -> None:
        """Read `chunks`, the first of which begins at `offset`."""
        self._chunks = chunks
        self._failure: Exception | None = None
        self._data = b""
        self._index = 0
        self._size = size
        self.base = offset
        self.ended = False
        self.is_arc = False

    @property
    def offset(self) -> int:
        """Offset of the current place."""
        return self.base + self._index

    @property
    def end(self) -> int:
        """Offset after the last byte held."""
        return self.base + len(self._data)

    def is_beyond(self, offset: int) -> bool:
        """Tell whether `offset` lies beyond the stream's known end."""
        return 0 <= self._size < offset

    def count_after(self, offset: int) -> int:
        """How many bytes there are from `offset` to the stream's end, as far as it has been read."""
        return (self._size if self._size >= 0 else self.end) - offset

    def ensure(self, offset: int) -> bool:
        """Hold everything before `offset`; False when the stream ends earlier. Raises what the chunks raise."""
        missing = offset - self.base - len(self._data)
        if missing <= 0:
            return True
        if self._failure is not None:
            raise self._failure
        pieces = [self._data] if self._data else []
        try:
            while missing > 0 and not self.ended:
                piece = next(self._chunks, None)
                if piece is None:
                    self.ended = True
                else:
                    pieces.append(piece)
                    missing -= len(piece)
        except CHUNK_ERRORS as error:
            self._failure = error
            raise
        finally:
            self._data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        return missing <= 0

    def slice(self, start: int, end: int) -> bytes:
        """Bytes from `start` to `end`, which must be held."""
        return self._data[start - self.base : end - self.base]

    def view(self, start: int, end: int) -> memoryview:
        """Bytes from `start` to `end`, which must be held, uncopied; they stay when the stream goes on."""
        return memoryview(self._data)[start - self.base : end - self.base]

    def peek_at(self, start: int, count: int) -> bytes:
        """Up to `count` bytes at `start`, fewer only at the end of the stream."""
        self.ensure(start + count)
        return self.slice(start, start + count)

    def find_after(self, needle: bytes, start: int, before: int | None = None) -> int:
        """Offset after the first `needle` held from `start` on and `before` an offset, or -1."""
        index = self._data.find(needle, start - self.base, None if before is None else before - self.base)
        return -1 if index < 0 else self.base + index + len(needle)

    def search(self, pattern: re.Pattern[bytes], start: int) -> int:
        """Offset of the first match held from `start` on, or -1."""
        match = pattern.search(self._data, start - self.base)
        return -1 if match is None else self.base + match.start()

    def move_to(self, offset: int) -> bool:
        """Go forward or back to `offset`, dropping what is passed unread; False when the stream ends earlier."""
        while offset > self.end:
            if self.ended:
                self._index = len(self._data)
                return False
            self.base, self._data = self.end, b""
            self._index = 0
            self.ensure(self.base + 1)
        self._index = offset - self.base
        return True

    def drop_consumed(self) -> None:
        """Forget what lies before the current place once it is most of what is held, so that copying stays linear."""
        if self._index > len(self._data) // 2:
            self._data = self._data[self._index :]
            self.base += self._index
            self._index = 0

    def skip_newlines(self) -> bool:
        """Go to the next byte that is no CR or LF; False when the stream ends before."""
        while True:
            data, index = self._data, self._index
            while index < len(data):
                if data[index] not in b"\r\n":
                    self._index = index
                    return True
                index += 1
            self._index = index
            if not self.ensure(self.end + 1):
                return False
