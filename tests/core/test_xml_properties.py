"""What holds for any tree: its XML is well-formed and reads back to it, its TEI is valid, its CSV reads back."""

from __future__ import annotations

import csv
import io
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from pyarrow import csv as arrow_csv

from danubia_core import Metadata, nodes
from danubia_core.nodes import Tree
from danubia_core.serializers.addresses import is_followable
from danubia_core.serializers.csv import COLUMNS, write_csv
from danubia_core.serializers.tei import bind_notes
from danubia_core.serializers.xml import SINGULARS, list_kinds
from danubia_core.serializers.xml_pieces import read_address
from tests.any_tree import any_metadata, any_trees, urls
from tests.golden import SLUGS, extract_golden
from tests.tei_schema import find_tei_fault

EXAMPLES = settings(max_examples=60, deadline=None)
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_xml(xml: str) -> Any:
    return etree.fromstring(xml.encode(), etree.XMLParser(huge_tree=True))


# XML -----------------------------------------------------------------------------------------------------------------

READERS = {"level": int, "start": int} | dict.fromkeys(
    ("ordered", "header", "checked"), {"true": True, "false": False}.get
)
KINDS = {kind.__struct_config__.tag: kind for kind in list_kinds()}


def read_node(element: Any) -> nodes.Node:
    """Read the node that an element was written from."""
    kind: Any = KINDS[element.tag]
    values: dict[str, Any] = {}
    for name, text in element.attrib.items():
        if name == "comment":
            values["flags"] = nodes.COMMENT
        elif not name.startswith("{"):
            values[name] = READERS.get(name, str)(text)
    fields = kind.__struct_fields__
    for name in {"text", "tex"} & set(fields):
        values[name] = element.text or ""
    children = list(element)
    for name in {"caption", "summary"} & set(fields):
        if children and children[0].tag == name:
            values[name] = read_line(children.pop(0))
    if "children" in fields:
        is_line = kind in (nodes.Heading, nodes.Paragraph, nodes.Cell, nodes.Term) or element.tag in INLINE
        values["children"] = read_line(element) if is_line else [read_node(child) for child in children]
    return kind(**values)


INLINE = {"strong", "emphasis", "strike", "sub", "sup", "link"}


def read_line(element: Any) -> list[Any]:
    line: list[Any] = [element.text or ""]
    for child in element:
        line += [read_node(child), child.tail or ""]
    return [part for part in line if part != ""]


def reduce_node(node: Any) -> Any:
    """A node less what its XML leaves out, its runs of text joined."""
    kept = type(node)()
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name == "flags":
            value &= nodes.COMMENT
        elif isinstance(value, str):
            value = FORBIDDEN.sub("", value) if name not in ("href", "src", "authored") or is_followable(value) else ""
        elif isinstance(value, list):
            value = reduce_line(value)
        setattr(kept, name, value)
    return kept


def reduce_line(children: list[Any]) -> list[Any]:
    line: list[Any] = []
    for child in children:
        if not isinstance(child, str):
            line.append(reduce_node(child))
        elif text := FORBIDDEN.sub("", child):
            if line and isinstance(line[-1], str):
                line[-1] += text
            else:
                line.append(text)
    return line


@EXAMPLES
@given(any_trees)
def test_xml_reads_back_to_the_tree_and_tei_has_its_words(tree: Tree) -> None:
    page = read_xml(tree.to_xml())
    assert [part.tag for part in page][:2] == ["metadata", "content"]
    again = [read_node(element) for part in page[1:] for element in part]
    assert again == [reduce_node(block) for block in tree.children]
    for part in page[1:]:
        assert all((element.get("comment") == "true") == (part.tag == "comments") for element in part)
    body = read_xml(tree.to_xml_tei()).find("{*}text")
    assert drop_space(body) == "".join(map(read_words, page[1:]))


def read_words(part: Any) -> str:
    """All characters but white space; what the XML has in attributes and TEI as text is put among them first."""
    for image in part.iter("image"):
        image.text = " ".join(image.get("alt", "").split()) if read_address(image.get("src", "")) else None
    for mark in part.iter("footnote_ref"):
        mark.text = mark.get("label", "").strip()
    return drop_space(part)


def drop_space(element: Any) -> str:
    return "".join("".join(element.itertext()).split())


@EXAMPLES
@given(any_metadata, urls)
def test_xml_tells_all_metadata(metadata: Metadata, url: str) -> None:
    head = read_xml(Tree().to_xml(metadata, url=url))[0]
    expected = [("url", url)] if url else []
    for name in metadata.__struct_fields__:
        value = getattr(metadata, name)
        expected += [
            (SINGULARS.get(name, name), text) for text in (value if isinstance(value, list) else [value or ""])
        ]
    found = [(element.tag, element.text or "") for element in head]
    kept = [pair for pair in expected if pair[0] in ("category", "tag") or pair[1]]
    assert found == [(name, FORBIDDEN.sub("", text)) for name, text in kept]


# TEI and CSV ---------------------------------------------------------------------------------------------------------


@EXAMPLES
@given(any_trees, any_metadata, st.none() | urls)
def test_tei_is_valid_and_csv_reads_back(tree: Tree, metadata: Metadata, url: str | None) -> None:
    assert find_tei_fault(tree.to_xml_tei(metadata, url=url)) is None
    [row] = csv.DictReader(io.StringIO(write_csv(tree, metadata, url=url), newline=""))
    assert list(row) == list(COLUMNS)
    assert row["text"] == tree.to_text()
    assert row["url"] == (url or "")
    assert row["tags"] == "; ".join(metadata.tags)
    for name in ("title", "author", "description", "license"):
        assert row[name] == (getattr(metadata, name) or "")


def test_every_kind_of_node_is_written() -> None:
    assert set(list_kinds()) == set(nodes.Node.__subclasses__())
    assert set(list_kinds()) - set(bind_notes(Tree())) == {
        nodes.Item,
        nodes.Row,
        nodes.Cell,
        nodes.Term,
        nodes.Definition,
    }


def test_tei_needs_no_metadata() -> None:
    assert find_tei_fault(Tree().to_xml_tei()) is None


@pytest.mark.parametrize("slug", SLUGS)
def test_golden_pages_are_well_formed_and_valid(slug: str) -> None:
    extraction = extract_golden(slug)
    read_xml(extraction.xml)
    assert find_tei_fault(extraction.xml_tei) is None


def test_csv_has_all_metadata() -> None:
    assert ("url", *Metadata.__struct_fields__, "text") == COLUMNS


def test_csv_of_many_pages_is_read_by_arrow() -> None:
    pages = [extract_golden(slug) for slug in SLUGS]
    parts = [write_csv(p.tree, p.metadata, url=f"#{i}", header=not i) for i, p in enumerate(pages)]
    options = arrow_csv.ParseOptions(newlines_in_values=True)
    strings = arrow_csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, "string"))
    table = arrow_csv.read_csv(io.BytesIO("".join(parts).encode()), parse_options=options, convert_options=strings)
    assert table.column("text").to_pylist() == [page.text for page in pages]
    assert table.column("url").to_pylist() == [f"#{i}" for i in range(len(pages))]


# Cost ----------------------------------------------------------------------------------------------------------------


def nest(depth: int) -> Tree:
    block: nodes.Block = nodes.Paragraph(children=["core"])
    for _ in range(depth):
        block = nodes.Quote(children=[block])
    return Tree(children=[block])


def test_any_depth_is_written() -> None:
    tree = nest(5_000)  # beyond what Python lets functions call one another
    assert tree.to_xml().count("<quote>") == 5_000
    assert tree.to_xml_tei().count("<quote>") == 5_000
    loosen(tree)


def loosen(tree: Tree) -> None:
    """Take a deep tree apart by hand: left alone, it is freed by as many nested calls as it is deep."""
    while tree.children:
        tree.children = getattr(tree.children[0], "children", []) if not isinstance(tree.children[0], str) else []


def test_long_tables_are_written_in_linear_time() -> None:
    cells = [nodes.Cell(children=["12"]), nodes.Cell(children=["a & b"])]
    table = nodes.Table(children=[nodes.Row(children=cells) for _ in range(20_000)])
    started = time.process_time()
    for xml in (Tree(children=[table]).to_xml(), Tree(children=[table]).to_xml_tei()):
        assert xml.count("a &amp; b") == 20_000
    assert time.process_time() - started < 10
