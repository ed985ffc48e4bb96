"""Indexes of the tests' archives, in each format that --cdx reads; places come from warcio, not from our own reader."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator


@dataclass(frozen=True)
class Place:
    """Where a record lies, and what it is."""

    warc: str
    offset: int
    length: int
    kind: str
    url: str
    status: int


def find_places(archive: Path) -> list[Place]:
    """Give every record's place."""
    places = []
    with archive.open("rb") as file:
        records = ArchiveIterator(file)
        for record in records:
            status = int(record.http_headers.get_statuscode()) if record.rec_type == "response" else 0
            headers = record.rec_headers
            kind, url = record.rec_type, headers.get_header("WARC-Target-URI") or ""
            record.content_stream().read()
            offset, length = records.get_record_offset(), records.get_record_length()
            places.append(Place(str(archive), offset, length, kind, url, status))
    return places


def write_cdxj(path: Path, places: list[Place], languages: str = "eng") -> Path:
    lines = []
    for place in places:
        fields = {
            "url": place.url,
            "mime": "text/html",
            "status": str(place.status),
            "length": str(place.length),
            "offset": str(place.offset),
            "filename": place.warc,
            "languages": languages,
        }
        lines.append(f"example,mills)/{place.offset} 20261003010203 {json.dumps(fields)}\n".encode())
    middle = len(lines) // 2
    blocks = [b"".join(lines[:middle]), b"".join(lines[middle:])]
    path.write_bytes(b"".join(map(gzip.compress, blocks)) if path.suffix == ".gz" else b"".join(blocks))
    return path


def write_columnar(path: Path, places: list[Place], languages: str = "eng") -> Path:
    table = pa.table({
        "url_surtkey": [f"example,mills)/{place.offset}" for place in places],
        "url_host_name": ["mills.example" for _ in places],
        "fetch_status": pa.array([place.status for place in places], pa.int16()),
        "content_mime_type": ["text/html" for _ in places],
        "content_mime_detected": ["text/html" for _ in places],
        "content_languages": [languages for _ in places],
        "warc_filename": [place.warc for place in places],
        "warc_record_offset": pa.array([place.offset for place in places], pa.int32()),
        "warc_record_length": pa.array([place.length for place in places], pa.int32()),
    })  # fmt: skip
    pq.write_table(table, path, row_group_size=7)
    return path


def write_list(path: Path, places: list[Place]) -> Path:
    rows = [f"{place.warc},{place.offset},{place.length}\n" for place in places]
    path.write_text("warc,offset,length\n" + "".join(rows))
    return path


WRITERS = {"places.cdxj.gz": write_cdxj, "places.cdxj": write_cdxj, "p.parquet": write_columnar, "p.csv": write_list}
