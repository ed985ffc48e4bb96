"""LookOut: which archives are there by now, of those that patterns name, and whole."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any, Final

from transforms.inputs import NOT_UTF8, InputError, NoMatchError, find_inputs, is_utf8
from transforms.read_options import ReadOptions
from transforms.retries import store_errors
from transforms.sources import find_store

WHOLE_SCHEMES: Final = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "http", "https", "memory"})

log = logging.getLogger("danubia")


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found: archives that may be read, how many are still being written, how many patterns failed.

    `again` are the archives that were known before and are still there.
    """

    ready: list[str]
    waiting: int
    failed: int
    again: list[str]


class LookOut:
    """Looks again and again for archives that are new.

    Objects of object stores, and what web servers list, are whole when they appear. Any other file is taken when its
    size and time of change have been the same for `settle_seconds`: by that time, or by two looks where it lies in the
    future or is not told. Empty files, and names that are hidden, temporary or no UTF-8, are not taken. A pattern that
    matches nothing yet is no error.
    """

    def __init__(
        self,
        patterns: Iterable[str],
        *,
        prefix: str = "",
        settle_seconds: float = 30,
        options: ReadOptions | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._patterns = tuple(patterns)
        self._prefix = prefix
        self._settle_seconds = settle_seconds
        self._options = options or ReadOptions()
        self._clock = clock
        self._refused: set[str] = set()
        self._seen: dict[str, tuple[Any, float]] = {}  # what a file was like, and since when it has been so

    def look(self, known: Container[str] = ()) -> Look:
        """Look once; archives in `known` are not looked at closer."""
        names: dict[str, None] = {}
        again: dict[str, None] = {}
        failed = 0
        for pattern in self._patterns:
            try:
                for name in self._list(pattern):
                    (again if name in known else names)[name] = None
            except InputError as error:
                failed += 1
                log.warning("%s", error)
        self._seen = {name: seen for name, seen in self._seen.items() if name in names}
        ready = [name for name in names if self._is_whole(name)]
        return Look(ready, len(names) - len(ready), failed, list(again))

    def _list(self, pattern: str) -> list[str]:
        try:
            find_store(pattern, self._options)[0].invalidate_cache()
            found = find_inputs([pattern], prefix=self._prefix, options=self._options)
        except NoMatchError:
            return []
        return [name for name in found if self._is_named(name)]

    def _is_named(self, name: str) -> bool:
        if is_utf8(name):
            return True
        if name not in self._refused:
            self._refused.add(name)
            log.error("%r is not taken: %s", name, NOT_UTF8)
        return False

    def _is_whole(self, name: str) -> bool:
        if name.partition("://")[0] in WHOLE_SCHEMES and "://" in name:
            return True
        try:
            filesystem, path = find_store(name, self._options)
            info = filesystem.info(path)
        except store_errors():  # listed, but not there, or not to be reached: perhaps at the next look
            return False
        now, size, changed = self._clock(), info.get("size"), info.get("mtime")
        if not size:
            return False
        state, since = self._seen.get(name, (None, now))
        if state != (size, changed):
            since = now
        self._seen[name] = ((size, changed), since)
        if isinstance(changed, int | float) and changed <= now:
            since = min(since, changed)
        return now - since >= self._settle_seconds
