"""ReadWarcs in a pipeline, as the main job and as a user's own."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from tests.warcs.write_warcs import FOLDER, make_page, pack
from transforms.inputs import InputError
from transforms.pages import Page, RangeEnd, RangeSpec, ReadFailure, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range
from transforms.read_warcs import PlanRanges, ReadWarcs

RUNNER = "FnApiRunner"


class CheckOrder(beam.DoFn):
    """Gives each range's count once its end comes, having seen exactly its items before it."""

    def __init__(self) -> None:
        self._seen: list[ReadItem] = []

    def process(self, item: ReadItem) -> Iterator[tuple[int, int, int]]:
        if not isinstance(item, RangeEnd):
            self._seen.append(item)
            return
        assert len(self._seen) == item.pages + item.failures
        assert {seen.range for seen in self._seen} <= {item.range}
        self._seen = []
        yield (item.range.index, item.pages, item.failures)


def test_a_range_comes_whole_in_order_and_its_end_last(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(pack([make_page(number) for number in range(1, 21)]))
    specs = plan_ranges(str(path), path.stat().st_size, 1000)
    ends_alone = [list(read_range(spec))[-1] for spec in specs]
    expected = [(end.range.index, end.pages, end.failures) for end in ends_alone if isinstance(end, RangeEnd)]
    assert sum(pages for _, pages, _ in expected) == 20
    with beam.Pipeline(RUNNER) as pipeline:
        ends = pipeline | beam.Create(specs) | ReadWarcs() | beam.ParDo(CheckOrder())
        assert_that(ends, equal_to(expected))


def test_pages_and_failures_for_a_users_own_pipeline() -> None:
    patterns = [
        str(FOLDER / "good.warc.gz"),
        str(FOLDER / "damaged_checksum.warc.gz"),
        str(FOLDER / "xml_error.warc.gz"),
    ]
    with beam.Pipeline(RUNNER) as pipeline:
        read = pipeline | ReadWarcs(patterns, ends=False)
        urls = read.pages | "Urls" >> beam.Map(lambda page: page.url.rpartition("/")[2])
        errors = read.failures | "Errors" >> beam.Map(lambda failure: failure.error)
        assert_that(urls, equal_to(["1", "2", "3", "4", "1", "3", "4", "5"]), label="urls")
        assert_that(errors, equal_to(["MemberError", "NotAnArchiveError"]), label="errors")


def test_planning_looks_up_sizes_and_splits(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(bytes(2500))
    with beam.Pipeline(RUNNER) as pipeline:
        specs = (
            pipeline | beam.Create([str(path), str(tmp_path / "none.warc")]) | PlanRanges(ReadOptions(range_bytes=1000))
        )
        expected = [*plan_ranges(str(path), 2500, 1000), RangeSpec(str(tmp_path / "none.warc"), 0, 1, 0, -1, -1)]
        assert_that(specs, equal_to(expected))


def test_no_match_is_told_when_the_pipeline_is_built(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no input matches"):
        beam.Pipeline(RUNNER) | ReadWarcs(f"{tmp_path}/*.warc.gz")


def test_elements_survive_pickling() -> None:
    spec = RangeSpec(str(FOLDER / "damaged_checksum.warc.gz"), 0, 1, 0, -1, -1)
    items = list(read_range(spec))
    assert pickle.loads(pickle.dumps(items)) == items
    assert {type(item) for item in items} == {Page, ReadFailure, RangeEnd}
