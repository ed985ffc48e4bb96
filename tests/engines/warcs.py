"""A crawl of several archives for the engines' tests, made of the records of the sample archive."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "samples" / "sample.warc.gz"


def split_members(data: bytes) -> list[bytes]:
    """Give the gzip members of a file, one for each record."""
    members = []
    while data:
        inflater = zlib.decompressobj(31)
        inflater.decompress(data)
        members.append(data[: len(data) - len(inflater.unused_data)])
        data = inflater.unused_data
    return members


def write_crawl(folder: Path, archives: int) -> list[Path]:
    """Write archives that hold the sample's records, each in an order of its own."""
    first, *rest = split_members(SAMPLE.read_bytes())
    paths = []
    for number in range(archives):
        random.Random(number).shuffle(rest)
        path = folder / f"crawl-{number:02}.warc.gz"
        path.write_bytes(first + b"".join(rest))
        paths.append(path)
    return paths
