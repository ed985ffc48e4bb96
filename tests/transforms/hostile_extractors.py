"""Extractors for the tests: they hang, crash, raise or eat memory at pages that ask for it."""

from __future__ import annotations

import os
import time
from typing import Any

from danubia_core import extract


def obey(html: bytes, **arguments: Any) -> Any:
    """Do as the page says, or else extract it."""
    if b"HANG" in html:
        time.sleep(600)
    if b"LOOP" in html:
        while True:
            pass
    if b"CRASH" in html:
        os.abort()
    if b"LEAVE" in html:
        os._exit(3)
    if b"MEMORY" in html:
        return len(b"x" * (8 << 30))
    if b"RAISE" in html:
        raise ValueError("the page\nasked for it")
    if b"PRINT" in html:
        os.write(1, b"\0" * 100_000)
    if b"SURROGATE" in html:
        extraction = extract(html.decode(), **arguments)
        extraction.metadata.title = "a\ud800"
        return extraction
    return extract(html, **arguments)


def grow(html: bytes, *, held: list[bytes] = [], **arguments: Any) -> Any:  # noqa: B006 - the leak is meant
    """Extract, and leak 4 MB a page."""
    held.append(b"x" * (4 << 20))
    return extract(html, **arguments)


def name_process(html: bytes, **arguments: Any) -> Any:
    """Extract, and give the process as the title."""
    extraction = extract(html, **arguments)
    extraction.metadata.title = str(os.getpid())
    return extraction
