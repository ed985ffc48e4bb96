"""Notifications in the shape in which stores send them; names and ids are made up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from transforms.notifications import NotificationError, is_wanted, parse_notification

OBJECT = {
    "kind": "storage#object",
    "id": "crawl-in/2026/11/NEWS-20261130-00012.warc.gz/1796016003123456",
    "selfLink": "https://www.googleapis.com/storage/v1/b/crawl-in/o/2026%2F11%2FNEWS-20261130-00012.warc.gz",
    "name": "2026/11/NEWS-20261130-00012.warc.gz",
    "bucket": "crawl-in",
    "generation": "1796016003123456",
    "metageneration": "1",
    "contentType": "application/gzip",
    "timeCreated": "2026-11-30T10:00:03.125Z",
    "updated": "2026-11-30T10:00:03.125Z",
    "storageClass": "STANDARD",
    "size": "1072693248",
    "md5Hash": "1B2M2Y8AsgTpgAmY7PhCfg==",
    "crc32c": "AAAAAA==",
    "etag": "CICnqZ6n8YkDEAE=",
}
ATTRIBUTES = {
    "notificationConfig": "projects/_/buckets/crawl-in/notificationConfigs/7",
    "eventType": "OBJECT_FINALIZE",
    "payloadFormat": "JSON_API_V1",
    "bucketId": "crawl-in",
    "objectId": "2026/11/NEWS-20261130-00012.warc.gz",
    "objectGeneration": "1796016003123456",
    "eventTime": "2026-11-30T10:00:03.125321Z",
}
URL = "gs://crawl-in/2026/11/NEWS-20261130-00012.warc.gz"


def make_s3_record(event: str, key: str) -> dict[str, Any]:
    return {
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": "us-east-1",
        "eventTime": "2026-11-30T10:00:03.125Z",
        "eventName": event,
        "userIdentity": {"principalId": "AWS:AIDAEXAMPLE"},
        "requestParameters": {"sourceIPAddress": "192.0.2.1"},
        "responseElements": {"x-amz-request-id": "C3D13FE58DE4C810", "x-amz-id-2": "FMyUVURI"},
        "s3": {
            "s3SchemaVersion": "1.0",
            "configurationId": "new-archives",
            "bucket": {"name": "crawl-in", "ownerIdentity": {"principalId": "A3"}, "arn": "arn:aws:s3:::crawl-in"},
            "object": {"key": key, "size": 1024, "eTag": "d41d8cd9", "sequencer": "0055AED6DCD90281E5"},
        },
    }


def encode(value: Any) -> bytes:
    return json.dumps(value).encode()


S3 = encode({"Records": [make_s3_record("ObjectCreated:CompleteMultipartUpload", "a+b/%C3%A9t%C3%A9.warc.gz")]})
BRIDGE = {
    "version": "0",
    "detail-type": "Object Created",
    "source": "aws.s3",
    "detail": {"version": "0", "bucket": {"name": "crawl-in"}, "object": {"key": "a b.warc.gz", "size": 5}},
}


@pytest.mark.parametrize(
    ("payload", "attributes", "urls"),
    [
        (encode(OBJECT), ATTRIBUTES, (URL,)),
        (b"", {**ATTRIBUTES, "payloadFormat": "NONE"}, (URL,)),
        (encode(OBJECT), {"eventType": "OBJECT_FINALIZE"}, (URL,)),
        (encode(OBJECT), {**ATTRIBUTES, "overwroteGeneration": "1796016003000000"}, (URL,)),
        (S3, {}, ("s3://crawl-in/a b/été.warc.gz",)),
        (encode({"Type": "Notification", "Message": S3.decode()}), {}, ("s3://crawl-in/a b/été.warc.gz",)),
        (encode(BRIDGE), {}, ("s3://crawl-in/a b.warc.gz",)),
    ],
    ids=["gcs", "gcs without payload", "gcs by payload alone", "gcs overwrite", "s3", "s3 by sns", "s3 by eventbridge"],
)  # fmt: skip
def test_new_objects_are_named(payload: bytes, attributes: dict[str, str], urls: tuple[str, ...]) -> None:
    assert parse_notification(payload, attributes) == urls


@pytest.mark.parametrize(
    ("payload", "attributes"),
    [
        (encode(OBJECT), {**ATTRIBUTES, "eventType": "OBJECT_DELETE"}),
        (encode(OBJECT), {**ATTRIBUTES, "eventType": "OBJECT_ARCHIVE"}),
        (encode(OBJECT), {**ATTRIBUTES, "eventType": "OBJECT_METADATA_UPDATE"}),
        (encode({"Records": [make_s3_record("ObjectRemoved:Delete", "a.warc.gz")]}), {}),
        (encode({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "crawl-in"}), {}),
        (encode({**BRIDGE, "detail-type": "Object Deleted"}), {}),
    ],
    ids=["gcs delete", "gcs archive", "gcs metadata", "s3 delete", "s3 test event", "eventbridge delete"],
)
def test_other_events_name_nothing(payload: bytes, attributes: dict[str, str]) -> None:
    assert parse_notification(payload, attributes) == ()


@pytest.mark.parametrize(
    ("payload", "attributes", "message"),
    [
        (b"", {}, "no JSON"),
        (b"\xff\xfe\x00", {}, "no JSON"),
        (b"[" * 100_000, {}, "no JSON"),
        (b"[1]", {}, "no JSON object"),
        (b"{}", {}, "neither an eventType nor Records"),
        (encode(OBJECT), {}, "neither an eventType nor Records"),
        (b"{}", {"eventType": "OBJECT_FINALIZE"}, "no 'bucket'"),
        (encode({**OBJECT, "name": 7}), {"eventType": "OBJECT_FINALIZE"}, "no 'name'"),
        (encode({"Records": [1]}), {}, "no JSON object"),
        (encode({"Records": [{"eventName": "ObjectCreated:Put", "s3": []}]}), {}, "no 's3'"),
        (encode({**BRIDGE, "detail": None}), {}, "no 'detail'"),
    ],
)
def test_anything_else_is_told_in_one_line(payload: bytes, attributes: dict[str, str], message: str) -> None:
    with pytest.raises(NotificationError, match=message) as caught:
        parse_notification(payload, attributes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "pattern", "wanted"),
    [
        (URL, "gs://crawl-in/2026/11/*.warc.gz", True),
        (URL, "gcs://crawl-in/2026/11/*.warc.gz", True),
        (URL, "gs://crawl-in/**/*.warc.gz", True),
        (URL, "gs://crawl-in", True),
        (URL, "gs://crawl-in/2026/", True),
        (URL, URL, True),
        (URL, "gs://crawl-in/*.warc.gz", False),  # one level, as in a listing
        (URL, "gs://crawl-in/2025/**", False),
        (URL, "gs://crawl", False),
        (URL, "s3://crawl-in/2026/11/*.warc.gz", False),
        ("gs://crawl-in/2026/cdx.gz", "gs://crawl-in/2026", False),  # no archive
    ],
)
def test_objects_count_as_their_listing_would(url: str, pattern: str, *, wanted: bool) -> None:
    assert is_wanted(url, [pattern]) is wanted
