"""Every layout gives its pages with the references that its data set has."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.layouts import load_folder, load_pages
from evaluation.pages import Page
from tests.evaluation.data_sets import MARKDOWN, PAGE, TEXT, write, write_data_sets


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    root = write_data_sets(tmp_path_factory.mktemp("sets"))
    return {page.id: page for page in load_pages(root) if page.dataset != "own"}


def test_every_layout_is_read(pages: dict[str, Page]) -> None:
    assert sorted(pages) == [
        "defuddle/lamps--wicks",
        "readability/wicks",
        "scrapinghub/abc",
        "trafilatura/wicks.html",
        "wcxb/0001",
        "wcxb/0002",
        "webmainbench/t1",
    ]


def test_pages_packed_or_not_are_the_same_bytes(pages: dict[str, Page]) -> None:
    assert pages["wcxb/0001"].html == pages["wcxb/0002"].html == pages["scrapinghub/abc"].html == PAGE.encode()


def test_references_are_the_data_sets_own(pages: dict[str, Page]) -> None:
    wcxb = pages["wcxb/0001"]
    assert (wcxb.text, wcxb.markdown, wcxb.title) == (TEXT, MARKDOWN, "Wicks")
    assert wcxb.wanted == ["COLZA burns", "at midnight"]
    assert wcxb.unwanted == ["Lamp trade imprint", "All lamps"]
    assert pages["wcxb/0002"].label == "listing"
    assert pages["scrapinghub/abc"].text == TEXT
    assert pages["readability/wicks"].text == " ".join(TEXT.split())
    assert pages["defuddle/lamps--wicks"].markdown == MARKDOWN
    assert pages["defuddle/lamps--wicks"].url == "https://lamps.example.org/d"
    assert pages["trafilatura/wicks.html"].text is None


def test_annotations_do_not_reach_the_extractor(pages: dict[str, Page]) -> None:
    page = pages["webmainbench/t1"]
    assert page.html == PAGE.encode()
    assert (page.label, page.language, page.markdown) == ("listing", "en", MARKDOWN)


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "wicks.html", PAGE)
    write(tmp_path / "deep" / "wicks.md", MARKDOWN)
    write(tmp_path / "README.md", "No page beside it.")
    (page,) = load_folder(tmp_path)
    assert (page.id, page.markdown, page.html) == ("folder/deep/wicks", MARKDOWN, PAGE.encode())
