"""Who wrote the page: declared authors first, then microdata, rel=author and bylines near the heading.

A name that is the site's or an organisation's own stands for the author only where no person is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from danubia_core.document import TEXT
from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import Object, first_text, rank, texts_of, types_of
from danubia_core.metadata.places import AUTHOR, MODIFIED_LINE, USER, Places

DECLARED: Final = (
    "author", "article:author", "article:author_name", "og:author", "og:article:author", "parsely-author", "sailthru.author",
    "citation_author", "citation_authors", "dc.creator", "dcterms.creator", "dc.creator.personalname", "cxenseparse:author",
    "bc:authors", "byl", "creator", "dc:creator", "rbauthors", "awa-pgauth", "article.author", "authors", "byline",
)  # fmt: skip
BY: Final = (  # words before a name, in 30 languages
    "written and edited by", "medically reviewed by", "reported by", "written by", "words by", "posted by", "published by", "story by",
    "article by", "started by", "asked by", "created by", "text by", "author", "by", "escrito por", "publicado por", "redactado por",
    "autor", "autora", "por", "écrit par", "rédigé par", "publié par", "auteur", "par", "geschrieben von", "ein artikel von",
    "verfasst von", "autorin", "von", "scritto da", "pubblicato da", "autore", "geschreven door", "door", "skrevet af", "skriven av",
    "skrevet av", "av", "kirjoittanut", "napsal", "napsala", "autor článku", "napisał", "napisała", "автор", "авторы", "текст", "автор статьи",
    "yazan", "yazar", "írta", "szerző", "scris de", "συντάκτης", "tác giả", "oleh", "penulis", "作者", "文", "记者", "記者", "撰文",
    "编辑", "著者", "執筆者", "執筆", "글", "작성자", "بقلم", "كتب", "الكاتب", "نویسنده", "מאת", "लेखक", "ผู้เขียน", "เขียนโดย", "โดย",
)  # fmt: skip
_WORDS_BY = "|".join(re.escape(w) for w in sorted(BY, key=len, reverse=True))
_BY = re.compile(rf"^\W*(?:{_WORDS_BY})(?:\s*[:：/]\s*|\s+|\s*$)", re.I)
_WRITTEN_BY = re.compile(
    r"^(?:written by|words by|story by|article by|reported by|geschrieben von|verfasst von|écrit par|rédigé par|escrito por|redactado por|"
    r"scritto da|geschreven door|skrevet af|skrevet av|skriven av|автор|текст|napisała?|napsala?|scris de|yazan|írta|作者|撰文|執筆者?|"
    r"글|بقلم|נכתב על ידי|लेखक|เขียนโดย|tác giả|ditulis oleh)\s*[:：]?\s+(?=\S)",
    re.I,
)
_PARTICLES: Final = frozenset(
    "de da do dos das di del della van von der den ter la le el al bin ibn and und et y e of the & für i och og en with".split()
)
GENERIC: Final = frozenset(
    "admin administrator author webmaster root user unknown anonymous null none undefined guest editor staff default "
    "superuser wpadmin siteadmin contributor team".split()
)
NOT_A_NAME: Final = re.compile(
    r"^(?:mon|tue|wed|thu|fri|sat|sun|via|guide|review|news|blog|editorial)$|"
    r"^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? ?\d|\d \w|\w \d|\.$|\b(?:comments?|share|follow|subscribe|read|min|minutes?|ago|posts?|posted|published|views?|more|about|contact|home|sign|log|"
    r"reply|profile|articles?|today|yesterday|updated|copyright|click|your|our|you|we|this|that|is|are|was|how|what|why|when)\b|[!?…]|https?:",
    re.I,
)
_CUT = re.compile(
    r"\s*(?:[|•·—–]|\s-\s|,?\s(?:on|updated|published|posted|last updated|am|le|el|il|in|at|w)\s|\s(?=\d{1,2}[./: ])|\b(?:19|20)\d\d\b|"
    r"\s(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d).*$",
    re.I | re.S,
)
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
    for item in head.mains:
        if rank(item) > 2 and item.get("author"):
            yield authors_of(item["author"], head)
    for name in DECLARED:
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
        inner = [k for k in places.properties.get("name", ()) if i <= k < document.end[i]]
        if inner:
            yield document.attrs[inner[0]].get("content") or document.inner_text(inner[0])
        elif document.attrs[i].get("content"):
            yield document.attrs[i]["content"]
        else:
            yield from _names_in(places, i)


def _rel_author(places: Places) -> Iterator[str]:
    document = places.document
    parent = -1
    for i in document.links:
        rel = document.attrs[i].get("rel")
        if rel and "author" in rel.lower().split() and document.text_bytes(i) and not places.is_apart(i):
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
        if not match or text[:1] in "([":
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
    document = places.document
    for i, text in enumerate(document.text):
        if text and len(text) <= MAX_NAME_CHARS and text[:1] not in " \n\t" and (match := _WRITTEN_BY.match(text)):
            name = next(iter(_visible(text[match.end() :])), None)
            if name and _is_capitalised(name) and not places.is_apart(i):
                yield name
                return


def _visible(text: str) -> list[str]:
    """The name that a visible text is, without "By" before it and a date or a place after it, or none."""
    text = _BY.sub("", clean(text), count=1)
    text = _CUT.sub("", text).strip(" ,;:·|-–—*\u200b")
    words = text.split()
    if not words or len(words) > MAX_VISIBLE_WORDS or len(text) > 60 or NOT_A_NAME.search(text) or MODIFIED_LINE.search(text):
        return []
    if not any(c.isalpha() for c in text) or (len(words) > 1 and not _is_capitalised(text)):
        return []
    return [text]


def _is_capitalised(text: str) -> bool:
    """Whether all words but particles start as names do; scripts without capitals pass."""
    words = [w for w in re.split(r"[\s,]+", text) if w and w.casefold() not in _PARTICLES]
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
    if not text or len(text) > MAX_NAME_CHARS or "://" in text or text.startswith(("www.", "@", "/")) or text.casefold() in GENERIC:
        return None
    if " " not in text and text.count(".") > 1:  # a template's variable that nobody filled in
        return None
    return text if any(c.isalpha() for c in text) else None
