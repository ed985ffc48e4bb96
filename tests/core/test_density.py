"""Link density with the exact numbers: floors of 60, 30, 300 and 100 bytes, 80 per cent, two links, 50 bytes."""

from __future__ import annotations

import pytest

from danubia_core.density import mark_dense
from danubia_core.parse import parse_html


def is_discarded(block: str, *, around: str = "{}", tag: str = "") -> bool:
    """Whether the density rule discards the block marked with id=b, itself or inside one that it discards."""
    document = parse_html(f"<html><body><main>{around.format(block)}</main></body></html>")
    node = next(i for i, attributes in enumerate(document.attrs) if attributes.get("id") == "b")
    assert not tag or document.tag[node] == tag
    return any(i <= node < document.end[i] for i in mark_dense(document, {}))


def build_block(tag: str, *, link: int, plain: int, links: int = 1) -> str:
    """A block with `link` bytes of link text, in `links` links, and `plain` bytes beside them."""
    size, rest = divmod(link, links)
    texts = ["x" * (size + (rest if k == 0 else 0)) for k in range(links)]
    anchors = "".join(f'<a href="/{k}">{text}</a>' for k, text in enumerate(texts))
    return f'<{tag} id="b">{anchors}{"y" * plain}</{tag}>'


ALONE = "<h2>Title</h2>{}<hr>"
P_AFTER = "<h2>Title</h2>{}<p>after</p>"
P_BEFORE = "<h2>Title</h2><p>before</p>{}"
DIV_AFTER = "<h2>Title</h2>{}<div>after</div>"
DIV_BEFORE = "<h2>Title</h2><div>before</div>{}"

# One long link in the block, so that the clause of short links can never be what discards it.
FLOORS = [
    ("p", ALONE, 60),
    ("p", P_BEFORE, 60),  # only a paragraph after it counts
    ("p", DIV_AFTER, 60),  # only the same tag counts
    ("p", P_AFTER, 30),
    ("div", ALONE, 300),
    ("div", P_AFTER, 300),
    ("div", DIV_AFTER, 100),
    ("div", DIV_BEFORE, 100),  # for other elements one anywhere counts
    ("ul", ALONE, 300),
    ("section", ALONE, 300),
]


@pytest.mark.parametrize(("tag", "around", "floor"), FLOORS)
def test_at_the_floor_all_link_text_is_discarded_and_below_it_is_not(tag: str, around: str, floor: int) -> None:
    assert is_discarded(build_block(tag, link=floor, plain=0), around=around, tag=tag)
    assert not is_discarded(build_block(tag, link=floor - 1, plain=0), around=around, tag=tag)


@pytest.mark.parametrize(("tag", "around", "floor"), FLOORS)
def test_from_the_floor_on_eighty_per_cent_of_the_text_decide(tag: str, around: str, floor: int) -> None:
    for size in (floor, floor * 2, floor * 10):
        exact = size * 80 // 100
        assert is_discarded(build_block(tag, link=exact, plain=size - exact), around=around)
        assert not is_discarded(build_block(tag, link=exact - 1, plain=size - exact + 1), around=around)


@pytest.mark.parametrize(("tag", "around", "floor"), FLOORS)
def test_from_the_floor_on_many_short_links_do_not_decide(tag: str, around: str, floor: int) -> None:
    assert not is_discarded(build_block(tag, link=floor // 2, plain=floor // 2, links=5), around=around)


def test_below_the_floor_two_short_links_are_a_menu_and_one_is_a_teaser() -> None:
    assert is_discarded(build_block("p", link=20, plain=10, links=2), around=ALONE)
    assert not is_discarded(build_block("p", link=20, plain=10, links=1), around=ALONE)
    assert not is_discarded('<p id="b">no link at all</p>', around=ALONE)


def make_links(lengths: list[int]) -> str:
    return "".join(f'<a href="/{k}">{"x" * length}</a>' for k, length in enumerate(lengths))


def test_below_the_floor_short_means_less_than_fifty_bytes() -> None:
    assert is_discarded(f'<div id="b">{make_links([49, 49])}</div>', around=ALONE)
    assert not is_discarded(f'<div id="b">{make_links([50, 50])}</div>', around=ALONE)


def test_below_the_floor_eighty_per_cent_of_the_links_must_be_short() -> None:
    assert is_discarded(f'<div id="b">{make_links([5, 5, 5, 5, 50])}</div>', around=ALONE)
    assert not is_discarded(f'<div id="b">{make_links([5, 5, 5, 50])}</div>', around=ALONE)


def test_below_the_floor_the_share_of_link_text_does_not_matter() -> None:
    assert is_discarded(f'<div id="b">{make_links([3, 3])}{"y" * 250}</div>', around=ALONE)


@pytest.mark.parametrize("heading", ["h1", "h2", "h3", "h4", "h5", "h6"])
def test_block_with_a_heading_is_exempt(heading: str) -> None:
    card = f'<div id="b"><{heading}><a href="/1">{"x" * 400}</a></{heading}></div>'
    assert not is_discarded(card, around="<p>Text</p>{}<p>Text</p>")
    assert is_discarded(card.replace(heading, "b"), around="<p>Text</p>{}<p>Text</p>")


def test_heading_exempts_its_own_block_alone() -> None:
    page = '<div><h2>Elsewhere</h2><div id="b">' + make_links([30] * 20) + "</div></div>"
    assert is_discarded(page)


@pytest.mark.parametrize("anchor", ["<a>", '<a href="#note">', '<a href="">', '<a name="top">', '<a href=" #x">'])
def test_anchor_that_leads_nowhere_is_no_link(anchor: str) -> None:
    assert not is_discarded(f'<div id="b">{anchor}{"x" * 400}</a></div>', around=ALONE)
    assert not is_discarded(f'<p id="b">{anchor}one</a> {anchor}two</a></p>', around=ALONE)


def test_lengths_are_bytes_and_not_characters() -> None:
    """Twenty characters of Japanese are sixty bytes: at the floor. Nineteen are not."""
    assert is_discarded(f'<p id="b"><a href="/1">{"水" * 20}</a></p>', around=ALONE)
    assert not is_discarded(f'<p id="b"><a href="/1">{"水" * 19}</a></p>', around=ALONE)
    assert not is_discarded(f'<p id="b"><a href="/1">{"x" * 20}</a></p>', around=ALONE)


def test_short_link_is_measured_in_bytes() -> None:
    japanese = "".join(f'<a href="/{k}">{"水" * 17}</a>' for k in range(2))  # 51 bytes each
    assert not is_discarded(f'<div id="b">{japanese}</div>', around=ALONE)
    assert is_discarded(f'<div id="b">{japanese.replace("水" * 17, "水" * 16)}</div>', around=ALONE)


def test_white_space_around_runs_of_text_is_not_counted() -> None:
    spaced = f'<p id="b">\n      <a href="/1">\n    {"x" * 59}    \n</a>\n     </p>'
    assert not is_discarded(spaced, around=ALONE)
    assert is_discarded(spaced.replace("x" * 59, "x" * 60), around=ALONE)


def test_topmost_block_alone_is_listed_and_search_discards_are_passed_over() -> None:
    menu = "".join(f'<li><a href="/{k}">place {k}</a></li>' for k in range(40))
    document = parse_html(f"<html><body><main><p>Text</p><ul>{menu}</ul><p>Text</p></main></body></html>")
    menu_node = document.tag.index("ul")
    assert mark_dense(document, {}) == [menu_node]
    assert mark_dense(document, {menu_node: 0}) == []


REFERENCES = (
    "The pumps are described by Halvorsen [{0}], whose drawings were copied in the harbour towns for a century [{0}]."
)


@pytest.mark.parametrize(
    "block",
    [
        '<blockquote id="b">{}</blockquote>',
        '<ul id="b"><li>{}</li></ul>',
        '<dl id="b"><dt>pump</dt><dd>{}</dd></dl>',
        '<div id="b"><p>{}</p></div>',
    ],
)
def test_short_block_whose_links_stand_in_sentences_is_kept(block: str) -> None:
    written = REFERENCES.format('<a href="/1">1</a>')
    beside = REFERENCES.replace("[{0}]", "") + '</p><p><a href="/1">1</a></p><p><a href="/2">2</a></p>'
    around = "<p>Text</p>{}<p>Text</p>"
    assert not is_discarded(block.format(written), around=around)
    assert is_discarded(f'<div id="b"><p>{beside}</div>', around=around)
