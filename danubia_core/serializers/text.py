"""A tree as plain text.

Blocks are separated by a blank line; list items stand one a line with "- " or their number, nested ones two spaces
further in; a table's rows stand one a line, cells joined by " | "; code keeps its exact characters, wherever it stands;
formulas are TeX between dollar signs; a term and its definitions stand on lines of their own. Images leave nothing
but a blank where they part two words, and captions that credit their makers nothing at all.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from danubia_core import nodes
from danubia_core.serializers.scripts import mark_lowered, mark_raised

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class _Gap(str):
    """An image among a line's pieces."""

    __slots__ = ()


_GAP: Final = _Gap("")
_LARGEST_NUMBER: Final = 999_999_999  # as in the Markdown


def write_text(tree: nodes.Tree, *, credited: bool = False) -> str:
    """Return the tree as plain text; '' if it holds nothing. Where captions with credits are all, they are the text.

    Args:
        tree: what to write.
        credited: keep the captions that name who made a picture.
    """
    if credited:
        tree = deepcopy(tree)
        _forget_credited(tree.children)
    return _render_blocks(tree.children, "", "\n\n") or _render_credited(tree.children)


def _forget_credited(children: Sequence[Any]) -> None:
    for child in children:
        if type(child) is not str:
            child.flags &= ~nodes.CREDITED
            _forget_credited(getattr(child, "children", ()))


def _render_blocks(children: Sequence[nodes.Block | nodes.Term | nodes.Definition], pad: str, between: str) -> str:
    texts = [_BLOCKS[type(child)](child, pad) for child in children if not child.flags & nodes.CREDITED]
    return between.join([text for text in texts if text])


def _render_credited(children: Sequence[nodes.Block]) -> str:
    return "\n\n".join([text for child in children if (text := _BLOCKS[type(child)](child, ""))])


# Inline content ------------------------------------------------------------------------------------------------------


def _render_line(children: list[nodes.Inline]) -> str:
    if len(children) == 1 and type(children[0]) is str:
        line = children[0]
        return " ".join(line.split()) if "\n" in line or "\r" in line else line.strip()
    out: list[str] = []
    _write_inlines(children, out)
    line = _part_words(out) if _GAP in out else "".join(out)
    if "\n" in line:
        return "\n".join([stripped for part in line.split("\n") if (stripped := part.strip())])
    return line.strip()


def _write_inlines(children: list[nodes.Inline], out: list[str]) -> None:
    for child in children:
        kind = type(child)
        if kind is str:
            out.append(child.replace("\n", " ") if "\n" in child else child)  # type: ignore[arg-type,union-attr,operator]
        else:
            _INLINE[kind](child, out)


def _write_children(node: nodes.Strong | nodes.Emphasis | nodes.Strike | nodes.Link, out: list[str]) -> None:
    _write_inlines(node.children, out)


def _write_sub(node: nodes.Sub, out: list[str]) -> None:
    if len(node.children) == 1 and type(node.children[0]) is str:
        out.append(mark_lowered(_find_character_before(out), node.children[0]))
    else:
        _write_inlines(node.children, out)


def _write_sup(node: nodes.Sup, out: list[str]) -> None:
    if len(node.children) == 1 and type(node.children[0]) is str:
        out.append(mark_raised(_find_character_before(out), node.children[0]))
    else:
        _write_inlines(node.children, out)


def _find_character_before(out: list[str]) -> str:
    return next((piece[-1] for piece in reversed(out) if piece), "")


def _write_code(node: nodes.Code, out: list[str]) -> None:
    out.append(node.text.replace("\n", " ") if "\n" in node.text else node.text)


def _write_image(_node: nodes.Image, out: list[str]) -> None:
    out.append(_GAP)


def _part_words(out: list[str]) -> str:
    """Join a line's pieces; what stands on both sides of an image, which a reader sees apart, stays apart."""
    parts: list[str] = []
    gap = False
    for piece in out:
        if piece is _GAP:
            gap = True
        elif piece:
            if gap and parts and not parts[-1][-1].isspace() and not piece[0].isspace():
                parts.append(" ")
            parts.append(piece)
            gap = False
    return "".join(parts)


def _write_break(_node: nodes.Break, out: list[str]) -> None:
    out.append("\n")


def _write_math(node: nodes.Math, out: list[str]) -> None:
    tex = " ".join(node.tex.split())
    if tex:
        out.append(f"${tex}$")


def _write_footnote_ref(node: nodes.FootnoteRef, out: list[str]) -> None:
    if node.label.strip():
        out.append(f"[{node.label.strip()}]")


# Blocks --------------------------------------------------------------------------------------------------------------


def _render_children_line(node: nodes.Paragraph | nodes.Term, pad: str) -> str:
    line = _render_line(node.children)
    return pad + line.replace("\n", "\n" + pad) if pad and line else line


def _render_heading(node: nodes.Heading, pad: str) -> str:
    line = _render_line(node.children)
    return pad + line.replace("\n", " ") if line else ""


def _render_list(node: nodes.List, pad: str) -> str:
    number = min(max(node.start, 0), _LARGEST_NUMBER - len(node.children))
    items: list[str] = []
    for item in node.children:
        marker = f"{number}. " if node.ordered else "- "
        number += 1
        if item.checked is not None:
            marker += "[x] " if item.checked else "[ ] "
        items.append(_render_item(item, pad, marker))
    return "\n".join(items)


def _render_item(item: nodes.Item, pad: str, marker: str) -> str:
    children = item.children
    inner = pad + "  "
    if children and type(children[0]) is nodes.Paragraph:
        line = _render_line(children[0].children).replace("\n", "\n" + inner)
        rest = _render_blocks(children[1:], inner, "\n") if len(children) > 1 else ""
    else:
        line, rest = "", _render_blocks(children, inner, "\n")
    first = (pad + marker + line).rstrip()
    return f"{first}\n{rest}" if rest else first


def _render_quote(node: nodes.Quote | nodes.Definition, pad: str) -> str:
    return _render_blocks(node.children, pad, "\n" if pad else "\n\n")


def _render_code_block(node: nodes.CodeBlock, _pad: str) -> str:
    text = node.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n") if text.strip() else ""


def _render_table(node: nodes.Table, pad: str) -> str:
    lines = [pad + line.replace("\n", " ")] if (line := _render_line(node.caption)) else []
    for row in node.children:
        cells = " | ".join([_render_line(cell.children).replace("\n", " ") for cell in row.children])
        lines.append((pad + cells).rstrip())
    return "\n".join(lines)


def _render_math_block(node: nodes.MathBlock, pad: str) -> str:
    tex = " ".join(node.tex.split())
    return f"{pad}$${tex}$$" if tex else ""


def _render_nothing(_node: nodes.ThematicBreak, _pad: str) -> str:
    return ""


def _render_definition_list(node: nodes.DefinitionList, pad: str) -> str:
    """Return the lines of each term and its definitions together, the groups apart."""
    groups: list[list[str]] = []
    before: type = nodes.Definition
    for child in node.children:
        text = _BLOCKS[type(child)](child, pad)
        if not text:
            continue
        if not groups or (type(child) is nodes.Term and before is nodes.Definition):
            groups.append([])
        before = type(child)
        groups[-1].append(text)
    return ("\n" if pad else "\n\n").join(["\n".join(group) for group in groups])


def _render_details(node: nodes.Details, pad: str) -> str:
    between = "\n" if pad else "\n\n"
    summary = _render_line(node.summary)
    return between.join([text for text in (pad + summary if summary else "", _render_quote_like(node, pad)) if text])


def _render_quote_like(node: nodes.Details, pad: str) -> str:
    return _render_blocks(node.children, pad, "\n" if pad else "\n\n")


def _render_footnote(node: nodes.FootnoteDefinition, pad: str) -> str:
    text = _render_blocks(node.children, pad, "\n")
    label = node.label.strip()
    return f"{pad}[{label}] {text.lstrip()}" if label and text else text


_INLINE: Final[dict[type, Callable[[Any, list[str]], None]]] = {
    nodes.Strong: _write_children,
    nodes.Emphasis: _write_children,
    nodes.Strike: _write_children,
    nodes.Sub: _write_sub,
    nodes.Sup: _write_sup,
    nodes.Code: _write_code,
    nodes.Link: _write_children,
    nodes.Image: _write_image,
    nodes.Break: _write_break,
    nodes.Math: _write_math,
    nodes.FootnoteRef: _write_footnote_ref,
}

_BLOCKS: Final[dict[type, Callable[[Any, str], str]]] = {
    nodes.Heading: _render_heading,
    nodes.Paragraph: _render_children_line,
    nodes.List: _render_list,
    nodes.Quote: _render_quote,
    nodes.CodeBlock: _render_code_block,
    nodes.Table: _render_table,
    nodes.MathBlock: _render_math_block,
    nodes.ThematicBreak: _render_nothing,
    nodes.DefinitionList: _render_definition_list,
    nodes.Term: _render_children_line,
    nodes.Definition: _render_quote,
    nodes.Details: _render_details,
    nodes.FootnoteDefinition: _render_footnote,
}
