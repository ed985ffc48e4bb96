from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas import failure_row
from schemas.arrow import arrow_schema
from schemas.page_row import COLUMNS, SCHEMA_VERSION, page_columns
from transforms.manifests import manifest_name, shard_name
from transforms.pages import RangeEnd, RangeSpec, ReadFailure
from transforms.rows import PageFailure, Row, SkippedPage, StoppedError
from transforms.shards import ReckoningError
from transforms.write_rows import WriteRows, WriteRowsFn

SPEC = RangeSpec("s3://crawls/mills.warc.gz", 1, 3, 1000, 2000, 3000)
OTHER = RangeSpec("s3://crawls/mills.warc.gz", 2, 3, 2000, 3000, 3000)
SAMPLES = {
    "string": "Größe",
    "large_string": "Größe\n" * 3,
    "int32": 7,
    "int64": 7_000_000_000,
    "float": 1.5,
    "bool": True,
    "timestamp[us, tz=UTC]": 1790989323000000,
    "list<string>": ["mills", "floods"],
    "map<string, int32>": {"paragraph": 2, "heading": 1},
    "map<string, int64>": {"nav": 40},
}


def row(number: int, spec: RangeSpec = SPEC, **changes: Any) -> Row:
    values = {column.name: SAMPLES[column.type] for column in COLUMNS}
    values |= {"url": f"https://mills.example/{number}", **changes}
    return Row(values, spec, spec.start + number, html_bytes=100, row_bytes=1000, rung="article")


def page_failure(spec: RangeSpec = SPEC) -> PageFailure:
    return PageFailure(
        "timeout", "PageTimeout", "too slow", "", "https://mills.example/x", spec.warc, 1500, 9, "<x>", spec, 50
    )


def read_failure(spec: RangeSpec = SPEC) -> ReadFailure:
    return ReadFailure(spec.warc, 1600, -1, "", "record", "HeaderError", "no colon", "", spec)


def write(output: str, elements: list[Any], **arguments: Any) -> list[dict[str, Any]]:
    fn: WriteRowsFn = WriteRows(output, **arguments)._fn
    fn.setup()
    fn.start_bundle()
    try:
        found = [manifest for element in elements for manifest in fn.process(element)]
        return found + [item.value for item in fn.finish_bundle()]
    finally:
        fn.teardown()


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


ELEMENTS = [
    row(0),
    SkippedPage("page:empty", "https://mills.example/e", 1400, 90, "<e>", SPEC, 10),
    page_failure(),
    row(1, title=None),
    read_failure(),
    RangeEnd(SPEC, 12, 4, {"record-type:request": 7}, 1),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("out")
    [manifest] = write(str(folder), ELEMENTS, columns=[c.name for c in COLUMNS], config={"mode": "balanced"})
    return folder, manifest


def test_a_range_makes_files_of_rows_failures_and_skipped_pages_and_a_manifest(
    written: tuple[Path, dict[str, Any]],
) -> None:
    folder, _ = written
    name = shard_name(SPEC)
    assert name.startswith("mills-")
    assert name.endswith("-00001-of-00003")
    files = [f"{folder}/{name}.parquet" for folder in ("failures", "pages", "skipped")]
    assert names(folder) == [f"_manifests/{name}.json", *files]


def test_the_manifest_closes_the_reckoning(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    assert json.loads((folder / "_manifests" / manifest_name(SPEC)).read_text()) == manifest
    assert (manifest["records"], manifest["pages"], manifest["rows"], manifest["failures"]) == (12, 4, 2, 2)
    assert manifest["skips"] == {"page:empty": 1, "record-type:request": 7}
    assert manifest["failure_kinds"] == {"extract:timeout": 1, "record:HeaderError": 1}
    assert manifest["rungs"] == {"article": 2}
    assert manifest["html_bytes"] == 100 + 10 + 50 + 100
    assert manifest["records"] == manifest["rows"] + sum(manifest["skips"].values()) + manifest["failures"]
    assert manifest["parquet_bytes"] == (folder / manifest["pages_file"]).stat().st_size


def test_rows_read_back_with_their_declared_types(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    table = pq.read_table(folder / manifest["pages_file"])
    assert table.schema.equals(arrow_schema(COLUMNS), check_metadata=False)
    assert [field.nullable for field in table.schema] == [column.nullable for column in COLUMNS]
    first = table.to_pylist()[0]
    assert first["url"] == "https://mills.example/0"
    assert first["crawl_date"].isoformat() == "2026-10-03T01:02:03+00:00"
    assert dict(first["node_counts"]) == {"paragraph": 2, "heading": 1}
    assert table.column("title").null_count == 1
    assert table.schema.field("text").type == pa.large_string()


def test_files_name_the_versions_and_options_that_made_them(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    metadata = pq.read_schema(folder / manifest["pages_file"]).metadata
    assert metadata[b"danubia.schema_version"] == str(SCHEMA_VERSION).encode()
    assert json.loads(metadata[b"danubia.options"]) == {"mode": "balanced"}
    assert b"danubia.extractor_version" in metadata


def test_columns_are_compressed_and_describe_themselves(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    file = pq.ParquetFile(folder / manifest["pages_file"])
    group = file.metadata.row_group(0)
    assert {group.column(index).compression for index in range(group.num_columns)} == {"ZSTD"}
    assert file.schema_arrow.field("url").metadata[b"description"].startswith(b"The page's address")


def test_failures_tell_where_and_why(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    table = pq.read_table(folder / manifest["failures_file"])
    assert table.column_names == [column.name for column in failure_row.COLUMNS]
    slow, broken = table.to_pylist()
    assert (slow["stage"], slow["reason"], slow["exception"], slow["offset"]) == (
        "extract",
        "timeout",
        "PageTimeout",
        1500,
    )
    assert (broken["stage"], broken["reason"], broken["message"], broken["length"]) == (
        "record",
        "unreadable",
        "no colon",
        -1,
    )


def test_skipped_pages_tell_which_and_why(written: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = written
    assert pq.read_table(folder / manifest["skipped_file"]).to_pylist() == [
        {
            "url": "https://mills.example/e",
            "warc": SPEC.warc,
            "offset": 1400,
            "length": 90,
            "record_id": "<e>",
            "reason": "page:empty",
            "html_bytes": 10,
            "range_index": 1,
        }
    ]


def test_duckdb_and_polars_read_the_rows(written: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = written
    pattern = f"{folder}/pages/*.parquet"
    query = "select url, title, node_counts['heading'], tags[1] from read_parquet(?) order by url"
    assert duckdb.execute(query, [pattern]).fetchall() == [
        ("https://mills.example/0", "Größe", 1, "mills"),
        ("https://mills.example/1", None, 1, "mills"),
    ]
    frame = polars.read_parquet(pattern)
    assert frame["text"].to_list() == ["Größe\n" * 3] * 2


def test_row_groups_are_bounded_by_bytes_and_by_rows(tmp_path: Path) -> None:
    text = "x" * 400
    rows = [Row(row(n, text=text).values, SPEC, SPEC.start, 1, 600, "article") for n in range(25)]
    [manifest] = write(str(tmp_path / "a"), [*rows, RangeEnd(SPEC, 25, 25)], row_group_bytes=10_000)
    assert group_sizes(tmp_path / "a" / manifest["pages_file"]) == [10, 10, 5]
    [manifest] = write(str(tmp_path / "b"), [*rows, RangeEnd(SPEC, 25, 25)], row_group_rows=12)
    assert group_sizes(tmp_path / "b" / manifest["pages_file"]) == [12, 12, 1]


def group_sizes(path: Path) -> list[int]:
    metadata = pq.ParquetFile(path).metadata
    return [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]


def test_a_range_without_pages_makes_an_empty_file_of_the_same_schema(tmp_path: Path) -> None:
    [manifest] = write(str(tmp_path), [RangeEnd(SPEC, 3, 0, {"record-type:request": 3})])
    table = pq.read_table(tmp_path / manifest["pages_file"])
    assert table.num_rows == 0
    assert table.column_names == [column.name for column in page_columns()]


def test_text_that_utf8_cannot_hold_is_mended(tmp_path: Path) -> None:
    [manifest] = write(str(tmp_path), [row(0, title="a\ud800b"), row(1), RangeEnd(SPEC, 2, 2)], columns=["title"])
    assert pq.read_table(tmp_path / manifest["pages_file"]).column("title").to_pylist() == ["a?b", "Größe"]


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([row(0), RangeEnd(SPEC, 2, 2)], "the reader counted"),
        ([row(0), read_failure(), RangeEnd(SPEC, 1, 1)], "the reader counted"),
        ([row(0), row(0, OTHER), RangeEnd(SPEC, 1, 1)], "before the end"),
        ([row(0)], "no range end"),
    ],
)
def test_a_range_that_does_not_add_up_leaves_no_file(tmp_path: Path, elements: list[Any], message: str) -> None:
    with pytest.raises(ReckoningError, match=message):
        write(str(tmp_path), elements)
    assert names(tmp_path) == []


def test_a_second_attempt_replaces_the_first_and_its_failures(tmp_path: Path) -> None:
    write(str(tmp_path), ELEMENTS)
    [manifest] = write(str(tmp_path), [row(0), RangeEnd(SPEC, 1, 1)])
    assert manifest["failures_file"] is None
    assert names(tmp_path) == [f"_manifests/{shard_name(SPEC)}.json", f"pages/{shard_name(SPEC)}.parquet"]
    assert pq.read_table(tmp_path / manifest["pages_file"]).num_rows == 1


def test_other_stores_get_whole_files() -> None:
    [manifest] = write("memory://written/out", ELEMENTS)
    with fsspec.open(f"memory://written/out/{manifest['pages_file']}", "rb") as file:
        assert pq.read_table(file).num_rows == 2


def test_a_stream_without_range_ends_makes_one_file_a_bundle(tmp_path: Path) -> None:
    [counts] = write(str(tmp_path), [row(0), row(0, OTHER), page_failure()], ends=False)
    assert (counts["rows"], counts["failures"]) == (2, 1)
    assert [name.partition("/")[0] for name in names(tmp_path)] == ["failures", "pages"]


def test_archives_of_one_name_get_files_of_their_own() -> None:
    specs = [RangeSpec(f"s3://crawls/{n}/a.warc.gz", 0, 1, 0, 1, 1) for n in range(2)]
    assert len({shard_name(spec) for spec in specs}) == 2


@pytest.mark.parametrize(
    "warc", ["a/../../b.warc.gz", "https://x.example/a.warc.gz?key=/../secret", "x" * 900, "é/.warc"]
)
def test_shard_names_stay_within_the_folder(warc: str) -> None:
    name = shard_name(RangeSpec(warc, 0, 1, 0, 1, 1))
    assert "/" not in name
    assert not name.startswith(".")
    assert len(name) < 200
    assert "secret" not in name


def test_a_worker_that_is_ended_while_it_writes_drops_the_range(tmp_path: Path) -> None:
    # By another thread, as Beam ends the workers that it has in a cancelled job's own process.
    for number in range(20):
        fn: WriteRowsFn = WriteRows(str(tmp_path), row_group_rows=5)._fn
        fn.setup()
        ended: list[StoppedError] = []

        def write_on(fn: WriteRowsFn = fn, ended: list[StoppedError] = ended) -> None:
            fn.start_bundle()
            try:
                for place in range(100_000):
                    list(fn.process(row(place, text="Größe " * 2000)))
            except StoppedError as error:
                ended.append(error)

        thread = threading.Thread(target=write_on)
        thread.start()
        time.sleep(0.003 * number)
        fn.teardown()
        thread.join(30)
        assert ended
    assert names(tmp_path) == []
