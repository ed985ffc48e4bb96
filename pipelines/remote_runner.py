"""Runners whose workers are not this process's own: await the job, cancel it with this process, end what served it."""

from __future__ import annotations

import atexit
import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import apache_beam as beam
import grpc
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineResult

from pipelines.flink_jobs import cancel_jobs, name_job

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
EXIT_SECONDS: Final = 20
SERVED: Final = threading.Event()  # once a runner may have started services beside a job

log = logging.getLogger("danubia")


class Interrupted(BaseException):
    """A signal asked this process to end."""


def run_remote(pipeline: beam.Pipeline, settings: PipelineOptions) -> None:
    """Submit the pipeline and wait for its end. Raises what the runner raises, Interrupted after a cancelled job.

    A job that went on without its command would be in the way of the next run, which writes to the same place.
    """
    SERVED.set()
    flink_job = name_job(settings)  # before the runner changes the settings
    with raised_signals():
        result = pipeline.run()
        with raised_signals():  # once more, for the runner took them over
            try:
                result.wait_until_finish()
            except Interrupted:
                hush_connections()
                cancel_job(result, *flink_job)
                raise


def cancel_job(result: PipelineResult, flink: str, name: str) -> None:
    """Ask the runner to end the job, and Flink itself where the job runs there; when one does not answer, say so."""
    try:
        if flink:
            cancel_jobs(flink, name)
        result.cancel()
    except (grpc.RpcError, RuntimeError, OSError, NotImplementedError) as error:
        log.error("the job could not be cancelled, and may go on: %s", error)


def hush_connections() -> None:
    """From now on, let threads that lose their connection to the runner end without a word: this process ends them."""
    hook = threading.excepthook

    def tell_others(arguments: threading.ExceptHookArgs) -> None:
        if not issubclass(arguments.exc_type, grpc.RpcError):
            hook(arguments)

    threading.excepthook = tell_others


@contextmanager
def raised_signals() -> Iterator[None]:
    """Within the block, Ctrl-C and SIGTERM raise Interrupted, whatever the runner did with them."""

    def interrupt(*_: Any) -> NoReturn:
        raise Interrupted

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, interrupt) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_services() -> None:
    """Stop what Beam started beside a job and means to stop at exit: Flink's job server, Prism.

    For a process that ends without the interpreter's own winding up, which would wait for the runner's threads.
    """
    if SERVED.is_set():
        thread = threading.Thread(target=atexit._run_exitfuncs, name="end_services", daemon=True)
        thread.start()
        thread.join(EXIT_SECONDS)
