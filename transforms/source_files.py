"""A stored file as Python's file objects have it, read with the retries of ByteSource."""

from __future__ import annotations

import gzip
import io
from typing import IO, cast

from transforms.inputs import find_size
from transforms.read_options import ReadOptions
from transforms.retries import StoreError
from transforms.sources import ByteSource


class SourceFile(io.RawIOBase):
    """A stored file, read only; raises OSError with StoreError's message, once the retries are used up."""

    def __init__(self, url: str, options: ReadOptions) -> None:
        super().__init__()
        self._source = ByteSource(url, options)
        self._options = options
        self._size: int | None = None
        self._position = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always: a server without ranges is read anew from its beginning."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill a buffer as far as the file goes."""
        try:
            data = self._source.read_at(self._position, len(buffer))
        except StoreError as error:
            raise OSError(str(error)) from error
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place; from the end needs a store that tells sizes, else OSError."""
        if whence == io.SEEK_END:
            if self._size is None:
                self._size = find_size(self._source.url, self._options)
            if self._size < 0:
                message = f"cannot read {self._source.url} from its end: its size is not known, or it serves no ranges"
                raise OSError(message)
            offset += self._size
        elif whence == io.SEEK_CUR:
            offset += self._position
        self._position = offset
        return offset

    def tell(self) -> int:
        """Give the place."""
        return self._position

    def close(self) -> None:
        """Close what lies under it."""
        self._source.close()
        super().close()


def open_lines(url: str, options: ReadOptions) -> IO[bytes]:
    """Open a file to read it from the beginning, inflated where it begins as gzip does. Raises OSError."""
    file = io.BufferedReader(SourceFile(url, options), options.block_bytes)
    if file.peek(2)[:2] == b"\x1f\x8b":
        return cast(IO[bytes], gzip.open(file))
    return cast(IO[bytes], file)
