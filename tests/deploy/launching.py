"""Runs launch.sh with stand-ins for the programs that it starts, and gives the command lines that these got."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

LAUNCH: Final = Path(__file__).parents[2] / "deploy/dataflow/launch.sh"
IMAGE: Final = "us-central1-docker.pkg.dev/mill-project/danubia"
PLACE: Final = {"PROJECT": "mill-project", "REGION": "us-central1", "BUCKET": "mills", "IMAGE": IMAGE, "TAG": "t1"}
STAND_IN: Final = r"""#!/bin/sh
for word in "$(basename "$0")" "$@"; do printf '%s\0' "$word" >> "$CALLS"; done
printf '\n\0' >> "$CALLS"
"""


def launch(folder: Path, *arguments: str, **settings: str) -> list[list[str]]:
    """Give the command lines, program first, that the script started."""
    calls = folder / "calls"
    calls.write_bytes(b"")
    for name in ("python", "gcloud", "docker"):
        program = folder / name
        program.write_text(STAND_IN)
        program.chmod(0o755)
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "CALLS": str(calls), **PLACE, **settings}
    subprocess.run([LAUNCH, *arguments], check=True, env=environment, timeout=60)
    lines = calls.read_bytes().decode().split("\n\0")[:-1]
    return [line.split("\0")[:-1] for line in lines]


def submission(folder: Path, *arguments: str, **settings: str) -> list[str]:
    """Give the arguments of `python -m pipelines.extract` that `launch.sh submit` gives it."""
    ((program, flag, module, *rest),) = launch(folder, "submit", *arguments, **settings)
    assert (program, flag, module) == ("python", "-m", "pipelines.extract")
    return rest
