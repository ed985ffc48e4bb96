"""Cards of links: other products on the page of one, the content of a list of them."""

from __future__ import annotations

from danubia_core.cards import mark_cards
from danubia_core.parse import parse_html

CARD = '<li class="item"><a href="/{0}"><img src="/{0}.jpg" alt="">Kettle {0}</a> <span>19 €</span></li>'
SPECIFICATION = (
    "<ul><li>Volume: 1.7 l</li><li>Power: 2,000 W</li>"
    "<li>Cord: 70 cm, with a plug for the whole of Europe and a base to wind it on</li></ul>"
)


def find_texts(body: str, *, pictured: bool = False) -> list[str]:
    document = parse_html(f"<html><body>{body}</body></html>")
    return [document.inner_text(i) for i in mark_cards(document, {}, pictured=pictured)]


def test_group_of_cards_goes_whole() -> None:
    group = "<section><ul>" + "".join(CARD.format(n) for n in "abc") + "</ul></section><p>Boils water.</p>"
    (found,) = find_texts(f"<div>{SPECIFICATION}{group}</div>")
    assert found == "Kettle a 19 € Kettle b 19 € Kettle c 19 €"


def test_two_are_no_group() -> None:
    assert find_texts("<ul>" + CARD.format("a") + CARD.format("b") + "</ul><p>Boils water.</p>") == []


def test_list_without_links_is_none() -> None:
    assert find_texts(f"<div>{SPECIFICATION}</div>") == []


def test_pictured_cards_have_pictures() -> None:
    plain = "".join(f'<li><a href="/{n}">Reference {n} of the report</a></li>' for n in "abcd")
    assert find_texts(f"<div><ul>{plain}</ul><p>Text.</p></div>", pictured=True) == []
