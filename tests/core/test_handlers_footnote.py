"""Footnotes: marks and definitions in the markups that common generators write."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import FootnoteDefinition, Tree
from danubia_core.parse import parse_html


def collect(html: str, dropped: str = "") -> Tree:
    document = parse_html(html)
    marks = bytearray(len(document) + 1)
    for i, attributes in enumerate(document.attrs):
        marks[i] = bool(dropped) and attributes.get("class") == dropped
    return collect_tree(document, [0], marks, str, 0)


EXPECTED = "One.[^1] Two.[^2]\n\n[^1]: First note.\n\n[^2]: Second note."


@pytest.mark.parametrize(
    "html",
    [
        (
            "<p>One.<sup id=r1><a href='#fn1'>1</a></sup> Two.<sup id=r2><a href='#fn2'>2</a></sup></p><hr>"
            "<ol><li id=fn1>First note. <a href='#r1'>↩</a><li id=fn2><p>Second note. <a href='#r2'>↩</a></p></ol>"
        ),
        (
            "<p>One.<sup id=r1><a href='#n1'>[1]</a></sup> Two.<sup id=r2><a href='#n2'>[2]</a></sup></p>"
            "<p id=n1><a href='#r1'>[1]</a> First note.</p><p id=n2><a href='#r2'>[2]</a> Second note.</p>"
        ),
        (
            "<p>One.<a name=FnA1 href='#Footnote_1'>1</a> Two.<a name=FnA2 href='#Footnote_2'>2</a></p>"
            "<p><a name=Footnote_1 href='#FnA1'>1</a> First note.</p><p><a name=Footnote_2 href='#FnA2'>2"
            "</a> Second note.</p>"
        ),
        (
            "<p>One.<sup><a href='#_ftn1'>[1]</a></sup> Two.<sup><a href='#_ftn2'>[2]</a></sup></p><hr>"
            "<p><sup><a href='//G#_ftnref1'>[1]</a> </sup>First note.</p><p><sup><a href='//G#_ftnref2'>[2]</a> "
            "</sup>Second note.</p>"
        ),
        (
            "<p>One.<sup>[<a href='#c-1'>1</a>]</sup> Two.<sup>[<a href='#c-2'>2</a>]</sup></p>"
            "<ol><li id=c-1><b><a href='#back'>^</a></b> First note.<li id=c-2>Second note.</ol>"
        ),
        "<p>One.<sup>1</sup> Two.<sup>2</sup></p><hr><p><sup>1</sup> First note.</p><p><sup>2</sup> Second note.</p>",
    ],
)
def test_marks_and_definitions_are_joined(html: str) -> None:
    assert collect(html).to_markdown() == EXPECTED


def test_definitions_that_were_not_selected_are_fetched() -> None:
    html = "<p>One.<sup><a href='#fn1'>1</a></sup></p><div class=gone><ol><li id=fn1>First note.</ol></div>"
    assert collect(html, "gone").children[-1] == FootnoteDefinition(0, "1", collect("<p>First note.</p>").children)


def test_continued_notes_under_a_heading() -> None:
    html = "<p>One.<sup>1</sup></p><h2>Notes</h2><p><sup>1</sup> First.</p><p>More.</p>"
    assert collect(html).to_markdown() == "One.[^1]\n\n## Notes\n\n[^1]: First.\n\n    More."


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><a href='#s1'>1</a></ul><h2 id=s1>One</h2><p>x</p>",
        "<p>See <a href='#part'>the part</a>.</p><p id=part>Here.</p>",
        "<p>x<sup>2</sup></p><hr><p>Plain text.</p>",
        "<p>A<sup><a href='#none'>1</a></sup></p>",
    ],
)
def test_other_links_and_raised_numbers_make_no_notes(html: str) -> None:
    assert "[^" not in collect(html).to_markdown()


def test_a_long_apparatus_outside_the_selection_stays_out() -> None:
    notes = "".join(f"<li id=fn{k}>{'word ' * 100}" for k in range(1, 9))
    marks = "".join(f"One.<sup><a href='#fn{k}'>{k}</a></sup> " for k in range(1, 9))
    text = collect(f"<p>{marks}</p><ol class=gone>{notes}</ol>", "gone").to_markdown()
    assert "[^" not in text
    assert "word" not in text


@pytest.mark.parametrize(
    "note",
    [
        "<span class=sidenote>First note of all.</span>",
        "<span class=footnote-container><label></label> <span class=footnote>First note of all.</span></span>",
        "<span class=inline-footnote>1<span class=footnoteContent>First note of all.</span></span>",
    ],
)
def test_a_note_in_the_line_is_moved_out_of_it(note: str) -> None:
    assert collect(f"<p>One.{note} Two.</p>").to_markdown() == "One.[^1] Two.\n\n[^1]: First note of all."
