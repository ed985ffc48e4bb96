"""The command for one page: each format, and what it says when it cannot."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from danubia_core import FORMATS, extract
from pipelines.extract_page import main
from tests.tei_schema import find_tei_fault

URL = "https://e.org/mills"
PAGE = "<title>Mills</title><article><h1>Mills</h1><p>A tide mill grinds twice a day, at hours that the moon sets.</p>"


@pytest.fixture
def page(tmp_path: Path) -> str:
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_written_as_the_library_has_it(name: str, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([page, "--format", name, "--url", URL]) == 0
    assert capsys.readouterr().out.rstrip() == extract(PAGE.encode(), url=URL).to(name).rstrip()


def test_output_goes_to_a_file(page: str, tmp_path: Path) -> None:
    file = tmp_path / "page.xml"
    assert main([page, "--format=xml-tei", f"--output={file}"]) == 0
    assert find_tei_fault(file.read_text(encoding="utf-8")) is None


def test_several_pages_are_one_table_or_lines_of_json(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([page, page, "--format=csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["title"] for row in rows] == ["Mills", "Mills"]
    assert main([page, page, "--format=json"]) == 0
    assert [json.loads(line)["title"] for line in capsys.readouterr().out.splitlines()] == ["Mills", "Mills"]


def test_options_are_the_extractors(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([page, "--option=max_input_bytes=40"]) == 0
    assert "moon" not in capsys.readouterr().out


def test_no_content_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    assert main([str(tmp_path / "empty.html")]) == 1
    assert "no content (empty)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required"),
        (["nowhere.html"], "nowhere.html"),
        (["PAGE", "--format=pdf"], "invalid choice: 'pdf'"),
        (["PAGE", "PAGE", "--format=xml"], "csv or json only"),
        (["PAGE", "PAGE", "--format=csv", "--url=x"], "one page"),
        (["PAGE", "--option=colour=1"], "NAME one of"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], message: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([page if argument == "PAGE" else argument for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
