"""Which records are pages: HTML responses of status 2xx. Everything else is a skip with a reason.

Decisions, in this order:

- `response` records count by their HTTP status and type. A `resource` record that is HTML (by the record's own
  Content-Type) is a page of status 200: crawlers write it for what they fetched by other means than HTTP.
- A page is HTML when the HTTP header says text/html or application/xhtml+xml, or when the crawler identified it as
  such.
- Without a type, or with one that says nothing (application/octet-stream and the like), the body is sniffed with the
  table of the WHATWG MIME Sniffing standard, section 7.1. For text/plain only a doctype or an html or head tag
  counts: source code shown as text begins with other tags.
- A body that begins with the magic of a picture, PDF, archive or other binary format is no page, whatever its label.
"""

from __future__ import annotations

import re

from transforms.http_payload import HttpError, Response, decode_payload, parse_response
from transforms.pages import Page, RangeSpec, ReadFailure
from transforms.read_options import ReadOptions
from transforms.warc_records import Record

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
UNTOLD_TYPES = frozenset({
    "", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown", "*/*",
    "application/force-download", "application/download", "application/x-unknown-content-type",
    "application/x-httpd-php", "application/html", "text", "html", "text/htm", "text/xhtml",
})  # fmt: skip
HTML_START = re.compile(
    rb"<!--|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r />]",
    re.IGNORECASE,
)
PLAIN_HTML_START = re.compile(rb"(?:<!doctype html|<(?:html|head))[\t\n\f\r />]", re.IGNORECASE)
BEFORE_START = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*(?:<\?xml[^>]{0,200}>[\t\n\f\r ]*)?")
BINARY_STARTS = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OggS\x00", "application/ogg"),
    (b"\x7fELF", "application/x-executable"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)
TYPE_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]{0,30}/[a-z0-9][a-z0-9.+-]{0,50}")
WARC_TYPES = frozenset({
    "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation", "arc-header",
})  # fmt: skip


def select_page(
    record: Record, spec: RangeSpec, place: tuple[int, int], options: ReadOptions
) -> Page | ReadFailure | str:
    """Make a Page of a record, or give the reason to skip it, or the failure to read its payload.

    `place` is the offset and length, in bytes of the file, of what holds the record.
    """
    kind = record.headers.get("warc-type", "").lower()
    if kind not in {"response", "resource"}:
        return "revisit" if kind == "revisit" else f"record-type:{kind if kind in WARC_TYPES else 'other'}"
    try:
        response = read_resource(record) if kind == "resource" else parse_response(record.block)
    except HttpError as error:
        return make_failure(record.headers, spec, place, "http", error)
    if response is None:
        return "no-http-header" if record.block else "empty-body"
    if not 200 <= response.status <= 299:
        return f"http-status:{response.status // 100}xx"
    if not response.body:
        return "empty-body"
    reason = skip_by_type(response.content_type, record.headers)
    return reason or _make_page(record, response, spec, place, options)


def read_resource(record: Record) -> Response:
    """Take a resource record for a response of status 200 without HTTP headers."""
    return Response(200, {}, record.headers.get("content-type", ""), bytes(record.block))


def skip_by_type(content_type: str, headers: dict[str, str]) -> str:
    """Reason to skip a response that its labels already tell to be no HTML, before its body is decoded; else ""."""
    essence = get_essence(content_type)
    identified = get_essence(headers.get("warc-identified-payload-type", ""))
    if essence in HTML_TYPES or identified in HTML_TYPES or essence in UNTOLD_TYPES or essence == "text/plain":
        return ""
    return f"not-html:{name_type(essence)}"


def get_essence(content_type: str) -> str:
    """Give a media type without its parameters, lower-case.

    >>> get_essence(" Text/HTML; charset=utf-8")
    'text/html'
    """
    return re.split(r"[;, \t]", content_type.strip(), maxsplit=1)[0].lower()


def name_type(essence: str) -> str:
    """Make a media type fit for a skip reason: "missing" for none, "other" for what is no type's name."""
    if not essence:
        return "missing"
    return essence if TYPE_NAME.fullmatch(essence) else "other"


def sniff_type(body: bytes, essence: str) -> str:
    r"""Tell the type that a body's first bytes show: "text/html", a binary format's type, or "" for neither.

    >>> sniff_type(b"\n <!DOCTYPE html>", ""), sniff_type(b"%PDF-1.4", "text/html"), sniff_type(b"<p>", "text/plain")
    ('text/html', 'application/pdf', '')
    """
    for magic, name in BINARY_STARTS:
        if body.startswith(magic):
            return name
    start = BEFORE_START.match(body)
    pattern = PLAIN_HTML_START if essence == "text/plain" else HTML_START
    return "text/html" if start and pattern.match(body, start.end()) else ""


def _make_page(
    record: Record, response: Response, spec: RangeSpec, place: tuple[int, int], options: ReadOptions
) -> Page | ReadFailure | str:
    headers = record.headers
    payload = decode_payload(response, options.max_page_bytes)
    if not payload.body:
        if payload.is_partial:
            return make_failure(headers, spec, place, "payload", HttpError("none of the encoded body can be decoded"))
        return "empty-body"
    essence = get_essence(response.content_type)
    identified = headers.get("warc-identified-payload-type", "")
    sniffed = sniff_type(payload.body, essence)
    is_labelled = essence in HTML_TYPES or get_essence(identified) in HTML_TYPES
    if sniffed != "text/html" and (sniffed or not is_labelled):
        return f"not-html:{sniffed or name_type(essence)}"
    is_cut = payload.is_cut or record.cut
    truncated = (
        "length" if is_cut else headers.get("warc-truncated", "") or ("unspecified" if payload.is_partial else "")
    )
    return Page(
        url=get_url(headers),
        warc=spec.warc,
        offset=place[0],
        length=place[1],
        date=headers.get("warc-date", ""),
        status=response.status,
        content_type=response.content_type,
        body=payload.body,
        digest=headers.get("warc-payload-digest", ""),
        record_id=headers.get("warc-record-id", ""),
        truncated=truncated,
        identified_type=identified,
        range=spec,
        notes=payload.notes,
    )


def get_url(headers: dict[str, str]) -> str:
    """Give the record's target, without the angle brackets that some writers put around it."""
    url = headers.get("warc-target-uri", "")
    return url[1:-1] if url.startswith("<") and url.endswith(">") else url


def make_failure(
    headers: dict[str, str], spec: RangeSpec, place: tuple[int, int], stage: str, error: Exception, name: str = ""
) -> ReadFailure:
    """Describe what went wrong with one record, as far as its headers are known."""
    return ReadFailure(
        warc=spec.warc,
        offset=place[0],
        length=place[1],
        url=get_url(headers),
        stage=stage,
        error=name or type(error).__name__,
        message=" ".join(str(error).split())[:500],
        record_id=headers.get("warc-record-id", ""),
        range=spec,
    )
