"""Runners whose workers are not this process's own: await the job, cancel it with this process, end what served it."""

from __future__ import annotations

import atexit
import io
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, NoReturn, TextIO

import apache_beam as beam
import grpc
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineResult

from pipelines.dataflow import submission_errors
from pipelines.endings import handled_signals
from pipelines.flink_jobs import cancel_jobs, name_job

EXIT_SECONDS: Final = 20
GOES_ON: Final = "the job may go on"
CANCEL_ERRORS: Final = (grpc.RpcError, RuntimeError, OSError, NotImplementedError)
SERVED: Final = threading.Event()  # once a runner may have started services beside a job

AwaitEnd = Callable[[beam.Pipeline, PipelineResult], object]

log = logging.getLogger("danubia")


class Interrupted(BaseException):
    """A signal asked this process to end; the message says what became of the job."""


class Cancelled(Interrupted):
    """… and the job was cancelled."""


def wait_until_finish(_: beam.Pipeline, result: PipelineResult) -> object:
    """Wait for the job's end."""
    return result.wait_until_finish()


def run_remote(pipeline: beam.Pipeline, settings: PipelineOptions, await_end: AwaitEnd = wait_until_finish) -> None:
    """Submit the pipeline and wait for its end. Raises what the runner raises, Interrupted when a signal came.

    A job that went on without its command would be in the way of the next run, which writes to the same place. So it is
    cancelled, unless `await_end` answers the signal, which is Interrupted within it, in another way.
    """
    SERVED.set()
    flink_job = name_job(settings)  # before the runner changes the settings
    result, is_asked = submit(pipeline)
    with raised_signals():  # the runner took them over
        try:
            if is_asked:
                raise Interrupted(GOES_ON)
            await_end(pipeline, result)
        except Interrupted:
            hush_runner()
            if cancel_job(result, settings, *flink_job):
                raise Cancelled("the job is cancelled") from None
            raise Interrupted(GOES_ON) from None


def submit(pipeline: beam.Pipeline) -> tuple[PipelineResult, bool]:
    """Submit the pipeline; gives what the runner gives, and whether a signal came meanwhile.

    A signal waits, for only a job that is known can be cancelled. A second one does not. Raises Interrupted then.
    """
    asked = threading.Event()

    def answer(*_: Any) -> None:
        if asked.is_set():
            raise Interrupted("the job may have been submitted")
        asked.set()
        log.info("the job is being submitted, and is cancelled then; a second signal ends this command at once")

    try:
        with handled_signals(answer):
            return pipeline.run(), asked.is_set()
    except grpc.RpcError:  # Ctrl-C ends Flink's job server at once
        if asked.is_set():
            raise Interrupted("the job may have been submitted") from None
        raise


def cancel_job(result: PipelineResult, settings: PipelineOptions, flink: str, name: str) -> bool:
    """Have the job ended; gives whether it will be. On Flink itself, where Beam hands no cancellation on."""
    errors = (*CANCEL_ERRORS, *submission_errors(settings))
    try:
        if flink:
            cancel_jobs(flink, name)
            with suppress(*errors):
                result.cancel()  # so that a job server, where there is one, hears of it too
        else:
            result.cancel()
    except errors as error:
        log.error("the job could not be cancelled: %s", error)
        return False
    return True


def hush_runner() -> None:
    """From now on, let the runner's threads lose connections and give work up without a word: this process ends them.

    Beam logs what a worker in this process raises then, and prints it besides.
    """
    hook = threading.excepthook

    def tell_others(arguments: threading.ExceptHookArgs) -> None:
        if not issubclass(arguments.exc_type, grpc.RpcError):
            hook(arguments)

    threading.excepthook = tell_others
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)
    sys.stderr = MainThreadOnly(sys.stderr)


class MainThreadOnly(io.TextIOBase):
    """A text stream that takes what the main thread writes, and drops the rest."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write on, or not; gives the number of characters that it was asked to write."""
        if threading.current_thread() is threading.main_thread():
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush what was written on."""
        self._stream.flush()


def raised_signals() -> AbstractContextManager[None]:
    """Within the block, Ctrl-C and SIGTERM raise Interrupted, whatever the runner did with them."""

    def interrupt(*_: Any) -> NoReturn:
        raise Interrupted(GOES_ON)  # unless what catches it does something about that

    return handled_signals(interrupt)


def end_services() -> None:
    """Stop what Beam started beside a job and means to stop at exit: Flink's job server, Prism.

    For a process that ends without the interpreter's own winding up, which would wait for the runner's threads.
    """
    if SERVED.is_set():
        thread = threading.Thread(target=atexit._run_exitfuncs, name="end_services", daemon=True)
        thread.start()
        thread.join(EXIT_SECONDS)
