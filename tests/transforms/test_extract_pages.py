from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to

from tests.pipelines.archives import make_page
from tests.pipelines.runs import wait_for
from tests.transforms.hostile_extractors import obey
from transforms.child_process import ChildError
from transforms.extract_pages import ExtractPages, ExtractPagesFn, KeepRows
from transforms.guarded_extractor import GuardedExtractor
from transforms.pages import Page, RangeEnd, RangeSpec, ReadFailure
from transforms.rows import PageFailure, Row, SkippedPage, StoppedError

SPEC = RangeSpec("mills.warc.gz", 0, 1, 0, 1000, 1000)
OBEY = f"{obey.__module__}:obey"


def page(body: bytes, number: int = 0) -> Page:
    return Page(
        url=f"https://mills.example/{number}",
        warc=SPEC.warc,
        offset=number,
        length=10,
        date="2026-10-03T01:02:03Z",
        status=200,
        content_type="text/html",
        body=body,
        digest="sha1:A",
        record_id=f"<urn:uuid:{number}>",
        truncated="",
        identified_type="text/html",
        range=SPEC,
        notes=("chunked-invalid",),
    )


class Harness:
    """A DoFn with the calls a runner makes."""

    def __init__(self, **arguments: Any) -> None:
        transform = ExtractPages(**{"extractor": OBEY, **arguments})
        self.fn = ExtractPagesFn(transform._setup, transform._columns, guard=transform._guard)
        self.fn.setup()

    def run(self, elements: list[Any]) -> list[Any]:
        self.fn.start_bundle()
        found = [item for element in elements for item in self.fn.process(element, 0, beam.window.GlobalWindow())]
        found += list(self.fn.finish_bundle())
        return [getattr(item, "value", item) for item in found]


@pytest.fixture(scope="module")
def harness() -> Iterator[Harness]:
    harness = Harness(page_timeout=1.0, page_memory=256)
    yield harness
    harness.fn.teardown()


def kinds(items: list[Any]) -> list[str]:
    return [item.reason if isinstance(item, PageFailure) else type(item).__name__ for item in items]


def test_rows_come_in_order_with_everything_else_in_its_place(harness: Harness) -> None:
    failure = ReadFailure(SPEC.warc, 5, 3, "", "record", "HeaderError", "no", "", SPEC)
    end = RangeEnd(SPEC, 32, 31, {}, 1)
    pages = [page(make_page(number), number) for number in range(30)]
    items = harness.run([*pages[:20], failure, *pages[20:], page(b""), end])
    assert [item.values["title"] for item in items[:20]] == [f"Mill {number}" for number in range(20)]
    assert items[20] is failure
    assert [item.values["offset"] for item in items[21:31]] == list(range(20, 30))
    assert items[31] == SkippedPage("page:empty", "https://mills.example/0", 0, 10, "<urn:uuid:0>", SPEC, 0)
    assert items[32] is end


def test_a_row_tells_the_page_and_its_content(harness: Harness) -> None:
    [row] = harness.run([page(make_page(7), 7)])
    values = row.values
    assert values["url"] == "https://mills.example/7"
    assert values["crawl_date"] == 1790989323000000
    assert values["repairs"] == ("chunked-invalid",)
    assert values["charset"] == "utf-8"
    assert values["title"] == "Mill 7"
    assert b"The mill by the river 7" in values["markdown"]
    assert "html" not in values
    assert values["selected_bytes"] > 500
    assert values["ms"] > 0
    assert row.html_bytes == len(make_page(7))
    assert row.row_bytes > len(values["markdown"]) + len(values["text"]) + len(values["tree"])


@pytest.mark.parametrize(
    ("word", "reason", "error"),
    [
        ("HANG", "timeout", "PageTimeout"),
        ("LOOP", "timeout", "PageTimeout"),
        ("CRASH", "crash", "PageCrash"),
        ("LEAVE", "crash", "PageCrash"),
        ("MEMORY", "memory", "MemoryError"),
        ("RAISE", "exception", "ValueError"),
    ],
)
def test_a_bad_page_costs_one_failure_and_its_neighbours_nothing(
    harness: Harness, word: str, reason: str, error: str
) -> None:
    pages = [page(make_page(number), number) for number in range(6)]
    items = harness.run([*pages[:3], page(word.encode(), 99), *pages[3:]])
    assert kinds(items) == ["Row"] * 3 + [reason] + ["Row"] * 3
    failure = items[3]
    assert (failure.error, failure.stage, failure.url, failure.offset) == (
        error,
        "extract",
        "https://mills.example/99",
        99,
    )
    assert "\n" not in failure.message
    assert [item.offset for item in items if isinstance(item, Row)] == [0, 1, 2, 3, 4, 5]


def test_the_language_of_the_text_is_told_when_asked_for() -> None:
    harness = Harness(columns=["text_language"], guard=False)
    german = "<p>Der Fluss entspringt in den Hügeln oberhalb der Stadt, und drei Brücken führen über ihn hinweg.</p>"
    items = harness.run([page(make_page(1)), page(german.encode()), page(b"<p>1234 5678</p>")])
    assert [item.values["text_language"] for item in items] == ["en", "de", None]


def test_an_exception_leaves_its_trace(harness: Harness) -> None:
    [failure] = harness.run([page(b"RAISE")])
    assert failure.message == "the page asked for it"
    assert "in obey" in failure.trace


def test_every_page_may_fail(harness: Harness) -> None:
    assert kinds(harness.run([page(b"LEAVE", number) for number in range(3)])) == ["crash"] * 3


def test_what_a_page_prints_does_not_reach_the_answers(harness: Harness) -> None:
    assert kinds(harness.run([page(b"PRINT" + make_page(1)), page(make_page(2))])) == ["Row", "Row"]


def test_text_that_utf8_cannot_hold_is_mended(harness: Harness) -> None:
    [row] = harness.run([page(b"SURROGATE" + make_page(1))])
    assert row.values["title"] == "a?"


def test_pages_and_answers_larger_than_the_pipes_pass(harness: Harness) -> None:
    long = b"<p>" + b"".join(b"word%d of a long text, " % number for number in range(200_000)) + b"</p>"
    items = harness.run([page(long, number) for number in range(4)])
    assert kinds(items) == ["Row"] * 4
    assert len(items[3].values["text"]) > 3_000_000


def test_a_slow_reader_of_answers_is_not_taken_for_a_slow_page(harness: Harness) -> None:
    harness.fn.start_bundle()
    found = list(harness.fn.process(page(make_page(1), 1), 0, beam.window.GlobalWindow()))
    time.sleep(1.3)  # longer than the page's time
    found += list(harness.fn.process(page(make_page(2), 2), 0, beam.window.GlobalWindow()))
    found += list(harness.fn.finish_bundle())
    assert kinds([item.value for item in found]) == ["Row", "Row"]


def test_a_bundle_that_failed_leaves_nothing_to_the_next(harness: Harness) -> None:
    harness.fn.start_bundle()
    list(harness.fn.process(page(make_page(1), 1), 0, beam.window.GlobalWindow()))
    [row] = harness.run([page(make_page(2), 2)])
    assert row.offset == 2


def test_answers_bear_the_timestamp_of_their_own_page(harness: Harness) -> None:
    harness.fn.start_bundle()
    window = beam.window.IntervalWindow(0, 10)
    found = [list(harness.fn.process(page(make_page(n), n), n, window)) for n in range(4)]
    values = [item for items in [*found, list(harness.fn.finish_bundle())] for item in items]
    assert [(item.value.offset, item.timestamp, item.windows) for item in values] == [
        (n, n, (window,)) for n in range(4)
    ]


def test_a_child_that_grows_is_replaced_before_it_costs_a_page() -> None:
    harness = Harness(extractor=f"{obey.__module__}:grow", page_memory=384)
    try:
        items = harness.run([page(make_page(number), number) for number in range(140)])
    finally:
        harness.fn.teardown()
    assert kinds(items) == ["Row"] * 140


def test_one_child_serves_many_pages_and_ends_with_its_parent_object() -> None:
    harness = Harness(extractor=f"{obey.__module__}:name_process")
    items = harness.run([page(make_page(number)) for number in range(20)])
    [child] = {int(item.values["title"]) for item in items}
    assert child != os.getpid()
    assert Path(f"/proc/{child}").exists()
    harness.fn.teardown()
    assert not Path(f"/proc/{child}").exists()


def test_without_the_guard_pages_are_extracted_here() -> None:
    harness = Harness(extractor=f"{obey.__module__}:name_process", guard=False)
    [row] = harness.run([page(make_page(1))])
    assert row.values["title"] == str(os.getpid())


def test_an_extractor_that_cannot_be_loaded_stops_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    extractor = GuardedExtractor(ExtractPages(extractor=f"{obey.__module__}:nothing")._setup)
    with pytest.raises(ChildError, match="did not start"):
        list(extractor.submit(page(b"")))
    assert "has no attribute 'nothing'" in capfd.readouterr().err


def test_unknown_columns_are_named() -> None:
    with pytest.raises(ValueError, match="unknown columns: colour"):
        ExtractPages(columns=["url", "colour"])


def test_it_serves_a_pipeline_without_range_ends_or_writer() -> None:
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        titles = (
            pipeline
            | beam.Create([page(make_page(number)) for number in range(3)])
            | ExtractPages(columns=["title"])
            | KeepRows()
        )
        assert_that(titles, equal_to([{"title": f"Mill {number}"} for number in range(3)]))


@pytest.mark.parametrize("guard", [True, False])
def test_a_page_is_of_no_day_after_its_crawl(*, guard: bool) -> None:
    story = "<p>The ferry leaves at seven and comes back at nine, unless there is fog on the river.</p>"
    harness = Harness(extractor="danubia_core:extract", guard=guard, columns=["date"])
    bodies = [f'<meta name="date" content="2026-10-{day}"><h1>The ferry</h1>{story}'.encode() for day in ("03", "07")]
    rows = harness.run([page(body, number) for number, body in enumerate(bodies)])
    harness.fn.teardown()
    assert [row.values["date"] for row in rows] == ["2026-10-03", None]


@pytest.mark.parametrize("is_ready", [True, False])
def test_pages_in_hand_are_given_up_when_the_worker_is_ended(*, is_ready: bool) -> None:
    # By another thread, as Beam ends the workers that it has in a cancelled job's own process.
    harness = Harness()
    if is_ready:
        harness.run([page(make_page(0))])
    child = harness.fn._extractor._child._process.pid
    raised: list[BaseException] = []

    def extract() -> None:
        try:
            harness.run([page(b"HANG")])
        except StoppedError as error:
            raised.append(error)

    thread = threading.Thread(target=extract)
    thread.start()
    wait_for(lambda: harness.fn._extractor._under_way or not is_ready)
    harness.fn.teardown()
    thread.join(5)  # the page itself would hang for longer
    assert raised
    assert not Path(f"/proc/{child}").exists()
    assert harness.fn._extractor._child is None


def test_a_pause_of_both_processes_costs_no_page() -> None:
    # As Ctrl-Z, SIGSTOP and `docker pause` do to all at once: the page had no time to be extracted in.
    harness = Harness(page_timeout=1.0)
    harness.run([page(make_page(0))])
    child = harness.fn._extractor._child._process.pid
    os.kill(child, signal.SIGSTOP)
    pages = [page(make_page(number), number) for number in range(3)]
    harness.fn.start_bundle()
    found = [item for element in pages for item in harness.fn.process(element, 0, beam.window.GlobalWindow())]
    time.sleep(4.0)  # this process looks after nothing meanwhile, as one that is stopped
    threading.Timer(0.3, os.kill, (child, signal.SIGCONT)).start()
    found += list(harness.fn.finish_bundle())
    harness.fn.teardown()
    assert kinds([item.value for item in found]) == ["Row"] * 3


def test_descriptors_with_high_numbers_will_do() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        harness = Harness()
        assert kinds(harness.run([page(make_page(0))])) == ["Row"]
        harness.fn.teardown()
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
