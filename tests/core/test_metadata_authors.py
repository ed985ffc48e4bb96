from __future__ import annotations

import pytest

from danubia_core.metadata import extract_metadata
from danubia_core.parse import parse_html

STORY = "<p>The ferry leaves at seven and comes back at nine, unless there is fog on the river.</p>"


def author_of(head: str = "", body: str = "", *, url: str | None = None) -> str | None:
    markup = f"<html lang=en><head><title>The ferry</title>{head}</head><body><h1>The ferry</h1>{body}{STORY}</body>"
    return extract_metadata(parse_html(markup), url=url).author


def ld(author: str, *, more: str = "") -> str:
    return f'<script type="application/ld+json">{{"@type": "NewsArticle", "author": {author}{more}}}</script>'


@pytest.mark.parametrize(
    "author",
    [
        '"Tilda Brook"',
        '"By Tilda Brook"',
        '{"@type": "Person", "name": "Tilda Brook"}',
        '{"@type": "Person", "name": {"@type": "Person", "name": "Tilda Brook"}}',
        '{"@type": "Person", "name": ["Tilda Brook"], "url": "https://example.org/tilda"}',
        '{"@type": "Person", "givenName": "Tilda", "familyName": "Brook"}',
        '[{"name": "Tilda Brook"}, {"name": "Tilda Brook"}]',
    ],
)
def test_json_ld_authors_are_read_in_all_shapes(author: str) -> None:
    assert author_of(ld(author)) == "Tilda Brook"


def test_several_authors_keep_their_order() -> None:
    assert author_of(ld('[{"name": "Tilda Brook"}, "Omar Haddad"]')) == "Tilda Brook; Omar Haddad"


def test_references_inside_a_graph_are_followed() -> None:
    graph = (
        '{"@graph": [{"@type": "Article", "author": {"@id": "#t"}}, '
        '{"@type": "Person", "@id": "#t", "name": "Tilda Brook"}]}'
    )
    assert author_of(f'<script type="application/ld+json">{graph}</script>') == "Tilda Brook"


def test_a_person_named_on_the_page_comes_before_an_organisation() -> None:
    head = ld('{"@type": "Organization", "name": "Harbour Courier"}')
    assert author_of(head, '<p class="byline">By Tilda Brook</p>') == "Tilda Brook"
    assert author_of(head) == "Harbour Courier"


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="author" content="Tilda Brook">',
        '<meta property="article:author" content="https://x.example/t"><meta name="dc.creator" content="Tilda Brook">',
        '<meta name="parsely-author" content="Tilda Brook">',
        '<meta name="author" content="admin"><meta name="sailthru.author" content="Tilda Brook">',
    ],
)
def test_meta_authors_are_read_but_addresses_and_nobodies_are_not(head: str) -> None:
    assert author_of(head) == "Tilda Brook"


@pytest.mark.parametrize(
    "body",
    [
        '<span itemprop="author"><span itemprop="name">Tilda Brook</span> 12 posts</span>',
        '<a rel="author" href="/tilda">Tilda Brook</a>',
        '<div class="post-meta"><span class="author-name">Tilda Brook</span></div>',
        '<div class="articleAuthor"><span>Written by</span> <b>Tilda Brook</b> <span>Harbour desk</span></div>',
        '<div class="date-and-author"><span>May 6, 2019</span><span>Tilda Brook</span></div>',
        "<address>Tilda Brook</address>",
        "<p>By <a href='/t'>Tilda Brook</a></p>",
        "<p>By Tilda Brook on May 6, 2019</p>",
        "<p>Von Tilda Brook</p>",
        "<p>Par Tilda Brook</p>",
        "<p>Por Tilda Brook</p>",
        "<p>Door Tilda Brook</p>",
        "<p>Автор: Tilda Brook</p>",
        "<p>Autor: Tilda Brook</p>",
        "<p>Yazan: Tilda Brook</p>",
        "<p>Tác giả: Tilda Brook</p>",
        "<p>作者：Tilda Brook</p>",
        "<p>글: Tilda Brook</p>",
        "<p>بقلم Tilda Brook</p>",
        "<p>Scritto da Tilda Brook</p>",
    ],
)
def test_bylines_are_read_from_markup_and_words(body: str) -> None:
    assert author_of(body=body) == "Tilda Brook"


def test_a_byline_of_two_gives_two() -> None:
    byline = '<p class="byline">By <a href="/t">Tilda Brook</a> and <a href="/o">Omar Haddad</a>, Staff</p>'
    assert author_of(body=byline) == "Tilda Brook; Omar Haddad"


def test_names_without_latin_letters_are_names() -> None:
    assert author_of(body="<p>作者：周明</p>") == "周明"


def test_a_name_with_a_capital_particle_stays_whole() -> None:
    assert author_of(body='<p class="byline">By Ursula Le Coq</p>') == "Ursula Le Coq"


@pytest.mark.parametrize(
    "body",
    [
        "<p>By clicking the button you agree to everything.</p>",
        "<p>By the numbers</p>",
        '<p class="author">Eingestellt von</p>',
        '<meta name="author" content="facebook.example/tilda">',
        '<p class="byline">May 6, 2019</p>',
        '<div class="comment"><span class="author">Omar Haddad</span></div>',
        '<aside><p class="author">Omar Haddad</p></aside>',
        '<div class="related-posts"><span class="author">Omar Haddad</span></div>',
        '<div itemprop="comment"><span itemprop="author">Omar Haddad</span></div>',
        '<img class="author-photo" alt="Omar Haddad">',
        '<script>var author = "Omar Haddad";</script>',
    ],
)
def test_what_is_no_byline_gives_no_author(body: str) -> None:
    assert author_of(body=body) is None


def test_a_name_beside_the_date_is_the_author_but_a_label_is_not() -> None:
    assert author_of(body="<p>Tilda Brook</p><p>6 May 2019</p>") == "Tilda Brook"
    for label in ("<h2>Featured Content</h2>", '<a href="/category/ferries/">Ferry News</a>', "<p>Get 20 % Off</p>"):
        assert author_of(body=f"{label}<p>6 May 2019</p>") is None


def test_a_site_that_signs_with_its_own_name_is_not_replaced_by_a_name_from_far_below() -> None:
    head = '<meta property="og:site_name" content="Harbour Courier"><meta name="author" content="Harbour Courier">'
    below = STORY * 200 + "<p>Written by Tilda Brook</p>"
    assert author_of(head, below) == "Harbour Courier"
    assert author_of("", below) == "Tilda Brook"


def test_an_address_behind_a_name_is_cut_off() -> None:
    assert author_of(body="<p>By Tilda Brook &lt;tilda at example dot org&gt;</p>") == "Tilda Brook"
