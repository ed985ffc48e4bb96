"""Whether a page is a forum: told by its data, its root's classes or its address, and not by a word in passing."""

from __future__ import annotations

import pytest

from danubia_core.page_type import is_forum, is_forum_address
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
