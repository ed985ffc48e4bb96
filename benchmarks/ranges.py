"""How the times of ranges spread, and what size of range wastes least: the CPU time of every page of an archive.

    python -m benchmarks.ranges WARC [--pages 3000] [--workers 1000] [--archives 90000]

Each page is extracted once, in this process, and its CPU time noted (a row's: text, markdown, tree, metadata). Ranges
of several sizes are then put together from stretches of these pages, as many as a crawl of so many archives has, and
dealt out to workers, each of which takes the next range when it is done: what is told is the spread of the ranges'
times, and how much longer the last worker takes than if all ended at once (the tail). `--slow-share` of the workers run
at half speed. CPU time is measured, so a busy machine tells nearly the same as an idle one.
"""

import argparse
import heapq
import random
import statistics
import time
from itertools import islice
from pathlib import Path

from danubia_core import extract
from transforms.pages import Page
from transforms.plan_ranges import plan_ranges
from transforms.read_options import MIB
from transforms.read_range import read_range

SIZES = (16 * MIB, 64 * MIB, 256 * MIB, 1024 * MIB)
ARCHIVE_BYTES = 1024 * MIB
RANGE_SECONDS = 0.25  # for a range itself: proof of its beginning, two files, a manifest; see docs/scale.md
CHOICES = 4000
QUANTILES = {"median": 0.5, "95 %": 0.95, "99 %": 0.99, "most": 1.0}


def measure_pages(warc: str, limit: int) -> tuple[list[float], float]:
    """Give each page's CPU seconds, reading included, and how many bytes of the archive a page takes."""
    [spec] = plan_ranges(warc, Path(warc).stat().st_size, 1 << 60)
    seconds: list[float] = []
    first = last = -1
    began = time.process_time()
    for page in islice((item for item in read_range(spec) if isinstance(item, Page)), limit):
        extraction = extract(page.body, url=page.url, content_type=page.content_type)
        _ = extraction.text, extraction.markdown, extraction.tree.to_json(), extraction.metadata, extraction.stats
        now = time.process_time()
        seconds.append(now - began)
        began = now
        first = page.offset if first < 0 else first
        last = page.offset + max(0, page.length)
    return seconds, (last - first) / len(seconds)


def sample_ranges(seconds: list[float], pages: int, count: int, rng: random.Random) -> list[float]:
    """Give the times of `count` ranges of so many pages, each put together from stretches of 50 neighbouring pages."""
    sums = [sum(seconds[start : start + 50]) for start in range(max(1, len(seconds) - 50))]
    stretches = max(1, round(pages / 50))
    share = pages / (50 * stretches)
    return [share * sum(rng.choices(sums, k=stretches)) for _ in range(count)]


def deal_out(times: list[float], speeds: list[float]) -> float:
    """Give the tail: the end of the last worker by the end if all work were shared exactly."""
    free = [(0.0, worker) for worker in range(len(speeds))]
    heapq.heapify(free)
    end = 0.0
    for seconds in times:
        at, worker = heapq.heappop(free)
        done = at + seconds / speeds[worker]
        end = max(end, done)
        heapq.heappush(free, (done, worker))
    return end / (sum(times) / sum(speeds))


def main() -> None:
    """Measure, sample, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warc")
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--archives", type=int, default=90_000)
    parser.add_argument("--slow-share", type=float, default=0.05)
    given = parser.parse_args()
    seconds, page_bytes = measure_pages(given.warc, given.pages)
    ordered = sorted(seconds)
    mean = statistics.fmean(seconds)
    told = ", ".join(f"{name} {1000 * ordered[int(q * (len(ordered) - 1))]:.1f}" for name, q in QUANTILES.items())
    print(f"{len(seconds)} pages, {page_bytes:,.0f} bytes of archive each; CPU ms a page: {1000 * mean:.1f}, {told}")
    rng = random.Random(5)
    slow = round(given.workers * given.slow_share)
    speeds = [0.5] * slow + [1.0] * (given.workers - slow)
    print(f"\n{'range':>9}{'pages':>9}{'mean s':>9}{'95 % s':>9}{'most s':>9}{'own cost':>10}{'tail':>8}{'ranges':>12}")
    for size in SIZES:
        pages = round(size / page_bytes)
        sampled = sample_ranges(seconds, pages, min(CHOICES, 40_000_000 // max(1, pages)), rng)
        times = sorted(time + RANGE_SECONDS for time in sampled)
        count = round(given.archives * ARCHIVE_BYTES / size)
        tail = deal_out(rng.choices(times, k=count), speeds) - 1
        average = statistics.fmean(times)
        print(f"{size // MIB:>5} MiB{pages:>9,}{average:>9.1f}{times[int(0.95 * len(times))]:>9.1f}{times[-1]:>9.1f}"
              f"{RANGE_SECONDS / average:>10.2%}{tail:>8.2%}{count:>12,}")  # fmt: skip


if __name__ == "__main__":
    main()
