from __future__ import annotations

import io
import logging
import time
from pathlib import Path

import pytest

from pipelines import progress
from pipelines.progress import Progress, show_progress
from transforms.manifests import write_manifest
from transforms.pages import RangeSpec
from transforms.progress_marks import ProgressMarks
from transforms.stores import Store

PLAN = [RangeSpec("a.warc.gz", index, 2, index * 1000, (index + 1) * 1000, 2000) for index in range(2)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def half_way(tmp_path: Path) -> Progress:
    store = Store(str(tmp_path / "out"))
    write_manifest(store, PLAN[0], {"rows": 1})
    (tmp_path / "marks").mkdir()
    ProgressMarks(str(tmp_path / "marks")).mark(PLAN[1], 1250, 3)
    return Progress(store, PLAN, str(tmp_path / "marks"))


def test_done_ranges_and_marks_are_counted(half_way: Progress) -> None:
    half_way.look()
    assert (half_way.ranges, half_way.bytes, half_way.total_bytes) == (1, 1250, 2000)


def test_a_mark_is_gone_when_its_range_is_done(tmp_path: Path) -> None:
    marks = ProgressMarks(str(tmp_path))
    marks.mark(PLAN[0], 10, 1)
    marks.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_gets_a_bar(half_way: Progress) -> None:
    terminal = Terminal()
    with show_progress(half_way, terminal):
        pass
    assert "62%" in terminal.getvalue()
    assert "1 of 2 ranges" in terminal.getvalue()


def test_anything_else_gets_log_lines(
    half_way: Progress, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.05)
    stream = io.StringIO()
    with caplog.at_level(logging.INFO, "danubia"), show_progress(half_way, stream):
        time.sleep(0.3)
    assert stream.getvalue() == ""
    assert "1 of 2 ranges done, 62 % of the bytes" in caplog.text
