"""How commands end: their exit statuses, the signals that they answer, what they show, and errors told in one line."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SUCCESS: Final = 0
FAILED: Final = 1
UNUSABLE: Final = 2
BY_SIGNAL: Final = 128  # plus the signal's number
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
RUN_ERRORS: Final = (RuntimeError, OSError, ValueError)  # as runners report what went wrong in a worker

log = logging.getLogger("danubia")


@contextmanager
def handled_signals(handler: Callable[..., None]) -> Iterator[None]:
    """Within the block, `handler` answers Ctrl-C and SIGTERM, if this is the thread that gets them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def ignore_signals() -> None:
    """From now on, this process, which is ending, answers no Ctrl-C and no SIGTERM."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def open_streams() -> None:
    """Put /dev/null where standard output or error is closed: its number would go to the next file that is opened."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as this process
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as above


def show_text(text: str) -> None:
    """Write to standard output, whoever reads it: what was done stays done when a pipe is closed or a disk full."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        if not isinstance(error, BrokenPipeError):
            log.warning("cannot write to standard output: %s", tell_error(error))


def tell_error(error: BaseException) -> str:
    """Give an error's last line, which in a worker's is the error itself."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__
