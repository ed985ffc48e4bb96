""".warc.zst: the pages of the gzip version, whole, in ranges, by an index, with and without a dictionary."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from tests.transforms.test_read_picks import lay_out, plan
from tests.transforms.test_read_splits import cut, read_parts
from tests.warcs.write_warcs import make_arc, make_crawl, make_http, make_page, make_record, pack
from transforms.pages import Page, RangeEnd, ReadFailure, ReadItem
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range

RECORDS = make_crawl(30)
DICTIONARY = zstandard.train_dictionary(4096, RECORDS * 3)
NEAR = ReadOptions(lookback_bytes=1, block_bytes=512)


def make_skippable(content: bytes, number: int = 0) -> bytes:
    return struct.pack("<II", 0x184D2A50 + number, len(content)) + content


def make_frame(content: bytes, dictionary: zstandard.ZstdCompressionDict | None = None, level: int = 3) -> bytes:
    packer = zstandard.ZstdCompressor(level, dict_data=dictionary, write_checksum=True, write_content_size=True)
    return packer.compress(content)


def in_two(record: bytes) -> bytes:
    return make_frame(record[:100]) + make_frame(b"") + make_skippable(b"between") + make_frame(record[100:])


FILES = {
    "plain": [make_frame(record) for record in RECORDS],
    "dictionary": [
        make_skippable(DICTIONARY.as_bytes(), 0xD),
        *[make_frame(record, DICTIONARY) for record in RECORDS],
    ],
    "packed dictionary": [
        make_skippable(make_frame(DICTIONARY.as_bytes()), 0xD),
        *[make_frame(record, DICTIONARY) for record in RECORDS],
    ],
    "extensions": [
        make_frame(record) + make_skippable(b"seek table", number % 13) for number, record in enumerate(RECORDS)
    ],
    "several frames a record": [in_two(record) for record in RECORDS],
}


def read_all(path: Path) -> list[ReadItem]:
    return list(read_range(plan_ranges(str(path), path.stat().st_size)[0]))


def strip(items: list[ReadItem]) -> list[tuple[object, ...]]:
    """Everything but where it lay."""
    return [
        (item.url, item.date, item.status, item.content_type, item.body, item.digest, item.record_id, item.truncated)
        for item in items
        if isinstance(item, Page)
    ]


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "crawl.warc.zst"
    file.write_bytes(b"".join(FILES[request.param]))
    return file


@pytest.fixture
def gzipped(tmp_path: Path) -> Path:
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(pack(RECORDS))
    return file


def test_pages_and_reckoning_are_those_of_the_gzip_version(path: Path, gzipped: Path) -> None:
    *items, end = read_all(path)
    *expected, expected_end = read_all(gzipped)
    assert strip(items) == strip(expected)
    assert len(items) == 30
    assert isinstance(end, RangeEnd)
    assert isinstance(expected_end, RangeEnd)
    assert (end.records, end.skips, end.failures) == (expected_end.records, expected_end.skips, 0)


def test_offsets_and_lengths_lead_to_the_records(path: Path) -> None:
    data = path.read_bytes()
    for item in read_all(path)[:-1]:
        assert isinstance(item, Page)
        piece = data[item.offset : item.offset + item.length]
        reader = zstandard.ZstdDecompressor(dict_data=DICTIONARY).stream_reader(piece, read_across_frames=True)
        assert item.url.encode() in reader.read()


def test_any_split_gives_each_record_once(path: Path) -> None:
    whole = read_parts(cut(path, []))
    size = path.stat().st_size
    for edge in range(1, size, size // 60):
        assert read_parts(cut(path, [edge]), NEAR) == whole, edge
    assert read_parts(cut(path, list(range(997, size, 997))), NEAR) == whole


def test_an_index_picks_the_same_pages(path: Path, tmp_path: Path) -> None:
    whole = read_all(path)[:-1]
    rows = [(str(path), item.offset, item.length) for item in whole[::4] if isinstance(item, Page)]
    [spec] = plan(rows, tmp_path / "plan")
    assert list(read_range(spec))[:-1] == [
        Page(**{name: getattr(item, name) for name in Page.__slots__ if name != "range"}, range=spec)
        for item in whole[::4]
    ]


def test_one_frame_of_many_records_gives_them_all_in_one_range(tmp_path: Path, gzipped: Path) -> None:
    file = tmp_path / "one.warc.zst"
    file.write_bytes(make_frame(b"".join(RECORDS)))
    *items, _ = read_all(file)
    assert strip(items) == strip(read_all(gzipped))
    assert {(item.offset, item.length) for item in items if isinstance(item, Page)} == {(0, -1)}
    assert read_parts(cut(file, [500, 1000]), NEAR) == read_parts(cut(file, []))


@pytest.mark.parametrize("place", [20, -2])
@pytest.mark.parametrize("name", ["plain", "dictionary"])
def test_a_damaged_frame_costs_itself(name: str, place: int, tmp_path: Path) -> None:
    pieces = list(FILES[name])
    number = len(pieces) - len(RECORDS) + 5
    broken = bytearray(pieces[number])
    broken[place] ^= 0xFF
    offset = lay_out(pieces)[number][0]
    pieces[number] = bytes(broken)
    file = tmp_path / "crawl.warc.zst"
    file.write_bytes(b"".join(pieces))
    *items, end = read_all(file)
    [failure] = [item for item in items if isinstance(item, ReadFailure)]
    assert (failure.offset, failure.length) == (offset, len(broken))
    assert "damaged zstd frame" in failure.message
    assert [item.url for item in items if isinstance(item, Page)] == [
        f"https://www.example.org/{number}" for number in range(1, 31) if number != 2
    ]
    assert isinstance(end, RangeEnd)
    assert end.records == len(RECORDS)


def test_a_file_that_is_cut_loses_only_its_last_record(tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc.zst"
    file.write_bytes(b"".join(FILES["dictionary"])[:-10])
    *items, _ = read_all(file)
    assert len([item for item in items if isinstance(item, Page)]) == 30
    assert isinstance(items[-1], ReadFailure)
    assert "the file ends inside a zstd frame" in items[-1].message


def test_a_stored_archive_gives_no_pages_of_its_own(tmp_path: Path) -> None:
    stored = b"".join(FILES["plain"]) * 3
    records = [make_page(1), make_record("resource", 2, stored, "Content-Type: application/warc"), make_page(3)]
    file = tmp_path / "crawl.warc.zst"
    file.write_bytes(b"".join(make_frame(record, level=1) for record in records))
    whole = read_parts(cut(file, []))
    assert [found[1] for found in whole[0]] == ["https://www.example.org/1", "https://www.example.org/3"]
    for edge in range(1, file.stat().st_size, 211):
        assert read_parts(cut(file, [edge]), NEAR) == whole, edge


@pytest.mark.parametrize("content", [b"\x37\xa4\x30\xec" + bytes(50), b"\x28\xb5\x2f\xfd" + bytes(50)])
def test_a_damaged_dictionary_is_told(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc.zst"
    file.write_bytes(make_skippable(content, 0xD) + b"".join(FILES["dictionary"][1:]))
    *items, end = read_all(file)
    assert items
    assert all(isinstance(item, ReadFailure) for item in items)
    assert isinstance(end, RangeEnd)
    assert end.pages == 0
    found = list(read_range(plan([(str(file), 62, 300), (str(file), 900, 300)], tmp_path)[0]))
    assert all(not isinstance(item, Page) for item in found)


def test_a_bomb_takes_no_more_memory_than_is_kept(tmp_path: Path) -> None:
    record = make_record("response", 1, make_http(b"<html>" + bytes(40_000_000)))
    file = tmp_path / "bomb.warc.zst"
    file.write_bytes(make_frame(record) + make_frame(make_page(2)))
    options = ReadOptions(max_record_bytes=1 << 20, max_page_bytes=1 << 20)
    tracemalloc.start()
    first, second, _ = read_range(plan_ranges(str(file), file.stat().st_size)[0], options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert first.truncated == "length"
    assert peak < 16_000_000


def test_arc_in_frames(tmp_path: Path) -> None:
    file = tmp_path / "notes.arc.zst"
    file.write_bytes(b"".join(make_frame(record) for record in make_arc()))
    *items, _ = read_all(file)
    assert [item.url for item in items if isinstance(item, Page)] == [
        f"https://www.example.org/{number}" for number in (1, 2, 3)
    ]
