"""What kind of page it is, and whether readers' posts are its content: told by structure, not by a word in passing."""

from __future__ import annotations

from pathlib import Path

import pytest

from danubia_core import extract
from danubia_core.describe_page_types import main
from danubia_core.page_features import BASE_POINTS, FEATURES
from danubia_core.page_type import TypeChoice, choose_type, is_forum, is_forum_address
from danubia_core.parse import parse_html


@pytest.mark.parametrize(
    "url",
    [
        "https://forum.example.org/anything",
        "https://community.example.com/a/b",
        "https://example.org/forum/radio",
        "https://example.org/forums/radio/12",
        "https://example.org/viewtopic.php?t=12",
        "https://example.org/t/why/12",
        "https://example.org/questions/12/why",
        "http://example.org/board/showthread.php?t=1",
    ],
)
def test_address_of_a_thread(url: str) -> None:
    assert is_forum_address(url)
    assert is_forum(parse_html("<p>Text</p>"), url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/news/forum-opens-in-town",
        "https://forumnews.example.org/",
        "https://example.org/latest/threading",
        "https://example.org/",
        "http://[broken",
        "",
        "forum",
        "mailto:forum@example.org",
    ],
)
def test_address_of_something_else(url: str) -> None:
    assert not is_forum_address(url)


@pytest.mark.parametrize(
    "markup",
    [
        '<script type="application/ld+json">{"@type": "QAPage"}</script>',
        '<script type="application/ld+json">{"@graph": [{"@type":"DiscussionForumPosting"}]}</script>',
        '<html itemscope itemtype="https://schema.org/QAPage"><body>x',
        '<body id="phpbb" class="nojs section-viewtopic">x',
        '<html id="XF"><body>x',
        '<body class="question-page">x',
    ],
)
def test_page_that_says_it_is_a_forum(markup: str) -> None:
    assert is_forum(parse_html(markup), None)


@pytest.mark.parametrize(
    "markup",
    [
        "<body><h1>The forum of Rome</h1><p>A thread of QAPage and DiscussionForumPosting</p>",
        '<body class="post single"><div class="forum">x</div>',
        '<script type="application/ld+json">{"@type": "NewsArticle", "about": "forum"}</script><body class="article">',
        "",
    ],
)
def test_page_that_only_speaks_of_one(markup: str) -> None:
    assert not is_forum(parse_html(markup), None)
    assert not is_forum(parse_html(markup), "https://example.org/news/1")


def choose(markup: str) -> TypeChoice:
    return choose_type(parse_html(markup))


PROSE = "<p>The river carried the barges down to the mill before noon, as it had in every year since the flood.</p>" * 9


MICRODATA = """<body itemscope itemtype="http://schema.org/Product">
<b itemprop="offers" itemscope itemtype="https://schema.org/Offer">9</b>"""


@pytest.mark.parametrize(
    ("expected", "feature", "markup"),
    [
        ("article", "meta.published", f'<meta property="article:published_time" content="2026-01-02">{PROSE}'),
        ("article", "text.prose", f"<main><h1>Mills</h1>{PROSE}</main>"),
        (
            "article",
            "data.article",
            '<script type="application/ld+json">{"@type": ["NewsArticle"]}</script><article><p>Short.</p></article>',
        ),
        ("documentation", "tags.code", "<main><p>Call <code>a</code>, <code>b</code> or <code>c</code>.</p></main>"),
        ("forum", "root.thread", '<body id="phpbb"><div class="avatar"></div><p>Hello</p>'),
        ("forum", "meta.forum_generator", '<meta name="generator" content="Discourse 3.4"><p>Hello</p>'),
        ("product", "data.product", '<script type="application/ld+json">{"@type":"Product"}</script><b>9</b>'),
        ("product", "data.offer", MICRODATA),
        ("listing", "class.pager", '<body class="archive"><h2><a href="/a">A</a></h2><div class="pagination">2</div>'),
        ("collection", "class.many_to_cart", '<body class="collection"><div class="cart">0</div>'
         + '<div class="product-card"><b class="price">9</b><button class="add-to-cart">Buy</button></div>' * 30),
        ("service", "root.page", '<body class="page-template"><div class="faq"><h3>How much?</h3><p>Little.</p></div>'),
        ("homepage", "meta.root_address", '<link rel="canonical" href="https://example.org/"><h2>News</h2><p>Hello</p>'),
    ],
)  # fmt: skip
def test_type_and_what_led_to_it(expected: str, feature: str, markup: str) -> None:
    choice = choose(markup)
    assert choice.name == expected
    assert feature in choice.features
    assert choice.points[choice.name] == max(choice.points.values())


@pytest.mark.parametrize("markup", ["", "<p>Hello</p>", "<form><input name=q></form>", "<h1>Nothing here</h1>"])
def test_page_that_says_nothing_of_itself(markup: str) -> None:
    assert choose(markup) == TypeChoice("other", [], choose(markup).points)


def test_words_of_the_text_do_not_count() -> None:
    plain = choose(f"<main><h1>Mills</h1>{PROSE}</main>")
    loud = choose(f"<main><h1>Mills</h1>{PROSE.replace('river', 'forum price cart product docs')}</main>")
    assert (loud.name, loud.features) == (plain.name, plain.features)


def test_features_are_sorted_by_weight() -> None:
    choice = choose(f'<meta property="og:type" content="article"><body class="single-post"><article>{PROSE}</article>')
    weights = {feature.name: feature.points.get("article", 0) for feature in FEATURES}
    points = [weights[name] for name in choice.features]
    assert points == sorted(points, reverse=True)
    assert min(points) > 0


def test_scorecard_is_well_formed() -> None:
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names)
    for feature in FEATURES:
        assert feature.points.keys() <= BASE_POINTS.keys()
        assert all(0 < abs(points) <= 9 for points in feature.points.values())
        assert feature.reason.endswith(".")


def test_document_of_the_scorecard_is_fresh() -> None:
    assert main(["--check"]) == 0


SAMPLES = Path(__file__).parents[2] / "samples" / "pages"
KINDS = {"news": "article", "recipe": "article", "qa": "forum", "wiki": "documentation", "glossary": "documentation"}


def test_samples() -> None:
    """The sample pages are small and declare little: their type is mostly right, else left open, hardly ever wrong."""
    right, wrong = 0, []
    for folder in sorted(SAMPLES.iterdir()):
        kind = folder.name.split("-")[0]
        got = extract(next(folder.glob("*.html")).read_bytes()).page_type
        if got == KINDS.get(kind, kind):
            right += 1
        elif got != "other":
            wrong.append((folder.name, got))
    assert right >= 34
    assert len(wrong) <= 3, wrong


def test_type_of_an_extraction() -> None:
    page = extract('<body class="archive"><h2><a href="/a">A</a></h2><div class="pagination">2</div>')
    assert page.page_type == "listing"
    assert page.page_type_features[:1] == ["class.pager"]
