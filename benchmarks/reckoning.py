"""A whole crawl on paper: core-hours, output, files, listing time, money and stragglers, from measured figures.

    python -m benchmarks.reckoning [--page-ms 16.07] [--vcpu-price 0.056] …

Every figure is an option; the defaults are what docs/scale.md tells the source of.
"""

import argparse
from dataclasses import dataclass, field, fields
from typing import Any

HOUR = 3600.0
GB, TB = 1e9, 1e12
MIB, GIB = 1 << 20, 1 << 30


def setting(default: float, told: str) -> Any:
    """Declare a figure: its default, and what it is."""
    return field(default=default, metadata={"told": told})


@dataclass
class Figures:
    """What the reckoning starts from."""

    pages: float = setting(3e9, "pages of the crawl")
    archives: float = setting(90_000, "its archives")
    page_ms: float = setting(16.07, "CPU ms a page, whole job (measured)")
    bare_ms: float = setting(10.20, "CPU ms a page, extractor alone: text and markdown (measured)")
    page_html_bytes: float = setting(231_000, "HTML bytes a page where that was measured")
    crawl_html_bytes: float = setting(85_000, "HTML bytes a page of a crawl")
    page_archive_bytes: float = setting(22_700, "compressed bytes of a crawl a page")
    row_bytes: float = setting(12_092, "Parquet bytes a row (measured, all default columns)")
    row_share: float = setting(0.9913, "rows a page (measured)")
    utilisation: float = setting(0.9, "share of the vCPUs' time that is used")
    vcpus: float = setting(1000, "vCPUs of the fleet")
    vcpu_gb: float = setting(3.75, "GB of memory a vCPU")
    dataflow_vcpu: float = setting(0.056, "$ a vCPU-hour, Dataflow batch")
    dataflow_gb: float = setting(0.003557, "$ a GB-hour, Dataflow batch")
    flexrs_share: float = setting(0.6, "price of FlexRS by that of batch")
    spot_vcpu: float = setting(0.0225, "$ a vCPU-hour with its memory, spot")
    managers_share: float = setting(0.05, "of a Flink cluster: job manager, operator, system")
    lost_share: float = setting(0.03, "work done again because spot nodes were taken away")
    put_price: float = setting(5e-6, "$ a PUT")
    get_price: float = setting(0.4e-6, "$ a GET")
    month_price: float = setting(0.023, "$ a GB-month")
    block_bytes: float = setting(4 * MIB, "bytes a GET")
    list_page: float = setting(1000, "names a listing's answer")
    list_seconds: float = setting(0.15, "seconds a listing's answer")
    read_seconds: float = setting(0.05, "seconds to read a manifest from a store")
    reads_at_once: float = setting(128, "manifests read at once")
    range_seconds: float = setting(0.25, "seconds that a range itself costs")


def reckon(figures: Figures) -> list[tuple[str, str]]:
    """Give the lines: what, how much."""
    pages = figures.pages
    upper = pages * figures.page_ms / 1000 / HOUR
    lower = upper * figures.crawl_html_bytes / figures.page_html_bytes
    lines = [
        ("core-hours, if its pages were as large as those measured", f"{upper:,.0f}"),
        ("core-hours, by bytes of HTML", f"{lower:,.0f}"),
        ("  of which the extractor alone", f"{figures.bare_ms / figures.page_ms:.0%}"),
        (
            f"hours on {figures.vcpus:,.0f} vCPUs",
            " to ".join(f"{_hours(figures, each):.1f}" for each in (lower, upper)),
        ),
        ("archives", f"{pages * figures.page_archive_bytes / TB:,.0f} TB"),
    ]
    parquet_upper = pages * figures.row_share * figures.row_bytes
    parquet_lower = parquet_upper * figures.crawl_html_bytes / figures.page_html_bytes
    lines.append(("Parquet", f"{parquet_lower / TB:,.1f} to {parquet_upper / TB:,.1f} TB"))
    dataflow = figures.dataflow_vcpu + figures.vcpu_gb * figures.dataflow_gb
    spot = figures.spot_vcpu * (1 + figures.managers_share) * (1 + figures.lost_share)
    for name, price in (
        ("Dataflow batch", dataflow),
        ("Dataflow FlexRS", dataflow * figures.flexrs_share),
        ("Flink on spot nodes", spot),
    ):
        costs = [core_hours / figures.utilisation * price for core_hours in (lower, upper)]
        lines.append((f"{name}, ${price:.4f} a vCPU-hour", f"${costs[0]:,.0f} to ${costs[1]:,.0f}"))
    gets = pages * figures.page_archive_bytes / figures.block_bytes
    lines.append(("GETs of the archives", f"{gets / 1e6:,.1f} million, ${gets * figures.get_price:,.0f}"))
    lines.append(("Parquet kept for a month", f"${parquet_lower / GB * figures.month_price:,.0f} and more"))
    return lines


def reckon_range(figures: Figures, range_bytes: float) -> list[str]:
    """Give a size of range's cells: ranges, files, listing, going on, PUTs, seconds a range, the tail, its own cost."""
    archive_bytes = figures.pages * figures.page_archive_bytes / figures.archives
    per_archive = max(1, -(-archive_bytes // range_bytes))
    ranges = figures.archives * per_archive
    seconds = figures.pages / ranges * figures.page_ms / 1000 * figures.crawl_html_bytes / figures.page_html_bytes
    listing = ranges / figures.list_page * figures.list_seconds
    reading = ranges / figures.reads_at_once * figures.read_seconds
    total = ranges * seconds / figures.vcpus / figures.utilisation
    return [
        f"{range_bytes / MIB:,.0f} MiB", f"{ranges:,.0f}", f"{2 * ranges:,.0f}", f"{listing:,.0f} s",
        f"{listing + reading:,.0f} s", f"${2 * ranges * figures.put_price:,.2f}", f"{seconds:,.0f} s",
        f"{2 * seconds / total:.1%}", f"{figures.range_seconds / seconds:.2%}",
    ]  # fmt: skip


HEADINGS = ("range", "ranges", "files", "one listing", "going on", "PUTs", "a range", "tail, most", "own cost")


def _hours(figures: Figures, core_hours: float) -> float:
    return core_hours / figures.vcpus / figures.utilisation


def main() -> None:
    """Reckon and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in fields(Figures):
        told = f"{each.metadata['told']} ({each.default:g})".replace("%", "%%")
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=float, default=each.default, help=told)
    figures = Figures(**vars(parser.parse_args()))
    for each in fields(Figures):
        print(f"{each.metadata['told']:<68}{getattr(figures, each.name):>16,g}")
    print()
    for what, much in reckon(figures):
        print(f"{what:<62}{much:>22}")
    print("\n" + "".join(f"{heading:>13}" for heading in HEADINGS))
    for size in (64 * MIB, 256 * MIB, GIB, 2 * GIB):
        print("".join(f"{cell:>13}" for cell in reckon_range(figures, size)))


if __name__ == "__main__":
    main()
