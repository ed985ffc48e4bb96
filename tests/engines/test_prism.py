"""The job on Prism, Beam's own portable runner, as `go install` builds it. `make test-prism` runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import apache_beam as beam
import pytest

from deploy.flink.install import cache_folder, new_folder, run_step
from tests.engines.runs import (
    SLOW,
    Feed,
    check_equal,
    extract_command,
    finish_command,
    list_done,
    read_manifests,
    run_extract,
    start_command,
    stop_command,
    wait_for,
)
from tests.pipelines.runs import read_report

pytestmark = pytest.mark.prism

MODULE = "github.com/apache/beam/sdks/v2/go/cmd/prism"


@pytest.fixture(scope="module")
def prism() -> Path:
    """Prism of the Beam version that is installed here, built unless the cache holds it."""
    target = cache_folder() / f"prism-{beam.__version__}"
    if not target.exists():
        go = shutil.which("go")
        assert go, "Prism is built by Go: no `go` on PATH"
        with new_folder(target) as folder:
            command = [go, "install", f"{MODULE}@v{beam.__version__}"]
            run_step(command, "building Prism", {**os.environ, "GOBIN": str(folder)})
            (folder / "prism").replace(target)
    return target


def start_job(prism: Path, crawl: Path, output: Path, *options: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start the command; after the block neither it nor its Prism is there."""
    command = extract_command(crawl, output, *options, "--runner=PrismRunner", f"--prism_location={prism}")
    return start_command(command)


def test_rows_are_the_local_runners(prism: Path, crawl: Path, expected: Path, tmp_path: Path) -> None:
    with start_job(prism, crawl, tmp_path) as process:
        finish_command(process)  # Prism itself as well
    check_equal(tmp_path, expected)
    assert len(read_manifests(tmp_path)) == len(read_manifests(expected))


def test_a_command_that_is_asked_to_end_says_how_to_go_on(prism: Path, crawl: Path, tmp_path: Path) -> None:
    with start_job(prism, crawl, tmp_path, SLOW) as process:
        wait_for(lambda: list_done(tmp_path))
        assert "give the same command again to go on" in stop_command(process, 130)


def test_a_watch_over_restarts_takes_each_archive_once(prism: Path, crawl: Path, tmp_path: Path) -> None:
    feed = Feed(sorted(crawl.iterdir()), tmp_path)
    watch = ["--watch", "--watch-interval=1", "--watch-settle=1"]
    for new in 3, 3:
        with start_job(prism, feed.inputs, feed.output, *watch, SLOW) as process:
            begun = feed.count_done()
            feed.add(new)
            wait_for(lambda begun=begun: feed.count_done() > begun + 1)
            stop_command(process, 0)
    assert read_report(feed.output)["ranges"]["missing"]
    feed.add(2)
    expected = tmp_path / "expected"
    run_extract(extract_command(feed.inputs, expected))
    with start_job(prism, feed.inputs, feed.output, *watch) as process:
        wait_for(lambda: feed.count_done() == len(list_done(expected)))
        stop_command(process, 0)
    run_extract(extract_command(feed.inputs, feed.output))  # finds nothing to do, and sweeps up
    check_equal(feed.output, expected)
