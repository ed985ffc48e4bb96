"""Extractors that the runs of the tests call by module and function."""

from __future__ import annotations

from danubia_core import extract


def run_well(html: bytes, url: str | None) -> tuple[str, str]:
    found = extract(html, url=url)
    return found.text, found.markdown


def run_half(html: bytes, url: str | None) -> str:
    text = extract(html, url=url).text
    return text[: len(text) // 2]


def run_badly(html: bytes, url: str | None) -> str:
    raise RuntimeError("no idea")


def run_for_ever(html: bytes, url: str | None) -> str:
    while html:
        pass
    return ""
