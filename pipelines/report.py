"""The reckoning of a run: records read = rows + skips by reason + failures, from the manifests of its ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from danubia_core import __version__
from transforms.pages import RangeSpec

SUMS = ("records", "pages", "rows", "failures", "html_bytes", "row_bytes", "parquet_bytes")
GROUPS = ("skips", "rungs", "failure_kinds")


@dataclass(frozen=True, slots=True)
class Run:
    """What one run did: its plan, the manifests it found done and those it added, and how long that took in seconds."""

    output: str
    plan: Sequence[RangeSpec]
    done_before: Sequence[Mapping[str, Any]]
    done_now: Sequence[Mapping[str, Any]]
    seconds: float
    max_failure_rate: float


def build_report(run: Run) -> dict[str, Any]:
    """Give the report; `ok` says whether the run succeeded, `problems` why not, one line each."""
    manifests = [*run.done_before, *run.done_now]
    sums = {name: sum(manifest[name] for manifest in manifests) for name in SUMS}
    groups = {name: _add_up(manifest[name] for manifest in manifests) for name in GROUPS}
    skipped = sum(groups["skips"].values())
    failure_rate = sums["failures"] / max(1, sums["records"])
    indexes = {manifest["warc"] for manifest in manifests if manifest.get("is_index")}
    archives = {spec.warc for spec in run.plan} - indexes
    unreadable = sorted(find_unreadable(manifests))
    broken_off = [manifest for manifest in manifests if not manifest["whole"]]
    html_bytes_now = sum(manifest["html_bytes"] for manifest in run.done_now)
    pages_now = sum(manifest["pages"] for manifest in run.done_now)
    report = {
        "danubia": __version__,
        "output": run.output,
        "archives": len(archives),
        "unreadable_archives": unreadable,
        "broken_off": sorted(f"{manifest['warc']} from byte {manifest['start']}" for manifest in broken_off),
        "ranges": {
            "planned": sum(spec.warc not in indexes for spec in run.plan),
            "done_before": count_ranges(run.done_before),
            "done_now": count_ranges(run.done_now),
            "missing": len(run.plan) - len(manifests),
        },
        **sums,
        "skipped": skipped,
        **groups,
        "failure_rate": failure_rate,
        "max_failure_rate": run.max_failure_rate,
        "seconds": round(run.seconds, 3),
        "range_seconds": spread_times(run.done_now),
        "pages_now": pages_now,
        "pages_per_second": round(pages_now / max(run.seconds, 1e-9), 2),
        "html_bytes_per_second": round(html_bytes_now / max(run.seconds, 1e-9)),
        "closes": sums["records"] == sums["rows"] + skipped + sums["failures"] and len(manifests) == len(run.plan),
    }
    report["problems"] = find_problems(report)
    report["ok"] = not report["problems"]
    return report


def count_ranges(manifests: Iterable[Mapping[str, Any]]) -> int:
    """Count the manifests that are of ranges: an index's bad rows have one too."""
    return sum(not manifest.get("is_index") for manifest in manifests)


def spread_times(manifests: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Give how long ranges took, in seconds: median, 95th percentile and most; empty when none was done."""
    times = sorted(each["ended"] - each["began"] for each in manifests if "ended" in each and not each.get("is_index"))
    places = {"median": 0.5, "p95": 0.95, "most": 1.0} if times else {}
    return {name: round(times[int(place * (len(times) - 1))], 3) for name, place in places.items()}


def find_unreadable(manifests: Iterable[Mapping[str, Any]]) -> set[str]:
    """Give the archives of which nothing but failures came."""
    records: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for manifest in manifests:
        if manifest.get("is_index"):
            continue
        records[manifest["warc"]] += manifest["records"]
        failures[manifest["warc"]] += manifest["failures"]
    return {warc for warc, count in failures.items() if count and count >= records[warc]}


def find_problems(report: Mapping[str, Any]) -> list[str]:
    """Say why a run did not succeed, one line a reason; empty when it did."""
    problems = []
    missing = report["ranges"]["missing"]
    if missing:
        problems.append(
            f"{missing} of {report['ranges']['planned']} ranges are not done: give the same command again to go on"
        )
    elif not report["closes"]:
        problems.append(
            f"the reckoning does not close: {report['records']} records, but {report['rows']} rows + "
            f"{report['skipped']} skipped + {report['failures']} failures"
        )
    broken_off = report["broken_off"]
    if broken_off:
        problems.append(
            f"the store failed in {len(broken_off)} of {report['ranges']['planned']} ranges ({_name_few(broken_off)}): "
            "give the same command again to read them anew"
        )
    most = report["max_failure_rate"]
    if report["failure_rate"] > most:
        problems.append(
            f"{report['failures']} of {report['records']} records failed, more than --max-failure-rate {most:g}"
        )
    unreadable = report["unreadable_archives"]
    if len(unreadable) > most * report["archives"]:
        names = _name_few(unreadable)
        problems.append(f"nothing could be read of {len(unreadable)} of {report['archives']} archives: {names}")
    return problems


def _name_few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def format_report(report: Mapping[str, Any]) -> str:
    """Give the table for the terminal."""
    lines = [("records read", report["records"]), ("rows", report["rows"])]
    lines += [(f"  {name or 'no rung'}", count) for name, count in _most_first(report["rungs"])]
    lines.append(("skipped", report["skipped"]))
    lines += [(f"  {name}", count) for name, count in _most_first(report["skips"])]
    lines.append(("failures", report["failures"]))
    lines += [(f"  {name}", count) for name, count in _most_first(report["failure_kinds"])]
    width = max(len(name) for name, _ in lines) + 2
    table = [f"{name:{width}}{count:>14,}" for name, count in lines]
    ranges = report["ranges"]
    again = f", {ranges['done_before']} of {ranges['planned']} ranges were done before" if ranges["done_before"] else ""
    speed = f"{report['pages_per_second']:,.1f} pages/s, {format_bytes(report['html_bytes_per_second'])}/s of HTML"
    sum_line = f"{report['rows']:,} rows + {report['skipped']:,} skipped + {report['failures']:,} failures"
    sizes = f"{format_bytes(report['html_bytes'])} of HTML became {format_bytes(report['parquet_bytes'])} of Parquet"
    output = report["output"].rstrip("/")
    table += [
        "",
        f"{report['records']:,} records = {sum_line}" + _tell_open(report),
        f"{report['pages_now']:,} pages in {report['seconds']:,.1f} s: {speed}{again}",
        f"{sizes}: {output}/pages/*.parquet",
    ]
    if spread := report["range_seconds"]:
        times = f"{spread['median']:,.1f} s (median), {spread['p95']:,.1f} s (95 %), {spread['most']:,.1f} s (most)"
        table.append(f"a range took {times}")
    if report["failures"]:
        table.append(f"what failed, and why: {output}/failures/*.parquet")
    if any(name.startswith("page:") for name in report["skips"]):
        table.append(f"pages without content, and why: {output}/skipped/*.parquet")
    return "\n".join(table) + "\n"


def _tell_open(report: Mapping[str, Any]) -> str:
    if report["ranges"]["missing"]:
        return f"  (so far: {report['ranges']['missing']:,} ranges are not done)"
    return "" if report["closes"] else "  (does not close)"


def format_bytes(count: float) -> str:
    """Give a size for reading.

    >>> format_bytes(999), format_bytes(12_345_678)
    ('999 B', '12.3 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def _add_up(groups: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for group in groups:
        total.update(group)
    return dict(_most_first(total))


def _most_first(group: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(group.items(), key=lambda item: (-item[1], item[0]))
