"""Write samples/sample.warc.gz from samples/pages, laid out as Common Crawl lays its archives out.

Usage: ``python samples/write_warc.py [--check]``. With ``--check`` nothing is written: exit status 1 when the archive is stale.

The file starts with a warcinfo record; then come request, response and metadata records, one gzip member a record. Besides the pages
it holds what every crawl holds: a redirect, an error page, a PDF, robots.txt, JSON, a revisit and a page that was cut short. Dates are
fixed and record ids are hashes of the record's place, so the records are the same bytes on every machine. Their compressed form
may differ between zlib builds, which is why ``--check`` compares the decompressed members.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import struct
import sys
import tomllib
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = Path(__file__).parent
PAGES = HERE / "pages"
ARCHIVE = HERE / "sample.warc.gz"

CRAWL = "DANUBIA-SAMPLE-2026-10"
SOFTWARE = "danubia samples/write_warc.py"
AGENT = "DanubiaSample/1.0 (+https://crawler.example.org/)"
START = datetime(2026, 10, 3, 4, 5, 6, tzinfo=timezone.utc)
IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://crawler.example.org/sample")

Headers = list[tuple[str, str]]

# Pages whose body travels encoded. Crawlers that decode first leave X-Crawl-… headers behind; these two kept the wire form.
WIRE_ENCODING = {
    "article-fr-salt-marsh": "gzip",
    "documentation-en-queue-cli": "chunked",
}

# What servers say besides Content-Type; a page takes the row that its name's checksum picks.
SERVERS: tuple[Headers, ...] = (
    [("Server", "nginx"), ("Vary", "Accept-Encoding"), ("X-Crawl-Content-Encoding", "gzip")],
    [("Server", "Apache"), ("Cache-Control", "max-age=600"), ("Connection", "close")],
    [("server", "edge"), ("x-cache", "HIT"), ("strict-transport-security", "max-age=31536000"), ("X-Crawl-Content-Encoding", "br")],
    [("Set-Cookie", "sid=0; Path=/; HttpOnly"), ("X-Powered-By", "a framework"), ("X-Crawl-Transfer-Encoding", "chunked")],
    [("Server", "Microsoft-IIS/6.0"), ("Pragma", "no-cache")],
)

NOT_FOUND = b"""<!DOCTYPE html>
<html lang="en"><head><title>404: nothing here</title></head><body>
<h1>Nothing here</h1><p>The page that you asked for has moved, or never was. Try the <a href="/">front page</a>.</p>
</body></html>
"""
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
ROBOTS = b"User-agent: *\nDisallow: /cart/\nSitemap: https://shop.example.com/sitemap.xml\n"
JSON = b'{"items": [{"id": 1, "name": "Kettle"}, {"id": 2, "name": "Ladle"}], "next": null}\n'

TRUNCATED_PAGE = "documentation-en-queue-cli"
TRUNCATED_AT_BYTES = 3000
REVISITED_PAGE = "article-en-tide-mills"


@dataclass(frozen=True, kw_only=True)
class Capture:
    """One fetch: what the crawler asked for and what came back."""

    url: str
    body: bytes
    status: str = "200 OK"
    content_type: str = "text/html; charset=utf-8"
    headers: Headers = field(default_factory=list)
    language: str = ""
    truncated: str = ""
    revisits: bool = False


def wrap_gzip(body: bytes) -> bytes:
    """Return `body` as a gzip member of stored blocks: valid gzip whose bytes do not depend on the zlib build."""
    parts = [b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"]
    for start in range(0, len(body), 0xFFFF):
        block = body[start : start + 0xFFFF]
        last = start + 0xFFFF >= len(body)
        parts += [struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF), block]
    return b"".join([*parts, struct.pack("<II", zlib.crc32(body), len(body) & 0xFFFFFFFF)])


def wrap_chunks(body: bytes, size: int = 1500) -> bytes:
    """Return `body` in HTTP/1.1 chunked transfer coding (RFC 9112, 7.1), `size` bytes a chunk."""
    chunks = (body[start : start + size] for start in range(0, len(body), size))
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


def load_page(folder: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the bytes of source.html and the table of page.toml."""
    return (folder / "source.html").read_bytes(), tomllib.loads((folder / "page.toml").read_text("utf-8"))


def capture_page(folder: Path) -> Capture:
    """Return the capture of one sample page, with a server's headers around it."""
    source, page = load_page(folder)
    body, headers = encode_body(folder.name, source)
    server = SERVERS[zlib.crc32(folder.name.encode()) % len(SERVERS)]
    if folder.name in WIRE_ENCODING:
        server = [(name, value) for name, value in server if not name.startswith("X-Crawl-")]
    return Capture(
        url=page["url"], body=body, content_type=page["content_type"], headers=[*server, *headers], language=page["language"]
    )


def list_others() -> Iterator[Capture]:
    """Yield the captures that are no pages, or only a part of one."""
    yield Capture(url="http://shop.example.com/", body=b"", status="301 Moved Permanently", content_type="text/html",
                  headers=[("Location", "https://shop.example.com/"), ("Content-Length", "0")])  # fmt: skip
    yield Capture(url="https://shop.example.com/old-teapots", body=NOT_FOUND, status="404 Not Found", content_type="text/html")
    yield Capture(url="https://harbour.example.org/files/tide-table.pdf", body=PDF, content_type="application/pdf")
    yield Capture(url="https://shop.example.com/robots.txt", body=ROBOTS, content_type="text/plain")
    yield Capture(url="https://shop.example.com/api/items?page=1", body=JSON, content_type="application/json")
    source, page = load_page(PAGES / REVISITED_PAGE)
    yield Capture(url=page["url"], body=source, content_type=page["content_type"], revisits=True)
    source, page = load_page(PAGES / TRUNCATED_PAGE)
    yield Capture(url=page["url"] + "?print=1", body=source[:TRUNCATED_AT_BYTES], content_type=page["content_type"], truncated="length")


def list_captures() -> list[Capture]:
    """Return every capture: the pages by name, the others spread among them as in a crawl."""
    captures = [capture_page(folder) for folder in sorted(PAGES.iterdir()) if (folder / "page.toml").exists()]
    for nth, other in enumerate(list_others(), start=1):
        captures.insert(nth * 6, other)
    return captures


class SampleArchive:
    """Writes captures as records; knows the clock and the names of records."""

    def __init__(self, out: io.BytesIO) -> None:
        self.writer = WARCWriter(out, gzip=True, warc_version="1.0")
        self.count = 0
        self.dates: dict[str, str] = {}
        self.info_id = self.make_id("warcinfo")

    def make_id(self, kind: str) -> str:
        return f"<urn:uuid:{uuid.uuid5(IDS, f'{self.count}/{kind}')}>"

    def date(self) -> str:
        return format_date(START + timedelta(seconds=self.count))

    def write_info(self) -> None:
        fields = {
            "isPartOf": CRAWL,
            "publisher": "Danubia",
            "description": "Pages written for Danubia, laid out as a crawl",
            "operator": "Danubia (https://crawler.example.org/)",
            "hostname": "crawler.example.org",
            "software": SOFTWARE,
            "robots": "checked via crawler-commons",
            "format": "WARC File Format 1.0",
            "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.0/",
        }
        headers = {"WARC-Date": self.date(), "WARC-Record-ID": self.info_id, "WARC-Filename": ARCHIVE.name}
        self.write("", "warcinfo", format_fields(fields), headers)

    def write_capture(self, capture: Capture) -> None:
        self.count += 1
        request, response = self.make_id("request"), self.make_id("response")
        common = {"WARC-Date": self.date(), "WARC-Warcinfo-ID": self.info_id}
        address = {"WARC-IP-Address": f"192.0.2.{1 + zlib.crc32(urlsplit(capture.url).netloc.encode()) % 250}"}
        self.write(capture.url, "request", b"", {**common, **address, "WARC-Record-ID": request}, request_head(capture.url))
        headers = {**common, **address, "WARC-Record-ID": response, "WARC-Concurrent-To": request}
        self.write_response(capture, headers)
        meta = {**common, "WARC-Record-ID": self.make_id("metadata"), "WARC-Concurrent-To": response}
        self.write(capture.url, "metadata", self.describe(capture), meta)

    def write_response(self, capture: Capture, headers: dict[str, str]) -> None:
        reply = [("Date", format_http_date(START + timedelta(seconds=self.count))), ("Content-Type", capture.content_type)]
        head = StatusAndHeaders(capture.status, [*reply, *capture.headers], protocol="HTTP/1.1")
        if capture.revisits:
            digest = "sha1:" + base32_sha1(capture.body)
            profile = {"WARC-Profile": self.writer.REVISIT_PROFILE, "WARC-Payload-Digest": digest,
                       "WARC-Refers-To-Target-URI": capture.url, "WARC-Refers-To-Date": self.dates[capture.url]}  # fmt: skip
            self.write(capture.url, "revisit", b"", headers | profile, head)
            return
        self.dates[capture.url] = self.date()
        extra = {"WARC-Identified-Payload-Type": capture.content_type.partition(";")[0]}
        if capture.truncated:
            extra["WARC-Truncated"] = capture.truncated
        self.write(capture.url, "response", capture.body, headers | extra, head)

    def describe(self, capture: Capture) -> bytes:
        fields = {"fetchTimeMs": str(40 + zlib.crc32(capture.url.encode()) % 900)}
        if capture.language:
            fields["languages-cld2"] = f'{{"reliable":true,"languages":[{{"code":"{capture.language}","text-covered":0.97}}]}}'
        return format_fields(fields)

    def write(self, url: str, kind: str, body: bytes, headers: dict[str, str], head: StatusAndHeaders | None = None) -> None:
        record = self.writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), length=len(body), warc_headers_dict=headers, http_headers=head
        )
        self.writer.write_record(record)


def request_head(url: str) -> StatusAndHeaders:
    """Return the request line and headers of a crawler's GET."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [("User-Agent", AGENT), ("Accept", "text/html,*/*;q=0.8"), ("Accept-Encoding", "br,gzip"), ("Host", parts.netloc)]
    return StatusAndHeaders(f"GET {target} HTTP/1.1", headers, is_http_request=True)


def format_fields(fields: dict[str, str]) -> bytes:
    """Return application/warc-fields."""
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()


def format_date(when: datetime) -> str:
    """Return a WARC date, in UTC, to the second."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def format_http_date(when: datetime) -> str:
    """Return an HTTP date; spelled here because strftime follows the locale."""
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[when.weekday()]
    return f"{day}, {when.day:02} Oct {when.year} {when:%H:%M:%S} GMT"


def base32_sha1(body: bytes) -> str:
    """Return SHA-1 in base 32, the form of WARC digests."""
    return base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def build_archive() -> bytes:
    """Return the whole archive, one gzip member a record."""
    out = io.BytesIO()
    archive = SampleArchive(out)
    archive.write_info()
    for capture in list_captures():
        archive.write_capture(capture)
    return out.getvalue()


def main() -> int:
    """Write the archive, or with --check compare it with the one on disk; return the exit status."""
    parser = argparse.ArgumentParser(description="Write samples/sample.warc.gz from samples/pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the archive is stale")
    check = parser.parse_args().check
    built = build_archive()
    if not check:
        ARCHIVE.write_bytes(built)
        return 0
    if ARCHIVE.exists() and gzip.decompress(ARCHIVE.read_bytes()) == gzip.decompress(built):
        return 0
    sys.stderr.write(f"{ARCHIVE.name} is stale: run python samples/write_warc.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
