"""Small data sets in the layouts of the public ones, written for the tests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

PROSE = "The keeper trims the wick at dusk and again at midnight. " * 6
PAGE = f"""<!doctype html><html lang="en"><head><title>Wicks</title></head><body><nav><a href="/">Home</a> <a
href="/all">All lamps</a></nav><main><h1>Wicks</h1><p>{PROSE}</p><h2>Oil</h2><p>Colza burns clean. {PROSE}</p></main>
<footer>Lamp trade imprint</footer></body></html>"""
TEXT = f"Wicks\n\n{PROSE}\n\nOil\n\nColza burns clean. {PROSE}"
MARKDOWN = f"# Wicks\n\n{PROSE.strip()}\n\n## Oil\n\nColza burns clean. {PROSE.strip()}"


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def write_data_sets(root: Path) -> Path:
    """Write one page in each layout, two in WCXB's, and return the folder."""
    wcxb = root / "web-content-extraction-benchmark" / "dev"
    truth = {
        "url": "https://lamps.example.org/wicks",
        "_internal": {"page_type": {"primary": "article"}},
        "ground_truth": {
            "title": "Wicks",
            "main_content": TEXT,
            "main_content_markdown": MARKDOWN,
            "with": ["COLZA burns", "at midnight"],
            "without": ["Lamp trade imprint", "All lamps"],
        },
    }
    write(wcxb / "ground-truth" / "0001.json", json.dumps(truth))
    write(wcxb / "html" / "0001.html", PAGE)
    truth["_internal"] = {"page_type": {"primary": "collection"}}
    write(wcxb / "ground-truth" / "0002.json", json.dumps(truth))
    write(wcxb / "html" / "0002.html.gz", gzip.compress(PAGE.encode()))
    item = {
        "file": "wicks.html",
        "with": ["Colza burns clean."],
        "without": ["Lamp trade imprint", "Colza burns clean"],
    }
    write(root / "trafilatura" / "tests" / "evaldata.json", json.dumps({"https://lamps.example.org/w": item}))
    write(root / "trafilatura" / "tests" / "eval" / "wicks.html", PAGE)
    truths = {"abc": {"articleBody": TEXT, "url": "https://lamps.example.org/w"}}
    write(root / "article-extraction-benchmark" / "ground-truth.json", json.dumps(truths))
    write(root / "article-extraction-benchmark" / "html" / "abc.html.gz", gzip.compress(PAGE.encode()))
    folder = root / "readability" / "test" / "test-pages" / "wicks"
    write(folder / "source.html", PAGE)
    write(
        folder / "expected.html",
        f"<div><h1>Wicks</h1> <p>{PROSE}</p> <h2>Oil</h2> <p>Colza burns clean. {PROSE}</p></div>",
    )
    write(folder / "expected-metadata.json", '{"title": "Wicks"}')
    front = '<!-- {"url": "https://lamps.example.org/d"} -->'
    write(root / "defuddle" / "tests" / "fixtures" / "lamps--wicks.html", front + PAGE)
    head = '```json\n{"title": "Wicks"}\n```\n\n'
    write(root / "defuddle" / "tests" / "expected" / "lamps--wicks.md", head + MARKDOWN)
    line = {
        "track_id": "t1",
        "url": "https://lamps.example.org/j",
        "html": PAGE.replace("<h1>", '<h1 cc-select="true">'),
        "convert_main_content": "# Wicks",
        "groundtruth_content": MARKDOWN,
        "meta": {"language": "en", "style": "Content Listing"},
    }
    write(root / "WebMainBench" / "small.jsonl", json.dumps(line) + "\n")
    return root
