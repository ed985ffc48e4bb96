"""Danubia as a function that scoring scripts can call: (bytes, url) → (text, markdown)."""

from __future__ import annotations

from danubia_core import extract


def run(html: bytes, url: str | None) -> tuple[str, str]:
    """Return the text and the markdown of a page."""
    extraction = extract(html, url=url)
    return extraction.text, extraction.markdown
