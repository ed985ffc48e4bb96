"""Any split of an archive gives each of its records exactly once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.warcs.write_warcs import FOLDER, compress, damage, make_html, make_http, make_page, make_record, pack
from transforms.pages import Page, RangeSpec, ReadFailure, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range

NEAR = ReadOptions(lookback_bytes=1, plain_lookback_bytes=1, block_bytes=512)


def cut(path: Path, edges: list[int]) -> list[RangeSpec]:
    size = path.stat().st_size
    places = [0, *edges, size]
    count = len(places) - 1
    return [RangeSpec(str(path), index, count, places[index], places[index + 1], size) for index in range(count)]


def read_parts(specs: list[RangeSpec], options: ReadOptions | None = None) -> tuple[list[tuple[object, ...]], int]:
    """What lies where, in order, and the number of records of all ranges."""
    found: list[tuple[object, ...]] = []
    records = 0
    for spec in specs:
        *items, end = read_range(spec, options)
        found += [describe(item) for item in items]
        records += end.records
    return found, records


def describe(item: ReadItem) -> tuple[object, ...]:
    if isinstance(item, Page):
        return ("page", item.url, item.offset, item.length, item.body)
    assert isinstance(item, ReadFailure)
    return ("failure", item.url, item.offset, item.length, item.error)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.*arc*")), ids=lambda path: path.name)
def test_two_ranges_cut_anywhere_give_what_the_whole_gives(path: Path) -> None:
    whole = read_parts(cut(path, []))
    step = 7 if "good" in path.name else 23
    for edge in range(1, path.stat().st_size, step):
        assert read_parts(cut(path, [edge]), NEAR) == whole, edge


@pytest.mark.parametrize("name", ["good.warc.gz", "good.warc"])
def test_two_ranges_cut_at_every_byte(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    records = [make_page(number) for number in range(1, 4)]
    path.write_bytes(pack(records) if name.endswith(".gz") else b"".join(records))
    whole = read_parts(cut(path, []))
    assert len(whole[0]) == 3
    for edge in range(1, path.stat().st_size):
        assert read_parts(cut(path, [edge])) == whole, edge


@pytest.mark.parametrize("name", ["good.warc.gz", "good.warc", "stored_warc.warc.gz", "damaged_twice.warc.gz"])
def test_many_small_ranges(name: str) -> None:
    path = FOLDER / name
    size = path.stat().st_size
    specs = plan_ranges(str(path), size, 97)
    assert len(specs) > 10
    assert read_parts(specs, NEAR) == read_parts(cut(path, []))


def make_noisy_page(number: int, size: int) -> bytes:
    """A page that hardly compresses, so that members have some length."""
    noise = random.Random(number).randbytes(size // 2).hex().encode()
    return make_record("response", number, make_http(make_html(number) + noise))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive whose chains are longer than a proof, with a WARC of 300 KB stored inside a record, and damage."""
    folder = tmp_path_factory.mktemp("large")
    inner = pack([make_noisy_page(number, 9000) for number in range(500, 560)])
    stored = compress(make_record("response", 499, make_http(inner, "Content-Type: application/gzip")), level=0)
    before = [compress(make_noisy_page(number, 12_000)) for number in range(1, 31)]
    after = [compress(make_noisy_page(number, 12_000)) for number in range(31, 61)]
    after[10] = damage(after[10], 2000)
    path = folder / "large.warc.gz"
    path.write_bytes(b"".join([*before, stored, *after]))
    return path


def test_stored_warc_really_lies_there_verbatim(large: Path) -> None:
    inner = compress(make_noisy_page(501, 9000))
    assert inner[:2000] in large.read_bytes()


def test_stored_warc_gives_no_false_start(large: Path) -> None:
    whole = read_parts(cut(large, []))
    numbers = [int(str(url).rpartition("/")[2]) for _, url, *_ in whole[0]]
    assert numbers == list(range(1, 61))
    options = ReadOptions(lookback_bytes=1, block_bytes=50_000)
    size = large.stat().st_size
    for edge in range(997, size, size // 30):
        assert read_parts(cut(large, [edge]), options) == whole, edge


def test_stored_warc_larger_than_the_lookback(large: Path) -> None:
    whole = read_parts(cut(large, []))
    specs = plan_ranges(str(large), large.stat().st_size, 40_000)
    assert read_parts(specs, ReadOptions(lookback_bytes=2000, block_bytes=30_000)) == whole


def test_plain_warc_stored_in_a_plain_one_is_not_entered_from_a_lookback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = b"".join(make_noisy_page(number, 3000) for number in range(500, 505))
    stored = make_record("response", 499, make_http(inner, "Content-Type: application/warc"))
    pages = [make_noisy_page(number, 5000) for number in range(1, 21)]
    path = tmp_path / "plain.warc"
    path.write_bytes(b"".join([*pages[:10], stored, *pages[10:]]))
    whole = read_parts(cut(path, []))
    assert len(whole[0]) == 20
    monkeypatch.setattr("transforms.read_range.is_local", lambda _: False)
    far = ReadOptions(plain_lookback_bytes=40_000, block_bytes=8_000)
    for edge in range(41_000, path.stat().st_size, 1_501):
        assert read_parts(cut(path, [edge]), far) == whole, edge


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.*arc*")), ids=lambda path: path.name)
def test_the_size_of_blocks_changes_nothing(path: Path) -> None:
    whole = read_parts(cut(path, []))
    for block_bytes in (1, 3, 10, 500):
        assert read_parts(cut(path, []), ReadOptions(block_bytes=block_bytes)) == whole, block_bytes


def test_damage_inside_a_stored_warc_opens_no_way_into_it(tmp_path: Path) -> None:
    inner = pack([make_noisy_page(number, 9000) for number in range(500, 530)])
    stored = compress(make_record("response", 499, make_http(inner, "Content-Type: application/gzip")), level=0)
    pages = [make_noisy_page(number, 5000) for number in range(1, 9)]
    path = tmp_path / "a.warc.gz"
    for lost in (3000, 40_000, 90_000):
        # Bytes taken out shift the edges of the stored blocks, so the stream breaks at the next one.
        path.write_bytes(pack(pages[:4]) + stored[:lost] + stored[lost + 100 :] + pack(pages[4:]))
        found, _ = read_parts(cut(path, []))
        numbers = [int(str(url).rpartition("/")[2]) for kind, url, *_ in found if kind == "page"]
        assert numbers == [1, 2, 3, 4, 5, 6, 7, 8], lost
