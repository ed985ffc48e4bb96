"""A stand-in for Dataflow's REST API on the loopback: takes a job, runs the graph staged for it, tells its state.

The graph runs on FnApiRunner in this process, in place of workers in containers; a streaming one is given messages in
place of a subscription, and goes on until it is asked to drain or is cancelled. It gives out tokens too, as Google's
sign-in does, and wants them.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import apache_beam as beam
import fsspec
from apache_beam.io.gcp.pubsub import PubsubMessage
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability import common_urns, python_urns
from apache_beam.portability.api import beam_runner_api_pb2
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from google.cloud.dataflow import Job, JobType

JOBS: Final = re.compile(
    r"/v1b3/projects/([\w-]+)/locations/([\w-]+)/jobs(?:/(\w+))?(?:/(messages|metrics))?(?:\?.*)?$"
)
DONE: Final = "JOB_STATE_DONE"
FAILED: Final = "JOB_STATE_FAILED"
CANCELLED: Final = "JOB_STATE_CANCELLED"
DRAINING: Final = "JOB_STATE_DRAINING"
DRAINED: Final = "JOB_STATE_DRAINED"
TOKEN: Final = "a-token"
PUBSUB_READ: Final = "beam:transform:pubsub_read:v1"

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
        self.updates: list[str] = []
        self.asked = threading.Event()
        self.seen = threading.Event()  # since somebody asked for a job's state: then its command knows of it

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
            if Job.from_json(json.dumps(job)).type_ == JobType.JOB_TYPE_STREAMING:
                self.asked.wait()
        except Exception as error:  # noqa: BLE001 (whatever it was, the service calls it a failed job)
            self.errors.append(error)
            job["currentState"] = FAILED
        else:
            if job["currentState"] != CANCELLED:
                job["currentState"] = DRAINED if job["currentState"] == DRAINING else DONE

    def update(self, job: dict[str, Any], state: str) -> dict[str, Any]:
        """Cancel a job at once, or let it drain."""
        assert state in (CANCELLED, DRAINING)
        assert job["currentState"] not in (DONE, FAILED, DRAINED)
        self.updates.append(state)
        job["currentState"] = state
        self.asked.set()
        return job


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


def feed_messages(graph: Graph, messages: Sequence[PubsubMessage]) -> None:
    """Put messages into a graph in place of the Pub/Sub source that it reads."""
    parts = graph.components
    (source,) = [one for one in parts.transforms.values() if one.spec.urn == PUBSUB_READ]
    (taken,) = source.outputs.values()
    donor = beam.Pipeline()
    texts = [message._to_proto_str() for message in messages]
    _ = donor | beam.Impulse() | "Give" >> beam.FlatMap(lambda _: texts).with_output_types(bytes)
    (give,) = [one for one in donor.to_runner_api().components.transforms.values() if one.unique_name == "Give"]
    parts.pcollections["start"].CopyFrom(parts.pcollections[taken])
    start = parts.transforms["start"]
    start.unique_name, start.spec.urn, start.outputs["None"] = "Start", common_urns.primitives.IMPULSE.urn, "start"
    graph.root_transform_ids.append("start")
    source.spec.CopyFrom(give.spec)
    source.inputs["None"] = "start"


def run_graph(graph: Graph) -> None:
    """Run a graph to its end, in this process where it names a container."""
    for environment in graph.components.environments.values():
        assert environment.urn == common_urns.environments.DOCKER.urn
        environment.urn = python_urns.EMBEDDED_PYTHON
        environment.payload = b""
        del environment.dependencies[:]
    FnApiRunner().run_via_runner_api(graph, PipelineOptions([])).wait_until_finish()


class Handler(BaseHTTPRequestHandler):
    """The service's answers; `fake` is set below."""

    fake: FakeDataflow

    def do_POST(self) -> None:
        if self.path == "/token":
            self._read()
            self._answer({"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"})
            return
        if self._is_taken():
            project, region, _, _ = self._match()
            self._answer(self.fake.create(project, region, json.loads(self._read())))

    def do_PUT(self) -> None:
        if self._is_taken():
            self._answer(self.fake.update(self._find_job(), Job.from_json(self._read()).requested_state.name))

    def do_GET(self) -> None:
        part = self._match()[3]
        self.fake.seen.set()
        if part == "messages":
            self._answer({"jobMessages": [tell_error(error) for error in self.fake.errors]})
        else:
            self._answer({} if part else self._find_job())

    def _read(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def _find_job(self) -> dict[str, Any]:
        name = self._match()[2]
        return next(known for known in self.fake.jobs if known["id"] == name)

    def _is_taken(self) -> bool:
        """Answer those who may not create or change jobs."""
        if not self.fake.refuses and self.headers["Authorization"] == f"Bearer {TOKEN}":
            return True
        self._answer({"error": {"code": 403, "message": "this caller may not create jobs"}}, status=403)
        return False

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


@contextmanager
def serve_dataflow() -> Iterator[FakeDataflow]:
    """Serve on a free port while the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake = Handler.fake = FakeDataflow(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
