"""The README's snippets run as they stand, in their order, on the rows that `make extract` writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipelines.extract import main
from pipelines.extract_page import build_parser as page_parser
from pipelines.options import parse_options

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SAMPLE = "samples/sample.warc.gz"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample archive and its rows where the README has them."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "samples").symlink_to(ROOT / "samples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["--input", SAMPLE, "--output", "out/sample"]) == 0
    return folder


@pytest.fixture
def printed(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.chdir(place)
    outputs = []
    for snippet in SNIPPETS:
        exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})
        outputs.append(capsys.readouterr().out)
    return outputs


def test_the_snippets_run_and_print_what_they_are_for(printed: list[str], place: Path) -> None:
    duck, pandas, tree, extractor, beam = printed
    assert "Sailmaker's glossary" in duck
    assert "selected_bytes" in pandas
    assert "<" in tree
    assert "# Tide mills\n\nA tide mill grinds *twice a day*" in extractor
    assert "Home" not in extractor
    assert beam == ""
    [lengths] = (place / "out").glob("lengths.txt*")
    assert len(lengths.read_text().splitlines()) == pq.read_table(place / "out/sample/pages").num_rows


def test_the_commands_are_ones_that_the_job_takes() -> None:
    commands = re.findall(r"^    python -m pipelines\.extract (.*)$", README, re.MULTILINE)
    assert len(commands) >= 2
    for command in commands:
        options = parse_options(shlex.split(command))
        assert options.inputs or options.indexes


def test_the_command_for_one_page_is_one_that_it_takes() -> None:
    [command] = re.findall(r"^    python -m pipelines\.extract_page (.*)$", README, re.MULTILINE)
    assert page_parser().parse_args(shlex.split(command)).files == ["page.html"]


def test_the_row_shown_is_the_sample_archives(place: Path) -> None:
    rows = {row["url"]: row for row in pq.read_table(place / "out/sample/pages").to_pylist()}
    row = rows["https://en.ferry.example.org/wiki/Lantern_code_(ferrymen)"]
    for name in ("title", "author", "date", "rung", "charset", "text_language"):
        assert f"`{row[name]}`" in README
    sizes = ", ".join(str(row[name]) for name in ("total_bytes", "main_bytes", "selected_bytes"))
    assert f"| {sizes} |" in README
    assert f"`…/samples/sample.warc.gz`, {row['offset']}, {row['length']} |" in README


def test_every_file_that_is_named_is_there() -> None:
    for name in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / name).exists(), name
