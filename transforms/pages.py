"""What passes between the reader, the extractor and the writer: ranges, pages, failures and range ends."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PickList:
    """Which records of an archive a range reads, where an index picks them; the list itself lies in a file.

    `selection` is a hash of all that is picked in the archive, by which ranges of another selection have other names.
    The range's list is the `length` bytes from `start` on of the file at `path` (see transforms.picks), `digest` a hash
    of them. Its `count` records take `fetch_bytes` bytes of the archive, as far as the index tells.
    """

    selection: str
    path: str
    start: int
    length: int
    digest: str
    count: int
    fetch_bytes: int


@dataclass(frozen=True, slots=True)
class RangeSpec:
    """One byte range of one archive; it owns the records that start in it.

    `warc` is the path or fsspec URL as given; `index` of `count` ranges (from 0); the range is [start, end) in bytes
    of the file. `size` is the file's size in bytes; it and `end` are -1 when the store does not tell. The last range
    reads to the end of the file, whatever its `end`; so one with `count` 1 reads all of it. With `picks`, only the
    records that these name are read; [start, end) spans them, and `size` is -1.
    """

    warc: str
    index: int
    count: int
    start: int
    end: int
    size: int
    picks: PickList | None = None

    @property
    def fetch_bytes(self) -> int:
        """Bytes to read, 0 when that is not known."""
        return self.picks.fetch_bytes if self.picks is not None else max(0, self.end - self.start)


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML response: its bytes with transfer and content encoding undone, and where it lay.

    `offset` and `length` are bytes of the file as it lies in the store: of the record's gzip member (header to
    trailer), or of the plain record. When a gzip member holds several records, all carry the member's offset, and
    length -1. `date` is WARC-Date as written; `content_type` the HTTP header's value; `digest` WARC-Payload-Digest;
    `record_id` WARC-Record-ID as written; `truncated` WARC-Truncated, or "length" when the reader cut an oversized
    payload, "unspecified" when an encoded payload ends early; `identified_type` WARC-Identified-Payload-Type. Absent
    values are "". `notes` names what had to be repaired, for example "chunked-absent".
    """

    url: str
    warc: str
    offset: int
    length: int
    date: str
    status: int
    content_type: str
    body: bytes
    digest: str
    record_id: str
    truncated: str
    identified_type: str
    range: RangeSpec
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """One record, member or stretch of bytes that could not be read; counts as one record of its range.

    `stage` is "read" (the store or the compressed file), "record" (WARC header, Content-Length), "http" (status line)
    or "payload". `error` is a class name, `message` one line; `url` and `record_id` are "" when the header is lost
    too. `offset` and `length` are bytes of the file, `length` -1 when unknown. A stretch lost up to the next record
    that can be believed is one failure, for nobody can tell how many records it held.
    """

    warc: str
    offset: int
    length: int
    url: str
    stage: str
    error: str
    message: str
    record_id: str
    range: RangeSpec


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """The last element of a range: its reckoning.

    `records` counts every record of any kind that starts in the range, a ReadFailure counting as one. Always `records
    == pages + sum(skips.values()) + failures`. `skips` maps a reason ("record-type:request", "http-status:3xx",
    "not-html:application/pdf", …) to its count. `is_whole` is False when the store failed in a way that may pass, or
    after some records: what follows in the range was not read, and reading it again may help.
    """

    range: RangeSpec
    records: int
    pages: int
    skips: dict[str, int] = field(default_factory=dict)
    failures: int = 0
    is_whole: bool = True


ReadItem = Page | ReadFailure | RangeEnd
