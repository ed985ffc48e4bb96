"""A run's summaries as a table for the terminal."""

from __future__ import annotations

from evaluation.scores import Row
from evaluation.summary import Summary, summarize


def format_summaries(rows: list[Row]) -> str:
    """Return the headline table and each data set's own figures as lines to print."""
    summaries = summarize(rows)
    width = max(len(summary.extractor) for summary in summaries) + 2
    heads = f"{'P':>6} {'R':>6} {'F1':>6} {'bigram':>6} {'×parse':>7} {'CPU s':>7}"
    lines = [f"{'':{width}}{'headline':>9}  {'interval':^16} {heads}"]
    lines += [_format_line(summary, width) for summary in summaries]
    datasets = list(dict.fromkeys(name for summary in summaries for name in summary.public))
    for name in datasets:
        for summary in summaries:
            figures = summary.public.get(name, {})
            if figures:
                lines.append(
                    f"{name:12} {summary.extractor:{width}}" + "  ".join(f"{k} {v:.4f}" for k, v in figures.items())
                )
    return "\n".join(lines)


def _format_line(summary: Summary, width: int) -> str:
    head = summary.headline
    times = "" if summary.times_parse is None else f"{summary.times_parse:.2f}"
    means = (summary.precision, summary.recall, summary.unigram, summary.bigram)
    return (
        f"{summary.extractor:{width}}{head.mean:9.4f}  [{head.low:.4f}, {head.high:.4f}]"
        f" {' '.join(f'{figure.mean:6.4f}' for figure in means)}"
        f" {times:>7} {summary.cpu_seconds:7.1f}"
    )
