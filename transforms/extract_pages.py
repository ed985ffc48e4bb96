"""ExtractPages: pages in, rows, skips and failures out; range ends and read failures pass through in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from danubia_core import Options
from schemas.page_row import EXTRACTED_COLUMNS, page_columns
from transforms.guarded_extractor import GuardedExtractor
from transforms.page_worker import MEGABYTE, Answer, PageWorker, Request, Setup
from transforms.pages import Page, ReadItem
from transforms.row_values import record_values
from transforms.rows import ExtractItem, PageFailure, Row, SkippedPage

EXTRACTOR: Final = "danubia_core:extract"
PAGE_TIMEOUT: Final = 30.0  # seconds
PAGE_MEMORY: Final = 512  # MiB


def build_item(page: Page, answer: Answer, answer_bytes: int, columns: list[str], extracted: list[str]) -> ExtractItem:
    """Join a page and its answer to what the writer takes: a row, a skip or a failure."""
    if answer.kind == "row":
        values = record_values(page, columns)
        values.update(zip(extracted, answer.values, strict=True))
        return Row(values, page.range, page.offset, len(page.body), answer_bytes, answer.word)
    place: dict[str, Any] = {
        "url": page.url,
        "offset": page.offset,
        "length": page.length,
        "record_id": page.record_id,
        "range": page.range,
        "html_bytes": len(page.body),
    }
    if answer.kind == "skip":
        return SkippedPage(reason=f"page:{answer.word}", **place)
    return PageFailure(
        reason=answer.kind,
        error=answer.word,
        message=answer.message,
        trace=answer.trace,
        warc=page.warc,
        **place,
    )


class ExtractPages(beam.PTransform):
    """Run the extractor over each Page; gives Row, SkippedPage and PageFailure, in the pages' order.

    `columns` are names of page columns (default: all but html). A page that takes more than `page_timeout` seconds or
    `page_memory` MiB, or crashes its process, costs one PageFailure and a fresh process (0: no limit). `guard=False`
    extracts in the worker itself: no limits, for debugging. `extractor` ("module:function") is for tests. Anything that
    is not a Page passes through once the pages before it are done. Raises ValueError for unknown columns.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        columns: Iterable[str] | None = None,
        page_timeout: float = PAGE_TIMEOUT,
        page_memory: int = PAGE_MEMORY,
        guard: bool = True,
        extractor: str = EXTRACTOR,
    ) -> None:
        super().__init__()
        names = [column.name for column in page_columns(columns)]
        extracted = {column.name for column in EXTRACTED_COLUMNS}
        self._columns = names
        self._guard = guard
        self._setup = Setup(
            extractor=extractor,
            options=(options or Options()).to_dict(),
            columns=[name for name in names if name in extracted],
            seconds=page_timeout,
            memory_bytes=page_memory * MEGABYTE,
        )

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Wire the DoFn."""
        return pages | "Extract" >> beam.ParDo(ExtractPagesFn(self._setup, self._columns, guard=self._guard))


class ExtractPagesFn(beam.DoFn):
    """Keeps one guarded child for its lifetime, and a few pages on the way to it."""

    def __init__(self, setup: Setup, columns: list[str], *, guard: bool) -> None:
        self._setup = setup
        self._columns = columns
        self._guard = guard

    def setup(self) -> None:
        """Start the child; the first page waits for it."""
        self._extractor = GuardedExtractor(self._setup) if self._guard else UnguardedExtractor(self._setup)
        self._extractor.start()
        self._stamps: dict[int, tuple[Any, Any]] = {}

    def start_bundle(self) -> None:
        """Forget what a failed bundle may have left under way."""
        self._extractor.abandon()
        self._stamps.clear()

    def process(
        self,
        element: ReadItem,
        timestamp: Any = beam.DoFn.TimestampParam,
        window: Any = beam.DoFn.WindowParam,
    ) -> Iterator[Any]:
        """Send a page ahead and give what has come back; each answer bears its own page's timestamp and window."""
        if isinstance(element, Page):
            self._stamps[id(element)] = (timestamp, window)
            for page, answer, size in self._extractor.submit(element):
                yield self._stamp(page, answer, size)
            return
        for page, answer, size in self._extractor.drain():
            yield self._stamp(page, answer, size)
        yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        """Give the last answers of a stream without range ends."""
        for page, answer, size in self._extractor.drain():
            yield self._stamp(page, answer, size)

    def teardown(self) -> None:
        """End the child."""
        self._extractor.stop()

    def _stamp(self, page: Page, answer: Answer, size: int) -> WindowedValue:
        # By identity: the extractor holds the very page that was submitted until it gives it back here.
        timestamp, window = self._stamps.pop(id(page), (MIN_TIMESTAMP, GlobalWindow()))
        return WindowedValue(build_item(page, answer, size, self._columns, self._setup.columns), timestamp, (window,))


class UnguardedExtractor:
    """Extracts in this very process, with the guarded one's methods."""

    def __init__(self, setup: Setup) -> None:
        self._worker = PageWorker(setup)

    def start(self) -> None:
        """Nothing to start."""

    def submit(self, page: Page) -> Iterator[tuple[Page, Answer, int]]:
        """Extract at once; the size is that of the text alone."""
        answer = self._worker.answer(Request(page.url, page.content_type, page.date), page.body)
        yield page, answer, sum(len(value) for value in answer.values if isinstance(value, str | bytes))

    def drain(self) -> Iterator[tuple[Page, Answer, int]]:
        """Nothing is under way."""
        return iter(())

    def abandon(self) -> None:
        """Nothing is under way."""

    def stop(self) -> None:
        """Nothing to end."""


class KeepRows(beam.PTransform):
    """From ExtractPages' stream, keep the rows alone, as dicts by column name: for sinks other than WriteRows."""

    def expand(self, items: beam.PCollection) -> beam.PCollection:
        """Wire the filter."""
        return items | "Rows" >> beam.FlatMap(row_values)


def row_values(item: ExtractItem) -> list[dict[str, Any]]:
    """Give a row's values, or nothing; its long text, which is UTF-8 on its way to Parquet, becomes strings."""
    if not isinstance(item, Row):
        return []
    return [{name: value.decode() if isinstance(value, bytes) else value for name, value in item.values.items()}]
