"""The guarded extractor: feeds a child pages ahead, keeps their time, replaces the child when one makes it fail."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec

from transforms.child_process import ChildError, ChildProcess, Sent
from transforms.page_worker import MEGABYTE, MEMORY_EXIT, Answer, Request, Setup
from transforms.pages import Page
from transforms.rows import StoppedError

PAGES_AHEAD: Final = 8  # so that the child works on while the parent reads or writes …
BYTES_AHEAD: Final = 8 * MEGABYTE  # … and the parent holds little
# A person's or the system's doing, hardly a page's. The child's own alarm goes off only when the parent was away.
OUTSIDE_SIGNALS: Final = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGALRM)
MEMORY_SIGNALS: Final = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)
START_TRIES: Final = 3


class GuardedExtractor:
    """Extracts pages in a child that is replaced when a page hangs, crashes or spends its memory.

    Answers come in the order of the pages, some calls later: `submit` gives those that are there, `drain` the rest.
    Both raise StoppedError once another thread has called `stop`, as Beam does when a job is cancelled.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._child: ChildProcess | None = None
        self._stopped = False
        self._under_way: deque[Sent] = deque()
        self._bytes = 0
        self._encode = msgspec.msgpack.Encoder().encode

    def start(self) -> None:
        """Start the child, without waiting for it."""
        self._child = self._child or ChildProcess(self._setup)

    def submit(self, page: Page) -> Iterator[tuple[Page, Answer, int]]:
        """Send a page; gives the answers that have come: (page, answer, size of the answer in bytes)."""
        sent = Sent(page, self._encode(Request(page.url, page.content_type, page.date)))
        child = self._ready_child()
        self._under_way.append(sent)
        self._bytes += len(sent.page.body)
        child.send(sent)
        while len(self._under_way) > PAGES_AHEAD or (self._bytes > BYTES_AHEAD and len(self._under_way) > 1):
            yield self._finish_first()
        while (current := self._child) is not None and (answer := current.take_answer()) is not None:
            yield self._pop(*answer)

    def drain(self) -> Iterator[tuple[Page, Answer, int]]:
        """Wait for all pages under way and give their answers."""
        while self._under_way:
            yield self._finish_first()

    def abandon(self) -> None:
        """Drop whatever is under way, for example after a bundle that failed half-way."""
        if self._under_way:
            self._under_way.clear()
            self._bytes = 0
            self._replace()

    def stop(self) -> None:
        """End the child for good. Any thread may call this."""
        self._stopped = True
        self._replace()

    def _ready_child(self) -> ChildProcess:
        self._check_stopped()
        child = self._child
        if child is None:
            self._child = child = self._start_child()
            for sent in self._under_way:
                child.send(sent)
        elif not child.ready:
            try:
                child.wait_ready()
            except ChildError:  # killed while it started: once more
                self._child = None
                return self._ready_child()
        self._check_stopped()
        return child

    def _check_stopped(self) -> None:
        if self._stopped:
            self._replace()  # one that was being started when `stop` looked
            raise StoppedError("the runner ended the worker while it had pages in hand; they are read again")

    def _start_child(self) -> ChildProcess:
        """Start a child and wait for it; one that something kills while it starts is started again, a few times."""
        for _ in range(START_TRIES - 1):
            child = ChildProcess(self._setup)
            try:
                child.wait_ready()
            except ChildError:
                continue
            return child
        child = ChildProcess(self._setup)
        child.wait_ready()
        return child

    def _finish_first(self) -> tuple[Page, Answer, int]:
        """Wait for the first page under way: for its answer, its child's end, or its time to run out."""
        child, first = self._ready_child(), self._under_way[0]
        while True:
            answer = child.take_answer()
            if answer is not None:
                return self._pop(*answer)
            if child.ended:
                self._check_stopped()
                status = self._replace()
                if first.is_second or status not in OUTSIDE_SIGNALS:
                    return self._pop(_describe_end(status), 0)
                first.is_second, child = True, self._ready_child()
                continue
            left = self._seconds_left(child, first)
            if child.was_away() and left <= 0:
                child.heard_at = time.monotonic()  # nobody knows how long the child was away: its time begins anew
            elif left <= 0:
                child.move_bytes(0.0)
                if self._seconds_left(child, first) <= 0 and not child.ended:
                    self._replace()
                    message = f"extraction took more than {self._setup.seconds:g} s"
                    return self._pop(Answer("timeout", "PageTimeout", message=message), 0)
                continue
            child.move_bytes(min(left, 1.0))

    def _seconds_left(self, child: ChildProcess, first: Sent) -> float:
        """Give what is left of the first page's time: it began when the child had it whole and was done with others."""
        if not self._setup.seconds or not first.sent_at:
            return 1.0
        return max(first.sent_at, child.heard_at) + self._setup.seconds - time.monotonic()

    def _pop(self, answer: Answer, size: int) -> tuple[Page, Answer, int]:
        sent = self._under_way.popleft()
        self._bytes -= len(sent.page.body)
        if answer.retires:
            self._replace()
        return sent.page, answer, size

    def _replace(self) -> int:
        """End the child; the next page starts a new one, which gets all that is still under way again."""
        child, self._child = self._child, None
        return child.kill() if child is not None else 0


def _describe_end(status: int) -> Answer:
    if status == MEMORY_EXIT:
        return Answer("memory", "PageMemory", message="extraction ran out of memory")
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
    hint = " (C code may end so when it is refused memory)" if -status in MEMORY_SIGNALS else ""
    return Answer("crash", "PageCrash", message=f"the extraction process ended with {how}{hint}")
