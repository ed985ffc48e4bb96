"""The job's graphs: planned ranges, or archives as they appear; what follows is the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apache_beam as beam

from pipelines.flink_options import make_flink_ticks
from pipelines.options import RunOptions, is_flink
from pipelines.plan_run import read_options
from pipelines.watch_options import WatchOptions
from transforms.extract_pages import ExtractPages
from transforms.pages import RangeSpec
from transforms.pass_over_done import PassOverDone
from transforms.read_warcs import ReadWarcs
from transforms.stop_taking import StopTaking
from transforms.watch_archives import ReadNotifications, TakeNew, WatchArchives
from transforms.write_rows import WriteRows


def build_pipeline(pipeline: beam.Pipeline, ranges: Sequence[RangeSpec], options: RunOptions, marks: str = "") -> Any:
    """Wire the job: tiny ranges are spread over the workers, then a range's pages stay on one worker up to its files.

    Gives the manifests of the ranges. `marks` is a folder for the progress marks of workers on this machine.
    """
    spread = (
        pipeline
        | "Plan" >> beam.Create(ranges, reshuffle=False)
        | "Spread" >> beam.Reshuffle()
        | "StopTaking" >> StopTaking(marks)
    )
    return extract_ranges(spread, options, marks)


def build_stream(pipeline: beam.Pipeline, options: RunOptions, watch: WatchOptions) -> Any:
    """Wire the job that does not end, for runners that stream: archives are planned as they appear or are told of."""
    reading = read_options(options)
    if watch.topic:
        archives = pipeline | "ReadNotifications" >> ReadNotifications(watch.topic, options.inputs)
    else:
        archives = pipeline | "WatchArchives" >> WatchArchives(
            options.inputs,
            prefix=options.prefix,
            interval=watch.interval,
            settle_seconds=watch.settle,
            options=reading,
            ticks=make_flink_ticks(watch.interval) if is_flink(pipeline.options) else None,
        )
    return extract_ranges(archives | "TakeNew" >> TakeNew(options.output, reading), options)


def extract_ranges(ranges: beam.PCollection[RangeSpec], options: RunOptions, marks: str = "") -> Any:
    """Wire what follows the plan; gives the manifests of the ranges."""
    return (
        ranges
        | "PassOverDone" >> PassOverDone(options.output)
        | "ReadWarcs" >> ReadWarcs(options=read_options(options))
        | "ExtractPages"
        >> ExtractPages(
            options.extract,
            columns=options.columns,
            page_timeout=options.page_timeout,
            page_memory=options.page_memory,
            extractor=options.extractor,
        )
        | "WriteRows"
        >> WriteRows(
            options.output,
            columns=options.columns,
            row_group_bytes=options.row_group_bytes,
            row_group_rows=options.row_group_rows,
            config=options.config(),
            progress=marks,
        )
    )
