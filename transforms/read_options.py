"""How archives are read: every limit of the reader in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Limits of the reader; sizes in bytes, times in seconds.

    `range_bytes`: size of one range of a splittable archive. `block_bytes`: one read from the store.
    `join_gap_bytes`: records that an index picks are fetched together when no more than this lies between two.
    `lookback_bytes`: how far before a range's start the proof of its first record boundary begins, at least.
    `max_record_bytes`: what is kept of one record's block; the rest is read, proven and dropped, and a page made of
    it is flagged truncated. `max_page_bytes`: what is kept of one payload after each encoding is undone. `attempts`
    and `retry_seconds` bound the retries of one read from a store, `request_seconds` one HTTP request.
    `max_connections` bounds the reads of stores that are under way at once on one machine (0: no bound). `storage`
    goes to fsspec (credentials, endpoints); it is kept out of repr and of comparisons.
    """

    range_bytes: int = 256 * MIB
    block_bytes: int = 4 * MIB
    join_gap_bytes: int = 1 * MIB
    lookback_bytes: int = 2 * MIB
    plain_lookback_bytes: int = 64 * MIB
    max_record_bytes: int = 128 * MIB
    max_page_bytes: int = 64 * MIB
    attempts: int = 8
    retry_seconds: float = 120.0
    request_seconds: float = 60.0
    max_connections: int = 0
    storage: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse limits that could never make progress; raises ValueError."""
        for name in ("range_bytes", "block_bytes", "max_record_bytes", "max_page_bytes", "attempts"):
            if getattr(self, name) < 1:
                message = f"{name} must be at least 1, not {getattr(self, name)}"
                raise ValueError(message)
