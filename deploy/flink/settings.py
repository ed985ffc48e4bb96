"""How the cluster on this machine is set up: Flink's configuration, its log, and Java's options."""

from __future__ import annotations

from pathlib import Path
from typing import Final

LOOPBACK: Final = "127.0.0.1"
START_SECONDS: Final = 240  # ten, where nothing else runs
TASK_MANAGER_MEMORY: Final = "1536m"  # as little as Flink's own shares of it allow; the pages are with the workers
METASPACE: Final = "512m"  # each job leaves the classes of its job server there; 256 MB were full after nine jobs
# Flink and Beam look into these packages, which Java closes since 17.
OPENED: Final = (
    "java.lang", "java.lang.reflect", "java.util", "java.util.concurrent", "java.net", "java.nio", "java.io",
    "java.text", "java.time", "sun.net.util",
)  # fmt: skip
JAVA_OPTIONS: Final = tuple(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED)
LOG_SETTINGS: Final = """\
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c - %m%n
"""


def cluster_settings(rest_port: int, rpc_port: int, folder: Path, slots: int) -> dict[str, str | int]:
    """Give flink-conf.yaml: all on loopback; a failed job is started again at once, and often enough for a test.

    The heartbeats are left as they are: with shorter ones a busy machine loses healthy TaskManagers. Until a dead one
    is missed (50 seconds), each attempt to start on it fails at once, so there must be more of them than that. Messages
    have longer than Flink's ten seconds.
    """
    return {
        "jobmanager.rpc.address": LOOPBACK,
        "jobmanager.rpc.port": rpc_port,
        "jobmanager.bind-host": LOOPBACK,
        "jobmanager.memory.process.size": "1024m",
        "rest.address": LOOPBACK,
        "rest.bind-address": LOOPBACK,
        "rest.port": rest_port,
        "taskmanager.host": LOOPBACK,
        "taskmanager.bind-host": LOOPBACK,
        "taskmanager.memory.process.size": TASK_MANAGER_MEMORY,
        "taskmanager.memory.jvm-metaspace.size": METASPACE,
        "taskmanager.numberOfTaskSlots": slots,
        "akka.ask.timeout": f"{START_SECONDS} s",
        "restart-strategy": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": 100,
        "restart-strategy.fixed-delay.delay": "1 s",
        "io.tmp.dirs": str(folder / "tmp"),
    }
