"""A tree as XML: the elements are the tree's node types, the attributes their fields, the text the page's.

docs/formats.md lists them. Nothing is lost but addresses that run code or carry their own content, characters that
XML forbids, and the flags that tell how a node was chosen; a reader's comment has `comment="true"`. Lines end between
blocks only, never inside a line of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from danubia_core import nodes
from danubia_core.serializers.addresses import is_followable
from danubia_core.serializers.xml_pieces import Markup, render_attribute, render_element, write_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from danubia_core.metadata.record import Metadata

SINGULARS: Final = {"categories": "category", "tags": "tag"}
_LISTS: Final = frozenset({"children", "caption", "summary"})


class Plan(NamedTuple):
    """How nodes of one type are written.

    Attributes:
        name: the element's name.
        attributes: fields that become attributes where they are not what the node has by itself (a heading's level
            always does).
        text: the field that is the element's text, or ''.
        lead: the field that becomes an element before the children, or ''.
        has_children: whether there are children.
        ends_line: whether a new line follows the end tag.
        starts_line: whether one follows the start tag.
    """

    name: str
    attributes: tuple[tuple[str, Any], ...]
    text: str
    lead: str
    has_children: bool
    ends_line: bool
    starts_line: bool


def write_xml(tree: nodes.Tree, metadata: Metadata | None = None, *, url: str | None = None) -> str:
    """Return the tree as an XML document, with the page's address and metadata at its head where they are given."""
    head = "".join(_render_metadata(metadata, url))
    pieces: list[Any] = [Markup(f'<page version="{tree.version}">\n'), Markup(f"<metadata>\n{head}</metadata>\n")]
    for name, blocks in part_comments(tree):
        pieces += (Markup(f"<{name}>\n"), *blocks, Markup(f"</{name}>\n"))
    return write_pieces([*pieces, Markup("</page>")], _EXPANDERS)


def part_comments(tree: nodes.Tree) -> Iterator[tuple[str, list[nodes.Block]]]:
    """Give the tree's blocks in runs: ("content", blocks) first, ("comments", blocks) for readers' comments."""
    name, run = "content", list[nodes.Block]()
    for block in tree.children:
        kind = "comments" if block.flags & nodes.COMMENT else "content"
        if kind != name:
            if run or name == "content":
                yield name, run
            name, run = kind, []
        run.append(block)
    yield name, run


def _render_metadata(metadata: Metadata | None, url: str | None) -> Iterator[str]:
    if url:
        yield render_element("url", url)
    for name in metadata.__struct_fields__ if metadata is not None else ():
        value = getattr(metadata, name)
        for text in value if isinstance(value, list) else [value] if value else []:
            yield render_element(SINGULARS.get(name, name), text)


def plan_element(kind: type[nodes.Node]) -> Plan:
    """Derive from a node type's fields how it is written."""
    fields = dict(zip(kind.__struct_fields__, _read_defaults(kind), strict=True))
    text = next((name for name in ("text", "tex") if name in fields), "")
    lead = next((name for name in ("caption", "summary") if name in fields), "")
    attributes = tuple((name, value) for name, value in fields.items() if name not in _LISTS | {text, "flags"})
    is_block = kind not in get_args(nodes.Inline)
    holds_lines = is_block and "children" in fields and kind not in _LINES
    return Plan(str(kind.__struct_config__.tag), attributes, text, lead, "children" in fields, is_block, holds_lines)


def _read_defaults(kind: type[nodes.Node]) -> list[Any]:
    blank = kind()
    return [getattr(blank, field) for field in kind.__struct_fields__]


_LINES: Final = frozenset({nodes.Heading, nodes.Paragraph, nodes.Cell, nodes.Term})  # blocks of inline content


def _expand_node(node: nodes.Node) -> list[Any]:
    plan = _PLANS[type(node)]
    inner: list[Any] = [str(getattr(node, plan.text))] if plan.text else []
    if plan.lead and (lead := getattr(node, plan.lead)):
        inner += (Markup(f"<{plan.lead}>"), *lead, Markup(f"</{plan.lead}>\n"))
    if plan.has_children:
        inner += node.children  # type: ignore[attr-defined]  # the plan says that it has some
    head, after = f"<{plan.name}{_render_attributes(node, plan)}", "\n" if plan.ends_line else ""
    if not inner or inner == [""]:
        return [Markup(f"{head}/>{after}")]
    between = ">\n" if plan.starts_line else ">"
    return [Markup(head + between), *inner, Markup(f"</{plan.name}>{after}")]


def _render_attributes(node: nodes.Node, plan: Plan) -> str:
    parts = []
    for name, default in plan.attributes:
        value = getattr(node, name)
        if name in ("href", "src", "authored") and not is_followable(value):
            continue
        if value != default or name == "level":
            parts.append(render_attribute(name, str(value).lower() if isinstance(value, bool) else str(value)))
    if node.flags & nodes.COMMENT:
        parts.append(' comment="true"')
    if plan.name == "code_block":
        parts.append(' xml:space="preserve"')
    return "".join(parts)


def list_kinds() -> list[type[nodes.Node]]:
    """Return all node types, those inside of others included."""
    parts = (nodes.Item, nodes.Row, nodes.Cell, nodes.Term, nodes.Definition)
    return [kind for kind in (*get_args(nodes.Block), *parts, *get_args(nodes.Inline)) if kind is not str]


_PLANS: Final = {kind: plan_element(kind) for kind in list_kinds()}
_EXPANDERS: Final = dict.fromkeys(_PLANS, _expand_node)
