"""Who wrote the page: declared authors first, then microdata, rel=author and bylines near the heading.

A name that is the site's or an organisation's own stands for the author only where no person is named.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from danubia_core.document import TEXT
from danubia_core.metadata.calendar_words import find_days
from danubia_core.metadata.class_words import AUTHOR, USER
from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import Object, first_text, texts_of, types_of
from danubia_core.metadata.names import BY_LINE, clean_name, is_capitalised, is_full_name, may_start_with_by, names_of
from danubia_core.metadata.places import BREAK, Places
from danubia_core.metadata.vocabulary import (
    AUTHOR_NAMES,
    WRITTEN_BY,
)

_WRITTEN_BY = re.compile(rf"^(?:{'|'.join(WRITTEN_BY)})\s*[:：]?\s+(?=\S)", re.I)
_FIRST, _SECOND = (
    "".join(sorted({c for w in WRITTEN_BY for c in (f"{w} "[k].lower(), f"{w} "[k].upper())})) for k in (0, 1)
)  # letters that those words start with: checked before the words are
_WRITTEN_START = re.compile(rf"{BREAK}\s*(?=[{_FIRST}][{_SECOND}:：])(?i:{'|'.join(WRITTEN_BY)})")
_CONNECTOR = re.compile(r"^\W*(?:and|und|et|y|e|og|och|en|i|и|e|ve|和|與)?\W*$", re.I)
MAX_AUTHORS: Final = 12
WRITTEN_CHARS: Final = 100
MAX_BYLINE_BYTES: Final = 250
BESIDE_NODES: Final = 40  # after the heading
BESIDE_TEXTS: Final = 8
BESIDE_CHARS: Final = 40


def find_author(head: Head, places: Places) -> str | None:
    """Names in the page's order, joined by "; "."""
    fallback: list[str] = []
    for candidates in (_declared_and_near, _anywhere):
        if fallback:  # a site that signs its pages with its own name: names further off are of other people
            break
        for names in candidates(head, places):
            kept = _unique(names)
            persons = [n for n in kept if not _is_site(n, head)]
            if persons:
                return "; ".join(persons[:MAX_AUTHORS])
            fallback = fallback or kept
    return "; ".join(fallback) or None


def _is_site(name: str, head: Head) -> bool:
    """Whether the name is the site's, the publisher's or a declared organisation's."""
    key = fold(name)
    host = head.host.split(".")
    return key in head.organisations or (len(host) > 1 and key in (fold(head.host), fold(host[-2])))


def _declared_and_near(head: Head, places: Places) -> Iterator[Iterable[str]]:
    """Lists of names that the page declares or shows at its heading, surest first."""
    for item in head.articles:
        if item.get("author"):
            yield authors_of(item["author"], head)
    for name in AUTHOR_NAMES:
        if name in head.meta:
            yield head.meta[name]
    for item in head.mains:
        for key in ("author", "creator"):
            if item.get(key):
                yield authors_of(item[key], head)
    yield _microdata(places)
    yield _rel_author(places)
    yield from _marked(places, AUTHOR, near=True)
    yield _lines(places)
    yield _beside_date(places)


def _anywhere(_: Head, places: Places) -> Iterator[Iterable[str]]:
    """Lists of names that stand anywhere, surest first."""
    yield _addresses(places)
    yield from _marked(places, AUTHOR, near=False)
    yield _written_by(places)
    yield from _marked(places, USER, near=False)


def authors_of(value: object, head: Head) -> list[str]:
    """Names of JSON-LD authors; references by @id are followed."""
    values = value if isinstance(value, list) else [value]
    found: list[str] = []
    for item in values[:MAX_AUTHORS]:
        if isinstance(item, dict):
            item = _follow(item, head)
            named = {k: v for k, v in item.items() if k in ("name", "@value", "alternateName")}
            if not named and (item.get("givenName") or item.get("familyName")):
                parts = (first_text(item.get("givenName")), first_text(item.get("familyName")))
                named = {"name": " ".join(p for p in parts if p)}
            if {"Organization", "NewsMediaOrganization", "WebSite", "Corporation"}.intersection(types_of(item)):
                head.organisations.update(fold(t) for t in texts_of(named))
            item = named
        found.extend(texts_of(item))
    return found


def _follow(item: Object, head: Head) -> Object:
    key = item.get("@id")
    return head.by_id.get(key, item) if isinstance(key, str) and not item.get("name") else item


def _microdata(places: Places) -> Iterator[str]:
    """The first itemprop=author outside comments, and further ones beside it."""
    document = places.document
    parent = -1
    for i in places.properties.get("author", ()):
        if places.is_apart(i) or places.is_in_comment(i):
            continue
        if parent >= 0 and document.parent[i] != parent:
            return
        parent = document.parent[i]
        names = places.properties.get("name", [])
        k = bisect_left(names, i)
        if k < len(names) and names[k] < document.end[i]:
            yield document.attrs[names[k]].get("content") or document.inner_text(names[k])
        elif document.attrs[i].get("content"):
            yield document.attrs[i]["content"]
        else:
            yield from _names_in(places, i)


def _rel_author(places: Places) -> Iterator[str]:
    document = places.document
    parent = -1
    for i in places.rels.get("author", ()):
        if document.text_bytes(i) and not places.is_apart(i):
            if parent >= 0 and document.parent[i] != parent:
                return
            parent = document.parent[i]
            yield from names_of(document.inner_text(i))


def _marked(places: Places, flag: int, *, near: bool) -> Iterator[list[str]]:
    """Names in the first elements whose class says that it holds an author."""
    document = places.document
    tried = 0
    for i, _ in places.marks(flag, near=near):
        if 0 < document.text_bytes(i) <= MAX_BYLINE_BYTES:
            yield list(_names_in(places, i))
            tried += 1
            if tried == 8:
                return


def _names_in(places: Places, i: int) -> Iterator[str]:
    """Names in a byline: its first text that is one, and further ones that a comma or an "and" joins to it."""
    document = places.document
    found = joined = False
    for k in range(i, document.end[i]):
        if document.tag[k] != TEXT:
            continue
        text = clean(document.text[k])
        if not text:
            continue
        if found and not joined:
            joined = bool(_CONNECTOR.match(text)) or text.endswith(",")
            if not joined:
                return
            continue
        for name in names_of(text):
            yield name
            found, joined = True, False


def _lines(places: Places) -> Iterator[str]:
    """A line near the heading that starts with "By" or its like; the name may be in the next text."""
    document = places.document
    for i, line in places.lines:
        if not may_start_with_by(line):
            continue
        text = clean(line)
        match = BY_LINE.match(text)
        if not match or text[:1] in "([" or places.is_apart(i):
            continue
        rest = text[match.end() :]
        if not rest:
            following = (k for k in range(i + 1, min(i + 6, len(document))) if document.tag[k] == TEXT)
            rest = clean(next((document.text[k] for k in following if document.text[k].strip()), ""))
        name = next(iter(names_of(rest)), None)
        if name and is_capitalised(name):
            yield name
            return


def _beside_date(places: Places) -> Iterator[str]:
    """A name that stands by itself between the heading and a date, or right after that date.

    Two or three capitalised words; a single one, or four, are as often a section or a place.
    """
    document, heading = places.document, places.heading
    if heading < 0:
        return
    start = document.end[heading]
    texts = [(i, t) for i in range(start, min(start + BESIDE_NODES, len(document))) if (t := document.text[i].strip())]
    dates = [k for k, (_, t) in enumerate(texts) if len(t) <= BESIDE_CHARS and _is_date(t)]
    if not dates or dates[0] > BESIDE_TEXTS:
        return
    for i, text in (*texts[max(dates[0] - 3, 0) : dates[0]][::-1], *texts[dates[0] + 1 : dates[0] + 3]):
        names = names_of(text) if len(text) <= BESIDE_CHARS else []
        if names and names[0] == text and is_full_name(text) and not places.is_apart(i) and not places.is_label(i):
            yield text
            return


def _is_date(text: str) -> bool:
    """Whether the text holds a full date."""
    return next(find_days(text, language=None, latest=date.max), None) is not None


def _addresses(places: Places) -> Iterator[str]:
    """Names in an address element near the heading: HTML's own mark for who is to be asked about an article."""
    start, stop = places.near
    for i in places.document.index.get("address", ()):
        if start <= i < stop and 0 < places.document.text_bytes(i) <= MAX_BYLINE_BYTES:
            yield from _names_in(places, i)
            return


def _written_by(places: Places) -> Iterator[str]:
    """A line anywhere that says outright who wrote the page."""
    for i, text in places.find_texts(_WRITTEN_START):
        match = _WRITTEN_BY.match(text) if len(text) <= WRITTEN_CHARS else None
        name = next(iter(names_of(text[match.end() :])), None) if match else None
        if name and is_capitalised(name) and not places.is_apart(i):
            yield name
            return


def _unique(names: Iterable[str]) -> list[str]:
    kept: dict[str, str] = {}
    for raw in names:
        name = clean_name(raw)
        if name:
            kept.setdefault(fold(name) or name, name)
    return list(kept.values())
