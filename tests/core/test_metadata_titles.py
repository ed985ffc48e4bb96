from __future__ import annotations

import pytest

from danubia_core.metadata import extract_metadata
from danubia_core.parse import parse_html

WRITTEN = '<meta name="author" content="Tilda Brook"><meta name="date" content="2019-05-06">'


def title_of(
    title: str, body: str = "", *, head: str = "", url: str = "https://www.harbourcourier.example/a/b"
) -> str | None:
    markup = f"<html><head><title>{title}</title>{head}</head><body>{body}<p>The ferry leaves at seven.</p></body>"
    return extract_metadata(parse_html(markup), url=url).title


@pytest.mark.parametrize("separator", ["|", "-", "–", "—", "·", "»", "•"])
def test_the_sites_name_is_cut_off_at_either_end(separator: str) -> None:
    name = '<meta property="og:site_name" content="Harbour Courier">'
    assert title_of(f"Nine hives counted {separator} Harbour Courier", head=name) == "Nine hives counted"
    assert title_of(f"Harbour Courier {separator} Nine hives counted", head=name) == "Nine hives counted"


def test_the_host_tells_the_sites_name() -> None:
    assert title_of("Nine hives - and a queen - Harbour Courier") == "Nine hives - and a queen"


def test_chinese_titles_are_cut_at_their_own_marks() -> None:
    assert title_of("渡口的早晨_乡土频道_河湾网", "<h1>渡口的早晨</h1>") == "渡口的早晨"


def test_a_front_page_keeps_the_sites_name() -> None:
    title = title_of("Harbour Courier - news from the pier", url="https://www.harbourcourier.example/")
    assert title == "Harbour Courier - news from the pier"


def test_on_a_written_page_the_heading_is_the_title() -> None:
    body = "<h1>Nine hives counted on the school roof</h1>"
    assert title_of("School hives: all nine counted", body, head=WRITTEN) == "Nine hives counted on the school roof"


def test_elsewhere_the_title_element_says_more_than_a_slogan() -> None:
    assert title_of("Charcoal barbecues | Harbour Courier", "<h1>Summer is here</h1>") == "Charcoal barbecues"


def test_a_heading_that_is_part_of_the_title_is_the_title() -> None:
    assert title_of("Nine hives counted | Town | Nobody knows", "<h1>Nine hives counted</h1>") == "Nine hives counted"


def test_the_name_of_a_whole_book_is_not_the_title_of_a_chapter() -> None:
    body = "<h1>The Book of Bees</h1><h2>What is a queen?</h2>"
    assert title_of("What is a queen? - The Book of Bees", body) == "What is a queen?"


def test_a_heading_of_the_site_or_a_logo_is_passed_over() -> None:
    body = "<h1>Harbour Courier</h1><h1>Nine hives counted</h1>"
    assert title_of("Nine hives counted | Harbour Courier", body) == "Nine hives counted"


def test_permalink_marks_are_cut_off() -> None:
    assert title_of("Queens", "<h1>Queens<a href='#queens'>¶</a></h1>") == "Queens"


def test_a_page_without_a_title_element_has_its_headings_title() -> None:
    assert extract_metadata(parse_html("<h1>Nine hives</h1><p>x</p>"), url=None).title == "Nine hives"


def test_an_empty_page_has_none() -> None:
    assert extract_metadata(parse_html(""), url=None).title is None


def test_a_heading_that_leads_to_the_front_page_is_the_blogs_name() -> None:
    body = '<h1><a href="https://harbourcourier.example/">The complete pier</a></h1><h3>Nine hives counted</h3>'
    title = title_of(
        "The complete pier: Nine hives counted", body, head='<meta property="og:title" content="Nine hives counted">'
    )
    assert title == "Nine hives counted"


def test_of_two_headings_in_the_title_the_longer_names_the_page() -> None:
    body = "<h1>Notices</h1><h1>Nine hives counted on the roof</h1>"
    assert title_of("Pier online - Notices - Nine hives counted on the roof", body) == "Nine hives counted on the roof"


def test_a_slogan_behind_the_sites_name_is_not_the_title() -> None:
    assert title_of("Harbourcourier - the heart of the pier", "<h1>Nine hives counted</h1>") == "Nine hives counted"


def test_the_address_tells_whether_the_heading_or_the_title_is_the_headline() -> None:
    heading, title = "How we count the harbour's hives", "Bee numbers and honey yields by year"
    body = f"<h1>{heading}</h1>"
    declared = f'<meta property="og:title" content="{title}">'
    for address, expected in (
        ("how-we-count-the-harbours-hives", heading),
        ("bee-numbers-honey-yields-by-year", title),
    ):
        url = f"https://www.harbourcourier.example/{address}/"
        assert title_of(title, body, head=declared, url=url) == expected


def test_a_title_that_no_other_part_of_the_page_repeats_gives_way_to_the_heading() -> None:
    body = "<h1>Stairs down to the lower quay are closed</h1>"
    assert title_of("The heart of the coast", body) == "Stairs down to the lower quay are closed"


def test_a_front_pages_heading_is_a_slogan_and_its_lone_word_keeps_the_sites_name() -> None:
    name = '<meta property="og:site_name" content="Harbour Courier">'
    url = "https://www.harbourcourier.example/"
    assert title_of("Harbour Courier", "<h1>News that floats</h1>", url=url) == "Harbour Courier"
    assert title_of("Home - Harbour Courier", head=name, url=url) == "Home - Harbour Courier"


def test_a_title_that_is_only_the_sites_name_gives_way_to_the_heading() -> None:
    name = (
        '<meta property="og:site_name" content="Harbour Courier"><meta property="og:title" content="Harbour Courier">'
    )
    assert title_of("Harbour Courier", "<h1>Tide tables</h1>", head=name) == "Tide tables"


def test_a_short_heading_among_many_is_a_label_though_the_page_is_written() -> None:
    body = "<h1>Overview</h1><h1>Hives counted</h1><h1>Honey</h1>"
    title = "Nine hives counted above the ferry landing"
    assert title_of(title, body, head=WRITTEN) == title


def test_soft_hyphens_and_the_labels_of_buttons_are_no_part_of_a_title() -> None:
    assert title_of("Home re\u00adpair assis\u00adtance") == "Home repair assistance"
    body = "<h1>Crate tide <button>Copy item path</button></h1>"
    assert title_of("Crate tide | Harbour Courier", body) == "Crate tide"
