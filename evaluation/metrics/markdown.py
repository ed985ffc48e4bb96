"""Markdown taken apart by markdown-it: headings, links, code blocks, tables, list items, math, and the plain text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final
from urllib.parse import urljoin

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

_PARSER: Final = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(dollarmath_plugin, allow_space=False, double_inline=True)
)
_CODE: Final = ("fence", "code_block")
_MATH: Final = ("math_block", "math_block_label", "math_inline", "math_inline_double")


class Structure(msgspec.Struct):
    """What a Markdown text is made of.

    Attributes:
        headings: (level, text). links: targets, resolved. code: contents of blocks. tables: rows of cells.
        items: text of list items, less that of lists inside them. math: formulas as TeX.
        text: the whole as plain text, a line a block.
        empty_fences: code blocks without content.
    """

    headings: list[tuple[int, str]] = []
    links: list[str] = []
    code: list[str] = []
    tables: list[list[list[str]]] = []
    items: list[str] = []
    math: list[str] = []
    text: str = ""
    empty_fences: int = 0


def read_structure(markdown: str, url: str | None = None) -> Structure:
    """Take a Markdown text apart.

    Args:
        markdown: CommonMark with tables, strikethrough and dollar math.
        url: what relative link targets are resolved against.
    """
    reader = _Reader(url)
    reader.read_blocks(_PARSER.parse(markdown))
    reader.found.text = "\n".join(reader.lines)
    return reader.found


class _Reader:
    """Walks the tokens once."""

    def __init__(self, url: str | None) -> None:
        self.found = Structure()
        self.lines: list[str] = []
        self._url = url or ""
        self._level = 0
        self._items: list[list[str]] = []
        self._in_cell = False

    def read_blocks(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            if token.type == "inline":
                self._read_inline(token)
            elif token.type in _CODE:
                self._read_code(token)
            elif token.type in _MATH:
                self._add_math(token.content)
            elif token.type == "html_block":
                self.lines.append(token.content)
            else:
                self._open_or_close(token)

    def _open_or_close(self, token: Token) -> None:
        kind = token.type
        if kind == "heading_open":
            self._level = int(token.tag[1])
        elif kind == "heading_close":
            self._level = 0
        elif kind == "list_item_open":
            self._items.append([])
        elif kind == "list_item_close":
            self.found.items.append(" ".join(self._items.pop()))
        elif kind == "table_open":
            self.found.tables.append([])
        elif kind == "tr_open":
            self.found.tables[-1].append([])
        elif kind in ("th_open", "td_open"):
            self._in_cell = True
        elif kind in ("th_close", "td_close"):
            self._in_cell = False

    def _read_code(self, token: Token) -> None:
        code = " ".join(token.content.split())
        if code:
            self.found.code.append(code)
            self.lines.append(token.content)
        else:
            self.found.empty_fences += 1

    def _add_math(self, tex: str) -> None:
        self.found.math.append(" ".join(tex.split()))
        self.lines.append(tex)

    def _read_inline(self, token: Token) -> None:
        text = " ".join(self._read_children(token.children or []).split())
        if self._in_cell:
            self.found.tables[-1][-1].append(text)
        elif self._level:
            self.found.headings.append((self._level, text))
        elif self._items:
            self._items[-1].append(text)
        if text:
            self.lines.append(text)

    def _read_children(self, tokens: list[Token]) -> str:
        parts = []
        for token in tokens:
            if token.type in ("text", "code_inline", "html_inline"):
                parts.append(token.content if token.type != "html_inline" else " ")
            elif token.type in ("softbreak", "hardbreak"):
                parts.append(" ")
            elif token.type in _MATH:
                self.found.math.append(" ".join(token.content.split()))
                parts.append(f" {token.content} ")
            elif token.type == "link_open":
                self._add_link(str(token.attrGet("href") or ""))
        return "".join(parts)

    def _add_link(self, target: str) -> None:
        try:
            self.found.links.append(urljoin(self._url, target))
        except ValueError:  # a broken IPv6 host
            self.found.links.append(target)


def render_table(rows: list[list[str]], max_cells: int) -> str:
    """Return rows as an HTML table, cut after the row that reaches `max_cells`; TEDS reads that.

    >>> render_table([["a", "<b>"], ["c", "d"]], max_cells=2)
    '<html><body><table><tr><td>a</td><td>&lt;b&gt;</td></tr></table></body></html>'
    """
    parts, cells = [], 0
    for row in rows:
        if cells >= max_cells:
            break
        cells += len(row)
        parts.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return "<html><body><table>" + "".join(parts) + "</table></body></html>"
