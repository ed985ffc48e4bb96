"""Archives that another library wrote: read as that library reads them."""

from __future__ import annotations

import gc
import gzip
import io
import warnings
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.warcs.write_warcs import make_html
from transforms.pages import Page, RangeEnd, RangeSpec
from transforms.read_range import read_range


def write_foreign(path: Path, *, compressed: bool) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=compressed)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "none"}))
        for number in range(1, 6):
            url = f"https://www.example.org/{number}"
            headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            payload = io.BytesIO(gzip.compress(make_html(number)))
            record = writer.create_warc_record(url, "response", payload=payload, http_headers=http)
            request = writer.create_warc_record(
                url, "request", http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "www.example.org")])
            )
            writer.write_request_response_pair(request, record)
            digest = record.rec_headers.get_header("WARC-Payload-Digest")
            writer.write_record(writer.create_revisit_record(url, digest, url, "2031-01-02T03:04:05Z"))


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_pages_are_those_that_warcio_reads(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the writer leaves its temporary files open
        write_foreign(path, compressed=name.endswith(".gz"))
        gc.collect()
    expected = []
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                head = record.rec_headers
                body = record.content_stream().read()
                expected.append((head["WARC-Target-URI"], head["WARC-Payload-Digest"], head["WARC-Record-ID"], body))
    size = path.stat().st_size
    *items, end = read_range(RangeSpec(str(path), 0, 1, 0, size, size))
    pages = [item for item in items if isinstance(item, Page)]
    assert [(page.url, page.digest, page.record_id, page.body) for page in pages] == expected
    assert len(expected) == 5
    assert isinstance(end, RangeEnd)
    assert end.skips == {"record-type:warcinfo": 1, "record-type:request": 5, "revisit": 5}
    assert end.failures == 0
