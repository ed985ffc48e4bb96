"""The JSON form of the tree: its schema, and that it reads back or says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from danubia_core import nodes
from danubia_core.nodes import Tree
from schemas import node_tree
from tests.core.test_serializers_properties import trees

SCHEMA = json.loads(Path(node_tree.TARGET).read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def accepts(value: Any) -> bool:
    return VALIDATOR.is_valid(value)


def test_published_schema_is_the_one_of_the_nodes() -> None:
    assert node_tree.main(["--check"]) == 0
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_check_tells_of_a_stale_schema(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(node_tree, "TARGET", tmp_path / "node_tree.schema.json")
    assert node_tree.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert node_tree.main([]) == 0
    assert node_tree.main(["--check"]) == 0
    assert node_tree.main(["--chekc"]) == 2


@settings(max_examples=30, deadline=None)
@given(trees)
def test_schema_accepts_what_is_written(tree: Tree) -> None:
    VALIDATOR.validate(json.loads(tree.to_json()))


def test_schema_refuses_what_no_release_writes() -> None:
    assert accepts({"children": [{"type": "paragraph", "children": ["x"]}], "version": 1})
    assert not accepts({"children": [{"type": "paragraf", "children": ["x"]}], "version": 1})
    assert not accepts({"children": [{"type": "paragraph", "children": [{"type": "table"}]}], "version": 1})
    assert not accepts({"children": ["text outside a block"], "version": 1})
    assert not accepts({"children": [], "version": 2})


def test_json_form_is_small_and_plain() -> None:
    tree = Tree(
        children=[
            nodes.Heading(flags=nodes.MAIN, level=2, children=["Glaze"]),
            nodes.Paragraph(children=["See ", nodes.Link(href="https://e.org/a", authored="a", children=["ash"])]),
        ]
    )
    assert json.loads(tree.to_json()) == {
        "children": [
            {"type": "heading", "flags": 1, "level": 2, "children": ["Glaze"]},
            {
                "type": "paragraph",
                "children": [
                    "See ",
                    {"type": "link", "href": "https://e.org/a", "authored": "a", "children": ["ash"]},
                ],
            },
        ],
        "version": 1,
    }


@pytest.mark.parametrize("form", [str, str.encode])
def test_reads_text_and_bytes(form: Any) -> None:
    tree = Tree(children=[nodes.Paragraph(children=["Öfen ", nodes.Break(), "窯"])])
    assert Tree.from_json(form(tree.to_json())) == tree


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "not a Danubia node tree"),
        ("{", "not a Danubia node tree"),
        ('{"children": [{"type": "paragraf"}]}', r"paragraf.*\$\.children\[0\]"),
        ('{"children": [{"type": "heading", "level": "2"}]}', r"\$\.children\[0\]\.level"),
        ('{"children": [], "version": 2}', "version 2 is not 1"),
    ],
)
def test_refuses_with_the_place_of_the_fault(data: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tree.from_json(data)
