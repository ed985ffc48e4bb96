"""Lists of records to read, as an index picks them: written beside the output, read by the workers.

A list is one zlib stream of two rows of 64-bit integers, little-endian: the records' offsets, ascending and each once,
and their lengths (-1: not told).
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from transforms.pages import PickList
from transforms.read_options import ReadOptions
from transforms.sources import ByteSource

HASH_CHARACTERS: Final = 12
LEVEL: Final = 1
UNTOLD_BYTES: Final = 1 << 16  # what is asked for at first of a record of unknown length


class PicksError(RuntimeError):
    """A list of picks is not the one that was planned."""


def pack_picks(offsets: Any, lengths: Any) -> bytes:
    """Pack two int64 arrays of the same length."""
    return zlib.compress(np.stack([offsets, lengths]).astype("<i8").tobytes(), LEVEL)


def unpack_picks(packed: bytes) -> tuple[list[int], list[int]]:
    """Give offsets and lengths.

    >>> unpack_picks(pack_picks(np.array([0, 70]), np.array([70, -1])))
    ([0, 70], [70, -1])
    """
    offsets, lengths = np.frombuffer(zlib.decompress(packed), dtype="<i8").reshape(2, -1).tolist()
    return offsets, lengths


def hash_picks(packed: bytes) -> str:
    """Give a hash of a packed list."""
    return hashlib.sha256(zlib.decompress(packed)).hexdigest()[:HASH_CHARACTERS]


def load_picks(picks: PickList, options: ReadOptions) -> tuple[list[int], list[int]]:
    """Fetch a range's list. Raises StoreError when it cannot be read, PicksError when it is another one."""
    source = ByteSource(picks.path, options)
    try:
        packed = source.read_at(picks.start, picks.length)
    finally:
        source.close()
    try:
        digest = hash_picks(packed)
    except zlib.error as error:
        digest = str(error)
    if digest != picks.digest:
        raise PicksError(f"{picks.path} is not as it was planned ({digest}): did another run end meanwhile?")
    return unpack_picks(packed)


def join_picks(offsets: list[int], lengths: list[int], join_gap_bytes: int) -> Iterator[tuple[int, int]]:
    """Give the stretches [start, end) to fetch: picks that lie within `join_gap_bytes` of each other share one.

    >>> list(join_picks([0, 100, 900], [90, 100, 50], 10))
    [(0, 200), (900, 950)]
    """
    start = end = -1
    for offset, length in zip(offsets, lengths, strict=True):
        if start >= 0 and offset - end > join_gap_bytes:
            yield start, end
            start = -1
        if start < 0:
            start, end = offset, offset
        end = max(end, offset + (length if length >= 0 else UNTOLD_BYTES))
    if start >= 0:
        yield start, end
