"""The shell scripts of the project, by ShellCheck."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_shell_scripts_are_sound() -> None:
    scripts = [ROOT / ".ci/run", *ROOT.glob("deploy/*/*.sh")]
    assert ROOT / "deploy/dataflow/launch.sh" in scripts
    checked = subprocess.run(
        [Path(sys.executable).with_name("shellcheck"), "--enable=require-variable-braces", *scripts],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (checked.returncode, checked.stdout) == (0, "")
