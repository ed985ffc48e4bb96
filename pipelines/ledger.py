"""What a watch knows: the archives it has seen, their ranges, and the manifests of those that are done."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pipelines.options import RunOptions
from pipelines.report import Run, build_report
from transforms.manifests import OutputError, is_to_retry, manifest_name
from transforms.pages import RangeSpec
from transforms.plan_new import plan_new

FIRST_RETRY_SECONDS: Final = 60.0
LAST_RETRY_SECONDS: Final = 3600.0

Manifest = dict[str, Any]

log = logging.getLogger("danubia")


class Ledger:
    """Ranges by the names of their manifests, and the manifests; `manifests` are those that were there at the start."""

    def __init__(self, manifests: Mapping[str, Manifest], range_bytes: int) -> None:
        self._range_bytes = range_bytes
        self._earlier: defaultdict[str, dict[str, Manifest]] = defaultdict(dict)
        for name, manifest in manifests.items():
            self._earlier[manifest["warc"]][name] = manifest
        self._plan = {name: make_range(manifest) for name, manifest in manifests.items()}
        self._retries: dict[str, tuple[float, float]] = {}  # by name: when to try again, and how long that was
        self.before = dict(manifests)
        self.now: dict[str, Manifest] = {}
        self.known: dict[str, int] = {}  # the size by which an archive was taken in
        self.changed: set[str] = set()

    @property
    def plan(self) -> list[RangeSpec]:
        """All ranges, those of archives that are no longer there among them."""
        return list(self._plan.values())

    @property
    def names(self) -> frozenset[str]:
        """The names of all manifests that are known."""
        return frozenset(self.before.keys() | self.now.keys())

    def add(self, archive: str, size: int) -> None:
        """Take in an archive of `size` bytes. One that has changed since part of it was done is told of, and left."""
        self.known[archive] = size
        try:
            plan = plan_new(archive, size, self._earlier.pop(archive, {}), self._range_bytes)
        except OutputError as error:
            self.changed.add(archive)
            log.error("%s", error)
            return
        self._plan |= {manifest_name(spec): spec for spec in plan.ranges}

    def compare(self, archive: str, size: int) -> None:
        """Tell, once, of an archive whose size is no longer the one by which it was taken in. It is left.

        One of which nothing could be read is tried again in any case.
        """
        before = self.known[archive]
        if size != before and archive not in self.changed and not self.find_unread([archive]):
            self.changed.add(archive)
            log.error(
                "%s has changed since it was taken (it was %d bytes, it is %d), and is left", archive, before, size
            )

    def list_to_do(self) -> list[RangeSpec]:
        """Give the ranges that are to do, largest first."""
        names = self.names
        to_do = [spec for name, spec in self._plan.items() if name not in names]
        return sorted(to_do, key=lambda spec: -spec.fetch_bytes)

    def record(self, manifests: Mapping[str, Manifest], time: float) -> None:
        """Take in what was done by `time`; ranges that went wrong are due again after a minute, two, … an hour."""
        self.now |= {name: manifest for name, manifest in manifests.items() if name in self._plan}
        for name, manifest in manifests.items():
            if is_to_retry(manifest):
                pause = min(2 * self._retries.get(name, (0, FIRST_RETRY_SECONDS / 2))[1], LAST_RETRY_SECONDS)
                self._retries[name] = (time + pause, pause)
            else:
                self._retries.pop(name, None)

    def reckon(self, options: RunOptions, seconds: float) -> dict[str, Any]:
        """Give the report on all that the output holds; `seconds` were spent on it by this process."""
        done = list(self.before.values()), list(self.now.values())
        report = build_report(Run(options.output, self.plan, *done, seconds, options.max_failure_rate))
        if self.changed:
            names = ", ".join(sorted(self.changed)[:3])
            report["problems"].append(f"{len(self.changed)} archives have changed since they were read: {names}")
            report["ok"] = False
        return report

    def take_retries(self, time: float) -> dict[str, Manifest]:
        """Give the manifests of the ranges that are due again, which count as to do from now on."""
        due = [name for name, (when, _) in self._retries.items() if when <= time and name in self.now]
        return {name: self.now.pop(name) for name in due}

    def find_unread(self, archives: Iterable[str]) -> dict[str, int]:
        """Give those archives of which nothing is done, or only what is to be tried again, and the sizes they had."""
        done = {each["warc"] for each in (*self.before.values(), *self.now.values()) if not is_to_retry(each)}
        return {archive: self.known[archive] for archive in archives if archive in self.known and archive not in done}

    def forget(self, archive: str) -> dict[str, Manifest]:
        """Let the next look take an archive in as it is then; gives the manifests that are of it as it was."""
        self._plan = {name: spec for name, spec in self._plan.items() if spec.warc != archive}
        del self.known[archive]
        names = [name for name, manifest in self.now.items() if manifest["warc"] == archive]
        return {name: self.now.pop(name) for name in names}


def make_range(manifest: Mapping[str, Any]) -> RangeSpec:
    """Give the range that a manifest is of."""
    return RangeSpec(*(manifest[name] for name in ("warc", "index", "count", "start", "end", "size")))


def count_rows(manifests: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Give the rows and the failures of some ranges."""
    found = list(manifests)
    return sum(manifest["rows"] for manifest in found), sum(manifest["failures"] for manifest in found)
