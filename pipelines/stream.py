"""--watch elsewhere: one job that streams, on a runner that keeps checkpoints."""

from __future__ import annotations

import logging
import time
from typing import Final

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions

from pipelines.build_pipeline import build_stream
from pipelines.dataflow import is_dataflow, is_only_described, submission_errors
from pipelines.dataflow_stream import wait_or_drain
from pipelines.endings import FAILED, RUN_ERRORS, SUCCESS, tell_error
from pipelines.ledger import Ledger
from pipelines.option_parser import UsageError
from pipelines.options import RunOptions, runner_name
from pipelines.plan_run import find_output, open_output
from pipelines.remote_runner import Cancelled, Interrupted, run_remote, wait_until_finish
from pipelines.watch import show_report
from pipelines.watch_options import WatchOptions
from transforms.manifests import REPORT, clear_leftovers, read_manifests
from transforms.stores import Store

UNFIT_RUNNERS: Final = ("DirectRunner", "BundleBasedDirectRunner", "SwitchingDirectRunner")

log = logging.getLogger("danubia")


def check_stream(watch: WatchOptions, settings: PipelineOptions) -> None:
    """Raise UsageError for runners that cannot do what is asked."""
    runner = runner_name(settings)
    if runner in UNFIT_RUNNERS:
        raise UsageError(
            f"--watch with --runner={runner}: it gives nothing out while a stream runs; leave --runner away"
        )
    if watch.topic and not is_dataflow(settings):
        raise UsageError("--watch-topic takes a runner that reads Pub/Sub: --runner=DataflowRunner")


def run_stream(options: RunOptions, watch: WatchOptions, settings: PipelineOptions) -> int:
    """Submit the job and stay with it until a signal ends it; gives the exit status, 0 when nothing is amiss.

    Dataflow drains: what was taken in is done. Elsewhere the job is cancelled, for its look-out finds all of it again.
    """
    began = time.monotonic()
    store = find_output(options)
    ledger = Ledger(open_output(options, store), options.range_bytes)
    clear_leftovers(store)
    settings.view_as(StandardOptions).streaming = True
    pipeline = beam.Pipeline(options=settings)
    build_stream(pipeline, options, watch)
    log.info("watching, as a stream on %s; output in %s", runner_name(settings), options.output)
    errors: tuple[type[Exception], ...] = (*RUN_ERRORS, *submission_errors(settings))
    status = SUCCESS
    try:
        run_remote(pipeline, pipeline.options, wait_or_drain if is_dataflow(settings) else wait_until_finish)
        if is_only_described(settings):
            log.info("described, not run")
            return SUCCESS
    except errors as error:
        log.error("the job stopped: %s", tell_error(error), exc_info=options.verbose)
        status = FAILED
    except Interrupted as end:
        log.info("%s: give the same command again to go on", end)
        status = SUCCESS if isinstance(end, Cancelled) else FAILED
    return max(status, report_stream(options, store, ledger, time.monotonic() - began))


def report_stream(options: RunOptions, store: Store, ledger: Ledger, seconds: float) -> int:
    """Write and show the reckoning of what is done by now; gives the exit status.

    It tells of all archives of which something is done, so that what is left of them shows.
    """
    found = read_manifests(store, skip=ledger.names)
    known = (*ledger.before.values(), *found.values())
    for archive, size in {manifest["warc"]: manifest["size"] for manifest in known}.items():
        ledger.add(archive, size)
    ledger.record(found, time.monotonic())
    report = ledger.reckon(options, seconds)
    store.write_json(REPORT, report)
    return show_report(report)
