"""A storage emulator and a stand-in for Dataflow, both on the loopback, and credentials good for them alone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fsspec
import pytest
from apache_beam.runners.dataflow import dataflow_runner
from apache_beam.utils import retry
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from gcp_storage_emulator.server import create_server

import pipelines.dataflow_stream
from pipelines.extract import main
from tests.deploy.fake_dataflow import FakeDataflow, run_graph, serve_dataflow
from tests.deploy.submissions import PAGES, RANGE, sort_rows
from tests.pipelines.archives import make_page, write_archive


def write_credentials(path: Path, endpoint: str) -> Path:
    """Write those of a service account that nobody but the stand-in knows."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    account = {
        "type": "service_account",
        "project_id": "mill-project",
        "private_key": pem,
        "client_email": "mill@mill-project.example",
        "token_uri": f"{endpoint}/token",
    }
    path.write_text(json.dumps(account))
    return path


@pytest.fixture(scope="session")
def dataflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeDataflow]:
    server = create_server("127.0.0.1", 0, in_memory=True, default_bucket="mills")
    server.start()
    port = server._api._httpd.server_address[1]  # it tells nowhere else which port was free
    with pytest.MonkeyPatch.context() as patch, serve_dataflow() as fake:
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{port}")
        patch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")  # it would ask for credentials
        patch.setenv("NO_GCE_CHECK", "true")
        key = write_credentials(tmp_path_factory.mktemp("account") / "key.json", fake.endpoint)
        patch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(key))
        # Beam looks every five seconds whether a job has ended.
        patch.setattr(dataflow_runner, "time", SimpleNamespace(sleep=lambda _: time.sleep(0.05), time=time.time))
        patch.setattr(pipelines.dataflow_stream, "LOOK_SECONDS", 0.05)
        patch.setattr(retry.Clock, "sleep", lambda *_: None)
        yield fake
        fsspec.filesystem("gs").clear_instance_cache()
    server.stop()


@pytest.fixture
def jobs(dataflow: FakeDataflow) -> Iterator[FakeDataflow]:
    """Give the service without jobs of other tests, and await those who still ask for this one's."""
    dataflow.jobs.clear()
    dataflow.places.clear()
    dataflow.errors.clear()
    dataflow.updates.clear()
    dataflow.asked.clear()
    dataflow.seen.clear()
    dataflow.refuses = False
    dataflow.work = run_graph
    yield dataflow
    for thread in threading.enumerate():
        if "poll_for_job_completion" in thread.name:  # Beam's, which a command that was interrupted leaves behind
            thread.join(60)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [make_page(number) for number in range(PAGES)]
    return write_archive(tmp_path_factory.mktemp("in") / "mills.warc.gz", pages)


@pytest.fixture(scope="module")
def expected(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    output = tmp_path_factory.mktemp("out")
    assert main(["--input", str(archive), "--output", str(output), RANGE]) == 0
    return sort_rows(output / "pages")
