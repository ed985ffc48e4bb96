"""Marks: what is hidden, where which vocabulary holds, and that most of a page is never discarded."""

from __future__ import annotations

import pytest

from danubia_core.document import Document
from danubia_core.marks import Marks, mark_document
from danubia_core.parse import parse_html
from danubia_core.rules import RULES
from danubia_core.verdicts import is_hidden_style

LINE = "The river carried the barges down to the mill before noon, as it had in every year since. "
PROSE = f"<p>{LINE * 12}</p>"


def mark(body: str, *, forum: bool = False) -> tuple[Document, Marks]:
    document = parse_html(f"<html><body>{body}</body></html>")
    return document, mark_document(document, forum=forum)


def discarded(body: str, *, forum: bool = False) -> list[str]:
    """The texts that are discarded, in order."""
    document, marks = mark(body, forum=forum)
    return [document.inner_text(i) for i in sorted(marks.discards)]


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "color:red; DISPLAY : none;",
        "visibility:hidden",
        "display:none!important",
        "margin:0;\ndisplay:\tnone",
    ],
)
def test_style_that_hides(style: str) -> None:
    assert is_hidden_style(style)
    assert discarded(f'<div style="{style}"><p>Draft</p></div>{PROSE}') == ["Draft"]


@pytest.mark.parametrize(
    "style", ["display:block", "background:none", "overflow:hidden", "", "border:none;display:flex"]
)
def test_style_that_does_not_hide(style: str) -> None:
    assert not is_hidden_style(style)
    assert discarded(f'<div style="{style}"><p>Text</p></div>{PROSE}') == []


@pytest.mark.parametrize("attribute", ["hidden", 'hidden=""', 'hidden="hidden"', 'aria-hidden="true"'])
def test_hidden_element_is_discarded_with_all_that_is_in_it(attribute: str) -> None:
    document, marks = mark(f"<main>{PROSE}<div {attribute}><p>Note</p><ul><li>More</li></ul></div></main>")
    assert [document.inner_text(i) for i in marks.discards] == ["Note More"]
    assert marks.hidden_bytes == len("NoteMore")


def test_what_a_search_on_the_page_may_open_is_not_hidden() -> None:
    assert discarded(f'<main>{PROSE}<div hidden="until-found"><p>Answer</p></div></main>') == []


@pytest.mark.parametrize(
    "panel",
    ['role="tabpanel"', 'class="accordion-body"', 'class="faq-answer"', 'id="collapseOne"', 'class="tab-content"'],
)
def test_closed_panel_is_content_one_click_away(panel: str) -> None:
    assert discarded(f'<main>{PROSE}<div {panel} style="display:none"><p>Answer</p></div></main>') == []


@pytest.mark.parametrize("overlay", ["modal-panel", "menu-panel", "cookie-panel", "nav-collapse"])
def test_closed_overlay_is_no_panel(overlay: str) -> None:
    assert discarded(f'<main>{PROSE}<div class="{overlay}" hidden><p>Choose</p></div></main>') == ["Choose"]


def test_topmost_discard_stands_for_all_below_it() -> None:
    document, marks = mark(f'{PROSE}<div class="sidebar"><nav><p>A</p></nav><div class="share"><p>B</p></div></div>')
    assert [document.attrs[i].get("class") for i in marks.discards] == ["sidebar"]


def test_same_box_is_furniture_outside_main_and_content_inside() -> None:
    box = '<div class="sidebar"><p>Sixty tokens.</p></div>'
    assert discarded(f"{box}<main>{PROSE}</main>") == ["Sixty tokens."]
    assert discarded(f"<main>{PROSE}{box}</main>") == []


def test_box_around_main_is_never_furniture() -> None:
    assert discarded(f'<div class="sidebar newsletter cookie"><main>{PROSE}</main><p>Beside</p></div>') == []


def test_main_that_holds_next_to_nothing_does_not_change_the_vocabulary() -> None:
    page = f'<main><p>Loading</p><div class="sidebar"><p>Menu</p></div></main><div>{PROSE}</div>'
    assert discarded(page) == ["Menu"]


@pytest.mark.parametrize("names", ["sidebar", "newsletter", "comments", "footer", "related-posts"])
def test_what_holds_most_of_the_text_is_not_discarded(names: str) -> None:
    assert discarded(f'<div class="{names}">{PROSE}</div><p>Little</p>') == []
    assert discarded(f'<div class="{names}"><p>Little</p></div>{PROSE}') == ["Little"]


def test_hidden_pieces_of_a_streamed_page_are_content() -> None:
    """A server that streams sends the text hidden, below body, and a script moves it into place."""
    page = (
        f'<div id="root"><p>Loading</p></div><div hidden id="S:1">{PROSE}</div><div hidden id="S:0"><p>Title</p></div>'
    )
    assert discarded(page) == []


def test_button_goes_unless_it_is_a_heading() -> None:
    assert discarded(f"<main>{PROSE}<button>Vote</button></main>") == ["Vote"]
    assert discarded(f"<main><h3><button>How to apply</button></h3>{PROSE}</main>") == []
    assert discarded(f"<main><button><h3>How to apply</h3></button>{PROSE}</main>") == []


def test_comments_are_discarded_unless_the_page_is_a_forum() -> None:
    page = f'<main>{PROSE}</main><div id="comments"><p>First!</p></div>'
    assert discarded(page) == ["First!"]
    assert discarded(page, forum=True) == []


def test_regions_are_the_topmost_of_their_level() -> None:
    document, marks = mark(
        f'<div id="content"><main><article class="post"><article>{PROSE}</article></article>'
        f'<article class="post"><div class="entry-content">{PROSE}</div></article></main></div>'
    )
    tags = {level: [document.tag[i] for i in nodes] for level, nodes in marks.regions.items()}
    assert tags == {1: ["div"], 2: ["article", "article"], 3: ["main"], 4: ["div"]}
    assert [i for nodes in marks.regions.values() for i in nodes if document.tag[i] == "body"] == []


def test_article_inside_a_link_or_item_is_no_region_by_its_class() -> None:
    _, marks = mark(f'<ul><li class="article">One</li></ul><a class="post" href="/1">Two</a>{PROSE}')
    assert marks.regions[2] == []


def test_posts_of_a_thread_are_listed_in_order() -> None:
    post = '<div class="message"><div class="user">Ann</div><div class="bbWrapper"><p>{}</p></div></div>'
    document, marks = mark("".join(post.format(f"Post {k} {LINE}") for k in range(3)))
    assert [document.inner_text(i)[:6] for i in marks.posts] == ["Post 0", "Post 1", "Post 2"]


def test_names_are_told_in_any_case_and_spelling() -> None:
    for names in ("Sidebar", "SIDEBAR", "pageSidebar", "page_sidebar", "page-sidebar-2", "x sidebar y"):
        assert discarded(f'<div class="{names}"><p>Box</p></div>{PROSE}') == ["Box"], names
        assert discarded(f'<div id="{names}"><p>Box</p></div>{PROSE}') == ["Box"], names


def test_every_discard_names_its_rule() -> None:
    document, marks = mark(f"<nav><p>Home</p></nav><footer><p>Imprint</p></footer><main>{PROSE}</main>")
    told = {document.tag[i]: RULES[rule].id for i, rule in marks.discards.items()}
    assert told == {"nav": "chrome.navigation", "footer": "chrome.footer"}


def test_the_source_of_a_quotation_is_not_a_footer() -> None:
    quote = "<blockquote><p>Seven is enough.</p><footer>Ann Weir, miller</footer></blockquote>"
    assert discarded(f"<main>{PROSE}{quote}<footer>Sitemap</footer></main>{quote}") == ["Sitemap"]


def test_the_label_of_a_task_is_its_text() -> None:
    task = "<li class=task-list-item><label><input type=checkbox> Oil the sluice</label>"
    filters = "<li><label><input type=checkbox> Size M</label>"
    assert discarded(f"<main>{PROSE}<ul>{task}{filters}</ul></main>") == ["Size M"]
