"""Who wrote the page: declared authors first, then microdata, rel=author and bylines by the heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import Object, first_text, rank, texts_of
from danubia_core.metadata.places import AUTHOR, Places

DECLARED: Final = (
    "author", "article:author", "article:author_name", "og:author", "og:article:author", "parsely-author", "sailthru.author",
    "dc.creator", "dcterms.creator", "dc.creator.personalname", "citation_author", "citation_authors", "cxenseparse:author",
    "bc:authors", "byl", "creator", "dc:creator", "rbauthors", "awa-pgauth", "article.author", "authors", "byline", "branch:deeplink:authorname1",
)  # fmt: skip
BY: Final = (  # words before a name, in 24 languages; longest first
    "written and edited by", "medically reviewed by", "reported by", "written by", "words by", "posted by", "published by", "story by",
    "article by", "author", "by", "escrito por", "publicado por", "redactado por", "autor", "autora", "por", "écrit par",
    "rédigé par", "publié par", "auteur", "par", "geschrieben von", "ein artikel von", "verfasst von", "autorin", "von", "scritto da",
    "pubblicato da", "autore", "di", "da", "geschreven door", "door", "skrevet af", "skriven av", "skrevet av", "av", "af", "kirjoittanut",
    "napsal", "autor článku", "napisał", "napisała", "tekst", "автор", "авторы", "текст", "опубликовал", "автор статьи", "yazan", "yazar",
    "írta", "szerző", "scris de", "de", "συντάκτης", "του", "tác giả", "oleh", "penulis", "作者", "文", "记者", "記者", "撰文", "编辑",
    "著者", "執筆者", "執筆", "글", "기자", "작성자", "بقلم", "كتب", "الكاتب", "نویسنده", "מאת", "לेखक", "लेखक", "ผู้เขียน", "เขียนโดย", "โดย",
)  # fmt: skip
_BY = re.compile(
    r"^\W*(?:" + "|".join(re.escape(w) for w in sorted(BY, key=len, reverse=True)) + r")(?:\s*[:：/]\s*|\s+|(?=@))", re.I
)
_LINE_BY = re.compile(
    r"^\W*(?:(?:written |posted |published |words |story |reported )?by|écrit par|rédigé par|publié par|par|von|verfasst von|"
    r"escrito por|publicado por|por|scritto da|geschreven door|door|skrevet av|skrevet af|av|автор|yazan|írta|scris de|oleh|"
    r"tác giả|作者|记者|記者|撰文|執筆者?|著者|글|บทความโดย|เขียนโดย|โดย|بقلم|מאת|लेखक)(?:\s*[:：]\s*|\s+)(?=\S)",
    re.I,
)
GENERIC: Final = frozenset("admin administrator author webmaster root user unknown anonymous null none undefined".split())
_CUT = re.compile(
    r"\s*(?:[|•·—–]|\s-\s|,?\s(?:on|updated|published|posted|last updated|am|le|el|il)\s(?=[\w.]{0,12}\s?\d)|\(|\d{1,2}[./]\d|\b\d{4}\b|https?:).*$",
    re.I | re.S,
)
MAX_NAME_BYTES: Final = 100
MAX_AUTHORS: Final = 12


def find_author(head: Head, places: Places) -> str | None:
    """Names in the page's order, joined by "; "."""
    for names in _candidates(head, places):
        kept = _unique(names, head)
        if kept:
            return "; ".join(kept[:MAX_AUTHORS])
    return None


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
    yield _marked(places)
    yield _lines(places)


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
            item = named
        found.extend(texts_of(item))
    return found


def _follow(item: Object, head: Head) -> Object:
    key = item.get("@id")
    return head.by_id.get(key, item) if isinstance(key, str) and not item.get("name") else item


def _microdata(places: Places) -> Iterator[str]:
    document = places.document
    for i in places.properties.get("author", ()):
        if places.is_apart(i):
            continue
        inner = [k for k in places.properties.get("name", ()) if i <= k < document.end[i]]
        k = inner[0] if inner else i
        yield document.attrs[k].get("content") or document.inner_text(k)
        if not inner:
            return


def _rel_author(places: Places) -> Iterator[str]:
    document = places.document
    for i in document.links:
        rel = document.attrs[i].get("rel")
        if rel and "author" in rel.lower().split() and not places.is_apart(i):
            yield document.inner_text(i)
            return


def _marked(places: Places) -> Iterator[str]:
    """The first short element after the heading whose class says byline, else the first before it."""
    document = places.document
    heading = places.heading
    found = [i for i, verdict in places.marked if verdict & AUTHOR and 0 < document.text_bytes(i) <= MAX_NAME_BYTES]
    found.sort(key=lambda i: (i < heading, i))
    for i in found[:4]:
        links = [k for k in document.links if i <= k < document.end[i] and document.text_bytes(k)]
        yield document.inner_text(links[0] if links else i)
        return


def _lines(places: Places) -> Iterator[str]:
    """A line by the heading that starts with "By" or its like."""
    document = places.document
    for i in places.near():
        text = document.text[i].strip()
        if text and _LINE_BY.match(text):
            yield text
            return


def _unique(names: Iterable[str], head: Head) -> list[str]:
    kept: list[str] = []
    seen = set()
    for raw in names:
        name = clean_name(raw)
        key = fold(name) if name else ""
        if name and key and key not in seen:
            seen.add(key)
            kept.append(name)
    return kept


def clean_name(raw: str) -> str | None:
    """A name without "By" before it and a date, a site or an address after it; None if nothing like a name is left."""
    text = clean(raw)
    text = _BY.sub("", text, count=1)
    text = _CUT.sub("", text).strip(" ,;:·|-–—@")
    if not text or len(text.encode()) > MAX_NAME_BYTES or "/" in text or "@" in text or text.casefold() in GENERIC:
        return None
    return text if any(c.isalpha() for c in text) else None
