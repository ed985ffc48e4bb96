"""Headings, lists, quotations, definition lists, disclosure blocks, rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from danubia_core.nodes import (
    Definition,
    DefinitionList,
    Details,
    Heading,
    Item,
    List,
    Quote,
    Term,
    ThematicBreak,
)

if TYPE_CHECKING:
    from danubia_core.collect import Collector


def open_heading(c: Collector, i: int) -> int:
    """Open h1 to h6."""
    level, flags = int(c.document.tag[i][1]), c.flags

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Heading(flags, level, content))

    c.open_inline_block(c.document.end[i], finish)
    return i + 1


def open_list(c: Collector, i: int) -> int:
    """Open ul or ol; loose content among its items becomes items."""
    document, flags = c.document, c.flags
    ordered = document.tag[i] == "ol"
    start = _parse_start(document.attrs[i].get("start"))

    def finish(content: list[Any]) -> None:
        items = [node if type(node) is Item else Item(flags, None, [node]) for node in content]
        if items:
            c.blocks.append(List(flags, ordered, start, items))

    c.open_container(document.end[i], finish)
    return i + 1


def _parse_start(value: str | None) -> int:
    try:
        number = int(value) if value else 1
    except ValueError:
        return 1
    return number if 0 <= number < 1_000_000_000 else 1


def open_item(c: Collector, i: int) -> int:
    """Open li; outside a list it is a plain block."""
    document, flags = c.document, c.flags
    if document.tag[document.parent[i]] not in ("ul", "ol", "menu", "dir"):
        c.open_plain(document.end[i])
        return i + 1

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Item(flags, None, content))

    c.open_container(document.end[i], finish)
    return i + 1


def open_quote(c: Collector, i: int) -> int:
    """Open blockquote."""
    flags = c.flags

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Quote(flags, "", content))

    c.open_container(c.document.end[i], finish)
    return i + 1


def open_definition_list(c: Collector, i: int) -> int:
    """Open dl; anything in it that is neither term nor definition becomes a definition."""
    flags = c.flags

    def finish(content: list[Any]) -> None:
        parts = [node if type(node) in (Term, Definition) else Definition(flags, [node]) for node in content]
        if parts:
            c.blocks.append(DefinitionList(flags, parts))

    c.open_container(c.document.end[i], finish)
    return i + 1


def open_term(c: Collector, i: int) -> int:
    """Open dt."""
    flags = c.flags

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Term(flags, content))

    if not _is_in_dl(c, i):
        c.open_plain(c.document.end[i])
    else:
        c.open_inline_block(c.document.end[i], finish)
    return i + 1


def open_definition(c: Collector, i: int) -> int:
    """Open dd."""
    flags = c.flags

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Definition(flags, content))

    if not _is_in_dl(c, i):
        c.open_plain(c.document.end[i])
    else:
        c.open_container(c.document.end[i], finish)
    return i + 1


def _is_in_dl(c: Collector, i: int) -> bool:
    tag, parent = c.document.tag, c.document.parent
    up = parent[i]
    return tag[up] == "dl" or (tag[up] == "div" and tag[parent[up]] == "dl")


def add_rule(c: Collector, i: int) -> int:
    """Add hr, once in a row and not inside inline content."""
    c.flush()
    return c.document.end[i]


BLOCK_HANDLERS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), open_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), open_list),
    "li": open_item,
    "blockquote": open_quote,
    "dl": open_definition_list,
    "dt": open_term,
    "dd": open_definition,
    "hr": add_rule,
}
