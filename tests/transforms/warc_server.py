"""A web server on the loopback for tests: with ranges, without them, failing now and then."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Shop:
    """What the server has, and how it behaves: `failures` maps a path to the statuses it answers with first."""

    files: dict[str, bytes]
    ranges: bool = True
    sizes: bool = True
    failures: dict[str, list[int]] = field(default_factory=dict)
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    """Serves the shop's files."""

    shop: Shop

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""

    def _answer(self, *, with_body: bool) -> None:
        shop, path = self.shop, self.path.partition("?")[0]
        asked = self.headers.get("Range", "")
        shop.requests.append((self.command, path, asked))
        waiting = shop.failures.get(path, [])
        if waiting and with_body:
            self.send_error(waiting.pop(0))
            return
        if path not in shop.files:
            self.send_error(404)
            return
        body = shop.files[path]
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", asked)
        if match and shop.ranges:
            start, end = int(match[1]), min(int(match[2]) + 1, len(body))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")
            body = body[start:end]
        else:
            self.send_response(200)
        if shop.sizes:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)


@contextmanager
def serve(shop: Shop) -> Iterator[Shop]:
    """Run the server while the block lasts."""
    handler = type("ShopHandler", (Handler,), {"shop": shop})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    shop.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
