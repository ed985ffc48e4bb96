"""Runs whose processes are killed: started again, they end with the same rows, none twice, none missing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pipelines.runs import RANGE, has_members, read_report, read_rows, run_command, wait_for
from tests.pipelines.slow_extractor import extract_slowly

SLOW = f"--extractor={extract_slowly.__module__}:extract_slowly"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_started_again_ends_with_the_same_rows(
    archive: Path, finished: Path, tmp_path: Path, workers: int
) -> None:
    arguments = ["--input", str(archive), "--output", str(tmp_path), RANGE, f"--direct_num_workers={workers}"]
    command = [sys.executable, "-m", "pipelines.extract", *arguments, SLOW]
    planned = read_report(finished)["ranges"]["planned"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    manifests = tmp_path / "_manifests"
    wait_for(lambda: manifests.exists() and any(manifests.glob("*.json")))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = len(list(manifests.glob("*.json")))
    assert 0 < done < planned
    wait_for(lambda: not has_members(process.pid))
    again = run_command(*arguments)
    assert again.returncode == 0, again.stderr
    assert read_rows(tmp_path) == read_rows(finished)
    assert read_report(tmp_path)["ranges"]["done_before"] >= done
    assert not list(tmp_path.rglob("*.tmp"))


@contextmanager
def start_run(archive: Path, output: Path) -> Iterator[subprocess.Popen[str]]:
    arguments = ["--input", str(archive), "--output", str(output), RANGE, "--direct_num_workers=2", SLOW]
    command = [sys.executable, "-m", "pipelines.extract", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            yield process
        finally:
            if has_members(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


def find_members(group: int, word: str) -> list[int]:
    """Give the processes of a group whose command line holds a word."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and word in read_command(folder):
            pid = int(folder.name)
            found += [pid] if os.getpgid(pid) == group else []
    return found


def read_command(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_text()
    except OSError:  # it ended meanwhile
        return ""


def test_a_killed_worker_ends_the_run_and_the_next_one_goes_on(archive: Path, finished: Path, tmp_path: Path) -> None:
    with start_run(archive, tmp_path) as process:
        wait_for(lambda: any((tmp_path / "_manifests").glob("*.json")))
        os.kill(find_members(process.pid, "local_worker")[0], signal.SIGKILL)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "give the same command again to go on" in error
        assert "Traceback" not in error
        wait_for(lambda: not has_members(process.pid))
    again = run_command("--input", str(archive), "--output", str(tmp_path), RANGE)
    assert again.returncode == 0, again.stderr
    assert read_rows(tmp_path) == read_rows(finished)
    assert read_report(tmp_path)["ranges"]["done_before"] > 0


def test_a_killed_child_costs_nothing(archive: Path, finished: Path, tmp_path: Path) -> None:
    with start_run(archive, tmp_path) as process:
        wait_for(lambda: any((tmp_path / "_manifests").glob("*.json")))
        for child in find_members(process.pid, "page_worker"):
            os.kill(child, signal.SIGKILL)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 0, error
    assert read_rows(tmp_path) == read_rows(finished)
    assert read_report(tmp_path)["failures"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_at_once_and_says_how_to_go_on(
    archive: Path, tmp_path: Path, number: signal.Signals
) -> None:
    command = [
        sys.executable,
        "-m",
        "pipelines.extract",
        "--input",
        str(archive),
        "--output",
        str(tmp_path),
        RANGE,
        SLOW,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_for(lambda: (tmp_path / "_manifests").exists())
    os.killpg(process.pid, number)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert error.splitlines()[-1].endswith("interrupted: give the same command again to go on")
    assert "Traceback" not in error
    wait_for(lambda: not has_members(process.pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_while_it_plans_ends_as_well(tmp_path: Path, number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # which never answers
        address = f"http://127.0.0.1:{server.getsockname()[1]}/warc.paths"
        command = [sys.executable, "-m", "pipelines.extract", "--input", address, "--output", str(tmp_path / "out")]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        server.settimeout(30)
        connection, _ = server.accept()
        with connection:
            process.send_signal(number)
            _, error = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert error.splitlines()[-1].endswith("interrupted: give the same command again to go on")
    assert error.count("\n") == 1


def test_ctrl_c_while_the_command_loads_leaves_no_traceback() -> None:
    command = [sys.executable, "-m", "pipelines.extract", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        loaded = Path(f"/proc/{process.pid}/maps")
        wait_for(lambda: process.poll() is not None or "pyarrow" in loaded.read_text() or "grpc" in loaded.read_text())
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert process.returncode in {-signal.SIGINT, 0, 130}
    assert "Traceback" not in error
