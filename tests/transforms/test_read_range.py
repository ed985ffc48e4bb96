"""Every defect of an archive: which pages are still read, and what the failure says."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tests.warcs.write_warcs import (
    FOLDER,
    compress,
    damage,
    make_archives,
    make_html,
    make_http,
    make_page,
    make_record,
    pack,
)
from transforms.pages import Page, RangeEnd, RangeSpec, ReadFailure
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions
from transforms.read_range import read_range

ALL = [1, 2, 3, 4, 5]
# name: (numbers of the pages read, (stage, error, number of the page or None, part of the message) of each failure)
EXPECTED = {
    "good.warc.gz": ([1, 2, 3, 4], []),
    "good.warc": ([1, 2, 3, 4], []),
    "good.arc": ([1, 2, 3], []),
    "good.arc.gz": ([1, 2, 3], []),
    "empty.warc.gz": ([], [("read", "NotAnArchiveError", None, "the file is empty")]),
    "xml_error.warc.gz": (
        [],
        [("read", "NotAnArchiveError", None, "not a WARC: no gzip member, starts with '<?xml version=")],
    ),
    "html_error.warc": ([], [("record", "RecordError", None, "not a WARC record: starts with '<!DOCTYPE html>")]),
    "html_error_compressed.warc.gz": (
        [],
        [("record", "RecordError", None, "not a WARC record: starts with '<!DOCTYPE")],
    ),
    "cut_in_last_member.warc.gz": ([1, 2, 3, 4], [("read", "CutMemberError", 5, "the file ends inside a gzip member")]),
    "cut_in_last_trailer.warc.gz": (
        [1, 2, 3, 4],
        [("read", "CutMemberError", 5, "the file ends inside a gzip member")],
    ),
    "cut_in_last_record.warc": ([1, 2, 3, 4], [("record", "LengthError", 5, "cut short, or the length is wrong")]),
    "cut_in_stored_warc.warc": ([1], [("record", "LengthError", 90, "cut short, or the length is wrong")]),
    "damaged_first_member.warc.gz": ([2, 3, 4, 5], [("read", "NotAnArchiveError", None, "no gzip member")]),
    "damaged_middle_member.warc.gz": ([1, 3, 4, 5], [("read", "MemberError", None, "damaged gzip member")]),
    "damaged_checksum.warc.gz": ([1, 3, 4, 5], [("read", "MemberError", 2, "incorrect data check")]),
    "damaged_twice.warc.gz": ([1, 3, 5], [("read", "MemberError", None, "damaged")] * 2),
    "damaged_and_cut.warc.gz": (
        [1, 3, 4],
        [("read", "MemberError", None, "damaged"), ("read", "CutMemberError", 5, "the file ends inside")],
    ),
    "lost_bytes.warc.gz": ([1, 3, 4, 5], [("read", "MemberError", 2, "damaged")]),
    "lost_edge.warc.gz": ([1, 4, 5], [("read", "MemberError", 2, "damaged")]),
    "zero_padding.warc.gz": (ALL, []),
    "foreign_bytes.warc.gz": (ALL, [("read", "NotAnArchiveError", None, "starts with 'no member at all")]),
    "length_too_long.warc.gz": (
        [1, 3, 4, 5],
        [("record", "LengthError", 2, "Content-Length 4000, but only 378 bytes")],
    ),
    "length_too_short.warc.gz": ([1, 3, 4, 5], [("record", "LengthError", 2, "Content-Length 200 is wrong")]),
    "length_missing.warc.gz": ([1, 3, 4, 5], [("record", "RecordError", 2, "no Content-Length")]),
    "length_no_number.warc.gz": ([1, 3, 4, 5], [("record", "RecordError", 2, "is no number: 'many'")]),
    "length_too_long.warc": ([1, 3, 4, 5], [("record", "LengthError", 2, "Content-Length 700 is wrong")]),
    "length_far_too_long.warc": ([1, 3, 4, 5], [("record", "LengthError", 2, "but only")]),
    "length_too_short.warc": ([1, 3, 4, 5], [("record", "LengthError", 2, "Content-Length 200 is wrong")]),
    "length_missing.warc": ([1, 3, 4, 5], [("record", "RecordError", 2, "no Content-Length")]),
    "bad_header.warc.gz": ([1, 3, 4, 5], [("record", "RecordError", None, "starts with 'WRAC/1.0'")]),
    "bad_header.warc": ([1, 3, 4, 5], [("record", "RecordError", None, "starts with 'WRAC/1.0'")]),
    "bad_status.warc.gz": (
        [1, 3, 4, 5],
        [("http", "HttpError", 2, "no status in the HTTP status line 'HTTP/1.1 fine'")],
    ),
    "one_member.warc.gz": (ALL, []),
    "one_member_cut.warc.gz": ([1, 2], [("read", "CutMemberError", 3, "the file ends inside")]),
    "one_member_length_too_short.warc.gz": ([1, 3, 4, 5], [("record", "LengthError", 2, "Content-Length 200")]),
    "stored_warc.warc.gz": ([1, 2], []),
    "stored_warc.warc": ([1, 2], []),
    "stored_warc_damaged.warc.gz": ([1, 2], [("read", "NotAnArchiveError", None, "no gzip member")]),
    "bare_newlines.warc.gz": (ALL, []),
}


def read_all(path: str | Path, options: ReadOptions | None = None) -> list[Page | ReadFailure | RangeEnd]:
    size = Path(path).stat().st_size
    return list(read_range(RangeSpec(str(path), 0, 1, 0, size, size), options))


def write(folder: Path, data: bytes, name: str = "made.warc.gz") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def number_of(url: str) -> int | None:
    return int(url.rpartition("/")[2]) if url else None


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_archive_with_its_defect(name: str) -> None:
    numbers, failures = EXPECTED[name]
    *items, end = read_all(FOLDER / name)
    pages = [item for item in items if isinstance(item, Page)]
    failed = [item for item in items if isinstance(item, ReadFailure)]
    assert [number_of(page.url) for page in pages] == numbers
    assert [(fail.stage, fail.error, number_of(fail.url)) for fail in failed] == [expected[:3] for expected in failures]
    for fail, (*_, text) in zip(failed, failures, strict=True):
        assert text in fail.message
        assert "\n" not in fail.message
    assert isinstance(end, RangeEnd)
    assert (end.pages, end.failures) == (len(pages), len(failed))
    assert end.records == end.pages + end.failures + sum(end.skips.values())


def test_every_archive_in_the_folder_is_the_scripts_and_is_tested() -> None:
    on_disk = {path.name for path in FOLDER.iterdir() if path.name.endswith((".warc", ".warc.gz", ".arc", ".arc.gz"))}
    assert on_disk == set(make_archives()) == set(EXPECTED)


@pytest.mark.parametrize("name", ["good.warc.gz", "good.warc", "good.arc.gz"])
def test_body_is_the_page_byte_for_byte(name: str) -> None:
    for page in read_all(FOLDER / name)[:-1]:
        assert isinstance(page, Page)
        assert page.body == make_html(number_of(page.url) or 0)


def test_page_tells_where_it_lies_and_what_the_crawler_knew(tmp_path: Path) -> None:
    extra = ["WARC-Payload-Digest: sha1:ABC", "WARC-Truncated: length", "WARC-Identified-Payload-Type: text/html"]
    head, record = make_page(1), make_record("response", 2, make_http(make_html(2)), *extra)
    path = write(tmp_path, pack([head, record, make_page(3)]))
    page = read_all(path)[1]
    assert isinstance(page, Page)
    assert path.read_bytes()[page.offset : page.offset + page.length] == compress(record)
    assert (page.url, page.status, page.date) == ("https://www.example.org/2", 200, "2031-01-02T03:04:05Z")
    assert (page.digest, page.truncated, page.identified_type) == ("sha1:ABC", "length", "text/html")
    assert page.record_id == "<urn:uuid:00000000-0000-0000-0000-000000000028>"
    assert page.content_type == "text/html; charset=utf-8"
    assert page.range == RangeSpec(str(path), 0, 1, 0, path.stat().st_size, path.stat().st_size)


def test_plain_record_lies_from_header_to_end_of_block(tmp_path: Path) -> None:
    path = write(tmp_path, make_page(1) + make_page(2), "made.warc")
    page = read_all(path)[1]
    assert isinstance(page, Page)
    assert path.read_bytes()[page.offset : page.offset + page.length] + b"\r\n\r\n" == make_page(2)


def test_failure_covers_the_lost_bytes(tmp_path: Path) -> None:
    members = [compress(make_page(number, length=-1)) for number in range(1, 5)]
    path = write(tmp_path, members[0] + damage(members[1], 80) + damage(members[2], 80) + members[3])
    failures = [item for item in read_all(path) if isinstance(item, ReadFailure)]
    assert (failures[0].offset, failures[0].length) == (len(members[0]), len(members[1]) + len(members[2]))
    assert [number_of(item.url) for item in read_all(path) if isinstance(item, Page)] == [1, 4]


def test_skips_are_counted_by_reason() -> None:
    end = read_all(FOLDER / "good.warc.gz")[-1]
    assert end.records == 13
    assert end.skips == {"record-type:warcinfo": 1, "record-type:request": 4, "record-type:metadata": 4}


def test_every_cut_gives_the_whole_records_before_it(tmp_path: Path) -> None:
    members = [compress(make_page(number)) for number in range(1, 4)]
    data = b"".join(members)
    ends = [sum(map(len, members[:count])) for count in range(4)]
    for size in range(1, len(data)):
        *items, end = read_all(write(tmp_path, data[:size]))
        whole = sum(size >= edge for edge in ends[1:])
        assert [number_of(item.url) for item in items if isinstance(item, Page)] == list(range(1, whole + 1)), size
        assert end.failures == (0 if size in ends else 1), size


def test_every_damaged_byte_costs_no_other_record(tmp_path: Path) -> None:
    members = [compress(make_page(number)) for number in range(1, 4)]
    data = b"".join(members)
    ends = [sum(map(len, members[:count])) for count in range(4)]
    for place in range(len(data)):
        items = read_all(write(tmp_path, damage(data, place, 1)))
        hit = sum(place >= edge for edge in ends)
        pages = [number_of(item.url) for item in items if isinstance(item, Page)]
        # A byte that the CRC does not cover (time, flags, OS of the gzip header) may change without harm.
        assert [number for number in pages if number != hit] == [number for number in (1, 2, 3) if number != hit], place
        assert len(pages) == 3 or items[-1].failures == 1, place


def test_record_larger_than_the_limit_is_cut_and_the_next_is_read(tmp_path: Path) -> None:
    big = make_record("response", 1, make_http(make_html(1) + b" " * 3_000_000 + b"end"))
    options = ReadOptions(max_record_bytes=100_000)
    for name, data in (("a.warc.gz", pack([big, make_page(2)])), ("a.warc", big + make_page(2))):
        first, second, end = read_all(write(tmp_path, data, name), options)
        assert isinstance(first, Page)
        assert isinstance(second, Page)
        assert first.truncated == "length"
        assert len(first.body) < 100_000
        assert second.body == make_html(2)
        assert end.records == 2


def test_member_that_inflates_without_end_costs_little_memory(tmp_path: Path) -> None:
    bomb = make_record("response", 1, make_http(bytes(100_000_000)))
    path = write(tmp_path, pack([bomb, make_page(2)]))
    del bomb
    tracemalloc.start()
    items = read_all(path, ReadOptions(max_record_bytes=1_000_000, max_page_bytes=1_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(items[0], Page)
    assert len(items[0].body) < 1_000_000
    assert number_of(items[1].url) == 2
    assert peak < 16_000_000


def test_missing_and_unreadable_files_are_failures_that_name_them(tmp_path: Path) -> None:
    (tmp_path / "circle.warc.gz").symlink_to("circle.warc.gz")
    for path, error in (
        (tmp_path / "none.warc.gz", "FileNotFoundError"),
        (tmp_path, "IsADirectoryError"),
        (tmp_path / "circle.warc.gz", "OSError"),  # at once, not after two minutes of attempts
    ):
        failure, end = read_range(RangeSpec(str(path), 0, 1, 0, -1, -1))
        assert isinstance(failure, ReadFailure)
        assert (failure.stage, failure.error) == ("read", error)
        assert str(path) in failure.message
        assert end == RangeEnd(RangeSpec(str(path), 0, 1, 0, -1, -1), records=1, pages=0, skips={}, failures=1)


def test_reported_download_that_stopped_in_the_last_member() -> None:
    first, second, cut, end = read_all(FOLDER / "reported" / "gzip_cut_in_last_member.warc.gz")
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert (first.url, second.url) == ("https://www.example.org/a", "https://www.example.org/b")
    assert b"The old lighthouse on the northern spit " in first.body
    assert b"The apiary behind the school keeps nine " in second.body
    assert isinstance(cut, ReadFailure)
    assert (cut.url, cut.error) == ("https://www.example.org/c", "CutMemberError")
    assert (end.records, end.pages, end.failures) == (3, 2, 1)


def test_reported_error_message_in_place_of_an_archive() -> None:
    failure, end = read_all(FOLDER / "reported" / "xml_error_instead_of_warc.warc.gz")
    assert isinstance(failure, ReadFailure)
    assert failure.message.startswith("not a WARC")
    assert "<?xml" in failure.message
    assert (end.records, end.failures) == (1, 1)


def test_range_that_owns_nothing_of_a_foreign_file_says_nothing() -> None:
    path = FOLDER / "xml_error.warc.gz"
    spec = plan_ranges(str(path), path.stat().st_size, 40)[1]
    assert list(read_range(spec)) == [RangeEnd(spec, 0, 0, {}, 0)]
