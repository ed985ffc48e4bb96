"""A web server on the loopback for tests: with ranges, without them, failing now and then."""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Shop:
    """What the server has, and how it behaves.

    `failures` maps a path to what it answers with first: a status, "reset" (the connection breaks in the middle),
    "short" (the body ends before its announced length), "part" (a part of the range that was asked for, well formed),
    "fewer" (half of what Content-Range says, its length true), "empty" (a range without a body) or "other" (another
    range).
    `coding` labels every body, which it leaves as it is.
    `delay` is the seconds that an answer takes; `most` how many were under way at once.
    """

    files: dict[str, bytes]
    ranges: bool = True
    sizes: bool = True
    failures: dict[str, list[int | str]] = field(default_factory=dict)
    retry_after: str = ""
    coding: str = ""
    delay: float = 0.0
    open: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    """Serves the shop's files."""

    shop: Shop

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        shop = self.shop
        with shop.lock:
            shop.open += 1
            shop.most = max(shop.most, shop.open)
        try:
            threading.Event().wait(shop.delay)  # tests replace time.sleep
            self._answer(with_body=True)
        finally:
            with shop.lock:
                shop.open -= 1

    def log_message(self, *_: object) -> None:
        """Stay quiet."""

    def _answer(self, *, with_body: bool) -> None:
        shop, path = self.shop, self.path.partition("?")[0]
        asked = self.headers.get("Range", "")
        shop.requests.append((self.command, path, asked))
        waiting = shop.failures.get(path, [])
        fault = waiting.pop(0) if waiting and with_body else ""
        if isinstance(fault, int):
            self._refuse(fault)
            return
        if path not in shop.files:
            self.send_error(404)
            return
        body = shop.files[path]
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", asked)
        if match and shop.ranges:
            start, end = int(match[1]), min(int(match[2]) + 1, len(body))
            if start >= len(body):
                self.send_error(416)
                return
            body = self._start_range(body, start, end, str(fault))
        else:
            self.send_response(200)
        if shop.coding:
            self.send_header("Content-Encoding", shop.coding)
        if shop.sizes:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body and fault in {"reset", "short"}:
            self._break_off(body, with_reset=fault == "reset")
        elif with_body:
            self.wfile.write(body)

    def _start_range(self, whole: bytes, start: int, end: int, fault: str) -> bytes:
        if fault == "part":
            end = start + (end - start) // 2
        elif fault == "other":
            start, end = 0, end - start
        self.send_response(206)
        if fault != "empty":
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(whole)}")
        count = {"fewer": (end - start) // 2, "empty": 0}.get(fault, end - start)
        return whole[start : start + count]

    def _refuse(self, status: int) -> None:
        self.send_response(status)
        if self.shop.retry_after:
            self.send_header("Retry-After", self.shop.retry_after)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _break_off(self, body: bytes, *, with_reset: bool) -> None:
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        if with_reset:  # no linger: closing sends RST
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


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
