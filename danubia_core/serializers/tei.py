"""A tree as TEI P5 (https://tei-c.org/guidelines/p5/): one document, valid against tei_all.

Headings divide the text into nested `<div>`s with a `<head>`; a heading inside of a quote, an item or a note, where TEI
has no divisions, is an `<ab type="heading">`. docs/formats.md lists what each node becomes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from danubia_core import nodes
from danubia_core.serializers.addresses import is_followable
from danubia_core.serializers.tei_header import render_header
from danubia_core.serializers.xml import part_comments
from danubia_core.serializers.xml_pieces import (
    NEW_LINE,
    Markup,
    is_language_tag,
    open_element,
    read_address,
    write_pieces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from danubia_core.metadata.record import Metadata

FILLER: Final = Markup("<p/>\n")  # where TEI wants a paragraph or the like, and the page has none
_NOT_IN_WORD: Final = re.compile(r"[^\w.+#\-].*", re.DOTALL)


def write_tei(tree: nodes.Tree, metadata: Metadata | None = None, *, url: str | None = None) -> str:
    """Return the tree as a TEI document; its header says what `metadata` and the page's address do."""
    language = metadata.language if metadata is not None and metadata.language else ""
    attributes = {"xml:lang": language} if is_language_tag(language) else {}
    pieces: list[Any] = [
        Markup('<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'),
        Markup(render_header(metadata, url)),
        open_element("text", **attributes),
        Markup("\n<body>\n"),
    ]
    for name, blocks in part_comments(tree):
        pieces += (Markup(f'<div type="{name}">\n'), *_divide(blocks), Markup("</div>\n"))
    return write_pieces([*pieces, Markup("</body>\n</text>\n</TEI>")], bind_notes(tree))


# Footnotes -----------------------------------------------------------------------------------------------------------


def bind_notes(tree: nodes.Tree) -> dict[type, Callable[[Any], list[Any]]]:
    """Return the table of expanders, those of footnotes with the tree's labels at hand."""
    targets: dict[str, str] = {}
    owners: set[int] = set()
    for note in _find_notes(tree):
        label = note.label.strip()
        if label and label not in targets:
            targets[label] = f"note-{len(targets) + 1}"
            owners.add(id(note))

    def expand_reference(node: nodes.FootnoteRef) -> list[Any]:
        label = node.label.strip()
        target = f"#{targets[label]}" if label in targets else ""
        return [open_element("ref", type="note", target=target), label, Markup("</ref>")] if label else []

    def expand_footnote(node: nodes.FootnoteDefinition) -> list[Any]:
        label = node.label.strip()
        name = {"xml:id": targets[label]} if id(node) in owners else {}
        return [open_element("note", **name, n=label, place="foot"), *_flow(node.children), Markup("</note>\n")]

    return _EXPANDERS | {nodes.FootnoteRef: expand_reference, nodes.FootnoteDefinition: expand_footnote}


def _find_notes(tree: nodes.Tree) -> Iterator[nodes.FootnoteDefinition]:
    stack: list[Any] = list(reversed(tree.children))
    while stack:
        node = stack.pop()
        if type(node) is nodes.FootnoteDefinition:
            yield node
        if type(node) is not str:
            stack += reversed(getattr(node, "children", ()))


# Divisions -----------------------------------------------------------------------------------------------------------


def _divide(blocks: list[nodes.Block]) -> Iterator[Any]:
    """Give the blocks of a division, each heading with what follows it in a division of its own."""
    levels: list[int] = []
    filled = False  # a division holds a paragraph or the like, or another division
    for block in blocks:
        if type(block) is not nodes.Heading:
            filled = filled or _is_common(block)
            yield block
            continue
        while levels and levels[-1] >= block.level:
            levels.pop()
            yield from _close_division(filled=filled)
            filled = True
        levels.append(block.level)
        filled = False
        yield open_element("div", type="section", subtype=f"h{block.level}")
        yield from (Markup("\n<head>"), *block.children, Markup("</head>\n"))
    for _ in levels:
        yield from _close_division(filled=filled)
        filled = True
    if not filled:
        yield FILLER


def _close_division(*, filled: bool) -> tuple[Markup, ...]:
    return (Markup("</div>\n"),) if filled else (FILLER, Markup("</div>\n"))


def _is_common(block: nodes.Block) -> bool:
    """Whether a block becomes one of TEI's model.common: notes and milestones do not, nor does what has no content."""
    if type(block) is nodes.Quote:
        return not block.kind
    if type(block) is nodes.Table:
        return bool(block.caption) or any(row.children for row in block.children)
    if type(block) in (nodes.List, nodes.DefinitionList):
        return bool(block.children)  # type: ignore[union-attr]  # both have some
    return type(block) not in (nodes.FootnoteDefinition, nodes.ThematicBreak)


# Inline content ------------------------------------------------------------------------------------------------------


def _enclose(tag: str) -> Callable[[Any], list[Any]]:
    start, end = Markup(f"<{tag}>"), Markup(f"</{tag.partition(' ')[0]}>")
    return lambda node: [start, *node.children, end] if node.children else []


def _expand_code(node: nodes.Code) -> list[Any]:
    return [Markup("<code>"), node.text, Markup("</code>")] if node.text else []


def _expand_link(node: nodes.Link) -> list[Any]:
    target = read_address(node.href) if is_followable(node.href) else ""
    if not target or not node.children:
        return list(node.children)
    return [open_element("ref", target=target), *node.children, Markup("</ref>")]


def _expand_image(node: nodes.Image) -> list[Any]:
    url = read_address(node.src) if is_followable(node.src) else ""
    if not url:
        return []
    alt = " ".join(node.alt.split())
    if not alt:
        return [Markup(f"{open_element('graphic', url=url)[:-1]}/>")]
    return [open_element("graphic", url=url), Markup("<desc>"), alt, Markup("</desc></graphic>")]


def _expand_break(_node: nodes.Break) -> list[Any]:
    return [Markup("<lb/>")]


def _expand_math(node: nodes.Math) -> list[Any]:
    return [Markup('<formula notation="TeX">'), node.tex, Markup("</formula>")]


# Blocks --------------------------------------------------------------------------------------------------------------


def _flow(children: list[nodes.Block]) -> list[Any]:
    """Return a container's content; a paragraph that starts it needs no element if only lists follow."""
    if not children or type(children[0]) is not nodes.Paragraph:
        return list(children)
    if len(children) == 1:
        return list(children[0].children)
    if all(type(child) is nodes.List for child in children[1:]):
        return [*children[0].children, NEW_LINE, *children[1:]]
    return list(children)


def _expand_heading(node: nodes.Heading) -> list[Any]:
    start = open_element("ab", type="heading", subtype=f"h{node.level}")
    return [start, *node.children, Markup("</ab>\n")]


def _expand_paragraph(node: nodes.Paragraph) -> list[Any]:
    return [Markup("<p>"), *node.children, Markup("</p>\n")] if node.children else [FILLER]


def _expand_list(node: nodes.List) -> list[Any]:
    if not node.children:
        return []
    pieces: list[Any] = [Markup(f'<list rend="{"numbered" if node.ordered else "bulleted"}">\n')]
    for number, item in enumerate(node.children, node.start):
        mark = "" if item.checked is None else "checked" if item.checked else "unchecked"
        start = open_element("item", n=str(number) if node.ordered else "", rend=mark)
        pieces += (start, *_flow(item.children), Markup("</item>\n"))
    return [*pieces, Markup("</list>\n")]


def _expand_quote(node: nodes.Quote) -> list[Any]:
    name = "note" if node.kind else "quote"
    start = open_element(name, type=_read_word(node.kind))
    return [start, NEW_LINE, *node.children, Markup(f"</{name}>\n")]


def _expand_code_block(node: nodes.CodeBlock) -> list[Any]:
    start = open_element("code", lang=_read_word(node.language), **{"xml:space": "preserve"})
    return [Markup('<ab type="code">'), start, node.text, Markup("</code></ab>\n")]


def _read_word(text: str) -> str:
    """Return the one word that TEI wants for a language or a kind."""
    return _NOT_IN_WORD.sub("", text.strip())


def _expand_table(node: nodes.Table) -> list[Any]:
    rows = [row for row in node.children if row.children]
    if not rows:
        return [Markup("<p>"), *node.caption, Markup("</p>\n")] if node.caption else []
    pieces: list[Any] = [Markup("<table>\n")]
    if node.caption:
        pieces += (Markup("<head>"), *node.caption, Markup("</head>\n"))
    for place, row in enumerate(rows):
        pieces.append(open_element("row", role="label" if node.header and not place else ""))
        for cell in row.children:
            pieces += (open_element("cell", role="label" if cell.header else ""), *cell.children, Markup("</cell>"))
        pieces.append(Markup("</row>\n"))
    return [*pieces, Markup("</table>\n")]


def _expand_math_block(node: nodes.MathBlock) -> list[Any]:
    return [Markup('<ab type="formula"><formula notation="TeX">'), node.tex, Markup("</formula></ab>\n")]


def _expand_thematic_break(_node: nodes.ThematicBreak) -> list[Any]:
    return [Markup('<milestone unit="section" rend="rule"/>\n')]


def _expand_definition_list(node: nodes.DefinitionList) -> list[Any]:
    """Return a glossary list, in which labels and items alternate: terms side by side share a label."""
    if not node.children:
        return []
    pieces: list[Any] = [Markup('<list type="gloss">\n')]
    for terms, definitions in _pair_entries(node.children):
        pieces.append(Markup("<label>"))
        for place, term in enumerate(terms):
            pieces += [Markup("<lb/>"), *term.children] if place else term.children
        blocks = [block for definition in definitions for block in definition.children]
        pieces += (Markup("</label>\n<item>"), *(_flow(blocks) if len(definitions) == 1 else blocks))
        pieces.append(Markup("</item>\n"))
    return [*pieces, Markup("</list>\n")]


def _pair_entries(
    entries: Iterable[nodes.Term | nodes.Definition],
) -> list[tuple[list[nodes.Term], list[nodes.Definition]]]:
    groups: list[tuple[list[nodes.Term], list[nodes.Definition]]] = []
    for entry in entries:
        if type(entry) is nodes.Definition:
            if not groups:
                groups.append(([], []))
            groups[-1][1].append(entry)
        elif type(entry) is nodes.Term:
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(entry)
    return groups


def _expand_details(node: nodes.Details) -> list[Any]:
    pieces: list[Any] = [Markup('<floatingText type="details"><body>\n')]
    if node.summary:
        pieces += (Markup("<head>"), *node.summary, Markup("</head>\n"))
    pieces += node.children
    if not any(map(_is_common, node.children)):
        pieces.append(FILLER)
    return [*pieces, Markup("</body></floatingText>\n")]


_EXPANDERS: Final[dict[type, Callable[[Any], list[Any]]]] = {
    nodes.Strong: _enclose('hi rend="bold"'),
    nodes.Emphasis: _enclose('hi rend="italic"'),
    nodes.Strike: _enclose('del rend="strikethrough"'),
    nodes.Sub: _enclose('hi rend="sub"'),
    nodes.Sup: _enclose('hi rend="sup"'),
    nodes.Code: _expand_code,
    nodes.Link: _expand_link,
    nodes.Image: _expand_image,
    nodes.Break: _expand_break,
    nodes.Math: _expand_math,
    nodes.Heading: _expand_heading,
    nodes.Paragraph: _expand_paragraph,
    nodes.List: _expand_list,
    nodes.Quote: _expand_quote,
    nodes.CodeBlock: _expand_code_block,
    nodes.Table: _expand_table,
    nodes.MathBlock: _expand_math_block,
    nodes.ThematicBreak: _expand_thematic_break,
    nodes.DefinitionList: _expand_definition_list,
    nodes.Details: _expand_details,
}
