"""--watch on this machine: rounds of the batch job over what has appeared, until a signal says stop.

Beam's local runner gives nothing out behind a Reshuffle while a stream runs. Rounds lack nothing: the manifests are the
memory, as they are of runs that were stopped.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.endings import BY_SIGNAL, FAILED, RUN_ERRORS, SUCCESS, handled_signals, show_text, tell_error
from pipelines.ledger import Ledger, count_rows
from pipelines.local_runner import WorkerError
from pipelines.options import RunOptions
from pipelines.plan_run import find_output, find_sizes, open_output, read_options
from pipelines.progress import Progress, show_progress
from pipelines.report import find_problems, format_report
from pipelines.watch_options import WatchOptions
from transforms.look_out import Look, LookOut
from transforms.manifests import CONFIG, REPORT, OutputError, clear_leftovers, forget_range, read_manifests
from transforms.pages import RangeSpec
from transforms.retries import store_errors
from transforms.sources import HTTP_SCHEMES, is_local
from transforms.stop_taking import STOP

MOST_FAILED_ROUNDS: Final = 5  # one after the other

RunBeam = Callable[[Sequence[RangeSpec], RunOptions, PipelineOptions, str], None]

log = logging.getLogger("danubia")


class Stop:
    """What signals ask for: with the first the ranges under way are the last, the second ends the process."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._folder = ""

    def is_asked(self) -> bool:
        """Tell whether a signal has come."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for a signal; gives whether one has come."""
        return self._event.wait(seconds)

    @contextmanager
    def told_to(self, folder: str) -> Iterator[None]:
        """Within the block, a signal makes the workers that look into `folder` begin no more ranges."""
        self._folder = folder
        if self.is_asked():
            (Path(folder) / STOP).touch()
        try:
            yield
        finally:
            self._folder = ""

    def answer(self, number: int, _: Any = None) -> None:
        """Answer one signal."""
        if self.is_asked():
            log.error("ended at once: give the same command again to go on")
            if self._folder:
                shutil.rmtree(self._folder, ignore_errors=True)
            os._exit(BY_SIGNAL + number)
        self._event.set()
        if self._folder:
            (Path(self._folder) / STOP).touch()
        log.info("stopping, once the ranges under way are done; a second signal ends at once")


class Watch:
    """Looks, rounds and the report of one watch."""

    def __init__(
        self, options: RunOptions, watch: WatchOptions, settings: PipelineOptions, run_beam: RunBeam, stop: Stop
    ) -> None:
        self._options = options
        self._settings = settings
        self._run_beam = run_beam
        self._stop = stop
        self._store = find_output(options)
        self._ledger = Ledger(open_output(options, self._store), options.range_bytes)
        clear_leftovers(self._store)
        self._reading = read_options(options)
        self._look_out = LookOut(
            options.inputs, prefix=options.prefix, settle_seconds=watch.settle, options=self._reading
        )
        self._told = 0  # changed archives that the last report names
        self._rounds = 0
        self._seconds = 0.0

    def check_output(self) -> None:
        """Raise OutputError when the output is no longer there: what this process knows of it is true no more."""
        if not self._store.exists(CONFIG):
            raise OutputError(f"{self._store.url} has lost its {CONFIG} since the watch began")

    def look(self) -> tuple[Look, list[RangeSpec]]:
        """Look once; gives what was found, and all ranges that are to do by now. Raises OutputError."""
        self.check_output()
        look = self._look_out.look(self._ledger.known)
        for archive, size in find_sizes(look.ready, self._reading).items():
            if size >= 0 or archive.startswith(HTTP_SCHEMES):  # else it is not to be reached: perhaps at the next look
                self._ledger.add(archive, size)
        # What grew after it was taken would otherwise be missing until a restart, with a report that says all is well.
        for archive, size in find_sizes(filter(is_local, look.again), self._reading).items():
            if size >= 0:
                self._ledger.compare(archive, size)
        self._take_retries()
        return look, self._ledger.list_to_do()

    def _take_retries(self) -> None:
        """Let ranges be tried again whose time has come; an archive that was unreadable may be another one by now."""
        due = self._ledger.take_retries(time.monotonic())
        unread = self._ledger.find_unread({manifest["warc"] for manifest in due.values()})
        for archive, size in find_sizes(unread, self._reading).items():
            if size not in {-1, unread[archive]}:
                log.info("%s, of which nothing could be read, has changed, and is taken anew", archive)
                due |= self._ledger.forget(archive)
        for name, manifest in due.items():
            forget_range(self._store, name, manifest)

    @property
    def is_news(self) -> bool:
        """Tell whether archives have changed of which no report tells."""
        return len(self._ledger.changed) != self._told

    def run_round(self, to_do: Sequence[RangeSpec]) -> None:
        """Extract; whatever happens, what was done is reckoned. Raises what the runner raises."""
        self._rounds += 1
        began = time.monotonic()
        try:
            with (
                tempfile.TemporaryDirectory(prefix="danubia-") as marks,
                self._stop.told_to(marks),
                show_progress(Progress(self._store, to_do, marks), sys.stderr),
            ):
                self._run_beam(to_do, self._options, self._settings, marks)
        finally:
            self._seconds += time.monotonic() - began
            found = read_manifests(self._store, skip=self._ledger.names)
            self._ledger.record(found, time.monotonic())
            rows, failures = count_rows(found.values())
            log.info(
                "round %d: %d of %d ranges done, %d rows, %d failures, in %.1f s",
                self._rounds, len(found), len(to_do), rows, failures, time.monotonic() - began,
            )  # fmt: skip

    def write_report(self, waiting: int) -> dict[str, Any]:
        """Write the reckoning of all that the output holds; gives the report."""
        report = self._ledger.reckon(self._options, self._seconds)
        written = datetime.now(UTC).isoformat(timespec="seconds")
        report["watch"] = {"rounds": self._rounds, "still_written": waiting, "written": written}
        self._store.write_json(REPORT, report)
        self._told = len(self._ledger.changed)
        return report


def run_watch(options: RunOptions, watch: WatchOptions, settings: PipelineOptions, run_beam: RunBeam) -> int:
    """Watch until a signal comes; gives the exit status, 0 when nothing is amiss but ranges that are left to do."""
    stop = Stop()
    with handled_signals(stop.answer):
        task = Watch(options, watch, settings, run_beam, stop)
        log.info("watching; output in %s", options.output)
        failed_rounds = 0
        report: dict[str, Any] | None = None
        while not stop.is_asked():
            pause = watch.interval
            try:
                look, to_do = task.look()
                if to_do and not stop.is_asked():
                    task.run_round(to_do)
                if to_do or report is None or task.is_news:
                    report = task.write_report(look.waiting)
                pause = min(pause, watch.settle) if look.waiting else pause
                failed_rounds = 0
            except OutputError as error:
                log.error("the watch ends: %s", error)
                return FAILED
            except WorkerError as error:
                log.error("the watch ends: %s: give the same command again to go on", error)
                break  # the other workers wait for a runner that is gone, and end with this process
            except round_errors() as error:
                failed_rounds += 1
                log.error("the round stopped: %s", tell_error(error), exc_info=options.verbose)
                if failed_rounds >= MOST_FAILED_ROUNDS:
                    break
            stop.wait(pause)
        status = end_watch(task)
        return status if stop.is_asked() else FAILED


def round_errors() -> tuple[type[BaseException], ...]:
    """Give what a look or a round may raise, after which another may go well."""
    return (*RUN_ERRORS, *store_errors())


def end_watch(task: Watch) -> int:
    """Write and show the last report; gives the exit status."""
    try:
        task.check_output()
        report = task.write_report(0)
    except round_errors() as error:
        log.error("the report cannot be written: %s", tell_error(error))
        return FAILED
    return show_report(report)


def show_report(report: dict[str, Any]) -> int:
    """Show the report of a watch that ends; gives the exit status, in which ranges that are left do not count."""
    show_text(format_report(report))
    for problem in report["problems"]:
        log.warning("%s", problem)
    left = report["ranges"]["missing"]
    whole = {**report, "ranges": {**report["ranges"], "missing": 0}, "closes": True} if left else report
    is_changed = len(report["problems"]) > len(find_problems(report))
    return FAILED if find_problems(whole) or is_changed else SUCCESS
