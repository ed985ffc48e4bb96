"""The header of one WARC or ARC record: from bytes to a dict.

Sources: ISO 28500:2017 (WARC/1.1), section 4; the ARC file format of the Internet Archive (1996).
"""

from __future__ import annotations

import re

RECORD_START = re.compile(rb"WARC/\d\.\d+[ \t]*\r?\n")
ARC_START = re.compile(rb"([^\s\x00-\x1f]+:[^\r\n\x00]*) (\S+) (\d{8,14}) ([^\r\n\x00]*?) ?(\d+)\r?\n")
# int() would also take "+5", "1_000" and other scripts' digits; eighteen digits fit into a file offset.
CONTENT_LENGTH = re.compile(r"[0-9]{1,18}")
MAX_SNIPPET_BYTES = 60


class RecordError(Exception):
    """A record whose header or length is wrong."""


class LengthError(RecordError):
    """A record whose Content-Length does not lead to the next record; `beyond_end` if it leads out of the stream."""

    beyond_end = False


def parse_warc_header(head: bytes) -> dict[str, str]:
    r"""Parse a record header, version line first; names become lower-case, folded lines are joined.

    The first of repeated fields counts. A line without a colon is ignored; what cannot be UTF-8 becomes U+FFFD.

    >>> parse_warc_header(b"WARC/1.0\r\nWARC-Type: response\r\nX:\r\n  folded")
    {'warc-type': 'response', 'x': 'folded'}
    """
    headers: dict[str, str] = {}
    name = ""
    for line in head.decode("utf-8", "replace").split("\n")[1:]:
        if line.startswith((" ", "\t")):
            if name:
                headers[name] = f"{headers[name]} {line.strip()}".strip()
            continue
        raw_name, colon, value = line.partition(":")
        name = raw_name.strip().lower() if colon else ""
        if name in headers:
            name = ""
        elif name:
            headers[name] = value.strip()
    return headers


def parse_arc_header(match: re.Match[bytes]) -> dict[str, str]:
    r"""Give an ARC record's header line the names of a WARC header; its date becomes ISO 8601.

    >>> parse_arc_header(ARC_START.match(b"http://a.example/ 1.2.3.4 20010203040506 text/html 12\n"))["warc-date"]
    '2001-02-03T04:05:06Z'
    """
    url, _address, date, content_type, length = (part.decode("utf-8", "replace") for part in match.groups())
    day, clock = date[:8], date[8:].ljust(6, "0")
    return {
        "warc-type": "arc-header" if url.startswith("filedesc:") else "response",
        "warc-target-uri": url,
        "warc-date": f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:6]}Z",
        "content-type": content_type,
        "content-length": length,
    }


def read_length(headers: dict[str, str]) -> int:
    """Give the record block's length in bytes; raises RecordError when the header does not give one."""
    value = headers.get("content-length")
    if value is None:
        message = "the record header has no Content-Length"
        raise RecordError(message)
    if not CONTENT_LENGTH.fullmatch(value):
        message = f"the record header's Content-Length is no number: {value[:40]!r}"
        raise RecordError(message)
    return int(value)


def describe_start(data: bytes) -> str:
    r"""Show how some bytes begin, in one printable line.

    >>> describe_start(b"<?xml version=\"1.0\"?>\n<Error>")
    '\'<?xml version="1.0"?>\''
    """
    line = data.lstrip()[:MAX_SNIPPET_BYTES].split(b"\n")[0].rstrip()
    return repr(line.decode("ascii", "backslashreplace"))
