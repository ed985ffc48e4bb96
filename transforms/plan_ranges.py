"""Split archives into byte ranges, the units of parallel work."""

from __future__ import annotations

import math

from transforms.pages import RangeSpec
from transforms.read_options import MIB

UNSPLIT_ENDINGS = (".arc", ".arc.gz", ".arc.zst")


def plan_ranges(warc: str, size: int, range_bytes: int = 256 * MIB) -> list[RangeSpec]:
    """Cut a file of `size` bytes into equal ranges of at most `range_bytes`, give or take one.

    One range for a file of unknown size (-1), for formats that cannot be split, and for a file no larger than a
    range. The same file and size always give the same ranges: output names are made from them.

    >>> [(spec.start, spec.end) for spec in plan_ranges("a.warc.gz", 10, 4)]
    [(0, 4), (4, 7), (7, 10)]
    >>> plan_ranges("a.warc.gz", -1)
    [RangeSpec(warc='a.warc.gz', index=0, count=1, start=0, end=-1, size=-1, picks=None)]
    """
    if size < 0:
        return [RangeSpec(warc, 0, 1, 0, -1, -1)]
    is_whole = warc.split("?")[0].lower().endswith(UNSPLIT_ENDINGS)
    count = 1 if is_whole else max(1, math.ceil(size / range_bytes))
    edges = [-(-size * index // count) for index in range(count + 1)]
    return [RangeSpec(warc, index, count, edges[index], edges[index + 1], size) for index in range(count)]
