"""What to read when the visible page is nearly empty: noscript copies, JSON-LD bodies, page state.

Pages that a script renders often carry their content a second time: for readers without scripts, for search engines,
or as the state the script starts from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from danubia_core.document import Document
from danubia_core.parse import parse_html

NEARLY_EMPTY_BYTES: Final = 250  # a page whose chosen text is shorter is looked at again
NOTHING_BYTES: Final = 100  # with less than this, even what the rules discard is worth a look
MINIMUM_GAIN: Final = 3  # a copy must hold this many times the text found before
MAX_STATE_VALUES: Final = 200_000
BODY_KEYS: Final = ("articleBody", "text", "reviewBody", "description")
_MARKUP = re.compile(r"<(?:p|br|div|h[1-6]|ul|li|strong|em|a|table)\b", re.IGNORECASE)
_PROSE_BYTES: Final = 200


def parse_noscript(markup: bytes, document: Document) -> Document | None:
    """Parse again with the content of noscript elements, or None where they hold little more than the page."""
    if b"<noscript" not in markup and b"<NOSCRIPT" not in markup:
        return None
    again = parse_html(markup, keep_noscript=True)
    gained = again.text_before[-1] - document.text_before[-1]
    return again if gained >= NEARLY_EMPTY_BYTES else None


def read_json_ld_body(document: Document) -> str:
    """Return markup made of the longest body text in the page's JSON-LD, or ''."""
    best = ""
    for script in document.json_ld:
        for value in _walk(_decode(script)):
            if isinstance(value, dict):
                for key in BODY_KEYS:
                    body = value.get(key)
                    if isinstance(body, str) and len(body) > len(best):
                        best = body
    return _to_markup(best) if len(best.encode("utf-8", "replace")) >= _PROSE_BYTES else ""


def read_page_state(document: Document) -> str:
    """Return markup made of the prose strings in the page's state scripts, or ''."""
    parts: list[str] = []
    seen: set[str] = set()
    for script in document.page_state:
        for value in _walk(_decode(script)):
            if isinstance(value, str) and value not in seen and _is_prose(value):
                seen.add(value)
                parts.append(_to_markup(value))
    return "\n".join(parts)


def _decode(script: str) -> Any:
    try:
        return msgspec.json.decode(script.strip().encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None


def _walk(value: Any) -> Iterator[Any]:
    """Yield all dicts and strings inside a JSON value, in order, without recursion."""
    stack, count = [value], 0
    while stack and count < MAX_STATE_VALUES:
        item = stack.pop()
        count += 1
        if isinstance(item, dict):
            yield item
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, str):
            yield item


def _is_prose(value: str) -> bool:
    size = len(value.encode("utf-8", "replace"))
    if size < _PROSE_BYTES or value.startswith(("http", "{", "[", "data:")):
        return False
    head = value[:400]
    return " " in head or not head.isascii()


def _to_markup(body: str) -> str:
    if _MARKUP.search(body):
        return body
    text = body.replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"<p>{line}</p>" for line in text.splitlines() if line.strip())
