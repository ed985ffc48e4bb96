"""Tables: data tables keep their grid, tables that lay out blocks become those blocks in order.

A cell of one paragraph, of a few short ones or of a short simple list stays on its line; a nested table, a heading,
code, a quotation or long blocks in any cell, or a single column, make the table a layout. No text is lost either way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from danubia_core.document import TEXT
from danubia_core.handlers.code import add_code_text, is_code_table, read_code_table
from danubia_core.handlers.lines import remove_invisible
from danubia_core.handlers.table_grid import SourceCell, SourceRow, build_table
from danubia_core.nodes import Item, MathBlock, Paragraph
from danubia_core.nodes import List as ListNode

if TYPE_CHECKING:
    from danubia_core.collect import Collector
    from danubia_core.document import Document

MAX_DEPTH: Final = 30  # containers around a table that is still read as one
MAX_BLOCKS_BYTES: Final = 300  # text of a cell of several blocks
MAX_PROSE_BYTES: Final = 800  # text of a cell in a table of one row without header cells
MAX_LINE_BYTES: Final = 4000  # text of any cell
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
LAYOUT_TAGS: Final = frozenset("table h1 h2 h3 h4 pre blockquote form article section details".split())


def add_table(c: Collector, i: int) -> int:
    """Add a table."""
    document = c.document
    if is_code_table(document, i):
        add_code_text(c, i, read_code_table(document, i))
        return document.end[i]
    if c.inline_only or c.depth > MAX_DEPTH or _lays_out_sections(document, i):
        c.open_plain(document.end[i])
        return i + 1
    c.flush()
    rows, caption = _read_rows(c, i)
    table = None if _lays_out_blocks(rows) else build_table(rows, caption, c.flags)
    if table is not None:
        c.blocks.append(table)
        return document.end[i]
    c.blocks.extend(caption)
    for row in rows:
        for cell in row.cells:
            if not cell.dropped:
                c.blocks.extend(cell.blocks)
    return document.end[i]


def _lays_out_sections(document: Document, i: int) -> bool:
    """Whether the table holds another or a section; asciidoc callouts are tables of an icon and a text."""
    around = document.attrs[document.parent[i]].get("class", "")
    if "admonition" in around or document.attrs[i].get("role") == "presentation":
        return True
    tags = document.tag
    return any(tags[k] in LAYOUT_TAGS for k in range(i + 1, document.end[i]))


def _read_rows(c: Collector, i: int) -> tuple[list[SourceRow], list[Any]]:
    """Return the rows, head first and foot last, and the caption's blocks; text outside cells gets a row of its own."""
    document = c.document
    tags, ends = document.tag, document.end
    sections: dict[str, list[SourceRow]] = {"thead": [], "tbody": [], "tfoot": []}
    rows = sections["tbody"]
    caption: list[Any] = []
    row: SourceRow | None = None
    section_end = 0
    k, stop = i + 1, ends[i]
    while k < stop:
        tag = tags[k]
        if k >= section_end:
            rows = sections["tbody"]
        if tag in sections:
            # Browsers move the first head up and the first foot down; others stay where they are.
            rows, section_end, row = sections["tbody" if sections[tag] else tag], ends[k], None
        elif tag == "tr":
            row = SourceRow(in_head=rows is sections["thead"])
            rows.append(row)
        elif tag not in ("colgroup", "col"):
            if tag == "caption":
                caption.extend(c.read_blocks(k, ends[k]))
            else:
                if row is None:
                    row = SourceRow(in_head=False)
                    rows.append(row)
                _read_cell(c, k, row)
            k = ends[k]
            continue
        k += 1
    ordered = [*sections["thead"], *sections["tbody"], *sections["tfoot"]]
    return [row for row in ordered if row.cells], caption


def _read_cell(c: Collector, k: int, row: SourceRow) -> None:
    """Read a cell; a mark on a cell of a data table is not heeded, for the table is one whole."""
    document = c.document
    if document.tag[k] not in ("td", "th"):
        if blocks := c.read_blocks(k, document.end[k]):
            row.cells.append(SourceCell(blocks, document.text_bytes(k)))
        return
    attributes = document.attrs[k]
    is_hidden = c.dropped[k] and ("hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style", "")))
    blocks = [] if is_hidden else _read_cell_blocks(c, k)
    cell = SourceCell(blocks, document.text_bytes(k))
    cell.header = document.tag[k] == "th"
    cell.colspan, cell.rowspan = _read_span(attributes.get("colspan")), _read_span(attributes.get("rowspan"))
    cell.dropped = bool(c.dropped[k] or c.dropped[document.parent[k]] or c.dropped[document.parent[document.parent[k]]])
    row.cells.append(cell)


def _read_cell_blocks(c: Collector, k: int) -> list[Any]:
    """Return a cell's blocks; most cells are one run of text, which needs no scan."""
    document = c.document
    if document.end[k] == k + 2 and document.tag[k + 1] == TEXT:
        text = document.text[k + 1]
        if "$" not in text and "\\" not in text:
            words = remove_invisible(text)
            return [Paragraph(c.flags, [words])] if words else []
    return c.read_blocks(k + 1, document.end[k])


def _read_span(value: str | None) -> int:
    value = (value or "1").strip()[:6]
    return max(1, int(value)) if value.isascii() and value.isdecimal() else 1


def _lays_out_blocks(rows: list[SourceRow]) -> bool:
    if max((len(row.cells) for row in rows), default=0) < 2:
        return True
    first = rows[0]
    is_data = len(rows) > 1 or first.in_head or any(cell.header for cell in first.cells)
    if not is_data and any(cell.size_bytes > MAX_PROSE_BYTES for cell in first.cells):
        return True
    return any(_is_block_cell(cell) for row in rows for cell in row.cells)


def _is_block_cell(cell: SourceCell) -> bool:
    blocks = cell.blocks
    if len(blocks) == 1 and type(blocks[0]) is Paragraph:
        return cell.size_bytes > MAX_LINE_BYTES
    if cell.size_bytes > MAX_BLOCKS_BYTES and blocks:
        return True
    return any(not _is_simple(node) for node in blocks)


def _is_simple(node: Any) -> bool:
    """Whether a block can stand on a line with others."""
    if type(node) is ListNode or type(node) is Item:
        return all(_is_simple(child) and (type(child) is not ListNode) for child in node.children)
    return type(node) in (Paragraph, MathBlock)


TABLE_HANDLERS = {"table": add_table}
