"""The main job: web archives in, Parquet rows of their pages' main content out.

usage: python -m pipelines.extract [--watch] --input PATTERN… --output DIR [options] [Beam options]
"""

from __future__ import annotations

import functools
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NoReturn

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.build_pipeline import build_pipeline
from pipelines.dataflow import check_job, is_only_described, submission_errors
from pipelines.endings import (
    BY_SIGNAL,
    FAILED,
    RUN_ERRORS,
    SUCCESS,
    UNUSABLE,
    handled_signals,
    ignore_signals,
    open_streams,
    show_text,
    tell_error,
)
from pipelines.local_runner import make_runner, run_watched
from pipelines.option_parser import UsageError
from pipelines.options import (
    RunOptions,
    beam_options,
    is_local,
    parse_options,
    runner_name,
    takes_processes,
)
from pipelines.plan_run import find_output, plan_run, read_options
from pipelines.progress import Progress, show_progress
from pipelines.remote_runner import Interrupted, end_services, run_remote
from pipelines.report import Run, build_report, count_ranges, format_report
from pipelines.stream import check_stream, run_stream
from pipelines.watch import run_watch
from pipelines.watch_options import WatchOptions
from transforms.index_filters import FilterError
from transforms.inputs import InputError
from transforms.manifests import (
    REPORT,
    OutputError,
    clear_leftovers,
    clear_plan,
    manifest_name,
    read_manifests,
    split_plan,
)
from transforms.pages import RangeSpec
from transforms.read_index import IndexFileError
from transforms.retries import store_errors
from transforms.sources import find_store
from transforms.stores import Store

INTERRUPTED: Final = BY_SIGNAL + signal.SIGINT
MANY_RANGES: Final = 300_000
UNUSABLE_ERRORS: Final = (UsageError, InputError, OutputError, IndexFileError, FilterError)

log = logging.getLogger("danubia")


def run_beam(ranges: Sequence[RangeSpec], options: RunOptions, beam_settings: PipelineOptions, marks: str) -> None:
    """Run the pipeline to its end, on FnApiRunner when no runner is named. Raises what the runner raises."""
    is_own = runner_name(beam_settings) == "FnApiRunner"
    pipeline = beam.Pipeline(runner=make_runner(beam_settings) if is_own else None, options=beam_settings)
    build_pipeline(pipeline, ranges, options, marks)
    if is_own:
        run_watched(lambda: pipeline.run().wait_until_finish())
    else:
        run_remote(pipeline, pipeline.options)


def run_extract(options: RunOptions) -> int:
    """Carry out one run: plan, extract what is not done yet, reckon, report. Gives the exit status."""
    settings = beam_options(options)
    check_settings(options, settings)
    began = time.monotonic()
    store = find_output(options)
    plan, to_do, done = plan_run(options, store)
    done_ranges = count_ranges(done)
    log.info("%d ranges, of which %d are done; output in %s", done_ranges + len(to_do), done_ranges, options.output)
    if len(plan) > MANY_RANGES:
        log.warning("%d ranges make as many files, and planning slow: a larger --range-bytes makes fewer", len(plan))
    status = SUCCESS
    if to_do:
        with tempfile.TemporaryDirectory(prefix="danubia-") as marks:
            progress = Progress(store, plan, marks)
            with show_progress(progress, sys.stderr):
                status = guard_run(to_do, options, settings, marks if is_local(settings) else "")
            if status == SUCCESS and is_only_described(settings):
                log.info("described, not run: once it has run, the same command without --runner gives the reckoning")
                return SUCCESS
    try:
        finished = find_finished(store, plan, to_do, is_over=is_local(settings))
        run = Run(options.output, plan, done, finished, time.monotonic() - began, options.max_failure_rate)
        report = build_report(run)
        show_text(format_report(report))
        for problem in report["problems"]:
            log.error("%s", problem)
        store.write_json(REPORT, report)
    except store_errors() as error:
        log.error("the report cannot be written: %s", tell_error(error))
        return status or FAILED
    return status or (SUCCESS if report["ok"] else FAILED)


def find_finished(
    store: Store, plan: Sequence[RangeSpec], to_do: Sequence[RangeSpec], *, is_over: bool
) -> list[dict[str, Any]]:
    """Give the manifests of the ranges that this run has done, and clean up; `is_over`: no job goes on elsewhere."""
    found = read_manifests(store, skip={manifest_name(spec) for spec in plan} - {manifest_name(spec) for spec in to_do})
    _, finished = split_plan(to_do, found)
    is_complete = len(finished) == len(to_do)
    if is_complete or is_over:  # else a job may go on in which ranges are to be read by these lists
        clear_plan(store)
    if is_complete:
        # Now that nothing is under way any more: a job that outlived its command may have been until here.
        clear_leftovers(store)
    return finished


def watch(options: RunOptions, how: WatchOptions) -> int:
    """Extract what appears until a signal comes: round by round on this machine, elsewhere as a stream."""
    settings = beam_options(options)
    check_settings(options, settings)
    for pattern in options.inputs:
        try:
            find_store(pattern, read_options(options))
        except (ValueError, ImportError) as error:  # no later look would do better
            raise InputError(f"cannot look up {pattern!r}: {' '.join(str(error).split())[:300]}") from error
    check_stream(how, settings)
    if runner_name(settings) == "FnApiRunner":
        return run_watch(options, how, settings, run_beam)
    return run_stream(options, how, settings)


def guard_run(ranges: Sequence[RangeSpec], options: RunOptions, settings: PipelineOptions, marks: str) -> int:
    """Run the pipeline; what ends it early is logged in one line, for the ranges that are done stay done."""
    errors: tuple[type[Exception], ...] = (*RUN_ERRORS, *submission_errors(settings))
    try:
        with end_on_signals(marks):
            run_beam(ranges, options, settings, marks)
    except errors as error:
        log.error("the run stopped: %s", tell_error(error), exc_info=options.verbose)
        return FAILED
    except Interrupted as end:
        log.error("interrupted, %s: give the same command again to go on", end)
        return INTERRUPTED
    return SUCCESS


def end_on_signals(marks: str = "") -> AbstractContextManager[None]:
    """Within the block, Ctrl-C and SIGTERM end the process; `marks` is a folder to remove then."""
    return handled_signals(functools.partial(end_at_once, marks))


def end_at_once(marks: str, number: int, *_: Any) -> None:
    """Answer a signal: end without winding up the runner, which would await its workers, who end with it."""
    ignore_signals()
    log.error("interrupted: give the same command again to go on")
    if marks:
        shutil.rmtree(marks, ignore_errors=True)
    end_services()
    os._exit(BY_SIGNAL + number)


def check_settings(options: RunOptions, settings: PipelineOptions) -> None:
    """Raise UsageError for an output that the workers could not share, and for paths that mean nothing to them."""
    if options.output.startswith("memory://") and (takes_processes(settings) or not is_local(settings)):
        raise UsageError("--output memory:// lives within one process: it takes one local worker")
    for path in () if is_local(settings) else (options.output, *options.inputs):
        if "://" not in path and not Path(path).is_absolute():
            raise UsageError(f"{path}: workers elsewhere start in other folders; give an absolute path, or a URL")
    check_job(options, settings)


def prepare_workers(*, verbose: bool) -> None:
    """Let local worker processes import what this one imports, also from a source tree that is not installed."""
    paths = [str(Path(entry).absolute()) for entry in sys.path]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
    os.environ["DANUBIA_LOG_LEVEL"] = "INFO" if verbose else "WARNING"


def set_up_logging(*, verbose: bool) -> None:
    """Log to standard error: Danubia from INFO on, libraries from WARNING on."""
    logging.basicConfig(
        format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr, force=True
    )
    logging.getLogger().setLevel(logging.INFO if verbose else logging.WARNING)
    log.setLevel(logging.INFO)
    # It tells at length of the connection to a worker that is gone, which `run_watched` tells in one line.
    logging.getLogger("apache_beam.runners.worker.data_plane").setLevel(logging.CRITICAL)
    # It tells of every step of starting a runner's job server.
    logging.getLogger("apache_beam.utils.subprocess_server").setLevel(logging.ERROR)
    # It warns of options that only a runner's job server knows; those that nobody knows were refused before.
    logging.getLogger("apache_beam.options.pipeline_options").setLevel(logging.ERROR)
    # It warns that several workers need its own multi-processing mode, which `run_beam` does without.
    logging.getLogger("apache_beam.runners.portability.fn_api_runner.fn_runner").setLevel(logging.ERROR)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    open_streams()
    try:
        options = parse_options(sys.argv[1:] if arguments is None else arguments)
        set_up_logging(verbose=options.verbose)
        prepare_workers(verbose=options.verbose)
        with end_on_signals():
            return run_extract(options) if options.watch is None else watch(options, options.watch)
    except UNUSABLE_ERRORS as error:
        sys.stderr.write(f"python -m pipelines.extract: {error}\n")
        return UNUSABLE


def end_process(status: int) -> NoReturn:
    """End at once: after a run that stopped early, the runner's threads would be waited for, and they wait for ever."""
    ignore_signals()
    end_services()
    os._exit(status)


if __name__ == "__main__":
    with end_on_signals():
        end_process(main())
