"""Trailing blocks of links or headings alone are cut, unless they are more than half of the text."""

from __future__ import annotations

import pytest

from danubia_core.nodes import Block, CodeBlock, Heading, Image, Item, Link, List, Paragraph, ThematicBreak, Tree
from danubia_core.trim import trim_tree

PROSE = "The river carried the barges down to the mill before noon."


def para(text: str = PROSE) -> Paragraph:
    return Paragraph(children=[text])


def link(text: str) -> Link:
    return Link(href="https://e.org/", children=[text])


def menu(*texts: str) -> List:
    return List(children=[Item(children=[Paragraph(children=[link(text)])]) for text in texts])


def trim(*blocks: Block, total_bytes: int = 1000) -> tuple[list[Block], int]:
    tree = Tree(children=list(blocks))
    return tree.children, trim_tree(tree, total_bytes)


@pytest.mark.parametrize(
    ("tail", "size"),
    [
        ([Heading(children=["More"])], 4),
        ([Paragraph(children=[link("One"), " | ", link("Two")])], 9),
        ([menu("One", "Two")], 6),
        ([Heading(children=["More"]), menu("One"), ThematicBreak()], 7),
        ([Heading(children=["次"])], 3),
    ],
)
def test_tail_is_cut_and_counted_in_bytes(tail: list[Block], size: int) -> None:
    assert trim(para(), *tail) == ([para()], size)


@pytest.mark.parametrize(
    "last",
    [
        para("End."),
        Paragraph(children=["See ", link("this")]),
        Paragraph(children=[Image(src="https://e.org/i.png", alt="A mill")]),
        CodeBlock(text="x"),
        List(children=[Item(children=[para("soap")])]),
        List(children=[Item(children=[Paragraph(children=[link("soap")])]), Item(children=[para("water")])]),
    ],
)
def test_tail_that_says_something_stays(last: Block) -> None:
    assert trim(para(), last) == ([para(), last], 0)
    assert trim(para(), Heading(children=["Notes"]), last)[1] == 0


def test_links_and_headings_before_the_end_stay() -> None:
    blocks = [Heading(children=["Title"]), menu("One"), para()]
    assert trim(*blocks) == (blocks, 0)


def test_tail_of_more_than_half_of_the_text_is_the_content() -> None:
    names = ["A clock from a toaster", "Counting bees"]
    size = sum(map(len, names))
    assert trim(para(), menu(*names), total_bytes=2 * size - 1) == ([para(), menu(*names)], 0)
    assert trim(para(), menu(*names), total_bytes=2 * size) == ([para()], size)


def test_page_of_links_alone_is_not_emptied() -> None:
    assert trim(menu("One", "Two"), total_bytes=10_000) == ([menu("One", "Two")], 0)
    assert trim() == ([], 0)
