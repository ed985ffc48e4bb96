"""Of all jobs on a Flink cluster, the one that this command submitted is cancelled, and no other."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator

import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.flink_jobs import cancel_jobs, name_job

JOBS = [("1", "mine", "RUNNING"), ("2", "other", "RUNNING"), ("3", "mine", "FINISHED"), ("4", "mine", "RESTARTING")]


@pytest.fixture
def flink() -> Iterator[tuple[str, list[str]]]:
    """A stand-in for Flink's REST interface, and what it was ordered to do."""
    orders: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer({"jobs": [{"jid": jid, "name": name, "state": state} for jid, name, state in JOBS]})

        def do_PATCH(self) -> None:
            orders.append(self.path)
            self.answer({})

        def answer(self, value: object) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", orders
        server.shutdown()


def test_only_the_running_jobs_of_the_name_are_cancelled(flink: tuple[str, list[str]]) -> None:
    url, orders = flink
    cancel_jobs(url, "mine")
    assert orders == ["/jobs/1?mode=cancel", "/jobs/4?mode=cancel"]


def test_a_job_gets_a_name_of_its_own_unless_it_has_one() -> None:
    flink = ["--runner=FlinkRunner", "--flink_master=localhost:8081"]
    (first, one), (_, two) = name_job(PipelineOptions(flink)), name_job(PipelineOptions(flink))
    assert first == "http://localhost:8081"
    assert one != two
    assert name_job(PipelineOptions([*flink, "--job_name=mine"]))[1] == "mine"
    assert name_job(PipelineOptions(["--runner=PrismRunner"])) == ("", "")
    assert name_job(PipelineOptions(["--runner=FlinkRunner", "--flink_master=[local]"])) == ("", "")
