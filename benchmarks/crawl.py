"""The whole job over a crawl: speed beside the bare extractor's, peak memory of every process, rows read elsewhere.

    python -m benchmarks.crawl WARC [--workers 2] [--output DIR] [--pages 2000] [options of pipelines.extract]

First the job runs with that many workers, while /proc tells what each of its processes uses (so: Linux only). Then, so
that a slow machine slows both, as many bare processes run at once as there were workers, each over `--pages` pages of
the same archive that lie in memory: extract(), text and markdown, nothing else. "share" is the job's speed by the
bare processes' together; its CPU time is told too, for on a machine that others use the clock tells of them as well.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow.dataset

from danubia_core import extract
from transforms.pages import Page
from transforms.plan_ranges import plan_ranges
from transforms.read_range import read_range

SAMPLE_SECONDS = 0.5
RANGE_BYTES = 64 << 20
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Usage:
    """One process: what it is, its CPU time in seconds and its peak memory in bytes, as last seen."""

    role: str
    seconds: float = 0.0
    peak_bytes: int = 0


def watch_processes(root: subprocess.Popen[bytes], started_at: float) -> tuple[dict[int, Usage], float]:
    """Follow a process and all below it to its end; gives them by id, and the whole run's seconds."""
    seen: dict[int, Usage] = {}
    while root.poll() is None:
        family = {root.pid}
        for pid, parent, seconds in sorted(list_processes()):
            if pid == root.pid or parent in family:
                family.add(pid)
                look_at(pid, seconds, "main" if pid == root.pid else "", seen)
        time.sleep(SAMPLE_SECONDS)
    return seen, time.monotonic() - started_at


def list_processes() -> Iterator[tuple[int, int, float]]:
    """Give every process: its id, its parent's, its CPU time in seconds."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            yield int(folder.name), int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS


def look_at(pid: int, seconds: float, role: str, seen: dict[int, Usage]) -> None:
    """Note what one process has used so far."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return
    if not command:  # it is about to end
        return
    role = role or ("child" if b"page_worker" in command else "worker")
    usage = seen.setdefault(pid, Usage(role))
    usage.role, usage.seconds = role, max(usage.seconds, seconds)
    peak = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
    usage.peak_bytes = max(usage.peak_bytes, peak << 10)


def run_job(warc: str, output: str, workers: int, rest: list[str]) -> tuple[dict[int, Usage], float, dict[str, Any]]:
    """Run the job afresh; gives its processes, its seconds and its report."""
    command = [sys.executable, "-m", "pipelines.extract", "--input", warc, "--output", output, "--overwrite"]
    began = time.monotonic()
    with subprocess.Popen([*command, f"--direct_num_workers={workers}", *rest]) as process:
        seen, seconds = watch_processes(process, began)
    report: dict[str, Any] = json.loads((Path(output) / "_report.json").read_text())
    report["exit_status"] = process.returncode
    return seen, seconds, report


def read_pages(warc: str, index: int, workers: int, limit: int) -> list[Page]:
    """Take up to `limit` pages of an archive, from the place where this worker's share of it begins."""
    ranges = plan_ranges(warc, Path(warc).stat().st_size, RANGE_BYTES)
    items = (item for spec in ranges[len(ranges) * index // workers :] for item in read_range(spec))
    return list(islice((item for item in items if isinstance(item, Page)), limit))


def run_bare(warc: str, index: int, workers: int, limit: int, start: Any, results: Any) -> None:
    """Extract pages that lie in memory, and tell (pages, seconds, CPU seconds)."""
    pages = read_pages(warc, index, workers, limit)
    start.wait()
    clock, cpu = time.perf_counter(), time.process_time()
    for page in pages:
        extraction = extract(page.body, url=page.url, content_type=page.content_type)
        _ = extraction.text, extraction.markdown
    results.put((len(pages), time.perf_counter() - clock, time.process_time() - cpu))


def measure_bare(warc: str, workers: int, limit: int) -> tuple[float, float]:
    """Run bare processes at once; gives their pages a second together, and the CPU milliseconds of a page."""
    context = multiprocessing.get_context("spawn")
    start, results = context.Barrier(workers), context.Queue()
    arguments = (limit, start, results)
    processes = [context.Process(target=run_bare, args=(warc, index, workers, *arguments)) for index in range(workers)]
    for process in processes:
        process.start()
    told = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(n / seconds for n, seconds, _ in told), 1000 * sum(t[2] for t in told) / sum(t[0] for t in told)


def read_elsewhere(output: str) -> dict[str, tuple[int, int]]:
    """Read the rows with three other programs; gives each one's count of rows and sum of main bytes."""
    files = f"{output}/pages/*.parquet"
    arrow = pyarrow.dataset.dataset(f"{output}/pages").to_table(columns=["selected_bytes", "markdown"])
    query = f"select count(markdown), sum(selected_bytes)::bigint from '{files}'"
    [duck] = duckdb.connect().execute(query).fetchall()
    lazy = polars.scan_parquet(files).select(polars.col("markdown").count(), polars.col("selected_bytes").sum())
    bear = lazy.collect().row(0)
    return {
        "pyarrow": (arrow.num_rows - arrow["markdown"].null_count, sum(arrow["selected_bytes"].to_pylist())),
        "duckdb": (duck[0], duck[1]),
        "polars": (bear[0], bear[1]),
    }


def print_usage(seen: dict[int, Usage], pages: int) -> float:
    """Print CPU time and peak memory by kind of process; gives the CPU milliseconds of a page."""
    groups: dict[str, list[Usage]] = defaultdict(list)
    for usage in seen.values():
        groups[usage.role].append(usage)
    print(f"\n{'process':<10}{'number':>8}{'CPU ms/page':>14}{'peak MB each':>16}")
    for role, usages in groups.items():
        peaks = sorted((usage.peak_bytes for usage in usages), reverse=True)
        told = ", ".join(f"{peak / 1e6:.0f}" for peak in peaks[:4]) + (", …" if len(peaks) > 4 else "")
        print(f"{role:<10}{len(usages):>8}{1000 * sum(u.seconds for u in usages) / pages:>14.2f}{told:>16}")
    return 1000 * sum(usage.seconds for usage in seen.values()) / pages


def main() -> None:
    """Run, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warc")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", default="")
    parser.add_argument("--pages", type=int, default=2000, help="for each bare process")
    given, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        output = given.output or temporary
        seen, seconds, report = run_job(given.warc, output, given.workers, rest)
        rows = read_elsewhere(output)
    pages = report["pages_now"]
    cost = print_usage(seen, pages)
    rate, bare_cost = measure_bare(given.warc, given.workers, given.pages)
    print(f"\njob   {pages / seconds:8.1f} pages/s with start and end, {cost:6.2f} CPU ms a page, {seconds:.0f} s")
    print(f"bare  {rate:8.1f} pages/s, {given.workers} at once,      {bare_cost:6.2f} CPU ms a page")
    print(f"share {pages / seconds / rate:8.0%} by the clock,          {bare_cost / cost:6.0%} by CPU time")
    print(f"exit status {report['exit_status']}; the reckoning {'closes' if report['closes'] else 'DOES NOT CLOSE'}")
    agree = len({report["rows"], *(count for count, _ in rows.values())}) == 1 and len(set(rows.values())) == 1
    print("rows and bytes selected:", rows, "as reported" if agree else "THEY DIFFER")


if __name__ == "__main__":
    main()
