"""Web servers that ignore ranges, or answer with something else: no byte is read twice, misplaced or lost."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.transforms.test_read_picks import lay_out, plan, strip
from tests.transforms.test_read_picks import read_all as read_specs
from tests.transforms.test_read_stores import read_planned
from tests.transforms.warc_server import Shop, serve
from tests.warcs.write_warcs import make_page, make_record, pack
from transforms.inputs import find_size
from transforms.pages import Page, RangeEnd, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range
from transforms.sources import ByteSource

BLOCK = 4 << 20
LARGE = 5_000_000  # more than is held of a server that ignores ranges


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    pauses: list[float] = []
    monkeypatch.setattr("transforms.retries.time.sleep", pauses.append)
    return pauses


def make_plain(size: int) -> bytes:
    """A plain archive of exactly `size` bytes: pages, and a last record that fills it."""
    records, number = b"", 0
    while len(records) < min(size, 200_000) - 2000:
        number += 1
        records += make_page(number)
    empty = make_record("metadata", 0, b"", "Content-Type: text/plain")
    left = size - len(records) - len(empty)
    block = b"x" * (left + 1 - len(str(left)))  # the length takes room too
    data = records + make_record("metadata", 0, block, "Content-Type: text/plain")
    assert len(data) == size
    return data


@cache
def make_members(count: int) -> list[bytes]:
    return [pack([make_page(number)]) for number in range(1, count + 1)]


def count_pages(items: list[ReadItem]) -> int:
    return sum(isinstance(item, Page) for item in items)


def asked(shop: Shop) -> list[str]:
    return [wanted for command, _, wanted in shop.requests if command == "GET"]


@pytest.mark.parametrize("sizes", [True, False])
@pytest.mark.parametrize("size", [65_536, 85_000])
def test_a_small_file_is_its_bytes_once(size: int, *, sizes: bool) -> None:
    data = make_plain(size)
    with serve(Shop({"/a.warc": data}, ranges=False, sizes=sizes)) as shop:
        source = ByteSource(f"{shop.url}/a.warc", ReadOptions())
        assert source.read_at(0, BLOCK) == data
        assert source.read_at(size, BLOCK) == b""
        assert source.read_at(100, 65_536) == data[100 : 100 + 65_536]
        assert source.read_at(70_000, 9) == data[70_000:70_009]
        source.close()
    assert len(shop.requests) == 1


@pytest.mark.parametrize("sizes", [True, False])
def test_a_large_file_is_streamed(*, sizes: bool) -> None:
    data = make_plain(LARGE)
    with serve(Shop({"/a.warc": data}, ranges=False, sizes=sizes)) as shop:
        source = ByteSource(f"{shop.url}/a.warc", ReadOptions())
        pieces = [source.read_at(offset, 300_000) for offset in range(0, LARGE + 1, 300_000)]
        source.close()
    assert b"".join(pieces) == data
    assert len(shop.requests) == 2, "one finds out that ranges are ignored, and one is the stream"


@pytest.mark.parametrize("range_bytes", [20_000, LARGE])
@pytest.mark.parametrize("size", [65_536, 85_000, LARGE])
def test_an_archive_is_read_once_however_it_would_be_split(size: int, range_bytes: int) -> None:
    data = make_plain(size)
    options = ReadOptions(range_bytes=range_bytes)
    with serve(Shop({"/a.warc": data}, ranges=False)) as shop:
        items, [end] = read_planned(f"{shop.url}/a.warc", options)
    assert count_pages(items) == data.count(b"WARC-Type: response")
    assert end.failures == 0
    assert len(asked(shop)) <= (3 if size == LARGE else 2), "the plan finds out, the reader too, one is the file"


def test_finding_out_does_not_fetch_the_file() -> None:
    data = make_plain(LARGE)
    with serve(Shop({"/a.warc": data}, ranges=False)) as shop:
        assert find_size(f"{shop.url}/a.warc", ReadOptions(range_bytes=20_000)) == -1
    assert asked(shop) == ["bytes=4999999-4999999"]


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize("count", [30, 14_000])
@pytest.mark.parametrize("chosen", [slice(0, 9, 4), slice(7, 9), slice(-1, None)])
def test_picked_places_are_those_records(count: int, chosen: slice, tmp_path: Path, *, is_told: bool) -> None:
    members = make_members(count)
    places = lay_out(members)[chosen]
    found = []
    for ranges in (True, False):
        with serve(Shop({"/a.warc.gz": b"".join(members)}, ranges=ranges)) as shop:
            url = f"{shop.url}/a.warc.gz"
            rows = [(url, offset, length if is_told else -1) for offset, length in places]
            items = read_specs(plan(rows, tmp_path / str(ranges)))
        found.append([row[2:] for row in strip(items)])
    assert [row[:2] for row in found[1]] == places
    assert found[0] == found[1]
    assert len(asked(shop)) == (2 if len(b"".join(members)) > BLOCK else 1)


@pytest.mark.parametrize("fault", ["fewer", "empty"])
def test_an_answer_with_fewer_bytes_than_it_says_is_no_end_of_the_file(fault: str, no_waiting: list[float]) -> None:
    data = b"".join(make_members(30))
    options = ReadOptions(block_bytes=1000)
    with serve(Shop({"/a.warc.gz": data})) as shop:
        reading = read_range(plan_ranges(f"{shop.url}/a.warc.gz", -1)[0], options)
        items: list[ReadItem] = [next(reading)]
        shop.failures["/a.warc.gz"] = [fault, fault]
        *more, end = reading
    assert count_pages([*items, *more]) == 30
    assert isinstance(end, RangeEnd)
    assert (end.failures, end.is_whole) == (0, True)
    assert len(no_waiting) == 2


@pytest.mark.parametrize(("size", "faults"), [(85_000, ["short", "short"]), (LARGE, ["part", "short", "short"])])
def test_a_whole_file_that_ends_too_early_is_tried_again(
    size: int, faults: list[int | str], no_waiting: list[float]
) -> None:
    data = make_plain(size)
    with serve(Shop({"/a.warc": data}, ranges=False, sizes=False)) as shop:
        shop.failures["/a.warc"] = faults  # without sizes, only the plan knows better
        *items, end = read_range(plan_ranges(f"{shop.url}/a.warc", size)[0], ReadOptions())
    assert count_pages(items) == data.count(b"WARC-Type: response")
    assert isinstance(end, RangeEnd)
    assert end.failures == 0
    assert len(no_waiting) == 2


def test_another_range_than_was_asked_for_is_not_taken() -> None:
    data = make_plain(85_000)
    with serve(Shop({"/a.warc": data})) as shop:
        source = ByteSource(f"{shop.url}/a.warc", ReadOptions())
        shop.failures["/a.warc"] = ["other"]
        assert source.read_at(500, 1000) == data[500:1500]
        source.close()


def test_the_end_of_a_file_costs_no_request() -> None:
    data = make_plain(65_536)
    with serve(Shop({"/a.warc": data})) as shop:
        source = ByteSource(f"{shop.url}/a.warc", ReadOptions())
        assert source.read_at(0, BLOCK) + source.read_at(len(data), BLOCK) == data
    assert len(shop.requests) == 1


@pytest.mark.parametrize("ranges", [True, False])
def test_a_compressed_archive_that_is_labelled_as_encoded_stays_as_it_is(*, ranges: bool) -> None:
    members = make_members(30)
    with serve(Shop({"/a.warc.gz": b"".join(members)}, ranges=ranges, coding="gzip")) as shop:
        items, _ = read_planned(f"{shop.url}/a.warc.gz", ReadOptions(block_bytes=1000))
    assert [(item.offset, item.length) for item in items if isinstance(item, Page)] == lay_out(members)
