"""Code blocks and inline code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from danubia_core.document import TEXT, Document
from danubia_core.nodes import Code, CodeBlock

if TYPE_CHECKING:
    from danubia_core.collect import Collector

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|highlight-source|brush:)[-_ ]*([A-Za-z0-9+#_.]+)")


def read_code(document: Document, i: int, dropped: bytearray) -> str:
    """Return the characters of all descendants of `i`; br and block boundaries are line breaks."""
    tags, texts, ends = document.tag, document.text, document.end
    parts: list[str] = []
    k, stop = i + 1, ends[i]
    while k < stop:
        tag = tags[k]
        if dropped[k]:
            k = ends[k]
            continue
        if tag == TEXT:
            parts.append(texts[k])
        elif tag == "br":
            parts.append("\n")
        elif tag in ("div", "p", "li", "tr") and parts and not parts[-1].endswith("\n"):
            parts.append("\n")
        k += 1
    return "".join(parts)


def find_language(document: Document, i: int) -> str:
    """Return the language that class names at or around `i` tell, or ''."""
    candidates = [i, *document.children(i)[:1], document.parent[i], document.parent[document.parent[i]]]
    for k in candidates:
        match = _LANGUAGE.search(document.attrs[k].get("class", ""))
        if match:
            return match[1].lower()
    return ""


def add_code_block(c: Collector, i: int) -> int:
    """Add pre."""
    document = c.document
    text = read_code(document, i, c.dropped).replace("\r\n", "\n").strip("\n").rstrip()
    if text.strip():
        if c.inline_only:
            c.add_inline(Code(c.flags, " ".join(text.split())))
        else:
            c.add_block(CodeBlock(c.flags, find_language(document, i), text))
    return document.end[i]


def add_code(c: Collector, i: int) -> int:
    """Add code, kbd, samp, tt; one that holds pre is transparent."""
    document = c.document
    if document.find(i, {"pre", "div", "p", "ul", "table"}) >= 0:
        return i + 1
    text = read_code(document, i, c.dropped)
    if "\n" in text.strip() and document.tag[i] == "code" and document.find(i, {"br"}) >= 0 and not c.inline_only:
        c.add_block(CodeBlock(c.flags, find_language(document, i), text.strip("\n")))
        return document.end[i]
    text = " ".join(text.split())
    if text:
        c.add_inline(Code(c.flags, text))
    return document.end[i]


CODE_HANDLERS = {
    "pre": add_code_block,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), add_code),
}
