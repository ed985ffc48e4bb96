"""One crawl and what the local runner makes of it, for the tests of all engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.runs import ARCHIVES, extract_command, run_extract
from tests.engines.warcs import write_crawl


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    write_crawl(folder, ARCHIVES)
    return folder


@pytest.fixture(scope="session")
def expected(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("local")
    run_extract(extract_command(crawl, output))
    return output
