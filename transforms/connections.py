"""A bound on the requests that all workers of one machine have under way at once, whatever started them.

A slot is a lock on one of `count` files in a folder of the machine's temporary directory. The system frees the slots of
a process that dies. Workers in containers of their own share no such folder, and each container has the bound alone.
"""

from __future__ import annotations

import fcntl
import getpass
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

CHECK_SECONDS: Final = 0.02


def slot_folder() -> Path:
    """Give the folder of this user's slots on this machine."""
    return Path(tempfile.gettempdir()) / f"danubia-connections-{getpass.getuser()}"


class Slot:
    """One of `count` slots, or nothing to wait for where `count` is 0."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._file: int | None = None

    def take(self) -> None:
        """Wait until a slot is free, and keep it."""
        if self._count <= 0 or self._file is not None:
            return
        folder = slot_folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        while True:
            for index in random.sample(range(self._count), self._count):
                file = os.open(folder / f"{index}.lock", os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(file)
                else:
                    self._file = file
                    return
            time.sleep(CHECK_SECONDS * (0.5 + random.random()))

    def free(self) -> None:
        """Give the slot back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep a slot while the block runs; one that is kept already stays kept."""
        if self._file is not None:
            yield
            return
        self.take()
        try:
            yield
        finally:
            self.free()
