"""A whole Flink cluster on this machine's loopback: a JobManager, TaskManagers, and a pool of Beam's Python workers.

    python -m deploy.flink.local_cluster                       # until Ctrl-C; says how to submit
    python -m deploy.flink.local_cluster -- --input "$PWD/crawl" --output "$PWD/out"    # runs pipelines.extract on it

Ports are free ones. Every process is stopped at the end, also after a failure; their logs stay in --folder when it is
given. Exit status: the job's.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from deploy.flink.install import HERE, Installed, InstallError, find_java, install
from deploy.flink.settings import JAVA_OPTIONS, LOG_SETTINGS, LOOPBACK, START_SECONDS, cluster_settings

START_TRIES: Final = 3
END_SECONDS: Final = 10
JOB_MANAGER_HEAP: Final = "-Xmx512m"
UTILS_PREFIX: Final = "BASH_JAVA_UTILS_EXEC_RESULT:"
ROOT: Final = HERE.parents[1]


class ClusterError(RuntimeError):
    """The cluster did not come up; the message says what to read."""


def choose_ports(count: int) -> list[int]:
    """Give ports of the loopback that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((LOOPBACK, 0))
        return [each.getsockname()[1] for each in sockets]


class FlinkCluster:
    """The processes of one cluster; a context manager that starts and stops them.

    `folder` takes the configuration and a log for each process. `environment` is added to that of the workers.
    """

    def __init__(
        self,
        installed: Installed,
        folder: Path,
        *,
        task_managers: int = 2,
        slots: int = 2,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._installed = installed
        self._folder = folder
        self._count = task_managers
        self._slots = slots
        self._environment = dict(environment or {})
        self._java = find_java()
        self._rest_port, rpc_port, self._pool_port = choose_ports(3)
        self._settings = cluster_settings(self._rest_port, rpc_port, folder, slots)
        self._processes: list[subprocess.Popen[bytes]] = []
        self.task_managers: list[subprocess.Popen[bytes]] = []
        self.worker_pool: subprocess.Popen[bytes] | None = None

    @property
    def parallelism(self) -> int:
        """How many subtasks run at once."""
        return self._count * self._slots

    def job_options(self) -> list[str]:
        """Give the Beam options that send a job here."""
        return [
            "--runner=FlinkRunner",
            f"--flink_master={LOOPBACK}:{self._rest_port}",
            f"--flink_job_server_jar={self._installed.job_server}",
            "--environment_type=EXTERNAL",
            f"--environment_config={LOOPBACK}:{self._pool_port}",
            f"--parallelism={self.parallelism}",
        ]

    def job_environment(self) -> dict[str, str]:
        """Give the environment for the command that submits: Beam's job server runs below it, and is Java too."""
        return {**os.environ, "JAVA_TOOL_OPTIONS": " ".join(JAVA_OPTIONS)}

    def __enter__(self) -> Self:
        """Start all of it; returns once every TaskManager has offered its slots. Raises ClusterError."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Stop all of it."""
        self.stop()

    def _start(self) -> None:
        (self._folder / "tmp").mkdir(parents=True, exist_ok=True)
        lines = [f"{name}: {value}" for name, value in self._settings.items()]
        (self._folder / "flink-conf.yaml").write_text("\n".join(lines) + "\n")
        (self._folder / "log4j.properties").write_text(LOG_SETTINGS)
        self._start_pool()
        self.bring_up()

    def bring_up(self) -> None:
        """Start Flink's processes; returns once every TaskManager has offered its slots. Raises ClusterError."""
        self._start_job_manager()
        for _ in range(self._count):
            self.start_task_manager()
        self.wait_for(self._has_all_slots, "the TaskManagers")

    def kill(self) -> None:
        """Kill Flink's processes, as a power cut would; the pool of workers stays."""
        for process in [each for each in self._processes if each is not self.worker_pool]:
            signal_group(process, signal.SIGKILL)
            process.wait()
            self._processes.remove(process)
        self.task_managers.clear()

    def _start_job_manager(self) -> None:
        """Start the JobManager; one that gives up on a busy machine, where its parts have ten seconds, once more."""
        entry = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
        for _ in range(START_TRIES):
            process = self._start_java("jobmanager", [JOB_MANAGER_HEAP], entry, [])
            self.wait_for(partial(self._is_up_or_gone, process), "the JobManager")
            if process.poll() is None:
                return
        log = (self._folder / "jobmanager.log").read_text(errors="replace")
        raise ClusterError(f"the JobManager ended {START_TRIES} times; the end of its log:\n{log[-3000:]}")

    def _is_up_or_gone(self, process: subprocess.Popen[bytes]) -> bool:
        return process.poll() is not None or self.ask("/overview") is not None

    def _has_all_slots(self) -> bool:
        """Tell whether all slots are on offer; a TaskManager that gave up, as a JobManager may, is started again."""
        for process in [each for each in self.task_managers if each.poll() is not None]:
            self.task_managers.remove(process)
            self.start_task_manager()
        return self.count_slots() == self.parallelism

    def start_task_manager(self) -> subprocess.Popen[bytes]:
        """Start one more TaskManager, without waiting for it."""
        flags, options = self._ask_memory()
        entry = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
        process = self._start_java(f"taskmanager-{len(self._processes)}", flags, entry, options)
        self.task_managers.append(process)
        return process

    def _ask_memory(self) -> tuple[list[str], list[str]]:
        """Give a TaskManager's JVM flags and its `-D` options, as Flink's own start script asks for them."""
        bin_folder = self._installed.flink / "bin"
        classes = f"{bin_folder / 'bash-java-utils.jar'}:{self._classes}"
        asked = "org.apache.flink.runtime.util.bash.BashJavaUtils"
        command = [self._java, "-cp", classes, asked, "GET_TM_RESOURCE_PARAMS", "--configDir", str(self._folder)]
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=START_SECONDS)
        found = [line.removeprefix(UTILS_PREFIX) for line in said.stdout.splitlines() if line.startswith(UTILS_PREFIX)]
        if len(found) != 2:
            raise ClusterError(f"Flink did not tell a TaskManager's memory: {said.stderr[-2000:]}")
        return found[0].split(), found[1].split()

    @property
    def _classes(self) -> str:
        return f"{self._installed.flink / 'lib'}/*"

    def _start_java(
        self, name: str, flags: Sequence[str], entry: str, options: Sequence[str]
    ) -> subprocess.Popen[bytes]:
        logs = [f"-Dlog4j.configurationFile=file:{self._folder / 'log4j.properties'}"]
        command = [self._java, *flags, *JAVA_OPTIONS, *logs, "-cp", self._classes, entry]
        return self._start_process(name, [*command, "--configDir", str(self._folder), *options], dict(os.environ))

    def _start_pool(self) -> None:
        """Start the pool, which starts a worker for each TaskManager that asks."""
        environment = {
            **os.environ,
            **self._environment,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        }
        pool = ["-m", "deploy.flink.worker_pool", f"--port={self._pool_port}"]
        self.worker_pool = self._start_process("workers", [sys.executable, *pool], environment)
        self.wait_for(lambda: listens(self._pool_port), "the pool of workers")

    def _start_process(self, name: str, command: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self._folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, env=environment, cwd=self._folder, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self._processes.append(process)
        return process

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = START_SECONDS) -> None:
        """Wait until `condition` holds. Raises ClusterError that names `what` was waited for."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise ClusterError(f"waited {seconds:g} s for {what}; logs in {self._folder}")
            time.sleep(0.1)

    def ask(self, path: str) -> Any:
        """Give Flink's answer at a path of its REST interface; None while it does not answer."""
        try:
            with urllib.request.urlopen(f"http://{LOOPBACK}:{self._rest_port}{path}", timeout=10) as answer:
                return json.load(answer)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return None

    def count_slots(self) -> int:
        """Give how many slots the TaskManagers offer just now."""
        return int((self.ask("/overview") or {}).get("slots-total", 0))

    def stop(self) -> None:
        """Stop every process that was started, with all that they started; the last ones first."""
        for process in reversed(self._processes):
            signal_group(process, signal.SIGTERM)
        deadline = time.monotonic() + END_SECONDS
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            signal_group(process, signal.SIGKILL)
            process.wait()
        self._processes.clear()


def listens(port: int) -> bool:
    """Tell whether something on loopback takes connections at a port."""
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0


def signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a process that leads a group, and to what it started, if any of them is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def run_job(cluster: FlinkCluster, arguments: Sequence[str]) -> int:
    """Run `python -m pipelines.extract` on the cluster; gives its exit status."""
    command = [sys.executable, "-m", "pipelines.extract", *arguments, *cluster.job_options()]
    return subprocess.run(command, env=cluster.job_environment(), check=False).returncode


def serve(cluster: FlinkCluster) -> int:
    """Say how to submit, and wait for Ctrl-C."""
    options = " \\\n    ".join(cluster.job_options())
    print(f"export JAVA_TOOL_OPTIONS='{' '.join(JAVA_OPTIONS)}'")
    print(f"python -m pipelines.extract --input … --output … \\\n    {options}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
    return 0


def end_gently(*_: object) -> None:
    """Answer SIGTERM as Ctrl-C is answered: the processes are stopped on the way out."""
    raise KeyboardInterrupt


def main() -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m deploy.flink.local_cluster", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--task-managers", type=int, default=2, metavar="N", help="(2)")
    parser.add_argument("--slots", type=int, default=2, metavar="N", help="of each TaskManager (2)")
    parser.add_argument("--folder", type=Path, help="for configuration and logs; else a temporary one")
    parser.add_argument("job", nargs="*", metavar="JOB", help="after `--`: options of pipelines.extract")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, end_gently)
    try:
        with contextlib.ExitStack() as stack:
            folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="danubia-flink-")))
            cluster = FlinkCluster(install(), folder.absolute(), task_managers=given.task_managers, slots=given.slots)
            stack.enter_context(cluster)
            return run_job(cluster, given.job) if given.job else serve(cluster)
    except (InstallError, ClusterError) as error:
        sys.stderr.write(f"python -m deploy.flink.local_cluster: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
