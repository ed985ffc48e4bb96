"""Control characters in a page's text: what XML, JSON readers and Arrow consumers trip over."""

from __future__ import annotations

import re
from typing import Final


def _map_controls() -> dict[str, str]:
    gone = dict.fromkeys(map(chr, (*range(0x20), 0x7F, 0xFFFE, 0xFFFF)), "")
    for kept in "\t\n\r":
        del gone[kept]
    # In a page, U+0096 is a windows-1252 dash that someone re-encoded as if it were Latin-1.
    meant = {chr(code): bytes((code,)).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
    return gone | meant | {"\v": " ", "\f": " "}  # a line or page feed parts words


CONTROLS: Final = _map_controls()
ASCII_CONTROLS: Final = tuple(char.encode() for char in CONTROLS if char.isascii())
MAX_LOOKS: Final = 500
C1_AS_UTF8: Final = re.compile(rb"\xc2[\x80-\x9f]")


def holds_controls(data: bytes) -> bool:
    """Tell whether UTF-8 bytes spell any of `CONTROLS`.

    One search per character is one sweep by memchr; with a class of characters, it costs five times as much.
    """
    if any(control in data for control in ASCII_CONTROLS) or _holds_c1(data):
        return True
    return b"\xef" in data and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data)


def _holds_c1(data: bytes) -> bool:
    """Look at what follows 0xC2, which few pages hold often; the slower search is for those."""
    at = -1
    for _ in range(MAX_LOOKS):
        at = data.find(b"\xc2", at + 1)
        if at < 0:
            return False
        if data[at + 1 : at + 2] < b"\xa0":
            return True
    return C1_AS_UTF8.search(data, at) is not None


def clean_controls(text: str) -> str:
    r"""Take out the control characters that XML, JSON readers and Arrow consumers trip over.

    C0 controls but tab, line feed and carriage return, DEL, U+FFFE and U+FFFF go; vertical tab and form feed become a
    space; C1 controls become the windows-1252 character that was meant, or go. `decode_html` has done so already.

    >>> clean_controls("mea\0sured 3 \x96 4")
    'measured 3 – 4'
    """
    for control, meant in CONTROLS.items():
        if control in text:
            text = text.replace(control, meant)
    return text
