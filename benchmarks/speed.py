"""CPU time of Danubia, of its stages and of its peers, over the same pages in one process.

    python -m benchmarks.speed [PAGES_DIR] [--pages 300] [--rounds 3] [--only NAME,NAME]

Pages are the .html files under a folder, at any depth (samples/pages when none is named); a random 300 of them where
there are more. Rounds are interleaved, so that a slow moment of the machine falls on all alike; the median counts.
The last column is the ratio to lxml's parse of the same bytes, the floor of whatever stands on lxml. Peers take part
when installed.
"""

import argparse
import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

from danubia_core import extract
from danubia_core.decode import decode_html

SAMPLES = Path(__file__).parent.parent / "samples" / "pages"
FLOOR = "lxml parse"

Run = Callable[[bytes], object]


def parse_only(data: bytes) -> object:
    """Build lxml's tree and leave it."""
    return etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False))


def extract_text(data: bytes) -> object:
    """Run the whole extraction, then one serializer."""
    return extract(data).text


def extract_both(data: bytes) -> object:
    """Run the whole extraction, then text and markdown: what a row of the pipeline holds."""
    page = extract(data)
    return page.text, page.markdown


def extract_row(data: bytes) -> object:
    """Run everything that a full row asks for."""
    page = extract(data)
    return page.text, page.markdown, page.tree.to_json(), page.metadata, page.stats


def run_readability(module: Any, data: bytes) -> object:
    """Take the cleaned HTML, and its text as Danubia's other peers give it."""
    summary = module.Document(decode_html(data).text).summary()
    return etree.fromstring(summary, etree.HTMLParser()).xpath("string()") if summary else ""


def run_turbohtml(module: Any, data: bytes) -> object:
    """Take text and markdown of the main content."""
    main = module.parse(data).main_content()
    return (main.to_text(), main.to_markdown()) if main else None


PEERS: dict[str, tuple[str, Callable[[Any, bytes], object]]] = {
    "trafilatura": ("trafilatura", lambda m, data: m.extract(data)),
    "trafilatura fast": ("trafilatura", lambda m, data: m.extract(data, fast=True)),
    "readability-lxml": ("readability", run_readability),
    "resiliparse": (
        "resiliparse.extract.html2text",
        lambda m, data: m.extract_plain_text(decode_html(data).text, main_content=True),
    ),
    "turbohtml": ("turbohtml", run_turbohtml),
    "html-to-markdown": ("html_to_markdown", lambda m, data: m.convert(decode_html(data).text)),
}


def load_runs(only: list[str]) -> dict[str, Run]:
    """List what to time, by name: the floor, Danubia's parts, and the peers that are installed."""
    runs: dict[str, Run] = {
        FLOOR: parse_only,
        "bytes.decode": lambda data: data.decode("utf-8", "replace"),
        "danubia decode": decode_html,
        "danubia text": extract_text,
        "danubia text + markdown": extract_both,
        "danubia whole row": extract_row,
    }
    for name, (module_name, run) in PEERS.items():
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            print(f"{name}: not installed", file=sys.stderr)
            continue
        runs[name] = lambda data, module=module, run=run: run(module, data)  # type: ignore[misc]
    return {name: run for name, run in runs.items() if not only or name in only or name == FLOOR}


def time_run(run: Run, pages: list[bytes]) -> tuple[float, int]:
    """Time one pass over the pages: CPU seconds, and how many pages raised."""
    failed = 0
    start = time.process_time()
    for page in pages:
        try:
            run(page)
        except Exception:  # noqa: BLE001 - a peer that fails on a page has spent its time on it
            failed += 1
    return time.process_time() - start, failed


def read_pages(folder: Path, limit: int) -> list[bytes]:
    """Read the folder's pages that are not empty; a fixed random choice of them where there are more than `limit`."""
    paths = sorted(folder.rglob("*.html"))
    if len(paths) > limit:
        paths = random.Random(7).sample(paths, limit)
    return [page for path in paths if (page := path.read_bytes()).strip()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="CPU time beside lxml's parse and the peers.")
    parser.add_argument("folder", type=Path, nargs="?", default=SAMPLES)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="names from the table, with commas")
    args = parser.parse_args()
    pages = read_pages(args.folder, args.pages)
    if not pages:
        sys.exit(f"no .html file under {args.folder}")
    runs = load_runs([name for name in args.only.split(",") if name])
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    failures = dict.fromkeys(runs, 0)
    for name in runs:
        time_run(runs[name], pages[:3])  # imports and caches
    for _ in range(args.rounds):
        for name, run in runs.items():
            spent, failures[name] = time_run(run, pages)
            seconds[name].append(spent)
    size = sum(map(len, pages)) / 1e6
    floor = statistics.median(seconds[FLOOR])
    print(f"{len(pages)} pages, {size:.1f} MB, median of {args.rounds} rounds, CPU seconds\n")
    print(f"{'':26} {'seconds':>8} {'pages/s':>9} {'MB/s':>8} {'x lxml parse':>13}")
    for name, spans in seconds.items():
        middle = statistics.median(spans) or 1e-9
        note = f"  ({failures[name]} pages raised)" if failures[name] else ""
        rates = f"{len(pages) / middle:9.1f} {size / middle:8.2f} {middle / floor:13.2f}"
        print(f"{name:26} {middle:8.2f} {rates}{note}")


if __name__ == "__main__":
    main()
