"""The typed output tree: what a page's content is made of.

Nodes are `msgspec.Struct`s: as small and quick to make as slotted classes, written to and validated from JSON by the
library itself, so the JSON column and its schema follow from these definitions alone. A run of text is a plain
`str` among the children. Every node carries `flags` (see `MAIN` and its like).

Depth is bounded by the collector (`collect.MAX_DEPTH`), so visitors may recurse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from danubia_core.metadata.record import Metadata

TREE_VERSION: Final = 1

MAIN: Final = 1  # came from a region marked as main content
SEARCH: Final = 2  # a search rule (vocabulary) discarded it; kept because the winning rung ignores that mark
DENSITY: Final = 4  # the link-density rule discarded it; kept because the winning rung ignores that mark
COMMENT: Final = 8  # a reader's comment below the content
CREDITED: Final = (
    16  # the caption of a picture that names who made it: plain text, which shows no pictures, leaves it out
)


class Node(msgspec.Struct, tag_field="type", omit_defaults=True, gc=False, forbid_unknown_fields=True):
    """Base of all nodes; `flags` is a bit set of MAIN, SEARCH, DENSITY, COMMENT and CREDITED."""

    flags: int = 0


# --- inline ---------------------------------------------------------------------------------------------------------


class Strong(Node, tag="strong"):
    """Bold text."""

    children: list[Inline] = []


class Emphasis(Node, tag="emphasis"):
    """Italic text."""

    children: list[Inline] = []


class Strike(Node, tag="strike"):
    """Deleted text."""

    children: list[Inline] = []


class Sub(Node, tag="sub"):
    """Subscript."""

    children: list[Inline] = []


class Sup(Node, tag="sup"):
    """Superscript."""

    children: list[Inline] = []


class Code(Node, tag="code"):
    """Inline code; the page's own characters."""

    text: str = ""


class Link(Node, tag="link"):
    """A link: `href` is absolute, `authored` the page's own value where it differs."""

    href: str = ""
    authored: str = ""
    title: str = ""
    children: list[Inline] = []


class Image(Node, tag="image"):
    """An image: `src` is absolute (the real one of a lazy image), `authored` the page's own value where it differs."""

    src: str = ""
    authored: str = ""
    alt: str = ""
    title: str = ""


class Break(Node, tag="break"):
    """A line break inside a block."""


class Math(Node, tag="math"):
    """A formula as TeX, inside a line."""

    tex: str = ""


class FootnoteRef(Node, tag="footnote_ref"):
    """A mark that points to the `FootnoteDefinition` of the same label."""

    label: str = ""


# --- blocks ---------------------------------------------------------------------------------------------------------


class Heading(Node, tag="heading"):
    """A heading of level 1 to 6."""

    level: int = 1
    children: list[Inline] = []


class Paragraph(Node, tag="paragraph"):
    """A block of inline content."""

    children: list[Inline] = []


class Item(Node, tag="item"):
    """A list item; `checked` is set for task-list items only."""

    checked: bool | None = None
    children: list[Block] = []


class List(Node, tag="list"):
    """A list; `start` is the number of the first item of an ordered one."""

    ordered: bool = False
    start: int = 1
    children: list[Item] = []


class Quote(Node, tag="quote"):
    """A quotation, or a callout when `kind` (note, tip, warning …) is set."""

    kind: str = ""
    children: list[Block] = []


class CodeBlock(Node, tag="code_block"):
    """A block of code with the page's own characters; `language` as the page's class names give it, or ''."""

    language: str = ""
    text: str = ""


class Cell(Node, tag="cell"):
    """A table cell of inline content on one line (breaks allowed)."""

    header: bool = False
    children: list[Inline] = []


class Row(Node, tag="row"):
    """A table row; every row of a table has the same number of cells (spans are resolved by the collector)."""

    children: list[Cell] = []


class Table(Node, tag="table"):
    """A data table. The first row is the header row when `header` is true, else serializers synthesize an empty one."""

    header: bool = False
    caption: list[Inline] = []
    children: list[Row] = []


class MathBlock(Node, tag="math_block"):
    """A displayed formula as TeX."""

    tex: str = ""


class ThematicBreak(Node, tag="thematic_break"):
    """A horizontal rule."""


class Term(Node, tag="term"):
    """A term of a definition list."""

    children: list[Inline] = []


class Definition(Node, tag="definition"):
    """A definition of the term(s) before it."""

    children: list[Block] = []


class DefinitionList(Node, tag="definition_list"):
    """Terms and definitions in page order."""

    children: list[Term | Definition] = []


class Details(Node, tag="details"):
    """A disclosure block: its summary line and its content."""

    summary: list[Inline] = []
    children: list[Block] = []


class FootnoteDefinition(Node, tag="footnote"):
    """The text of a footnote."""

    label: str = ""
    children: list[Block] = []


Inline = str | Strong | Emphasis | Strike | Sub | Sup | Code | Link | Image | Break | Math | FootnoteRef
Block = (
    Heading
    | Paragraph
    | List
    | Quote
    | CodeBlock
    | Table
    | MathBlock
    | ThematicBreak
    | DefinitionList
    | Details
    | FootnoteDefinition
)


class Tree(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A page's content: blocks in reading order. `version` is that of the JSON form."""

    children: list[Block] = []
    version: int = TREE_VERSION

    def to_json(self) -> str:
        """Return the JSON form described by schemas/node_tree.schema.json."""
        return _encoder.encode(self).decode()

    @classmethod
    def from_json(cls, data: str | bytes) -> Tree:
        """Read the JSON form back.

        Raises:
            ValueError: not JSON, not of this schema, or of a version this release cannot read; names the place.
        """
        try:
            tree = _decoder().decode(data)
        except msgspec.MsgspecError as error:
            message = f"not a Danubia node tree: {error}"
            raise ValueError(message) from error
        if tree.version != TREE_VERSION:
            message = f"node tree version {tree.version} is not {TREE_VERSION}: read it with the release that wrote it"
            raise ValueError(message)
        return tree

    def to_markdown(self) -> str:
        """Return CommonMark with GFM tables."""
        return _serialize("markdown", self)

    def to_text(self, *, credited: bool = False) -> str:
        """Return plain text, blocks separated by blank lines; captions with credits only where asked for."""
        return _serialize("text", self, credited=credited)

    def to_html(self) -> str:
        """Return cleaned HTML."""
        return _serialize("html", self)

    def to_xml(self, metadata: Metadata | None = None, *, url: str | None = None) -> str:
        """Return XML whose elements are the node types; address and metadata, where given, stand at its head."""
        return _serialize("xml", self, metadata, url=url)

    def to_xml_tei(self, metadata: Metadata | None = None, *, url: str | None = None) -> str:
        """Return a TEI P5 document; its header says what the metadata and the address do."""
        return _serialize("xml_tei", self, metadata, url=url)


_encoder = msgspec.json.Encoder()
_cached_decoder: msgspec.json.Decoder[Tree] | None = None


def _decoder() -> msgspec.json.Decoder[Tree]:
    global _cached_decoder  # built on first use: extraction alone never needs it
    if _cached_decoder is None:
        _cached_decoder = msgspec.json.Decoder(Tree)
    return _cached_decoder


def _serialize(name: str, *arguments: Any, **named: Any) -> str:
    from danubia_core.serializers import SERIALIZERS  # the serializers import the nodes

    return SERIALIZERS[name](*arguments, **named)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the tree's JSON form."""
    return msgspec.json.schema(Tree)
