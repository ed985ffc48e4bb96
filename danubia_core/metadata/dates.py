"""The day of publication: declared ones first, then the address, then datelines by the headline.

Scripts are never read, so that an expiry date of a banner is never taken; nor are dates in the future or before 1990.
The day of the last change is the last resort.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final

from danubia_core.metadata.calendar_words import find_days, is_ambiguous, is_plausible, make_day
from danubia_core.metadata.head import Head
from danubia_core.metadata.json_ld import first_text
from danubia_core.metadata.places import CHANGED, DATE, Places
from danubia_core.metadata.vocabulary import CHANGED_LINE, CHANGED_NAMES, PUBLISHED_NAMES

ADDRESS_DAY: Final = re.compile(
    r"[/_.-](?:(\d{4})([/_.-])(\d{1,2})\2(\d{1,2})|((?:19|20)\d\d)([01]\d)([0-3]\d))(?=[/_.?-]|$|[^\d])"
)
_ISO = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
_DIGIT = re.compile(r"\d")
_EPOCH = re.compile(r"\s*(\d{10})(\d{3})?\s*$")
DAY_FIRST_COUNTRIES: Final = frozenset("uk ie au nz in za sg my hk ke ng gh pk mt".split())  # where English is written
DATELINE_BYTES: Final = 200
MAX_MARKED_DATES: Final = 60
MAX_LONE_DAYS: Final = 2


def read_day(value: object, *, language: str | None, latest: date) -> date | None:
    """The day that a declared value means: ISO 8601, seconds or milliseconds since 1970, or written in words."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        return None
    match = _ISO.match(value)
    if match:
        day = make_day(int(match[1]), int(match[2]), int(match[3]))
    elif match := _EPOCH.match(value):
        day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(match[1]))).date()
    else:
        return next(find_days(value[:DATELINE_BYTES], language=language, latest=latest), None)
    return day if day and is_plausible(day, latest) else None


def find_date(head: Head, places: Places, *, language: str | None, latest: date) -> str | None:
    """Day of publication as "YYYY-MM-DD"."""
    if language == "en" and head.host.rsplit(".", 1)[-1] in DAY_FIRST_COUNTRIES:
        language = "en-GB"
    for value in _candidates(head, places):
        day = value if isinstance(value, date) else read_day(value, language=language, latest=latest)
        if day and is_plausible(day, latest):
            shown = _shown_day(places, language=language, latest=latest)
            return (shown if shown and (day - shown).days > 1 else day).isoformat()
    modified: date | None = None
    for text, is_change in _datelines(places):
        for day in find_days(text, language=language, latest=latest):
            if not is_change:
                return day.isoformat()
            modified = modified or day
    lone = _lone_day(places, language=language, latest=latest)
    if lone:
        return lone.isoformat()
    for value in _modified(head):
        modified = modified or read_day(value, language=language, latest=latest)
    return modified.isoformat() if modified else None


def _datelines(places: Places) -> Iterator[tuple[str, bool]]:
    """Short texts that may hold the day, and whether they speak of a change: near the heading, then by class."""
    document = places.document
    for i in places.lines():
        text = document.text[i]
        if _DIGIT.search(text) and not places.is_apart(i):
            yield text, bool(CHANGED_LINE.search(text) or CHANGED_LINE.search(places.label_before(i)))
    dated = [(i, v) for i, v in places.marks if v & DATE and 0 < document.text_bytes(i) <= DATELINE_BYTES]
    for i, verdict in dated[:MAX_MARKED_DATES]:
        text = document.inner_text(i)
        yield text, bool(verdict & CHANGED or CHANGED_LINE.search(text))


def _shown_day(places: Places, *, language: str | None, latest: date) -> date | None:
    """The day that stands by itself at the heading: if it is earlier, the declared one is a later import's."""
    for text in places.captions():
        if is_ambiguous(text):
            continue
        for day in find_days(text, language=language, latest=latest):
            return day
    return None


def _lone_day(places: Places, *, language: str | None, latest: date) -> date | None:
    """The first day that stands by itself in the page, unless there are several: then it is a list of pages."""
    days = {}
    for text in places.lone_dates():
        if not CHANGED_LINE.search(text):
            days.update(dict.fromkeys(find_days(text, language=language, latest=latest)))
    return next(iter(days)) if 0 < len(days) <= MAX_LONE_DAYS else None


def _candidates(head: Head, places: Places) -> Iterator[object]:
    """Declared values, surest first."""
    yield address_day(head.url)  # in the publisher's own time zone, which declared times may not be in
    mains = head.mains
    for item in head.articles:
        yield _plain(item.get("datePublished"))
    for name in PUBLISHED_NAMES:
        yield from head.meta.get(name, ())[:1]
    for item in mains:
        yield _plain(item.get("datePublished"))
    for key in ("dateCreated", "uploadDate", "datePosted"):
        for item in mains:
            yield _plain(item.get(key))
    yield from places.declared_days()


def _plain(value: object) -> object:
    return value if isinstance(value, int) else first_text(value)


def address_day(url: str) -> date | None:
    """The day in an address such as /2019/05/06/title or /20190506-title."""
    match = ADDRESS_DAY.search(url)
    if not match:
        return None
    year, month, day = (match[1], match[3], match[4]) if match[1] else (match[5], match[6], match[7])
    return make_day(int(year), int(month), int(day))


def _modified(head: Head) -> Iterator[object]:
    for item in head.mains:
        yield _plain(item.get("dateModified"))
    for name in CHANGED_NAMES:
        yield from head.meta.get(name, ())[:1]
