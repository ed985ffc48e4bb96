"""Writes the report: everything of a run on one self-contained page, without scripts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluation.adapters import ADAPTERS
from evaluation.compare import Comparison, compare_runs
from evaluation.intervals import Figure
from evaluation.judge.verdicts import read_judgement
from evaluation.metrics.flags import FLAGS
from evaluation.metrics.structure import KINDS
from evaluation.pages import Page
from evaluation.report.columns import View, build_view
from evaluation.report.plots import SERIES, plot_groups, plot_speed
from evaluation.run import FLOOR, PREVIOUS, ROWS, StoredOutput, read_facts, read_outputs, read_rows
from evaluation.scores import Row
from evaluation.summary import summarize

REPORT: Final = "report.html"
VIEWS: Final = 12
EXAMPLES: Final = 4


def write_report(out: Path, pages: Iterable[Page], *, baseline: Path | None = None) -> Path:
    """Write the report of a run's folder and return its path.

    Args:
        out: folder with the run's rows and outputs.
        pages: the run's pages, for the three-column view.
        baseline: an earlier run's folder; else the one that the run found in `out`.
    """
    rows = [row for row in read_rows(out) if row.extractor != FLOOR]
    first = rows[0].extractor
    earlier = baseline or (out / PREVIOUS)
    has_earlier = earlier.is_file() or (earlier / ROWS).exists()
    comparison = compare_runs(read_rows(earlier), rows, first) if has_earlier else None
    by_page = {page.id: page for page in pages}
    wanted = choose_pages(rows, comparison)
    views = build_views(out, [by_page[name] for name in wanted if name in by_page], rows, comparison)
    summaries = summarize(read_rows(out))
    html = (
        make_environment()
        .get_template("report.html.j2")
        .render(
            facts=read_facts(out),
            judgement=read_judgement(out),
            summaries=summaries,
            adapters=ADAPTERS,
            comparison=comparison,
            views=views,
            kinds=[kind for kind in KINDS if any(kind in summary.structure for summary in summaries)],
            datasets=_list_datasets(summaries),
            flags=_collect_flags(rows),
            flag_meanings=FLAGS,
            speed=plot_speed(summaries),
            plots=[
                plot_groups("Headline by label", summaries, "labels"),
                plot_groups("Headline by language", summaries, "languages"),
                plot_groups("Recall of structure", summaries, "structure"),
            ],
            series=SERIES,
        )
    )
    path = out / REPORT
    path.write_text(html, encoding="utf-8", errors="replace", newline="\n")
    return path


def make_environment() -> Environment:
    """Return the templates' environment: everything that is put in is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = format_figure
    return environment


def format_figure(figure: Figure | None) -> str:
    """Return a mean as three digits, a dash without one."""
    return "–" if figure is None or not figure.pages else f"{figure.mean:.3f}"


def choose_pages(rows: list[Row], comparison: Comparison | None) -> list[str]:
    """Return the pages to show: those that changed most since the earlier run, else those furthest behind a peer.

    Without peers these are the pages with the lowest headline.
    """
    if comparison is not None and comparison.changes:
        ranked = sorted(comparison.changes, key=lambda change: -abs(change.difference))
        return [change.page for change in ranked[:VIEWS]]
    first, best, own = rows[0].extractor, defaultdict[str, float](float), dict[str, float]()
    for row in rows:
        if row.headline is None:
            continue
        if row.extractor == first:
            own[row.page] = row.headline
        else:
            best[row.page] = max(best[row.page], row.headline)
    return sorted(own, key=lambda page: (own[page] - best[page], page))[:VIEWS]


def build_views(out: Path, pages: list[Page], rows: list[Row], comparison: Comparison | None) -> list[View]:
    """Return the three-column views of some pages, of the run's first extractor."""
    if not pages:
        return []
    first, wanted = rows[0].extractor, {page.id for page in pages}
    outputs: dict[str, StoredOutput] = {
        stored.page: stored for stored in read_outputs(out) if stored.extractor == first and stored.page in wanted
    }
    own = {row.page: row for row in rows if row.page in wanted and row.extractor == first}
    rivals: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        if row.page in wanted and row.extractor != first and row.headline is not None:
            rivals[row.page].append((row.extractor, row.headline))
    before = {change.page: change.before for change in comparison.changes} if comparison else {}
    return [
        build_view(page, own[page.id], outputs.get(page.id), before=before.get(page.id), rivals=rivals[page.id])
        for page in pages
        if page.id in own
    ]


def _list_datasets(summaries: list[Any]) -> dict[str, list[str]]:
    """Return the names of the figures that each data set defines."""
    found: dict[str, list[str]] = {}
    for summary in summaries:
        for name, figures in summary.public.items():
            found.setdefault(name, [])
            found[name] += [key for key in figures if key not in found[name]]
    return {name: keys for name, keys in found.items() if keys}


def _collect_flags(rows: list[Row]) -> dict[str, dict[str, list[str]]]:
    """Return flag → extractor → ids of the pages that have it."""
    found: dict[str, dict[str, list[str]]] = {flag: defaultdict(list) for flag in FLAGS}
    for row in rows:
        for flag in row.flags:
            found[flag][row.extractor].append(row.page)
    return {flag: dict(pages) for flag, pages in found.items() if pages}
