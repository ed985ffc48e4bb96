"""Ranges that are done are passed over by the worker that takes them up."""

from __future__ import annotations

from pathlib import Path

from transforms.manifests import write_manifest
from transforms.pages import RangeSpec
from transforms.pass_over_done import PassOverDoneFn
from transforms.stores import Store


def test_a_range_that_was_done_since_the_plan_was_made_is_passed_over(tmp_path: Path) -> None:
    specs = [RangeSpec("crawl/a.warc.gz", index, 3, 10 * index, 10 * index + 10, 30) for index in range(3)]
    fn = PassOverDoneFn(str(tmp_path))
    fn.setup()
    assert [spec for each in specs for spec in fn.process(each)] == specs
    write_manifest(Store(str(tmp_path)), specs[1], {"rows": 0})
    assert [spec for each in specs for spec in fn.process(each)] == [specs[0], specs[2]]


def test_a_store_that_has_listed_the_folder_before_is_asked_again() -> None:
    output = "memory://pass-over-done"
    spec = RangeSpec("crawl/a.warc.gz", 0, 1, 0, 9, 9)
    fn = PassOverDoneFn(output)
    fn.setup()
    assert list(fn.process(spec)) == [spec]
    write_manifest(Store(output), spec, {"rows": 0})
    assert list(fn.process(spec)) == []
