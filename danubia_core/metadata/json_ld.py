"""JSON-LD scripts to a flat list of objects, read leniently, and the object that is about the page.

Scripts in the wild carry comments, trailing commas, raw line breaks inside strings, escaped quotes and two values in a
row. Valid ones take the fast path; the others are mended step by step, and what still does not parse is searched for
the few string properties that matter.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

Object = dict[str, Any]

MAX_OBJECTS: Final = 2000  # a shop's list of offers may hold many more; the page's own object comes early
MAX_MENDED_CHARS: Final = 500_000
PAGE_TYPES: Final = {  # how surely an object of this type is the page's own content, not a part of it
    "NewsArticle": 6, "Article": 6, "BlogPosting": 6, "ReportageNewsArticle": 6, "OpinionNewsArticle": 6,
    "AnalysisNewsArticle": 6, "TechArticle": 6, "ScholarlyArticle": 6, "MedicalScholarlyArticle": 6, "Report": 6,
    "SocialMediaPosting": 5, "LiveBlogPosting": 6, "DiscussionForumPosting": 6, "QAPage": 4, "Question": 5, "Recipe": 5,
    "HowTo": 4, "Product": 4, "ProductGroup": 4, "JobPosting": 4, "Event": 4, "Course": 4, "Book": 4, "Movie": 4,
    "SoftwareApplication": 3, "SoftwareSourceCode": 3, "Dataset": 4, "CreativeWork": 3, "MedicalWebPage": 3,
    "WebPage": 2, "ItemPage": 2, "FAQPage": 2, "AboutPage": 2, "CollectionPage": 2, "ProfilePage": 2, "Review": 2,
    "VideoObject": 2,
    "PodcastEpisode": 4, "WebSite": 1,
}  # fmt: skip
PART_KEYS: Final = frozenset(  # under these, objects are about other pages or other people's words
    "comment comments suggestedAnswer acceptedAnswer review reviews itemListElement isRelatedTo isSimilarTo "
    "relatedLink hasPart citation mentions potentialAction offers image logo aggregateRating significantLink "
    "isPartOf about blogPost".split()
)
_COMMENTS = re.compile(r"<!--|-->|<!\[CDATA\[|\]\]>|/\*\s*\*/|^[^\S\n]*//[^\n]*$", re.M)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
_STRING_PROPERTY = re.compile(
    r'"(@type|headline|datePublished|dateCreated|dateModified|articleSection|inLanguage|author|name)"\s*:\s*'
    r'(?:\{[^{}]{0,200}?"name"\s*:\s*)?"((?:[^"\\\n]|\\.){1,300})"'
)


def read_json_ld(scripts: list[str]) -> list[Object]:
    """All objects of the page's JSON-LD that may be about the page itself, in order, parents before children."""
    found: list[Object] = []
    for script in scripts:
        for value in _parse(script):
            _flatten(value, found)
    return found


def _parse(script: str) -> list[Any]:
    try:
        return [msgspec.json.decode(script)]
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        pass
    if len(script) > MAX_MENDED_CHARS:
        return []
    mended = _CONTROLS.sub(" ", _COMMENTS.sub(" ", script)).strip().rstrip("; ")
    attempts = [mended, _TRAILING_COMMA.sub("", mended), _BAD_ESCAPE.sub("", _TRAILING_COMMA.sub("", mended))]
    if "&quot;" in mended:
        attempts.append(html.unescape(attempts[-1]))
    for attempt in attempts:
        values = _parse_values(attempt)
        if values:
            return values
    return [_salvage(mended)]


def _parse_values(script: str) -> list[Any]:
    """Values that stand one after another, as far as they parse."""
    decoder, values, at = json.JSONDecoder(strict=False), [], 0
    try:
        while at < len(script):
            value, at = decoder.raw_decode(script, at)
            values.append(value)
            while at < len(script) and script[at] in " \t\r\n;,":
                at += 1
    except (ValueError, RecursionError):
        pass
    return values


def _salvage(script: str) -> Object:
    """The first of each string property, from a script that cannot be parsed."""
    found: Object = {}
    for match in _STRING_PROPERTY.finditer(script):
        found.setdefault(match[1], match[2].replace('\\"', '"').replace("\\/", "/"))
    if "headline" in found or "datePublished" in found:
        found.pop("name", None)
    return found


def _flatten(value: Any, found: list[Object]) -> None:
    """Append objects depth first, without those that hang under a part of the page."""
    pending = [value]
    while pending and len(found) < MAX_OBJECTS:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            found.append(value)
            pending.extend(v for k, v in reversed(value.items()) if isinstance(v, list | dict) and k not in PART_KEYS)


def types_of(item: Object) -> list[str]:
    """The object's types, without the name space that some sites write before them."""
    kinds = item.get("@type", item.get("type"))
    values = kinds if isinstance(kinds, list) else [kinds]
    return [k.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for k in values if isinstance(k, str)]


def rank(item: Object) -> int:
    """How surely the object is what the page is about, 0 for other things."""
    return max((PAGE_TYPES.get(k, 0) for k in types_of(item)), default=0)


def texts_of(value: Any, *, depth: int = 4) -> Iterator[str]:
    """Strings of a value in any of JSON-LD's shapes: a string, an object with a name or @value, a list of them."""
    if isinstance(value, str):
        text = " ".join(html.unescape(value).split())
        if text:
            yield text
    elif depth and isinstance(value, list):
        for item in value[:50]:
            yield from texts_of(item, depth=depth - 1)
    elif depth and isinstance(value, dict):
        for key in ("name", "@value", "alternateName", "url", "@id"):
            if value.get(key):
                yield from texts_of(value[key], depth=depth - 1)
                return


def first_text(value: Any) -> str | None:
    """The first string of a value in any shape."""
    return next(texts_of(value), None)
