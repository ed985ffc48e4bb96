"""The payload of an HTTP response: headers parsed, transfer and content encodings undone, wrong labels survived.

Sources: RFC 9112 (chunked), RFC 9110 section 8.4 (content codings), RFC 1950 to 1952, RFC 7932 (br), RFC 8878 (zstd).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from transforms.content_codings import Payload, undo_coding

STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)")
HEADER_END = re.compile(rb"\r?\n\r?\n")
CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
SAME_BYTES = frozenset({"", "identity", "none", "binary", "8bit", "utf-8", "utf8"})


class HttpError(Exception):
    """A block that begins like an HTTP response but has no usable status line."""


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response as stored: headers by lower-case name, repeated ones joined by ", "; the body still encoded."""

    status: int
    headers: dict[str, str]
    content_type: str
    body: bytes


def parse_response(block: bytes | memoryview) -> Response | None:
    r"""Split a record's block into status, headers and body; None when it does not begin with HTTP/.

    The last Content-Type that is not empty counts, as in browsers. Raises HttpError for a status line without a status.

    >>> parse_response(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    Response(status=200, headers={'content-type': 'text/html'}, content_type='text/html', body=b'<p>')
    """
    if block[:5] != b"HTTP/":
        return None
    match = HEADER_END.search(block)
    head, body = (bytes(block), b"") if match is None else (bytes(block[: match.start()]), bytes(block[match.end() :]))
    status = STATUS_LINE.match(head)
    if status is None:
        first_line = head[:80].split(b"\n")[0].decode("ascii", "backslashreplace").strip()
        message = f"no status in the HTTP status line {first_line!r}"
        raise HttpError(message)
    headers: dict[str, str] = {}
    content_type = ""
    for line in head.decode("latin-1").split("\n")[1:]:
        raw_name, colon, value = line.partition(":")
        name, value = raw_name.strip().lower(), value.strip()
        if not colon or not name:
            continue
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if name == "content-type" and value:
            content_type = value
    return Response(int(status[1]), headers, content_type, body)


def decode_payload(response: Response, max_bytes: int) -> Payload:
    """Undo a response's transfer and content encodings, in the order in which they were put on.

    A coding that the bytes do not bear is passed over with a note; gzip and zstd are known by their magic under any
    label. Each stage is bounded by `max_bytes`, so a bomb costs no more than that. What an archive kept under another
    name (X-Crawl-Transfer-Encoding, X-Crawl-Content-Encoding) it has undone itself.
    """
    body = response.body
    notes: list[str] = []
    is_cut = is_partial = False
    codings = split_codings(response.headers, "content-encoding") + split_codings(response.headers, "transfer-encoding")
    for coding in reversed(codings):
        if coding == "chunked":
            body, note = undo_chunks(body)
            is_partial |= note == "chunked-cut"
            notes += [note] if note else []
            continue
        decoded = undo_coding(coding, body, max_bytes)
        body = decoded.body
        notes += decoded.notes
        is_cut |= decoded.is_cut
        is_partial |= decoded.is_partial
    if len(body) > max_bytes:
        body, is_cut = body[:max_bytes], True
    return Payload(body, tuple(notes), is_cut, is_partial)


def split_codings(headers: dict[str, str], name: str) -> list[str]:
    """List the codings of one header in the order applied, lower-case, at most eight, but for those without effect."""
    codings = [token.partition(";")[0].strip(" \t\"'").lower() for token in headers.get(name, "").split(",")]
    return [coding for coding in codings if coding not in SAME_BYTES][:8]


def undo_chunks(body: bytes) -> tuple[bytes, str]:
    r"""Join the chunks of a chunked body; returns it and a note, "" when all was well.

    "chunked-absent": it never was chunked, bytes as they are. "chunked-cut": it ends before the last chunk.
    "chunked-broken": a chunk does not end where it says; from there on the bytes are kept as they are.

    >>> undo_chunks(b"3\r\nabc\r\n0\r\n\r\n"), undo_chunks(b"<html>")
    ((b'abc', ''), (b'<html>', 'chunked-absent'))
    """
    parts: list[bytes] = []
    place = 0
    while True:
        match = CHUNK_SIZE.match(body, place)
        if match is None:
            return _end_chunks(body, parts, place)
        size, start = int(match[1], 16), match.end()
        if size == 0:
            return b"".join(parts), ""
        end = start + size
        if end > len(body):
            # Text that begins like a number and a new line must not pass for a huge first chunk.
            if not parts and size > 2 * len(body) + 65_536:
                return body, "chunked-absent"
            return b"".join([*parts, body[start:]]), "chunked-cut"
        after = body[end : end + 2]
        if after and not after.startswith(b"\n") and after[:1] != b"\r":
            return (b"".join([*parts, body[start:]]), "chunked-broken") if parts else (body, "chunked-absent")
        parts.append(body[start:end])
        place = end + (2 if after == b"\r\n" else min(1, len(after)))


def _end_chunks(body: bytes, parts: list[bytes], place: int) -> tuple[bytes, str]:
    """Tell what to make of bytes at `place` that are no chunk's size."""
    rest = body[place:]
    if not parts:
        return body, "chunked-absent"
    if not rest.strip() or (len(rest) < 18 and b"\n" not in rest and rest.strip(b"0123456789abcdefABCDEF\r \t") == b""):
        return b"".join(parts), "chunked-cut"
    return b"".join([*parts, rest]), "chunked-broken"
