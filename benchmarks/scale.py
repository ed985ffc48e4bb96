"""A crawl of 90,000 archives: what planning, listing, going on and reporting cost, measured on archives of a few bytes.

    python -m benchmarks.scale [10000 30000 90000]

Makes that many tiny archives with their list, laid out as a crawl lays them out, and the manifests that a run over real
ones would have left, all but a few. Then, each in a process of its own, whose CPU seconds and peak memory are told: the
plan of a fresh run; the graph that a runner is given; a look at the progress; the command that goes on, does the rest
and reports; the command again, with nothing left to do. The last column is the growth from the first count to the last,
by the growth of the count: 1.0 is linear.
"""

import contextlib
import gzip
import io
import json
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

COUNTS = (10_000, 30_000, 90_000)
LINKS = 30_000  # file systems bound how often one file may be linked
LEFT = 8  # ranges that the run which goes on has to do
LIMIT_BYTES = 2_000_000_000
PAGE = (
    "<!doctype html><title>Ferry</title><article><h1>Ferry</h1><p>" + "The ferry leaves at nine. " * 20 + "</article>"
)
SKIPS = (
    "http-status:3xx", "http-status:4xx", "record-type:request", "record-type:metadata", "record-type:warcinfo",
    "record-type:response", "revisit", "empty-body", "page:empty", "page:no-content", "no-http-header",
    *(f"not-html:application/{name}" for name in ("pdf", "json", "xml", "zip", "rss+xml", "atom+xml", "javascript")),
    *(f"not-html:image/{name}" for name in ("png", "jpeg", "gif", "webp", "svg+xml", "x-icon")),
    *(f"not-html:text/{name}" for name in ("plain", "css", "xml", "calendar", "csv")),
)  # fmt: skip

Numbers = dict[str, float]


def make_archive() -> bytes:
    """Give an archive of one page."""
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}"
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://ferry.example/\r\n"
        f"WARC-Date: 2026-10-03T01:02:03Z\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress(f"{head}{body}\r\n\r\n".encode(), mtime=0)


def make_crawl(folder: Path, count: int) -> None:
    """Make `count` archives, links to a few files, and the list of them."""
    names = []
    original = folder
    for index in range(count):
        name = f"crawl-data/CC-MAIN-2026-40/segments/{index // 900:03d}/warc/CC-MAIN-20261003-{index:05d}.warc.gz"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if index % LINKS == 0:
            original = path
            path.write_bytes(make_archive())
        else:
            os.link(original, path)
        names.append(name)
    (folder / "warc.paths").write_text("\n".join(names) + "\n")


def make_manifest(spec: Any, name: str) -> dict[str, Any]:
    """Give the manifest that a range of a real crawl would have left: as many kinds of skips, as large counts."""
    skips = {name: 1000 + index for index, name in enumerate(SKIPS)}
    rows = 31_000
    return {
        "warc": spec.warc, "index": spec.index, "count": spec.count, "start": spec.start, "end": spec.end,
        "size": spec.size, "selection": None, "records": rows + sum(skips.values()), "pages": rows + 2000,
        "whole": True, "skips": skips, "pages_file": f"pages/{name}.parquet", "failures_file": None,
        "skipped_file": None, "rows": rows,
        "failures": 0,
        "rungs": {"article": 9000, "body": 8000, "main": 7000, "whole": 7000}, "failure_kinds": {},
        "html_bytes": 3_300_000_000, "row_bytes": 900_000_000, "parquet_bytes": 260_000_000, "began": 1.79e9,
        "ended": 1.79e9, "process": 4711,
    }  # fmt: skip


def make_options(folder: Path) -> list[str]:
    """Give the command's options."""
    return ["--input", f"{folder}/warc.paths", "--prefix", f"{folder}/", "--output", f"{folder}/out"]


def measure_plan(folder: Path) -> Numbers:
    """Plan a fresh run, and leave the manifests of all its ranges but a few."""
    from pipelines.options import parse_options
    from pipelines.plan_run import find_archives, plan_run
    from transforms.manifests import MANIFESTS, manifest_name
    from transforms.stores import Store

    options = parse_options(make_options(folder))
    began = time.process_time()
    find_archives(options)
    listed = time.process_time()
    plan, to_do, _ = plan_run(options, Store(options.output))
    planned = time.process_time()
    assert len(plan) == len(to_do)
    peak = peak_bytes()
    manifests = folder / "out" / MANIFESTS
    manifests.mkdir(parents=True)
    for spec in plan[LEFT:]:
        name = manifest_name(spec)
        (manifests / name).write_text(json.dumps(make_manifest(spec, name.removesuffix(".json")), indent=1))
    return {"look up sizes, s": listed - began, "plan, s": planned - listed, "plan, peak MB": peak / 1e6}


def measure_graph(folder: Path) -> Numbers:
    """Build the graph of a fresh run, as a runner is given it."""
    import apache_beam as beam

    from pipelines.build_pipeline import build_pipeline
    from pipelines.options import parse_options
    from transforms.pages import RangeSpec

    options = parse_options(make_options(folder))
    names = (folder / "warc.paths").read_text().split()
    plan = [RangeSpec(f"{folder}/{name}", 0, 1, 0, 900_000_000, 900_000_000) for name in names]
    began = time.process_time()
    pipeline = beam.Pipeline(runner="FnApiRunner")
    build_pipeline(pipeline, plan, options)
    size = pipeline.to_runner_api().ByteSize()
    seconds = time.process_time() - began
    return {"graph, s": seconds, "graph, MB": size / 1e6, "graph, peak MB": peak_bytes() / 1e6}


def measure_progress(folder: Path) -> Numbers:
    """Look how far a run has come."""
    from pipelines.progress import Progress
    from transforms.pages import RangeSpec
    from transforms.stores import Store

    names = (folder / "warc.paths").read_text().split()
    progress = Progress(Store(f"{folder}/out"), [RangeSpec(name, 0, 1, 0, 900, 900) for name in names], f"{folder}/no")
    began = time.process_time()
    progress.look()
    return {"progress, s": time.process_time() - began}


def measure_command(folder: Path, name: str) -> Numbers:
    """Give the command again."""
    from pipelines.extract import main

    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        status = main(make_options(folder))
    seconds = time.process_time() - began
    assert status == 0
    return {f"{name}, s": seconds, f"{name}, peak MB": peak_bytes() / 1e6}


PHASES: dict[str, Callable[[Path], Numbers]] = {
    "plan": measure_plan,
    "graph": measure_graph,
    "progress": measure_progress,
    "go on": lambda folder: measure_command(folder, "go on"),
    "all done": lambda folder: measure_command(folder, "all done"),
}


def peak_bytes() -> int:
    """Give this process's peak memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def run_phase(name: str, folder: str) -> Numbers:
    """Run a phase in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "phase", name, folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    numbers: Numbers = json.loads(done.stdout.splitlines()[-1])
    return numbers


def simulate(count: int) -> Numbers:
    """Make a crawl and run all phases over it."""
    with tempfile.TemporaryDirectory() as folder:
        make_crawl(Path(folder), count)
        numbers: Numbers = {}
        for name in PHASES:
            numbers |= run_phase(name, folder)
        sizes = [path.stat().st_size for path in (Path(folder) / "out" / "_manifests").iterdir()]
        numbers["manifest, bytes"] = sum(sizes) / len(sizes)
    return numbers


def print_table(found: dict[int, Numbers]) -> None:
    """Print what was measured, and how it grows."""
    counts = sorted(found)
    print(f"{'':<22}" + "".join(f"{count:>12,}" for count in counts) + f"{'growth':>10}")
    for name in found[counts[0]]:
        values = [found[count][name] for count in counts]
        growth = values[-1] / max(values[0], 1e-9) / (counts[-1] / counts[0])
        per_item = f"{growth:>10.2f}" if name.endswith(", s") else ""
        print(f"{name:<22}" + "".join(f"{value:>12,.2f}" for value in values) + per_item)
    peak = max(value for numbers in found.values() for name, value in numbers.items() if name.endswith("peak MB"))
    print(f"\npeak memory {peak:,.0f} MB: {'below' if peak * 1e6 < LIMIT_BYTES else 'NOT BELOW'} 2 GB")


def main() -> None:
    """Measure and print."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["phase"]:
        logging.disable(logging.INFO)
        print(json.dumps(PHASES[arguments[1]](Path(arguments[2]))))
        return
    counts = [int(argument) for argument in arguments] or list(COUNTS)
    found = {}
    for count in counts:
        found[count] = simulate(count)
        print(f"{count:,} archives: {json.dumps(found[count])}", file=sys.stderr)
    print_table(found)


if __name__ == "__main__":
    main()
