"""What is there, whole, of what patterns name: files that are written while somebody looks."""

from __future__ import annotations

import os
from pathlib import Path

import fsspec
import pytest

from transforms.look_out import LookOut


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def write_at(path: Path, content: bytes, time: float) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (time, time))
    return str(path)


def test_a_file_is_taken_once_it_rests(tmp_path: Path) -> None:
    clock = Clock()
    out = LookOut([f"{tmp_path}/*.warc.gz"], settle_seconds=30, clock=clock)
    assert out.look().ready == []
    old = write_at(tmp_path / "a.warc.gz", b"1", clock.now - 30)
    new = write_at(tmp_path / "b.warc.gz", b"1", clock.now - 29)
    look = out.look()
    assert (look.ready, look.waiting, look.failed) == ([old], 1, 0)
    clock.now += 20
    write_at(tmp_path / "b.warc.gz", b"12", clock.now)  # still being written
    assert out.look({old}).ready == []
    clock.now += 29
    assert out.look({old}).ready == []
    clock.now += 1
    assert out.look({old}).ready == [new]


def test_a_time_of_change_in_the_future_is_made_up_for_by_two_looks(tmp_path: Path) -> None:
    clock = Clock()
    out = LookOut([str(tmp_path)], settle_seconds=30, clock=clock)
    name = write_at(tmp_path / "a.warc", b"1", clock.now + 3600)
    assert out.look().ready == []
    clock.now += 30
    assert out.look().ready == [name]


@pytest.mark.parametrize(
    "name", [".a.warc.gz", "a.warc.gz.tmp", "a.warc.gz.part", "a.warc.gz.open", ".rsync/a.warc.gz"]
)
@pytest.mark.parametrize("pattern", ["", "/*", "/**/*", "/**"])
def test_hidden_and_temporary_names_are_passed_over(tmp_path: Path, name: str, pattern: str) -> None:
    kept = write_at(tmp_path / ".crawl" / "b.warc.gz", b"1", 0)
    write_at(tmp_path / ".crawl" / name, b"1", 0)
    assert set(LookOut([f"{tmp_path}/.crawl{pattern}"]).look().ready) == {kept}


def test_empty_files_and_listed_files_that_are_not_there_yet_are_waited_for(tmp_path: Path) -> None:
    empty = write_at(tmp_path / "in" / "empty.warc", b"", 0)
    write_at(tmp_path / "list.paths", f"{empty}\n{tmp_path}/in/later.warc\n".encode(), 0)
    out = LookOut([f"{tmp_path}/list.paths"])
    assert (out.look().ready, out.look().waiting) == ([], 2)
    write_at(Path(empty), b"1", 0)
    later = write_at(tmp_path / "in" / "later.warc", b"1", 0)
    assert out.look().ready == [empty, later]


def test_objects_are_whole_when_they_appear() -> None:
    memory = fsspec.filesystem("memory")
    out = LookOut(["memory://look-out/*.warc"])
    assert out.look().ready == []
    memory.pipe_file("/look-out/a.warc", b"1")
    assert out.look().ready == ["memory:///look-out/a.warc"]


def test_a_store_that_cannot_be_listed_is_told_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bad.paths.gz").write_bytes(b"\x1f\x8bnonsense")
    name = write_at(tmp_path / "a.warc", b"1", 0)
    look = LookOut([f"{tmp_path}/bad.paths.gz", name]).look()
    assert (look.ready, look.failed) == ([name], 1)
    assert "no readable list" in caplog.text


def test_a_name_that_is_no_utf_8_is_told_of_once_and_keeps_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    good = write_at(tmp_path / "a.warc", b"1", 1)
    write_at(tmp_path / os.fsdecode(b"m\xfchle.warc"), b"1", 1)
    out = LookOut([str(tmp_path)])
    assert out.look().ready == out.look().ready == [good]
    assert caplog.text.count("is not taken: the name is not UTF-8") == 1
