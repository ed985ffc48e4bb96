"""A streaming job on Dataflow: it is drained, by a signal or by others, and that is a good end."""

from __future__ import annotations

import logging
import time

import apache_beam as beam
from apache_beam.runners.runner import PipelineResult, PipelineState

from pipelines.remote_runner import Interrupted

LOOK_SECONDS = 5.0  # from one look at a draining job to the next

log = logging.getLogger("danubia")


def wait_or_drain(pipeline: beam.Pipeline, result: PipelineResult) -> None:
    """Wait for the job's end, which the first signal brings about by draining it; the second raises Interrupted.

    Messages of a subscription are acknowledged when their ranges are dealt out, so a job that is cancelled loses them
    with the ranges that it had not done yet. Raises what `submission_errors` names when the job fails.
    """
    from apache_beam.runners.dataflow.dataflow_runner import DataflowRuntimeException

    try:
        result.wait_until_finish()
    except Interrupted:
        pipeline.runner.dataflow_client.modify_job_state(result.job_id(), "JOB_STATE_DRAINING")
        log.info("draining: the ranges that the job has taken in go to their ends; a second signal cancels it")
        state = await_terminal(result)
        if state != PipelineState.DRAINED:
            raise DataflowRuntimeException(f"the job was to drain, and ended as {state}", result) from None
    except (AssertionError, DataflowRuntimeException):
        # What Beam makes of a job that others drain, or have drained.
        if await_terminal(result) != PipelineState.DRAINED:
            raise


def await_terminal(result: PipelineResult) -> str:
    """Wait until the job has ended; gives its state."""
    while not PipelineState.is_terminal(result.state):
        time.sleep(LOOK_SECONDS)
    return str(result.state)
