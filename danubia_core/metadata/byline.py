"""Who wrote the page: declared authors first, then microdata, rel=author and bylines near the heading.

A name that is the site's or an organisation's own stands for the author only where no person is named.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from danubia_core.document import TEXT
from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import Object, first_text, texts_of, types_of
from danubia_core.metadata.places import AUTHOR, USER, Places
from danubia_core.metadata.vocabulary import (
    AFTER_NAME,
    AUTHOR_NAMES,
    BY,
    CHANGED_LINE,
    NOBODY,
    NOT_A_NAME,
    PARTICLES,
    WRITTEN_BY,
)

_BY = re.compile(
    rf"^\W*(?:{'|'.join(re.escape(w) for w in sorted(BY, key=len, reverse=True))})(?:\s*[:：/]\s*|\s+|\s*$)", re.I
)
_WRITTEN_BY = re.compile(rf"^(?:{'|'.join(WRITTEN_BY)})\s*[:：]?\s+(?=\S)", re.I)
_WRITTEN_STARTS: Final = frozenset(start for w in WRITTEN_BY for start in (w[:2], w[:2].upper(), w[:2].capitalize()))
_CONNECTOR = re.compile(r"^\W*(?:and|und|et|y|e|og|och|en|i|и|e|ve|和|與)?\W*$", re.I)
MAX_NAME_CHARS: Final = 100
MAX_VISIBLE_WORDS: Final = 7
MAX_AUTHORS: Final = 12
MAX_BYLINE_BYTES: Final = 250


def find_author(head: Head, places: Places) -> str | None:
    """Names in the page's order, joined by "; "."""
    fallback: list[str] = []
    for names in _candidates(head, places):
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


def _candidates(head: Head, places: Places) -> Iterator[Iterable[str]]:
    """Lists of names, surest first."""
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
    yield from _marked(places, places.marks_near, AUTHOR)
    yield _lines(places)
    yield _addresses(places)
    yield from _marked(places, places.marks, AUTHOR)
    yield _written_by(places)
    yield from _marked(places, places.marks, USER)


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
            yield from _visible(document.inner_text(i))


def _marked(places: Places, marks: list[tuple[int, int]], flag: int) -> Iterator[list[str]]:
    """Names in the first elements whose class says that it holds an author."""
    document = places.document
    tried = 0
    for i, verdict in marks:
        if verdict & flag and 0 < document.text_bytes(i) <= MAX_BYLINE_BYTES:
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
        for name in _visible(text):
            yield name
            found, joined = True, False


def _lines(places: Places) -> Iterator[str]:
    """A line near the heading that starts with "By" or its like; the name may be in the next text."""
    document = places.document
    for i in places.lines():
        text = clean(document.text[i])
        match = _BY.match(text)
        if not match or text[:1] in "([" or places.is_apart(i):
            continue
        rest = text[match.end() :]
        if not rest:
            following = (k for k in range(i + 1, min(i + 6, len(document))) if document.tag[k] == TEXT)
            rest = clean(next((document.text[k] for k in following if document.text[k].strip()), ""))
        name = next(iter(_visible(rest)), None)
        if name and _is_capitalised(name):
            yield name
            return


def _addresses(places: Places) -> Iterator[str]:
    """Names in an address element near the heading: HTML's own mark for who is to be asked about an article."""
    start, stop = places.near
    for i in places.document.index.get("address", ()):
        if start <= i < stop and 0 < places.document.text_bytes(i) <= MAX_BYLINE_BYTES:
            yield from _names_in(places, i)
            return


def _written_by(places: Places) -> Iterator[str]:
    """A line anywhere that says outright who wrote the page."""
    starts = _WRITTEN_STARTS
    for i, text in [(i, text) for i, text in places.short_texts if text[:2] in starts]:
        match = _WRITTEN_BY.match(text)
        name = next(iter(_visible(text[match.end() :])), None) if match else None
        if name and _is_capitalised(name) and not places.is_apart(i):
            yield name
            return


def _visible(text: str) -> list[str]:
    """The name that a visible text is, without "By" before it and a date or a place after it, or none."""
    text = _BY.sub("", clean(text), count=1)
    text = AFTER_NAME.sub("", text).strip(" ,;:·|-–—*\u200b")
    words = text.split()
    if (
        not words
        or len(words) > MAX_VISIBLE_WORDS
        or len(text) > 60
        or NOT_A_NAME.search(text)
        or CHANGED_LINE.search(text)
    ):
        return []
    if words[-1].casefold() in PARTICLES:  # "Posted by" with nothing after it, in whatever words
        return []
    if not any(c.isalpha() for c in text) or (len(words) > 1 and not _is_capitalised(text)):
        return []
    return [text]


def _is_capitalised(text: str) -> bool:
    """Whether all words but particles start as names do; scripts without capitals pass."""
    words = [w for w in re.split(r"[\s,]+", text) if w and w.casefold() not in PARTICLES]
    return bool(words) and all(not w[0].islower() for w in words)


def _unique(names: Iterable[str]) -> list[str]:
    kept: dict[str, str] = {}
    for raw in names:
        name = clean_name(raw)
        if name:
            kept.setdefault(fold(name) or name, name)
    return list(kept.values())


def clean_name(raw: str) -> str | None:
    """A declared name without "By" before it; None for addresses and for names of nobody, such as "admin".

    >>> clean_name("By Tilda Brook")
    'Tilda Brook'
    """
    text = _BY.sub("", clean(raw), count=1).strip(" ,;:·|-–—")
    if (
        not text
        or len(text) > MAX_NAME_CHARS
        or "://" in text
        or text.startswith(("www.", "@", "/"))
        or text.casefold() in NOBODY
    ):
        return None
    if " " not in text and (text.count(".") > 1 or "/" in text):  # an address, or a template's variable left as it was
        return None
    return text if any(c.isalpha() for c in text) else None
