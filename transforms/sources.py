"""Bytes of a stored file by offset: fsspec underneath, with retries, block by block."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from typing import Any, Protocol

import fsspec
from aiohttp import ClientError, ClientTimeout
from fsspec.exceptions import FSTimeoutError
from fsspec.implementations.http import HTTPFile

from transforms.read_options import ReadOptions

STORE_ERRORS: tuple[type[BaseException], ...] = (
    OSError, ValueError, ImportError, asyncio.TimeoutError, FSTimeoutError, ClientError,
)  # fmt: skip
FINAL_ERRORS = (
    FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ValueError, ImportError,
)  # fmt: skip
RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
HTTP_SCHEMES = ("http://", "https://")


class StoreError(Exception):
    """A file could not be read at `offset`; the message names it in one line, `error` is the cause's class name.

    `may_pass` tells whether the same read may work another time.
    """

    def __init__(self, url: str, cause: BaseException, offset: int = 0) -> None:
        """Describe `cause` for the file at `url`."""
        text = " ".join(str(cause).split()) or "no details"
        super().__init__(f"cannot read {url}: {type(cause).__name__}: {text[:300]}")
        self.error = type(cause).__name__
        self.may_pass = is_worth_retrying(cause)
        self.offset = offset


class ByteSource:
    """A stored file, read by offset.

    A server that cannot serve ranges is read as one stream from its beginning; going back then opens it again. Every
    read is tried `attempts` times within `retry_seconds`, with exponential back-off and jitter; then StoreError is
    raised.
    """

    def __init__(self, url: str, options: ReadOptions) -> None:
        """Remember where to read; nothing is opened before the first read."""
        self.url = url
        self.is_http = url.startswith(HTTP_SCHEMES)
        self._options = options
        self._file: Any = None
        self.is_streaming = False
        self._stream_position = 0

    def read_at(self, offset: int, count: int) -> bytes:
        """Read `count` bytes at `offset`, fewer only at the end of the file."""
        deadline = time.monotonic() + self._options.retry_seconds
        for attempt in range(1, self._options.attempts + 1):
            try:
                return self._read_once(offset, count)
            except STORE_ERRORS as error:
                self.close()
                if self._falls_back_to_stream(error):
                    continue
                pause = min(20.0, 0.5 * 2 ** (attempt - 1)) * (0.5 + random.random())
                last = attempt == self._options.attempts or time.monotonic() + pause > deadline
                if last or not is_worth_retrying(error):
                    raise StoreError(self.url, error, offset) from error
                time.sleep(pause)
        raise StoreError(self.url, TimeoutError("no attempt left"), offset)

    def close(self) -> None:
        """Close the file under it; the next read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read_once(self, offset: int, count: int) -> bytes:
        if self._file is None or (self.is_streaming and offset < self._stream_position):
            self.close()
            self._file = self._open()
            self._stream_position = 0
        if not self.is_streaming:
            self._file.seek(offset)
            return read_fully(self._file, count)
        while self._stream_position < offset:
            skipped = self._file.read(min(1 << 20, offset - self._stream_position))
            if not skipped:
                return b""
            self._stream_position += len(skipped)
        piece = read_fully(self._file, count)
        self._stream_position += len(piece)
        return piece

    def _open(self) -> Any:
        filesystem, path = find_store(self.url, self._options, streaming=self.is_streaming)
        if not self.is_http:
            return filesystem.open(path, "rb", cache_type="none")
        # identity: a server that compresses on the fly would make sizes and offsets wrong.
        headers = {"Accept-Encoding": "identity"}
        if self.is_streaming:
            return filesystem.open(path, "rb", block_size=0, headers=headers)
        handle = filesystem.open(path, "rb", cache_type="none", headers=headers)
        if not isinstance(handle, HTTPFile):  # no size or no ranges: again, with no limit on the whole request
            handle.close()
            self.is_streaming = True
            return self._open()
        return handle

    def _falls_back_to_stream(self, error: BaseException) -> bool:
        """Fsspec raises ValueError for a server that answers a range request with the whole file."""
        if not self.is_http or self.is_streaming or not isinstance(error, ValueError):
            return False
        self.is_streaming = True
        return True


def find_store(url: str, options: ReadOptions, *, streaming: bool = False) -> tuple[Any, str]:
    """Find a URL's fsspec file system and path; web requests get a time limit, for each wait if `streaming`."""
    storage = dict(options.storage)
    if url.startswith(HTTP_SCHEMES):
        seconds = options.request_seconds
        timeout = ClientTimeout(total=None if streaming else seconds, sock_connect=seconds, sock_read=seconds)
        storage["client_kwargs"] = {"timeout": timeout, **storage.get("client_kwargs", {})}
    filesystem, path = fsspec.core.url_to_fs(url, **storage)
    return filesystem, str(path)


def read_fully(file: Any, count: int) -> bytes:
    """Read until `count` bytes or the end: streams hand out less than asked for."""
    pieces = []
    while count > 0:
        piece = file.read(count)
        if not piece:
            break
        pieces.append(piece)
        count -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def is_worth_retrying(error: BaseException) -> bool:
    """Tell whether the same read may work later: not for a missing file or a refusal.

    >>> is_worth_retrying(FileNotFoundError("gone")), is_worth_retrying(ConnectionResetError())
    (False, True)
    """
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return status in RETRIED_STATUSES
    return not isinstance(error, FINAL_ERRORS)


class Readable(Protocol):
    """What a cursor needs of a source."""

    url: str

    def read_at(self, offset: int, count: int) -> bytes:
        """Read up to `count` bytes at `offset`, at least one unless the file ends here."""


class BlockCursor:
    """A place in a file, read block by block: one block is held at a time, two while peeking over an edge."""

    def __init__(self, source: Readable, block_bytes: int, position: int = 0) -> None:
        """Start at `position`."""
        self.url = source.url
        self._source = source
        self._block_bytes = block_bytes
        self._block = b""
        self._block_start = position
        self.position = position

    def window(self, count: int) -> memoryview:
        """Up to `count` bytes at the position, at least one unless the file ends here; does not move."""
        index = self.position - self._block_start
        if not 0 <= index < len(self._block):
            self._block = self._source.read_at(self.position, self._block_bytes)
            self._block_start = self.position
            index = 0
        return memoryview(self._block)[index : index + count]

    def peek(self, count: int) -> bytes:
        """Exactly `count` bytes at the position, fewer only at the end of the file; does not move."""
        view = self.window(count)
        if len(view) == count or not view:
            return bytes(view)
        block = self._block[self.position - self._block_start :]
        while len(block) < count:
            wanted = max(self._block_bytes, count - len(block))
            following = self._source.read_at(self.position + len(block), wanted)
            if not following:
                break
            block += following
        self._block, self._block_start = block, self.position
        return block[:count]

    def blocks(self) -> Iterator[bytes]:
        """Everything from the position on, moving it."""
        while view := self.window(self._block_bytes):
            self.position += len(view)
            yield bytes(view)

    def find_all(self, needle: bytes, start: int) -> Iterator[int]:
        """Offsets of `needle` from `start` on; the cursor may be moved between two of them."""
        searched = start
        while True:
            self.position = searched
            view = self.window(self._block_bytes)
            if len(view) < len(needle):
                view = memoryview(self.peek(len(needle)))
                if len(view) < len(needle):
                    return
            block, base, index = bytes(view), searched, 0
            while (index := block.find(needle, index)) >= 0:
                yield base + index
                index += 1
            searched = base + len(block) - len(needle) + 1
