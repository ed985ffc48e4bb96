"""Bytes of a page to text: as browsers do, then by what the bytes themselves say.

Order: byte order mark, HTTP header, meta element or XML declaration (WHATWG HTML, "determining the character
encoding"; names and labels by the WHATWG Encoding Standard), then detection. Two departures, for what a crawl holds:
bytes that read as UTF-8 are UTF-8 whatever the label says, and a label that the bytes contradict gives way to
detection. docs/decoding.md has the reasons.
"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

import chardetng_py

from danubia_core.charsets import (
    CODECS,
    PRESCAN_BYTES,
    SEVEN_BIT,
    Label,
    Source,
    find_country,
    find_labels,
    look_up_label,
)
from danubia_core.controls import clean_controls, holds_controls

LATE_PRESCAN_BYTES: Final = 65_536  # a browser that meets a late meta element starts again; so do we, where it matters
SAMPLE_WINDOW_BYTES: Final = 65_536
SAMPLE_BYTES: Final = 4096  # detection is right on all of the comparison's texts of 1,000 bytes
CHECKED_BYTES: Final = 8192
# Whole UTF-8 sequences per broken one that make a page UTF-8; 200 bytes of legacy text reach 0.44 by chance.
UTF8_PER_BROKEN: Final = 2
UTF8_PER_BROKEN_DECLARED: Final = 1
MAX_REPLACED_SHARE: Final = 0.02  # of the bytes above 0x7F, before a legacy label is doubted

UTF8_BOM: Final = b"\xef\xbb\xbf"
BOMS: Final = ((UTF8_BOM, "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# To the end of the text node, or of the first word past 400 bytes: no character of any encoding is cut there.
NON_ASCII_RUN: Final = re.compile(rb"[\x80-\xff][^<>]{0,400}+[^<>\s]*+")
RUN_LEAD_BYTES: Final = 24
HIGH_BYTES: Final = bytes(range(0x80, 0x100))


class Decoded(NamedTuple):
    """A page's text and how it was read.

    Attributes:
        charset: the Encoding Standard's name in lower case, such as "windows-1252".
        source: what named it: "bom", "header", "meta" (or the XML declaration), "detected", or "default": nothing did.
        replaced: U+FFFD characters that stand for bytes the encoding cannot read. A sequence cut by the end of the
            payload is dropped and not counted.
    """

    text: str
    charset: str
    source: Source
    replaced: int


class Utf8(NamedTuple):
    """A page as UTF-8 bytes, which is what the parser wants; `Decoded` tells what the other fields are."""

    data: bytes
    charset: str
    source: Source
    replaced: int


def decode_html(data: bytes, content_type: str | None = None) -> Decoded:
    """Decode a page's bytes; `content_type` is the HTTP header's value.

    Never raises: what cannot be read becomes U+FFFD and is counted. The byte order mark is taken off, and control
    characters are taken out as `clean_controls` does.

    >>> decode_html("Größe".encode("latin-1"), "text/html; charset=iso-8859-1")
    Decoded(text='Größe', charset='windows-1252', source='header', replaced=0)
    """
    recoded = recode_html(data, content_type)
    return Decoded(recoded.data.decode(), *recoded[1:])


def recode_html(data: bytes, content_type: str | None = None) -> Utf8:
    """Read a page as `decode_html` does, but give it as UTF-8: bytes that are so already stand as they are.

    They are only checked, in pieces that stay in the processor's cache: to decode a page and encode it again for the
    parser takes ten times as long.
    """
    recoded = _check_utf8(data, content_type)
    if recoded is None:
        decoded = _decode_marked(data) or _decode_doubtful(data, content_type)
    elif not holds_controls(recoded.data):
        return recoded
    else:
        decoded = Decoded(recoded.data.decode(), *recoded[1:])
    return Utf8(clean_controls(decoded.text).encode("utf-8", "replace"), *decoded[1:])


def _check_utf8(data: bytes, content_type: str | None) -> Utf8 | None:
    """Take the common case; None where there is doubt."""
    if data.startswith(UTF8_BOM):
        return None
    if data.isascii():
        labels = find_labels(data, content_type, PRESCAN_BYTES)
        if b"\x1b" in data or b"\0" in data or any(label.codec in SEVEN_BIT.values() for label in labels):
            return None
        return Utf8(data, *_name_ascii(labels), 0)
    whole = _measure_utf8(data)
    if whole < 0 or (whole < len(data) and data[:whole].isascii()):
        return None
    source = _find_source(find_labels(data, content_type, PRESCAN_BYTES), "utf-8")
    return Utf8(data if whole == len(data) else data[:whole], "utf-8", source, 0)


def _measure_utf8(data: bytes) -> int:
    """Return where the last whole sequence of UTF-8 ends, for the payload may be cut; -1 if any other is broken."""
    at, used = 0, 1
    try:
        while used and at < len(data):
            piece = data[at : at + CHECKED_BYTES]
            used = codecs.utf_8_decode(piece, "strict", False)[1]  # noqa: FBT003 - positional only: `final`
            at += used
    except UnicodeDecodeError:
        return -1
    return at


def _decode_marked(data: bytes) -> Decoded | None:
    for bom, name in BOMS:
        if data.startswith(bom):
            return _decode_as(data[len(bom) :], Label(name, CODECS.get(name, name), "bom"))
    return None


def _find_source(labels: list[Label], name: str) -> Source:
    return next((label.source for label in labels if label.name == name), "detected")


def _name_ascii(labels: list[Label]) -> tuple[str, Source]:
    """Name the encoding of ASCII text: every label reads it alike, but UTF-16, which cannot be true."""
    label = next((label for label in labels if not label.name.startswith("utf-16")), None)
    return (label.name, label.source) if label else ("utf-8", "default")


def _decode_doubtful(data: bytes, content_type: str | None) -> Decoded:
    """Decode bytes that are not plain UTF-8: by shape, by label, by detection, in this order."""
    labels = find_labels(data, content_type, PRESCAN_BYTES) or find_labels(data, None, LATE_PRESCAN_BYTES)
    if wide := _guess_utf16(data, labels):
        return _decode_as(data, wide)
    if data.isascii():
        return _decode_seven_bit(data, labels)
    high_bytes = len(data) - len(data.translate(None, HIGH_BYTES))
    as_utf8 = _decode_as(data, Label("utf-8", "utf-8", _find_source(labels, "utf-8")))
    whole = len(as_utf8.text) - (len(data) - high_bytes) - as_utf8.replaced
    is_declared = as_utf8.source != "detected"
    if whole and whole >= as_utf8.replaced * (UTF8_PER_BROKEN_DECLARED if is_declared else UTF8_PER_BROKEN):
        return as_utf8
    named = None
    for label in labels:
        if label.name.startswith("utf-"):
            continue
        named = _decode_as(data, label)
        if named.replaced <= high_bytes * MAX_REPLACED_SHARE:
            return named
    detected = _decode_as(data, _detect_charset(data))
    return named if named and named.replaced <= detected.replaced else detected


def _decode_as(data: bytes, label: Label) -> Decoded:
    """Decode with one codec; a sequence cut by the end is dropped, for the decoder is told that more may come."""
    has_holes = label.name.startswith("windows-") or label.name == "x-user-defined"
    decoder = codecs.getincrementaldecoder(label.codec)(C1_HANDLER if has_holes else "replace")
    text = decoder.decode(data)
    replaced = text.count("\ufffd")
    if replaced and label.name == "utf-8":
        replaced -= data.count(b"\xef\xbf\xbd")  # those the page's author wrote
    return Decoded(text, label.name, label.source, replaced)


def _decode_seven_bit(data: bytes, labels: list[Label]) -> Decoded:
    """Decode ASCII bytes that may spell ISO-2022-JP, ISO-2022-KR (by their escapes) or HZ (when a label says so)."""
    candidates = [label for label in labels if label.codec in SEVEN_BIT.values()]
    if b"\x1b$)C" in data:
        candidates.append(Label("iso-2022-kr", "iso2022_kr", "detected"))
    elif b"\x1b$" in data:
        candidates += [label for label in labels if label.name == "iso-2022-jp"]
        candidates.append(Label("iso-2022-jp", CODECS["iso-2022-jp"], "detected"))
    for label in candidates:
        decoded = _decode_as(data, label)
        if not decoded.replaced or label.source != "detected":
            return decoded
    return Decoded(data.decode("ascii"), *_name_ascii(labels), 0)


def _guess_utf16(data: bytes, labels: list[Label]) -> Label | None:
    """Tell UTF-16 without a mark by its NULs: markup is ASCII, so every other byte of it is one.

    Browsers would trust a header's label alone; but ASCII pages carry it too, and the NULs tell the byte order as well.
    """
    head = data[: PRESCAN_BYTES & ~1]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) < max(8, len(head) // 5, 4 * min(even, odd)):
        return None
    name = "utf-16be" if even > odd else "utf-16le"
    return Label(name, CODECS[name], _find_source(labels, name))


def _detect_charset(data: bytes) -> Label:
    """Ask the detector about the text nodes that are not ASCII: some `SAMPLE_BYTES` of them, without markup."""
    first = NON_ASCII_RUN.search(data)
    start = max(0, first.start() - RUN_LEAD_BYTES) if first else 0
    window = data[start : start + SAMPLE_WINDOW_BYTES]
    runs, size, end = [], 0, 0
    for match in NON_ASCII_RUN.finditer(window):
        runs.append(window[max(end, match.start() - RUN_LEAD_BYTES) : match.end()])
        size, end = size + len(runs[-1]), match.end()
        if size >= SAMPLE_BYTES:
            break
    detector = chardetng_py.EncodingDetector()
    # Not the last: the cut may go through a character, which is no fault of the encoding.
    detector.feed(b" ".join(runs)[:SAMPLE_BYTES], last=False)
    name = detector.guess(tld=find_country(data), allow_utf8=False)
    found = look_up_label("windows-874" if name == "cp874" else name, "detected")
    return found or Label("windows-1252", "cp1252", "default")


C1_HANDLER: Final = "danubia_core.c1"


def _read_c1(error: UnicodeError) -> tuple[str, int]:
    """Read 0x80 to 0x9F as the control of that number where a windows table has a hole, as the standard does."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start]
    return chr(byte) if 0x80 <= byte <= 0x9F else "\ufffd", error.start + 1


codecs.register_error(C1_HANDLER, _read_c1)


def replace_surrogates(text: str) -> str:
    r"""Put U+FFFD for lone surrogates, in text that came as str: it could not be written as UTF-8.

    >>> replace_surrogates("a\ud800b") == "a\ufffdb"
    True
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def read_markup(html: bytes | str, content_type: str | None = None) -> tuple[bytes, str, str]:
    """Return a page's markup as UTF-8 bytes, the charset it was in, and how that was found ("str" for characters)."""
    if isinstance(html, str):
        return clean_controls(replace_surrogates(html)).encode("utf-8", "replace"), "utf-8", "str"
    markup, charset, source, _ = recode_html(html, content_type)
    return markup, charset, source
