"""What stores tell of new objects: Cloud Storage's messages in Pub/Sub, and S3's events that are relayed there.

Sources: Cloud Storage, "Pub/Sub notifications"; Amazon S3, "Event message structure" and "Using EventBridge".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import unquote_plus

from fsspec.utils import glob_translate

from transforms.inputs import ARCHIVE_ENDINGS, is_glob

NEW_OBJECT: Final = "OBJECT_FINALIZE"
NEW_S3_OBJECT: Final = "ObjectCreated:"
SCHEMES: Final = {"gcs": "gs", "s3a": "s3"}  # other names of a store's scheme


class NotificationError(ValueError):
    """A message that is no notification of a store; the message is one line."""


def parse_notification(payload: bytes, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """Give the URLs of the objects that a message tells to be new: none for other events, several for S3's.

    Cloud Storage puts bucketId, objectId and eventType into the attributes, and the object's resource, unless the
    notification was set up without one, into the payload; a name that a relay lost is taken from there. S3's events are
    known by their payload: bare, wrapped by SNS, or in EventBridge's form. Raises NotificationError for anything else.

    >>> parse_notification(b"", {"eventType": "OBJECT_FINALIZE", "bucketId": "crawl", "objectId": "a/b.warc.gz"})
    ('gs://crawl/a/b.warc.gz',)
    """
    event = attributes.get("eventType")
    if event is not None and event != NEW_OBJECT:
        return ()
    bucket, name = attributes.get("bucketId"), attributes.get("objectId")
    if event and bucket and name:
        return (f"gs://{bucket}/{name}",)
    body = _read_object(payload)
    if event:
        return (f"gs://{_text(body, 'bucket')}/{_text(body, 'name')}",)
    return tuple(_read_s3_event(body))


def _read_s3_event(body: Mapping[str, Any]) -> Iterable[str]:
    if isinstance(body.get("Message"), str) and body.get("Type") == "Notification":
        body = _read_object(body["Message"].encode())
    if body.get("Event") == "s3:TestEvent":
        return []
    if body.get("source") == "aws.s3":  # EventBridge, which does not quote names
        if body.get("detail-type") != "Object Created":
            return []
        detail = _member(body, "detail")
        return [f"s3://{_text(_member(detail, 'bucket'), 'name')}/{_text(_member(detail, 'object'), 'key')}"]
    records = body.get("Records")
    if not isinstance(records, list):
        raise NotificationError("no event of a store: neither an eventType nor Records")
    return [url for record in records for url in _read_s3_record(record)]


def _read_s3_record(record: Any) -> list[str]:
    if not isinstance(record, dict):
        raise NotificationError("an S3 event's record is no JSON object")
    if not _text(record, "eventName").removeprefix("s3:").startswith(NEW_S3_OBJECT):
        return []
    place = _member(record, "s3")
    return [f"s3://{_text(_member(place, 'bucket'), 'name')}/{unquote_plus(_text(_member(place, 'object'), 'key'))}"]


def _read_object(payload: bytes) -> dict[str, Any]:
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise NotificationError(f"the payload is no JSON: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(body, dict):
        raise NotificationError("the payload is no JSON object")
    return body


def _member(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = body.get(name)
    if not isinstance(value, dict):
        raise NotificationError(f"the event has no {name!r}")
    return value


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise NotificationError(f"the event has no {name!r}")
    return value


def is_wanted(url: str, patterns: Iterable[str]) -> bool:
    """Tell whether one of the patterns, as `expand_inputs` takes them, names an object; lists of paths name none.

    >>> is_wanted("gs://crawl/2026/a.warc.gz", ["gs://crawl/2026/*.warc.gz"]), is_wanted("gs://b/a.warc", ["gs://crawl"])
    (True, False)
    """
    return any(_matches(url, _name_scheme(pattern)) for pattern in patterns)


def _matches(url: str, pattern: str) -> bool:
    if is_glob(pattern):
        return re.match(glob_translate(pattern), url) is not None
    return url == pattern or (url.startswith(pattern.rstrip("/") + "/") and url.lower().endswith(ARCHIVE_ENDINGS))


def _name_scheme(pattern: str) -> str:
    scheme, mark, rest = pattern.partition("://")
    return f"{SCHEMES.get(scheme, scheme)}{mark}{rest}"
