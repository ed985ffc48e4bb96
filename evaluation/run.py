"""A run: every extractor on every page, in worker processes with a time limit, timed in the same breath."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from evaluation.adapters import Extract, Output, find_version, load_extractor
from evaluation.pages import Page
from evaluation.scores import References, Row, score_output

PAGE_SECONDS: Final = 60  # of processor time: a busy machine costs no page
WAIT_TIMES: Final = 10  # so many times that, by the clock, is too long all the same
PAGES_AHEAD: Final = 8  # a worker; bounds the memory that waiting pages take
TASKS_PER_WORKER: Final = 500  # peers leak
FLOOR: Final = "lxml-parse"
_WARM_UP: Final = Page(
    id="warm/up", dataset="own", path="", html=b"<html><body><main><p>Warm up.</p></main></body></html>"
)

_extractors: dict[str, Extract] = {}


class Facts(msgspec.Struct, kw_only=True):
    """What a run was: written beside its rows.

    Attributes:
        started: ISO time. seconds: how long it took. jobs: worker processes.
        extractors: name → version. pages: how many. datasets: name → pages.
    """

    started: str
    seconds: float = 0.0
    jobs: int = 1
    pages: int = 0
    extractors: dict[str, str] = {}
    datasets: dict[str, int] = {}


class OutOfTimeError(Exception):
    """An extractor took longer than it may."""


class Scored(msgspec.Struct):
    """What comes back from a worker: rows, and the outputs they were made from."""

    rows: list[Row]
    outputs: dict[str, Output]


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError(f"more than {PAGE_SECONDS} s of processor time")


def start_worker(names: list[str]) -> None:
    """Import the extractors and run each once, so that no page pays for that."""
    signal.signal(signal.SIGALRM, _ring)
    signal.signal(signal.SIGPROF, _ring)
    _extractors.clear()
    for name in names:
        _extractors[name] = load_extractor(name)
        run_extractor(_extractors[name], _WARM_UP)


def run_extractor(extract: Extract, page: Page) -> tuple[Output, float, str | None]:
    """Return an extractor's output, its processor time, and what it raised, if anything."""
    output, error = Output(""), None
    signal.setitimer(signal.ITIMER_PROF, PAGE_SECONDS)
    signal.alarm(PAGE_SECONDS * WAIT_TIMES)
    start = time.thread_time()  # while an interval timer runs, the process's clock moves by ticks of milliseconds
    try:
        output = extract(page)
    except Exception as problem:  # noqa: BLE001  # peers raise what they like; it is told, and counts as no text
        error = f"{type(problem).__name__}: {problem}"[:200]
    finally:
        seconds = time.thread_time() - start
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
    return output, seconds, error


def score_page(page: Page) -> Scored:
    """Run the worker's extractors on a page and score what comes out."""
    references = References(page)
    scored = Scored([], {})
    for name, extract in _extractors.items():
        output, seconds, error = run_extractor(extract, page)
        row = score_output(references, name, output, cpu_seconds=seconds, error=error)
        if name == FLOOR:
            row.headline, row.unigram, row.bigram, row.public, row.flags = None, None, None, {}, []
        else:
            scored.outputs[name] = output
        scored.rows.append(row)
    return scored


def score_pages(pages: Iterable[Page], names: list[str], *, jobs: int) -> Iterator[Scored]:
    """Score pages in `jobs` processes; gives results as they come, reads no more pages ahead than it must."""
    if jobs == 1:
        start_worker(names)
        yield from map(score_page, pages)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        jobs, context, initializer=start_worker, initargs=(names,), max_tasks_per_child=TASKS_PER_WORKER
    ) as pool:
        waiting: set[Future[Scored]] = set()
        for page in pages:
            waiting.add(pool.submit(score_page, page))
            if len(waiting) >= jobs * PAGES_AHEAD:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


ROWS: Final = "rows.jsonl"
OUTPUTS: Final = "outputs.jsonl.gz"
FACTS: Final = "run.json"
PREVIOUS: Final = "previous"


class StoredOutput(msgspec.Struct):
    """A line of the outputs' file."""

    page: str
    extractor: str
    text: str
    markdown: str | None = None


def write_run(out: Path, pages: Iterable[Page], names: list[str], *, jobs: int) -> tuple[Facts, list[Row]]:
    """Score pages, write rows, outputs and facts into a folder as they come, and return facts and rows.

    A run that lies in the folder already is moved to `previous` in it, once this one is done.
    """
    out.mkdir(parents=True, exist_ok=True)
    facts = Facts(started=datetime.now(UTC).isoformat(timespec="seconds"), jobs=jobs)
    facts.extractors = {name: find_version(name) for name in names}
    start, rows, encoder = time.monotonic(), [], msgspec.json.Encoder()
    drafts = {name: out / f"{name}.part" for name in (ROWS, OUTPUTS)}
    with drafts[ROWS].open("wb") as row_file, gzip.open(drafts[OUTPUTS], "wb", compresslevel=1) as output_file:
        for scored in score_pages(pages, names, jobs=jobs):
            for row in scored.rows:
                rows.append(row)
                row_file.write(encoder.encode(row) + b"\n")
            for name, output in scored.outputs.items():
                stored = StoredOutput(scored.rows[0].page, name, output.text, output.markdown)
                output_file.write(encoder.encode(stored) + b"\n")
            facts.pages += 1
            facts.datasets[scored.rows[0].dataset] = facts.datasets.get(scored.rows[0].dataset, 0) + 1
    facts.seconds = round(time.monotonic() - start, 1)
    _keep_previous(out)
    for name, draft in drafts.items():
        draft.replace(out / name)
    (out / FACTS).write_bytes(msgspec.json.format(encoder.encode(facts)) + b"\n")
    return facts, rows


def _keep_previous(out: Path) -> None:
    if (out / ROWS).exists():
        (out / PREVIOUS).mkdir(exist_ok=True)
        for name in (ROWS, OUTPUTS, FACTS):
            if (out / name).exists():
                (out / name).replace(out / PREVIOUS / name)


def read_rows(file: Path) -> list[Row]:
    """Return the rows of a run: of its folder, or of its rows' file."""
    file = file / ROWS if file.is_dir() else file
    decoder = msgspec.json.Decoder(Row)
    with file.open("rb") as lines:
        return [decoder.decode(line) for line in lines]


def read_facts(out: Path) -> Facts | None:
    """Return what a run was, or None when there is none in the folder."""
    file = out / FACTS
    return msgspec.json.decode(file.read_bytes(), type=Facts) if file.exists() else None


def read_outputs(out: Path) -> Iterator[StoredOutput]:
    """Give the outputs of a run, in no order."""
    decoder = msgspec.json.Decoder(StoredOutput)
    with gzip.open(out / OUTPUTS, "rb") as lines:
        for line in lines:
            yield decoder.decode(line)


def count_jobs() -> int:
    """How many worker processes to start: as many as there are cores for this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
