"""Lines, paragraphs and nesting: white space, wrappers across blocks, depth."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import MAIN, Emphasis, Heading, Link, Paragraph, Strong, Tree
from danubia_core.parse import parse_html


def collect(html: str, dropped: tuple[str, ...] = ()) -> Tree:
    document = parse_html(html)
    marks = bytearray(len(document) + 1)
    for i, attributes in enumerate(document.attrs):
        if attributes.get("id") in dropped:
            marks[i] = 1
    return collect_tree(
        document, [0], marks, lambda target: "https://e.org" + target if target[:1] == "/" else target, 0
    )


def lines(html: str) -> list[str]:
    return collect(html).to_text().split("\n\n")


def test_white_space_collapses_and_words_stay_whole() -> None:
    assert lines("<p>  b<u>o</u>at,\n  <b> wat</b><s>t</s>er </p>") == ["boat, watter"]
    assert lines("<p>a <em> b </em> c</p>") == ["a b c"]
    assert lines("<p>soft\u00adhyphen zero\u200bwidth long<wbr>word</p>") == ["softhyphen zerowidth longword"]


def test_loose_text_between_blocks_is_a_paragraph_of_its_own() -> None:
    assert lines("<p>one</p>loose<div>two<p>three</p>tail</div>") == ["one", "loose", "two", "three", "tail"]


def test_two_breaks_end_a_paragraph_even_inside_emphasis() -> None:
    assert lines("<div>a<br>b<br><br>c</div>") == ["a\nb", "c"]
    tree = collect("<em>a<br><br>b</em>")
    assert [type(node.children[0]) for node in tree.children] == [Emphasis, Emphasis]


def test_link_around_blocks_is_in_each_of_them() -> None:
    tree = collect('<a href="/x"><h3>Title</h3><p>Text</p></a>')
    assert [type(node) for node in tree.children] == [Heading, Paragraph]
    assert [type(node.children[0]) for node in tree.children] == [Link, Link]
    assert tree.children[0].children[0].href == "https://e.org/x"
    assert tree.children[0].children[0].authored == "/x"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<p><a href="#top">up</a> <a>none</a></p>', "up none"),
        ('<p><a href="javascript:go()">run</a> <a href="data:text/html,x">data</a></p>', "run data"),
        ('<p>a<a href="/e"></a>b</p>', "ab"),
        ("<p>He said <q>yes</q>.</p>", "He said “yes”."),
        ('<p>a <span style="font-weight: 700; font-style:italic">b</span> c</p>', "a ***b*** c"),
        ('<b style="font-weight:normal">a <span style="font-weight:400">b</span></b>', "a b"),
        ("<p><ruby>漢<rt>kan</rt></ruby></p>", "漢(kan)"),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>", "漢(kan)"),
    ],
)
def test_inline_elements(html: str, markdown: str) -> None:
    assert collect(html).to_markdown() == markdown


def test_headings_lose_permalinks_bold_and_emptiness() -> None:
    html = '<h2><b>Name</b> <a class="headerlink" href="#name">¶</a></h2><h3></h3><h3><a href="#x">§</a></h3><p>x</p>'
    tree = collect(html)
    assert tree.children[0] == Heading(0, 2, ["Name"])
    assert len(tree.children) == 2


def test_role_heading_has_its_level() -> None:
    assert collect('<div role="heading" aria-level="3">Name</div>').children == [Heading(0, 3, ["Name"])]


def test_rules_stand_between_content_only() -> None:
    assert collect("<hr><p>a</p><hr><hr><p>b</p>").to_markdown() == "a\n\n---\n\nb"


def test_dropped_subtrees_are_left_out_but_formulas_are_not() -> None:
    html = '<p>a <span id="gone">secret</span> b</p><mjx-container id="kept"><math><mi>x</mi></math></mjx-container>'
    assert collect(html, ("gone", "kept")).to_markdown() == "a b\n\n$x$"


def test_flags_are_on_all_nodes() -> None:
    document = parse_html("<p><b>x</b></p>")
    tree = collect_tree(document, [0], bytearray(len(document) + 1), str, MAIN)
    assert tree.children == [Paragraph(MAIN, [Strong(MAIN, ["x"])])]


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "deep",
        "<ul><li>" * 20_000 + "deep",
        "<blockquote>" * 20_000 + "deep",
        "<b><i>" * 20_000 + "deep",
        "<table><tr><td>" * 5_000 + "deep",
        "<table><tr><td>1</td><td>" * 5_000 + "<pre>deep</pre>" + "</table>" * 5_000,
        "<code>" * 20_000 + "deep<pre>x</pre>",
        '<span class="katex">' * 20_000 + "deep",
        "<math>" + "<msup><mi>a</mi>" * 20_000 + "<mi>deep</mi>",
        "<details><summary>deep</summary>" * 5_000,
        "<figure>" * 20_000 + "deep",
    ],
    ids=lambda html: html[:12],
)
def test_any_depth_is_collected_with_its_text(html: str) -> None:
    tree = collect(html)
    assert "deep" in tree.to_text()
    assert Tree.from_json(tree.to_json()) == tree
