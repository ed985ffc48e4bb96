"""Two runs side by side: which differences are beyond noise, page by page and in the mean."""

from __future__ import annotations

from typing import Final

import msgspec

from evaluation.intervals import Figure, estimate_mean, is_count_beyond_noise
from evaluation.scores import Row

LEAST_CHANGE: Final = 1e-9


class Change(msgspec.Struct, frozen=True):
    """One page that scores differently.

    Attributes:
        before, after: headline, or the share of snippets that are right where the data set has no whole reference.
        wrong_before, wrong_after: tokens missed or found in vain.
        beyond_noise: whether these counts differ by more than chance.
    """

    page: str
    before: float
    after: float
    wrong_before: int
    wrong_after: int
    beyond_noise: bool

    @property
    def difference(self) -> float:
        """What the page gained."""
        return self.after - self.before


class Comparison(msgspec.Struct):
    """What became of one extractor between two runs.

    Attributes:
        mean: mean difference of the headline over the pages that both runs have, paired.
        changes: pages that score differently, the largest loss first.
        incomparable: ids of pages whose bytes or reference changed. only_before, only_after: pages in one run alone.
    """

    extractor: str
    mean: Figure
    changes: list[Change]
    incomparable: list[str]
    only_before: int
    only_after: int

    @property
    def losses(self) -> list[Change]:
        """Pages that lost beyond noise."""
        return [change for change in self.changes if change.beyond_noise and change.difference < 0]

    @property
    def gains(self) -> list[Change]:
        """Pages that gained beyond noise."""
        return [change for change in self.changes if change.beyond_noise and change.difference > 0]


def compare_runs(before: list[Row], after: list[Row], extractor: str) -> Comparison:
    """Compare an extractor's rows of two runs."""
    old = {row.page: row for row in before if row.extractor == extractor}
    new = {row.page: row for row in after if row.extractor == extractor}
    both = [page for page in new if page in old]
    incomparable = [page for page in both if not _is_same_page(old[page], new[page])]
    same = [page for page in both if page not in set(incomparable)]
    differences = [
        (new[page].headline or 0.0) - (old[page].headline or 0.0) for page in same if new[page].headline is not None
    ]
    changes = [change for page in same if (change := _compare_page(old[page], new[page]))]
    return Comparison(
        extractor=extractor,
        mean=estimate_mean(differences),
        changes=sorted(changes, key=lambda change: change.difference),
        incomparable=incomparable,
        only_before=len(old) - len(both),
        only_after=len(new) - len(both),
    )


def _is_same_page(old: Row, new: Row) -> bool:
    names = ("wanted_all", "unwanted_all")
    same_snippets = all(old.public.get(name) == new.public.get(name) for name in names)
    return old.html_bytes == new.html_bytes and old.wanted == new.wanted and same_snippets


def _compare_page(old: Row, new: Row) -> Change | None:
    if old.headline is None or new.headline is None:
        before, after = _share_right(old), _share_right(new)
        is_beyond = False  # a handful of snippets: any one page's change may be chance
    else:
        before, after = old.headline, new.headline
        is_beyond = is_count_beyond_noise(old.wrong, new.wrong)
    if abs(after - before) < LEAST_CHANGE:
        return None
    return Change(new.page, before, after, old.wrong, new.wrong, is_beyond)


def _share_right(row: Row) -> float:
    figures = row.public
    count = figures.get("wanted_all", 0.0) + figures.get("unwanted_all", 0.0)
    right = figures.get("wanted_found", 0.0) + figures.get("unwanted_all", 0.0) - figures.get("unwanted_found", 0.0)
    return right / count if count else 0.0


def format_comparison(comparison: Comparison, most: int = 20) -> str:
    """Return a comparison as lines to print."""
    mean, losses, gains = comparison.mean, comparison.losses, comparison.gains
    verdict = "beyond noise" if mean.is_beyond_noise else "within noise"
    interval = f"[{mean.low:+.4f}, {mean.high:+.4f}]"
    lines = [
        f"{comparison.extractor}: mean headline {mean.mean:+.4f} {interval} over {mean.pages} pages, {verdict}",
        f"{len(comparison.changes)} pages changed; beyond noise: {len(losses)} lost, {len(gains)} gained",
    ]
    if comparison.incomparable:
        lines.append(f"not compared, for the page or its reference changed: {len(comparison.incomparable)}")
    lines += [
        f"  {change.before:.4f} → {change.after:.4f}"
        f"  wrong tokens {change.wrong_before} → {change.wrong_after}  {change.page}"
        for change in [*losses[:most], *reversed(gains[-most:])]
    ]
    return "\n".join(lines)
