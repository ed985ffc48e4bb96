"""What a page says of itself: the encoding that its header or markup names, and the country of its language.

Names and labels are those of the WHATWG Encoding Standard; the search is WHATWG HTML's "prescan a byte stream to
determine its encoding", over more bytes and with a tolerance for broken attributes.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

import webencodings

Source = Literal["bom", "header", "meta", "detected", "default"]

PRESCAN_BYTES: Final = 4096  # the standard says 1,024; pages with long comments or inline styles first declare later
# Python's codecs under the standard's names, where the two differ: the standard means the widest table of each family.
CODECS: Final = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-8-i": "iso8859_8",
    "macintosh": "mac_roman",
    "shift_jis": "cp932",
    "utf-16be": "utf_16_be",
    "utf-16le": "utf_16_le",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-user-defined": "cp1252",  # the standard says so for meta; from a header its private-use characters say nothing
}
# The standard refuses these ("replacement") because scripts could hide in them. Here nothing runs: the text is wanted.
SEVEN_BIT: Final = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr"}

HEADER_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
XML_ENCODING: Final = re.compile(rb"<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([^\"'>]{1,40})[\"']")
# Comments and the attributes of other elements are stepped over, so that a meta element inside them does not count.
TAG_OR_COMMENT: Final = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))|<(meta)(?=[\s/>])((?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+)"
    rb"|</?[a-z](?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+",
    re.IGNORECASE | re.DOTALL,
)
ATTRIBUTE: Final = re.compile(rb"([^\s/=>\"']+)(?:\s*=\s*(?:\"([^\"]*)\"?|'([^']*)'?|([^\s>]*)))?")
HTML_LANG: Final = re.compile(rb"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?([a-z_-]{2,12})", re.IGNORECASE)
# Where the country's code is not the language's own: language, colon, two letters.
COUNTRIES: Final = {
    pair[:-3]: pair[-2:]
    for pair in (
        b"ar:sa be:by cs:cz da:dk el:gr et:ee fa:ir he:il ja:jp ko:kr nb:no sl:si sr:rs sv:se uk:ua vi:vn "
        b"zh-cn:cn zh-hans:cn zh-hant:tw zh-hk:hk zh-tw:tw"  # zh alone is served from both sides
    ).split()
} | {lang: lang for lang in b"bg de es fi fr hr hu is it lt lv mk nl no pt ro ru sk th tr".split()}
# No country for Polish: it makes the detector prefer ISO-8859-2, and more pages are in windows-1250.


class Label(NamedTuple):
    """An encoding that somebody named."""

    name: str  # the standard's name
    codec: str  # Python's
    source: Source


def find_labels(data: bytes, content_type: str | None, limit: int) -> list[Label]:
    """List what the header and the markup's first `limit` bytes name, in the order of their authority."""
    labels = []
    if content_type and (match := HEADER_CHARSET.search(content_type)):
        labels.append(look_up_label(match[1], "header"))
    head = data[:limit]
    meta = _prescan_meta(head)
    if meta is None and (xml := XML_ENCODING.match(head.lstrip())):
        meta = look_up_label(xml[1].decode("latin-1"), "meta")
    if meta and meta.name.startswith("utf-16"):
        meta = Label("utf-8", "utf-8", "meta")  # it could be read as ASCII, so it is no UTF-16
    labels.append(meta)
    return [label for label in labels if label]


def _prescan_meta(head: bytes) -> Label | None:
    """Find the first meta element with a charset that exists (WHATWG HTML, "prescan a byte stream")."""
    for tag in TAG_OR_COMMENT.finditer(head):
        if not tag[1] or b"charset" not in tag[2].lower():
            continue
        attrs: dict[str, str] = {}
        for name, *values in ATTRIBUTE.findall(tag[2]):
            attrs.setdefault(name.decode("latin-1").lower(), b"".join(values).decode("latin-1"))
        value = attrs.get("charset", "")
        if not value and attrs.get("http-equiv", "").strip().lower() == "content-type":
            match = HEADER_CHARSET.search(attrs.get("content", ""))
            value = match[1] if match else ""
        if label := look_up_label(value, "meta"):
            return label
    return None


def look_up_label(label: str, source: Source) -> Label | None:
    """Map a label of the web to the standard's name and a codec; None when the standard does not know it."""
    label = label.strip("\t\n\f\r /,;'\"")  # the standard strips white space; the rest is what sloppy markup leaves
    if codec := SEVEN_BIT.get(label.lower()):
        return Label(label.lower().replace("csiso2022kr", "iso-2022-kr"), codec, source)
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name == "replacement":
        return None
    return Label(encoding.name, CODECS.get(encoding.name, encoding.name), source)


def find_country(data: bytes) -> bytes | None:
    """Name a country for the html element's language: the detector weighs its guess by a top-level domain."""
    match = HTML_LANG.search(data, 0, PRESCAN_BYTES)
    if not match:
        return None
    lang = match[1].lower().replace(b"_", b"-")
    return COUNTRIES.get(lang) or COUNTRIES.get(lang.split(b"-")[0])
