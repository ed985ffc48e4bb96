"""Sizes of subtrees: every figure is a difference of two prefix sums, so each is compared with a plain recount."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from danubia_core.document import TEXT
from danubia_core.parse import HEADING_TAGS, parse_html

LONG = "a longer run of text that counts as prose because it has fifty bytes"
TAGS = "<div> </div> <p> </p> <a/href=/x> <a/href=#n> </a> <h2> </h2> <ul><li> </ul> <b> </b> <br> <td>".split()
PIECES = st.sampled_from([*TAGS, "text", " ", "漢字のならび", LONG])


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_sizes_are_those_of_a_recount(pieces: list[str]) -> None:
    document = parse_html("<html><body>" + "".join(pieces))
    links = set(document.links)

    def in_link(k: int) -> bool:
        while k:
            if k in links:
                return True
            k = document.parent[k]
        return False

    for i in range(len(document)):
        inside = range(i, document.end[i])
        sizes = {k: len(document.text[k].strip().encode()) for k in inside if document.tag[k] == TEXT}
        assert document.text_bytes(i) == sum(sizes.values())
        assert document.link_bytes(i) == sum(size for k, size in sizes.items() if in_link(k))
        assert document.prose_bytes(i) == sum(size for k, size in sizes.items() if size >= 50 and not in_link(k))
        assert document.has_heading(i) == any(document.tag[k] in HEADING_TAGS for k in inside)
        assert document.count_links(i)[0] == sum(k in links for k in inside)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_subtrees_nest(pieces: list[str]) -> None:
    document = parse_html("<html><body>" + "".join(pieces))
    assert document.end[0] == len(document)
    for i in range(1, len(document)):
        parent = document.parent[i]
        assert parent < i < document.end[i] <= document.end[parent]
        assert i in document.children(parent)
        if document.tag[i] == TEXT:
            assert document.end[i] == i + 1


def test_inner_text_parts_words_at_blocks_and_not_inside_a_line() -> None:
    document = parse_html("<div id=d><p>one<b>two</b></p><p>three</p>four<br>five</div>")
    assert document.inner_text(document.tag.index("div")) == "onetwo three four five"


def test_find_gives_the_first_descendant_or_none() -> None:
    document = parse_html("<div><p>a</p><table><tr><td>b</td></tr></table></div>")
    div = document.tag.index("div")
    assert document.tag[document.find(div, {"td", "table"})] == "table"
    assert document.find(div, {"pre"}) == -1
    assert document.find(div, {"div"}) == div
