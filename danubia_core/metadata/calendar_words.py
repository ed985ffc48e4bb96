"""Days in text, in any of the languages that dateparser knows the month names of.

dateparser itself needs about 0.8 ms for one date, even with the language given: twice what all of a page's metadata may
take. Its tables of month names and orders of day and month are what is worth keeping up elsewhere, so the names come
from there, and the few shapes that a publication date is written in are matched here, in about 10 µs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Final

MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)  # dateparser's own keys
LANGUAGES: Final = (  # tried in this order for a page that declares no language; a name goes to the first that has it
    "en de fr es pt it nl ru pl uk cs tr sv da nb fi hu ro el bg hr sr sk sl lt lv et ca eu gl id ms vi th ar fa he hi "
    "bn ta te mr ur ka hy az kk be mk sq is ga af sw tl ja zh ko"
).split()
ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
BUDDHIST_OFFSET: Final = 543  # Thai years
EARLIEST: Final = 1990
_YEAR: Final = re.compile(r"\d{4}|\d\s?[./-]\s?\d\d?\s?[./-]\s?\d\d|年")

_WORD = r"[^\s\d,/|:;()<>_–—-]{2,24}"
_SHAPES: Final = (
    ("ymd", re.compile(r"(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)")),
    ("era", re.compile(r"(令和|平成|昭和|民國|民国)\s?(元|\d{1,3})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})")),
    ("dny", re.compile(r"(?<!\d)(\d{1,2})\s*(?:tháng|thg)\s*(\d{1,2})\s*(?:,|năm)?\s*(\d{4})(?!\d)", re.I)),
    (
        "dwy",
        re.compile(
            rf"(?<![\d:])(\d{{1,2}})(?:st|nd|rd|th|er|º|ª|ος|-го|e)?[.,]?[\s.-]*(?:de |of |d['’])?\s?({_WORD})"
            rf"[\s.,'’-]*(?:de |del |of |г |ม |พ\.ศ\.? ?)?(\d{{4}})(?!\d)",
            re.I,
        ),
    ),
    (
        "wdy",
        re.compile(rf"({_WORD})[\s.-]*(\d{{1,2}})(?:st|nd|rd|th)?[\s.,-]+(?:\d\d?:\d\d\S* )?(\d{{4}})(?!\d)", re.I),
    ),
    ("wdty", re.compile(rf"({_WORD})\s+(\d{{1,2}})\s+\d\d:\d\d:\d\d\s+(?:[A-Z]{{2,5}}\s+)?(\d{{4}})(?!\d)")),
    ("ywd", re.compile(rf"(?<!\d)(\d{{4}})[.,]?\s+(?:m\.\s+|(?:gada|ko)\s+)?({_WORD})[\s.]+(\d{{1,2}})(?!\d)", re.I)),
    ("num", re.compile(r"(?<![\d./:-])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)(?![\d/:-])")),
)  # fmt: skip


def find_days(text: str, *, language: str | None, latest: date) -> Iterator[date]:
    """Days written in the text, full ones only (day, month and year), none before 1990 or after `latest`."""
    if not _YEAR.search(text):
        return
    for shape, pattern in _SHAPES:
        for match in pattern.finditer(text):
            for day in _read(shape, match.groups(), language):
                if day and is_plausible(day, latest):
                    yield day
                    break


def is_plausible(day: date, latest: date) -> bool:
    """Whether a page of the web can be of that day."""
    return day.year >= EARLIEST and day <= latest


def is_ambiguous(text: str) -> bool:
    """Whether the text has a date such as 05/06/2019, which is a day in May or in June."""
    return bool(_SHAPES[-1][1].search(text))


def _read(shape: str, parts: tuple[str, ...], language: str | None) -> tuple[date | None, ...]:
    """The day that is meant; two where it depends on the order of day and month, the language's own first."""
    if shape == "num":
        return _read_numeric(int(parts[0]), int(parts[2]), parts[3], language)
    return (_read_full(shape, parts, language),)


def _read_full(shape: str, parts: tuple[str, ...], language: str | None) -> date | None:
    if shape == "ymd":
        return make_day(int(parts[0]), int(parts[1]), int(parts[2]))
    if shape == "era":
        year = 1 if parts[1] == "元" else int(parts[1])
        return make_day(ERAS[parts[0]] + year, int(parts[2]), int(parts[3]))
    if shape == "dny":
        return make_day(int(parts[2]), int(parts[1]), int(parts[0]))
    word_at = {"dwy": 1, "ywd": 1}.get(shape, 0)
    month = month_number(parts[word_at], language)
    if not month:
        return None
    day, year = {"dwy": (0, 2), "ywd": (2, 0)}.get(shape, (1, 2))
    return make_day(int(parts[year]), month, int(parts[day]))


def _read_numeric(first: int, second: int, year: str, language: str | None) -> tuple[date | None, ...]:
    full = int(year) if len(year) == 4 else 2000 + int(year)
    days = make_day(full, second, first), make_day(full, first, second)
    return days[::-1] if language and _months(language)[1] else days


def make_day(year: int, month: int, day: int) -> date | None:
    """The day, None where there is no such day; Thai years are turned into common ones."""
    if 2400 < year < 2700:
        year -= BUDDHIST_OFFSET
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_number(word: str, language: str | None) -> int:
    """1 to 12 for a month's name or short form in the language, in English, or in any language; else 0."""
    name = _fold(word)
    if language:
        number = _months(language)[0].get(name)
        if number:
            return number
    return _months("en")[0].get(name) or (_all_months().get(name, 0) if len(name) > 2 else 0)


def _fold(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().strip(".").replace(".", "")


@lru_cache(maxsize=512)
def _months(language: str) -> tuple[dict[str, int], bool]:
    """Month names of a language, and whether it writes the month before the day."""
    # Imported when first needed: half of the pages have no date that is written in words.
    from dateparser.languages.loader import default_loader

    for tag in (language, language.split("-")[0]):
        try:
            info = default_loader.get_locale(tag).info
        except (ValueError, KeyError, ImportError):
            continue
        names = {_fold(name): number for number, key in enumerate(MONTHS, 1) for name in info.get(key, ())}
        return names, info.get("date_order") == "MDY"
    return {}, False


@lru_cache(maxsize=1)
def _all_months() -> dict[str, int]:
    names: dict[str, int] = {}
    for language in LANGUAGES:
        for name, number in _months(language)[0].items():
            names.setdefault(name, number)
    return names
