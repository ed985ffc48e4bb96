from __future__ import annotations

import time

import pytest

from danubia_core.metadata import Metadata, extract_metadata
from danubia_core.metadata.declared import language_tag
from danubia_core.parse import parse_html

URL = "https://www.harbourcourier.example/town/hives?x=1"


def metadata_of(head: str, body: str = "", *, html: str = "") -> Metadata:
    return extract_metadata(parse_html(f"<html {html}><head>{head}</head><body>{body}</body></html>"), url=URL)


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_a_bare_page_has_nothing() -> None:
    assert extract_metadata(parse_html("<p>x</p>"), url=None) == Metadata()


def test_site_name_comes_from_open_graph_or_the_publisher() -> None:
    assert metadata_of('<meta property="og:site_name" content="Harbour &amp;amp; Pier">').site_name == "Harbour & Pier"
    article = '{"@type": "Article", "publisher": {"@type": "Organization", "name": "Harbour Courier"}}'
    assert metadata_of(ld(article)).site_name == "Harbour Courier"


def test_description_and_image_and_canonical_address_are_absolute_and_clean() -> None:
    found = metadata_of(
        '<meta name="description" content="Nine hives\n counted."><meta property="og:image" content="/bees.jpg">'
        '<link rel="canonical" href="/town/hives">'
    )
    assert found.description == "Nine hives counted."
    assert found.image == "https://www.harbourcourier.example/bees.jpg"
    assert found.canonical_url == "https://www.harbourcourier.example/town/hives"


def test_a_base_element_moves_relative_addresses() -> None:
    found = metadata_of('<base href="https://cdn.example/x/"><meta property="og:image" content="bees.jpg">')
    assert found.image == "https://cdn.example/x/bees.jpg"


def test_addresses_that_are_not_of_the_web_are_none() -> None:
    found = metadata_of(
        '<meta property="og:image" content="data:image/png;base64,AA"><link rel="canonical" href="app:x">'
    )
    assert (found.image, found.canonical_url) == (None, None)


def test_categories_come_from_sections_or_breadcrumbs() -> None:
    head = '<meta property="article:section" content="Town">' + ld(
        '{"@type": "Article", "articleSection": ["Town", "Bees"]}'
    )
    assert metadata_of(head).categories == ["Town", "Bees"]
    assert metadata_of('<meta property="article:section" content="Town,Bees, honey">').categories == [
        "Town",
        "Bees, honey",
    ]
    crumbs = ",".join(f'{{"name": "{name}"}}' for name in ("Home", "Town", "Nine hives"))
    assert metadata_of(ld(f'{{"@type": "BreadcrumbList", "itemListElement": [{crumbs}]}}')).categories == ["Town"]


def test_tags_come_from_keywords_and_links_once_each() -> None:
    head = '<meta name="keywords" content="bees, Hives,bees"><meta property="article:tag" content="queen">'
    links = '<p><a rel="tag" href="/t">hives</a> <a rel="tag" href="/u">#honey</a></p>'
    assert metadata_of(head, links).tags == ["queen", "bees", "Hives", "honey"]


@pytest.mark.parametrize(
    ("html", "head", "language"),
    [
        ("lang=de", "", "de"),
        ("lang=PT_br", "", "pt-BR"),
        ("lang=zh-hant-tw", "", "zh-Hant-TW"),
        ("", '<meta http-equiv="content-language" content="fr, en">', "fr"),
        ("lang='{{lang}}'", '<meta property="og:locale" content="en_GB">', "en-GB"),
        ("", ld('{"@type": "Article", "inLanguage": {"@type": "Language", "alternateName": "nl"}}'), "nl"),
        ("lang=x", "", None),
    ],
)
def test_language_is_a_bcp_47_tag(html: str, head: str, language: str | None) -> None:
    assert metadata_of(head, html=html).language == language


def test_a_charset_behind_a_locale_is_cut_off() -> None:
    assert language_tag("en_US.UTF-8") == "en-US"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ('<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">', ""),
        ("", '<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC</a>'),
        ("", '<a href="https://creativecommons.org/licenses/by/4.0/">CC</a>'),
        (ld('{"@type": "Article", "license": "https://creativecommons.org/licenses/by/4.0/"}'), ""),
    ],
)
def test_licenses_are_found(head: str, body: str) -> None:
    assert metadata_of(head, body).license == "https://creativecommons.org/licenses/by/4.0/"


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "x", "description": "Nine hives",}',
        '{"@type": "Article", "description": "Nine\n hives"}',
        '<!-- {"@type": "Article", "description": "Nine hives"} -->',
        '//<![CDATA[\n{"@type": "Article", "description": "Nine hives"}\n//]]>',
        '{"@type": "WebSite"};{"@type": "Article", "description": "Nine hives"};',
        '{"@type": "Article", "description": "Nine\\ hives"}',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;description&quot;: &quot;Nine hives&quot;}",
        '[{"@graph": [[{"@type": ["NewsArticle", "Thing"], "description": "Nine &#104;ives"}]]}]',
        '{"@type": "http://schema.org/Article", "description": "Nine hives"}',
    ],
)
def test_broken_json_ld_is_read_leniently(text: str) -> None:
    assert metadata_of(ld(text)).description == "Nine hives"


def test_json_ld_that_cannot_be_mended_still_gives_what_matters() -> None:
    text = '{"@type": "Article", "about": "a "b" c", "datePublished": "2019-05-06", "author": {"name": "Tilda Brook"}'
    found = metadata_of(ld(text))
    assert (found.date, found.author) == ("2019-05-06", "Tilda Brook")


def test_of_several_articles_the_one_with_the_pages_headline_is_read() -> None:
    articles = ",".join(
        f'{{"@type": "Article", "headline": "{h}", "author": "{a}", "datePublished": "{d}"}}'
        for h, a, d in (("Ferry closed", "Omar Haddad", "2020-01-01"), ("Nine hives", "Tilda Brook", "2019-05-06"))
    )
    found = metadata_of("<title>Nine hives | Courier</title>" + ld(f"[{articles}]"), "<h1>Nine hives</h1>")
    assert (found.author, found.date) == ("Tilda Brook", "2019-05-06")
    listing = metadata_of("<title>News | Courier</title>" + ld(f"[{articles}]"), "<h1>News</h1>")
    assert (listing.author, listing.date) == (None, None)


@pytest.mark.parametrize(
    "text", ["", "null", "3", "[[]]", "{", "[" * 5000, '{"@type": 3, "author": [[["x"]]], "name": {}}']
)
def test_odd_json_ld_gives_nothing_and_raises_nothing(text: str) -> None:
    assert metadata_of(ld(text)) == Metadata()


@pytest.mark.parametrize("url", ["", "not a url", "http://[broken", "https://x"])
def test_odd_addresses_raise_nothing(url: str) -> None:
    assert extract_metadata(parse_html("<title>A - B</title><link rel=canonical href='/x'>"), url=url).title == "A - B"


def test_ten_times_the_bylines_take_about_ten_times_as_long() -> None:
    def seconds(n: int) -> float:
        item = "<li itemprop=comment><span itemprop=author><b itemprop=name>Al</b></span><time>now</time></li>"
        rows = "<aside class=related>" + "<p class=author>x <i class=date>1</i></p>" * n + "</aside>"
        document = parse_html(f"<h1>Bees</h1><ul>{item * n}</ul>{rows}")
        start = time.process_time()
        extract_metadata(document, url=None)
        return time.process_time() - start

    seconds(10)
    assert min(seconds(4000) for _ in range(3)) < 70 * max(min(seconds(400) for _ in range(3)), 0.001)
