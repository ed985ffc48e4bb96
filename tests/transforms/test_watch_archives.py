"""The streaming graph's parts, and the graph itself on Beam's local runner for a few looks."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.utils.timestamp import Timestamp

from tests.pipelines.archives import make_page, write_archive
from transforms.manifests import write_manifest
from transforms.pages import RangeSpec
from transforms.read_options import ReadOptions
from transforms.stores import Store
from transforms.watch_archives import ParseFn, TakeNewFn, WatchArchives


def parse(attributes: dict[str, str] | None, payload: bytes = b"") -> list[str]:
    return list(ParseFn(("gs://crawl/*.warc.gz",)).process(SimpleNamespace(data=payload, attributes=attributes)))


def tell(name: str, **changes: str) -> dict[str, str]:
    return {"eventType": "OBJECT_FINALIZE", "bucketId": "crawl", "objectId": name, **changes}


def test_messages_name_the_objects_that_are_wanted(caplog: pytest.LogCaptureFixture) -> None:
    assert parse(tell("a.warc.gz")) == ["gs://crawl/a.warc.gz"]
    assert parse(tell("a.warc.gz", bucketId="other")) == []
    assert parse(tell("a.warc.gz", eventType="OBJECT_DELETE")) == []
    assert parse(tell("a.warc.gz.tmp")) == []
    assert parse(tell(".a.warc.gz")) == []
    assert not caplog.records
    assert parse(None, b"nonsense") == []
    assert "a message is ignored: the payload is no JSON" in caplog.text


@pytest.fixture
def archive(tmp_path: Path) -> str:
    return str(write_archive(tmp_path / "in" / "a.warc.gz", [make_page(1)]))


def make_take(output: Path, range_bytes: int = 1 << 20) -> Any:
    take = TakeNewFn(str(output), ReadOptions(range_bytes=range_bytes))
    take.setup()
    return take


def finish(output: Path, spec: RangeSpec, **changes: Any) -> None:
    names = ("warc", "index", "count", "start", "end", "size")
    values = {name: getattr(spec, name) for name in names}
    counts = {
        "records": 1,
        "pages": 1,
        "failures": 0,
        "whole": True,
        "pages_file": None,
        "failures_file": None,
        "skipped_file": None,
    }
    write_manifest(Store(str(output)), spec, {**values, **counts, **changes})


def test_an_archive_that_comes_twice_is_dealt_out_once(archive: str, tmp_path: Path) -> None:
    take = make_take(tmp_path / "out", range_bytes=500)
    specs = list(take.process(archive))
    assert len(specs) > 1
    assert list(take.process(archive)) == []
    finish(tmp_path / "out", specs[0])
    assert list(make_take(tmp_path / "out", range_bytes=500).process(archive)) == specs[1:]  # as after a restart
    for spec in specs:
        finish(tmp_path / "out", spec)
    assert list(make_take(tmp_path / "out", range_bytes=500).process(archive)) == []


def test_a_range_in_which_the_store_failed_is_dealt_out_again(archive: str, tmp_path: Path) -> None:
    [spec] = make_take(tmp_path / "out").process(archive)
    finish(tmp_path / "out", spec, whole=False)
    assert list(make_take(tmp_path / "out").process(archive)) == [spec]
    assert not Store(str(tmp_path / "out")).list_names("_manifests")


def test_an_archive_that_changed_or_is_gone_is_left(
    archive: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    size = Path(archive).stat().st_size
    finish(tmp_path / "out", RangeSpec(archive, 0, 1, 0, size - 1, size - 1))
    assert list(make_take(tmp_path / "out").process(archive)) == []
    assert "has changed since" in caplog.text
    assert list(make_take(tmp_path / "out").process(f"{archive}.gone")) == []
    assert "does not tell its size" in caplog.text


def test_archives_that_appear_come_out_of_a_stream(tmp_path: Path) -> None:
    """Beam's local runner ends where a stop is set, and gives out what is behind the looks."""
    found = tmp_path / "found"
    found.mkdir()
    (tmp_path / "in").mkdir()

    def add() -> None:
        for name in ("a.warc", "b.warc"):
            (tmp_path / "in" / name).write_bytes(b"1")
            os.utime(tmp_path / "in" / name, (1, 1))
            time.sleep(0.5)

    thread = threading.Thread(target=add)
    thread.start()
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        looks = WatchArchives([f"{tmp_path}/in/*"], interval=1, stop_timestamp=Timestamp.now() + 4)
        pipeline | looks | beam.Map(lambda path, to=str(found): (Path(to) / Path(path).name).touch())
    thread.join()
    assert sorted(path.name for path in found.iterdir()) == ["a.warc", "b.warc"]
