"""One crawl and what the local runner makes of it, for the tests of all engines."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.flink.install import install
from deploy.flink.local_cluster import FlinkCluster
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


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlinkCluster]:
    with FlinkCluster(install(), tmp_path_factory.mktemp("flink")) as running:
        yield running


@pytest.fixture
def steps() -> Callable[[str], None]:
    """Says when something happened, in seconds since the test began."""
    log = logging.getLogger("danubia.engines")
    began = time.monotonic()

    def tell(what: str) -> None:
        log.warning("%s at %.1f s", what, time.monotonic() - began)

    return tell
