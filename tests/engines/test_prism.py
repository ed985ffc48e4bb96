"""The job on Prism, Beam's own portable runner, as `go install` builds it. `make test-prism` runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import apache_beam as beam
import pytest

from deploy.flink.install import cache_folder, new_folder, run_step
from tests.engines.runs import SECONDS, check_equal, extract_command, read_manifests, wait_for

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
    # A folder of its own, for Beam keeps one Prism a user there.
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    check_equal(tmp_path, expected)
    assert len(read_manifests(tmp_path)) == len(read_manifests(expected))
    wait_for(lambda: not has_members(process.pid), 30)  # Prism itself as well


def has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
