"""Which records become pages, and the reason why the others do not."""

from __future__ import annotations

import gzip

import pytest

from tests.warcs.write_warcs import make_html, make_http, make_record
from transforms.pages import Page, RangeSpec, ReadFailure
from transforms.read_options import ReadOptions
from transforms.record_stream import RecordStream
from transforms.select_pages import select_page
from transforms.warc_records import Record, walk_records

SPEC = RangeSpec("a.warc", 0, 1, 0, 1, 1)
HTML = make_html(1)


def select(kind: str, block: bytes, *extra: str) -> Page | ReadFailure | str:
    (record,) = walk_records(RecordStream(iter([make_record(kind, 1, block, *extra)])), 1 << 20)
    assert isinstance(record, Record)
    return select_page(record, SPEC, (0, 1), ReadOptions())


@pytest.mark.parametrize(
    ("status", "expected"),
    [("301 Moved", "3xx"), ("404 Not Found", "4xx"), ("500 Oops", "5xx"), ("100 Continue", "1xx"), ("999 No", "9xx")],
)
def test_status_is_grouped(status: str, expected: str) -> None:
    assert select("response", make_http(HTML, status=status)) == f"http-status:{expected}"


@pytest.mark.parametrize("status", ["200 OK", "203 Other", "206 Partial Content"])
def test_every_2xx_is_a_page(status: str) -> None:
    page = select("response", make_http(HTML, status=status))
    assert isinstance(page, Page)
    assert page.status == int(status[:3])


@pytest.mark.parametrize("kind", ["warcinfo", "request", "metadata", "conversion", "continuation"])
def test_other_records_are_skipped_by_type(kind: str) -> None:
    assert select(kind, make_http(HTML)) == f"record-type:{kind}"


def test_revisit_unknown_type_and_blocks_without_http() -> None:
    assert select("revisit", make_http(b"")) == "revisit"
    assert select("invented\x01kind", b"") == "record-type:other"
    assert select("response", b"2031 example.org A 192.0.2.1") == "no-http-header"
    assert select("response", b"") == "empty-body"
    assert select("response", make_http(b"")) == "empty-body"
    assert (
        select("response", make_http(gzip.compress(b""), "Content-Type: text/html", "Content-Encoding: gzip"))
        == "empty-body"
    )


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/pdf", "not-html:application/pdf"),
        ("Image/PNG; q=1", "not-html:image/png"),
        ("application/json", "not-html:application/json"),
        ("text/xml", "not-html:text/xml"),
        ("<script>alert(1)</script>", "not-html:other"),
        ("a/" + "b" * 500, "not-html:other"),
    ],
)
def test_types_that_are_no_html(content_type: str, expected: str) -> None:
    assert select("response", make_http(HTML, f"Content-Type: {content_type}")) == expected


@pytest.mark.parametrize(
    "content_type", ["text/html", "TEXT/HTML;charset=x", "application/xhtml+xml", "text/html,text/html"]
)
def test_html_by_header_needs_no_tag(content_type: str) -> None:
    page = select("response", make_http(b"Only words.", f"Content-Type: {content_type}"))
    assert isinstance(page, Page)
    assert page.content_type == content_type


def test_html_by_the_crawlers_word() -> None:
    for header in ("Content-Type: application/json", "Server: none"):
        page = select("response", make_http(b"Words.", header), "WARC-Identified-Payload-Type: text/html")
        assert isinstance(page, Page)


@pytest.mark.parametrize("header", ["Server: none", "Content-Type: application/octet-stream", "Content-Type:"])
def test_sniffed_without_a_type_that_tells(header: str) -> None:
    for start in (
        b"<!doctype HTML>",
        b"\n\t <HTML lang=en>",
        b"\xef\xbb\xbf<head>",
        b"<!-- note -->",
        b"<p>",
        b"<br/>",
    ):
        assert isinstance(select("response", make_http(start + b"Words.", header)), Page), start
    for start in (b"<paper>", b"Words <p>", b"{", b"<?php", b"<!DOCTYPE svg>"):
        reason = select("response", make_http(start + b" more", header))
        assert reason in {"not-html:missing", "not-html:application/octet-stream"}, start


def test_sniffing_looks_at_the_decoded_body() -> None:
    block = make_http(gzip.compress(HTML), "Content-Encoding: gzip")
    page = select("response", block)
    assert isinstance(page, Page)
    assert page.body == HTML


def test_plain_text_is_html_only_with_its_outermost_tags() -> None:
    assert isinstance(select("response", make_http(b"<!DOCTYPE html><p>", "Content-Type: text/plain")), Page)
    assert select("response", make_http(b"<p>a tag to show", "Content-Type: text/plain")) == "not-html:text/plain"


@pytest.mark.parametrize(
    ("magic", "kind"),
    [(b"%PDF-1.7", "application/pdf"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"PK\x03\x04", "application/zip")],
)
def test_binary_bodies_are_no_pages_whatever_the_label(magic: bytes, kind: str) -> None:
    assert select("response", make_http(magic + bytes(99), "Content-Type: text/html")) == f"not-html:{kind}"


def test_resource_records_by_their_own_type() -> None:
    page = select("resource", HTML, "Content-Type: text/html; charset=utf-8")
    assert isinstance(page, Page)
    assert (page.status, page.body, page.content_type) == (200, HTML, "text/html; charset=utf-8")
    assert select("resource", b"%PDF-1.4", "Content-Type: application/pdf") == "not-html:application/pdf"


def test_partial_and_cut_payloads_are_flagged() -> None:
    headers = ("Content-Type: text/html", "Content-Encoding: gzip")
    page = select("response", make_http(gzip.compress(HTML * 9)[:-9], *headers))
    assert isinstance(page, Page)
    assert page.truncated == "unspecified"
    named = select("response", make_http(gzip.compress(HTML * 9)[:-9], *headers), "WARC-Truncated: disconnect")
    assert isinstance(named, Page)
    assert named.truncated == "disconnect"


def test_a_body_of_which_nothing_can_be_decoded_is_a_failure() -> None:
    failure = select(
        "response", make_http(gzip.compress(HTML)[:10], "Content-Type: text/html", "Content-Encoding: gzip")
    )
    assert isinstance(failure, ReadFailure)
    assert (failure.stage, failure.url) == ("payload", "https://www.example.org/1")


def test_angle_brackets_around_the_address_go() -> None:
    record = make_record("response", 1, make_http(HTML)).replace(
        b"https://www.example.org/1", b"<https://www.example.org/1>"
    )
    (read,) = walk_records(RecordStream(iter([record])), 1 << 20)
    assert isinstance(read, Record)
    page = select_page(read, SPEC, (0, 1), ReadOptions())
    assert isinstance(page, Page)
    assert page.url == "https://www.example.org/1"
