"""HTTP payloads: transfer and content encodings undone, wrong labels survived, everything bounded."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from transforms.content_codings import undo_coding
from transforms.http_payload import HttpError, Response, decode_payload, parse_response, undo_chunks

MIB = 1 << 20
HTML = b"<!DOCTYPE html><html><body>" + b"".join(b"<p>Line %d of the ferry's log.</p>" % n for n in range(2000))


def bare_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def chunk(body: bytes, size: int, extension: bytes = b"") -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(part), extension, part) for part in parts) + b"0\r\n\r\n"


def count_body_bytes(whole: bytes, cut: int) -> int:
    """How many of the body's bytes lie before `cut` in its chunked form."""
    place = count = 0
    while place < cut:
        line_end = whole.index(b"\r\n", place) + 2
        size = int(whole[place : line_end - 2], 16)
        count += min(size, max(0, cut - line_end))
        place = line_end + size + 2
    return count


def decode(body: bytes, limit: int = 64 * MIB, **headers: str) -> tuple[bytes, tuple[str, ...], bool, bool]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    payload = decode_payload(Response(200, named, "text/html", body), limit)
    return payload.body, payload.notes, payload.is_cut, payload.is_partial


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_each_content_coding_is_undone(name: str) -> None:
    assert decode(ENCODERS[name](HTML), content_encoding=name.upper()) == (HTML, (), False, False)


def test_bare_deflate_and_several_gzip_members() -> None:
    assert decode(bare_deflate(HTML), content_encoding="deflate")[0] == HTML
    assert decode(gzip.compress(HTML[:900]) + gzip.compress(HTML[900:]), content_encoding="gzip")[0] == HTML


def test_stacked_codings_are_undone_in_reverse_order() -> None:
    body = brotli.compress(gzip.compress(zlib.compress(HTML)))
    assert decode(body, content_encoding="deflate, gzip,br") == (HTML, (), False, False)
    assert decode(chunk(gzip.compress(HTML), 700), transfer_encoding="chunked", content_encoding="gzip")[0] == HTML
    assert decode(chunk(gzip.compress(HTML), 700), transfer_encoding="gzip, chunked")[0] == HTML


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_a_wrong_label_leaves_the_bytes_as_they_are(name: str) -> None:
    for body in (HTML, b"plain words, no markup at all " * 9, b"{'a': 1}", b"x"):
        assert decode(body, content_encoding=name) == (body, (f"{name}-absent",), False, False)


def test_the_magic_tells_what_the_label_does_not() -> None:
    assert decode(gzip.compress(HTML), content_encoding="br") == (HTML, ("br-was-gzip",), False, False)
    assert decode(zstandard.compress(HTML), content_encoding="gzip") == (HTML, ("gzip-was-zstd",), False, False)


def test_labels_that_change_nothing_or_are_unknown() -> None:
    assert decode(HTML, content_encoding="identity, UTF-8,") == (HTML, (), False, False)
    assert decode(HTML, content_encoding="lzw\x01") == (HTML, ("unknown:lzw?",), False, False)


def test_what_the_crawler_has_undone_is_not_undone_again() -> None:
    assert decode(HTML, x_crawl_content_encoding="gzip", x_crawl_transfer_encoding="chunked") == (
        HTML,
        (),
        False,
        False,
    )


@pytest.mark.parametrize("name", ["gzip", "deflate", "br"])
def test_a_body_that_ends_early_gives_what_there_is(name: str) -> None:
    encoded = ENCODERS[name](HTML)
    body, notes, is_cut, is_partial = decode(encoded[: len(encoded) * 2 // 3], content_encoding=name)
    assert HTML.startswith(body)
    assert len(body) > len(HTML) // 4
    assert (notes, is_cut, is_partial) == ((f"{name}-partial",), False, True)


def test_a_damaged_body_gives_what_lies_before_the_damage() -> None:
    encoded = gzip.compress(HTML)
    body, notes, _, is_partial = decode(encoded[:3000] + bytes(99) + encoded[3099:], content_encoding="gzip")
    assert HTML.startswith(body[: len(HTML) // 8])
    assert (notes, is_partial) == (("gzip-partial",), True)


def test_a_zstd_frame_that_tells_its_size_is_seen_to_be_cut() -> None:
    encoded = zstandard.compress(HTML * 20)
    assert decode(encoded[:-40], content_encoding="zstd")[3]


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bombs_are_cut_at_the_limit(name: str) -> None:
    bomb = ENCODERS[name](bytes(8 * MIB))
    assert len(bomb) < MIB
    body, _, is_cut, is_partial = decode(bomb, limit=100_000, content_encoding=name)
    assert (len(body), is_cut, is_partial) == (100_000, True, False)


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    assert decode(HTML, limit=len(HTML))[2] is False
    assert decode(gzip.compress(HTML), limit=len(HTML), content_encoding="gzip")[2] is False
    assert decode(HTML, limit=len(HTML) - 1) == (HTML[:-1], (), True, False)


@given(st.binary(max_size=3000), st.integers(1, 700), st.sampled_from([b"", b";a=b", b" ; x"]))
def test_chunked_reads_back(body: bytes, size: int, extension: bytes) -> None:
    assert undo_chunks(chunk(body, size, extension)) == (body, "")


@given(st.binary(min_size=1, max_size=2000), st.integers(1, 300), st.data())
def test_chunked_cut_anywhere_gives_a_beginning_of_the_body(body: bytes, size: int, data: st.DataObject) -> None:
    whole = chunk(body, size)
    # Before the first size is whole there is nothing to tell chunks by; after the last chunk nothing is missing.
    first, last = whole.index(b"\r\n") + 2, len(whole) - len(b"0\r\n\r\n")
    cut = data.draw(st.integers(first, last))
    decoded, note = undo_chunks(whole[:cut])
    assert note == "chunked-cut"
    assert decoded == body[: count_body_bytes(whole, cut)]


@given(st.binary(max_size=500))
def test_nothing_is_lost_of_what_was_never_chunked(body: bytes) -> None:
    decoded, note = undo_chunks(b"<html>" + body)
    assert (decoded, note) == (b"<html>" + body, "chunked-absent")


@given(st.binary(max_size=400))
def test_any_bytes_can_be_decoded(body: bytes) -> None:
    undo_chunks(body)
    for name in ENCODERS:
        assert len(undo_coding(name, body, 1000).body) <= 1000


def test_a_chunk_that_does_not_end_where_it_says() -> None:
    broken = b"5\r\nfirst\r\n3\r\nsecond\r\n0\r\n\r\n"
    assert undo_chunks(broken) == (b"firstsecond\r\n0\r\n\r\n", "chunked-broken")
    assert undo_chunks(b"3\r\nabc\r\nno size here\r\n") == (b"abcno size here\r\n", "chunked-broken")
    assert undo_chunks(b"0\r\n\r\n") == (b"", "")
    assert undo_chunks(b"1984\r\nwas a year, and this no chunk" * 3)[1] in {"chunked-cut", "chunked-absent"}


def test_http_headers() -> None:
    response = parse_response(
        b"HTTP/1.0 206 Partial\nA: 1\nnonsense\na: 2\nContent-Type: text/html\nContent-Type:\n\nbody"
    )
    assert response == Response(206, {"a": "1, 2", "content-type": "text/html, "}, "text/html", b"body")
    assert parse_response(b"HTTP/2 200\r\n\r\n") == Response(200, {}, "", b"")
    assert parse_response(b"HTTP/1.1 200 OK\r\nA: b") == Response(200, {"a": "b"}, "", b"")
    assert parse_response(b"<html>") is None
    for block in (b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n"):
        with pytest.raises(HttpError, match="no status"):
            parse_response(block)
