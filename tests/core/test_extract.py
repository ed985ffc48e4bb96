"""extract() as its users know it: what is kept and what is not, what is said of it, and that no page breaks it."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danubia_core import Extraction, Options, Tree, extract
from tests.golden import extract_golden

LINE = "The river carried the barges down to the mill before noon, as it had in every year since. "
PROSE = f"<p>{LINE * 4}</p>"


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"


# What there is to say where there is nothing ------------------------------------------------------------------------


@pytest.mark.parametrize("source", [b"", "", b"\xef\xbb\xbf", b"\x00\x00"])
def test_page_of_nothing_is_skipped_as_empty(source: bytes | str) -> None:
    extraction = extract(source)
    assert extraction.skip == "empty"
    assert (extraction.text, extraction.markdown, extraction.html) == ("", "", "")
    assert extraction.tree == Tree()


@pytest.mark.parametrize(
    "source",
    [
        "<html></html>",
        "<html><head><title>Title alone</title></head><body></body></html>",
        "<html><body><script>render()</script><!-- nothing --></body></html>",
        "<html><body><p> </p><p>&nbsp;</p></body></html>",
        " \r\n\t ",
    ],
)
def test_page_without_text_is_skipped_as_such(source: str) -> None:
    extraction = extract(source)
    assert extraction.skip == "no-text"
    assert extraction.text == ""


def test_page_with_text_is_not_skipped() -> None:
    assert extract(page("<p>Closed today.</p>")).skip is None


# Options and statistics ----------------------------------------------------------------------------------------------


def test_fingerprint_is_equal_for_equal_options_in_any_process() -> None:
    command = "from danubia_core import Options; print(Options(mode='recall').fingerprint())"
    other = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == Options(mode="recall").fingerprint()
    assert Options(**Options(mode="recall").to_dict()) == Options(mode="recall")


@pytest.mark.parametrize(
    ("values", "message"), [({"mode": "best"}, "one of balanced"), ({"max_input_bytes": 0}, "above 0")]
)
def test_options_refuse_what_extraction_cannot_carry_out(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**values)


def test_fingerprint_differs_where_any_option_does() -> None:
    choices = [
        Options(),
        Options(mode="recall"),
        Options(mode="precision"),
        Options(comments=True),
        Options(max_input_bytes=9),
    ]
    assert len({options.fingerprint() for options in choices}) == len(choices)


def test_options_are_frozen_and_checked() -> None:
    with pytest.raises(AttributeError):
        Options().mode = "recall"  # type: ignore[misc]
    with pytest.raises(TypeError):
        Options(nonsense=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", [bytes, str])
def test_markup_beyond_the_limit_is_cut_and_said_to_be(kind: type) -> None:
    source = page(f"<main>{PROSE}<p>Last words.</p></main>")
    source = source.encode() if kind is bytes else source
    whole = extract(source)
    assert not whole.stats.truncated
    assert whole.text.endswith("Last words.")
    cut = extract(source, options=Options(max_input_bytes=len(source) - 40))
    assert cut.stats.truncated
    assert "The river" in cut.text
    assert "Last words." not in cut.text
    assert not extract(source, options=Options(max_input_bytes=len(source))).stats.truncated


def test_statistics_count_bytes_of_text_and_nodes_of_the_tree() -> None:
    menu = '<nav><a href="/">Início</a></nav>'
    extraction = extract(
        page(f"{menu}<main><h1>Água</h1><p>{'água ' * 100}</p><ul><li>um</li><li>dois</li></ul></main>")
    )
    stats = extraction.stats
    kept = len("Água".encode()) + len(("água " * 100).strip().encode()) + len("umdois")
    assert stats.main_bytes == stats.selected_bytes == kept
    assert stats.total_bytes == kept + len("Início".encode())
    assert stats.link_bytes == len("Início".encode())
    assert stats.search_discarded_bytes == len("Início".encode())
    assert stats.discards == {"chrome.navigation": len("Início".encode())}
    assert stats.node_counts == {"heading": 1, "paragraph": 3, "list": 1, "item": 2}


def test_characters_and_their_bytes_give_the_same() -> None:
    source = page(f"<main><h1>Čas ・ 時</h1>{PROSE}</main>", '<meta charset="utf-8"><title>Čas</title>')
    first, second = extract(source), extract(source.encode())
    assert first.tree == second.tree
    assert first.metadata == second.metadata
    assert first.stats == second.stats
    assert (first.charset_source, second.charset_source) == ("str", "meta")


# Links ---------------------------------------------------------------------------------------------------------------

LINKED = f'<main>{PROSE}<p>See <a href="b.html?x=1#y">this</a> and more of it. {LINE}</p></main>'


@pytest.mark.parametrize(
    ("base", "url", "href"),
    [
        ("", "https://e.org/a/index.html", "https://e.org/a/b.html?x=1#y"),
        ('<base href="https://cdn.e.org/z/">', "https://e.org/a/", "https://cdn.e.org/z/b.html?x=1#y"),
        ('<base href="/deep/">', "https://e.org/a/", "https://e.org/deep/b.html?x=1#y"),
        ('<base href="https://cdn.e.org/z/">', None, "https://cdn.e.org/z/b.html?x=1#y"),
        ('<base target="_blank">', "https://e.org/a/", "https://e.org/a/b.html?x=1#y"),
        ('<base href="https://one.org/"><base href="https://two.org/">', None, "https://one.org/b.html?x=1#y"),
        ("", None, "b.html?x=1#y"),
    ],
)
def test_link_is_resolved_against_base_and_address(base: str, url: str | None, href: str) -> None:
    extraction = extract(page(LINKED, base), url=url)
    assert f"[this]({href})" in extraction.markdown
    assert f'href="{href}"' in extraction.html
    assert '"b.html?x=1#y"' in extraction.tree.to_json()  # the page's own value is kept beside


@pytest.mark.parametrize(
    "target", ["http://[broken", "https://e.org:port/", "javascript:void(0)", "//", "http://", "mailto:a@b"]
)
def test_odd_link_target_breaks_nothing(target: str) -> None:
    extraction = extract(
        page(f'<main>{PROSE}<p>See <a href="{target}">this</a>. {LINE}</p></main>'), url="https://e.org/"
    )
    assert "See this. The river" in extraction.text


# What is content -----------------------------------------------------------------------------------------------------


def test_hidden_text_is_left_out() -> None:
    hidden = '<p hidden>One</p><p style="display:none">Two</p><div aria-hidden="true">Three</div>'
    text = extract(page(f"<main>{PROSE}{hidden}</main>")).text
    assert "The river" in text
    assert not {"One", "Two", "Three"} & set(text.split())


def test_comments_are_dropped_below_an_article() -> None:
    comments = f'<section id="comments"><h2>Two comments</h2><p>Ann: {LINE}</p><p>Bob: quite so.</p></section>'
    for body in (f"<article>{PROSE * 3}</article>{comments}", f"<main><article>{PROSE * 3}{comments}</article></main>"):
        text = extract(page(body)).text
        assert text.count("The river") == 12
        assert "Ann:" not in text
        assert "Bob:" not in text


def test_posts_of_a_thread_are_kept_in_order() -> None:
    posts = "".join(
        f'<div class="post"><div class="author">user{k}</div><div class="content"><p>Post {k}. {LINE}</p></div></div>'
        for k in range(6)
    )
    text = extract(
        page(f"<nav><a href=/>Home</a></nav><div class=thread><h1>Why</h1>{posts}</div>"),
        url="https://forum.example.org/t/why/1",
    ).text
    places = [text.find(f"Post {k}.") for k in range(6)]
    assert -1 not in places
    assert places == sorted(places)


def test_text_after_the_end_of_the_document_is_kept() -> None:
    assert extract("<html><body><p>One.</p></body></html><p>Two.</p>").text == "One.\n\nTwo."


def test_control_characters_part_nothing_and_stay_nowhere() -> None:
    source = b"<html><body><p>The ri\x00ver car\x08ried it.\x0b Then\x0c it\x1f stopped.\x7f</p></body></html>"
    text = extract(source).text
    assert not [c for c in text if ord(c) < 32 or ord(c) == 127]
    assert text.startswith("The river carried it.")
    assert text.split()[-1] == "stopped."


def test_widget_inside_main_is_the_page_s_list_of_posts() -> None:
    """The page listing of a maker's log: a recent-posts widget, with a sidebar's id, inside main."""
    extraction = extract_golden("listing-en-workshop-log")
    assert extraction.markdown.count("\n## [") >= 5
    assert "The remedy was a resistor, a sock and some patience." in extraction.text
    assert extraction.stats.discards.keys() & {"chrome.rail", "chrome.related"} <= {"chrome.rail"}


@pytest.mark.parametrize("slug", ["article-en-tide-mills", "wiki-en-search-skin"])
def test_body_class_with_search_in_it_costs_no_text(slug: str) -> None:
    """A wiki's skin puts skin-vector-search-vue on body: a rule of the bare word would empty every article of it."""
    extraction = extract_golden(slug)
    assert extraction.stats.rung == "body"
    assert extraction.stats.selected_bytes * 2 > extraction.stats.total_bytes


def test_boxes_with_borders_inside_main_are_content() -> None:
    """A museum's page whose whole content sits in item-border, with-label-link and button-container."""
    text = extract_golden("homepage-fr-museum").text
    for told in (
        "Le prix d'une écluse",
        "Frapper sa première pièce",
        "Informations pratiques",
        "Tarif réduit : 6 euros",
    ):
        assert told in text


# Size ----------------------------------------------------------------------------------------------------------------


def measure(source: str) -> tuple[float, Extraction]:
    start = time.process_time()
    extraction = extract(source)
    assert extraction.text
    assert extraction.markdown
    return time.process_time() - start, extraction


@pytest.mark.parametrize("tag", ["div", "span", "b", "blockquote", "ul><li", "table><tr><td", "font", "a"])
def test_depth_costs_no_more_than_length(tag: str) -> None:
    """100,000 open elements; twice the depth takes about twice the time, and no stack overflows."""
    depth = 100_000 // tag.count(">") if ">" in tag else 100_000
    seconds, extraction = measure(page(f"<p>First.</p>{f'<{tag}>' * depth}deep"))
    assert "deep" in extraction.text
    assert seconds < 60


def test_long_table_keeps_every_row() -> None:
    rows = "".join(f"<tr><td>row {k}</td><td>{k * k}</td></tr>" for k in range(20_000))
    seconds, extraction = measure(page(f"<main>{PROSE}<table>{rows}</table></main>"))
    assert extraction.stats.node_counts["row"] == 20_000
    assert "row 19999" in extraction.text
    assert seconds < 60


@pytest.mark.parametrize(
    "unit",
    [
        "<p>word</p>",
        "word<br>",
        '<a href="/x">link</a> ',
        "<h2>head</h2>",
        "<nav>x</nav>",
        "<li>item",
        "<div class=card><h3><a href=/1>t</a></h3></div>",
    ],
)
def test_time_grows_with_length_alone(unit: str) -> None:
    measure(page(PROSE + unit * 100))
    small = min(measure(page(PROSE + unit * 4_000))[0] for _ in range(2))
    large = min(measure(page(PROSE + unit * 16_000))[0] for _ in range(2))
    assert large < 4 * small * 2.5 + 0.2


# Any page ------------------------------------------------------------------------------------------------------------

TAGS = (
    "html head body main article div p span a b ul ol li dl dt dd table tr td th pre code h1 h2 nav aside form button "
    "br img template noscript script style svg math iframe figure figcaption details summary blockquote sup select "
    "option title base"
).split()
NAMES = (
    "sidebar",
    "content",
    "entry-content",
    "comments",
    "modal",
    "footer",
    "post",
    "language-x",
    "mw-parser-output",
    "btn",
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        " hidden",
        ' href="/x"',
        ' href="#f"',
        " href='http://['",
        ' style="display:none"',
        ' role="main"',
        ' colspan="99999"',
        " rowspan=0",
    ]
    + [f' class="{name}"' for name in NAMES]
    + [' id="S:1"', ' src="data:,x"', " start=-5", " ="]
)
OPEN = st.builds(lambda tag, attribute: f"<{tag}{attribute}>", st.sampled_from(TAGS), ATTRIBUTES)
CLOSE = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
TEXTS = st.sampled_from(
    [
        "word",
        " ",
        LINE,
        "&amp;",
        "&#0;",
        "&#xD800;",
        "&nbsp",
        "<",
        "<!--",
        "-->",
        "]]>",
        "漢字",
        "\x00",
        "*",
        "|",
        "```",
    ]
)
SOUP = st.lists(st.one_of(OPEN, OPEN, CLOSE, TEXTS, st.text(max_size=5)), max_size=60).map("".join)


def check_whole(extraction: Extraction) -> None:
    assert extraction.skip in (None, "empty", "no-text", "navigation-only")
    assert (extraction.skip is not None) == (not extraction.tree.children)
    assert Tree.from_json(extraction.tree.to_json()).to_markdown() == extraction.markdown
    assert isinstance(extraction.text, str)
    assert isinstance(extraction.html, str)
    extraction.text.encode("utf-8")
    msgspec.json.encode(extraction.metadata)
    figures = msgspec.structs.asdict(extraction.stats)
    assert all(value >= 0 for name, value in figures.items() if name.endswith("_bytes"))
    assert extraction.stats.rung


@settings(max_examples=200, deadline=None)
@given(SOUP)
def test_any_tag_soup_is_extracted(soup: str) -> None:
    check_whole(extract(soup, url="https://example.org/a"))


@settings(max_examples=200, deadline=None)
@given(SOUP)
def test_any_tag_soup_gives_the_same_twice(soup: str) -> None:
    assert extract(soup).tree == extract(soup).tree


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from([None, "text/html", "text/html; charset=utf-16", "text/html; charset=nonsense"]),
)
def test_any_bytes_are_extracted(source: bytes, content_type: str | None) -> None:
    check_whole(extract(source, content_type=content_type))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["balanced", "precision", "recall", "fast"]), st.booleans(), SOUP)
def test_any_options_hold_for_any_page(mode: str, comments: bool, soup: str) -> None:  # noqa: FBT001 - hypothesis gives it
    check_whole(extract(soup, options=Options(mode=mode, comments=comments)))  # type: ignore[arg-type]


def test_page_of_a_few_links_and_scripts_is_skipped_as_a_shell() -> None:
    links = "".join(f'<a href="/{n}">Help and service {n}</a> ' for n in range(12))
    extraction = extract(f'<html><body><div id="root"></div><div class="foot">{links}</div></body></html>')
    assert extraction.skip == "navigation-only"
    assert extraction.text == ""


def test_matter_that_has_the_name_of_a_rail_is_found_when_all_else_is_discarded() -> None:
    items = "".join(f"<li>Item {n}: a book about ferries, bound in cloth, 19 euros</li>" for n in range(20))
    page = f'<html><body><nav><a href="/">Home</a></nav><div class="right-col"><ul>{items}</ul></div></body></html>'
    extraction = extract(page)
    assert "Item 19" in extraction.text


def test_text_leaves_out_a_credited_caption_and_markdown_keeps_it() -> None:
    prose = "<p>" + "The mill stands where the two rivers meet, and has done so since the flood of 1784. " * 4 + "</p>"
    figure = (
        '<figure><img src="/mill.jpg" alt="Mill"><figcaption>The mill in May. Photo: A. Miller</figcaption></figure>'
    )
    extraction = extract(f"<html><body><article>{prose}{figure}{prose}</article></body></html>")
    assert "in May" not in extraction.text
    assert "The mill in May" in extraction.markdown
    assert "The mill in May" in extraction.tree.to_text(credited=True)
    plain = figure.replace(". Photo: A. Miller", "")
    assert "The mill in May" in extract(f"<html><body><article>{prose}{plain}{prose}</article></body></html>").text


def test_words_that_a_style_sheet_parts_are_parted() -> None:
    prose = "<p>" + "The mill stands where the two rivers meet, and has done so since the flood of 1784. " * 4 + "</p>"
    names = "<p><span>Merrell</span><span>Moab</span></p><p>a Mac<b>Book</b> of 2<span>kg</span></p>"
    text = extract(f"<html><body><article>{prose}{names}</article></body></html>").text
    assert "Merrell Moab" in text
    assert "a MacBook of 2kg" in text
