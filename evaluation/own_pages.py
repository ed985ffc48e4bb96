"""The project's own pages as a data set: pages of `tests/pages` and `samples/pages`, each with a golden file.

The reference is the golden Markdown, less the blocks that hold a snippet which the page's author listed as unwanted:
what the extraction is known to get wrong stays wrong in the score. Golden files were drafted by Danubia and reviewed:
these pages show a change, and say little of peers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from evaluation.pages import Page

PROJECT: Final = Path(__file__).resolve().parent.parent
GOLDENS: Final = "tests/pages"
SAMPLES: Final = "samples/pages"


def load_own_pages(project: Path = PROJECT) -> Iterator[Page]:
    """Give the project's own pages; those with options of their own repeat another page and are left out."""
    for folder in sorted((project / GOLDENS).glob("*/")):
        settings = _read_settings(folder)
        if not settings or "options" in settings:
            continue
        source = folder
        if "sample" in settings:
            source = project / SAMPLES / settings["sample"]
            settings = _read_settings(source)
        golden = (folder / "expected.md").read_text(encoding="utf-8")
        unwanted = settings.get("must_not_contain", [])
        yield Page(
            id=f"own/{folder.name}",
            dataset="own",
            path=(source / "source.html").relative_to(project).as_posix(),
            html=(source / "source.html").read_bytes(),
            url=settings.get("url"),
            content_type=settings.get("content_type"),
            label=settings.get("label", ""),
            language=settings.get("language", ""),
            markdown=drop_unwanted(golden, unwanted),
            wanted=settings.get("must_contain", []),
            unwanted=unwanted,
            title=settings.get("title"),
        )


def drop_unwanted(markdown: str, unwanted: list[str]) -> str:
    r"""Return Markdown less its blocks that hold an unwanted snippet.

    >>> drop_unwanted("One.\n\nRead also: Two.\n\nThree.", ["Read also"])
    'One.\n\nThree.'
    """
    blocks = re.split(r"\n{2,}", markdown.strip())
    return "\n\n".join(block for block in blocks if not any(snippet in block for snippet in unwanted))


def _read_settings(folder: Path) -> dict[str, Any]:
    file = folder / "page.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
