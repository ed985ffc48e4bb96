"""The job on a real Flink cluster of two TaskManagers, whose parts are killed one by one. `make test-flink` runs it."""

from __future__ import annotations

import logging
import os
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from deploy.flink.local_cluster import FlinkCluster
from tests.engines.flink_jobs import (
    find_jobs,
    find_workers,
    kill_task_manager,
    start_job,
    stop_job,
    was_restarted,
)
from tests.engines.runs import SECONDS, SLOW, check_equal, finish_command, list_done, read_manifests, wait_for

pytestmark = pytest.mark.flink

log = logging.getLogger("danubia.engines")


def is_under_way(output: Path, done: int = 0) -> bool:
    return len(list_done(output)) >= done + 3


def test_rows_are_the_local_runners_and_the_work_is_spread(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path) as process:
        finish_command(process)
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
        kill_task_manager(cluster)
        done = {path: path.read_bytes() for path in list_done(tmp_path)}
        steps(f"killed with {len(done)} of {len(list_done(expected))} ranges done")
        assert len(done) < len(list_done(expected))
        cluster.start_task_manager()
        wait_for(lambda: len(list_done(tmp_path)) > len(done) + 4)
        steps("going on")
        finish_command(process)
    steps("finished")
    job = find_jobs(cluster)[0]
    assert job["state"] == "FINISHED"
    assert was_restarted(cluster)
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
        finish_command(process)
    steps("finished")
    job = find_jobs(cluster)[0]
    assert job["state"] == "FINISHED"
    assert was_restarted(cluster)
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
            finish_command(again)
        steps("finished")
        check_equal(tmp_path, expected)
        wait_for(lambda: {job["state"] for job in find_jobs(cluster)} <= {"FINISHED", "CANCELED", "FAILED"})
        check_equal(tmp_path, expected)


def test_a_command_that_is_asked_to_end_cancels_its_job_and_one_without_a_job_server_goes_on(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    for options in [], ["--flink_submit_uber_jar"]:
        with start_job(cluster, crawl, tmp_path, SLOW, *options) as process:
            done = len(list_done(tmp_path))
            wait_for(partial(is_under_way, tmp_path, done))
            said = stop_job(cluster, process, 130)
            assert "the job is cancelled: give the same command again to go on" in said
            steps("ended")
    with start_job(cluster, crawl, tmp_path, "--flink_submit_uber_jar") as again:
        finish_command(again)
    check_equal(tmp_path, expected)


def test_a_cluster_that_goes_down_ends_the_command_and_the_same_command_again_goes_on(
    cluster: FlinkCluster, crawl: Path, expected: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    with start_job(cluster, crawl, tmp_path, SLOW) as first:
        wait_for(lambda: is_under_way(tmp_path))
        cluster.kill()
        done = {path: path.read_bytes() for path in list_done(tmp_path)}
        steps(f"killed with {len(done)} ranges done")
        said, _ = first.communicate(timeout=SECONDS)
        steps("the command ended")
        assert first.returncode == 1, said
        assert "ranges are not done: give the same command again to go on" in said
        assert "Traceback" not in said
    cluster.bring_up()
    steps("the cluster is back")
    with start_job(cluster, crawl, tmp_path) as again:
        finish_command(again)
    check_equal(tmp_path, expected)
    assert {path: path.read_bytes() for path in done} == done


def test_no_worker_stays_when_the_jobs_are_done(cluster: FlinkCluster) -> None:
    wait_for(lambda: not find_workers(cluster), 60)
