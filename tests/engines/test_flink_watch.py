"""A watch as one streaming job on a real Flink cluster: stopped, started again, its parts killed. `make test-flink`."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from deploy.flink.local_cluster import FlinkCluster
from tests.engines.flink_jobs import find_jobs, find_workers, kill_task_manager, start_job, stop_job, was_restarted
from tests.engines.runs import SLOW, Feed, check_equal, extract_command, list_done, run_extract, wait_for
from tests.pipelines.runs import read_report

pytestmark = pytest.mark.flink

QUICK = ["--watch", "--watch-interval=1", "--watch-settle=1", "--checkpointing_interval=1000", SLOW]


def count_checkpoints(cluster: FlinkCluster) -> dict[str, int]:
    """How many checkpoints of the latest job were completed, and how often it was begun anew from one."""
    counts: dict[str, int] = cluster.ask(f"/jobs/{find_jobs(cluster)[0]['jid']}/checkpoints")["counts"]
    return counts


def read_checkpoint(cluster: FlinkCluster) -> tuple[int, int]:
    """The latest completed checkpoint of the latest job: its number, and its size in bytes."""
    found = cluster.ask(f"/jobs/{find_jobs(cluster)[0]['jid']}/checkpoints")["latest"]["completed"]
    return int(found["id"]), int(found["state_size"])


def test_a_watch_over_restarts_and_kills_takes_each_archive_once(
    cluster: FlinkCluster, crawl: Path, tmp_path: Path, steps: Callable[[str], None]
) -> None:
    feed = Feed(sorted(crawl.iterdir()), tmp_path)

    def watch() -> AbstractContextManager[subprocess.Popen[str]]:
        return start_job(cluster, feed.inputs, feed.output, *QUICK)

    with watch() as process:  # stopped in the middle
        feed.add(3)
        wait_for(lambda: feed.count_done() >= 2)
        stop_job(cluster, process, 0)
    steps(f"stopped with {feed.count_done()} ranges done")

    with watch() as process:  # a TaskManager is killed; stopped in the middle
        begun = feed.count_done()
        wait_for(lambda: feed.count_done() > begun)
        feed.add(2)
        kill_task_manager(cluster)
        steps(f"a TaskManager killed with {feed.count_done()} ranges done")
        cluster.start_task_manager()
        wait_for(lambda: was_restarted(cluster))
        begun = feed.count_done()
        wait_for(lambda: feed.count_done() > begun + 2)
        stop_job(cluster, process, 0)
    steps(f"stopped with {feed.count_done()} ranges done")
    assert read_report(feed.output)["ranges"]["missing"]

    expected = tmp_path / "expected"
    with watch() as process:  # a worker is killed behind a checkpoint; stopped when all is done
        run_extract(extract_command(feed.inputs, expected))
        wait_for(lambda: feed.count_done() == len(list_done(expected)))
        wait_for(lambda: count_checkpoints(cluster)["completed"])
        os.kill(find_workers(cluster)[0], signal.SIGKILL)
        steps(f"a worker killed with {feed.count_done()} ranges done")
        feed.add(3)
        run_extract(extract_command(feed.inputs, expected))
        wait_for(lambda: feed.count_done() == len(list_done(expected)))
        assert count_checkpoints(cluster)["restored"]
        steps("all done")
        completed, size = read_checkpoint(cluster)
        wait_for(lambda: read_checkpoint(cluster)[0] > completed + 2)
        assert read_checkpoint(cluster)[1] == size  # it does not grow with every look
        stop_job(cluster, process, 0)
    assert read_report(feed.output)["ranges"]["missing"] == 0
    run_extract(extract_command(feed.inputs, feed.output, SLOW))  # finds nothing to do, and sweeps up
    check_equal(feed.output, expected)
