"""Emphasis, links, line breaks, quotation marks, ruby."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from danubia_core.handlers.footnote import add_note_mark, add_plain_mark, is_inside_note
from danubia_core.nodes import Emphasis, FootnoteRef, Link, Strike, Strong, Sub, Sup
from danubia_core.serializers.addresses import is_followable

if TYPE_CHECKING:
    from danubia_core.collect import Collector

WRAPPERS: Final[dict[str, Any]] = {
    "b": Strong, "strong": Strong, "i": Emphasis, "em": Emphasis, "s": Strike, "del": Strike, "strike": Strike,
    "sub": Sub,
}  # fmt: skip
_BOLD_STYLE = re.compile(r"font-weight:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ITALIC_STYLE = re.compile(r"font-style:\s*italic", re.IGNORECASE)
ANCHOR_SYMBOLS: Final = frozenset("¶ # § 🔗 ⚓ ⚓︎ ∞".split())
ANCHOR_WORDS: Final = ("permalink", "permanent link", "link to this", "copy link", "direct link", "anchor", "#")


def open_wrapper(c: Collector, i: int) -> int:
    """Open emphasis and its like, unless its style takes the emphasis away (as a word processor's export does)."""
    document = c.document
    if "normal" not in document.attrs[i].get("style", ""):
        c.open_wrapper(document.end[i], partial(WRAPPERS[document.tag[i]], c.flags))
    return i + 1


def open_styled_text(c: Collector, i: int) -> int:
    """Open a span whose style makes it bold or italic, as word processors and editors write emphasis."""
    style = c.document.attrs[i]["style"]
    if _BOLD_STYLE.search(style):
        c.open_wrapper(c.document.end[i], partial(Strong, c.flags))
    if _ITALIC_STYLE.search(style):
        c.open_wrapper(c.document.end[i], partial(Emphasis, c.flags))
    return i + 1


def open_raised(c: Collector, i: int) -> int:
    """Open sup; the marks of footnotes need none around them."""
    document = c.document
    number = document.text[i + 1].strip(" []()") if document.end[i] == i + 2 else ""
    if number.isdecimal() and len(number) < 4 and add_plain_mark(c, i, number):
        return i + 2

    def make(content: list[Any]) -> Any:
        marks = [node for node in content if type(node) is FootnoteRef]
        rest = [node for node in content if type(node) is not FootnoteRef]
        is_mark = marks and all(type(node) is str and not node.strip(" []()|,;") for node in rest)
        return marks if is_mark else Sup(c.flags, content)

    c.open_wrapper(c.document.end[i], make)
    return i + 1


def open_link(c: Collector, i: int) -> int:
    """Open a; one with no or a fragment-only target, or a script, is unwrapped."""
    document = c.document
    attributes = document.attrs[i]
    authored = attributes.get("href", "").strip()
    if not authored:
        return i + 1
    if "#" in authored:
        if c.inline_only and _is_permalink(c, i):
            return document.end[i]
        if add_note_mark(c, i, authored):
            return document.end[i]
    if authored[0] == "#" or not is_followable(authored):
        return i + 1
    if is_inside_note(c) and "ftnref" in authored:
        return document.end[i]
    href = c.resolve(authored)
    title = " ".join(attributes.get("title", "").split())
    flags = c.flags
    if authored == href:
        authored = ""

    def make(content: list[Any]) -> Link:
        return Link(flags, href, authored, title, content)

    c.open_wrapper(document.end[i], make, is_link=True)
    return i + 1


def _is_permalink(c: Collector, i: int) -> bool:
    """Whether a link in a heading only leads to the heading."""
    if c.document.text_bytes(i) > 40:
        return False
    text = c.document.inner_text(i)
    if not text or text in ANCHOR_SYMBOLS:
        return c.document.find(i, {"img"}) < 0
    size, outer = c.document.text_bytes(i), c.document.text_bytes(c.document.parent[i])
    return text.lower().startswith(ANCHOR_WORDS) and outer > size


def add_break(c: Collector, i: int) -> int:
    """Add br."""
    c.add_break()
    return i + 1


def open_quotation(c: Collector, i: int) -> int:
    """Open q: a browser shows quotation marks around it."""
    c.add_text("\N{LEFT DOUBLE QUOTATION MARK}")

    def close() -> None:
        if c.space and c.inline and type(c.inline[-1]) is str:
            c.inline[-1] = c.inline[-1].rstrip()
        c.add_text("\N{RIGHT DOUBLE QUOTATION MARK}")

    c.frames.append((c.document.end[i], close))
    return i + 1


def open_ruby_text(c: Collector, i: int) -> int:
    """Open rt: in parentheses after what it annotates, which are the page's own if it has rp."""
    document = c.document
    after = document.end[i]
    if "rp" not in document.tag[after : after + 2]:
        c.add_text("(")
        c.frames.append((after, lambda: c.add_text(")")))
    return i + 1


INLINE_HANDLERS = {
    **dict.fromkeys(WRAPPERS, open_wrapper),
    "sup": open_raised,
    "a": open_link,
    "br": add_break,
    "q": open_quotation,
    "rt": open_ruby_text,
}
