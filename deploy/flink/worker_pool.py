"""The pool that starts Beam's Python workers for the TaskManagers of one machine (`--environment_type=EXTERNAL`).

    python -m deploy.flink.worker_pool --port 50000

Beam's own pool knows a worker by the id that its TaskManager gives it, and all TaskManagers begin with the same ids:
the first one that is done would end the worker of another. So it serves one TaskManager, as in a pod; this one serves
several. It also starts the interpreter that it runs in itself, where Beam's starts whatever `python` is on PATH.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import threading
from typing import Any, Final, NoReturn

import grpc
from apache_beam.portability.api import beam_fn_api_pb2, beam_fn_api_pb2_grpc
from apache_beam.runners.worker import sdk_worker
from apache_beam.utils.thread_pool_executor import shared_unbounded_instance

LOOPBACK: Final = "127.0.0.1"
WORKER: Final = "--worker"

log = logging.getLogger("danubia.workers")


class WorkerPool(beam_fn_api_pb2_grpc.BeamFnExternalWorkerPoolServicer):
    """Starts a worker for each TaskManager that asks."""

    def StartWorker(self, request: Any, _: Any) -> Any:  # noqa: N802 - the protocol's name
        """Start one worker process; it outlives neither its TaskManager's connection nor this pool's group."""
        command = [sys.executable, "-m", __spec__.name, WORKER, request.worker_id, request.control_endpoint.url]
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        except OSError as error:
            return beam_fn_api_pb2.StartWorkerResponse(error=str(error))
        threading.Thread(target=self._await_end, args=(process, request), daemon=True).start()
        return beam_fn_api_pb2.StartWorkerResponse()

    def _await_end(self, process: subprocess.Popen[bytes], request: Any) -> None:
        log.info("worker %d serves %s", process.pid, request.control_endpoint.url)
        log.info("worker %d ended with exit status %d", process.pid, process.wait())

    def StopWorker(self, *_: Any) -> Any:  # noqa: N802 - the protocol's name
        """Do nothing: which of several workers is meant is not told, and each ends when its TaskManager hangs up."""
        return beam_fn_api_pb2.StopWorkerResponse()


def serve_pool(port: int) -> None:
    """Serve until this process ends."""
    server = grpc.server(shared_unbounded_instance())
    if not server.add_insecure_port(f"{LOOPBACK}:{port}"):
        sys.exit(f"port {port} is taken")
    beam_fn_api_pb2_grpc.add_BeamFnExternalWorkerPoolServicer_to_server(WorkerPool(), server)
    server.start()
    server.wait_for_termination()


def run_worker(worker_id: str, control: str) -> NoReturn:
    """Be a worker until the TaskManager hangs up, and end then, whatever is still under way for it."""
    try:
        sdk_worker.SdkHarness(control, worker_id=worker_id).run()
    except grpc.RpcError as error:
        log.info("the TaskManager is gone: %s", error)
    logging.shutdown()
    os._exit(0)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m deploy.flink.worker_pool")
    parser.add_argument("--port", type=int, default=50000, help="on 127.0.0.1 (50000)")
    parser.add_argument(WORKER, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING)
    log.setLevel(logging.INFO)
    if given.worker:
        run_worker(*given.worker)
    else:
        serve_pool(given.port)


if __name__ == "__main__":
    main()
