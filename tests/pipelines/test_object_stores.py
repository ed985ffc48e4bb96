"""The whole job on object stores: s3 against moto's server, gs against an emulator, both started here on the loopback.

Nothing is renamed there: a row file takes its own name in one go, and the manifest comes last.
"""

from __future__ import annotations

import os
import signal
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
from tests.pipelines.indexes import find_places, write_columnar
from tests.pipelines.runs import read_rows, wait_for
from tests.pipelines.slow_extractor import extract_slowly
from transforms.stores import Store

LARGE_RANGE = "--range-bytes=9000"  # each range costs several requests, and these servers are slow
SLOW = f"--extractor={extract_slowly.__module__}:extract_slowly"


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "any")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "any")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_CONFIG_FILE", str(tmp_path_factory.mktemp("aws") / "none"))
        fsspec.filesystem("s3").mkdir("mills")
        yield "s3://mills"
        fsspec.filesystem("s3").clear_instance_cache()
    server.stop()


@pytest.fixture(scope="module")
def gs() -> Iterator[str]:
    from gcp_storage_emulator.server import create_server

    server = create_server("127.0.0.1", 0, in_memory=True, default_bucket="mills")
    server.start()
    port = server._api._httpd.server_address[1]  # it tells nowhere else which port was free
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{port}")
        patch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")  # it would ask for credentials
        yield "gs://mills"
        fsspec.filesystem("gs").clear_instance_cache()
    server.stop()


@pytest.fixture(params=["s3", "gs"])
def bucket(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def fetch(url: str, folder: Path) -> Path:
    """Copy a bucket's folder to the disk."""
    store, path = fsspec.core.url_to_fs(url)
    store.invalidate_cache()
    store.get(path, str(folder), recursive=True)
    return folder


def without_warc(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "warc"} for row in rows]


def test_in_and_out(bucket: str, archive: Path, finished: Path, tmp_path: Path) -> None:
    fsspec.open(f"{bucket}/in/mills.warc.gz").fs.put_file(str(archive), f"{bucket}/in/mills.warc.gz")
    arguments = ["--input", f"{bucket}/in/*.warc.gz", "--output", f"{bucket}/out", LARGE_RANGE]
    assert main(arguments) == 0
    rows = read_rows(fetch(f"{bucket}/out", tmp_path / "out"))
    assert without_warc(rows) == without_warc(read_rows(finished))
    assert {row["warc"] for row in rows} == {f"{bucket}/in/mills.warc.gz"}
    assert main(arguments) == 0
    assert main([*arguments, "--columns=url"]) == 2
    assert main([*arguments, "--columns=url", "--overwrite"]) == 0


def test_targeted_reads(bucket: str, archive: Path, finished: Path, tmp_path: Path) -> None:
    store, path = fsspec.core.url_to_fs(f"{bucket}/cdx")
    store.put_file(str(archive), f"{path}/mills.warc.gz")
    places = [place for place in find_places(archive) if place.kind == "response"][::5]
    index = write_columnar(tmp_path / "index.parquet", [*places])
    table = pq.read_table(index)
    names = ["mills.warc.gz"] * table.num_rows
    pq.write_table(table.set_column(table.schema.get_field_index("warc_filename"), "warc_filename", [names]), index)
    store.put_file(str(index), f"{path}/index.parquet")
    arguments = ["--cdx", f"{bucket}/cdx/index.parquet", "--prefix", f"{bucket}/cdx/", "--output", f"{bucket}/picked"]
    assert main([*arguments, LARGE_RANGE]) == 0
    rows = read_rows(fetch(f"{bucket}/picked", tmp_path / "out"))
    offsets = {place.offset for place in places}
    whole = [row for row in read_rows(finished) if row["offset"] in offsets]
    assert without_warc(rows) == without_warc(whole)


def test_a_killed_run_goes_on(bucket: str, archive: Path, finished: Path, tmp_path: Path) -> None:
    output = f"{bucket}/killed"
    arguments = ["--input", str(archive), "--output", output, LARGE_RANGE]
    command = [sys.executable, "-m", "pipelines.extract", *arguments, SLOW]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: len(Store(output).list_names("_manifests")) > 1, seconds=200)
        os.kill(process.pid, signal.SIGKILL)
    before = len(Store(output).list_names("_manifests"))
    assert main(arguments) == 0
    rows = read_rows(fetch(output, tmp_path / "out"))
    assert rows == read_rows(finished)
    done = len(Store(output).list_names("_manifests"))
    assert 0 < before < done == len(Store(output).list_names("pages"))


def test_two_writers_of_one_file_leave_it_whole(bucket: str) -> None:
    """As a retried bundle and its zombie do: the same name, the same bytes, in any order."""
    content = bytes(range(256)) * 4_000
    store = Store(f"{bucket}/twice")

    def write() -> None:
        with store.create("pages/a.parquet") as file:
            file.write(content)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.list_names("pages") == ["a.parquet"]
    assert store.size("pages/a.parquet") == len(content)


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")  # gcsfs hands bytes to aiohttp
def test_a_large_file_takes_the_place_of_another(bucket: str) -> None:
    store = Store(f"{bucket}/large")
    for content in (bytes(12_000_000), b"1" * 11_000_000):
        with store.create("pages/a.parquet") as file:
            file.write(content)
        assert store.size("pages/a.parquet") == len(content)


def test_nothing_appears_of_a_file_that_failed(bucket: str) -> None:
    store = Store(f"{bucket}/failed")

    def fail() -> None:
        with store.create("pages/a.parquet") as file:
            file.write(bytes(9_000_000))
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        fail()
    assert store.list_names("pages") == []


def test_a_bucket_that_is_not_there_is_told(bucket: str, archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = bucket.replace("mills", "nowhere")
    assert main(["--input", f"{missing}/a.warc.gz", "--output", f"{bucket}/none"]) == 2
    assert f"no input matches '{missing}/a.warc.gz'" in capsys.readouterr().err
    assert main(["--input", str(archive), "--output", f"{missing}/out"]) == 2
    error = capsys.readouterr().err
    assert f"cannot use --output {missing}/out" in error
    assert error.splitlines()[-1].startswith("python -m pipelines.extract: ")
