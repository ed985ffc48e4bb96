"""The day of publication: declared ones first, then the address, then datelines by the headline.

Scripts are never read, so that an expiry date of a banner is never taken; nor are dates in the future or before 1990.
The day of the last change is the last resort.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

from danubia_core.metadata.calendar_words import find_days, is_ambiguous, is_plausible, make_day, month_number
from danubia_core.metadata.class_words import CHANGED, DATE
from danubia_core.metadata.head import Head
from danubia_core.metadata.json_ld import first_text
from danubia_core.metadata.places import YEAR, Places
from danubia_core.metadata.vocabulary import CHANGED_LINE, CHANGED_NAMES, ORIGINAL_LINE, ORIGINAL_STEMS, PUBLISHED_NAMES

ADDRESS_DAY: Final = re.compile(
    r"[/_.-](?:(\d{4})([/_.-])(\d{1,2})\2(\d{1,2})|((?:19|20)\d\d)([01]\d)([0-3]\d))(?=[/_.?-]|$|[^\d])"
)
_NAMED_ADDRESS_DAY = re.compile(r"/(20\d\d|19\d\d)/([a-z]{3,10})/(\d\d?)(?=[/.?]|$)", re.I)
_ISO = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
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
            if isinstance(value, str):
                day = _other_reading(value, day, places) or day
            shown = _shown_day(places, language=language, latest=latest)
            return (shown if shown and (day - shown).days > 1 else day).isoformat()
    return _read_shown(head, places, language=language, latest=latest)


def _read_shown(head: Head, places: Places, *, language: str | None, latest: date) -> str | None:
    """The day that the page's text shows; that of the last change only where it shows and declares no other."""
    modified: date | None = None
    for text, is_change in _datelines(places):
        for day in find_days(text, language=language, latest=latest):
            if is_change:
                modified = modified or day
            else:
                return (_other_reading(text, day, places) or day).isoformat()
    lone, changed = _lone_days(places, language=language, latest=latest)
    if lone:
        return lone.isoformat()
    modified = modified or changed
    for value in _modified(head, places):
        modified = modified or read_day(value, language=language, latest=latest)
    return modified.isoformat() if modified else None


def _datelines(places: Places) -> Iterator[tuple[str, bool]]:
    """Short texts that may hold the day, and whether they speak of a change.

    Those that speak of the first publication come first, then what stands at the heading, near it, or under a class
    that says so.
    """
    document = places.document
    for text in places.find_near(ORIGINAL_LINE, ORIGINAL_STEMS):
        yield text[:DATELINE_BYTES], False
    for text in places.captions():
        yield text, False
    for i, text in places.lines:
        if YEAR.search(text) and not places.is_apart(i) and not places.is_in_profile(i):
            yield text, bool(CHANGED_LINE.search(text) or CHANGED_LINE.search(places.label_before(i)))
    for i, verdict in islice(places.marks(DATE, near=False), MAX_MARKED_DATES):
        if 0 < document.text_bytes(i) <= DATELINE_BYTES and not places.is_in_profile(i):
            text = document.inner_text(i)
            yield text, bool(verdict & CHANGED or CHANGED_LINE.search(text))


def _other_reading(text: str, day: date, places: Places) -> date | None:
    """The day with day and month exchanged, where only that one is written out in full elsewhere in the page."""
    if day.day > 12 or not is_ambiguous(text):
        return None
    other = make_day(day.year, day.day, day.month)
    attrs = places.document.attrs
    written = {(attrs[i].get("datetime") or "")[:10] for i in places.document.index.get("time", ())}
    return other if other and other.isoformat() in written and day.isoformat() not in written else None


def _shown_day(places: Places, *, language: str | None, latest: date) -> date | None:
    """The day that stands by itself at the heading: if it is earlier, the declared one is a later import's."""
    for text in places.captions():
        if is_ambiguous(text):
            continue
        for day in find_days(text, language=language, latest=latest):
            return day
    return None


def _lone_days(places: Places, *, language: str | None, latest: date) -> tuple[date | None, date | None]:
    """The first day that stands by itself in the page, and the first of a change.

    The former only where there are few: several are a list of pages.
    """
    days: dict[date, None] = {}
    changed: date | None = None
    for text in places.lone_dates():
        found = find_days(text, language=language, latest=latest)
        if CHANGED_LINE.search(text):
            changed = changed or next(found, None)
        else:
            days.update(dict.fromkeys(found))
    return (next(iter(days)) if 0 < len(days) <= MAX_LONE_DAYS else None), changed


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
        named = _NAMED_ADDRESS_DAY.search(url)
        return make_day(int(named[1]), month_number(named[2], None), int(named[3])) if named else None
    year, month, day = (match[1], match[3], match[4]) if match[1] else (match[5], match[6], match[7])
    return make_day(int(year), int(month), int(day))


def _modified(head: Head, places: Places) -> Iterator[object]:
    """Declared values for the last change, then what is left of time elements: changes, or dates in side columns."""
    for item in head.mains:
        yield _plain(item.get("dateModified"))
    for name in CHANGED_NAMES:
        yield from head.meta.get(name, ())[:1]
    yield from places.last_times()
