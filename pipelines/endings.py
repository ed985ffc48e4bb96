"""How commands end: their exit statuses, the signals that they answer, and errors told in one line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SUCCESS: Final = 0
FAILED: Final = 1
UNUSABLE: Final = 2
BY_SIGNAL: Final = 128  # plus the signal's number
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
RUN_ERRORS: Final = (RuntimeError, OSError, ValueError)  # as runners report what went wrong in a worker


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


def tell_error(error: BaseException) -> str:
    """Give an error's last line, which in a worker's is the error itself."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__
