"""The grid of a data table: spans resolved to empty cells, empty columns gone, header and caption found."""

from __future__ import annotations

from typing import Any, Final

from danubia_core.nodes import Break, Cell, Code, CodeBlock, Heading, Math, MathBlock, Paragraph, Row, Strong, Table

MAX_FILL: Final = 20  # cells of the grid for each cell of the page; beyond that spans make no sense
FREE_FILL: Final = 10_000


class SourceCell:
    """A cell as the page has it."""

    __slots__ = ("blocks", "colspan", "dropped", "header", "rowspan", "size_bytes")

    def __init__(self, blocks: list[Any], size_bytes: int) -> None:
        self.blocks = blocks
        self.size_bytes = size_bytes
        self.header = False
        self.colspan = 1
        self.rowspan = 1
        self.dropped = False


class SourceRow:
    """A row as the page has it."""

    __slots__ = ("cells", "in_head")

    def __init__(self, *, in_head: bool) -> None:
        self.cells: list[SourceCell] = []
        self.in_head = in_head


def flatten_blocks(blocks: list[Any]) -> list[Any]:
    """Return blocks as inline content on one line, with breaks between them."""
    out: list[Any] = []
    for node in blocks:
        part = _flatten(node)
        if part:
            if out:
                out.append(Break())
            out.extend(part)
    return out


def _flatten(node: Any) -> list[Any]:
    kind = type(node)
    if kind is Paragraph or kind is Heading:
        return list(node.children)
    if kind is CodeBlock:
        return [Code(node.flags, " ".join(node.text.split()))]
    if kind is MathBlock:
        return [Math(node.flags, " ".join(node.tex.split()))]
    return flatten_blocks(getattr(node, "children", []))


def build_table(rows: list[SourceRow], caption: list[Any], flags: int) -> Table | None:
    """Return the table, None when its rows make no grid of two columns or more."""
    most = max((len(row.cells) for row in rows), default=0)
    count = sum(len(row.cells) for row in rows)
    if most * len(rows) > count * MAX_FILL + FREE_FILL:
        return None
    title = flatten_blocks(caption)
    if not title and len(rows) > 1 and _is_title(rows[0], most):
        title = flatten_blocks(rows[0].cells[0].blocks)
        rows = rows[1:]
    placed, width = _place_cells(rows, most)
    if width * len(rows) > count * MAX_FILL + FREE_FILL:
        return None
    used = sorted({column for row in placed for column, cell in row if cell.blocks})
    if len(used) < 2:
        return None
    built = [_build_row(row, used, flags) for row in placed]
    built = [row for row in built if any(cell.children for cell in row.children)]
    title = [" " if type(node) is Break else node for node in title]
    return Table(flags, _is_header(rows[0], built), title, built)


def _is_title(row: SourceRow, most: int) -> bool:
    """Whether a row is one header cell across the table: its title."""
    cells = row.cells
    return len(cells) == 1 and cells[0].header and cells[0].colspan >= most > 1 and bool(cells[0].blocks)


def _place_cells(rows: list[SourceRow], most: int) -> tuple[list[list[tuple[int, SourceCell]]], int]:
    """Return each row's cells with their columns, and the number of columns that cells start in."""
    covered: dict[int, int] = {}  # column → rows below that a cell still spans
    placed: list[list[tuple[int, SourceCell]]] = []
    width = 0
    for row in rows:
        column = 0
        places: list[tuple[int, SourceCell]] = []
        spans: list[tuple[int, int, int]] = []
        for cell in row.cells:
            while column in covered:
                column += 1
            places.append((column, cell))
            width = max(width, column + 1)
            after = column + max(1, min(cell.colspan, most, 2 * most - column))
            if cell.rowspan > 1:
                spans.append((column, after, cell.rowspan - 1))
            column = after
        covered = {column: left - 1 for column, left in covered.items() if left > 1}
        for start, after, left in spans:
            covered.update(dict.fromkeys(range(start, after), left))
        placed.append(places)
    return placed, width


def _build_row(places: list[tuple[int, SourceCell]], used: list[int], flags: int) -> Row:
    by_column = dict(places)
    cells: list[Cell] = []
    for column in used:
        cell = by_column.get(column)
        cells.append(Cell(flags, cell.header, flatten_blocks(cell.blocks)) if cell is not None else Cell(flags))
    return Row(flags, cells)


def _is_header(source: SourceRow, built: list[Row]) -> bool:
    """Whether the first row is the header: by its section, its cells, or because it alone is bold throughout."""
    filled = [cell for cell in built[0].children if cell.children]
    if source.in_head or all(cell.header for cell in filled):
        return True
    return len(filled) > 1 and _is_bold(built[0]) and not (len(built) > 1 and _is_bold(built[1]))


def _is_bold(row: Row) -> bool:
    filled = [cell for cell in row.children if cell.children]
    return bool(filled) and all(len(cell.children) == 1 and type(cell.children[0]) is Strong for cell in filled)
