"""Write samples/sample.warc.gz from samples/pages, laid out as Common Crawl lays its archives out.

Usage: ``python samples/write_warc.py [--check]``. With ``--check`` nothing is written: exit status 1 if the archive is
stale.

The file starts with a warcinfo record; then come request, response and metadata records, one gzip member a record.
Besides the pages it holds what every crawl holds: a redirect, an error page, a PDF, robots.txt, JSON, a revisit and a
page that was cut short. Dates are fixed and record ids are hashes of the record's place, so the records are the same
bytes on every machine. Their compressed form may differ between zlib builds, which is why ``--check`` compares the
decompressed members.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import struct
import sys
import tomllib
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = Path(__file__).parent
PAGES = HERE / "pages"
ARCHIVE = HERE / "sample.warc.gz"

AGENT = "DanubiaSample/1.0 (+https://crawler.example.org/)"
INFO = {
    "isPartOf": "DANUBIA-SAMPLE-2026-40",
    "publisher": "Danubia",
    "description": "Pages written for Danubia, laid out as a crawl",
    "operator": "Danubia (https://crawler.example.org/)",
    "hostname": "crawler.example.org",
    "software": "danubia samples/write_warc.py",
    "robots": "none asked: nothing was fetched",
    "format": "WARC File Format 1.0",
    "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.0/",
}
START = datetime(2026, 10, 3, 4, 5, 6, tzinfo=UTC)
IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://crawler.example.org/sample")

Headers = list[tuple[str, str]]

# Pages whose body travels encoded. Most crawlers decode first and leave X-Crawl-… headers; these kept the wire form.
WIRE_ENCODING = {
    "article-fr-salt-marsh": "gzip",
    "documentation-en-queue-cli": "chunked",
}

# What servers say besides Content-Type; a page takes the row that its name's checksum picks.
SERVERS: tuple[Headers, ...] = (
    [("Server", "nginx"), ("Vary", "Accept-Encoding"), ("X-Crawl-Content-Encoding", "gzip")],
    [("Server", "Apache"), ("Cache-Control", "max-age=600"), ("Connection", "close")],
    [("server", "edge"), ("x-cache", "HIT"), ("X-Crawl-Content-Encoding", "br")],
    [("Set-Cookie", "sid=0; Path=/; HttpOnly"), ("X-Crawl-Transfer-Encoding", "chunked")],
    [("Server", "Microsoft-IIS/6.0"), ("Pragma", "no-cache")],
)

NOT_FOUND = b"""<!DOCTYPE html>
<html lang="en"><head><title>404: nothing here</title></head><body>
<h1>Nothing here</h1><p>The page that you asked for has moved, or never was. Try the <a href="/">front page</a>.</p>
</body></html>
"""
PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
%%EOF
"""
ROBOTS = b"User-agent: *\nDisallow: /cart/\nSitemap: https://shop.example.com/sitemap.xml\n"
JSON = b'{"items": [{"id": 1, "name": "Kettle"}, {"id": 2, "name": "Ladle"}], "next": null}\n'

REVISITED_PAGE = "article-en-tide-mills"
TRUNCATED_PAGE = "documentation-en-queue-cli"
TRUNCATED_AT_BYTES = 6000

# One capture that is no page, or only a part of one, follows after so many captures.
SPREAD = 6


@dataclass(frozen=True, kw_only=True)
class Capture:
    """One fetch: what the crawler asked for and what came back.

    `body` is the payload as it travelled, in bytes; `truncated` is the value of WARC-Truncated, "" for a whole body.
    """

    url: str
    body: bytes
    status: str = "200 OK"
    content_type: str = "text/html"
    headers: Headers = field(default_factory=list)
    language: str = ""
    truncated: str = ""
    is_revisit: bool = False


def wrap_gzip(body: bytes) -> bytes:
    """Return `body` as a gzip member of stored blocks: valid gzip, the same bytes with every zlib build."""
    parts = [b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"]
    for start in range(0, len(body), 0xFFFF):
        block = body[start : start + 0xFFFF]
        is_last = start + 0xFFFF >= len(body)
        parts += [struct.pack("<BHH", is_last, len(block), len(block) ^ 0xFFFF), block]
    return b"".join([*parts, struct.pack("<II", zlib.crc32(body), len(body) & 0xFFFFFFFF)])


def wrap_chunks(body: bytes, *, chunk_bytes: int = 1500) -> bytes:
    """Return `body` in HTTP's chunked transfer coding (RFC 9112, 7.1)."""
    chunks = (body[start : start + chunk_bytes] for start in range(0, len(body), chunk_bytes))
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def encode_body(slug: str, body: bytes) -> tuple[bytes, Headers]:
    """Return the page's bytes as they travelled and the headers that say so."""
    encoding = WIRE_ENCODING.get(slug)
    if encoding == "gzip":
        wire = wrap_gzip(body)
        return wire, [("Content-Encoding", "gzip"), ("Content-Length", str(len(wire)))]
    if encoding == "chunked":
        return wrap_chunks(body), [("Transfer-Encoding", "chunked")]
    return body, [("Content-Length", str(len(body)))]


def load_page(slug: str) -> tuple[bytes, dict[str, Any]]:
    """Return the bytes of a page's source.html and the table of its page.toml."""
    folder = PAGES / slug
    return (folder / "source.html").read_bytes(), tomllib.loads((folder / "page.toml").read_text("utf-8"))


def capture_page(slug: str) -> Capture:
    """Return the capture of one sample page, with a server's headers around it."""
    source, page = load_page(slug)
    body, framing = encode_body(slug, source)
    server = SERVERS[zlib.crc32(slug.encode()) % len(SERVERS)]
    if slug in WIRE_ENCODING:
        server = [(name, value) for name, value in server if not name.startswith("X-Crawl-")]
    headers = [*server, *framing]
    return Capture(
        url=page["url"], body=body, content_type=page["content_type"], headers=headers, language=page["language"]
    )


def list_others() -> Iterator[Capture]:
    """Yield the captures that are no pages, or only a part of one."""
    moved = [("Location", "https://shop.example.com/"), ("Content-Length", "0")]
    yield Capture(url="http://shop.example.com/", body=b"", status="301 Moved Permanently", headers=moved)
    yield Capture(url="https://shop.example.com/old-teapots", body=NOT_FOUND, status="404 Not Found")
    yield Capture(url="https://harbour.example.org/tide-table.pdf", body=PDF, content_type="application/pdf")
    yield Capture(url="https://shop.example.com/robots.txt", body=ROBOTS, content_type="text/plain")
    yield Capture(url="https://shop.example.com/api/items?page=1", body=JSON, content_type="application/json")
    source, page = load_page(REVISITED_PAGE)
    yield Capture(url=page["url"], body=source, content_type=page["content_type"], is_revisit=True)
    source, page = load_page(TRUNCATED_PAGE)
    cut, url = source[:TRUNCATED_AT_BYTES], page["url"] + "?print=1"
    yield Capture(url=url, body=cut, content_type=page["content_type"], truncated="length")


def list_captures() -> list[Capture]:
    """Return every capture: the pages by name, the others spread among them as in a crawl."""
    captures = [capture_page(folder.parent.name) for folder in sorted(PAGES.glob("*/page.toml"))]
    for nth, other in enumerate(list_others(), start=1):
        captures.insert(nth * SPREAD, other)
    return captures


class SampleArchive:
    """Writes captures as records into `out`; knows the clock and how records are named."""

    def __init__(self, out: io.BytesIO) -> None:
        self.writer = WARCWriter(out, gzip=True, warc_version="1.0")
        self.count = 0
        self.info_id = self.make_id("warcinfo")
        self.digests: dict[str, tuple[str, str]] = {}

    def make_id(self, kind: str) -> str:
        """Return the id of the current capture's record of this kind."""
        return f"<urn:uuid:{uuid.uuid5(IDS, f'{self.count}/{kind}')}>"

    def now(self) -> datetime:
        """Return the time of the current capture: one a second."""
        return START + timedelta(seconds=self.count)

    def write_info(self) -> None:
        """Write the warcinfo record."""
        headers = {"WARC-Date": format_date(self.now()), "WARC-Record-ID": self.info_id, "WARC-Filename": ARCHIVE.name}
        self.write("", "warcinfo", format_fields(INFO), headers)

    def write_capture(self, capture: Capture) -> None:
        """Write a capture's three records: request, response (or revisit), metadata."""
        self.count += 1
        url, host = capture.url, urlsplit(capture.url).netloc
        request, response = self.make_id("request"), self.make_id("response")
        common = {"WARC-Date": format_date(self.now()), "WARC-Warcinfo-ID": self.info_id}
        wire = {**common, "WARC-IP-Address": f"192.0.2.{1 + zlib.crc32(host.encode()) % 250}"}
        self.write(url, "request", b"", {**wire, "WARC-Record-ID": request}, make_request(url))
        self.write_response(capture, {**wire, "WARC-Record-ID": response, "WARC-Concurrent-To": request})
        links = {"WARC-Record-ID": self.make_id("metadata"), "WARC-Concurrent-To": response}
        self.write(url, "metadata", describe_fetch(capture), {**common, **links})

    def write_response(self, capture: Capture, headers: dict[str, str]) -> None:
        """Write a response record, or a revisit that points to the response with the same payload."""
        reply = [("Date", format_http_date(self.now())), ("Content-Type", capture.content_type), *capture.headers]
        head = StatusAndHeaders(capture.status, reply, protocol="HTTP/1.1")
        if capture.is_revisit:
            date, digest = self.digests[capture.url]
            profile = {
                "WARC-Profile": WARCWriter.REVISIT_PROFILE,
                "WARC-Payload-Digest": digest,
                "WARC-Refers-To-Target-URI": capture.url,
                "WARC-Refers-To-Date": date,
            }
            self.write(capture.url, "revisit", b"", headers | profile, head)
            return
        extra = {
            "WARC-Payload-Digest": "sha1:" + base64.b32encode(hashlib.sha1(capture.body).digest()).decode(),
            "WARC-Identified-Payload-Type": identify_type(capture),
        }
        if capture.truncated:
            extra["WARC-Truncated"] = capture.truncated
        self.digests[capture.url] = headers["WARC-Date"], extra["WARC-Payload-Digest"]
        self.write(capture.url, "response", capture.body, headers | extra, head)

    def write(
        self, url: str, kind: str, body: bytes, headers: dict[str, str], head: StatusAndHeaders | None = None
    ) -> None:
        """Write one record as one gzip member; `head` are the HTTP headers of a request or response."""
        record = self.writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), length=len(body), warc_headers_dict=headers, http_headers=head
        )
        self.writer.write_record(record)


def make_request(url: str) -> StatusAndHeaders:
    """Return the request line and headers of a crawler's GET."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [("User-Agent", AGENT), ("Accept", "text/html,*/*;q=0.8"), ("Host", parts.netloc)]
    return StatusAndHeaders(f"GET {target} HTTP/1.1", headers, is_http_request=True)


def identify_type(capture: Capture) -> str:
    """Return what a detector would say of the payload: XHTML by its doctype, else what the server said."""
    if b"//DTD XHTML" in capture.body[:200]:
        return "application/xhtml+xml"
    return capture.content_type.partition(";")[0].strip()


def describe_fetch(capture: Capture) -> bytes:
    """Return the metadata record's block: how long the fetch took and, for pages, the language that was detected."""
    fields = {"fetchTimeMs": str(40 + zlib.crc32(capture.url.encode()) % 900)}
    if capture.language:
        guess = f'{{"code":"{capture.language}","text-covered":0.97}}'
        fields["languages-cld2"] = f'{{"reliable":true,"languages":[{guess}]}}'
    return format_fields(fields)


def format_fields(fields: dict[str, str]) -> bytes:
    """Return a block of application/warc-fields."""
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()


def format_date(when: datetime) -> str:
    """Return a WARC date, to the second."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def format_http_date(when: datetime) -> str:
    """Return an HTTP date of the sample's month; its names are spelled here because strftime follows the locale."""
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[when.weekday()]
    return f"{weekday}, {when.day:02} Oct {when.year} {when:%H:%M:%S} GMT"


def build_archive() -> bytes:
    """Return the whole archive, one gzip member a record."""
    out = io.BytesIO()
    archive = SampleArchive(out)
    archive.write_info()
    for capture in list_captures():
        archive.write_capture(capture)
    return out.getvalue()


def split_members(archive: bytes) -> list[bytes]:
    """Return the decompressed records, one a gzip member; raise zlib.error for what is no gzip."""
    members = []
    while archive:
        inflater = zlib.decompressobj(wbits=31)
        members.append(inflater.decompress(archive))
        archive = inflater.unused_data
    return members


def is_current(built: bytes) -> bool:
    """Tell whether the archive on disk holds the same records as `built`."""
    if not ARCHIVE.exists():
        return False
    try:
        return split_members(ARCHIVE.read_bytes()) == split_members(built)
    except zlib.error:
        return False


def main() -> int:
    """Write the archive, or with --check compare it with the one on disk; return the exit status."""
    parser = argparse.ArgumentParser(description="Write samples/sample.warc.gz from samples/pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the archive is stale")
    check = parser.parse_args().check
    built = build_archive()
    if is_current(built):
        return 0
    if check:
        print(f"{ARCHIVE.name} is stale: run python samples/write_warc.py", file=sys.stderr)
        return 1
    ARCHIVE.write_bytes(built)
    return 0


if __name__ == "__main__":
    sys.exit(main())
