"""FnApiRunner on this machine: our own worker processes, and an end to the run when one of them is gone."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Final

import grpc
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from pipelines.local_worker import COMMAND
from pipelines.options import takes_processes

WATCHER: Final = "run_worker"  # Beam's name for the threads that each wait for one worker process


class WorkerError(RuntimeError):
    """A worker process ended in the middle of the run; the message is one line."""


def make_runner(settings: PipelineOptions) -> FnApiRunner:
    """Give the runner, with worker processes when the options ask for several; changes `settings` accordingly."""
    environment = SubprocessSDKEnvironment.from_command_string(COMMAND) if takes_processes(settings) else None
    # Its own multi-processing mode would put Beam's worker in the place of ours.
    settings.view_as(DirectOptions).direct_running_mode = "in_memory"
    return FnApiRunner(default_environment=environment)


def run_watched(run: Callable[[], None]) -> None:
    """Carry out `run` in a thread of its own, and raise here what it raises, or WorkerError once a worker is gone.

    FnApiRunner itself would wait for ever: the thread that sees the worker's end raises where nobody catches.
    """
    ends: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    hook = threading.excepthook

    def tell_end(arguments: threading.ExceptHookArgs) -> None:
        if arguments.thread is not None and arguments.thread.name == WATCHER:
            ends.put(WorkerError(f"a worker process is gone: {arguments.exc_value}"))
        elif not issubclass(arguments.exc_type, grpc.RpcError):  # connections break when a worker ends: no news
            hook(arguments)

    def carry_out() -> None:
        try:
            run()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            ends.put(error)
        else:
            ends.put(None)

    threading.excepthook = tell_end
    threading.Thread(target=carry_out, name="run", daemon=True).start()
    error = ends.get()
    if not isinstance(error, WorkerError):  # after one, more connections break while the run is wound up
        threading.excepthook = hook
    if error is not None:
        raise error
