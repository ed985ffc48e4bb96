"""Where bylines and datelines stand in a page: near its heading, or under names that say so.

One loop over the attributes of the page, run only for pages whose head does not say who and when. A verdict on a class
string is cached: pages repeat few strings many times, and sites share them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from danubia_core.document import TEXT, Document
from danubia_core.metadata.head import Head, fold

AUTHOR, DATE, MODIFIED, ZONE = 1, 2, 4, 8
AUTHOR_WORDS: Final = frozenset("author authors authorname byline bylines autor auteur autore redakteur writer verfasser".split())
NOT_AUTHOR_WORDS: Final = frozenset(
    "bio biography box avatar image img photo picture pic thumb desc description social follow list more related comment comments "
    "count signature title job role posts post-count info-box card-body twitter email stats level rank badge icon".split()
)
DATE_WORDS: Final = frozenset(
    "date dateline datetime time timestamp published publish pubdate posted postdate published-date datum fecha data postmetadata "
    "meta metadata byline".split()
)
NOT_DATE_WORDS: Final = frozenset("comment comments reading read picker event countdown related expiry copyright".split())
MODIFIED_WORDS: Final = frozenset("updated modified update lastmod edited".split())
ZONE_WORDS: Final = frozenset(
    "comment comments commentlist reply replies related recommended recommendations sidebar footer trending popular latest "
    "recirculation teaser teasers promo newsletter cookie nav navigation menu widget carousel disqus".split()
)
ZONE_TAGS: Final = frozenset(("aside", "footer", "nav", "form"))
PAGE_TAGS: Final = frozenset(("body", "html", "main", "article"))
MAX_ANCESTORS: Final = 30
NEAR_BEFORE: Final = 60  # nodes before the heading
NEAR_AFTER: Final = 140  # nodes after it
LINE_BYTES: Final = 160
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@lru_cache(maxsize=65536)
def class_verdict(names: str) -> int:
    """What a class attribute says of its element, as flags."""
    verdict = 0
    for token in names.split():
        words = frozenset(w.lower() for w in _WORDS.findall(token))
        if words & AUTHOR_WORDS and not words & NOT_AUTHOR_WORDS:
            verdict |= AUTHOR
        if words & DATE_WORDS and not words & NOT_DATE_WORDS:
            verdict |= DATE
        if words & MODIFIED_WORDS:
            verdict |= MODIFIED
        if words & ZONE_WORDS:
            verdict |= ZONE
    return verdict


class Places:
    """Look-ups over one document; nothing is computed before it is asked for."""

    def __init__(self, document: Document, head: Head) -> None:
        self.document = document
        self.head = head

    @cached_property
    def heading(self) -> int:
        """Index of the h1 that the page's title names, else of the first h1 with text, -1 if none."""
        document = self.document
        names = [fold(t) for t in self.head.titles[:2]]
        first = -1
        for i in document.index.get("h1", ())[:10]:
            text = fold(document.inner_text(i))
            if not text:
                continue
            if any(text in name or name in text for name in names):
                return i
            first = i if first < 0 else first
        return first

    @cached_property
    def marked(self) -> list[tuple[int, int]]:
        """(index, verdict) of elements whose class speaks of an author or a date, outside zones of other matter."""
        found = []
        for i, a in enumerate(self.document.attrs):
            if a:
                names = a.get("class")
                if names:
                    verdict = class_verdict(names)
                    if verdict & (AUTHOR | DATE) and not self.is_apart(i):
                        found.append((i, verdict))
        return found

    @cached_property
    def properties(self) -> dict[str, list[int]]:
        """Indexes of elements by itemprop, body elements only."""
        found: dict[str, list[int]] = {}
        for i, a in enumerate(self.document.attrs):
            if a and "itemprop" in a:
                for name in a["itemprop"].split():
                    found.setdefault(name.lower(), []).append(i)
        return found

    def is_apart(self, i: int) -> bool:
        """Whether the node stands in a comment, a side column, a footer or a box of other pages."""
        document = self.document
        tag, attrs, parent = document.tag, document.attrs, document.parent
        for _ in range(MAX_ANCESTORS):
            if i <= 0 or tag[i] in PAGE_TAGS:
                return False
            if tag[i] in ZONE_TAGS:
                return True
            names = attrs[i].get("class")
            if names and class_verdict(names) & ZONE:
                return True
            i = parent[i]
        return False

    def declared_dates(self) -> Iterator[str]:
        """Values of microdata, and of time elements by the heading."""
        attrs = self.document.attrs
        for name in ("datepublished", "datecreated"):
            for i in self.properties.get(name, ())[:3]:
                if not self.is_apart(i):
                    yield attrs[i].get("datetime") or attrs[i].get("content") or self.document.inner_text(i)
        times = [i for i in self.document.index.get("time", ()) if not self.is_apart(i)]
        times.sort(key=lambda i: ("pubdate" not in attrs[i], i < self.heading, abs(i - self.heading)))
        for i in times[:3]:
            if not class_verdict(attrs[i].get("class") or "") & MODIFIED:
                yield attrs[i].get("datetime") or ""

    def datelines(self) -> Iterator[str]:
        """Short lines that may hold the day: by the heading, then under names that speak of dates."""
        document = self.document
        yield from (document.text[i] for i in self.near() if any(c.isdigit() for c in document.text[i]))
        for i, verdict in self.marked:
            if verdict & DATE and document.text_bytes(i) <= LINE_BYTES:
                yield document.inner_text(i)

    def near(self) -> Iterator[int]:
        """Short text nodes by the heading: after it first, then before it."""
        heading = self.heading
        if heading < 0:
            return
        document = self.document
        end = document.end[heading]
        after = range(end, min(end + NEAR_AFTER, len(document)))
        before = range(heading - 1, max(heading - NEAR_BEFORE, 0), -1)
        for i in (*after, *before):
            if document.tag[i] == TEXT and len(document.text[i]) <= LINE_BYTES and not self.is_apart(i):
                yield i
