"""From a page and its extraction to the values of a row. Loads neither Beam nor Arrow: the extraction child runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

try:
    import pycld2
except ImportError:  # no wheel for this Python: the column is null
    pycld2 = None

if TYPE_CHECKING:
    from danubia_core import Extraction
    from transforms.pages import Page

# Compared on 300 pages and on sentences in 28 languages: py3langid errs least, but its tables push the extractor's own
# out of the processor's caches (2 ms a page); Resiliparse's detector knows no Chinese, Japanese or Korean.
LANGUAGE_SAMPLE: Final = 600  # characters, taken twice: 0.1 ms, and as good as the whole text
LANGUAGE_CODES: Final = {"iw": "he", "zh-Hant": "zh"}  # CLD2's own where ISO 639-1 has another
LEAST_LETTERS: Final = 20  # with fewer the answer is a guess


def read_date(written: str) -> int | None:
    """Give a WARC-Date (ISO 8601, WARC 1.1 section 5.4, or the 14 digits of ARC) as microseconds since 1970, or None.

    >>> read_date("2026-10-03T01:02:03Z"), read_date("20261003010203"), read_date("yesterday")
    (1790989323000000, 1790989323000000, None)
    """
    if len(written) == 14 and written.isdecimal():
        written = f"{written[:8]}T{written[8:]}"
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return round(when.timestamp() * 1_000_000)


def last_day(crawl_date: str) -> date | None:
    """Give the last day that a page fetched at a WARC-Date can be of, somewhere on Earth; None for what is no date.

    >>> last_day("2026-10-03T23:02:03Z"), last_day("")
    (datetime.date(2026, 10, 4), None)
    """
    instant = read_date(crawl_date)
    return None if instant is None else (datetime.fromtimestamp(instant / 1_000_000, UTC) + timedelta(hours=14)).date()


RECORD_VALUES: Final[dict[str, Callable[[Page], Any]]] = {
    "record_id": lambda page: page.record_id,
    "url": lambda page: page.url,
    "warc": lambda page: page.warc,
    "offset": lambda page: page.offset,
    "length": lambda page: page.length,
    "crawl_date": lambda page: read_date(page.date),
    "http_status": lambda page: page.status,
    "content_type": lambda page: page.content_type,
    "identified_type": lambda page: page.identified_type,
    "digest": lambda page: page.digest,
    "truncated": lambda page: page.truncated,
    "repairs": lambda page: page.notes,
}


def name_detector() -> str | None:
    """Name what tells the language of texts, or None where it is not installed."""
    return None if pycld2 is None else "cld2"


def detect_language(text: str) -> str | None:
    """Tell the language of a text from two samples of it, by its start and its middle; None when that cannot be told.

    >>> detect_language("The river rises in the hills above the town."), detect_language("42")
    ('en', None)
    """
    middle = len(text) // 2
    sample = text
    if len(text) > 2 * LANGUAGE_SAMPLE:
        sample = f"{text[:LANGUAGE_SAMPLE]} {text[middle : middle + LANGUAGE_SAMPLE]}"
    if pycld2 is None or sum(map(str.isalpha, sample)) < LEAST_LETTERS:
        return None
    try:
        _, _, languages = pycld2.detect("".join(filter(str.isprintable, sample)), isPlainText=True)
    except pycld2.error:  # it refuses some characters that Unicode has not assigned
        return None
    code = languages[0][1]
    return None if code == "un" else LANGUAGE_CODES.get(code, code)


EXTRACTED_VALUES: Final[dict[str, Callable[[Extraction], Any]]] = {
    "charset": lambda extraction: extraction.charset,
    "charset_source": lambda extraction: extraction.charset_source,
    "title": lambda extraction: extraction.metadata.title,
    "author": lambda extraction: extraction.metadata.author,
    "date": lambda extraction: extraction.metadata.date,
    "site_name": lambda extraction: extraction.metadata.site_name,
    "description": lambda extraction: extraction.metadata.description,
    "categories": lambda extraction: extraction.metadata.categories,
    "tags": lambda extraction: extraction.metadata.tags,
    "language": lambda extraction: extraction.metadata.language,
    "canonical_url": lambda extraction: extraction.metadata.canonical_url,
    "image": lambda extraction: extraction.metadata.image,
    "license": lambda extraction: extraction.metadata.license,
    "text_language": lambda extraction: detect_language(extraction.text),
    "markdown": lambda extraction: extraction.markdown,
    "text": lambda extraction: extraction.text,
    "html": lambda extraction: extraction.html,
    "xml": lambda extraction: extraction.xml,
    "xml_tei": lambda extraction: extraction.xml_tei,
    "tree": lambda extraction: extraction.tree.to_json(),
    "page_type": lambda extraction: extraction.page_type,
    "page_type_features": lambda extraction: extraction.page_type_features,
    "rung": lambda extraction: extraction.stats.rung,
    "total_bytes": lambda extraction: extraction.stats.total_bytes,
    "main_bytes": lambda extraction: extraction.stats.main_bytes,
    "selected_bytes": lambda extraction: extraction.stats.selected_bytes,
    "link_bytes": lambda extraction: extraction.stats.link_bytes,
    "search_discarded_bytes": lambda extraction: extraction.stats.search_discarded_bytes,
    "density_discarded_bytes": lambda extraction: extraction.stats.density_discarded_bytes,
    "trimmed_bytes": lambda extraction: extraction.stats.trimmed_bytes,
    "node_counts": lambda extraction: extraction.stats.node_counts,
    "discards": lambda extraction: extraction.stats.discards,
    "markup_truncated": lambda extraction: extraction.stats.truncated,
}


def record_values(page: Page, columns: Sequence[str]) -> dict[str, Any]:
    """Give the values of those columns that the page's record fills."""
    return {name: RECORD_VALUES[name](page) for name in columns if name in RECORD_VALUES}


def extracted_values(extraction: Extraction, columns: Sequence[str]) -> list[Any]:
    """Give the values of these columns, in their order; each serializer runs only when its column is asked for."""
    return [EXTRACTED_VALUES[name](extraction) for name in columns]
