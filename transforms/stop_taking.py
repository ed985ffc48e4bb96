"""StopTaking: once a file appears, no more ranges are begun; those under way go to their ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import apache_beam as beam

from transforms.pages import RangeSpec

STOP: Final = "stop"


class StopTaking(beam.PTransform):
    """Pass ranges on until `folder`, on the workers' machine, holds a file `stop`; without a folder, always.

    Beam's local runner cannot be asked to end a run. A range that is dropped has no manifest, so it is still to do.
    """

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder

    def expand(self, ranges: beam.PCollection[RangeSpec]) -> beam.PCollection[RangeSpec]:
        """Wire the DoFn, if there is something to look for."""
        if not self._folder:
            return ranges
        return ranges | "Look" >> beam.ParDo(StopTakingFn(str(Path(self._folder) / STOP)))


class StopTakingFn(beam.DoFn):
    """Looks for the file before each range."""

    def __init__(self, path: str) -> None:
        self._path = path

    def process(self, spec: RangeSpec) -> Iterator[RangeSpec]:
        """Give the range, or drop it."""
        if not Path(self._path).exists():
            yield spec
