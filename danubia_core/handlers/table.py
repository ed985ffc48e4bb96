"""Tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from danubia_core.nodes import Break, Cell, CodeBlock, Heading, Item, Paragraph, Quote, Row, Table
from danubia_core.nodes import List as ListNode

if TYPE_CHECKING:
    from danubia_core.collect import Collector

MAX_SPAN = 1000


def add_table(c: Collector, i: int) -> int:
    """Add a data table; a table that lays out blocks is linearized."""
    document = c.document
    if c.inline_only or c.depth > 20 or document.find(i + 1, {"table", "h1", "h2", "h3", "h4", "pre"}) >= 0:
        c.open_plain(document.end[i])
        return i + 1
    if document.end[i] == i + 1:
        return i + 1
    rows, caption = _read_rows(c, i)
    if not rows:
        return document.end[i]
    if max(len(row) for row in rows) == 1 or any(len(cell[0]) > 1 and _is_long(cell[0]) for row in rows for cell in row):
        c.open_plain(document.end[i])
        return i + 1
    c.add_block(_build_table(c, rows, caption))
    return document.end[i]


def _is_long(blocks: list[Any]) -> bool:
    return sum(type(node) in (Paragraph, Quote, CodeBlock, Heading) for node in blocks) > 2


def _read_rows(c: Collector, i: int) -> tuple[list[list[tuple[list[Any], bool, int, int]]], list[Any]]:
    document = c.document
    rows: list[list[tuple[list[Any], bool, int, int]]] = []
    caption: list[Any] = []
    k = i + 1
    while k < document.end[i]:
        tag = document.tag[k]
        if c.dropped[k]:
            k = document.end[k]
            continue
        if tag == "tr":
            rows.append([])
        elif tag in ("td", "th"):
            if not rows:
                rows.append([])
            attrs = document.attrs[k]
            rows[-1].append((_read_blocks(c, k), tag == "th", _span(attrs.get("colspan")), _span(attrs.get("rowspan"))))
            k = document.end[k]
            continue
        elif tag == "caption":
            caption = _flatten(_read_blocks(c, k))
            k = document.end[k]
            continue
        k += 1
    return [row for row in rows if row], caption


def _span(value: str | None) -> int:
    try:
        return max(1, min(int(value), MAX_SPAN)) if value else 1
    except ValueError:
        return 1


def _read_blocks(c: Collector, k: int) -> list[Any]:
    saved = (c.blocks, c.line, c.inline, c.wrappers, c.space, c.frames, c.depth)
    c.blocks, c.line, c.wrappers, c.space, c.frames = [], [], [], True, []
    c.inline = c.line
    c.depth += 5
    c.scan(k + 1, c.document.end[k])
    c.flush()
    blocks = c.blocks
    c.blocks, c.line, c.inline, c.wrappers, c.space, c.frames, c.depth = saved
    return blocks


def _flatten(blocks: list[Any]) -> list[Any]:
    """Blocks of a cell as inline content on one line, separated by breaks."""
    out: list[Any] = []
    for node in blocks:
        part = node.children if type(node) in (Paragraph, Heading) else _flatten_other(node)
        if part:
            if out:
                out.append(Break())
            out.extend(part)
    return out


def _flatten_other(node: Any) -> list[Any]:
    if type(node) is CodeBlock:
        from danubia_core.nodes import Code

        return [Code(node.flags, " ".join(node.text.split()))]
    if type(node) in (ListNode, Item, Quote) or hasattr(node, "children"):
        return _flatten([child if not isinstance(child, str) else Paragraph(0, [child]) for child in node.children])
    return []


def _build_table(c: Collector, rows: list[list[tuple[list[Any], bool, int, int]]], caption: list[Any]) -> Table:
    width = min(max(sum(min(cell[2], MAX_SPAN) for cell in row) for row in rows), max(len(row) for row in rows) * 4)
    pending: dict[int, int] = {}
    built: list[Row] = []
    for row in rows:
        cells: list[Cell] = []
        for blocks, header, colspan, rowspan in row:
            while pending.get(len(cells), 0) > 0 and len(cells) < width:
                pending[len(cells)] -= 1
                cells.append(Cell(c.flags))
            place = len(cells)
            cells.append(Cell(c.flags, header, _flatten(blocks)))
            while len(cells) < min(place + colspan, width):
                cells.append(Cell(c.flags, header))
            if rowspan > 1:
                for column in range(place, min(place + colspan, width)):
                    pending[column] = rowspan - 1
        while len(cells) < width:
            if pending.get(len(cells), 0) > 0:
                pending[len(cells)] -= 1
            cells.append(Cell(c.flags))
        built.append(Row(c.flags, cells))
    header = all(cell.header or not cell.children for cell in built[0].children)
    return Table(c.flags, header, caption, built)


TABLE_HANDLERS = {"table": add_table}
