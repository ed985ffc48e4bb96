"""Each format of a dozen pages, as tests/formats has them: tables, formulas, code, notes, CJK, comments, nesting."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from danubia_core import FORMATS, Extraction, Tree, extract
from danubia_core.serializers import describe
from tests.golden import SLUGS, load_page

FOLDER = Path(__file__).parent.parent / "formats"
PAGES = [
    "article-ar-desert-wells",
    "article-en-queue-math",
    "article-ja-nikki",
    "case-literal-markdown-characters",
    "case-nested-deeper-than-256",
    "case-table-with-spans-br-and-lists",
    "documentation-en-queue-cli",
    "documentation-pt-estufa",
    "forum-en-gardenbed",
    "glossary-en-sailcloth",
    "news-en-ferry-toll",
    "wiki-en-lantern-code",
]
SUFFIXES = {"txt": ".txt", "html": ".html", "json": ".json", "xml": ".xml", "xml-tei": ".tei.xml", "csv": ".csv"}


@cache
def extract_with_comments(slug: str) -> Extraction:
    page = load_page(slug)
    options = msgspec.structs.replace(page.options, comments=True)
    return extract(page.source, url=page.url, content_type=page.content_type, options=options)


def format_golden(slug: str, name: str) -> str:
    """A format as its file has it: ended by a new line, JSON on many lines."""
    text = extract_with_comments(slug).to(name)
    if name == "json":
        text = msgspec.json.format(text.encode(), indent=1).decode()
    return text if text.endswith("\n") else text + "\n"


@pytest.mark.parametrize("name", SUFFIXES)
@pytest.mark.parametrize("slug", PAGES)
def test_format(slug: str, name: str, request: pytest.FixtureRequest) -> None:
    file = FOLDER / f"{slug}{SUFFIXES[name]}"
    if request.config.getoption("--update-golden"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(format_golden(slug, name).encode())
    assert file.exists(), "no file: write it with --update-golden, then read it"
    assert format_golden(slug, name) == file.read_bytes().decode()


def test_files_are_of_these_pages() -> None:
    assert set(PAGES) <= set(SLUGS)
    assert {file.name for file in FOLDER.iterdir()} == {slug + suffix for slug in PAGES for suffix in SUFFIXES.values()}


def test_comments_are_told_apart() -> None:
    page = extract_with_comments("news-en-ferry-toll")
    assert page.xml.index("</content>") < page.xml.index("<comments>")
    assert '<div type="comments">' in page.xml_tei


def test_names_are_of_formats_and_others_are_refused() -> None:
    page = extract_with_comments(PAGES[0])
    assert {name: page.to(name) for name in ("txt", "xmltei")} == {"txt": page.text, "xmltei": page.xml_tei}
    assert set(SUFFIXES) < set(FORMATS)
    with pytest.raises(ValueError, match="no format 'pdf'; there are markdown, txt, html, json, xml, xml-tei, csv"):
        page.to("pdf")


def test_json_of_a_page_holds_its_tree() -> None:
    page = extract_with_comments(PAGES[1])
    whole = msgspec.json.decode(page.json)
    assert Tree.from_json(msgspec.json.encode(whole["tree"])) == page.tree
    assert whole["title"] == page.metadata.title


def test_page_of_formats_is_up_to_date() -> None:
    assert describe.main(["--check"]) == 0


def test_check_tells_of_a_stale_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(describe, "TARGET", tmp_path / "formats.md")
    assert describe.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert describe.main([]) == 0
    assert describe.main(["--check"]) == 0
    assert describe.main(["--chekc"]) == 2
