"""How far a run has come, drawn from its manifests as they appear and from the marks of workers on this machine."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO

from tqdm import tqdm

from transforms.manifests import MANIFESTS, manifest_name
from transforms.pages import RangeSpec
from transforms.progress_marks import read_marks
from transforms.stores import Store

BAR_SECONDS: Final = 1.0
LOG_SECONDS: Final = 30.0
LOOK_SHARE: Final = 20  # looking takes a twentieth of the time at most

log = logging.getLogger("danubia")


class Progress:
    """Bytes and ranges that are done of a plan."""

    def __init__(self, store: Store, plan: Sequence[RangeSpec], marks: str) -> None:
        self._store = store
        self._marks = marks
        self._sizes = {manifest_name(spec): max(0, spec.end - spec.start) for spec in plan}
        self.total_bytes = sum(self._sizes.values())
        self.total_ranges = len(plan)
        self.ranges = self.bytes = 0

    def look(self) -> float:
        """Count again; gives the seconds that this took, for a store with many manifests takes some to list them."""
        began = time.monotonic()
        done = self._sizes.keys() & set(self._store.list_names(MANIFESTS))
        self.ranges = len(done)
        self.bytes = sum(self._sizes[name] for name in done)
        for mark in read_marks(self._marks):
            if mark["manifest"] not in done:
                self.bytes += min(mark["bytes"], self._sizes.get(mark["manifest"], 0))
        return time.monotonic() - began


@contextmanager
def show_progress(progress: Progress, stream: TextIO) -> Iterator[None]:
    """While the block runs, draw a bar on a terminal, or else log a line every half minute."""
    stop = threading.Event()
    draw = _draw_bar if stream.isatty() else _log_lines
    thread = threading.Thread(target=draw, args=(progress, stop, stream), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(10)


def _draw_bar(progress: Progress, stop: threading.Event, stream: TextIO) -> None:
    arguments: dict[str, Any] = {
        "unit": "B",
        "unit_scale": True,
        "desc": "extract",
        "file": stream,
        "dynamic_ncols": True,
    }
    with tqdm(total=progress.total_bytes, **arguments) as bar:
        pause = BAR_SECONDS
        while True:
            last = stop.wait(pause)
            pause = max(BAR_SECONDS, LOOK_SHARE * progress.look())
            bar.set_postfix_str(f"{progress.ranges} of {progress.total_ranges} ranges", refresh=False)
            bar.update(max(0, progress.bytes - bar.n))
            bar.refresh()
            if last:
                return


def _log_lines(progress: Progress, stop: threading.Event, _: TextIO) -> None:
    began = time.monotonic()
    pause = LOG_SECONDS
    while not stop.wait(pause):
        pause = max(LOG_SECONDS, LOOK_SHARE * progress.look())
        share = progress.bytes / max(1, progress.total_bytes)
        log.info(
            "%d of %d ranges done, %.0f %% of the bytes, %.0f s",
            progress.ranges, progress.total_ranges, 100 * share, time.monotonic() - began,
        )  # fmt: skip
