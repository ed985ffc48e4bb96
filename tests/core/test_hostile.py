"""Markup that means harm: depth, size, and what only an attack would write."""

from __future__ import annotations

import time

import pytest

from danubia_core import extract

PROSE = "The river towns were built on the stone banks by settlers who came from the north, looking for water. " * 3


def wrap_page(content: str) -> str:
    return f"<main><article><h1>Towns</h1><p>{PROSE}</p>{content}<p>{PROSE}</p></article></main>"


def measure_extraction(content: str) -> float:
    start = time.process_time()
    _ = extract(wrap_page(content)).markdown
    return time.process_time() - start


def test_scripts_of_mathml_inside_scripts_of_mathml_end() -> None:
    nested = '<script type="math/mml"><math><mi>x</mi>' * 2000
    assert PROSE.strip() in extract(f"<p>{PROSE}</p>{nested}").text


def test_many_footnotes_take_time_in_proportion() -> None:
    def write_notes(count: int) -> str:
        marks = "".join(f'<p>word<sup><a href="#fn{i}">{i}</a></sup></p>' for i in range(count))
        notes = "".join(f'<li id="fn{i}">The note of number {i}.</li>' for i in range(count))
        return f"{marks}<ol>{notes}</ol>"

    measure_extraction(write_notes(200))
    few, many = measure_extraction(write_notes(1000)), measure_extraction(write_notes(6000))
    assert many < few * 6 * 4


def test_footnotes_whose_marks_are_alike_get_labels_of_their_own() -> None:
    marks = "".join(f'<p>word<sup><a href="#fn{i}">*</a></sup></p>' for i in range(4))
    notes = "".join(f'<li id="fn{i}">The note of number {i}.</li>' for i in range(4))
    markdown = extract(wrap_page(f"{marks}<ol>{notes}</ol>")).markdown
    assert [f"[^{label}]: The note of number {label - 1}." in markdown for label in range(1, 5)] == [True] * 4


def test_emphasis_beside_emphasis_takes_time_in_proportion() -> None:
    def write_emphasis(count: int) -> str:
        return "<p>" + '<b>word <a href="/x">word</a> word</b>' * count + "</p>"

    measure_extraction(write_emphasis(200))
    few, many = measure_extraction(write_emphasis(1000)), measure_extraction(write_emphasis(6000))
    assert many < few * 6 * 4


def test_a_line_of_countless_misplaced_delimiters_keeps_its_words() -> None:
    content = "<p>" + "<b>(a</b>b<i>*c)</i>_d" * 3000 + "</p><p>" + "<b> a </b>*<i>*b</i>_" * 6000 + "</p>"
    start = time.process_time()
    markdown = extract(wrap_page(content)).markdown
    assert time.process_time() - start < 40  # it took minutes; tracing for coverage on a busy machine takes 6 s
    assert markdown.count("d") >= 3000


def test_emphasis_split_into_many_elements_is_one() -> None:
    markdown = extract(wrap_page("<p>see <b>one <i>two</i></b><b>three</b><b><i>four</i></b> five</p>")).markdown
    assert "see **one *two*three*four*** five" in markdown


def test_a_backslash_that_moves_out_of_emphasis_does_not_escape_its_delimiter() -> None:
    markdown = extract(wrap_page(r"<p>see 6<b>\7</b> there</p>")).markdown
    assert r"see 6\\**7** there" in markdown


@pytest.mark.parametrize("delimiter", [r"\[", r"\(", "$$", "$"])
def test_delimiters_of_formulas_without_end_cost_little(delimiter: str) -> None:
    assert measure_extraction(f"<p>{delimiter * 20_000}</p><p>{(delimiter + 'a^2 ') * 20_000}</p>") < 3


def test_an_image_of_countless_backslashes_costs_little() -> None:
    alt = "\\" * 50_000
    assert measure_extraction(f'<p><img src="a.png" alt="{alt}">word</p>') < 3


@pytest.mark.parametrize("style", ["DISPLAY: NONE", "visibility:hidden", "display:none"])
def test_hidden_cells_and_hidden_code_stay_hidden_however_the_style_is_written(style: str) -> None:
    cells = f"<tr><td>river</td><td style='{style}'>secret</td></tr><tr><td>town</td><td>mill</td></tr>"
    text = extract(wrap_page(f"<table>{cells}</table><pre>code <span style='{style}'>secret</span></pre>")).text
    assert "secret" not in text
    assert "mill" in text


def test_words_on_both_sides_of_an_image_are_two_words() -> None:
    text = extract(wrap_page('<p>kept by Ada Lowe<a href="/x"><img src="a.png"></a>Ada Lowe, of the mills</p>')).text
    assert "Ada Lowe Ada Lowe, of" in text


@pytest.mark.parametrize(
    "address",
    ["javascript:go()", "java\tscript:go()", "java&#10;script:go()", "&#1;javascript:go()", "VBScript:go", "data:,go",
     "blob:go", "view-source:javascript:go()"],
)  # fmt: skip
def test_no_form_holds_an_address_that_runs_code(address: str) -> None:
    extraction = extract(wrap_page(f'<p>a <a href="{address}">link</a> and <img src="{address}" alt="image"> end</p>'))
    for form in (extraction.text, extraction.markdown, extraction.html, extraction.tree.to_json()):
        assert "go" not in form
        assert "link" in form


def test_figures_that_nothing_closes_take_time_in_proportion() -> None:
    figure = "<figure><img src=/a.png><figcaption>The weir in May. Photo: A. Miller<p>The river rose.</p>"
    assert measure_extraction(figure * 4000) < 6
    assert extract(wrap_page(figure * 3)).text.count("The river rose.") == 3


def test_containers_of_formulas_in_each_other_take_time_in_proportion() -> None:
    assert measure_extraction("<mjx-container>" * 20_000 + "x") < 6


@pytest.mark.parametrize("start", ["<svg><g><path d=M0>", "<svg>" * 50, "<select><option>July"])
def test_text_after_a_drawing_or_options_without_end_is_kept(start: str) -> None:
    markdown = extract(wrap_page(f"{start}<p>Low water came at four.</p><ul><li>salt<li>slate</ul>")).markdown
    assert "Low water came at four.\n\n- salt\n- slate\n\n" in markdown
    assert markdown.endswith(PROSE.strip())
    assert "July" not in markdown


def test_text_of_a_drawing_stays_out() -> None:
    drawing = "<svg><title>Weir</title><foreignObject><div><p>Sluice</p></div></foreignObject></svg>"
    assert extract(wrap_page(f"<p>Before {drawing} after.</p>")).markdown.count("Before after.") == 1


def test_a_page_of_nothing_but_tags_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("danubia_core.parse.MAX_TAGS", 5000)
    extraction = extract(wrap_page("<i>x" * 20_000))
    assert extraction.stats.truncated
    assert extraction.text.startswith("Towns")
    assert len(extraction.text) < 15_000
    assert not extract(wrap_page("<p>salt and slate</p>" * 2000)).stats.truncated
