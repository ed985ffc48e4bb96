from __future__ import annotations

import errno
import functools
import http.server
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest

from pipelines.extract import main
from tests.pipelines.archives import make_page, write_archive
from tests.pipelines.runs import PAGES, RANGE, read_report, read_rows, run_command


def test_every_page_becomes_one_row(finished: Path) -> None:
    rows = read_rows(finished)
    assert [row["url"] for row in rows] == [f"https://mills.example/{number}" for number in range(PAGES)]
    assert [row["title"] for row in rows] == [f"Mill {number}" for number in range(PAGES)]
    assert {row["http_status"] for row in rows} == {200}
    assert all(f"The mill by the river {number} " in row["markdown"] for number, row in enumerate(rows))


def test_the_report_closes_the_reckoning(finished: Path) -> None:
    report = read_report(finished)
    assert report["ok"]
    assert report["records"] == 1 + 2 * (PAGES + 1)
    assert report["rows"] == PAGES
    assert report["skips"] == {"record-type:request": PAGES + 1, "http-status:3xx": 1, "record-type:warcinfo": 1}
    assert report["failures"] == 0
    assert report["ranges"]["planned"] == len(list((finished / "pages").iterdir())) > 1
    assert report["html_bytes"] == sum(len(make_page(number)) for number in range(PAGES))


def test_a_finished_run_finds_all_done(archive: Path, finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in (finished / "pages").iterdir()}
    assert main(["--input", str(archive), "--output", str(finished), RANGE]) == 0
    assert {path: path.stat().st_mtime_ns for path in (finished / "pages").iterdir()} == before
    out = capsys.readouterr().out
    assert re.search(r"^rows +40$", out, re.MULTILINE)
    assert "were done before" in out
    assert f"{finished}/pages/*.parquet" in out


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("--columns=+html,-tree", "columns: +html, -tree)"),
        ("--option=mode=recall", 'extract.mode was "balanced", is "recall"'),
        ("--range-bytes=5000", "range_bytes was 4000, is 5000"),
    ],
)
def test_another_configuration_is_refused(
    archive: Path, finished: Path, capsys: pytest.CaptureFixture[str], change: str, named: str
) -> None:
    assert main(["--input", str(archive), "--output", str(finished), RANGE, change]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert named in error
    assert "--overwrite" in error


def test_limits_may_change_between_runs(archive: Path, finished: Path) -> None:
    assert main(["--input", str(archive), "--output", str(finished), RANGE, "--page-timeout=9"]) == 0


def test_an_archive_that_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", [make_page(1)])
    arguments = ["--input", str(archive), "--output", str(tmp_path / "out")]
    assert main(arguments) == 0
    write_archive(archive, [make_page(1), make_page(2)])
    assert main(arguments) == 2
    assert "has changed since" in capsys.readouterr().err
    assert main([*arguments, "--overwrite"]) == 0
    assert len(read_rows(tmp_path / "out")) == 2


def test_pages_without_content_are_named_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [make_page(0), b"<script>let mill = 1</script>", b"<nav><a href=/>Home</a></nav>"]
    archive = write_archive(tmp_path / "a.warc.gz", pages)
    assert main(["--input", str(archive), "--output", str(tmp_path / "out")]) == 0
    assert f"pages without content, and why: {tmp_path}/out/skipped/*.parquet" in capsys.readouterr().out
    skipped = pq.read_table(tmp_path / "out" / "skipped").to_pylist()
    assert [(row["url"], row["reason"], row["html_bytes"]) for row in skipped] == [
        ("https://mills.example/1", "page:no-text", len(pages[1])),
        ("https://mills.example/2", "page:navigation-only", len(pages[2])),
    ]


def test_an_archive_that_changed_is_extracted_anew_when_asked_and_others_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [make_page(number) for number in range(40)]
    changing = write_archive(tmp_path / "in" / "a.warc.gz", pages)
    write_archive(tmp_path / "in" / "b.warc.gz", [make_page(99), b"<p></p>"])
    output = tmp_path / "out"
    arguments = ["--input", str(tmp_path / "in"), "--output", str(output), "--range-bytes=4000"]
    assert main(arguments) == 0
    [other] = (output / "pages").glob("b-*")
    written = other.stat().st_mtime_ns
    write_archive(changing, pages[:3])
    assert main(arguments) == 2
    assert "use --redo-changed, --overwrite, or another" in capsys.readouterr().err
    assert main([*arguments, "--redo-changed"]) == 0
    assert sorted(row["title"] for row in read_rows(output)) == ["Mill 0", "Mill 1", "Mill 2", "Mill 99"]
    assert other.stat().st_mtime_ns == written
    assert read_report(output)["rows"] == 4
    assert main(arguments) == 0


def test_overwrite_removes_what_danubia_wrote_and_nothing_else(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", [make_page(1)])
    output = tmp_path / "out"
    assert main(["--input", str(archive), "--output", str(output)]) == 0
    (output / "notes.txt").write_text("mine")
    (output / "pages" / "notes.txt").write_text("mine")
    (output / "pages" / "mine.parquet").write_text("mine")
    stale = "z-01234567-00000-of-00001.parquet"
    (output / "pages" / stale).write_text("from an older run")
    (output / "pages" / f".{stale}.0123456789ab.tmp").write_text("from one that was killed")
    assert main(["--input", str(archive), "--output", str(output), "--columns=url", "--overwrite"]) == 0
    names = sorted(str(path.relative_to(output)) for path in output.rglob("*.*") if path.is_file())
    [rows] = (output / "pages").glob("a-*.parquet")
    mine = ["notes.txt", "pages/mine.parquet", "pages/notes.txt"]
    own = ["_config.json", "_report.json", f"_manifests/{rows.stem}.json", f"pages/{rows.name}"]
    assert names == sorted([*mine, *own])
    [row] = pq.read_table(rows).to_pylist()
    assert row == {"url": "https://mills.example/0"}


def test_rows_of_an_unknown_configuration_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", [make_page(1)])
    arguments = ["--input", str(archive), "--output", str(tmp_path / "out")]
    assert main(arguments) == 0
    (tmp_path / "out" / "_config.json").unlink()
    assert main(arguments) == 2
    assert "no _config.json" in capsys.readouterr().err


def test_an_archive_is_read_once_however_it_is_spelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = write_archive(tmp_path / "in" / "a.warc.gz", [make_page(1)])
    monkeypatch.chdir(tmp_path)
    output = tmp_path / "out"
    spellings = ["in/a.warc.gz", "./in//a.warc.gz", str(archive), "in/*.gz", f"file://{archive}"]
    assert main(["--input", *spellings, "--output", str(output)]) == 0
    for spelling in spellings:
        assert main(["--input", spelling, "--output", str(output)]) == 0
    assert [row["warc"] for row in read_rows(output)] == [str(archive)]
    # As it was named by versions that kept a relative path.
    [manifest] = (output / "_manifests").iterdir()
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "warc": "in/a.warc.gz"}))
    capsys.readouterr()
    assert main(["--input", str(archive), "--output", str(output)]) == 2
    assert f"in/a.warc.gz, which is now named {archive}: use --overwrite" in capsys.readouterr().err


def test_more_archives_may_join_an_output(tmp_path: Path) -> None:
    first = write_archive(tmp_path / "a.warc.gz", [make_page(1)])
    second = write_archive(tmp_path / "b.warc.gz", [make_page(2)])
    output = tmp_path / "out"
    assert main(["--input", str(first), "--output", str(output)]) == 0
    assert main(["--input", str(first), str(second), "--output", str(output)]) == 0
    assert sorted(row["title"] for row in read_rows(output)) == ["Mill 1", "Mill 2"]
    assert read_report(output)["ranges"] == {"planned": 2, "done_before": 1, "done_now": 1, "missing": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either --input or --cdx, and --output"),
        (["--input", "a"], "give --output"),
        (["--output", "out"], "give either --input or --cdx"),
        (["--input", "a", "--cdx", "b", "--output", "out"], "give either --input or --cdx"),
        (["--cdx", "a", "--output", "out", "--cdx-filter", "colour=red"], "NAME one of language, host, mime, status"),
        (["--cdx", "a", "--output", "out", "--cdx-filter", "status=ok"], "no HTTP status"),
        (["--cdx", "nowhere.cdxj", "--output", "out"], "no input matches 'nowhere.cdxj'"),
        (["--input", "nowhere/*.warc.gz", "--output", "out"], "no input matches 'nowhere/*.warc.gz'"),
        (["--input", "a", "--output", "out", "--colums", "url"], "unknown option --colums; is --columns meant?"),
        (["--input", "a", "--output", "out", "--direct-num-workers=2"], "is --direct_num_workers meant?"),
        (["--input", "a", "--output", "out", "--direct_num_workers=two"], "invalid int value"),
        (["--input", "a", "--output", "out", "--checkpointing_interval=9"], "unknown option --checkpointing_interval"),
        (["--input", "a", "--output", "out", "--columns", "url,colour"], "unknown columns: colour"),
        (["--input", "a", "--output", "out", "--option", "mood=good"], "--option mood=good"),
        (["--input", "a", "--output", "out", "--option", "mode=good"], "mode is one of balanced, precision, "),
        (["--input", "a", "--output", "out", "--option", "cascade=yes"], "cascade is true or false"),
        (["--input", "a", "--output", "out", "--range-bytes", "64Mio"], "with a unit, as 64MiB"),
        (["--input", "a", "--output", "out", "--watch", "--redo-changed"], "without --watch"),
        (["--input", "a", "--output", "out", "--max-failure-rate", "7"], "between 0 and 1"),
        (["--input", "a", "--output", "out", "--page-timeout", "0"], "more than 0"),
        (["--input", "a", "--output", "out", "--row-group-bytes", "999999999"], "64000000 at most"),
        (["--input", "a", "--output", "memory://out", "--direct_num_workers=2"], "memory://"),
        (["--input", "a", "--output", "/out", "--runner=FlinkRunner"], "a: workers elsewhere start in other folders"),
        (["--input", "s3://b/a", "--output", "out", "--runner=FlinkRunner"], "out: workers elsewhere"),
        (["--input", "a", "--output", ""], "--output is empty"),
        (["--input", "a", " ", "--output", "out"], "--input is empty"),
        (["--input", "a", "--output", "m\udcfchle"], "the name is not UTF-8"),
        (["--input", "a", "--output", "nostore://out"], "cannot use --output nostore://out: Protocol not known"),
        (["--watch", "--input", "nostore://a", "--output", "out"], "cannot look up 'nostore://a'"),
        (["--input", "a", "--output", "out", "--cdx-filter", "status=200"], "--cdx-filter goes with --cdx"),
    ],
)
def test_bad_usage_is_told_in_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_output_may_be_in_memory(archive: Path) -> None:
    assert main(["--input", str(archive), "--output", "memory://mills/out"]) == 0
    store = fsspec.filesystem("memory")
    [name] = store.ls("/mills/out/pages", detail=False)
    with store.open(name) as file:
        assert pq.read_table(file).num_rows == PAGES
    assert json.loads(store.cat("/mills/out/_report.json"))["ok"]


def test_bad_pages_cost_themselves_and_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [make_page(0), b"HANG", make_page(1), b"CRASH", make_page(2), b"MEMORY", make_page(3)]
    archive = write_archive(tmp_path / "bad.warc.gz", pages)
    output = tmp_path / "out"
    limits = ["--page-timeout=1", "--page-memory=256", "--extractor=tests.transforms.hostile_extractors:obey"]
    arguments = ["--input", str(archive), "--output", str(output), *limits]
    assert main(arguments) == 1
    assert "3 of 17 records failed, more than --max-failure-rate 0.01" in capsys.readouterr().err
    assert [row["title"] for row in read_rows(output)] == [f"Mill {number}" for number in range(4)]
    failures = pq.read_table(output / "failures").to_pylist()
    assert [(row["url"][-1], row["reason"]) for row in failures] == [("1", "timeout"), ("3", "crash"), ("5", "memory")]
    assert main([*arguments, "--max-failure-rate=0.2"]) == 0


def test_an_unreadable_archive_fails_the_run_and_is_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write_archive(tmp_path / "good.warc.gz", [make_page(number) for number in range(100)])
    (tmp_path / "all.paths").write_text("good.warc.gz\nlate.warc.gz\n")
    output = tmp_path / "out"
    arguments = ["--input", f"{tmp_path}/all.paths", "--prefix", f"{tmp_path}/", "--output", str(output)]
    assert main(arguments) == 1
    assert f"nothing could be read of 1 of 2 archives: {tmp_path}/late.warc.gz" in capsys.readouterr().err
    assert len(read_rows(output)) == 100
    write_archive(tmp_path / "late.warc.gz", [make_page(7)])
    assert main(arguments) == 0
    assert len(read_rows(output)) == 101
    assert list((output / "failures").iterdir()) == []
    assert good.exists()


class RangeHandler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder with ranges, as object stores do; answers 503 once `left` reads are done."""

    left = float("inf")

    def do_GET(self) -> None:
        kind = type(self)
        kind.left -= 1
        if kind.left < 0:
            self.send_error(503)
            return
        body = Path(self.translate_path(self.path)).read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start, end = (int(asked[1]), int(asked[2] or len(body) - 1)) if asked else (0, len(body) - 1)
        part = body[start : end + 1]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{start + len(part) - 1}/{len(body)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(archive: Path) -> Iterator[str]:
    RangeHandler.left = float("inf")
    handler = functools.partial(RangeHandler, directory=str(archive.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_address[1]}"
        served.shutdown()


def test_archives_are_read_over_http(server: str, finished: Path, tmp_path: Path) -> None:
    assert main(["--input", f"{server}/mills.warc.gz", "--output", str(tmp_path), RANGE]) == 0
    assert [row["url"] for row in read_rows(tmp_path)] == [row["url"] for row in read_rows(finished)]
    assert {row["warc"] for row in read_rows(tmp_path)} == {f"{server}/mills.warc.gz"}


def test_a_store_that_failed_is_read_anew_when_it_is_back(
    server: str,
    finished: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("transforms.retries.time.sleep", lambda _: None)
    arguments = ["--input", f"{server}/mills.warc.gz", "--output", str(tmp_path), RANGE, "--max-failure-rate=1"]
    RangeHandler.left = 5
    assert main(arguments) == 1
    assert "give the same command again to read them anew" in capsys.readouterr().err
    report = read_report(tmp_path)
    assert report["closes"]
    assert 0 < len(report["broken_off"]) < report["ranges"]["planned"]
    assert {row["stage"] for row in pq.read_table(tmp_path / "failures").to_pylist()} == {"read"}
    RangeHandler.left = float("inf")
    assert main(arguments) == 0
    again = read_report(tmp_path)
    assert again["ranges"]["done_now"] == len(report["broken_off"])
    assert (again["failures"], again["broken_off"]) == (0, [])
    assert list((tmp_path / "failures").iterdir()) == []
    assert [row["url"] for row in read_rows(tmp_path)] == [row["url"] for row in read_rows(finished)]


def test_a_finished_archive_stays_done_while_its_store_is_away(server: str, tmp_path: Path) -> None:
    arguments = ["--input", f"{server}/mills.warc.gz", "--output", str(tmp_path), RANGE]
    assert main(arguments) == 0
    RangeHandler.left = 0
    assert main(arguments) == 0
    assert read_report(tmp_path)["ranges"]["done_now"] == 0


def test_two_workers_share_the_ranges_and_find_the_same_rows(archive: Path, finished: Path, tmp_path: Path) -> None:
    done = run_command("--input", str(archive), "--output", str(tmp_path), RANGE, "--direct_num_workers=2")
    assert done.returncode == 0, done.stderr
    assert read_rows(tmp_path) == read_rows(finished)
    manifests = [json.loads(path.read_text()) for path in (tmp_path / "_manifests").iterdir()]
    processes = [manifest["process"] for manifest in manifests]
    counts = sorted(processes.count(process) for process in set(processes))
    assert len(counts) == 2
    assert counts[1] - counts[0] <= 1
    assert [line.split(" ", 1)[1] for line in done.stderr.splitlines()] == [
        f"INFO {len(manifests)} ranges, of which 0 are done; output in {tmp_path}"
    ]


@pytest.mark.parametrize("where", [">&-", ">/dev/full", "| true", "2>&-"])
def test_a_run_is_no_less_done_when_nobody_can_read_of_it(archive: Path, tmp_path: Path, where: str) -> None:
    command = f"{sys.executable} -m pipelines.extract --input {archive} --output {tmp_path}/out --columns=url {where}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert read_report(tmp_path / "out")["ok"]


def test_a_report_that_cannot_be_written_is_told_of_in_one_line(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "_report.json")

    arguments = ["--input", str(archive), "--output", str(tmp_path), "--columns=url"]
    assert main(arguments) == 0
    with monkeypatch.context() as patch:
        patch.setattr("transforms.stores.Store.write_json", refuse)
        assert main(arguments) == 1
    assert "the report cannot be written: [Errno 28] No space left on device" in capsys.readouterr().err
    assert main(arguments) == 0


def test_what_a_killed_run_left_goes_when_a_run_is_complete(archive: Path, tmp_path: Path) -> None:
    arguments = ["--input", str(archive), "--output", str(tmp_path), "--columns=url"]
    assert main(arguments) == 0
    left = [tmp_path / name for name in ("._report.json.0123456789ab.tmp", "._config.json.0123456789ab.tmp")]
    for path in [*left, tmp_path / ".mine.tmp"]:
        path.touch()
    assert main(arguments) == 0
    assert [path.name for path in tmp_path.glob(".*")] == [".mine.tmp"]
