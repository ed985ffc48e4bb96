"""ReadWarcs and PlanRanges: archives in, pages out, one range at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import apache_beam as beam
from apache_beam.pvalue import PBegin, PCollection, TaggedOutput

from transforms.inputs import expand_inputs, find_size
from transforms.pages import Page, RangeSpec, ReadFailure, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range


class PlanRanges(beam.PTransform):
    """Paths of archives to shuffled RangeSpecs; pairs with `plan_ranges`.

    Sizes are looked up by the workers, several at a time. The Reshuffle spreads the ranges, tiny elements, over all
    workers.
    """

    def __init__(self, options: ReadOptions | None = None) -> None:
        """Plan with these limits."""
        super().__init__()
        self._options = options or ReadOptions()

    def expand(self, paths: PCollection[str]) -> PCollection[RangeSpec]:
        """Plan each path's ranges."""
        options = self._options
        return (
            paths
            | "SpreadPaths" >> beam.Reshuffle()
            | "Plan" >> beam.FlatMap(lambda path: plan_ranges(path, find_size(path, options), options.range_bytes))
            | "SpreadRanges" >> beam.Reshuffle()
        )


class ReadWarcs(beam.PTransform):
    """Ranges, or the archives that patterns name, to pages; pairs with `read_range`.

    As a root, `pipeline | ReadWarcs(["s3://bucket/*.warc.gz"])` expands the patterns, plans and reads; applied to a
    PCollection it takes RangeSpecs. With `ends` True (for writers that commit a range at a time) one output carries
    every Page and ReadFailure of a range in order, and its RangeEnd last. With `ends` False the result has two:
    `.pages` and `.failures`. Raises InputError, when the pipeline is built, for a pattern that matches nothing.
    """

    def __init__(
        self,
        patterns: Iterable[str] | str | None = None,
        *,
        prefix: str = "",
        ends: bool = True,
        options: ReadOptions | None = None,
    ) -> None:
        """Read `patterns` (lists of paths with `prefix`), or the RangeSpecs this is applied to."""
        super().__init__()
        self._patterns = [patterns] if isinstance(patterns, str) else patterns and list(patterns)
        self._prefix = prefix
        self._ends = ends
        self._options = options or ReadOptions()

    def expand(self, source: PBegin | PCollection[RangeSpec]) -> PCollection[ReadItem]:
        """Read each range."""
        if self._patterns is not None:
            paths = expand_inputs(self._patterns, prefix=self._prefix, options=self._options)
            source = source | "Paths" >> beam.Create(paths) | PlanRanges(self._options)
        read = beam.ParDo(ReadRange(self._options, ends=self._ends))
        if self._ends:
            return source | "Read" >> read
        return source | "Read" >> read.with_outputs("failures", main="pages")


class ReadRange(beam.DoFn):
    """Wraps `read_range`; streams a range's items, holding one at a time."""

    def __init__(self, options: ReadOptions, *, ends: bool) -> None:
        """Give everything in order if `ends`, else pages, with failures under their tag."""
        super().__init__()
        self._options = options
        self._ends = ends

    def process(self, spec: RangeSpec) -> Iterator[ReadItem | TaggedOutput]:
        """Read one range."""
        for item in read_range(spec, self._options):
            if self._ends or isinstance(item, Page):
                yield item
            elif isinstance(item, ReadFailure):
                yield TaggedOutput("failures", item)
