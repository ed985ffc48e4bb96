"""Archives on other stores than the local disk: memory, web servers of several manners."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest

from tests.transforms.warc_server import Shop, serve
from tests.warcs.write_warcs import FOLDER, make_page, pack
from transforms.connections import Slot, slot_folder
from transforms.inputs import find_size
from transforms.pages import Page, RangeEnd, ReadFailure, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range

DATA = pack([make_page(number) for number in range(1, 31)])
SMALL = ReadOptions(range_bytes=3000, block_bytes=1000, lookback_bytes=500, attempts=3, retry_seconds=5)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    pauses: list[float] = []
    monkeypatch.setattr("transforms.retries.time.sleep", pauses.append)
    return pauses


def read_planned(url: str, options: ReadOptions = SMALL) -> tuple[list[ReadItem], list[RangeEnd]]:
    items: list[ReadItem] = []
    ends: list[RangeEnd] = []
    for spec in plan_ranges(url, find_size(url, options), options.range_bytes):
        *found, end = read_range(spec, options)
        items += found
        assert isinstance(end, RangeEnd)
        ends.append(end)
    return items, ends


def numbers(items: list[ReadItem]) -> list[int]:
    return [int(item.url.rpartition("/")[2]) for item in items if isinstance(item, Page)]


ALL = list(range(1, 31))


def test_memory() -> None:
    with fsspec.open("memory://crawl/a.warc.gz", "wb") as file:
        file.write(DATA)
    items, ends = read_planned("memory://crawl/a.warc.gz")
    assert numbers(items) == ALL
    assert len(ends) == 4


def test_file_url() -> None:
    url = (FOLDER / "good.warc.gz").as_uri()
    items, _ = read_planned(url)
    assert numbers(items) == [1, 2, 3, 4]
    assert isinstance(items[0], Page)
    assert items[0].warc == url


def test_web_server_with_ranges_is_read_in_ranges() -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        items, ends = read_planned(f"{shop.url}/a.warc.gz")
    assert numbers(items) == ALL
    assert len(ends) == 4
    assert [end.pages for end in ends] != [30, 0, 0, 0]
    asked = [wanted for command, _, wanted in shop.requests if command == "GET"]
    assert all(asked), "no request may ask for the whole file"


@pytest.mark.parametrize("sizes", [True, False])
def test_web_server_without_ranges_is_read_as_one_stream(*, sizes: bool) -> None:
    with serve(Shop({"/a.warc.gz": DATA}, ranges=False, sizes=sizes)) as shop:
        items, ends = read_planned(f"{shop.url}/a.warc.gz")
        assert numbers(items) == ALL
        assert len(ends) == 1


def test_passing_faults_are_retried(no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        url = f"{shop.url}/a.warc.gz"
        spec = plan_ranges(url, len(DATA))[0]
        shop.failures["/a.warc.gz"] = [503, 500]
        *items, end = read_range(spec, SMALL)
    assert numbers(items) == ALL
    assert end.failures == 0
    assert len(no_waiting) == 2
    assert all(0.2 < pause < 4 for pause in no_waiting)


@pytest.mark.parametrize("fault", [403, 429, 502, 503, "reset", "short", "part"])
def test_every_fault_that_passes_is_survived(fault: int | str, no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        url = f"{shop.url}/a.warc.gz"
        shop.failures["/a.warc.gz"] = [fault, fault]
        *items, end = read_range(plan_ranges(url, len(DATA))[0], SMALL)
    assert numbers(items) == ALL
    assert isinstance(end, RangeEnd)
    assert end.is_whole
    assert len(no_waiting) == (0 if fault == "part" else 2)


@pytest.mark.parametrize("fault", [403, 429, 503, "reset", "short"])
def test_every_fault_that_stays_is_a_failure_with_the_address(fault: int | str, no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        url = f"{shop.url}/a.warc.gz"
        shop.failures["/a.warc.gz"] = [fault] * 9
        failure, end = read_range(plan_ranges(url, len(DATA))[0], SMALL)
    assert isinstance(failure, ReadFailure)
    assert url in failure.message
    assert isinstance(end, RangeEnd)
    assert not end.is_whole, "the next run reads it anew"
    assert len(no_waiting) == SMALL.attempts - 1


def test_a_server_that_is_away_is_a_failure_with_the_address(no_waiting: list[float]) -> None:
    with serve(Shop({})) as shop:
        url = f"{shop.url}/a.warc.gz"
    assert find_size(url, SMALL) == -1
    failure, end = read_range(plan_ranges(url, len(DATA))[0], SMALL)
    assert isinstance(failure, ReadFailure)
    assert url in failure.message
    assert isinstance(end, RangeEnd)
    assert not end.is_whole
    assert len(no_waiting) == 2 * (SMALL.attempts - 1)


def test_retry_after_is_obeyed_within_the_time_limit(no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA}, retry_after="3")) as shop:
        spec = plan_ranges(f"{shop.url}/a.warc.gz", len(DATA))[0]
        shop.failures["/a.warc.gz"] = [429]
        *items, _ = read_range(spec, SMALL)
        assert numbers(items) == ALL
        assert 3.2 < no_waiting[0] < 4
        shop.retry_after = "3600"
        shop.failures["/a.warc.gz"] = [429]
        failure, _ = read_range(spec, SMALL)
    assert isinstance(failure, ReadFailure)
    assert "429" in failure.message
    assert len(no_waiting) == 1, "an hour is more than the limit: no use in waiting"


def test_the_size_is_asked_for_again_when_that_fails(no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA}, sizes=False)) as shop:
        shop.failures["/a.warc.gz"] = [503, 503]
        find_size(f"{shop.url}/a.warc.gz", SMALL)
    assert len(no_waiting) == 2


@pytest.mark.parametrize(("most", "seen"), [(2, 2), (0, 6)])
def test_reads_under_way_at_once_are_bounded(most: int, seen: int) -> None:
    options = ReadOptions(max_connections=most, block_bytes=1000)
    with serve(Shop({"/a.warc.gz": DATA}, delay=0.02)) as shop, ThreadPoolExecutor(6) as pool:
        spec = plan_ranges(f"{shop.url}/a.warc.gz", len(DATA))[0]
        found = list(pool.map(lambda _: numbers(list(read_range(spec, options))), range(6)))
    assert found == [ALL] * 6
    assert shop.most == seen


def test_a_bound_holds_over_processes_and_outlives_none_of_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    code = "from transforms.connections import Slot; s = Slot(1); s.take(); print('taken', flush=True); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "taken\n"
        [lock] = slot_folder().glob("*.lock")
        with lock.open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        holder.kill()
    slot = Slot(1)
    slot.take()
    slot.free()


def test_lasting_faults_end_in_a_failure_that_names_the_address(no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        url = f"{shop.url}/a.warc.gz"
        spec = plan_ranges(url, len(DATA))[0]
        shop.failures["/a.warc.gz"] = [503] * 50
        failure, end = read_range(spec, SMALL)
    assert isinstance(failure, ReadFailure)
    assert (failure.stage, failure.error) == ("read", "ClientResponseError")
    assert url in failure.message
    assert "503" in failure.message
    assert end.failures == end.records == 1
    assert not end.is_whole
    assert len(no_waiting) == SMALL.attempts - 1


def test_a_store_that_fails_midway_leaves_its_range_unfinished(no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        url = f"{shop.url}/a.warc.gz"
        reader = read_range(plan_ranges(url, len(DATA))[0], SMALL)
        items: list[ReadItem] = [next(reader)]
        shop.failures["/a.warc.gz"] = [401]
        items += reader
    *pages, failure, end = items
    assert 0 < len(pages) < len(ALL)
    assert isinstance(failure, ReadFailure)
    assert no_waiting == []
    assert isinstance(end, RangeEnd)
    assert not end.is_whole


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_a_refusal_is_not_retried(status: int, no_waiting: list[float]) -> None:
    with serve(Shop({"/a.warc.gz": DATA})) as shop:
        shop.failures["/a.warc.gz"] = [status] * 50
        failure, _ = read_range(plan_ranges(f"{shop.url}/a.warc.gz", len(DATA))[0], SMALL)
    assert isinstance(failure, ReadFailure)
    assert str(status) in failure.message
    assert f"{shop.url}/a.warc.gz" in failure.message
    assert no_waiting == []


def test_a_missing_file_is_a_failure_that_names_it() -> None:
    with serve(Shop({})) as shop:
        url = f"{shop.url}/gone.warc.gz"
        items, ends = read_planned(url)
    assert len(items) == 1
    assert isinstance(items[0], ReadFailure)
    assert items[0].error == "FileNotFoundError"
    assert url in items[0].message
    assert ends[0].records == 1
    assert ends[0].is_whole, "a file that is not there is a failure, but nothing is left to read"


def test_a_store_that_fails_in_the_middle_keeps_what_was_read(no_waiting: list[float]) -> None:
    data = pack([make_page(number) for number in range(1, 101)])
    with serve(Shop({"/a.warc.gz": data})) as shop:
        reading = read_range(plan_ranges(f"{shop.url}/a.warc.gz", len(data))[0], SMALL)
        first = next(reading)
        assert isinstance(first, Page)
        shop.failures["/a.warc.gz"] = [503] * 50
        *items, failure, end = reading
    assert isinstance(failure, ReadFailure)
    assert isinstance(end, RangeEnd)
    assert failure.stage == "read"
    assert 1000 <= failure.offset < len(data)
    assert end.pages == len(items) + 1 > 3
    assert end.records == end.pages + 1
    assert no_waiting


def test_an_unknown_store_is_a_failure() -> None:
    failure, _ = read_range(plan_ranges("nostore://a.warc.gz", -1)[0])
    assert isinstance(failure, ReadFailure)
    assert "nostore" in failure.message


def test_credentials_stay_out_of_the_options_repr() -> None:
    assert "geheim" not in repr(ReadOptions(storage={"secret": "geheim"}))
