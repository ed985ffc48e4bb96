"""A stand-in for Dataflow's REST API on the loopback: takes a job, runs the graph staged for it, tells its state.

The graph runs on FnApiRunner in this process, in place of workers in containers. It gives out tokens too, as Google's
sign-in does, and wants them.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import fsspec
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability import common_urns, python_urns
from apache_beam.portability.api import beam_runner_api_pb2
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

JOBS: Final = re.compile(
    r"/v1b3/projects/([\w-]+)/locations/([\w-]+)/jobs(?:/(\w+))?(?:/(messages|metrics))?(?:\?.*)?$"
)
DONE: Final = "JOB_STATE_DONE"
FAILED: Final = "JOB_STATE_FAILED"
TOKEN: Final = "a-token"

Graph = beam_runner_api_pb2.Pipeline


class FakeDataflow:
    """The jobs that were submitted, as JSON, and what becomes of them: `work` is called with each job's graph."""

    def __init__(self, port: int) -> None:
        self.endpoint = f"http://localhost:{port}"
        self.work: Callable[[Graph], object] = run_graph
        self.jobs: list[dict[str, Any]] = []
        self.places: list[tuple[str, str]] = []
        self.errors: list[Exception] = []
        self.refuses = False

    def create(self, project: str, region: str, job: dict[str, Any]) -> dict[str, Any]:
        """Take a job and start its work."""
        self.places.append((project, region))
        job |= {"id": f"job{len(self.jobs)}", "currentState": "JOB_STATE_RUNNING"}
        self.jobs.append(job)
        threading.Thread(target=self._carry_out, args=(job,), daemon=True).start()
        return job

    def _carry_out(self, job: dict[str, Any]) -> None:
        try:
            self.work(read_graph(job))
        except Exception as error:  # noqa: BLE001 (whatever it was, the service calls it a failed job)
            self.errors.append(error)
            job["currentState"] = FAILED
        else:
            job["currentState"] = DONE


def read_graph(job: dict[str, Any]) -> Graph:
    """Fetch the graph that a job's description points to, as the service does."""
    url = job["environment"]["sdkPipelineOptions"]["options"]["pipelineUrl"]
    return Graph.FromString(fsspec.open(url).fs.cat_file(url))


def tell_error(error: Exception) -> dict[str, str]:
    """Give the message of an error as the service gives it."""
    return {
        "id": "1",
        "time": "2026-10-03T01:02:03Z",
        "messageText": str(error),
        "messageImportance": "JOB_MESSAGE_ERROR",
    }


def run_graph(graph: Graph) -> None:
    """Run a graph to its end, in this process where it names a container."""
    for environment in graph.components.environments.values():
        assert environment.urn == common_urns.environments.DOCKER.urn
        environment.urn = python_urns.EMBEDDED_PYTHON
        environment.payload = b""
        del environment.dependencies[:]
    FnApiRunner().run_via_runner_api(graph, PipelineOptions([])).wait_until_finish()


@contextmanager
def serve_dataflow() -> Iterator[FakeDataflow]:
    """Serve on a free port while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/token":
                self.rfile.read(int(self.headers["Content-Length"]))
                self._answer({"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"})
                return
            if fake.refuses or self.headers["Authorization"] != f"Bearer {TOKEN}":
                self._answer({"error": {"code": 403, "message": "this caller may not create jobs"}}, status=403)
                return
            project, region, _, _ = self._match()
            length = int(self.headers["Content-Length"])
            self._answer(fake.create(project, region, json.loads(self.rfile.read(length))))

        def do_GET(self) -> None:
            _, _, job, part = self._match()
            assert job
            if part == "messages":
                self._answer({"jobMessages": [tell_error(error) for error in fake.errors]})
            else:
                self._answer({} if part else next(known for known in fake.jobs if known["id"] == job))

        def _match(self) -> tuple[str, str, str | None, str | None]:
            found = JOBS.fullmatch(self.path)
            assert found, self.path
            return found[1], found[2], found[3], found[4]

        def _answer(self, value: dict[str, Any], *, status: int = 200) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake = FakeDataflow(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
