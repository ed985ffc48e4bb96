"""The job on Prism, Beam's own portable runner, as `go install` builds it. `make test-prism` runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import apache_beam as beam
import pytest

from deploy.flink.install import cache_folder, new_folder, run_step
from tests.engines.runs import SECONDS, SLOW, check_equal, extract_command, list_done, read_manifests, wait_for
from tests.pipelines.runs import has_members

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


def test_rows_are_the_local_runners(prism: Path, crawl: Path, expected: Path, tmp_path: Path) -> None:
    command = extract_command(crawl, tmp_path, "--runner=PrismRunner", f"--prism_location={prism}")
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    check_equal(tmp_path, expected)
    assert len(read_manifests(tmp_path)) == len(read_manifests(expected))
    wait_for(lambda: not has_members(process.pid), 30)  # Prism itself as well


def test_a_command_that_is_asked_to_end_says_how_to_go_on(prism: Path, crawl: Path, tmp_path: Path) -> None:
    command = extract_command(crawl, tmp_path, SLOW, "--runner=PrismRunner", f"--prism_location={prism}")
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        wait_for(lambda: list_done(tmp_path))
        process.terminate()
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "give the same command again to go on" in said
    wait_for(lambda: not has_members(process.pid), 30)
