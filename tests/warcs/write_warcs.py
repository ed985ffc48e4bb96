"""Write the small archives beside this file, each named by its defect: python tests/warcs/write_warcs.py.

All pages in them are made up here. The tests also import the makers to build larger ones.
"""

from __future__ import annotations

import gzip
import uuid
from pathlib import Path

FOLDER = Path(__file__).parent
WORDS = "the ferry leaves at nine and the baker opens before it".split()


def make_html(number: int, *, words: int = 40) -> bytes:
    """One invented page; each number has its own text."""
    text = " ".join(WORDS[(number * 7 + index * index) % len(WORDS)] for index in range(words))
    return (
        f"<!DOCTYPE html><html><head><title>Note {number}</title></head>"
        f"<body><main><h1>Note {number}</h1><p>{text}.</p></main></body></html>"
    ).encode()


def make_http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """One HTTP response."""
    lines = [f"HTTP/1.1 {status}", *(headers or ("Content-Type: text/html; charset=utf-8",))]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def make_record(kind: str, number: int, block: bytes, *extra: str, length: int | str | None = -1) -> bytes:
    """One WARC record with its two empty lines; `length` -1 tells the truth, None leaves the field out."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid.UUID(int=number * 16 + len(kind))}>",
        f"WARC-Target-URI: https://www.example.org/{number}",
        "WARC-Date: 2031-01-02T03:04:05Z",
        *([] if any(line.startswith("Content-Type") for line in extra) else ["Content-Type: application/http"]),
        *extra,
    ]
    if length is not None:
        lines.append(f"Content-Length: {len(block) if length == -1 else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def make_page(number: int, **options: int | str | None) -> bytes:
    """One response record with an invented page."""
    return make_record("response", number, make_http(make_html(number)), **options)


def make_crawl(count: int = 4) -> list[bytes]:
    """Records as a crawl lays them out: warcinfo, then request, response and metadata for each page."""
    records = [make_record("warcinfo", 0, b"software: none\r\n", "Content-Type: application/warc-fields")]
    for number in range(1, count + 1):
        records.append(make_record("request", number, b"GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n"))
        records.append(make_page(number))
        records.append(make_record("metadata", number, b"fetchTimeMs: 9", "Content-Type: application/warc-fields"))
    return records


def compress(record: bytes, level: int = 9) -> bytes:
    """One gzip member, the same on each run."""
    return gzip.compress(record, level, mtime=0)


def pack(records: list[bytes]) -> bytes:
    """One member a record, as the standard recommends."""
    return b"".join(map(compress, records))


def make_arc(count: int = 3) -> list[bytes]:
    """Records of an ARC file, its version block first."""
    version = b"1 0 Danubia\nURL IP-address Archive-date Content-type Archive-length\n\n"
    records = [b"filedesc://notes.arc 0.0.0.0 20010203040506 text/plain %d\n%s\n" % (len(version), version)]
    for number in range(1, count + 1):
        block = make_http(make_html(number))
        head = b"https://www.example.org/%d 192.0.2.1 20010203040506 text/html %d\n" % (number, len(block))
        records.append(head + block + b"\n")
    return records


def damage(data: bytes, start: int, count: int = 12) -> bytes:
    """Overwrite some bytes."""
    return data[:start] + bytes((byte + 101) % 256 for byte in data[start : start + count]) + data[start + count :]


def flip_check(member: bytes) -> bytes:
    """Spoil a member's CRC alone."""
    return member[:-8] + bytes([member[-8] ^ 1]) + member[-7:]


def make_archives() -> dict[str, bytes]:
    """All archives by file name."""
    pages = [make_page(number) for number in range(1, 6)]
    members = [compress(page) for page in pages]
    stored = make_record("response", 90, make_http(pack(pages), "Content-Type: application/gzip"))
    stored_plain = make_record("response", 90, make_http(b"".join(pages), "Content-Type: application/warc"))
    html_error = b"<!DOCTYPE html><html><title>503</title><h1>Service unavailable</h1></html>"
    return {
        "good.warc.gz": pack(make_crawl()),
        "good.warc": b"".join(make_crawl()),
        "good.arc": b"".join(make_arc()),
        "good.arc.gz": pack(make_arc()),
        "empty.warc.gz": b"",
        "xml_error.warc.gz": b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>',
        "html_error.warc": html_error,
        "html_error_compressed.warc.gz": compress(html_error),
        "cut_in_last_member.warc.gz": b"".join(members)[:-70],
        "cut_in_last_trailer.warc.gz": b"".join(members)[:-3],
        "cut_in_last_record.warc": b"".join(pages)[:-150],
        "cut_in_stored_warc.warc": pages[0] + stored_plain[: len(stored_plain) // 2],
        "damaged_first_member.warc.gz": damage(b"".join(members), 0),
        "damaged_middle_member.warc.gz": members[0] + damage(members[1], 60) + b"".join(members[2:]),
        "damaged_checksum.warc.gz": members[0] + flip_check(members[1]) + b"".join(members[2:]),
        "damaged_twice.warc.gz": b"".join(
            [members[0], damage(members[1], 60), members[2], damage(members[3], 60), members[4]]
        ),
        "damaged_and_cut.warc.gz": (members[0] + damage(members[1], 60) + b"".join(members[2:]))[:-70],
        "lost_bytes.warc.gz": b"".join(members[:2])[:-90] + b"".join(members[2:]),
        "lost_edge.warc.gz": b"".join(members[:2])[:-90] + members[2][50:] + b"".join(members[3:]),
        "zero_padding.warc.gz": b"".join(members[:2]) + bytes(512) + b"".join(members[2:]) + bytes(100),
        "foreign_bytes.warc.gz": b"".join(members[:2]) + b"no member at all" * 9 + b"".join(members[2:]),
        "length_too_long.warc.gz": pack([pages[0], make_page(2, length=4000), *pages[2:]]),
        "length_too_short.warc.gz": pack([pages[0], make_page(2, length=200), *pages[2:]]),
        "length_missing.warc.gz": pack([pages[0], make_page(2, length=None), *pages[2:]]),
        "length_no_number.warc.gz": pack([pages[0], make_page(2, length="many"), *pages[2:]]),
        "length_too_long.warc": b"".join([pages[0], make_page(2, length=700), *pages[2:]]),
        "length_far_too_long.warc": b"".join([pages[0], make_page(2, length=10**15), *pages[2:]]),
        "length_too_short.warc": b"".join([pages[0], make_page(2, length=200), *pages[2:]]),
        "length_missing.warc": b"".join([pages[0], make_page(2, length=None), *pages[2:]]),
        "bad_header.warc.gz": pack([pages[0], pages[1].replace(b"WARC/1.0", b"WRAC/1.0"), *pages[2:]]),
        "bad_header.warc": b"".join([pages[0], pages[1].replace(b"WARC/1.0", b"WRAC/1.0"), *pages[2:]]),
        "bad_status.warc.gz": pack([pages[0], pages[1].replace(b"HTTP/1.1 200 OK", b"HTTP/1.1 fine"), *pages[2:]]),
        "one_member.warc.gz": compress(b"".join(pages)),
        "one_member_cut.warc.gz": compress(b"".join(pages))[:-120],
        "one_member_length_too_short.warc.gz": compress(b"".join([pages[0], make_page(2, length=200), *pages[2:]])),
        "stored_warc.warc.gz": members[0] + compress(stored) + members[1],
        "stored_warc.warc": pages[0] + stored_plain + pages[1],
        "stored_warc_damaged.warc.gz": members[0] + damage(compress(stored), 0, 4) + members[1],
        "bare_newlines.warc.gz": pack([page.replace(b"\r\n", b"\n") for page in fix_lengths(5)]),
    }


def fix_lengths(count: int) -> list[bytes]:
    """Pages whose length is right once their CR LF have become LF."""
    blocks = [make_http(make_html(number)) for number in range(1, count + 1)]
    return [
        make_record("response", number, block, length=len(block.replace(b"\r\n", b"\n")))
        for number, block in enumerate(blocks, 1)
    ]


if __name__ == "__main__":
    for name, data in make_archives().items():
        FOLDER.joinpath(name).write_bytes(data)
