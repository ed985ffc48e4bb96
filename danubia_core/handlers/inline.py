"""Emphasis, links, images, breaks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from danubia_core.nodes import Emphasis, Image, Link, Strike, Strong, Sub, Sup

if TYPE_CHECKING:
    from danubia_core.collect import Collector

_WRAPPERS: dict[str, Any] = {
    "b": Strong, "strong": Strong, "i": Emphasis, "em": Emphasis, "s": Strike, "del": Strike, "strike": Strike,
    "sub": Sub, "sup": Sup,
}  # fmt: skip


def open_wrapper(c: Collector, i: int) -> int:
    """Open emphasis and its like."""
    make = _WRAPPERS[c.document.tag[i]]
    c.open_wrapper(c.document.end[i], partial(make, c.flags))
    return i + 1


def open_link(c: Collector, i: int) -> int:
    """Open a; one with no or a fragment-only target, or a script, is unwrapped."""
    attributes = c.document.attrs[i]
    authored = attributes.get("href", "").strip()
    if not authored or authored[0] == "#" or authored[:11].lower().startswith(("javascript:", "data:")):
        return i + 1
    href = c.resolve(authored)
    title = attributes.get("title", "")
    flags = c.flags

    def make(content: list[Any]) -> Link:
        return Link(flags, href, "" if authored == href else authored, title, content)

    c.open_wrapper(c.document.end[i], make)
    return i + 1


def add_break(c: Collector, i: int) -> int:
    """Add br."""
    c.add_break()
    return i + 1


def add_image(c: Collector, i: int) -> int:
    """Add img; data URIs and tracking pixels are left out."""
    attributes = c.document.attrs[i]
    authored = (attributes.get("data-src") or attributes.get("src") or "").strip()
    if not authored or authored.startswith("data:"):
        return i + 1
    src = c.resolve(authored)
    alt = " ".join(attributes.get("alt", "").split())
    c.add_inline(Image(c.flags, src, "" if authored == src else authored, alt, attributes.get("title", "")))
    return i + 1


INLINE_HANDLERS = {
    **dict.fromkeys(_WRAPPERS, open_wrapper),
    "a": open_link,
    "br": add_break,
    "img": add_image,
}
