"""An endpoint on loopback that speaks the chat-completions protocol, as well or as badly as a test wants."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, str]
Behaviour = Callable[[dict[str, Any], int], Reply]


def read_candidates(request: dict[str, Any]) -> dict[str, str]:
    """The candidates that a request shows, by letter."""
    content = request["messages"][1]["content"]
    return dict(re.findall(r"^Candidate ([A-Z])\n=== \w+ ===\n(.*?)\n=== \w+ ===$", content, re.DOTALL | re.MULTILINE))


def score_by_length(request: dict[str, Any], _count: int) -> Reply:
    """5 for the longest candidate, else 2; formatting by headings."""
    candidates = read_candidates(request)
    longest = max(map(len, candidates.values()))
    scores = {
        label: {
            "recall": 5 if len(text) == longest else 2,
            "precision": 4,
            "boilerplate": 4,
            "formatting": 5 if "## " in text else 1,
        }
        for label, text in candidates.items()
    }
    return 200, json.dumps(scores)


class FakeEndpoint:
    """What the server was asked, and how it is to answer."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.url = ""
        self.lock = threading.Lock()


@contextmanager
def serve(behaviour: Behaviour = score_by_length) -> Iterator[FakeEndpoint]:
    endpoint = FakeEndpoint(behaviour)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with endpoint.lock:
                endpoint.requests.append(request)
                endpoint.keys.append(self.headers["Authorization"])
                count = len(endpoint.requests)
            assert self.path == "/v1/chat/completions"
            status, content = endpoint.behaviour(request, count)
            body = json.dumps(describe_answer(request, content) if status == 200 else {"error": {"message": content}})
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body.encode())))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def describe_answer(request: dict[str, Any], content: str) -> dict[str, Any]:
    return {
        "id": "answer",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
    }
