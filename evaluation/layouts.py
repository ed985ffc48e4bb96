"""The public data sets in their own layouts, and folders of one's own, as streams of pages.

Each loader takes the folder that holds the data sets, and gives nothing when its own is not there.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from lxml import html as lxml_html

from evaluation.own_pages import load_own_pages
from evaluation.pages import LABELS, Page

WCXB: Final = "web-content-extraction-benchmark"
WCXB_DRAFTER: Final = "claude"  # its README: labels drafted by that model, reviewed by people; a few name another
FRONT_MATTER: Final = re.compile(rb'<!--\s*(\{"url":.*?\})\s*-->')
# Labels that data sets have, in the words of this corpus.
LABEL_NAMES: Final = {"category": "listing", "collection": "listing", "content listing": "listing", "qa": "q&a"}


def load_wcxb(root: Path) -> Iterator[Page]:
    """WCXB: `<split>/html/<id>.html[.gz]` beside `<split>/ground-truth/<id>.json`."""
    base = root / WCXB
    for truth_file in sorted(base.glob("*/ground-truth/*.json")):
        pages = truth_file.parent.parent / "html"
        html = read_page(pages / f"{truth_file.stem}.html")
        if html is None:
            continue
        record = read_json(truth_file)
        truth = record.get("ground_truth") or {}
        kind = ((record.get("_internal") or {}).get("page_type") or {}).get("primary", "article")
        yield Page(
            id=f"wcxb/{truth_file.stem}",
            dataset="wcxb",
            path=(pages / f"{truth_file.stem}.html").relative_to(root).as_posix(),
            html=html,
            url=record.get("url"),
            label=LABEL_NAMES.get(kind, kind),
            text=truth.get("main_content") or "",
            markdown=truth.get("main_content_markdown") or None,
            wanted=truth.get("with") or [],
            unwanted=truth.get("without") or [],
            title=truth.get("title"),
            reference_by=record.get("model") or WCXB_DRAFTER,
        )


def load_trafilatura(root: Path) -> Iterator[Page]:
    """Trafilatura's evaluation: `tests/evaldata.json`, pages in `tests/cache` and `tests/eval`."""
    base = root / "trafilatura" / "tests"
    for url, item in sorted(read_json(base / "evaldata.json").items()):
        for folder in ("cache", "eval"):
            html = read_page(base / folder / item["file"])
            if html is not None:
                yield Page(
                    id=f"trafilatura/{item['file']}",
                    dataset="trafilatura",
                    path=f"trafilatura/tests/{folder}/{item['file']}",
                    html=html,
                    url=url,
                    wanted=item["with"],
                    unwanted=item["without"],
                )
                break


def load_scrapinghub(root: Path) -> Iterator[Page]:
    """Scrapinghub's article extraction benchmark: `ground-truth.json`, pages in `html/<id>.html[.gz]`."""
    base = root / "article-extraction-benchmark"
    for key, item in sorted(read_json(base / "ground-truth.json").items()):
        html = read_page(base / "html" / f"{key}.html")
        if html is not None:
            yield Page(
                id=f"scrapinghub/{key}",
                dataset="scrapinghub",
                path=f"article-extraction-benchmark/html/{key}.html",
                html=html,
                url=item.get("url"),
                text=item.get("articleBody") or "",
            )


def load_readability(root: Path) -> Iterator[Page]:
    """Readability's test pages: `test/test-pages/<name>/source.html` beside `expected.html`."""
    base = root / "readability" / "test" / "test-pages"
    for expected in sorted(base.glob("*/expected.html")):
        html = read_page(expected.with_name("source.html"))
        if html is None:
            continue
        tree = lxml_html.document_fromstring(expected.read_text(encoding="utf-8") or "<p></p>")
        facts = expected.with_name("expected-metadata.json")
        yield Page(
            id=f"readability/{expected.parent.name}",
            dataset="readability",
            path=expected.with_name("source.html").relative_to(root).as_posix(),
            html=html,
            url="http://fakehost/test/page.html",
            text=" ".join(tree.text_content().split()),
            title=read_json(facts).get("title"),
        )


def load_defuddle(root: Path) -> Iterator[Page]:
    """Defuddle's fixtures: `tests/fixtures/<name>.html` beside `tests/expected/<name>.md` with a JSON head."""
    base = root / "defuddle" / "tests"
    for expected in sorted((base / "expected").glob("*.md")):
        html = read_page(base / "fixtures" / f"{expected.stem}.html")
        if html is None:
            continue
        body = expected.read_text(encoding="utf-8")
        facts: dict[str, Any] = {}
        if body.startswith("```json"):
            _, head, body = body.split("```", 2)
            facts = json.loads(head.removeprefix("json"))
        front = FRONT_MATTER.search(html)
        url = json.loads(front[1]).get("url") if front else None
        yield Page(
            id=f"defuddle/{expected.stem}",
            dataset="defuddle",
            path=f"defuddle/tests/fixtures/{expected.stem}.html",
            html=html,
            url=url or "https://" + re.sub(r"^[a-z]+--", "", expected.stem),
            markdown=body.strip(),
            title=facts.get("title") or None,
        )


class _WebMainBenchMeta(msgspec.Struct):
    language: str = ""
    style: str = ""


class _WebMainBenchRow(msgspec.Struct):
    track_id: str
    html: str
    url: str | None = None
    convert_main_content: str | None = None
    groundtruth_content: str | None = None
    meta: _WebMainBenchMeta = msgspec.field(default_factory=_WebMainBenchMeta)


def load_webmainbench(root: Path) -> Iterator[Page]:
    """WebMainBench: `*.jsonl`, one page a line; its marks on the annotated elements are taken out of the HTML."""
    for file in sorted([*root.glob("*.jsonl"), *root.glob("WebMainBench/*.jsonl")]):
        with file.open("rb") as lines:
            for line in lines:
                row = msgspec.json.decode(line, type=_WebMainBenchRow)
                style = row.meta.style.lower().split("_or_")[0]
                yield Page(
                    id=f"webmainbench/{row.track_id}",
                    dataset="webmainbench",
                    path=f"{file.relative_to(root).as_posix()}#{row.track_id}",
                    html=re.sub(r'\s(?:cc-select="true"|data-anno-uid="[^"]*")', "", row.html).encode(),
                    url=row.url,
                    label=LABEL_NAMES.get(style, style if style in LABELS else "article"),
                    language=row.meta.language,
                    markdown=row.groundtruth_content or row.convert_main_content or "",
                )


def load_folder(root: Path) -> Iterator[Page]:
    """A folder of one's own: `<name>.html` beside the reference `<name>.md`, at any depth below it."""
    if any((root / name).exists() for name in PUBLIC_FOLDERS):
        return
    for reference in sorted(root.rglob("*.md")):
        html = read_page(reference.with_suffix(".html"))
        if html is not None:
            path = reference.with_suffix(".html").relative_to(root)
            yield Page(
                id=f"folder/{path.with_suffix('').as_posix()}",
                dataset="folder",
                path=path.as_posix(),
                html=html,
                markdown=reference.read_text(encoding="utf-8"),
            )


def read_page(path: Path) -> bytes | None:
    """Return a page's bytes, also when it lies there gzipped; None when it is not there."""
    if path.exists():
        return path.read_bytes()
    packed = path.with_name(path.name + ".gz")
    return gzip.decompress(packed.read_bytes()) if packed.exists() else None


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object from a file, or {} when it is not there."""
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


PUBLIC_FOLDERS: Final = (WCXB, "trafilatura", "article-extraction-benchmark", "readability", "defuddle")

LAYOUTS: Final[dict[str, Callable[[Path], Iterator[Page]]]] = {
    "wcxb": load_wcxb,
    "trafilatura": load_trafilatura,
    "scrapinghub": load_scrapinghub,
    "readability": load_readability,
    "defuddle": load_defuddle,
    "webmainbench": load_webmainbench,
    "folder": load_folder,
}


def load_pages(root: Path | None, datasets: list[str] | None = None) -> Iterator[Page]:
    """Give the pages of the data sets that lie in a folder, then the project's own.

    Args:
        root: the folder; None for the project's own pages alone.
        datasets: names of `LAYOUTS` or "own", to take only those.
    """
    for name, load in LAYOUTS.items():
        if root is not None and (not datasets or name in datasets):
            yield from load(root)
    if not datasets or "own" in datasets:
        yield from load_own_pages()
