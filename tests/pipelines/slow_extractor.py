"""An extractor for the tests that takes its time, so that a run can be killed in the middle."""

from __future__ import annotations

import time
from typing import Any

from danubia_core import extract


def extract_slowly(html: bytes, **arguments: Any) -> Any:
    """Extract, after a twentieth of a second."""
    time.sleep(0.05)
    return extract(html, **arguments)
