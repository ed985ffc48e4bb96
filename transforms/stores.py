"""An output directory at any fsspec URL, in which a file appears whole or not at all."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import msgspec
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

FLAT: Final = frozenset({"s3", "gs", "gcs", "abfs"})  # object stores: a folder needs no making
BATCH: Final = 1000  # files that are fetched side by side: their text is held at once
TEMPORARY: Final = ".tmp"


class Store:
    """One output directory. Paths are relative to it, with forward slashes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._fs, root = url_to_fs(url)
        self._root = root.rstrip("/")
        self._local = isinstance(self._fs, LocalFileSystem)
        protocols = {self._fs.protocol} if isinstance(self._fs.protocol, str) else set(self._fs.protocol)
        self._is_flat = bool(protocols & FLAT)

    def full_path(self, path: str) -> str:
        """Give a path as its file system knows it."""
        return f"{self._root}/{path}"

    def url_of(self, path: str) -> str:
        """Give a path as any fsspec program would open it."""
        return f"{self.url.rstrip('/')}/{path}"

    @contextmanager
    def create(self, path: str) -> Iterator[IO[bytes]]:
        """Open a file for writing; it takes its name when the block ends, and does not appear when the block raises.

        On a disk: written beside its place, synced, renamed. Elsewhere, where a rename is a copy: written to a local
        temporary file, then sent under its own name in one go; an object appears when the last of its bytes has come.
        """
        with self._create_local(path) if self._local else self._create_remote(path) as file:
            yield file

    @contextmanager
    def _create_local(self, path: str) -> Iterator[IO[bytes]]:
        target = Path(self.full_path(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex[:12]}{TEMPORARY}")
        try:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    @contextmanager
    def _create_remote(self, path: str) -> Iterator[IO[bytes]]:
        with tempfile.NamedTemporaryFile() as file:
            yield file  # type: ignore[misc]
            file.flush()
            target = self.full_path(path)
            if not self._is_flat:
                self._fs.makedirs(target.rpartition("/")[0], exist_ok=True)
            # Not a file opened for writing: one that fails in the middle would be closed, and so appear, cut short.
            self._fs.put_file(file.name, target)

    def write_json(self, path: str, value: Any) -> None:
        """Write a value as one JSON file."""
        with self.create(path) as file:
            file.write(json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n")

    def read_json(self, path: str) -> Any:
        """Read one JSON file; None when there is none."""
        try:
            return json.loads(self._fs.cat_file(self.full_path(path)))
        except FileNotFoundError:
            return None

    def read_all_json(self, folder: str, skip: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Read every *.json of a folder but those in `skip`, by name; stores that can fetch them side by side do so."""
        names = [name for name in self.list_names(folder) if name.endswith(".json") and name not in skip]
        if not names:
            return {}
        values: dict[str, Any] = {}
        for batch in range(0, len(names), BATCH):
            values.update(self._read_batch(folder, names[batch : batch + BATCH]))
        return values

    def _read_batch(self, folder: str, names: list[str]) -> dict[str, Any]:
        if self._local:
            base = Path(self.full_path(folder))
            return {name: msgspec.json.decode((base / name).read_bytes()) for name in names}
        texts = self._fs.cat([self.full_path(f"{folder}/{name}") for name in names])
        return {path.rpartition("/")[2]: msgspec.json.decode(text) for path, text in texts.items()}

    def list_names(self, folder: str) -> list[str]:
        """Give the names in a folder, temporary files included; none when there is no folder."""
        self._fs.invalidate_cache()
        try:
            entries = self._fs.ls(self.full_path(folder), detail=False)
        except FileNotFoundError:
            return []
        return sorted(entry.rstrip("/").rpartition("/")[2] for entry in entries)

    def exists(self, path: str) -> bool:
        """Tell whether a file is there now, whatever an earlier listing said."""
        self._fs.invalidate_cache()
        return bool(self._fs.exists(self.full_path(path)))

    def find_names(self, folder: str, prefix: str) -> list[str]:
        """Give the names in a folder that begin with `prefix`; object stores list no others for it."""
        if not self._is_flat:
            return [name for name in self.list_names(folder) if name.startswith(prefix)]
        self._fs.invalidate_cache()
        entries = self._fs.find(self.full_path(folder), prefix=prefix)
        return sorted(entry.rpartition("/")[2] for entry in entries)

    def size(self, path: str) -> int:
        """Give a file's size in bytes."""
        return int(self._fs.info(self.full_path(path))["size"])

    def remove(self, path: str) -> None:
        """Remove one file, if it is there."""
        if self._fs.exists(self.full_path(path)):
            self._fs.rm_file(self.full_path(path))

    def remove_folder(self, folder: str, named: re.Pattern[str]) -> None:
        """Remove a folder's files that are named so, and the folder itself when that leaves it empty."""
        names = self.list_names(folder)
        mine = [name for name in names if named.fullmatch(name)]
        for name in mine:
            self._fs.rm_file(self.full_path(f"{folder}/{name}"))
        if self._local and names == mine and names:
            Path(self.full_path(folder)).rmdir()

    def remove_leftovers(self, folder: str, named: re.Pattern[str]) -> None:
        """Remove the temporary files, named so, that a killed run left in a folder: on a disk, elsewhere are none."""
        for name in self.list_names(folder) if self._local else ():
            if name.startswith(".") and name.endswith(TEMPORARY) and named.fullmatch(name):
                self._fs.rm_file(self.full_path(f"{folder}/{name}"))
