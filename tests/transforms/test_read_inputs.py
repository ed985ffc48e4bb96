"""What --input may name, and how files are split into ranges."""

from __future__ import annotations

import gzip
import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.warc_server import Shop, serve
from transforms.inputs import InputError, expand_inputs, find_size
from transforms.plan_ranges import plan_ranges
from transforms.read_options import ReadOptions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.warc.gz", "a.warc.gz", "c.warc", "deep/d.arc.gz", "deep/notes.txt", "x[1].warc"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"12345")
    return tmp_path


def test_files_globs_and_folders_in_order_each_once(folder: Path) -> None:
    found = expand_inputs([f"{folder}/c.warc", f"{folder}/*.warc.gz", f"{folder}/a.warc.gz", str(folder)])
    names = ["c.warc", "a.warc.gz", "b.warc.gz", "deep/d.arc.gz", "x[1].warc"]
    assert found == [f"{folder}/{name}" for name in names]


def test_hidden_and_temporary_names_are_passed_over_unless_named(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hidden = [".h.warc.gz", "e.warc.gz.part", ".rsync/f.warc.gz"]
    for name in hidden:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"1")
    names = ["a.warc.gz", "b.warc.gz", "c.warc", "deep/d.arc.gz", "x[1].warc"]
    with caplog.at_level("INFO", "danubia"):
        assert expand_inputs([str(folder)]) == [f"{folder}/{name}" for name in names]
    assert "names are hidden or temporary: 2, first " in caplog.text
    assert f"{folder}/e.warc.gz.part" not in expand_inputs([f"{folder}/*"])
    assert expand_inputs([f"{folder}/{name}" for name in hidden]) == [f"{folder}/{name}" for name in hidden]


def test_globs_into_folders_and_names_that_look_like_globs(folder: Path) -> None:
    assert expand_inputs([f"{folder}/**/*.arc.gz"]) == [f"{folder}/deep/d.arc.gz"]
    assert expand_inputs([f"{folder}/x[1].warc"]) == [f"{folder}/x[1].warc"]


def test_addresses_keep_their_scheme(folder: Path) -> None:
    for name in ("one.warc.gz", "two.warc.gz"):
        with fsspec.open(f"memory://inputs/{name}", "wb") as file:
            file.write(b"1")
    found = expand_inputs(["memory://inputs/*.warc.gz"])
    assert found == ["memory:///inputs/one.warc.gz", "memory:///inputs/two.warc.gz"]
    assert [find_size(url, ReadOptions()) for url in found] == [1, 1]


def test_a_file_has_one_name_however_it_is_spelled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "a.paths").write_text("c.warc\n./c.warc\n")
    spellings = ["c.warc", "./c.warc", "deep/../c.warc", f"/{folder}//c.warc", f"file://{folder}/c.warc", "c.w*"]
    for spelling in [*spellings, f"file://{folder}/c.*", "a.paths"]:
        assert expand_inputs([spelling]) == [f"{folder}/c.warc"]
    assert expand_inputs(spellings) == [f"{folder}/c.warc"]


def test_two_dots_after_a_link_lead_to_where_the_system_goes(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "far" / "crawl").mkdir(parents=True)
    (tmp_path / "far" / "c.warc").write_bytes(b"1")
    (folder / "link").symlink_to(tmp_path / "far" / "crawl")
    assert expand_inputs([f"{folder}/link/../c.warc"]) == [f"{tmp_path}/far/c.warc"]


def test_a_name_that_reads_like_a_chain_of_stores(folder: Path) -> None:
    (folder / "a::b.warc").write_bytes(b"12345")
    for pattern in (f"{folder}/a::b.warc", f"{folder}/a::*"):
        [found] = expand_inputs([pattern])
        assert find_size(found, ReadOptions()) == 5


def test_a_folder_that_cannot_be_listed_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scan = os.scandir

    def refuse(path: str) -> Any:  # as a system does whose permissions hold for this user
        if str(path).rstrip("/").endswith("deep"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert f"{folder}/a.warc.gz" in expand_inputs([str(folder)])
    assert re.search(r"a folder is passed over: .*Permission denied: '.*/deep'", caplog.text)


def test_a_name_that_is_no_utf_8_is_refused(folder: Path) -> None:
    (folder / os.fsdecode(b"m\xfchle.warc")).write_bytes(b"1")
    with pytest.raises(InputError, match=r"m\\udcfchle\.warc': the name is not UTF-8, .*: rename the file"):
        expand_inputs([str(folder)])


@pytest.mark.parametrize("name", ["list.paths", "list.paths.gz"])
def test_lists_of_paths_with_a_prefix(name: str, tmp_path: Path) -> None:
    text = b"crawl/one.warc.gz\n\n# a comment\n  crawl/two.warc.gz\r\nhttps://a.example/x.warc.gz\n/abs/y.warc\ncrawl/one.warc.gz\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert expand_inputs([str(path)], prefix="s3://bucket/") == [
        "s3://bucket/crawl/one.warc.gz",
        "s3://bucket/crawl/two.warc.gz",
        "https://a.example/x.warc.gz",
        "/abs/y.warc",
    ]
    assert expand_inputs([f"{tmp_path}/*{name[4:]}"], prefix="p/")[0] == f"{Path.cwd()}/p/crawl/one.warc.gz"


def test_a_list_from_a_web_server() -> None:
    with serve(Shop({"/warc.paths.gz": gzip.compress(b"a.warc.gz\n")})) as shop:
        assert expand_inputs([f"{shop.url}/warc.paths.gz"], prefix=f"{shop.url}/") == [f"{shop.url}/a.warc.gz"]
        with pytest.raises(InputError, match=r"no input matches 'http.*gone\.paths'"):
            expand_inputs([f"{shop.url}/gone.paths"])


def test_what_matches_nothing_is_named(folder: Path) -> None:
    for pattern in (
        f"{folder}/none.warc.gz",
        f"{folder}/*.warc.zst",
        f"{folder}/none.paths",
        f"{folder}/no/folder/*.warc",
    ):
        with pytest.raises(InputError) as raised:
            expand_inputs([f"{folder}/c.warc", pattern])
        assert str(raised.value) == f"no input matches {pattern!r}"
    with pytest.raises(InputError, match="no input given"):
        expand_inputs([])


@pytest.mark.parametrize(
    "data", [gzip.compress(b"a\n" * 999)[:15] + b"\xff" * 99, b"a.warc\nx/../a\0b.warc\n"], ids=["damaged", "nul"]
)
def test_a_list_that_is_damaged_or_binary_is_named(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.paths"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"bad\.paths.*is no readable list"):
        expand_inputs([str(path)])


def test_bad_lists_and_unknown_stores_are_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.paths.gz"
    path.write_bytes(gzip.compress(b"a\n" * 999)[:-12])
    with pytest.raises(InputError, match=r"bad\.paths\.gz.*is no readable list"):
        expand_inputs([str(path)])
    path.write_bytes(b"\xff\xfe\x00a")
    with pytest.raises(InputError, match="is no readable list"):
        expand_inputs([str(path)])
    with pytest.raises(InputError, match=r"cannot look up 'nostore://a'"):
        expand_inputs(["nostore://a"])


def test_sizes(folder: Path) -> None:
    assert find_size(f"{folder}/c.warc", ReadOptions()) == 5
    assert find_size(f"{folder}/none", ReadOptions()) == -1
    body = bytes(5000)
    with serve(Shop({"/a": body})) as ranges, serve(Shop({"/a": body}, ranges=False)) as whole:
        assert find_size(f"{ranges.url}/a", ReadOptions(range_bytes=1000)) == 5000
        assert find_size(f"{whole.url}/a", ReadOptions(range_bytes=1000, attempts=1)) == -1
        assert find_size(f"{whole.url}/a", ReadOptions()) == 5000


@given(st.integers(0, 10**13), st.integers(10**5, 10**9))
def test_ranges_cover_the_file_without_gap_or_overlap(size: int, range_bytes: int) -> None:
    specs = plan_ranges("a.warc.gz", size, max(range_bytes, size // 500))
    assert (specs[0].start, specs[-1].end) == (0, size)
    assert all(left.end == right.start for left, right in pairwise(specs))
    assert [spec.index for spec in specs] == list(range(len(specs)))
    assert {(spec.count, spec.size, spec.warc) for spec in specs} == {(len(specs), size, "a.warc.gz")}
    assert all(spec.end - spec.start <= max(range_bytes, size // 500) for spec in specs)


def test_what_cannot_be_split_is_one_range() -> None:
    for name in ("a.arc", "a.ARC.gz", "a.arc.zst", "https://a.example/a.arc.gz?x=1"):
        assert len(plan_ranges(name, 10**10)) == 1
    assert len(plan_ranges("a.warc", -1)) == len(plan_ranges("a.warc", 0)) == 1
