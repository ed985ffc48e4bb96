"""Bytes of a stored file by offset: fsspec underneath, with retries, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import fsspec
from aiohttp import ClientTimeout
from fsspec.implementations.local import LocalFileSystem

from transforms.connections import Slot
from transforms.http_ranges import HttpRanges, RangesIgnoredError, choose_headers
from transforms.read_options import ReadOptions
from transforms.retries import StoreError, call_with_retries, store_errors

HTTP_SCHEMES = ("http://", "https://")
MISSING_STATUSES = frozenset({404, 410})
LOCAL_SCHEMES = ("file", "local", "memory")
ENDLESS = 1 << 60  # a stream's size, for fsspec: asking for it first would be one more request


class ByteSource:
    """A stored file, read by offset.

    Of a server that cannot serve ranges a small file is held whole (`HttpRanges`), and a larger one read as one stream
    from its beginning; going back then opens it again. Every read is tried `attempts` times within `retry_seconds`,
    with exponential back-off and jitter; then StoreError is raised. No more than `max_connections` reads of stores are
    under way at once on this machine.
    """

    def __init__(self, url: str, options: ReadOptions, size: int = -1) -> None:
        """Remember where to read (`size`: the file's, -1 if unknown); nothing is opened before the first read."""
        self.url = url
        self.is_http = url.startswith(HTTP_SCHEMES)
        self._options = options
        self._size = size
        self._slot = Slot(0 if is_local(url) else options.max_connections)
        self._file: Any = None
        self.is_streaming = False
        self._stream_position = 0

    def read_at(self, offset: int, count: int) -> bytes:
        """Read `count` bytes at `offset`, fewer only at the end of the file."""
        try:
            return call_with_retries(lambda: self._read_once(offset, count), self._options, pauses=self._recover)
        except store_errors() as error:
            is_missing = getattr(error, "status", None) in MISSING_STATUSES
            raise StoreError(self.url, FileNotFoundError(str(error)) if is_missing else error, offset) from error

    def serves_byte(self, offset: int) -> bool:
        """Tell whether a web server sends one byte alone; a large file is not fetched. Raises what stores raise."""
        try:
            byte = call_with_retries(lambda: self._read_once(offset, 1), self._options)
            return len(byte) == 1 and not self._file.is_held
        except RangesIgnoredError:
            return False

    def close(self) -> None:
        """Close the file under it; the next read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._slot.free()

    def _read_once(self, offset: int, count: int) -> bytes:
        if self._file is None or (self.is_streaming and offset < self._stream_position):
            self.close()
            if self.is_streaming:
                self._slot.take()  # until it is closed: its connection stays open between the reads
            self._file = self._open()
            self._stream_position = 0
        with self._slot.hold():
            data = self._read_stream(offset, count) if self.is_streaming else self._read_range(offset, count)
        missing = min(count, self._size - offset) - len(data)
        if self._size >= 0 and missing > 0 and self.is_http:
            message = f"{missing} bytes too few came of {count} at byte {offset}"
            raise OSError(message)
        return data

    def _read_range(self, offset: int, count: int) -> bytes:
        self._file.seek(offset)
        return read_fully(self._file, count)

    def _read_stream(self, offset: int, count: int) -> bytes:
        while self._stream_position < offset:
            skipped = self._file.read(min(1 << 20, offset - self._stream_position))
            if not skipped:
                return b""
            self._stream_position += len(skipped)
        piece = read_fully(self._file, count)
        self._stream_position += len(piece)
        return piece

    def _open(self) -> Any:
        filesystem, path = find_store(self.url, self._options, streaming=self.is_streaming, raw=True)
        if not self.is_http:
            return filesystem.open(path, "rb", cache_type="none")
        if self.is_streaming:
            return filesystem.open(path, "rb", block_size=0, headers=choose_headers(filesystem), size=ENDLESS)
        size = self._size if self._size > 0 else -1  # some servers say 0 for what they do not know
        return HttpRanges(filesystem, path, size)

    def _recover(self, error: BaseException) -> bool:
        """Close what failed, and go over to streaming, at once, where the server ignores ranges."""
        self.close()
        if not isinstance(error, RangesIgnoredError):
            return True
        self.is_streaming = True
        return False


def is_local(url: str) -> bool:
    """Tell whether reading from the file's beginning costs no network.

    >>> is_local("/data/a.warc"), is_local("https://a.example/a.warc")
    (True, False)
    """
    scheme, colon, _ = url.partition("://")
    return not colon or scheme in LOCAL_SCHEMES


def spell_name(name: str) -> str:
    """Give the one name of a file that may be spelled in several ways: on a disk its absolute path; a URL as it is.

    What is done of an archive is known by its name. Symbolic links are followed only where `..` comes after one.

    >>> spell_name("/data//crawl/./a.warc"), spell_name("file:///data/a.warc"), spell_name("s3://bucket//a.warc")
    ('/data/crawl/a.warc', '/data/a.warc', 's3://bucket//a.warc')
    """
    scheme, colon, _ = name.partition("://")
    if colon and scheme not in {"file", "local"}:
        return name
    path = PurePosixPath("/" + str(LocalFileSystem._strip_protocol(name)).lstrip("/"))
    return str(Path(path.parent).resolve() / path.name if ".." in path.parts else path)


def find_store(url: str, options: ReadOptions, *, streaming: bool = False, raw: bool = False) -> tuple[Any, str]:
    """Find a URL's fsspec file system and path; web requests get a time limit, for each wait if `streaming`.

    `raw`: bytes as they are stored. Servers label .gz files as gzip-encoded, and to inflate them moves every offset.
    """
    storage = dict(options.storage)
    if "://" not in url:  # a file's name: fsspec would take one with :: for a chain of stores
        return fsspec.filesystem("file", **storage), str(LocalFileSystem._strip_protocol(url))
    if url.startswith(HTTP_SCHEMES):
        seconds = options.request_seconds
        timeout = ClientTimeout(total=None if streaming else seconds, sock_connect=seconds, sock_read=seconds)
        storage["client_kwargs"] = {"timeout": timeout, "auto_decompress": not raw, **storage.get("client_kwargs", {})}
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
