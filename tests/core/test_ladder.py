"""The ladder: five filters, most aggressive first; the first that keeps enough wins, else all less the discards."""

from __future__ import annotations

import pytest

from danubia_core import Options, extract
from danubia_core.rungs import BALANCED, FORUM, LADDERS

LINE = "The river carried the barges down to the mill before noon, as it had in every year since. "
PROSE = f"<p>{LINE * 4}</p>" * 3
FURNITURE = "<nav><a href=/>Home</a> <a href=/a>About</a></nav>"


def rung(body: str, **choices: object) -> str:
    return extract(f"<html><body>{body}</body></html>", **choices).stats.rung  # type: ignore[arg-type]


def test_there_are_five_rungs_most_aggressive_first() -> None:
    assert len(BALANCED) == len(FORUM) == 5
    assert [r.level for r in BALANCED] == [1, 2, 3, 4, 0]
    assert len({r.name for r in BALANCED}) == 5
    assert {"balanced", "precision", "recall", "fast"} == set(LADDERS)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (f'{FURNITURE}<main><article><div class="entry-content">{PROSE}</div></article></main>', "body"),
        (f"{FURNITURE}<main><article>{PROSE}</article></main>", "article"),
        (f"{FURNITURE}<main>{PROSE}</main>", "region"),
        (f'{FURNITURE}<div id="content">{PROSE}</div>', "container"),
        (f"{FURNITURE}<div>{PROSE}</div>", "document"),
        ("<p>Short.</p>", "whole"),
    ],
)
def test_narrowest_region_that_holds_the_text_wins(body: str, name: str) -> None:
    assert rung(body) == name


def test_region_below_the_floor_is_passed_over() -> None:
    assert rung("<main><article><p>Loading.</p></article></main>" + PROSE) == "document"


def test_region_with_a_small_share_of_the_text_is_passed_over() -> None:
    assert rung(f"<main><article>{PROSE}</article>{PROSE * 10}</main>") == "region"
    assert rung(f"<main><article>{PROSE}</article><p>{LINE}</p></main>") == "article"


def test_page_with_little_text_gives_all_of_it_less_the_search_discards() -> None:
    extraction = extract('<html><body><p>Closed today.</p><div class="sidebar"><p>News</p></div></body></html>')
    assert extraction.text == "Closed today."


def test_page_made_of_links_keeps_them() -> None:
    items = "".join(f'<li><a href="/{k}">The place that is called number {k}</a></li>' for k in range(30))
    text = extract(f"<html><body><main><h1>Places</h1><ul>{items}</ul></main></body></html>").text
    assert text.count("The place that is called number") == 30


def test_article_in_several_pieces_is_kept_whole_and_in_order() -> None:
    body = "".join(f'<div class="article-body"><p>Piece {k}. {LINE * 4}</p></div><div>Buy {k}</div>' for k in range(3))
    text = extract(f"<html><body>{body}</body></html>").text
    assert [text.index(f"Piece {k}.") for k in range(3)] == sorted(text.index(f"Piece {k}.") for k in range(3))
    assert "Buy" not in text


def test_standfirst_between_the_title_and_the_text_is_kept() -> None:
    lead = "What the miller of the lower lock told us about the last barge that he ever saw."
    article = f'<article><h1>Mill</h1><p>{lead}</p><div class="entry-content">{PROSE}</div></article>'
    text = extract(f"<html><body>{article}</body></html>").text
    assert lead in text
    assert text.index(lead) < text.index("The river")


def test_posts_of_a_forum_are_kept_whole() -> None:
    user = '<div class="user">Ann<br>Posts: 12</div>'
    post = f'<div class="message">{user}<div class="bbWrapper"><p>Post {{}}. {{}}</p></div></div>'
    page = f'<html id="XF"><body>{FURNITURE}{"".join(post.format(k, LINE) for k in range(5))}</body></html>'
    extraction = extract(page)
    assert extraction.stats.rung == "posts"
    assert [f"Post {k}." in extraction.text for k in range(5)] == [True] * 5
    assert "Posts: 12" not in extraction.text


@pytest.mark.parametrize("mode", sorted(LADDERS))
def test_every_mode_finds_the_article(mode: str) -> None:
    options = Options(mode=mode)  # type: ignore[arg-type]
    text = extract(f"<html><body>{FURNITURE}<main>{PROSE}</main></body></html>", options=options).text
    assert text.count("The river") == 12
    assert "About" not in text


def test_recall_keeps_what_stands_around_the_body() -> None:
    beside = f"<p>Beside the body. {LINE * 2}</p>"
    page = f'<html><body><main><article><div class="entry-content">{PROSE}</div>{beside}</article></main></body></html>'
    assert "Beside the body" not in extract(page).text
    assert "Beside the body" in extract(page, options=Options(mode="recall")).text


def test_headings_between_the_parts_of_an_article_are_kept() -> None:
    part = '<div class="article-body type-{}">{}</div>'
    pieces = [part.format("text", PROSE), part.format("title", "<h2>The screw</h2>"), "<h3>In iron</h3>"]
    pieces.append(part.format("text", PROSE) + '<h3><a href="/more">Elsewhere</a></h3>')
    body = f"{FURNITURE}<div>{''.join(pieces)}{part.format('text', PROSE)}</div><p>{LINE * 2}</p>"
    markdown = extract(f"<html><body>{body}</body></html>").markdown
    assert [line for line in markdown.splitlines() if "#" in line] == ["## The screw", "### In iron"]


def test_titles_of_sections_around_articles_are_kept() -> None:
    sections = "".join(f"<section><h2>Part {k}</h2><article>{PROSE}</article></section>" for k in range(3))
    markdown = extract(f"<html><body>{FURNITURE}<div>{sections}</div></body></html>").markdown
    assert [line for line in markdown.splitlines() if "#" in line] == ["## Part 0", "## Part 1", "## Part 2"]
