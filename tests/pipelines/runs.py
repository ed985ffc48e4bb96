"""How the tests start runs and read what they left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

RANGE = "--range-bytes=4000"
PAGES = 40


def read_rows(output: Path) -> list[dict[str, Any]]:
    rows = pq.read_table(output / "pages").to_pylist()
    return sorted(({k: v for k, v in row.items() if k != "ms"} for row in rows), key=lambda row: int(row["offset"]))


def read_report(output: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((output / "_report.json").read_text())
    return report


def run_command(*arguments: str, **changes: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipelines.extract", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **changes)


def wait_for(condition: Callable[[], object], seconds: float = 240) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def has_members(group: int) -> bool:
    """Whether any process of a group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
