"""Plan targeted reads: rows of indexes, in any order, become ranges that each name some records of one archive.

Rows stream through temporary files, by archive, so that memory holds one batch of rows, the archives' names, and one of
these files at a time. Order, number and format of the indexes do not matter: the same records give the same ranges.
"""

from __future__ import annotations

import itertools
import math
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from operator import itemgetter
from typing import IO, Any, Final

import numpy as np

from transforms.manifests import PLAN
from transforms.pages import PickList, RangeSpec
from transforms.picks import UNTOLD_BYTES, hash_picks, pack_picks
from transforms.read_index import BadRow, IndexBatch
from transforms.sources import spell_name
from transforms.stores import Store

PARTS: Final = 64
SPOOL_BYTES: Final = 1 << 20
ROW: Final = np.dtype([("warc", "<i4"), ("offset", "<i8"), ("length", "<i8")])


class Picks:
    """The rows of all indexes, sorted into parts by archive; each part is a temporary file once it is large."""

    def __init__(self, prefix: str, stack: ExitStack) -> None:
        """Put `prefix` before names that are neither URLs nor absolute; the files go when `stack` closes."""
        self._prefix = prefix
        self._ids: dict[str, int] = {}
        files = (tempfile.SpooledTemporaryFile(SPOOL_BYTES) for _ in range(PARTS))  # noqa: SIM115 - closed by `stack`
        self._parts: list[IO[bytes]] = [stack.enter_context(file) for file in files]

    def add(self, batch: IndexBatch) -> None:
        """Take a batch of rows."""
        known = np.array([self._number(name) for name in batch.warcs], dtype=np.int64)
        rows = np.empty(len(batch.ids), dtype=ROW)
        rows["warc"] = known[batch.ids] if len(known) else 0
        rows["offset"] = batch.offsets
        rows["length"] = batch.lengths
        parts = rows["warc"] % PARTS
        for part in np.unique(parts):
            self._parts[part].write(rows[parts == part].tobytes())

    def _number(self, name: str) -> int:
        warc = spell_name(name if "://" in name or name.startswith("/") else self._prefix + name)
        return self._ids.setdefault(warc, len(self._ids))

    def read(self) -> Iterator[tuple[int, str, Any, Any]]:
        """Yield each archive once: its part, name, offsets (ascending, each once) and lengths."""
        names = list(self._ids)
        for part, file in enumerate(self._parts):
            file.seek(0)
            rows = np.frombuffer(file.read(), dtype=ROW)
            # Of rows that name one place twice the longer length is taken: it says only how much to fetch.
            rows = rows[np.lexsort((-rows["length"], rows["offset"], rows["warc"]))]
            is_first = np.ones(len(rows), dtype=bool)
            is_first[1:] = (rows["warc"][1:] != rows["warc"][:-1]) | (rows["offset"][1:] != rows["offset"][:-1])
            rows = rows[is_first]
            edges = [*np.flatnonzero(np.diff(rows["warc"], prepend=-1)), len(rows)]
            for start, end in itertools.pairwise(edges):
                chosen = rows[start:end]
                yield part, names[int(chosen["warc"][0])], chosen["offset"], chosen["length"]


def plan_picks(picks: Picks, store: Store, range_bytes: int) -> list[RangeSpec]:
    """Cut each archive's records into ranges of about `range_bytes`; their lists go to the store's plan folder.

    Under names of their own, for a job that outlived its command may still read those of an earlier run.
    """
    plan: list[RangeSpec] = []
    run = uuid.uuid4().hex[:8]
    for part, archives in itertools.groupby(picks.read(), key=itemgetter(0)):
        path = f"{PLAN}/picks-{run}-{part:05d}.bin"
        with store.create(path) as file:
            for _, warc, offsets, lengths in archives:
                for spec, packed in cut_picks(warc, offsets, lengths, range_bytes, (store.url_of(path), file.tell())):
                    file.write(packed)
                    plan.append(spec)
    return sorted(plan, key=lambda spec: (spec.warc, spec.index))


def cut_picks(
    warc: str, offsets: Any, lengths: Any, range_bytes: int, place: tuple[str, int]
) -> Iterator[tuple[RangeSpec, bytes]]:
    """Cut one archive's records into ranges of about equal bytes; `place` is the list file and how long it is by now.

    The same records give the same ranges. Where an index tells other lengths the selection is another one, for the
    cuts between its ranges may be.
    """
    path, start = place
    selection = hash_picks(pack_picks(offsets, lengths))
    weights = np.where(lengths < 0, UNTOLD_BYTES, lengths)
    before = np.cumsum(weights) - weights
    total = int(weights.sum())
    count = min(len(offsets), max(1, math.ceil(total / range_bytes)))
    wanted = np.minimum(before * count // total, count - 1)
    edges = [0, *(np.flatnonzero(np.diff(wanted)) + 1).tolist(), len(offsets)]
    count = len(edges) - 1
    for index, (first, last) in enumerate(itertools.pairwise(edges)):
        packed = pack_picks(offsets[first:last], lengths[first:last])
        fetch_bytes = int(weights[first:last].sum())
        listed = PickList(selection, path, start, len(packed), hash_picks(packed), last - first, fetch_bytes)
        end = int((offsets[first:last] + weights[first:last]).max())
        yield RangeSpec(warc, index, count, int(offsets[first]), end, -1, listed), packed
        start += len(packed)


def gather_picks(rows: Iterable[IndexBatch | BadRow], picks: Picks, most_bad: int) -> tuple[int, list[BadRow], int]:
    """Put rows in; gives how many, the bad ones (at most `most_bad` of them), and how many bad ones there were."""
    count = bad_count = 0
    bad: list[BadRow] = []
    for item in rows:
        if isinstance(item, BadRow):
            bad_count += 1
            if len(bad) < most_bad:
                bad.append(item)
        else:
            count += len(item.ids)
            picks.add(item)
    return count, bad, bad_count
