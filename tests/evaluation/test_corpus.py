"""The corpus as committed, and how it notices that pages or references are not those it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.corpus import check_corpus, format_table, label_pages, read_corpus, write_corpus
from evaluation.draft import draft_entry, draft_label
from evaluation.layouts import load_pages
from evaluation.own_pages import PROJECT, load_own_pages
from evaluation.pages import LABELS, Page
from tests.evaluation.data_sets import PAGE, write, write_data_sets


def test_the_committed_corpus_is_as_large_and_varied_as_told() -> None:
    entries = read_corpus()
    assert len(entries) >= 799
    assert {entry.label for entry in entries} == set(LABELS)
    assert len({entry.language for entry in entries}) >= 12
    for entry in entries:
        assert re.fullmatch(r"[0-9a-f]{64}", entry.page.sha256)
        assert re.fullmatch(r"[0-9a-f]{64}", entry.reference.sha256)
        assert entry.reference.path
        assert entry.labelled_by in ("author", "dataset", "rule")


def test_the_entries_of_the_projects_own_pages_resolve() -> None:
    """When this fails: `python -m evaluation corpus --draft` writes their entries anew."""
    own = [entry for entry in read_corpus() if entry.page.dataset == "own"]
    check = check_corpus(own, load_own_pages())
    assert (check.missing, check.changed_pages, check.stale) == ([], [], [])
    assert all((PROJECT / entry.page.path).is_file() for entry in own)
    assert all((PROJECT / entry.reference.path).is_file() for entry in own)


def test_missing_changed_and_stale_are_told(tmp_path: Path) -> None:
    root = write_data_sets(tmp_path)
    entries = [draft_entry(page) for page in load_pages(root, ["wcxb", "trafilatura", "readability"])]
    write_corpus(entries, tmp_path / "corpus.json")
    entries = read_corpus(tmp_path / "corpus.json")
    wcxb = root / "web-content-extraction-benchmark" / "dev"
    write(wcxb / "html" / "0001.html", PAGE + " ")
    truth = wcxb / "ground-truth" / "0002.json"
    write(truth, truth.read_text().replace("at midnight", "at noon"))
    (root / "trafilatura" / "tests" / "eval" / "wicks.html").unlink()
    check = check_corpus(entries, load_pages(root, ["wcxb", "trafilatura", "readability", "defuddle"]))
    assert check.changed_pages == ["wcxb/0001"]
    assert check.stale == ["wcxb/0002"]
    assert check.missing == ["trafilatura/wicks.html"]
    assert (check.present, check.unlisted) == (1, 1)
    stale = {page.id: page.stale for page in label_pages(load_pages(root, ["wcxb", "readability"]), entries)}
    assert stale == {"wcxb/0001": True, "wcxb/0002": True, "readability/wicks": False}


def test_the_command_prints_the_table_and_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus"]) == 0
    printed = capsys.readouterr().out
    assert format_table(read_corpus()) in printed
    assert "12 labels" in printed
    assert main(["corpus", "--data", str(write_data_sets(tmp_path))]) == 1
    assert "missing: " in capsys.readouterr().out


def test_a_corpus_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    entry = next(entry for entry in read_corpus() if entry.label == "wiki")
    write_corpus([entry, entry], tmp_path / "corpus.json")
    with pytest.raises(ValueError, match="repeated ids"):
        read_corpus(tmp_path / "corpus.json")


@pytest.mark.parametrize(
    ("url", "html", "label", "drafted"),
    [
        ("https://stackoverflow.com/questions/1/x", b"", "forum", ("q&a", "rule")),
        ("https://forum.example.org/t/1", b'{"@type": "QAPage"}', "forum", ("q&a", "rule")),
        ("https://en.wiki.example.org/x", b"", "article", ("wiki", "rule")),
        ("https://example.org/glossary/luff", b"", "article", ("glossary", "rule")),
        ("https://example.org/a/bread", b'{"@type":"Recipe"}', "article", ("recipe", "rule")),
        ("https://example.org/a/storm", b'{"@type": "NewsArticle"}', "article", ("news", "rule")),
        ("https://example.org/", b"", "service", ("homepage", "rule")),
        ("https://example.org/p/1", b"", "product", ("product", "dataset")),
        ("https://example.org/2020/essay", b"", "article", ("article", "dataset")),
    ],
)
def test_labels_are_drafted_from_address_and_declarations(
    url: str, html: bytes, label: str, drafted: tuple[str, str]
) -> None:
    assert draft_label(Page(id="wcxb/1", dataset="wcxb", path="", html=html, url=url, label=label)) == drafted
