"""The job on a real Flink cluster of two TaskManagers, whose parts are killed one by one. `make test-flink` runs it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.flink.install import install
from deploy.flink.local_cluster import FlinkCluster
from tests.engines.runs import SECONDS, SLOW, check_equal, extract_command, list_done, read_manifests, wait_for
from tests.pipelines.runs import has_members

pytestmark = pytest.mark.flink

log = logging.getLogger("danubia.engines")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlinkCluster]:
    with FlinkCluster(install(), tmp_path_factory.mktemp("flink")) as running:
        yield running


@pytest.fixture
def steps() -> Callable[[str], None]:
    """Says when something happened, in seconds since the test began."""
    began = time.monotonic()

    def tell(what: str) -> None:
        log.warning("%s at %.1f s", what, time.monotonic() - began)

    return tell


@contextmanager
def start_job(cluster: FlinkCluster, crawl: Path, output: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Start the command on the cluster; in the end its job server is gone too, and so is its job."""
    command = extract_command(crawl, output, *options, *cluster.job_options())
    with subprocess.Popen(
        command, env=cluster.job_environment(), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if has_members(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


def finish_job(process: subprocess.Popen[str]) -> None:
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    wait_for(lambda: not has_members(process.pid), 30)  # the job server as well


def is_under_way(output: Path) -> bool:
    return len(list_done(output)) >= 3


def find_jobs(cluster: FlinkCluster) -> list[dict[str, Any]]:
    """Flink's jobs, the latest first."""
    jobs = (cluster.ask("/jobs/overview") or {"jobs": []})["jobs"]
    return sorted(jobs, key=lambda job: -job["start-time"])


def find_workers(cluster: FlinkCluster) -> list[int]:
    """The worker processes that live below the pool."""
    assert cluster.worker_pool is not None
    pool = Path(f"/proc/{cluster.worker_pool.pid}/task")
    return [int(pid) for task in pool.iterdir() for pid in (task / "children").read_text().split()]


def was_restarted(cluster: FlinkCluster, job: dict[str, Any]) -> bool:
    return bool(cluster.ask(f"/jobs/{job['jid']}")["timestamps"]["RESTARTING"])


def test_rows_are_the_local_runners_and_the_work_is_spread(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path) as process:
        finish_job(process)
    steps("finished")
    check_equal(tmp_path, expected)
    job = find_jobs(cluster)[0]
    assert job["state"] == "FINISHED"
    ranges = Counter(manifest["process"] for manifest in read_manifests(tmp_path))
    log.warning("ranges by worker process: %s", dict(ranges))
    assert len(ranges) == 2
    assert min(ranges.values()) >= 0.4 * ranges.total()
    writers = [
        found
        for vertex in cluster.ask(f"/jobs/{job['jid']}")["vertices"]
        if "WriteRows" in vertex["name"]
        for found in cluster.ask(f"/jobs/{job['jid']}/vertices/{vertex['id']}/taskmanagers")["taskmanagers"]
    ]
    received = {found["host"]: found["metrics"]["read-records"] for found in writers}
    log.warning("ranges by TaskManager: %s", received)
    assert len(received) == 2
    assert min(received.values()) >= 0.4 * sum(received.values())


def test_a_killed_task_manager_costs_no_row_and_no_range_that_was_done(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path, SLOW) as process:
        wait_for(lambda: is_under_way(tmp_path))
        cluster.task_managers[0].kill()
        done = {path: path.read_bytes() for path in list_done(tmp_path)}
        steps(f"killed with {len(done)} of {len(list_done(expected))} ranges done")
        assert len(done) < len(list_done(expected))
        cluster.start_task_manager()
        wait_for(lambda: len(list_done(tmp_path)) > len(done) + 4)
        steps("going on")
        finish_job(process)
    steps("finished")
    job = find_jobs(cluster)[0]
    assert job["state"] == "FINISHED"
    assert was_restarted(cluster, job)
    check_equal(tmp_path, expected)
    assert {path: path.read_bytes() for path in done} == done


def test_a_killed_worker_costs_no_row(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path, SLOW) as process:
        wait_for(lambda: is_under_way(tmp_path))
        victim = find_workers(cluster)[0]
        os.kill(victim, signal.SIGKILL)
        steps(f"killed with {len(list_done(tmp_path))} ranges done")
        finish_job(process)
    steps("finished")
    job = find_jobs(cluster)[0]
    assert job["state"] == "FINISHED"
    assert was_restarted(cluster, job)
    check_equal(tmp_path, expected)


def test_a_killed_command_leaves_the_job_and_the_same_command_again_ends_with_the_same_rows(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path, SLOW) as first:
        wait_for(lambda: is_under_way(tmp_path))
        first.kill()
        steps(f"killed with {len(list_done(tmp_path))} ranges done")
        job = find_jobs(cluster)[0]
        assert job["state"] == "RUNNING"
        with start_job(cluster, crawl, tmp_path, SLOW) as again:
            finish_job(again)
        steps("finished")
        check_equal(tmp_path, expected)
        wait_for(lambda: {job["state"] for job in find_jobs(cluster)} <= {"FINISHED", "CANCELED", "FAILED"})
        check_equal(tmp_path, expected)


def test_a_command_that_is_asked_to_end_cancels_its_job_and_one_without_a_job_server_goes_on(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path, SLOW) as first:
        wait_for(lambda: is_under_way(tmp_path))
        first.terminate()
        said, _ = first.communicate(timeout=120)
        steps("ended")
        assert first.returncode == 130, said
        assert "give the same command again to go on" in said
        assert "Traceback" not in said
        assert not has_members(first.pid)
        wait_for(lambda: find_jobs(cluster)[0]["state"] == "CANCELED", 60)
    with start_job(cluster, crawl, tmp_path, "--flink_submit_uber_jar") as again:
        finish_job(again)
    check_equal(tmp_path, expected)


def test_no_worker_stays_when_the_jobs_are_done(cluster: FlinkCluster) -> None:
    wait_for(lambda: not find_workers(cluster), 60)
