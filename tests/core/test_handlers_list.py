"""Lists, definition lists, quotations, callouts, disclosure blocks."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import Definition, DefinitionList, Details, Paragraph, Quote, Term, Tree
from danubia_core.parse import parse_html


def collect(html: str) -> Tree:
    document = parse_html(html)
    return collect_tree(document, [0], bytearray(len(document) + 1), str, 0)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ol><li value=7>a<li>b</ol>", "7. a\n8. b"),
        ("<ul><li>a<ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<div><li>a<li>b</div>", "- a\n- b"),
        ("<ul><div><li>a</li></div><li>b</ul>", "- a\n- b"),
        ("<ul><li><li>a</ul>", "- a"),
        ("<ul>a</ul>", "- a"),
        (
            '<ul><li><input type=checkbox disabled checked> a<li><input type="checkbox" disabled> b</ul>',
            "- [x] a\n- [ ] b",
        ),
        ("<ul><li><input type=checkbox> a</ul>", "- a"),
        ("<ol><li><h2>a</h2><p>b</p></ol>", "1. ## a\n\n   b"),
    ],
)
def test_lists(html: str, markdown: str) -> None:
    assert collect(html).to_markdown() == markdown


def test_definition_list_with_groups() -> None:
    tree = collect("<dl><div><dt>a<dd>b</div><dt>c<dd><p>d</p></dl>")
    expected = [
        Term(0, ["a"]), Definition(0, [Paragraph(0, ["b"])]), Term(0, ["c"]), Definition(0, [Paragraph(0, ["d"])]),
    ]  # fmt: skip
    assert tree.children == [DefinitionList(0, expected)]


def test_definition_list_that_only_indents_is_its_blocks() -> None:
    assert collect("<dl><dd>a</dd></dl>").children == [Paragraph(0, ["a"])]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<div class="admonition warning"><p class="admonition-title">Warning</p><p>hot</p></div>', "warning"),
        ('<div class="alert alert-info">hot</div>', "info"),
        ('<div class="markdown-alert markdown-alert-tip">hot</div>', "tip"),
        ('<div class="theme-admonition theme-admonition-note alert alert--secondary">hot</div>', "note"),
        ('<aside class="callout callout-danger">hot</aside>', "danger"),
        ('<div class="callout" data-callout="faq">hot</div>', "faq"),
        ('<div class="custom-block tip">hot</div>', "tip"),
        ("<blockquote>hot</blockquote>", ""),
    ],
)
def test_quotes_and_callouts(html: str, kind: str) -> None:
    assert collect(html).children == [Quote(0, kind, [Paragraph(0, ["hot"])])]


def test_a_callout_without_a_kind_is_plain() -> None:
    assert collect('<div class="callout hero-callout">hot</div>').children == [Paragraph(0, ["hot"])]


def test_a_callout_keeps_a_title_of_its_own() -> None:
    tree = collect('<div class="admonition note"><p class="admonition-title">On heat</p><p>hot</p></div>')
    assert tree.children[0].children == [Paragraph(0, ["On heat"]), Paragraph(0, ["hot"])]


def test_details_and_summary() -> None:
    tree = collect("<details><summary>Why <b>so</b>?</summary><p>Since.</p></details>")
    assert type(tree.children[0]) is Details
    assert tree.to_text() == "Why so?\n\nSince."


def test_details_whose_summary_is_a_heading_is_a_section() -> None:
    assert collect("<details><summary><h3>Why?</h3></summary>Since.</details>").to_markdown() == "### Why?\n\nSince."


def test_a_second_summary_is_not_lost() -> None:
    assert collect("<details><summary>a</summary><summary>b</summary>c</details>").to_text() == "a\n\nb\n\nc"
