"""Content codings undone within a bound: gzip, deflate, br, zstd; bytes that do not bear their label stay as they are.

Sources: RFC 9110 section 8.4 (content codings), RFC 1950 to 1952 (deflate, gzip), RFC 7932 (br), RFC 8878 (zstd).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import brotli
import zstandard

from transforms.inflate import InflateError, new_inflater

ZSTD_WINDOW_BYTES = 128 << 20
SLICE, SMALL_SLICE = 1 << 16, 256
GZIP, ZLIB, BARE = 31, 15, -15
TRAILING_BYTES = 8


class CodingError(Exception):
    """Bytes that the coding cannot have made."""


@dataclass(frozen=True, slots=True)
class Payload:
    """A body with its encodings undone: `is_cut` at the limit, `is_partial` when the encoded bytes end early."""

    body: bytes
    notes: tuple[str, ...] = ()
    is_cut: bool = False
    is_partial: bool = False


def undo_coding(coding: str, body: bytes, max_bytes: int) -> Payload:
    """Undo one content coding: as the label says, else as the magic says, else not at all, with a note."""
    if not body:
        return Payload(body)
    names = [coding] if coding in DECODERS else []
    names += [name for magic, name in MAGICS if body.startswith(magic) and name not in names]
    for name in names:
        try:
            decoded, is_whole = DECODERS[name](body, max_bytes + 1)
        except CodingError:
            continue
        is_cut = len(decoded) > max_bytes
        is_partial = not is_whole and not is_cut
        notes = [] if name == coding else [f"{_shorten(coding)}-was-{name}"]
        notes += [f"{name}-partial"] if is_partial else []
        return Payload(decoded[:max_bytes], tuple(notes), is_cut, is_partial)
    return Payload(body, (f"{_shorten(coding)}-absent" if coding in DECODERS else f"unknown:{_shorten(coding)}",))


def _shorten(coding: str) -> str:
    return re.sub(r"[^a-z0-9.-]", "?", coding)[:20]


def inflate_gzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate gzip members up to `limit` bytes; (bytes, whole). Raises CodingError when it is no gzip at all."""
    parts: list[bytes] = []
    total = place = 0
    while total < limit and (place == 0 or body[place : place + 2] == b"\x1f\x8b"):
        part, end, _ = _inflate(body, place, limit - total, GZIP)
        if place == 0 and end < 0 and not part and not body.startswith(MAGICS[0][0]):
            raise CodingError
        parts.append(part)
        total += len(part)
        if end < 0:
            return b"".join(parts), False
        place = end
    return b"".join(parts), True


def inflate_deflate(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate "deflate": in zlib's wrapper, as the standard says, or the bare stream, as some servers send it."""
    part, end, _ = _inflate(body, 0, limit, ZLIB)
    if part or end >= 0:
        return part, end >= 0
    part, end, is_damaged = _inflate(body, 0, limit, BARE)
    # Nearly any bytes inflate to something: a bare stream is believed while it is sound.
    if is_damaged or not part or _is_markup(body) or 0 <= end < len(body) - TRAILING_BYTES:
        raise CodingError
    return part, end >= 0


def _inflate(body: bytes, start: int, limit: int, wbits: int) -> tuple[bytes, int, bool]:
    """Inflate one stream: (bytes up to `limit`, where it ends or -1, whether it is damaged)."""
    for step in (SLICE, SMALL_SLICE):  # zlib gives nothing of the slice that holds the damage: again in smaller ones
        inflater = new_inflater(wbits)
        parts: list[bytes] = []
        room, is_damaged, place = limit, False, start
        while place < len(body) and room > 0 and not inflater.eof:
            piece = body[place : place + step]
            try:
                parts.append(inflater.decompress(piece, room))
            except InflateError:
                is_damaged = True
                break
            room -= len(parts[-1])
            place += len(piece)
        if not is_damaged:
            break
    end = place - len(inflater.unused_data) if inflater.eof else -1
    return b"".join(parts), end, is_damaged


def expand_brotli(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Expand br up to `limit` bytes; (bytes, whole). Raises CodingError when the bytes cannot be br."""
    for step in (SLICE, SMALL_SLICE):
        expander = brotli.Decompressor()
        parts: list[bytes] = []
        is_whole = False
        try:
            is_whole = _feed_brotli(expander, body, limit, step, parts)
            break
        except brotli.error:
            continue
    if not is_whole and (not parts or _is_markup(body)):
        raise CodingError
    return b"".join(parts), is_whole


def _feed_brotli(expander: brotli.Decompressor, body: bytes, limit: int, step: int, parts: list[bytes]) -> bool:
    """Expand into `parts` up to `limit`, True at the end; raises brotli.error, `parts` keeping what came before."""
    place, room = 0, limit
    while room > 0 and not expander.is_finished():
        if expander.can_accept_more_data():
            if place >= len(body):
                return False
            piece, place = body[place : place + step], place + step
        else:
            piece = b""
        part = expander.process(piece, output_buffer_limit=min(room, 1 << 20))
        if part:
            parts.append(part)
            room -= len(part)
    return expander.is_finished()


def _is_markup(body: bytes) -> bool:
    return body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def expand_zstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Expand zstd frames up to `limit` bytes; (bytes, whole). Raises CodingError when it is no zstd at all.

    A cut is seen only where the frame tells its content's size.
    """
    decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES)
    parts: list[bytes] = []
    room, is_damaged = limit, False
    with decompressor.stream_reader(body, read_across_frames=True) as reader:
        while room > 0 and not is_damaged:
            try:
                part = reader.read(min(room, SLICE))
            except zstandard.ZstdError:
                is_damaged = True
                continue
            if not part:
                break
            parts.append(part)
            room -= len(part)
    if is_damaged and not parts and not body.startswith(MAGICS[1][0]):
        raise CodingError
    return b"".join(parts), not is_damaged and limit - room >= _told_size(body)


def _told_size(body: bytes) -> int:
    try:
        return int(zstandard.frame_content_size(body))
    except zstandard.ZstdError:
        return 0


DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": inflate_gzip,
    "x-gzip": inflate_gzip,
    "deflate": inflate_deflate,
    "br": expand_brotli,
    "zstd": expand_zstd,
}
MAGICS = ((b"\x1f\x8b\x08", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
