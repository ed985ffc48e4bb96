"""How far a worker on this machine has come within its range: a tiny file that a progress bar may read."""

from __future__ import annotations

import contextlib
import json
import time
import uuid
from pathlib import Path
from typing import Any, Final

from transforms.manifests import manifest_name
from transforms.pages import RangeSpec

MARK_SECONDS: Final = 0.5


class ProgressMarks:
    """One worker's mark in a local folder, if there is one. A mark that cannot be written is let be."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder) / f"{uuid.uuid4().hex}.json" if folder else None
        self._next = 0.0

    def mark(self, spec: RangeSpec, offset: int, rows: int) -> None:
        """Say that the range has come to `offset` and to so many rows, twice a second at most."""
        if self._path is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + MARK_SECONDS
        mark = {"manifest": manifest_name(spec), "bytes": max(0, offset - spec.start), "rows": rows}
        with contextlib.suppress(OSError):
            self._path.write_text(json.dumps(mark), encoding="utf-8")

    def clear(self) -> None:
        """Take the mark back: the manifest speaks now."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)


def read_marks(folder: str) -> list[dict[str, Any]]:
    """Give all marks of a folder; one that is being written just now is left out."""
    marks = []
    for path in Path(folder).glob("*.json"):
        with contextlib.suppress(OSError, ValueError):
            marks.append(json.loads(path.read_text(encoding="utf-8")))
    return marks
