"""The golden pages: where they lie, what is expected of each, and how an expectation is written anew.

A page is a folder of tests/pages with page.toml, expected.md and expected.json. page.toml either holds url,
content_type (the header's value), options and what the text must and must not contain, beside a source.html; or it
holds `sample`, the name of a folder of samples/pages that has all that. Sources are read as bytes: their encoding is
a part of the case.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from danubia_core import Extraction, Options, extract

PAGES = Path(__file__).parent / "pages"
SAMPLES = Path(__file__).parent.parent / "samples" / "pages"
SLUGS = sorted(folder.name for folder in PAGES.iterdir() if folder.is_dir())


@dataclass(frozen=True)
class GoldenPage:
    """One page and what a reader expects of it, whatever the expected files say."""

    slug: str
    source: bytes
    url: str | None
    content_type: str | None
    options: Options
    must_contain: list[str] = field(default_factory=list)
    must_not_contain: list[str] = field(default_factory=list)

    @property
    def markdown_file(self) -> Path:
        return PAGES / self.slug / "expected.md"

    @property
    def facts_file(self) -> Path:
        return PAGES / self.slug / "expected.json"

    def extract(self) -> Extraction:
        return extract(self.source, url=self.url, content_type=self.content_type, options=self.options)


@cache
def load_page(slug: str) -> GoldenPage:
    folder = PAGES / slug
    settings = tomllib.loads((folder / "page.toml").read_text(encoding="utf-8"))
    options = Options(**settings.get("options", {}))
    if "sample" in settings:
        folder = SAMPLES / settings["sample"]
        settings = tomllib.loads((folder / "page.toml").read_text(encoding="utf-8"))
    return GoldenPage(
        slug=slug,
        source=(folder / "source.html").read_bytes(),
        url=settings.get("url"),
        content_type=settings.get("content_type"),
        options=options,
        must_contain=settings.get("must_contain", []),
        must_not_contain=settings.get("must_not_contain", []),
    )


@cache
def extract_golden(slug: str) -> Extraction:
    """The extraction of a page, made once for all tests that look at it."""
    return load_page(slug).extract()


def describe_facts(extraction: Extraction) -> dict[str, Any]:
    """What expected.json holds: all of an extraction that is small, and told apart from the content."""
    return {
        "skip": extraction.skip,
        "charset": extraction.charset,
        "charset_source": extraction.charset_source,
        "rung": extraction.stats.rung,
        "discards": dict(sorted(extraction.stats.discards.items())),
        "metadata": {name: value for name, value in msgspec.to_builtins(extraction.metadata).items() if value},
    }


def format_markdown(extraction: Extraction) -> str:
    return extraction.markdown + "\n" if extraction.markdown else ""


def format_facts(extraction: Extraction) -> str:
    return json.dumps(describe_facts(extraction), ensure_ascii=False, indent=2) + "\n"


def write_golden(slug: str) -> None:
    page, extraction = load_page(slug), extract_golden(slug)
    page.markdown_file.write_text(format_markdown(extraction), encoding="utf-8", newline="\n")
    page.facts_file.write_text(format_facts(extraction), encoding="utf-8", newline="\n")
