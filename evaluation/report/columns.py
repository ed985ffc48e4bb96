"""The three-column view of a page: its text with what was discarded, by which rule; the reference; the output."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from danubia_core import Part, explain
from evaluation.metrics.tokens import count_grams, split_tokens
from evaluation.pages import Page
from evaluation.run import StoredOutput
from evaluation.scores import Row

PART_CHARS: Final = 1500
COLUMN_CHARS: Final = 20_000
COVERED_SHARE: Final = 0.5
OTHER_HUES: Final = {"outside": 210, "density": 30, "teasers": 280, "orphan": 330}


class Stretch(msgspec.Struct):
    """Text of a column; `fate` is "kept", a rule's id or another reason; for lines "", "missed" or "extra"."""

    text: str
    fate: str = ""
    hue: int = 0


class Fate(msgspec.Struct):
    """A line of the legend: what discarded how much."""

    name: str
    hue: int
    text_bytes: int


class View(msgspec.Struct):
    """One page in three columns, and what is told above them."""

    page: str
    url: str
    label: str
    language: str
    row: Row
    before: float | None
    rivals: list[tuple[str, float]]
    source: list[Stretch]
    fates: list[Fate]
    reference: list[Stretch]
    output: list[Stretch]


def build_view(
    page: Page, row: Row, output: StoredOutput | None, *, before: float | None, rivals: list[tuple[str, float]]
) -> View:
    """Put a page in three columns.

    Args:
        page: the page.
        row: the extractor's scores on it.
        output: what the extractor made of it.
        before: its headline in the run before.
        rivals: the others' headlines.
    """
    reference = page.text if page.text is not None else page.markdown
    if reference is None:
        reference = "\n".join([*(f"wanted: {s}" for s in page.wanted), *(f"unwanted: {s}" for s in page.unwanted)])
    shown = "" if output is None else output.markdown or output.text
    parts = explain(page.html, url=page.url, content_type=page.content_type)
    return View(
        page=page.id,
        url=page.url or "",
        label=page.label,
        language=page.language,
        row=row,
        before=before,
        rivals=rivals,
        source=_cut_column([Stretch(_cut(part.text), part.fate, pick_hue(part.fate)) for part in parts]),
        fates=_sum_fates(parts),
        reference=mark_lines(reference, shown, "missed"),
        output=mark_lines(shown, reference, "extra"),
    )


def pick_hue(fate: str) -> int:
    """Return the hue of a rule, 0 to 359, the same in every report."""
    return OTHER_HUES.get(fate, zlib.crc32(fate.encode()) * 47 % 360)


def _sum_fates(parts: list[Part]) -> list[Fate]:
    sums: dict[str, int] = {}
    for part in parts:
        sums[part.fate] = sums.get(part.fate, 0) + part.text_bytes
    ranked = sorted(sums.items(), key=lambda item: -item[1])
    return [Fate(name, pick_hue(name), size) for name, size in ranked if name != "kept"]


def mark_lines(text: str, other: str, name: str) -> list[Stretch]:
    r"""Return a text's lines, those named whose word pairs the other text mostly lacks.

    >>> [line.fate for line in mark_lines("one two three\nfour five six", "zero one two three", "extra")]
    ['', 'extra']
    """
    pairs, words = set(count_grams(tokens := split_tokens(other), 2)), set(tokens)
    lines = []
    for line in text.splitlines():
        own = split_tokens(line)
        if len(own) == 1:
            covered = own[0] in words
        else:
            grams = list(count_grams(own, 2))
            covered = sum(gram in pairs for gram in grams) >= COVERED_SHARE * len(grams)
        lines.append(Stretch(_cut(line), "" if covered or not own else name))
    return _cut_column(lines)


def _cut(text: str) -> str:
    return text if len(text) <= PART_CHARS else f"{text[: PART_CHARS // 2]} […] {text[-PART_CHARS // 2 :]}"


def _cut_column(stretches: list[Stretch]) -> list[Stretch]:
    """Return the stretches up to `COLUMN_CHARS`, and say when some are left out."""
    total = 0
    for k, stretch in enumerate(stretches):
        total += len(stretch.text)
        if total > COLUMN_CHARS:
            return [*stretches[: k + 1], Stretch(f"[… {len(stretches) - k - 1} more]", "cut")]
    return stretches
