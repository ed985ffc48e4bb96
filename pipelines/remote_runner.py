"""Runners whose workers are not this process's own: await the job, cancel it with this process, end what served it."""

from __future__ import annotations

import atexit
import io
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, NoReturn, TextIO

import apache_beam as beam
import grpc
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.job_server import StopOnExitJobServer
from apache_beam.runners.runner import PipelineResult

from pipelines.dataflow import submission_errors
from pipelines.endings import BY_SIGNAL, RUN_ERRORS, handled_signals, tell_error
from pipelines.flink_jobs import cancel_jobs, name_job
from pipelines.options import runner_name

EXIT_SECONDS: Final = 20
CANCEL_SECONDS: Final = 60
ANSWER_SECONDS: Final = 60  # in which what waits for the job hears of a signal
GOES_ON: Final = "the job may go on"
JOB_ERRORS: Final = (grpc.RpcError, *RUN_ERRORS)  # NotImplementedError is a RuntimeError
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
    late = threading.Timer(ANSWER_SECONDS, end_late)
    late.daemon = True
    is_answered = await_end is not wait_until_finish
    asked = threading.Event()
    result: PipelineResult | None = None
    with raised_signals(None if is_answered else late):
        try:
            result = submit(pipeline, asked)
            if asked.is_set():
                raise Interrupted(GOES_ON)
            await_end(pipeline, result)
        except Interrupted:
            late.cancel()
            hush_runner()
            if result is None:
                raise
            if cancel_job(result, settings, *flink_job):
                raise Cancelled("the job is cancelled") from None
            raise Interrupted(GOES_ON) from None


def submit(pipeline: beam.Pipeline, asked: threading.Event) -> PipelineResult:
    """Submit the pipeline; gives what the runner gives, and sets `asked` when a signal came meanwhile.

    A signal waits, for only a job that is known can be cancelled. A second one does not. Raises Interrupted then.
    """

    def answer(*_: Any) -> None:
        if asked.is_set():
            raise Interrupted("the job may have been submitted")
        asked.set()
        hush_runner()
        log.info("the job is being submitted, and is cancelled then; a second signal ends this command at once")

    # Beam's own, which it installs meanwhile, winds its job server up amid whatever holds gRPC's locks, and may hang.
    StopOnExitJobServer._sigint_handler = staticmethod(answer)
    try:
        with handled_signals(answer):
            return pipeline.run()
    except JOB_ERRORS:  # Ctrl-C ends Flink's job server and Prism at once
        if asked.is_set():
            raise Interrupted("the job may have been submitted") from None
        raise


def cancel_job(result: PipelineResult, settings: PipelineOptions, flink: str, name: str) -> bool:
    """Have the job ended; gives whether it will be. On Flink itself, where Beam hands no cancellation on."""
    errors = (*JOB_ERRORS, *submission_errors(settings))
    try:
        if flink:
            cancel_jobs(flink, name)
            with suppress(*errors):
                call_within(CANCEL_SECONDS, result.cancel)  # so that a job server, where there is one, hears of it too
        else:
            call_within(CANCEL_SECONDS, result.cancel)
    except errors as error:
        if runner_name(settings) == "PrismRunner":  # it is gone before the job, by Ctrl-C, or ends with this process
            return True
        log.error("the job could not be cancelled: %s", tell_error(error))
        return False
    return True


def call_within(seconds: float, call: Callable[[], object]) -> None:
    """Call something that may never come back. Raises what it raises, and TimeoutError after `seconds`."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - raised again below
            raised.append(error)

    thread = threading.Thread(target=run, name="call_within", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"no answer within {seconds:g} s")
    if raised:
        raise raised[0]


def end_late() -> None:
    """End this process, whose runner does not let go of the thread that a signal was to stop."""
    log.error("interrupted, %s: give the same command again to go on", GOES_ON)
    end_services()
    os._exit(BY_SIGNAL + signal.SIGINT)


def hush_runner() -> None:
    """From now on, let the runner's threads lose connections and give work up without a word: this process ends them.

    Beam logs what a worker in this process raises then, and prints it besides.
    """
    if isinstance(sys.stderr, MainThreadOnly):
        return
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


def raised_signals(late: threading.Timer | None) -> AbstractContextManager[None]:
    """Within the block, Ctrl-C and SIGTERM raise Interrupted, whatever the runner did with them.

    Where that is the end of the job, `late` is a timer to start: for the runner may catch what is raised.
    """

    def interrupt(*_: Any) -> NoReturn:
        if late is not None:
            hush_runner()
            with suppress(RuntimeError):  # it was started by an earlier signal
                late.start()
        raise Interrupted(GOES_ON)  # unless what catches it does something about that

    return handled_signals(interrupt)


def end_services() -> None:
    """Stop what Beam started beside a job and means to stop at exit: Flink's job server, Prism.

    For a process that ends without the interpreter's own winding up, which would wait for the runner's threads.
    """
    if SERVED.is_set():
        hush_runner()
        thread = threading.Thread(target=atexit._run_exitfuncs, name="end_services", daemon=True)
        thread.start()
        thread.join(EXIT_SECONDS)
