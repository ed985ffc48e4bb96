"""Beam counters, for runners that show them. The report counts manifests instead, which no retry can count twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from apache_beam.metrics import Metrics

NAMESPACE: Final = "danubia"
TOTALS: Final = ("records", "pages", "rows", "failures", "html_bytes", "parquet_bytes")


def count_range(manifest: Mapping[str, Any]) -> None:
    """Add a range that is done to the counters: totals, and skips and rungs by name."""
    for name in TOTALS:
        Metrics.counter(NAMESPACE, name).inc(int(manifest[name]))
    for group in ("skips", "rungs"):
        for name, count in manifest[group].items():
            Metrics.counter(NAMESPACE, f"{group}:{name}").inc(int(count))
