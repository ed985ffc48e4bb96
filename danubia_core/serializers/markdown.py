"""A tree as CommonMark with GFM's tables, strikethrough and task lists, footnotes, callouts and `$` mathematics.

Blocks are separated by one blank line; there is no white space at a line's end but that of hard breaks, and no final
new line. A term of a definition list is a bold paragraph, its definitions are the paragraphs that follow: CommonMark
has no such list, and a colon or a list mark would be a word that the page lacks. So is the summary of a disclosure
block.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from danubia_core import nodes
from danubia_core.serializers.markdown_escape import IN_CELL, IN_HEADING, protect_line
from danubia_core.serializers.markdown_inline import render_label, render_line, render_paragraph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_AFTER_LANGUAGE: Final = re.compile(r"[`~\s].*", re.DOTALL)
_BLOCK_START: Final = re.compile(
    r"[-+*](?:\s|\Z)|=+\s*\Z|-{2}|[*_]{3}|#{1,6}(?:\s|\Z)|>|`{3}|~{3}|\||:-|</?[A-Za-z!?]|\d{1,9}[.)](?:\s|\Z)"
)
_LARGEST_NUMBER: Final = 999_999_999  # of an ordered list's item: nine digits (CommonMark 5.2)


def write_markdown(tree: nodes.Tree) -> str:
    """Return the tree as Markdown; '' if it holds nothing."""
    return "\n\n".join(_render_blocks(tree.children))


def _render_blocks(children: Sequence[nodes.Block | nodes.Term | nodes.Definition]) -> list[str]:
    """Return the blocks that hold anything, each as lines without a final new line."""
    if list(map(type, children)).count(nodes.List) > 1:
        return _render_blocks_with_lists(children)
    return [text for child in children if (text := _BLOCKS[type(child)](child))]


def _render_blocks_with_lists(children: Sequence[nodes.Block | nodes.Term | nodes.Definition]) -> list[str]:
    """Return the same where two lists may stand side by side: the second gets the other marker, else they were one."""
    rendered: list[str] = []
    before: nodes.List | None = None
    alternate = False
    for child in children:
        if type(child) is nodes.List:
            alternate = before is not None and before.ordered == child.ordered and not alternate
            text = _render_list(child, alternate=alternate)
            before = child if text else before
        else:
            text = _BLOCKS[type(child)](child)
            before = None if text else before
        if text:
            rendered.append(text)
    return rendered


def _indent(text: str, width: int) -> str:
    """Indent all lines but the first, and none that is empty."""
    if "\n" not in text:
        return text
    pad = " " * width
    return "\n".join([pad + line if line else line for line in text.split("\n")]).lstrip(" ")


def _render_heading(node: nodes.Heading) -> str:
    """Return a heading whose words, cut off from its marks, still are a paragraph (`1.` starts no list)."""
    line = protect_line(render_line(node.children, IN_HEADING))
    if not line:
        return ""
    if line[-1] == "#":  # a closing sequence, to a parser
        line = line[:-1] + "\\#"
    return f"{'#' * min(max(node.level, 1), 6)} {line}"


# Lists ---------------------------------------------------------------------------------------------------------------


def _render_list(node: nodes.List, *, alternate: bool = False) -> str:
    tight = all(map(_is_tight, node.children))
    number = min(max(node.start, 0), _LARGEST_NUMBER - len(node.children))
    mark = (")" if alternate else ".") if node.ordered else ("* " if alternate else "- ")
    items: list[str] = []
    for item in node.children:
        marker = f"{number}{mark} " if node.ordered else mark
        items.append(_render_item(item, marker, tight=tight))
        number += 1
    return ("\n" if tight else "\n\n").join(items)


def _is_tight(item: nodes.Item) -> bool:
    """Tell whether an item needs no blank lines: a paragraph, then at most a list that can follow it directly."""
    children = item.children
    if len(children) == 1:
        return True
    if len(children) != 2:
        return not children
    first, second = children
    if type(first) is not nodes.Paragraph or type(second) is not nodes.List or not second.children:
        return False
    # Only a list that starts with 1 and with something in it interrupts a paragraph (CommonMark 5.3).
    return (not second.ordered or second.start == 1) and bool(second.children[0].children)


def _starts_with_line(children: list[nodes.Block]) -> bool:
    return bool(children) and type(children[0]) is nodes.Paragraph and render_paragraph(children[0]) != ""


def _render_item(item: nodes.Item, marker: str, *, tight: bool) -> str:
    children = item.children
    if len(children) == 1 and type(children[0]) is nodes.Paragraph:
        text = render_paragraph(children[0])
    else:
        text = ("\n" if tight else "\n\n").join(_render_blocks(children))
        if text.startswith("---"):
            text = "___" + text[3:]  # `- ---` is no item but a rule
    if item.checked is not None:
        box = "[x]" if item.checked else "[ ]"
        text = f"{box} {text}" if _starts_with_line(children) else f"{box}\n\n{text}"
    elif text[:1] == "[" and text[:4] in ("[ ] ", "[x] ", "[X] "):
        text = "\\" + text
    return (marker + _indent(text, len(marker))).rstrip()


# Quotes, code, formulas ----------------------------------------------------------------------------------------------


def _render_quote(node: nodes.Quote) -> str:
    text = "\n\n".join(_render_blocks(node.children))
    if not text:
        return ""
    kind = re.sub(r"[^A-Z]+", "", node.kind.upper()) if node.kind else ""
    if kind:
        between = "\n" if _starts_with_line(node.children) else "\n\n"
        # What is no paragraph may be taken for more of the mark's: numbers but 1, rules, notes.
        text = f"[!{kind}]{between}{text}"
    return "\n".join(["> " + line if line else ">" for line in text.split("\n")])


def _render_code_block(node: nodes.CodeBlock) -> str:
    text = node.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip("\n")
    if not text.strip():
        return ""
    fence = "```"
    if fence in text:
        fence = "`" * (max(map(len, re.findall("`{3,}", text))) + 1)
    language = _AFTER_LANGUAGE.sub("", node.language.strip()) if node.language else ""
    return f"{fence}{language}\n{text}\n{fence}"


def _render_math_block(node: nodes.MathBlock) -> str:
    """Return a formula between dollars; a line that would start a block (`- b`) follows the one before it.

    Not where that one has a comment, which would swallow it.
    """
    lines = ["$$"]
    for part in node.tex.splitlines():
        line = part.strip()
        if _BLOCK_START.match(line) and "%" not in lines[-1].replace("\\%", ""):
            lines[-1] += " " + line
        elif line:
            lines.append(line)
    return "\n".join([*lines, "$$"]) if lines != ["$$"] else ""


def _render_thematic_break(_node: nodes.ThematicBreak) -> str:
    return "---"


# Tables --------------------------------------------------------------------------------------------------------------


def _render_table(node: nodes.Table) -> str:
    rows = [[_render_cell(cell) for cell in row.children] for row in node.children]
    columns = max(map(len, rows), default=0)
    lines: list[str] = []
    if columns:
        if not node.header:
            rows.insert(0, [""] * columns)
        lines = [f"| {' | '.join(row + [''] * (columns - len(row)))} |" for row in rows]
        lines.insert(1, "|" + " --- |" * columns)
    table = "\n".join(lines)
    caption = render_paragraph(nodes.Paragraph(children=node.caption)) if node.caption else ""
    return f"{caption}\n\n{table}" if caption and table else caption or table


def _render_cell(node: nodes.Cell) -> str:
    children = node.children
    line = render_line(children, IN_CELL) if children else ""
    return line.replace("|", "\\|") if "|" in line else line


# Definition lists, disclosure blocks, footnotes ----------------------------------------------------------------------


def _render_term(node: nodes.Term) -> str:
    return render_paragraph(nodes.Paragraph(children=[nodes.Strong(children=node.children)]))


def _render_children(node: nodes.Definition | nodes.DefinitionList) -> str:
    return "\n\n".join(_render_blocks(node.children))


def _render_details(node: nodes.Details) -> str:
    summary = _render_term(nodes.Term(children=node.summary))
    blocks = _render_blocks(node.children)
    return "\n\n".join([summary, *blocks] if summary else blocks)


def _render_footnote(node: nodes.FootnoteDefinition) -> str:
    text = "\n\n".join(_render_blocks(node.children))
    label = render_label(node.label)
    return f"[^{label}]: {_indent(text, 4)}" if text and label else text


_BLOCKS: Final[dict[type, Callable[[Any], str]]] = {
    nodes.Heading: _render_heading,
    nodes.Paragraph: render_paragraph,
    nodes.List: _render_list,
    nodes.Quote: _render_quote,
    nodes.CodeBlock: _render_code_block,
    nodes.Table: _render_table,
    nodes.MathBlock: _render_math_block,
    nodes.ThematicBreak: _render_thematic_break,
    nodes.DefinitionList: _render_children,
    nodes.Term: _render_term,
    nodes.Definition: _render_children,
    nodes.Details: _render_details,
    nodes.FootnoteDefinition: _render_footnote,
}
