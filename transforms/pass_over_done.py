"""PassOverDone: of the ranges that come, those that have no manifest yet."""

from __future__ import annotations

from collections.abc import Iterator

import apache_beam as beam

from transforms.manifests import MANIFESTS, manifest_name
from transforms.pages import RangeSpec
from transforms.stores import Store


class PassOverDone(beam.PTransform):
    """Drop ranges that are done by the time a worker takes them up; `output` is the URL that WriteRows writes to.

    A runner that lost a worker hands out again everything that it had handed out: on Flink in batch the whole plan,
    however much of it was done. One look for a manifest a range spares all of that work.
    """

    def __init__(self, output: str) -> None:
        super().__init__()
        self._output = output

    def expand(self, ranges: beam.PCollection[RangeSpec]) -> beam.PCollection[RangeSpec]:
        """Wire the DoFn."""
        return ranges | "Look" >> beam.ParDo(PassOverDoneFn(self._output))


class PassOverDoneFn(beam.DoFn):
    """Keeps the connection to the output."""

    def __init__(self, output: str) -> None:
        self._output = output

    def setup(self) -> None:
        """Connect."""
        self._store = Store(self._output)

    def process(self, spec: RangeSpec) -> Iterator[RangeSpec]:
        """Give the range if it is to do."""
        if not self._store.exists(f"{MANIFESTS}/{manifest_name(spec)}"):
            yield spec
