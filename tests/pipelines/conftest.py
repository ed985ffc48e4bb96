"""One archive and one finished run over it, for all tests of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.extract import main
from tests.pipelines.archives import make_page, write_archive
from tests.pipelines.runs import PAGES, RANGE


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [make_page(number) for number in range(PAGES)]
    return write_archive(tmp_path_factory.mktemp("in") / "mills.warc.gz", pages)


@pytest.fixture(scope="session")
def finished(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("out")
    assert main(["--input", str(archive), "--output", str(output), RANGE]) == 0
    return output
