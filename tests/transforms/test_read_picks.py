"""What is fetched for a targeted read: the picked stretches, near ones together, and nothing else."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.transforms.warc_server import Shop, serve
from tests.warcs.write_warcs import FOLDER, make_arc, make_crawl, make_page, pack
from transforms.pages import Page, RangeEnd, RangeSpec, ReadFailure, ReadItem
from transforms.plan_picks import Picks, cut_picks, plan_picks
from transforms.plan_ranges import plan_ranges
from transforms.read_index import IndexBatch
from transforms.read_options import ReadOptions
from transforms.read_range import read_range
from transforms.stores import Store

Rows = list[tuple[str, int, int]]


def plan(rows: Rows, folder: Path, range_bytes: int = 1 << 20) -> list[RangeSpec]:
    with ExitStack() as stack:
        picks = Picks("", stack)
        for warc, offset, length in rows:
            picks.add(IndexBatch([warc], np.array([0]), np.array([offset]), np.array([length])))
        return plan_picks(picks, Store(str(folder)), range_bytes)


def read_all(specs: list[RangeSpec], options: ReadOptions | None = None) -> list[ReadItem]:
    return [item for spec in specs for item in read_range(spec, options) if not isinstance(item, RangeEnd)]


def strip(items: list[ReadItem]) -> list[tuple[object, ...]]:
    return [
        (item.url, item.warc, item.offset, item.length, item.date, item.body, item.content_type, item.record_id)
        for item in items
        if isinstance(item, Page)
    ]


def lay_out(records: list[bytes]) -> list[tuple[int, int]]:
    """Give each piece's offset and length in their concatenation."""
    lengths = [len(record) for record in records]
    return [(sum(lengths[:index]), length) for index, length in enumerate(lengths)]


def test_only_the_picked_bytes_are_fetched_and_near_ones_together(tmp_path: Path) -> None:
    members = [pack([make_page(number)]) for number in range(1, 31)]
    places = lay_out(members)
    with serve(Shop({"/a.warc.gz": b"".join(members)})) as shop:
        url = f"{shop.url}/a.warc.gz"
        wanted = [2, 3, 5, 20]
        specs = plan([(url, *places[index]) for index in wanted], tmp_path)
        items = read_all(specs, ReadOptions(join_gap_bytes=places[4][1]))
        asked = [wanted for command, _, wanted in shop.requests if command == "GET"]
    assert [item.url.rpartition("/")[2] for item in items if isinstance(item, Page)] == ["3", "4", "6", "21"]
    ends = [sum(places[index]) + 16 - 1 for index in (5, 20)]
    assert asked == [f"bytes={places[2][0]}-{ends[0]}", f"bytes={places[20][0]}-{ends[1]}"]


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("crawl.warc", make_crawl()),
        ("crawl.warc.gz", [pack([record]) for record in make_crawl()]),
        ("notes.arc", make_arc()),
        ("notes.arc.gz", [pack([record]) for record in make_arc()]),
    ],
)
def test_each_form_gives_the_pages_of_a_whole_read(name: str, pieces: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"".join(pieces))
    whole = read_all(plan_ranges(str(path), path.stat().st_size))
    places = lay_out(pieces)
    assert strip(read_all(plan([(str(path), *place) for place in places], tmp_path))) == strip(whole)
    second = strip(whole)[1]
    [pick] = [place for place in places if place[0] == second[2]]
    assert strip(read_all(plan([(str(path), *pick)], tmp_path))) == [second]


def test_a_member_of_many_records_gives_them_all(tmp_path: Path) -> None:
    path = FOLDER / "one_member.warc.gz"
    whole = read_all(plan_ranges(str(path), path.stat().st_size))
    assert strip(read_all(plan([(str(path), 0, path.stat().st_size)], tmp_path))) == strip(whole)


def test_a_damaged_record_costs_itself_and_nothing_beyond_is_fetched(tmp_path: Path) -> None:
    members = [pack([make_page(number)]) for number in range(1, 31)]
    places = lay_out(members)
    data = bytearray(b"".join(members))
    data[places[4][0] + 200] ^= 0xFF
    with serve(Shop({"/a.warc.gz": bytes(data)})) as shop:
        url = f"{shop.url}/a.warc.gz"
        items = read_all(plan([(url, *places[index]) for index in (4, 5)], tmp_path))
        asked = [wanted for command, _, wanted in shop.requests if command == "GET"]
    [failure, page] = items
    assert isinstance(failure, ReadFailure)
    assert (failure.offset, failure.length) == places[4]
    assert isinstance(page, Page)
    assert len(asked) == 1


def test_the_same_records_give_the_same_ranges_in_any_order() -> None:
    offsets, lengths = np.arange(0, 90_000, 900), np.full(100, 850)
    cut = [spec for spec, _ in cut_picks("a.warc.gz", offsets, lengths, 10_000, ("x", 0))]
    assert [spec.index for spec in cut] == list(range(9))
    assert {spec.count for spec in cut} == {9}
    assert sum(spec.fetch_bytes for spec in cut) == 85_000
    assert max(spec.fetch_bytes for spec in cut) < 11_000
    assert len({spec.picks.selection for spec in cut if spec.picks}) == 1


def test_lists_of_another_run_are_no_obstacle_and_a_changed_list_stops_the_run(tmp_path: Path) -> None:
    path = FOLDER / "good.warc.gz"
    [spec] = plan([(str(path), 0, 300)], tmp_path)
    plan([(str(path), 0, 301)], tmp_path)
    assert read_all([spec]) == []  # an archive's first record is no page
    for written in (tmp_path / "_plan").iterdir():
        written.write_bytes(written.read_bytes()[::-1])
    with pytest.raises(RuntimeError, match="is not as it was planned"):
        read_all([spec])


def test_many_rows_take_bounded_memory(tmp_path: Path) -> None:
    import tracemalloc

    rows = 400_000
    generator = np.random.default_rng(1)
    tracemalloc.start()
    with ExitStack() as stack:
        picks = Picks("s3://bucket/", stack)
        for _ in range(rows // 50_000):
            batch = IndexBatch(
                [f"{number}.warc.gz" for number in range(500)],
                generator.integers(0, 500, 50_000),
                generator.integers(0, 1 << 30, 50_000),
                np.full(50_000, 20_000),
            )
            picks.add(batch)
        held, _ = tracemalloc.get_traced_memory()
        specs = plan_picks(picks, Store(str(tmp_path)), 64 << 20)
        _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(spec.picks.count for spec in specs if spec.picks) > 0.99 * rows
    assert held < 15e6, "the rows themselves lie in files: they would be 8 MB in arrays alone, and grow with the index"
    assert peak < 60e6
