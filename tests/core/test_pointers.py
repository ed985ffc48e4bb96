"""Lines that send the reader elsewhere, and lines that only begin like them."""

from __future__ import annotations

import pytest

from danubia_core import extract
from danubia_core.pointers import PHRASES

PROSE = (
    "<p>The ferry has crossed the bay four times a day since the spring of 1911, and no winter has stopped it yet. "
    "Those who steer it say that its boards are new, its bell is not, and its timetable is a matter of the tide.</p>"
)


def read_text(middle: str) -> str:
    return extract(f"<html><body><article>{PROSE}{middle}{PROSE}</article></body></html>").text


@pytest.mark.parametrize(
    "line",
    [
        '<p><strong>Read also:</strong> <a href="/mud">Where does the mud come from?</a></p>',
        '<p>Lesen Sie auch: <a href="/schlick">Woher kommt der Schlick?</a></p>',
        '<p>Читайте также: <a href="/il">Откуда берётся ил?</a></p>',
        '<p>延伸阅读：<a href="/ni">泥从哪里来</a></p>',
        '<p>اقرأ أيضا: <a href="/tin">من أين يأتي الطين؟</a></p>',
        '<p>यह भी पढ़ें: <a href="/keechad">कीचड़ कहाँ से आता है?</a></p>',
    ],
)
def test_line_that_points_elsewhere_goes(line: str) -> None:
    assert read_text(line) == read_text("")


@pytest.mark.parametrize(
    "line",
    [
        "<p>Read more slowly, said the teacher, and the children read on about the ferry and the mud.</p>",
        '<p>Related species, such as the <a href="/gull">gull</a>, follow the ferry for what falls from it.</p>',
        "<p>Must read aloud, says the note on the wheelhouse door.</p>",
    ],
)
def test_sentence_that_begins_like_one_stays(line: str) -> None:
    assert len(read_text(line)) > len(read_text(""))


def test_title_goes_with_the_links_below_it_and_no_more() -> None:
    links = '<ul><li><a href="/a">The bell of 1911</a></li><li><a href="/b">Boards and tar</a></li></ul>'
    text = read_text(f"<h3>You may also like</h3>{links}<p>The last boat leaves at nine, whatever the tide.</p>")
    assert "bell of 1911" not in text
    assert "also like" not in text
    assert "The last boat leaves at nine" in text


def test_row_of_page_numbers_goes() -> None:
    assert (
        "3"
        not in read_text('<p><b>1</b> <a href="?p=2">2</a> <a href="?p=3">3</a> <a href="?p=2">next</a></p>').split()
    )


def test_phrases_are_lower_case_and_of_many_languages() -> None:
    assert len(PHRASES) >= 12
    assert all(phrase == phrase.lower().strip() for phrases in PHRASES.values() for phrase in phrases.split("|"))
