"""Small archives for the tests, written record by record."""

from __future__ import annotations

import io
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PARAGRAPH = (
    "The mill by the river {number} ground flour for the whole valley, until the great flood took its wheel away. "
)


def make_page(number: int) -> bytes:
    """Give a page with enough text to be extracted, its number in title and text."""
    text = PARAGRAPH.format(number=number) * 4
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>Mill {number}</title></head>"
        f"<body><nav><a href=/>Home</a></nav><article><h1>Mill {number}</h1><p>{text}</p><p>{text}</p></article>"
        "</body></html>"
    ).encode()


def write_archive(path: Path, pages: list[bytes], *, host: str = "mills.example") -> Path:
    """Write a crawl-like archive: warcinfo, then request and response for each page, and one redirect at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        info = writer.create_warcinfo_record(path.name, {"software": "test"})
        writer.write_record(info)
        info.raw_stream.close()
        for number, page in enumerate(pages):
            add_response(writer, f"https://{host}/{number}", page)
        add_response(writer, f"https://{host}/old", b"", status="301 Moved Permanently")
    return path


def add_response(writer: WARCWriter, url: str, body: bytes, *, status: str = "200 OK", kind: str = "text/html") -> None:
    """Write a request and its response."""
    date = {"WARC-Date": "2026-10-03T01:02:03Z"}
    asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "mills.example")], is_http_request=True)
    request = writer.create_warc_record(
        url, "request", http_headers=asked, payload=io.BytesIO(b""), warc_headers_dict=date
    )
    head = StatusAndHeaders(status, [("Content-Type", kind)], protocol="HTTP/1.1")
    response = writer.create_warc_record(
        url, "response", http_headers=head, payload=io.BytesIO(body), warc_headers_dict=date
    )
    writer.write_request_response_pair(request, response)
    for record in (request, response):
        record.raw_stream.close()
