"""--cdx: the records that an index names, and nothing else; their rows are those of a whole read."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.extract import main
from tests.pipelines.archives import make_page, write_archive
from tests.pipelines.indexes import WRITERS, Place, find_places, write_cdxj, write_columnar, write_list
from tests.pipelines.runs import PAGES, RANGE, read_report, read_rows, run_command, wait_for
from tests.pipelines.slow_extractor import extract_slowly
from transforms.index_filters import parse_filters
from transforms.read_index import COLUMNS, IndexBatch
from transforms.read_index import read_index as read_rows_of
from transforms.read_options import ReadOptions


@pytest.fixture(scope="session")
def places(archive: Path) -> list[Place]:
    return find_places(archive)


def responses(places: list[Place]) -> list[Place]:
    return [place for place in places if place.kind == "response"]


def read_index(index: Path, output: Path, *arguments: str) -> int:
    return main(["--cdx", str(index), "--output", str(output), RANGE, *arguments])


@pytest.mark.parametrize("name", WRITERS)
def test_rows_equal_those_of_a_whole_read(name: str, places: list[Place], finished: Path, tmp_path: Path) -> None:
    chosen = responses(places)[::3]
    shuffled = random.Random(5).sample([*chosen, *chosen[:4]], len(chosen) + 4)
    index = WRITERS[name](tmp_path / name, shuffled)
    assert read_index(index, tmp_path / "out") == 0
    offsets = {place.offset for place in chosen}
    rows = read_rows(tmp_path / "out")
    assert rows == [row for row in read_rows(finished) if row["offset"] in offsets]
    assert [(row["warc"], row["offset"]) for row in rows] == sorted(
        (place.warc, place.offset) for place in chosen if place.status == 200
    )
    report = read_report(tmp_path / "out")
    assert report["records"] == len(chosen)
    assert report["ranges"]["planned"] > 1, "the records of one archive are shared out too"
    assert not (tmp_path / "out" / "_plan").exists()


def test_everything_an_index_names_is_reckoned(places: list[Place], finished: Path, tmp_path: Path) -> None:
    assert read_index(write_cdxj(tmp_path / "all.cdxj", places), tmp_path / "out") == 0
    assert read_rows(tmp_path / "out") == read_rows(finished)
    ours, whole = read_report(tmp_path / "out"), read_report(finished)
    assert (ours["records"], ours["skips"]) == (whole["records"], whole["skips"])


@pytest.mark.parametrize("name", ["places.cdxj", "p.parquet"])
@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ("status=200", PAGES),
        ("status=301", 1),
        ("language=eng", PAGES + 1),
        ("host=example", PAGES + 1),
        ("host=mills.example,else.example", PAGES + 1),
        ("mime=text/html", PAGES + 1),
        ("language=en", 0),
        ("host=ills.example", 0),
        ("mime=text/plain", 0),
    ],
)
def test_filters_choose_rows(name: str, wanted: str, count: int, places: list[Place], tmp_path: Path) -> None:
    index = WRITERS[name](tmp_path / name, responses(places))
    batches = read_rows_of(str(index), parse_filters([wanted]), ReadOptions())
    assert sum(len(batch.ids) for batch in batches if isinstance(batch, IndexBatch)) == count


def test_a_filter_holds_for_the_whole_run(
    places: list[Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = responses(places)
    write_columnar(tmp_path / "a.parquet", chosen[:3], languages="eng,isl")
    write_columnar(tmp_path / "b.parquet", chosen[3:7], languages="isl,eng")
    write_cdxj(tmp_path / "c.cdxj", chosen[7:12], languages="isl")
    assert read_index(tmp_path, tmp_path / "none", "--cdx-filter=language=deu") == 2
    assert "look at --cdx-filter" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert read_index(tmp_path, tmp_path / "out", "--cdx-filter=language=isl") == 0
    assert read_report(tmp_path / "out")["records"] == 9


def test_a_plain_list_cannot_be_filtered(
    places: list[Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = write_list(tmp_path / "p.csv", places)
    assert read_index(index, tmp_path / "out", "--cdx-filter=status=200") == 2
    assert f"{index}: a plain list tells only warc,offset,length" in capsys.readouterr().err


def test_lengths_may_be_missing_or_wrong(places: list[Place], finished: Path, tmp_path: Path) -> None:
    chosen = responses(places)[:PAGES]
    lengths = ["", "10", "100000"]
    lines = [f"{place.warc},{place.offset},{lengths[index % 3]}" for index, place in enumerate(chosen)]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    assert read_index(tmp_path / "p.csv", tmp_path / "out") == 0
    assert read_rows(tmp_path / "out") == read_rows(finished)


@pytest.mark.parametrize(
    "heading",
    ["Warc, Offset", "filename,offset,length\r", '"warc_filename","warc_record_offset","warc_record_length"'],
)
def test_lists_may_have_headings(heading: str, places: list[Place], tmp_path: Path) -> None:
    lines = [heading, *(f"{place.warc},{place.offset}" for place in responses(places)[:3])]
    (tmp_path / "p.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    assert read_index(tmp_path / "p.csv", tmp_path / "out") == 0
    assert read_report(tmp_path / "out")["rows"] == 3


def test_lines_that_csv_cannot_read_are_failures_too(places: list[Place], tmp_path: Path) -> None:
    [place] = responses(places)[:1]
    lines = [f"{place.warc},{place.offset}", "a.warc,1\rb.warc,2", f'"{"x" * 200_000}",1']
    (tmp_path / "p.csv").write_text("\n".join(lines), newline="")
    assert read_index(tmp_path / "p.csv", tmp_path / "out", "--max-failure-rate=1") == 0
    failures = pq.read_table(tmp_path / "out" / "failures").to_pylist()
    assert [row["message"].partition(":")[0] for row in failures] == ["row 2", "row 3"]


def test_bad_rows_are_failures_that_name_their_line(places: list[Place], tmp_path: Path) -> None:
    index = write_cdxj(tmp_path / "p.cdxj", responses(places)[:5])
    with index.open("ab") as file:
        file.write(b'example)/ 2026 {"url": "https://a.example/", "offset": "x", "length": "9", "filename": "a"}\n')
        file.write(b'example)/ 2026 {"url": "https://a.example/", "offset": "9", "length": "9"}\n\nwhat is this\n')
        file.write(b'example)/ 2026 {"url": "https://a.example/", "offset": "9", "filename": ""}\n')
        file.write(b'{"offset": "9", "filename": "a", "more": %s%s}\n' % (b"[" * 100_000, b"]" * 100_000))
    arguments = ["--max-failure-rate=0.5"]
    assert read_index(index, tmp_path / "out", *arguments) == 0
    failures = pq.read_table(tmp_path / "out" / "failures").to_pylist()
    assert {row["warc"] for row in failures} == {str(index)}
    assert [row["message"].partition(":")[0] for row in failures] == ["row 6", "row 7", "row 9", "row 10", "row 11"]
    assert "offset is 'x'" in failures[0]["message"]
    assert "filename" in failures[1]["message"]
    report = read_report(tmp_path / "out")
    assert (report["records"], report["rows"], report["archives"]) == (10, 5, 1)
    assert report["failure_kinds"] == {"index:BadRow": 5}
    assert report["closes"]
    assert read_index(index, tmp_path / "out", *arguments) == 0
    assert read_report(tmp_path / "out")["ranges"]["done_now"] == 0
    assert len(pq.read_table(tmp_path / "out" / "failures").to_pylist()) == 5


def test_bad_places_in_a_columnar_index_are_failures(places: list[Place], tmp_path: Path) -> None:
    chosen = [*responses(places)[:5], Place("a.warc.gz", -1, 5, "response", "", 200)]
    index = write_columnar(tmp_path / "p.parquet", chosen)
    assert read_index(index, tmp_path / "out", "--max-failure-rate=0.5") == 0
    [failure] = pq.read_table(tmp_path / "out" / "failures").to_pylist()
    assert "a.warc.gz" in failure["message"]
    assert read_report(tmp_path / "out")["rows"] == 5


@pytest.mark.parametrize(
    "content", ["<html>\n<p>not an index\n", "CDX N b a m s k r M S V g\n", "PAR1 but not Parquet"]
)
def test_a_file_that_is_no_index_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.cdxj").write_text(content)
    assert read_index(tmp_path / "index.cdxj", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert f"{tmp_path}/index.cdxj" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_place_without_a_record_is_a_failure_that_names_it(
    archive: Path, places: list[Place], tmp_path: Path
) -> None:
    good = responses(places)[4]
    wrong = [good.offset + 1, good.offset + 40, archive.stat().st_size + 7]
    rows = [f"{archive},{offset},300" for offset in [good.offset, *wrong]]
    (tmp_path / "p.csv").write_text("\n".join([*rows, f"{tmp_path}/gone.warc.gz,0,5"]))
    assert read_index(tmp_path / "p.csv", tmp_path / "out", "--max-failure-rate=1") == 0
    failures = pq.read_table(tmp_path / "out" / "failures").to_pylist()
    assert {(row["warc"], row["offset"]) for row in failures} == {
        *((str(archive), offset) for offset in wrong),
        (f"{tmp_path}/gone.warc.gz", 0),
    }
    assert [row["offset"] for row in read_rows(tmp_path / "out")] == [good.offset]


def test_another_selection_of_the_same_archive_is_refused(
    places: list[Place], finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = responses(places)
    index = write_cdxj(tmp_path / "p.cdxj", chosen[:9])
    assert read_index(index, tmp_path / "out") == 0
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*")}
    write_cdxj(index, chosen[:10])
    with index.open("ab") as file:
        file.write(b"what is this\n")
    assert read_index(index, tmp_path / "out") == 2
    assert "was read by an index's rows before, and they were others" in capsys.readouterr().err
    assert {
        path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*") if "_plan" not in path.parts
    } == files
    write_cdxj(index, chosen[:10])
    assert main(["--input", chosen[0].warc, "--output", str(tmp_path / "out"), RANGE]) == 2
    assert "is to be read whole now" in capsys.readouterr().err
    assert read_index(index, finished) == 2
    assert "was read whole before" in capsys.readouterr().err
    assert read_index(index, tmp_path / "out", "--overwrite") == 0
    assert len(read_rows(tmp_path / "out")) == 10


def test_a_killed_run_goes_on_from_another_index_of_the_same_records(
    places: list[Place], finished: Path, tmp_path: Path
) -> None:
    chosen = responses(places)
    index = write_cdxj(tmp_path / "p.cdxj", chosen)
    output = tmp_path / "out"
    slow = f"--extractor={extract_slowly.__module__}:extract_slowly"
    command = [sys.executable, "-m", "pipelines.extract", "--cdx", str(index), "--output", str(output), RANGE, slow]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    manifests = output / "_manifests"
    wait_for(lambda: manifests.exists() and any(manifests.glob("*.json")))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    index = write_columnar(tmp_path / "p.parquet", chosen[::-1])
    assert read_index(index, output) == 0
    report = read_report(output)
    assert 0 < report["ranges"]["done_before"] < report["ranges"]["planned"]
    assert read_rows(output) == read_rows(finished)


def test_two_workers_and_two_archives(tmp_path: Path) -> None:
    archives = [
        write_archive(tmp_path / name, [make_page(number) for number in range(30)])
        for name in ("a.warc.gz", "b.warc.gz")
    ]
    chosen = [place for archive in archives for place in responses(find_places(archive))]
    relative = [
        Place(Path(place.warc).name, place.offset, place.length, place.kind, place.url, place.status)
        for place in chosen
    ]
    index = write_cdxj(tmp_path / "p.cdxj", relative)
    output = tmp_path / "out"
    arguments = ["--cdx", str(index), "--prefix", f"{tmp_path}/", "--output", str(output), RANGE]
    done = run_command(*arguments, "--direct_num_workers=2")
    assert done.returncode == 0, done.stderr
    found = sorted((row["warc"], row["offset"]) for row in read_rows(output))
    assert found == sorted((place.warc, place.offset) for place in chosen if place.status == 200)
    names = {json.loads(path.read_text())["warc"] for path in (output / "_manifests").iterdir()}
    assert names == set(map(str, archives))


def write_names(path: Path, names: pa.Array, place: Place) -> Path:
    """Write a columnar index that names one place in archives of these names."""
    offsets, lengths = [place.offset] * len(names), [place.length] * len(names)
    pq.write_table(pa.table([names, offsets, lengths], names=list(COLUMNS)), path)
    return path


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_binary(), pa.dictionary(pa.uint8(), pa.string())])
def test_names_in_a_columnar_index_are_text_or_its_bytes(
    kind: pa.DataType, places: list[Place], tmp_path: Path
) -> None:
    place = responses(places)[5]
    names = pa.array([place.warc, None, place.warc]).cast(kind)
    index = write_names(tmp_path / "p.parquet", names, place)
    assert read_index(index, tmp_path / "out", "--max-failure-rate=0.5") == 0
    assert [row["offset"] for row in read_rows(tmp_path / "out")] == [place.offset]
    assert read_report(tmp_path / "out")["failure_kinds"] == {"index:BadRow": 1}


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (pa.array([7]), "int64"),
        (pa.array([["a"]]), "list<element: string>"),
        (pa.array([None]), "null"),
    ],
)
def test_a_columnar_index_whose_names_are_no_text_is_refused(
    names: pa.Array, kind: str, places: list[Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = write_names(tmp_path / "p.parquet", names, places[0])
    assert read_index(index, tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert f"{index} is no columnar index: its column warc_filename holds {kind}, not text" in error
    assert error.count("\n") == 1


BAD_NAMES = ["", "  ", "x/../a\0b", "https://a.example/\0"]


@pytest.mark.parametrize("name", ["p.cdxj", "p.csv", "p.parquet"])
def test_names_that_cannot_be_a_files_are_bad_rows(name: str, places: list[Place], tmp_path: Path) -> None:
    place = responses(places)[5]
    named = [place.warc, *BAD_NAMES, place.warc]
    index = tmp_path / name
    if index.suffix == ".parquet":
        raw = [*(text.encode() for text in named), b"\xff.warc"]
        write_names(index, pa.array(raw), place)
    elif index.suffix == ".csv":
        index.write_text("".join(f'"{text}",{place.offset}\n' for text in named) + f"\0,{place.offset}\n")
    else:
        lines = [json.dumps({"filename": text, "offset": place.offset}) for text in [*named, "\0"]]
        index.write_text("\n".join(lines))
    assert read_index(index, tmp_path / "out", "--max-failure-rate=1") == 0
    report = read_report(tmp_path / "out")
    assert (report["rows"], report["archives"]) == (1, 1)
    assert report["failure_kinds"] == {"index:BadRow": len(BAD_NAMES) + 1}


@pytest.mark.parametrize("status", ["²", "٢٠٠", "-", "9" * 5000, None, 200.5])
def test_an_odd_status_matters_only_to_a_filter_on_it(status: object, places: list[Place], tmp_path: Path) -> None:
    index = write_cdxj(tmp_path / "p.cdxj", responses(places)[:2])
    odd = {"filename": places[0].warc, "offset": 1, "status": status}
    with index.open("a") as file:
        file.write(json.dumps(odd) + "\n")

    def count(*wanted: str) -> list[int]:
        rows = read_rows_of(str(index), parse_filters(wanted), ReadOptions())
        return [len(batch.ids) for batch in rows if isinstance(batch, IndexBatch)]

    assert (count(), count("status=200")) == ([3], [2])


def damage_gzip(packed: bytes) -> bytes:
    return packed[:15] + b"\xff\xff\xff" + packed[18:]


@pytest.mark.parametrize("damage", [damage_gzip, lambda packed: packed[:-12], lambda packed: packed + b"no gzip\n"])
def test_a_damaged_gzip_file_is_refused(
    damage: Callable[[bytes], bytes], places: list[Place], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = write_cdxj(tmp_path / "p.cdxj.gz", places[:1])
    index.write_bytes(damage(gzip.compress(gzip.decompress(index.read_bytes()))))
    assert read_index(index, tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert f"cannot read the index {index}: " in error
    assert error.count("\n") == 1
