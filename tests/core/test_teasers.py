"""Teasers: siblings of one shape whose headings are links. An article has them beside it, a listing is made of them."""

from __future__ import annotations

from danubia_core import extract
from danubia_core.parse import parse_html
from danubia_core.teasers import mark_teasers

LINE = "The river carried the barges down to the mill before noon, as it had in every year since. "
ARTICLE = f"<h1>The mill</h1>{f'<p>{LINE * 4}</p>' * 5}"


def card(k: int, text: str = "Read how it came about.") -> str:
    return f'<div class="card"><h3><a href="/{k}">Story number {k}</a></h3><p>{text}</p></div>'


def find(body: str, discards: dict[int, int] | None = None) -> list[str]:
    document = parse_html(f"<html><body><main>{body}</main></body></html>")
    return [document.inner_text(i) for i in mark_teasers(document, discards or {})]


def test_group_of_cards_is_found_as_one() -> None:
    cards = "".join(map(card, range(3)))
    found = find(f"{ARTICLE}<section><div>{cards}</div></section>")
    assert len(found) == 1
    assert found[0].startswith("Story number 0 Read how")
    assert found[0].endswith("came about.")


def test_title_of_the_group_goes_with_it() -> None:
    cards = "".join(map(card, range(3)))
    assert "More stories" in " ".join(find(f"{ARTICLE}<h2>More stories</h2>{cards}"))


def test_one_card_alone_is_no_group() -> None:
    assert find(ARTICLE + card(1)) == []


def test_heading_that_is_no_link_makes_no_card() -> None:
    blocks = "".join(f"<div><h3>Part {k}</h3><p>{LINE}</p></div>" for k in range(3))
    inner = "".join(f'<div><h3>Part {k}: <a href="/{k}">a</a></h3><p>{LINE}</p></div>' for k in range(3))
    fragment = "".join(f'<div><h3><a href="#{k}">Part {k}</a></h3><p>{LINE}</p></div>' for k in range(3))
    assert find(ARTICLE + blocks + inner + fragment) == []


def test_long_block_below_a_linked_heading_is_a_contribution() -> None:
    assert find(ARTICLE + "".join(card(k, LINE * 12) for k in range(3))) == []


def test_teasers_go_from_an_article_and_stay_on_a_listing() -> None:
    cards = "".join(map(card, range(4)))
    article = extract(f"<html><body><main>{ARTICLE}<section>{cards}</section></main></body></html>").text
    assert "The river" in article
    assert "Story number" not in article
    listing = extract(f"<html><body><main><h1>Stories</h1><section>{cards}</section></main></body></html>").text
    assert [f"Story number {k}" in listing for k in range(4)] == [True] * 4
    assert listing.count("Read how it came about.") == 4
