"""Lists of references at the end of a text stay, where lists that lead on through the site go."""

from __future__ import annotations

import pytest

from danubia_core import extract

PROSE = (
    "<p>" + "The river carried the barges down to the mill before noon, as it had in every year since. " * 5 + "</p>"
)
SECTIONS = f"<h1>Mill</h1>{PROSE}<h2>The wheel</h2>{PROSE}<h2>The stones</h2>{PROSE}"
HEAD = '<link rel="canonical" href="https://www.mill.example/wheel">'


def links(address: str) -> str:
    return "<ul>" + "".join(f'<li><a href="{address}/{k}">Lock number {k}</a></li>' for k in range(4)) + "</ul>"


def keeps(title: str, address: str, *, after: str = "") -> bool:
    body = f"<article>{SECTIONS}<h2>{title}</h2>{links(address)}{after}</article>"
    return "- [Lock number 3]" in extract(f"<html><head>{HEAD}</head><body>{body}</body></html>").markdown


@pytest.mark.parametrize("after", ["", f"<h2>Age</h2>{PROSE}"])
def test_list_below_a_title_of_references_is_kept(after: str) -> None:
    for title in ("See also", "Siehe auch", "参见", "См. также[править]"):
        assert keeps(title, "/locks", after=after)
    assert not keeps("More from the valley", "/locks", after=after)


def test_list_of_links_that_leave_the_site_is_kept_amid_sections() -> None:
    after = f"<h2>Age</h2>{PROSE}"
    assert keeps("Tools of the trade", "https://locks.example", after=after)
    assert not keeps("Tools of the trade", "https://shop.mill.example", after=after)
    assert not keeps("Tools of the trade", "https://www.mill.example", after=after)


def test_list_of_references_needs_a_text_around_it() -> None:
    body = f"<main><article>{PROSE * 3}</article><div><h3>See also</h3>{links('/locks')}</div></main>"
    assert "Lock number" not in extract(f"<html><body>{body}</body></html>").text
