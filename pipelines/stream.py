"""--watch elsewhere: one job that streams, on a runner that keeps checkpoints."""

from __future__ import annotations

import logging
import sys
from typing import Final

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions

from pipelines.build_pipeline import build_stream
from pipelines.ledger import Ledger
from pipelines.option_parser import UsageError
from pipelines.options import RunOptions, runner_name
from pipelines.plan_run import open_output
from pipelines.remote_runner import Interrupted, run_remote
from pipelines.report import format_report
from pipelines.watch import FAILED, RUN_ERRORS, SUCCESS, tell_error
from pipelines.watch_options import WatchOptions
from transforms.manifests import REPORT, read_manifests
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
    if watch.topic and runner == "FnApiRunner":
        raise UsageError("--watch-topic takes a runner that reads Pub/Sub: --runner=DataflowRunner")


def run_stream(options: RunOptions, watch: WatchOptions, settings: PipelineOptions) -> int:
    """Submit the job and stay with it until a signal cancels it; gives the exit status, 0 when nothing is amiss."""
    open_output(options, Store(options.output))
    settings.view_as(StandardOptions).streaming = True
    pipeline = beam.Pipeline(options=settings)
    build_stream(pipeline, options, watch)
    try:
        run_remote(pipeline, pipeline.options)
    except RUN_ERRORS as error:
        log.error("the job stopped: %s", tell_error(error), exc_info=options.verbose)
        report_stream(options)
        return FAILED
    except Interrupted:
        log.info("the job is cancelled: give the same command again to go on")
    return report_stream(options)


def report_stream(options: RunOptions) -> int:
    """Write and show the reckoning of what is done by now; gives the exit status."""
    store = Store(options.output)
    report = Ledger(read_manifests(store), options.range_bytes).reckon(options, 0)
    store.write_json(REPORT, report)
    sys.stdout.write(format_report(report))
    for problem in report["problems"]:
        log.error("%s", problem)
    return SUCCESS if report["ok"] else FAILED
