"""How the tests of Flink start the command on a cluster, and what they ask the cluster."""

from __future__ import annotations

import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from deploy.flink.local_cluster import FlinkCluster
from tests.engines.runs import extract_command, start_command, stop_command, wait_for


def start_job(
    cluster: FlinkCluster, crawl: Path, output: Path, *options: str
) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start the command on the cluster; in the end its job server is gone too, and so is its job."""
    command = extract_command(crawl, output, *options, *cluster.job_options())
    return start_command(command, cluster.job_environment())


def stop_job(cluster: FlinkCluster, process: subprocess.Popen[str], status: int) -> str:
    """Ask the command to end, and see that it leaves nothing running; gives what it said."""
    said = stop_command(process, status)
    wait_for(lambda: find_jobs(cluster)[0]["state"] == "CANCELED", 60)
    return said


def find_jobs(cluster: FlinkCluster) -> list[dict[str, Any]]:
    """Flink's jobs, the latest first."""
    jobs = (cluster.ask("/jobs/overview") or {"jobs": []})["jobs"]
    return sorted(jobs, key=lambda job: -job["start-time"])


def find_workers(cluster: FlinkCluster) -> list[int]:
    """The worker processes that live below the pool, the latest first; those of the job before stay for a minute."""
    assert cluster.worker_pool is not None
    pool = Path(f"/proc/{cluster.worker_pool.pid}/task")
    workers = [int(pid) for task in pool.iterdir() for pid in (task / "children").read_text().split()]
    return sorted(workers, key=find_start, reverse=True)


def find_start(pid: int) -> int:
    """When a process was started, in the kernel's ticks (proc(5), field 22)."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def kill_task_manager(cluster: FlinkCluster) -> None:
    next(process for process in cluster.task_managers if process.poll() is None).kill()


def was_restarted(cluster: FlinkCluster) -> bool:
    """Whether Flink began the latest job anew."""
    found = cluster.ask(f"/jobs/{find_jobs(cluster)[0]['jid']}")
    return bool(found["timestamps"]["RESTARTING"])
