"""Which errors of a store may pass, and how long to wait before the next attempt."""

from __future__ import annotations

import asyncio
import errno
import random
import sys
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar

from aiohttp import ClientError
from fsspec.exceptions import FSTimeoutError

from transforms.read_options import ReadOptions

Result = TypeVar("Result")

STORE_ERRORS: Final[tuple[type[BaseException], ...]] = (
    OSError, ValueError, ImportError, asyncio.TimeoutError, FSTimeoutError, ClientError,
)  # fmt: skip
# What the stores' own libraries raise, once they are loaded: neither is OSError.
FOREIGN_ERRORS: Final = (
    ("botocore.exceptions", "BotoCoreError"),
    ("botocore.exceptions", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
)
FINAL_ERRORS: Final = (
    FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ValueError, ImportError,
)  # fmt: skip
FINAL_NUMBERS: Final = frozenset({errno.ELOOP, errno.ENAMETOOLONG})  # of an OSError
FINAL_NAMES: Final = frozenset({"NoCredentialsError", "DefaultCredentialsError", "RefreshError"})
# 403 too: Common Crawl's servers answer it for a while to those who ask too often.
RETRIED_STATUSES: Final = frozenset({403, 408, 425, 429, 500, 502, 503, 504})
LONGEST_PAUSE: Final = 20.0


class StoreError(Exception):
    """A file could not be read at `offset`; the message names it in one line, `error` is the cause's class name.

    `may_pass` tells whether the same read may work another time.
    """

    def __init__(self, url: str, cause: BaseException, offset: int = 0) -> None:
        """Describe `cause` for the file at `url`."""
        text = " ".join(str(cause).split()) or "no details"
        super().__init__(f"cannot read {url}: {type(cause).__name__}: {text[:300]}")
        self.error = type(cause).__name__
        self.may_pass = is_worth_retrying(cause)
        self.offset = offset


def store_errors() -> tuple[type[BaseException], ...]:
    """Give the classes of what a store may raise; `except` asks for them only when something was raised."""
    loaded = [(sys.modules[module], name) for module, name in FOREIGN_ERRORS if module in sys.modules]
    return (*STORE_ERRORS, *(getattr(module, name) for module, name in loaded))


def call_with_retries(
    call: Callable[[], Result], options: ReadOptions, *, pauses: Callable[[BaseException], bool] = lambda _: True
) -> Result:
    """Call until it works, `attempts` times within `retry_seconds` at most, with exponential back-off and jitter.

    A server's Retry-After is obeyed. `pauses` is asked after each failure whether to wait before the next attempt.
    Raises what the last attempt raised; what is not a store's error, at once.
    """
    deadline = time.monotonic() + options.retry_seconds
    for attempt in range(1, options.attempts + 1):
        try:
            return call()
        except store_errors() as raised:
            error = find_cause(raised)
            if not pauses(error):
                continue
            pause = choose_pause(error, attempt)
            last = attempt == options.attempts or time.monotonic() + pause > deadline
            if last or not is_worth_retrying(error):
                if error is raised:
                    raise
                raise error from raised
            time.sleep(pause)
    message = "no attempt left"
    raise TimeoutError(message)


def find_cause(error: BaseException) -> BaseException:
    """Give what lies behind a FileNotFoundError by which fsspec tells any failure to ask a web server for a size."""
    cause = error.__cause__
    return cause if isinstance(error, FileNotFoundError) and isinstance(cause, store_errors()) else error


def choose_pause(error: BaseException, attempt: int) -> float:
    """Give the seconds to wait after the attempt-th failure, at least what the server asks for.

    >>> 0.25 <= choose_pause(ConnectionResetError(), 1) <= 0.75
    True
    """
    pause = min(LONGEST_PAUSE, 0.5 * 2 ** (attempt - 1)) * (0.5 + random.random())
    asked = read_retry_after(error)
    return asked + pause if asked else pause


def read_retry_after(error: BaseException) -> float:
    """Give the seconds that a server's Retry-After header names (a number or a date), 0 for none."""
    headers: Any = getattr(error, "headers", None) or {}
    value = str(headers.get("Retry-After", "")).strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0


def is_worth_retrying(error: BaseException) -> bool:
    """Tell whether the same read may work later: not for a missing file or a circle of links, nor without credentials.

    >>> is_worth_retrying(FileNotFoundError("gone")), is_worth_retrying(ConnectionResetError())
    (False, True)
    """
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return status in RETRIED_STATUSES
    if isinstance(error, OSError) and error.errno in FINAL_NUMBERS:
        return False
    return not isinstance(error, FINAL_ERRORS) and type(error).__name__ not in FINAL_NAMES
