"""Danubia's commands: each wires transforms into a pipeline and reports what it did."""

from __future__ import annotations

import logging
import signal
import sys

# While a command loads, which takes seconds, Ctrl-C ends it without a traceback.
if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Beam's, of its Google extras that are not installed, and of the seconds in which a runner's job server starts.
UNWANTED = ("apitools not found", "Waiting for grpc channel")


def is_wanted(record: logging.LogRecord) -> bool:
    """Drop what Beam warns of though nothing is amiss."""
    return not str(record.msg).startswith(UNWANTED)


logging.getLogger().addFilter(is_wanted)
