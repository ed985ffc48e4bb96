"""A Beam worker process on this machine, as FnApiRunner starts it for --direct_num_workers.

Beam's own entry point, but quiet, and it ends with the process that started it: a run that is killed leaves no
workers that go on writing.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import time
from typing import Final

CHECK_SECONDS: Final = 0.5
# `exec`, for the runner puts a shell before the command, and the shell would be the worker's parent.
COMMAND: Final = f'exec "{sys.executable}" -m pipelines.local_worker'


def end_with_parent(parent: int) -> None:
    """End this process, whatever it is doing, once `parent` is gone."""
    while os.getppid() == parent:
        time.sleep(CHECK_SECONDS)
    os._exit(1)


def outlives(parent: int) -> bool:
    """Tell whether `parent` is gone, after giving it the moment that it takes to go once its connections are closed."""
    deadline = time.monotonic() + CHECK_SECONDS
    while os.getppid() == parent:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def silence_orphan(parent: int) -> None:
    """Let nothing be told of connections that broke because `parent` is gone: end instead."""

    def end_if_orphan(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR and outlives(parent):
            os._exit(1)
        return True

    def end_if_orphan_thread(arguments: threading.ExceptHookArgs) -> None:
        if outlives(parent):
            os._exit(1)
        threading.__excepthook__(arguments)

    for handler in logging.getLogger().handlers:
        handler.addFilter(end_if_orphan)
    threading.excepthook = end_if_orphan_thread


def set_up_logging(level: str) -> None:
    """Log to standard error, the parent's, from `level` on; nothing is sent over to be logged there once more."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    for handler in logging.getLogger().handlers:
        handler.setLevel(level)
    # It warns of a missing directory that only containers have.
    logging.getLogger("apache_beam.runners.worker.sdk_worker_main").setLevel("ERROR")
    os.environ.pop("LOGGING_API_SERVICE_DESCRIPTOR", None)


def main() -> None:
    """Serve the runner until it or its process ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # they may reach all processes: the first one answers them
    parent = os.getppid()
    threading.Thread(target=end_with_parent, args=(parent,), name="end_with_parent", daemon=True).start()
    level = os.environ.get("DANUBIA_LOG_LEVEL", "WARNING")
    set_up_logging(level)
    silence_orphan(parent)
    options = json.loads(os.environ.get("PIPELINE_OPTIONS") or "{}")
    os.environ["PIPELINE_OPTIONS"] = json.dumps({"default_sdk_harness_log_level": level, **options})
    from apache_beam.runners.worker import sdk_worker_main  # after the logging is set up, for it logs at import

    sdk_worker_main.main(sys.argv)


if __name__ == "__main__":
    main()
