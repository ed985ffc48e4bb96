"""Ranges of a file on a web server, each by one request in fsspec's session.

Fsspec's own file takes an answer of no more bytes than were asked for as the range, so that a small file on a server
that ignores ranges comes whole in place of each. What an answer holds is told here by its status and Content-Range
(RFC 9110, 14.4 and 15.3.7), and an answer with fewer bytes than it says is an error, not the end of the file.
"""

from __future__ import annotations

import re
from typing import Any, Final

from fsspec.asyn import sync

PARTIAL, BEYOND_END = 206, 416
HELD_BYTES: Final = 4 << 20
CONTENT_RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class RangesIgnoredError(ValueError):
    """A web server answers with something else than the range that was asked for; the file can be streamed only."""


class HttpRanges:
    """A file on a web server, as far as reading at places goes.

    A server that ignores ranges sends all of it: up to 4 MiB are held then, and every read is served from them.
    """

    def __init__(self, filesystem: Any, url: str, size: int = -1) -> None:
        """Remember where to read (`size`: the file's, -1 if unknown: then an answer may tell it)."""
        self._filesystem = filesystem
        self._url = url
        self._size = size
        self._position = 0
        self._held: bytes | None = None

    @property
    def is_held(self) -> bool:
        """Whether a server that ignores ranges has sent the whole file."""
        return self._held is not None

    def seek(self, offset: int) -> None:
        """Go to a place."""
        self._position = offset

    def read(self, count: int) -> bytes:
        """Read up to `count` bytes, at least one unless the file ends here.

        Raises RangesIgnoredError, OSError for an answer that is cut, and what aiohttp raises.
        """
        if self._size >= 0:
            count = min(count, self._size - self._position)
        if count <= 0:
            return b""
        if self._held is None:
            data: bytes = sync(self._filesystem.loop, self._fetch, self._position, count)
        else:
            data = self._held[self._position : self._position + count]
        self._position += len(data)
        return data

    def close(self) -> None:
        """Let go of what is held."""
        self._held = None

    async def _fetch(self, start: int, count: int) -> bytes:
        filesystem = self._filesystem
        session = await filesystem.set_session()
        wanted = {"Range": f"bytes={start}-{start + count - 1}"}
        request = {**filesystem.kwargs, "headers": {**choose_headers(filesystem), **wanted}}
        async with session.get(filesystem.encode_url(self._url), **request) as response:
            if response.status == BEYOND_END:
                return b""
            response.raise_for_status()
            told = CONTENT_RANGE.match(response.headers.get("Content-Range", ""))
            if told is None and response.status != PARTIAL:
                self._held = await self._take_whole(response)
                return self._held[start : start + count]
            return await self._take_range(response, told, start, count)

    async def _take_range(self, response: Any, told: re.Match[str] | None, start: int, count: int) -> bytes:
        due = 1
        if told is not None:
            first, last, total = told.groups()
            if int(first) != start:
                message = f"bytes from {first} on came in place of those from {start} on"
                raise RangesIgnoredError(message)
            due = max(1, min(count, int(last) + 1 - start))
            if self._size < 0 and total != "*":
                self._size = int(total)
        data = await read_most(response, count)
        if len(data) < due:
            message = f"{due - len(data)} bytes too few came of {due} at byte {start}"
            raise OSError(message)
        return data

    async def _take_whole(self, response: Any) -> bytes:
        """Take an answer that is the whole file, if that is small."""
        data = b""
        is_small = (response.content_length or 0) <= HELD_BYTES
        if is_small:
            data = await read_most(response, HELD_BYTES + 1)
        if not is_small or len(data) > HELD_BYTES:
            message = "the server ignores ranges"
            raise RangesIgnoredError(message)
        if self._size < 0:
            self._size = len(data)
        return data


def choose_headers(filesystem: Any) -> dict[str, str]:
    """Give a request's headers; a server that compresses on the fly would make sizes and offsets wrong."""
    return {**filesystem.kwargs.get("headers", {}), "Accept-Encoding": "identity"}


async def read_most(response: Any, most: int) -> bytes:
    """Read an answer's body up to `most` bytes; aiohttp raises for one shorter than its Content-Length."""
    pieces = []
    while most > 0 and (piece := await response.content.read(most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
