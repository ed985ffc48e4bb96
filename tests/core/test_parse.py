"""Markup to flat arrays: what is kept, what is passed over, and that nothing is too deep, too broken or too odd."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danubia_core.document import TEXT, Document
from danubia_core.parse import parse_html


def texts(document: Document) -> list[str]:
    return [text.strip() for tag, text in zip(document.tag, document.text, strict=True) if tag == TEXT and text.strip()]


@pytest.mark.parametrize("markup", ["", " \n\t", "<!-- only -->", "<!doctype html>", "</p>"])
def test_markup_without_text_gives_a_document_without_text(markup: str) -> None:
    document = parse_html(markup)
    assert document.text_before[-1] == 0
    assert document.end[0] == len(document)


def test_text_without_any_tag_is_text() -> None:
    assert texts(parse_html("just words & more")) == ["just words & more"]


def test_text_after_the_html_end_tag_is_kept() -> None:
    assert texts(parse_html("<html><body><p>in</p></body></html><p>after</p>")) == ["in", "after"]


def test_entities_are_decoded_in_text_and_attributes() -> None:
    document = parse_html('<p title="a &amp; b">&eacute;&#233;&#xe9; &lt;b&gt;</p>')
    assert texts(document) == ["ééé <b>"]
    assert document.attrs[document.tag.index("p")]["title"] == "a & b"


@pytest.mark.parametrize(
    "tag", "script style svg noscript iframe object select textarea canvas video audio datalist noframes".split()
)
def test_what_is_no_text_is_passed_over(tag: str) -> None:
    document = parse_html(f"<div><p>before</p><{tag}>inside</{tag}><p>after</p></div>")
    assert texts(document) == ["before", "after"]


def test_content_of_template_is_kept() -> None:
    """A declarative shadow root holds what the page shows."""
    markup = '<div><template shadowrootmode="open"><style>p{}</style><p>shadow</p></template></div>'
    assert texts(parse_html(markup)) == ["shadow"]


def test_noscript_is_kept_when_asked_for() -> None:
    markup = "<div><noscript><p>without scripts</p></noscript></div>"
    assert texts(parse_html(markup)) == []
    assert texts(parse_html(markup, keep_noscript=True)) == ["without scripts"]


def test_data_scripts_are_set_apart() -> None:
    document = parse_html(
        '<script type="application/ld+json">{"a": "</p>"}</script><script id="__NEXT_DATA__" type="application/json">'
        '{"b": 1}</script><script>var c = "<p>no</p>"</script><p>text</p>'
    )
    assert document.json_ld == ['{"a": "</p>"}']
    assert document.page_state == ['{"b": 1}']
    assert texts(document) == ["text"]


def test_white_space_in_pre_is_the_page_s_own() -> None:
    document = parse_html("<pre>\n  <span>a</span>\n    <span>b</span>\n</pre>")
    assert "".join(document.text).lstrip("\n") == "  a\n    b\n"


def test_link_is_an_anchor_that_leads_away() -> None:
    document = parse_html(
        '<p><a href="/x">1</a><a href="#n">2</a><a>3</a><a href="">4</a><a href="http://e.org">5</a></p>'
    )
    assert [document.attrs[i]["href"] for i in document.links] == ["/x", "http://e.org"]
    assert document.link_before[-1] == 2


def test_link_that_is_never_closed_counts() -> None:
    document = parse_html('<p>start <a href="/x">and so on to the end')
    assert len(document.links) == 1
    assert len(document.short_before) == 2


def test_depth_has_no_limit_and_costs_no_more_than_breadth() -> None:
    depth = 100_000
    markup = "<div>" * depth + "deep" + "</div>" * depth + "<p>last</p>"
    start = time.process_time()
    document = parse_html(markup)
    assert time.process_time() - start < 30
    assert texts(document) == ["deep", "last"]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_parses(markup: str) -> None:
    document = parse_html(markup)
    assert document.end[0] == len(document) == len(document.parent) == len(document.attrs)
    assert len(document.text_before) == len(document) + 1
    assert len(document.short_before) == len(document.links) + 1
