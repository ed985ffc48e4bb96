"""Headings and thematic breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from danubia_core.handlers.lines import push
from danubia_core.nodes import Heading, Image, Paragraph, Strong, ThematicBreak

if TYPE_CHECKING:
    from danubia_core.collect import Collector

HEADING_TAGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")


def open_heading(c: Collector, i: int) -> int:
    """Open h1 to h6."""
    return _open(c, i, int(c.document.tag[i][1]))


def open_role_heading(c: Collector, i: int) -> int:
    """Open an element whose role is heading; its level is aria-level, 2 if it has none."""
    level = c.document.attrs[i].get("aria-level", "")
    return _open(c, i, min(int(level), 6) if level.isdecimal() and level.isascii() and int(level) > 0 else 2)


def _open(c: Collector, i: int, level: int) -> int:
    def finish(content: list[Any]) -> None:
        if any(type(node) is Strong for node in content):
            content = _flatten_bold(content)
        if not content:
            return
        is_picture = all(type(node) is Image and not node.alt for node in content)
        c.blocks.append(Paragraph(c.flags, content) if is_picture else Heading(c.flags, level, content))

    c.open_inline_block(c.document.end[i], finish)
    return i + 1


def _flatten_bold(content: list[Any]) -> list[Any]:
    """Return a heading's content without bold wrappers: all of it is bold."""
    out: list[Any] = []
    for node in content:
        for child in node.children if type(node) is Strong else [node]:
            push(out, child)
    return out


def add_rule(c: Collector, i: int) -> int:
    """Add hr between content: never first, never twice in a row."""
    c.flush()
    if c.blocks and not c.inline_only and c.kind != "list" and type(c.blocks[-1]) is not ThematicBreak:
        c.blocks.append(ThematicBreak(c.flags))
    return c.document.end[i]


HEADING_HANDLERS = {**dict.fromkeys(HEADING_TAGS, open_heading), "hr": add_rule}
