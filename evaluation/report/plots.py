"""Plots as geometry: what the template draws as SVG. Narrow by design, so that they are legible on a telephone."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from evaluation.intervals import Figure
from evaluation.summary import Summary

WIDTH: Final = 380.0
MARGIN: Final = 8.0  # on both sides of the groups' names
RIGHT: Final = 12.0
ROW: Final = 14.0
GAP: Final = 8.0
TOP: Final = 8.0
BOTTOM: Final = 34.0
SERIES: Final = 8  # colours that the style sheet has
LEAST_PAGES: Final = 3
LINE: Final = 13.0
LETTER: Final = 6.6  # width of a letter, about
POINT: Final = 4.5  # radius


class Mark(msgspec.Struct):
    """A point with its interval: position, colour (1 to 8), and what a pointer over it says."""

    x: float
    y: float
    low: float
    high: float
    series: int
    title: str


class Label(msgspec.Struct):
    """A text beside an axis or a point."""

    x: float
    y: float
    text: str
    anchor: str = "end"


class Plot(msgspec.Struct):
    """What an SVG shows; lines are (x1, y1, x2, y2)."""

    title: str
    height: float
    marks: list[Mark]
    labels: list[Label]
    grid: list[tuple[float, float, float, float]]
    width: float = WIDTH
    left: float = 0.0  # where the axis begins

    def scale(self, value: float) -> float:
        """Give the place of a share of 1 on the axis."""
        return self.left + (self.width - self.left - RIGHT) * value


def plot_groups(title: str, summaries: list[Summary], field: str, least_pages: int = LEAST_PAGES) -> Plot:
    """Plot the headline with intervals by label, by language, or recall by kind of structure: a row an extractor.

    Args:
        title: the plot's.
        summaries: the extractors.
        field: "labels", "languages" or "structure".
        least_pages: groups of fewer pages are left out.
    """
    groups: dict[str, int] = {}
    for summary in summaries:
        for name, figure in getattr(summary, field).items():
            if figure.pages >= least_pages:
                groups[name] = max(groups.get(name, 0), figure.pages)
    names = {name: f"{name} ({pages})" for name, pages in groups.items()}
    plot = Plot(title, 0.0, [], [], [], left=2 * MARGIN + LETTER * max(map(len, names.values()), default=0))
    y = TOP
    for name, label in names.items():
        shown = [(k, s, getattr(s, field)[name]) for k, s in enumerate(summaries) if name in getattr(s, field)]
        middle = y + ROW * len(shown) / 2
        plot.labels.append(Label(plot.left - MARGIN, middle + 4, label))
        for k, summary, figure in shown:
            plot.marks.append(_place(plot, figure, y + ROW / 2, k, f"{summary.extractor}, {name}"))
            y += ROW
        y += GAP
        plot.grid.append((0, y - GAP / 2, WIDTH - RIGHT, y - GAP / 2))
    _draw_axis(plot, y)
    plot.height = y + BOTTOM
    return plot


def _place(plot: Plot, figure: Figure, y: float, k: int, what: str) -> Mark:
    title = f"{what}: {figure.mean:.3f} [{figure.low:.3f}, {figure.high:.3f}], {figure.pages} pages"
    return Mark(plot.scale(figure.mean), y, plot.scale(figure.low), plot.scale(figure.high), k % SERIES + 1, title)


def _draw_axis(plot: Plot, bottom: float) -> None:
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        plot.grid.append((plot.scale(tick), TOP, plot.scale(tick), bottom))
        plot.labels.append(Label(plot.scale(tick), bottom + 16, f"{tick:.1f}", "middle"))


def plot_speed(summaries: list[Summary]) -> Plot | None:
    """Plot the headline over the time in lxml parses, on a logarithmic scale; None when no time was taken."""
    timed = [(k, s, s.times_parse) for k, s in enumerate(summaries) if s.times_parse]
    if not timed:
        return None
    left, height = 44.0, 250.0
    bottom, top = height - 44.0, 14.0
    times = [t for _, _, t in timed]
    low, high = math.floor(math.log10(min(times) * 0.9)), math.ceil(math.log10(max(times) * 1.5))
    floor = math.floor(min(s.headline.low for _, s, _ in timed) * 10 - 0.2) / 10
    plot = Plot("Speed against quality", height, [], [], [])

    def place_x(t: float) -> float:
        return left + (WIDTH - RIGHT - left) * (math.log10(t) - low) / max(high - low, 1)

    def place_y(value: float) -> float:
        return bottom - (bottom - top) * (value - floor) / (1.0 - floor)

    for exponent in range(low, high + 1):
        x = place_x(10.0**exponent)
        plot.grid.append((x, top, x, bottom))
        plot.labels.append(Label(x, bottom + 16, f"{10.0**exponent:g}×", "end" if exponent == high else "middle"))
    for tick in range(round(floor * 10), 11):
        y = place_y(tick / 10)
        plot.grid.append((left, y, WIDTH - RIGHT, y))
        plot.labels.append(Label(left - 6, y + 4, f"{tick / 10:.1f}"))
    names: list[Label] = []
    for k, summary, t in timed:
        x, y = place_x(t), place_y(summary.headline.mean)
        title = f"{summary.extractor}: headline {summary.headline.mean:.3f}, {t:.2f} parses"
        plot.marks.append(Mark(x, y, x, x, k % SERIES + 1, title))
        names.append(_place_name(x, y, summary.extractor))
    plot.labels += part_labels(names, [(mark.x, mark.y) for mark in plot.marks])
    plot.labels.append(Label((left + WIDTH) / 2, height - 8, "CPU time, in lxml parses of the same pages", "middle"))
    return plot


def _place_name(x: float, y: float, name: str) -> Label:
    """Give a point's label: right of it, or left of it, or where neither has room as far right as it fits."""
    width = len(name) * LETTER
    if x + 9 + width <= WIDTH:
        return Label(x + 9, y + 4, name, "start")
    if x - 9 - width >= 0:
        return Label(x - 9, y + 4, name, "end")
    return Label(max(0.0, WIDTH - width), y + 4, name, "start")


def part_labels(labels: list[Label], points: list[tuple[float, float]] | None = None) -> list[Label]:
    """Move labels down until none lies on another, or on a point that is not its own.

    >>> [label.y for label in part_labels([Label(0, 10, "one", "start"), Label(5, 12, "two", "start")])]
    [10, 23.0]
    """
    placed: list[Label] = []
    for label in sorted(labels, key=lambda label: label.y):
        taken = [(*_span(other), other.y) for other in placed]
        taken += [(x - POINT, x + POINT, y + POINT) for x, y in points or ()]
        for start, stop, y in sorted(taken, key=lambda place: place[2]):
            if abs(y - label.y) < LINE and _span(label)[0] < stop and start < _span(label)[1]:
                label.y = y + LINE
        placed.append(label)
    return placed


def _span(label: Label) -> tuple[float, float]:
    width = len(label.text) * LETTER
    start = label.x - width if label.anchor == "end" else label.x
    return start, start + width
