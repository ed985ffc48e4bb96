"""The report in a browser: whole, legible, in light and dark, on a telephone; hostile pages do nothing in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from evaluation.__main__ import main
from evaluation.adapters import Output
from evaluation.pages import Page
from evaluation.report.columns import build_view, mark_lines
from evaluation.report.plots import plot_groups, plot_speed
from evaluation.run import StoredOutput, read_rows
from evaluation.scores import References, score_output
from evaluation.summary import summarize
from tests.evaluation.browser import open_browser
from tests.evaluation.data_sets import MARKDOWN, PAGE, write

TAKE = "document.title='taken'"
ATTACK = f'</p></div><script>{TAKE}</script><img src=x onerror="{TAKE}"><svg onload="{TAKE}">'
HALF = "tests.evaluation.extractors:run_half"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The second run of two over a folder of three pages, one of them hostile in every column."""
    folder, out = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("report")
    for name in ("calm", "other"):
        write(folder / f"{name}.html", PAGE)
        write(folder / f"{name}.md", MARKDOWN)
    escaped = ATTACK.replace("<", "&lt;")
    hostile = PAGE.replace("Colza", f"{escaped} Colza").replace("imprint", escaped).replace("Home", "&lt;b>" * 9)
    write(folder / f"{'long-name-' * 12}.html", hostile)
    write(folder / f"{'long-name-' * 12}.md", MARKDOWN + ATTACK)
    options = ["run", "--data", str(folder), "--datasets", "folder", "--out", str(out), "--jobs", "1"]
    assert main([*options, "--extractors", f"{HALF},danubia"]) == 0
    assert main([*options, "--extractors", f"danubia,{HALF},resiliparse"]) == 0
    return out / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


def test_the_report_is_one_file_that_asks_for_nothing(report: Path, browser: Browser) -> None:
    html = report.read_text()
    assert "<script" not in html
    assert not re.search(r"<(?:link|img|iframe|object)\b", html)
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(report.as_uri())
    assert asked == [report.as_uri()]
    assert said == []
    page.close()


def test_hostile_text_is_shown_and_not_run(report: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    assert page.title() == "Danubia: evaluation"
    assert TAKE in page.locator("body").text_content()
    assert page.locator(".column img, .column svg, .column script, .column b b").count() == 0
    page.close()


@pytest.mark.parametrize(("scheme", "lightness"), [("light", (600, 765)), ("dark", (0, 150))])
@pytest.mark.parametrize("width", [400, 1280])
def test_legible_in_every_light_and_width(
    report: Path,
    browser: Browser,
    scheme: str,
    lightness: tuple[int, int],
    width: int,
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    contrasts = page.evaluate(CONTRASTS)
    assert min(contrasts.values()) >= 4.5, contrasts
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    darkest, lightest = lightness
    assert darkest <= sum(map(int, re.findall(r"\d+", background)[:3])) <= lightest
    sizes = page.evaluate(
        "[...document.querySelectorAll('svg')].map(s => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width)"
    )
    assert len(sizes) >= 3
    assert min(sizes) >= 10.5
    assert page.evaluate(CUT_LABELS) == []
    page.close()


# Labels of plots that reach beyond their plot.
CUT_LABELS = """() => [...document.querySelectorAll('svg text')].filter(t => {
  const own = t.getBoundingClientRect(), plot = t.closest('svg').getBoundingClientRect();
  return own.left < plot.left || own.right > plot.right;
}).map(t => t.textContent)"""


# Contrast (WCAG 2) of texts that differ in colour, each with the first opaque background behind it.
CONTRASTS = """() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = parse(c).map(
    v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    const p = parse(c); if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255, 255, 255)'; };
  const found = {};
  for (const name of ['p', 'td', 'th', 'small', 'summary span', '.fate', '.missed', '.extra', 'header p', '.ids'])
    for (const e of document.querySelectorAll(name)) {
      const pair = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a);
      found[name] = Math.min(found[name] || 99, (pair[0] + .05) / (pair[1] + .05));
    }
  return found;
}"""


def test_what_the_report_says(report: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    first = page.locator("table").first
    names = [name.split()[0] for name in first.locator("tbody th").all_text_contents()]
    assert names == ["danubia", HALF, "resiliparse"]
    danubia = next(s for s in summarize(read_rows(report.parent)) if s.extractor == "danubia")
    assert f"{danubia.headline.mean:.3f}" in first.text_content()
    assert "What changed since the last run" in page.locator("h2").all_text_contents()
    assert page.locator("details.view").count() == 3
    view = page.locator("details.view").first
    assert view.locator("h4").all_text_contents() == ["Page", "Reference", "Output"]
    assert view.locator(".fate b", has_text="chrome.footer").count() == 1
    assert page.locator("svg circle").count() >= 3 * 2
    page.close()


def test_lines_without_counterpart_are_marked() -> None:
    lines = mark_lines("Gates of oak.\n\nRead also: Weirs\n灯台", "The gates of oak.\n灯台", "extra")
    assert [line.fate for line in lines] == ["", "", "extra", ""]


def test_the_columns_tell_who_discarded_what() -> None:
    page = Page(id="folder/x", dataset="folder", path="x.html", html=PAGE.encode(), markdown=MARKDOWN)
    row = score_output(References(page), "danubia", Output("Gates"), cpu_seconds=0.1)
    view = build_view(page, row, StoredOutput("folder/x", "danubia", "Gates", "Gates"), before=None, rivals=[])
    assert [fate.name for fate in view.fates] == ["chrome.footer", "chrome.navigation"]
    assert [s.text for s in view.source if s.fate == "chrome.footer"] == ["Lamp trade imprint"]
    assert [s.fate for s in view.output] == ["extra"]
    assert {s.fate for s in view.reference if s.text} == {"missed"}


def test_plots_place_means_by_value(report: Path) -> None:
    summaries = summarize(read_rows(report.parent))
    speed = plot_speed(summaries)
    assert speed is not None
    danubia, half = speed.marks[:2]
    assert danubia.y < half.y  # better is higher
    plot = plot_groups("by label", summaries, "labels")
    assert len(plot.marks) == 3
    assert plot.marks[0].x > plot.marks[1].x
    assert all(mark.low <= mark.x <= mark.high for mark in plot.marks)


def test_plots_give_long_names_their_room(report: Path) -> None:
    (summary, *_) = summarize(read_rows(report.parent))
    (figure,) = {id(figure): figure for figure in summary.labels.values()}.values()
    short, long = (
        plot_groups("by label", [msgspec.structs.replace(summary, labels={name: figure})], "labels", least_pages=1)
        for name in ("news", "documentation of programs")
    )
    assert short.left < long.left
    assert short.marks[0].x < long.marks[0].x < long.width
