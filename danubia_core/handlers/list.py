"""Lists, task lists and definition lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from danubia_core.nodes import Definition, DefinitionList, FootnoteDefinition, Item, List, Term, ThematicBreak

if TYPE_CHECKING:
    from danubia_core.collect import Collector

MAX_NUMBER: Final = 999_999_999


def open_list(c: Collector, i: int) -> int:
    """Open ul or ol."""
    document = c.document
    ordered = document.tag[i] == "ol"
    start = _find_start(c, i) if ordered else 1

    def finish(content: list[Any]) -> None:
        c.blocks.extend(make_lists(content, c.flags, ordered=ordered, start=start))

    c.open_container(document.end[i], finish, "list")
    return i + 1


def _find_start(c: Collector, i: int) -> int:
    """Return the number of the first item: the list's start, or the value of its first item."""
    document = c.document
    value = document.attrs[i].get("start")
    if value is None and i + 1 < document.end[i] and document.tag[i + 1] == "li":
        value = document.attrs[i + 1].get("value")
    value = (value or "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else 1


def make_lists(content: list[Any], flags: int, *, ordered: bool, start: int) -> list[Any]:
    """Return what stands in a list element as blocks: its items as lists, footnotes between them on their own."""
    notes = sum(type(node) is FootnoteDefinition for node in content)
    if notes and ordered and notes * 2 >= len(content):
        content = _number_notes(content, flags, start)
    out: list[Any] = []
    items: list[Item] = []
    for node in content:
        if type(node) is Item:
            items.append(node)
        elif type(node) is FootnoteDefinition:
            if items:
                out.append(List(flags, ordered, start, items))
                start, items = start + len(items), []
            out.append(node)
        elif type(node) is List and items:
            items[-1].children.append(node)  # a list directly inside a list belongs to the item before it
        elif type(node) is not ThematicBreak:
            items.append(Item(flags, None, [node]))
    if items:
        out.append(List(flags, ordered, start, items))
    return out


def _number_notes(content: list[Any], flags: int, start: int) -> list[Any]:
    """Return a list of notes whose items without a mark in the text are notes too, by their numbers."""
    taken = {node.label for node in content if type(node) is FootnoteDefinition}
    out: list[Any] = []
    for number, node in enumerate(content, start):
        is_note = type(node) is Item and str(number) not in taken
        out.append(FootnoteDefinition(flags, str(number), node.children) if is_note else node)
    return out


def group_items(blocks: list[Any], flags: int) -> list[Any]:
    """Gather list items that stand outside any list into lists."""
    out: list[Any] = []
    for node in blocks:
        if type(node) is not Item:
            out.append(node)
        elif out and type(out[-1]) is List and out[-1].start == 0 and not out[-1].ordered:
            out[-1].children.append(node)
        else:
            out.append(List(flags, False, 0, [node]))  # noqa: FBT003 - fields of a node
    for node in out:
        if type(node) is List and node.start == 0 and not node.ordered:
            node.start = 1
    return out


def open_item(c: Collector, i: int) -> int:
    """Open li; outside a list, neighbouring items become one."""
    if c.kind != "list":
        c.stray = True

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Item(c.flags, _find_check(c, i), content))

    c.open_container(c.document.end[i], finish, "item")
    return i + 1


def _find_check(c: Collector, i: int) -> bool | None:
    """Return whether the task is done, None for an item that is no task."""
    document = c.document
    tags, k = document.tag, i + 1
    while k < document.end[i] and tags[k] in ("p", "label", "span", "input"):
        if tags[k] == "input":
            attributes = document.attrs[k]
            names = attributes.get("class", "") + document.attrs[i].get("class", "")
            is_task = "disabled" in attributes or "task" in names
            return "checked" in attributes if is_task else None
        k += 1
    return None


def open_definition_list(c: Collector, i: int) -> int:
    """Open dl; anything in it that is neither term nor definition becomes a definition.

    A dl without terms only indents, and one that holds headings is a section: the blocks of both stand on their own.
    """
    document = c.document
    if document.has_heading(i):
        c.open_plain(document.end[i])
        return i + 1

    def finish(content: list[Any]) -> None:
        if not any(type(node) is Term for node in content):
            for node in content:
                c.blocks.extend(node.children if type(node) is Definition else [node])
            return
        parts: list[Any] = []
        for node in content:
            if type(node) is FootnoteDefinition:
                c.blocks.append(node)
            elif type(node) is not ThematicBreak:
                parts.append(node if type(node) in (Term, Definition) else Definition(c.flags, [node]))
        c.blocks.append(DefinitionList(c.flags, parts))

    c.open_container(document.end[i], finish, "dl")
    return i + 1


def open_term(c: Collector, i: int) -> int:
    """Open dt."""

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Term(c.flags, content))

    if c.kind == "dl":
        c.open_inline_block(c.document.end[i], finish)
    else:
        c.open_plain(c.document.end[i])
    return i + 1


def open_definition(c: Collector, i: int) -> int:
    """Open dd."""

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Definition(c.flags, content))

    if c.kind == "dl":
        c.open_container(c.document.end[i], finish, "dd")
    else:
        c.open_plain(c.document.end[i])
    return i + 1


LIST_HANDLERS = {
    **dict.fromkeys(("ul", "ol", "menu", "dir"), open_list),
    "li": open_item,
    "dl": open_definition_list,
    "dt": open_term,
    "dd": open_definition,
}
