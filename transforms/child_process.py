"""One extraction child, seen from its parent: the process, its two pipes, and what is on its way through them."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import msgspec

from transforms.page_worker import HEADER, MEGABYTE, Answer, Setup
from transforms.pages import Page

PAGES_WITH_CHILD: Final = 2  # it needs no more in its hands; to write on would wake the parent at each of its reads
END_SECONDS: Final = 0.5  # from closing its pipe to its exit
# Between two looks, which wait for a second at most: the process was stopped, or busy elsewhere.
AWAY_SECONDS: Final = 2.0
START_SECONDS: Final = 120  # a cold start takes one second; a swapping machine takes longer


class ChildError(RuntimeError):
    """The child could not be started at all: the environment is at fault, not a page."""


@dataclass(slots=True)
class Sent:
    """A page under way; `sent_at` is when its last byte went into the pipe (monotonic seconds; 0: not yet).

    `is_second`: its child was killed from outside, and it is tried once more.
    """

    page: Page
    message: bytes
    sent_at: float = 0.0
    is_second: bool = False


class ChildProcess:
    """One child, its two pipes and what is on its way through them. For one thread, but any may call `kill`."""

    def __init__(self, setup: Setup) -> None:
        with _blocked_interrupt():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "transforms.page_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_child_environment(),
                bufsize=0,
            )
        self._in, self._out = _pipe(self._process.stdin), _pipe(self._process.stdout)
        self._outbox: deque[tuple[memoryview, Sent | None]] = deque()
        self._chunk = bytearray(MEGABYTE)
        self._inbox = bytearray()
        self._answers: deque[tuple[Answer, int]] = deque()
        self._with_child = 0
        self._decode = msgspec.msgpack.Decoder(Answer).decode
        self._ended = False
        self._moving = threading.Lock()  # held while the pipes are in use: a closed one's number is soon another file's
        self._reading, self._both = select.poll(), select.poll()  # `select` takes no numbers above 1,023
        for poll in (self._reading, self._both):
            poll.register(self._out, select.POLLIN)
        self._both.register(self._in, select.POLLOUT)
        self.heard_at = self._looked_at = time.monotonic()
        self.ready = False
        self._post(msgspec.msgpack.encode(setup), b"", None)

    def wait_ready(self) -> None:
        """Wait until the child has loaded the extractor. Raises ChildError when it ends or takes too long instead."""
        if self.ready:
            return
        deadline = time.monotonic() + START_SECONDS
        while not self._answers:
            if self._ended or time.monotonic() > deadline:
                status = self.kill()
                raise ChildError(
                    f"the extraction process did not start (exit status {status}); its error output says why"
                )
            self.move_bytes(1.0)
        self._answers.popleft()
        self.ready = True

    def send(self, sent: Sent) -> None:
        """Queue a page, and write as much as the pipe takes."""
        sent.sent_at = 0.0
        self._post(sent.message, sent.page.body, sent)
        self.move_bytes(0.0)

    def _post(self, message: bytes, body: bytes, sent: Sent | None) -> None:
        self._outbox.append((memoryview(HEADER.pack(len(message), len(body)) + message), None))
        self._outbox.append((memoryview(body), sent))

    def take_answer(self) -> tuple[Answer, int] | None:
        """Give the next whole answer and its size in bytes, if it has come."""
        if not self._answers:
            return None
        self._with_child -= 1
        return self._answers.popleft()

    @property
    def ended(self) -> bool:
        """Whether the child closed its end, and all that it had said was taken."""
        return self._ended and not self._answers

    def move_bytes(self, wait_seconds: float) -> None:
        """Write and read whatever the pipes allow, waiting up to `wait_seconds` for the first of it.

        Both ways at once: parent and child would else wait for each other as soon as both pipes are full.
        """
        with self._moving:
            if self._ended:
                return
            is_writing = self._outbox and self._with_child < PAGES_WITH_CHILD
            poll = self._both if is_writing else self._reading
            able = [descriptor for descriptor, _ in poll.poll(wait_seconds * 1000)]
            if self._out in able:
                self._read()
            if self._in in able:
                self._write()

    def was_away(self) -> bool:
        """Tell whether this process did not look after the child for a while, for example because both were stopped."""
        now = time.monotonic()
        looked_at, self._looked_at = self._looked_at, now
        return now - looked_at > AWAY_SECONDS

    def _read(self) -> None:
        count = os.readv(self._out, [self._chunk])
        self.heard_at = time.monotonic()
        self._ended = not count
        self._inbox += memoryview(self._chunk)[:count]
        start = 0
        while len(self._inbox) - start >= HEADER.size:
            size, _ = HEADER.unpack_from(self._inbox, start)
            end = start + HEADER.size + size
            if len(self._inbox) < end:
                break
            with memoryview(self._inbox)[start + HEADER.size : end] as body:
                self._answers.append((self._decode(body), size))
            start = end
        del self._inbox[:start]

    def _write(self) -> None:
        try:
            while self._outbox:
                view, sent = self._outbox[0]
                written = os.write(self._in, view)
                if written < len(view):
                    self._outbox[0] = (view[written:], sent)
                    continue
                self._outbox.popleft()
                if sent is not None:
                    sent.sent_at = time.monotonic()
                    self._with_child += 1
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._outbox.clear()  # it ended: its last words are still to be read

    def kill(self) -> int:
        """End the child at once, unless it has ended by itself; gives its exit status (negative: the signal)."""
        try:
            # One that has closed its pipe is about to end, and its own status tells why.
            self._process.wait(END_SECONDS if self._ended else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()  # which wakes a thread that waits for it
        with self._moving:
            self._ended = True
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        return self._process.wait()


@contextlib.contextmanager
def _blocked_interrupt() -> Iterator[None]:
    """Within the block, let what is started never get Ctrl-C, which is its parent's matter."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _child_environment() -> dict[str, str]:
    """Give the child this process's import path, for a source tree that is not installed, and one thread of its own."""
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _pipe(stream: IO[bytes] | None) -> int:
    """Make a pipe non-blocking and, on Linux, large enough for several pages."""
    if stream is None:
        raise ChildError("the extraction process has no pipes")
    descriptor = stream.fileno()
    os.set_blocking(descriptor, False)
    with contextlib.suppress(OSError, AttributeError):  # not Linux, or above its limit
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, MEGABYTE)
    return descriptor
