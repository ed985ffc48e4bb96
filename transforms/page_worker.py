"""The guarded child: a process that extracts one page after another and may be killed without harm to its parent.

It speaks over its standard input and output, in frames: the lengths of two parts (four bytes each, little-endian), a
message in MessagePack, and for requests the page's bytes, which are copied no more often than a pipe must. It loads
neither Beam nor Arrow, so it starts in about half a second. Run by `transforms.child_process`, not by hand.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import resource
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from schemas.columns import LARGE_STRING
from schemas.page_row import EXTRACTED_COLUMNS
from transforms.row_values import extracted_values, last_day

HEADER: Final = struct.Struct("<II")
MEGABYTE: Final = 1 << 20
BUFFER_BYTES: Final = 1 << 14  # small: what is larger than the buffer passes by it
CHECK_EVERY: Final = 64  # pages between two looks at the child's own size
# Pages after which what is loaded by then (some of it late) is put out of the garbage collector's sight: to walk over
# all of it again and again costs a tenth of a page's time.
FREEZE_AFTER: Final = (1, CHECK_EVERY)
TRACE_BYTES: Final = 2000
LONG_COLUMNS: Final = frozenset(column.name for column in EXTRACTED_COLUMNS if column.type == LARGE_STRING)
MEMORY_EXIT: Final = 77  # the exit status that says: memory ran out outside the extractor


class Setup(msgspec.Struct, frozen=True):
    """What a child is told first: "module:function" and its options, columns, limits in seconds and bytes (0: none)."""

    extractor: str
    options: dict[str, Any]
    columns: list[str]
    seconds: float
    memory_bytes: int


class Request(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One page to extract; its bytes follow as the frame's second part. `date` is WARC-Date as written, or ""."""

    url: str
    content_type: str
    date: str = ""


class Answer(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What became of one page.

    `kind` is "row", "skip" or a failure's reason; `word` the rung, the skip's reason or the exception's class;
    `values` the row's; `retires` says that the child ends after this answer, for it has grown too large.
    """

    kind: str
    word: str
    values: list[Any] = []
    message: str = ""
    trace: str = ""
    retires: bool = False


def load_function(path: str) -> Callable[..., Any]:
    """Import "module:function"."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


class PageWorker:
    """Extracts pages by a `Setup`; holds no state between pages."""

    def __init__(self, setup: Setup) -> None:
        from danubia_core import Options

        self._extract = load_function(setup.extractor)
        self._options = msgspec.convert(setup.options, Options)
        self._columns = [name for name in setup.columns if name != "ms"]
        # Long text travels as UTF-8, as Parquet holds it: to decode and encode it again would cost the parent most.
        self._long = [index for index, name in enumerate(setup.columns) if name in LONG_COLUMNS]
        self._timed_at = setup.columns.index("ms") if "ms" in setup.columns else -1

    def answer(self, page: Request, body: bytes) -> Answer:
        """Extract one page. Whatever it raises becomes the answer: the one place in Danubia that catches everything."""
        start = time.perf_counter()
        try:
            extraction = self._extract(
                body, url=page.url or None, content_type=page.content_type or None, options=self._options
            )
            if extraction.skip:
                return Answer("skip", extraction.skip)
            extraction.latest = last_day(page.date)
            values = extracted_values(extraction, self._columns)
            rung = extraction.stats.rung
        except MemoryError as error:
            return _failed("memory", error)
        except Exception as error:  # noqa: BLE001 - one bad page costs one failure row, never the run
            return _failed("exception", error)
        if self._timed_at >= 0:
            values.insert(self._timed_at, (time.perf_counter() - start) * 1000)
        for index in self._long:
            values[index] = values[index].encode("utf-8", "replace")
        return Answer("row", rung, values)


def _failed(reason: str, error: Exception) -> Answer:
    message = " ".join(str(error).split())[:500]
    trace = "".join(traceback.format_tb(error.__traceback__, limit=-8))[-TRACE_BYTES:]
    return Answer(reason, type(error).__name__, message=message, trace=trace, retires=reason == "memory")


def resident_bytes() -> int:
    """Give this process's size in memory, in bytes; 0 where /proc does not tell."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    return 0


def limit_memory(allowed_bytes: int) -> None:
    """Let this process grow by no more than `allowed_bytes` of address space (setrlimit, RLIMIT_AS); dump no core."""
    with contextlib.suppress(OSError, ValueError):  # a container or system that forbids it
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not allowed_bytes:
        return
    with contextlib.suppress(OSError, ValueError):
        now = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (now + allowed_bytes, hard))


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """Read one frame's two parts; None at the end of the stream."""
    head = stream.read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    message_size, body_size = HEADER.unpack(head)
    message, body = stream.read(message_size), stream.read(body_size)
    return (message, body) if len(message) == message_size and len(body) == body_size else None


def mend_text(value: Any) -> Any:
    r"""Replace what UTF-8 cannot hold, lone surrogates, in all strings of a value.

    >>> mend_text({"a": ["b\ud800"]})
    {'a': ['b?']}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [mend_text(item) for item in value]
    if isinstance(value, dict):
        return {mend_text(key): mend_text(item) for key, item in value.items()}
    return value


def write_frame(stream: BinaryIO, message: msgspec.Struct) -> None:
    """Write one message as a frame without a second part. Raises MemoryError when it does not fit."""
    try:
        encoded = msgspec.msgpack.encode(message)
    except UnicodeEncodeError:
        encoded = msgspec.msgpack.encode(mend_text(msgspec.to_builtins(message)))
    stream.write(HEADER.pack(len(encoded), 0))
    stream.write(encoded)
    stream.flush()


def serve_pages(source: BinaryIO, target: BinaryIO) -> None:
    """Answer requests until the parent closes the pipe, a page has spent the memory, or it has grown too large."""
    first = read_frame(source)
    if first is None:
        return
    setup = msgspec.msgpack.decode(first[0], type=Setup)
    worker = PageWorker(setup)
    decode = msgspec.msgpack.Decoder(Request).decode
    start_bytes = resident_bytes()
    write_frame(target, Answer("ready", ""))
    limit_memory(setup.memory_bytes)
    retire_at = start_bytes + setup.memory_bytes // 2 if setup.memory_bytes else 0
    # The parent keeps the time; the alarm is for a parent that was killed while a page hangs, and ends C code too.
    alarm = setup.seconds * 2 + 10 if setup.seconds else 0
    for count, (message, body) in enumerate(iter(lambda: read_frame(source), None), start=1):
        signal.setitimer(signal.ITIMER_REAL, alarm)
        answer = worker.answer(decode(message), body)
        signal.setitimer(signal.ITIMER_REAL, 0)
        if count in FREEZE_AFTER:
            gc.collect()
            gc.freeze()
        if retire_at and count % CHECK_EVERY == 0 and resident_bytes() > retire_at:
            answer = msgspec.structs.replace(answer, retires=True)
        try:
            write_frame(target, answer)
        except MemoryError as error:
            answer = _failed("memory", error)
            write_frame(target, answer)
        if answer.retires:
            return


def main() -> None:
    """Take over standard input and output, so that nothing that prints can garble the frames, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's matter
    source = os.fdopen(os.dup(0), "rb", buffering=BUFFER_BYTES)
    target = os.fdopen(os.dup(1), "wb", buffering=BUFFER_BYTES)
    os.dup2(2, 1)
    sys.stdin.close()
    status = 0
    try:
        with contextlib.suppress(BrokenPipeError):
            serve_pages(source, target)
    except MemoryError:
        status = MEMORY_EXIT
    # No clean-up is due, and interpreters of 100 MB take their time over it.
    os._exit(status)


if __name__ == "__main__":
    main()
