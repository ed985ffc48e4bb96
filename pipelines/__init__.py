"""Danubia's commands: each wires transforms into a pipeline and reports what it did."""

from __future__ import annotations

import logging


def is_wanted(record: logging.LogRecord) -> bool:
    """Drop what Beam warns of at import when its Google extras are not installed: nothing here needs them."""
    return not str(record.msg).startswith("apitools not found")


logging.getLogger().addFilter(is_wanted)
