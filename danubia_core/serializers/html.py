"""A tree as cleaned HTML: a few elements with meaning, and no attribute that styles or runs anything.

The attributes are href, src, alt, title, start, and the `class="language-…"` of code (formulas are `language-math`).
All text is escaped; an address that runs code or carries its own content is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from danubia_core import nodes
from danubia_core.serializers.addresses import is_followable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def write_html(tree: nodes.Tree) -> str:
    """Return the tree as the HTML of a body's content, one block a line; '' if it holds nothing."""
    return _render_blocks(tree.children)


def _render_blocks(children: Sequence[nodes.Block | nodes.Item | nodes.Term | nodes.Definition]) -> str:
    return "\n".join([text for child in children if (text := _BLOCKS[type(child)](child))])


def _escape(text: str) -> str:
    if "&" in text or "<" in text or ">" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text


def _render_attribute(name: str, value: str) -> str:
    if not value:
        return ""
    value = _escape(value).replace('"', "&quot;")
    return f' {name}="{value}"'


_OUTER_BREAKS: Final = re.compile(r"\A(?:\s|<br>)+|(?:\s|<br>)+\Z")

# Inline content ------------------------------------------------------------------------------------------------------


def _render_line(children: list[nodes.Inline]) -> str:
    if len(children) == 1 and type(children[0]) is str:
        return _escape(children[0]).strip()
    out: list[str] = []
    _write_inlines(children, out)
    line = "".join(out)
    return _OUTER_BREAKS.sub("", line) if "<br>" in line else line.strip()


def _write_inlines(children: list[nodes.Inline], out: list[str]) -> None:
    for child in children:
        kind = type(child)
        if kind is str:
            out.append(_escape(child))  # type: ignore[arg-type]  # `kind` is str
        else:
            _INLINE[kind](child, out)


def _write_element(name: str, children: list[nodes.Inline], out: list[str], attributes: str = "") -> None:
    start = len(out)
    out.append(f"<{name}{attributes}>")
    _write_inlines(children, out)
    if any(piece.strip() and piece != "<br>" for piece in out[start + 1 :]):
        out.append(f"</{name}>")
    else:
        out[start] = ""  # nothing in it


def _write_strong(node: nodes.Strong, out: list[str]) -> None:
    _write_element("strong", node.children, out)


def _write_emphasis(node: nodes.Emphasis, out: list[str]) -> None:
    _write_element("em", node.children, out)


def _write_strike(node: nodes.Strike, out: list[str]) -> None:
    _write_element("del", node.children, out)


def _write_sub(node: nodes.Sub, out: list[str]) -> None:
    _write_element("sub", node.children, out)


def _write_sup(node: nodes.Sup, out: list[str]) -> None:
    _write_element("sup", node.children, out)


def _write_code(node: nodes.Code, out: list[str]) -> None:
    if node.text:
        out.append(f"<code>{_escape(node.text)}</code>" if node.text.strip() else " ")


def _write_link(node: nodes.Link, out: list[str]) -> None:
    if is_followable(node.href):
        attributes = _render_attribute("href", node.href) + _render_attribute("title", node.title)
        start = len(out)
        _write_element("a", node.children, out, attributes)
        for place in range(start + 1, len(out) - 1):
            if out[place].startswith(("<a ", "</a>")):
                out[place] = ""  # a link in a link is none
    else:
        _write_inlines(node.children, out)


def _write_image(node: nodes.Image, out: list[str]) -> None:
    if is_followable(node.src):
        title = _render_attribute("title", node.title)
        out.append(f"<img{_render_attribute('src', node.src)}{_render_attribute('alt', node.alt)}{title}>")


def _write_break(_node: nodes.Break, out: list[str]) -> None:
    out.append("<br>")


def _write_math(node: nodes.Math, out: list[str]) -> None:
    if node.tex.strip():
        out.append(f'<code class="language-math">{_escape(node.tex.strip())}</code>')


def _write_footnote_ref(node: nodes.FootnoteRef, out: list[str]) -> None:
    if node.label.strip():
        out.append(f"<sup>[{_escape(node.label.strip())}]</sup>")


# Blocks --------------------------------------------------------------------------------------------------------------


def _render_heading(node: nodes.Heading) -> str:
    line = _render_line(node.children)
    level = min(max(node.level, 1), 6)
    return f"<h{level}>{line}</h{level}>" if line else ""


def _render_paragraph(node: nodes.Paragraph) -> str:
    line = _render_line(node.children)
    return f"<p>{line}</p>" if line else ""


def _render_list(node: nodes.List) -> str:
    name = "ol" if node.ordered else "ul"
    start = f' start="{node.start}"' if node.ordered and node.start != 1 else ""
    items = _render_blocks(node.children)
    return f"<{name}{start}>\n{items}\n</{name}>" if items else ""


def _render_item(node: nodes.Item) -> str:
    box = "" if node.checked is None else "[x] " if node.checked else "[ ] "
    return f"<li>{box}{_render_flow(node.children)}</li>"


def _render_flow(children: list[nodes.Block]) -> str:
    """Return an item's or a definition's content; a paragraph that starts it needs no element if no other follows."""
    if not children or type(children[0]) is not nodes.Paragraph:
        return _render_blocks(children)
    if len(children) == 1:
        return _render_line(children[0].children)
    if all(type(child) is nodes.List for child in children[1:]):
        return f"{_render_line(children[0].children)}\n{_render_blocks(children[1:])}"
    return _render_blocks(children)


def _render_quote(node: nodes.Quote) -> str:
    blocks = _render_blocks(node.children)
    return f"<blockquote>\n{blocks}\n</blockquote>" if blocks else ""


def _render_code_block(node: nodes.CodeBlock) -> str:
    if not node.text.strip():
        return ""
    language = re.sub(r"\s.*", "", node.language.strip(), flags=re.DOTALL)
    name = _render_attribute("class", f"language-{language}") if language else ""
    return f"<pre><code{name}>{_escape(node.text)}</code></pre>"


def _render_table(node: nodes.Table) -> str:
    caption = _render_line(node.caption)
    rows = [_render_row(row) for row in node.children if row.children]
    if not rows:
        return f"<p>{caption}</p>" if caption else ""
    parts = ["<table>"]
    if caption:
        parts.append(f"<caption>{caption}</caption>")
    if node.header:
        parts += ("<thead>", rows.pop(0), "</thead>")
    if rows:
        parts += ("<tbody>", *rows, "</tbody>")
    return "\n".join([*parts, "</table>"])


def _render_row(node: nodes.Row) -> str:
    cells = [
        f"<th>{_render_line(cell.children)}</th>" if cell.header else f"<td>{_render_line(cell.children)}</td>"
        for cell in node.children
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _render_math_block(node: nodes.MathBlock) -> str:
    tex = node.tex.strip()
    return f'<pre><code class="language-math">{_escape(tex)}</code></pre>' if tex else ""


def _render_thematic_break(_node: nodes.ThematicBreak) -> str:
    return "<hr>"


def _render_definition_list(node: nodes.DefinitionList) -> str:
    entries = _render_blocks(node.children)
    return f"<dl>\n{entries}\n</dl>" if entries else ""


def _render_term(node: nodes.Term) -> str:
    line = _render_line(node.children)
    return f"<dt>{line}</dt>" if line else ""


def _render_definition(node: nodes.Definition) -> str:
    flow = _render_flow(node.children)
    return f"<dd>{flow}</dd>" if flow else ""


def _render_details(node: nodes.Details) -> str:
    summary = _render_line(node.summary)
    blocks = _render_blocks(node.children)
    head = f"<summary>{summary}</summary>\n" if summary else ""
    return f"<details>\n{head}{blocks}\n</details>" if head or blocks else ""


def _render_footnote(node: nodes.FootnoteDefinition) -> str:
    blocks = _render_blocks(node.children)
    label = f"<sup>[{_escape(node.label.strip())}]</sup> " if node.label.strip() else ""
    if blocks.startswith("<p>"):
        blocks = f"<p>{label}{blocks[3:]}"
    elif blocks and label:
        blocks = f"<p>{label.strip()}</p>\n{blocks}"
    return f"<aside>\n{blocks}\n</aside>" if blocks else ""


_INLINE: Final[dict[type, Callable[[Any, list[str]], None]]] = {
    nodes.Strong: _write_strong,
    nodes.Emphasis: _write_emphasis,
    nodes.Strike: _write_strike,
    nodes.Sub: _write_sub,
    nodes.Sup: _write_sup,
    nodes.Code: _write_code,
    nodes.Link: _write_link,
    nodes.Image: _write_image,
    nodes.Break: _write_break,
    nodes.Math: _write_math,
    nodes.FootnoteRef: _write_footnote_ref,
}

_BLOCKS: Final[dict[type, Callable[[Any], str]]] = {
    nodes.Heading: _render_heading,
    nodes.Paragraph: _render_paragraph,
    nodes.List: _render_list,
    nodes.Item: _render_item,
    nodes.Quote: _render_quote,
    nodes.CodeBlock: _render_code_block,
    nodes.Table: _render_table,
    nodes.MathBlock: _render_math_block,
    nodes.ThematicBreak: _render_thematic_break,
    nodes.DefinitionList: _render_definition_list,
    nodes.Term: _render_term,
    nodes.Definition: _render_definition,
    nodes.Details: _render_details,
    nodes.FootnoteDefinition: _render_footnote,
}
