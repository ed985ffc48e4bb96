"""What passes between the extractor and the writer: rows, skipped pages, failures; range ends pass through."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transforms.pages import RangeEnd, RangeSpec, ReadFailure


class StoppedError(RuntimeError):
    """The runner ended a worker whose bundle was under way, as Beam does where a cancelled job's workers are its own.

    Its teardown comes from another thread then, while `process` runs.
    """


@dataclass(frozen=True, slots=True)
class Row:
    """One page's row: `values` by column name; those of large_string columns are UTF-8 (bytes).

    `offset` is the page's place in its archive, `html_bytes` the size of its body, `row_bytes` about that of the
    row's values (all in bytes); `rung` stands here too, so that it is counted even when its column is not written.
    """

    values: dict[str, Any]
    range: RangeSpec
    offset: int
    html_bytes: int
    row_bytes: int
    rung: str


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A page that the extractor found nothing to do with; `reason` is "page:" and the extractor's own word."""

    reason: str
    url: str
    offset: int
    length: int
    record_id: str
    range: RangeSpec
    html_bytes: int


@dataclass(frozen=True, slots=True)
class PageFailure:
    """A page that failed in extraction; `reason` is timeout, memory, crash or exception."""

    reason: str
    error: str
    message: str
    trace: str
    url: str
    warc: str
    offset: int
    length: int
    record_id: str
    range: RangeSpec
    html_bytes: int
    stage: str = field(default="extract", init=False)


ExtractItem = Row | SkippedPage | PageFailure | ReadFailure | RangeEnd
