"""A file of the project that is written by a program: written anew, or only compared."""

from __future__ import annotations

import sys
from pathlib import Path


def keep_file(target: Path, text: str, module: str, arguments: list[str]) -> int:
    """Write a generated file, or with `--check` only compare it.

    Args:
        target: the file; its folder is made where it is missing.
        text: what belongs into it.
        module: what `python -m` calls to write it, for the messages.
        arguments: of the command line: none, or `--check`.

    Returns:
        The exit status: 0, 1 where the file is out of date, 2 for other arguments.
    """
    if arguments == ["--check"]:
        if target.exists() and target.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write(f"{target} is out of date: run python -m {module}\n")
        return 1
    if arguments:
        sys.stderr.write(f"usage: python -m {module} [--check]\n")
        return 2
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return 0
