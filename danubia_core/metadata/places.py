"""Where bylines and datelines stand in a page: near its heading, or under names that say so.

The loop over the attributes of the page runs only where the head does not say who and when. A verdict on a class string
is cached: pages repeat few strings many times, and sites share them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from danubia_core.document import TEXT, Document
from danubia_core.metadata.vocabulary import (
    AUTHOR_WORDS,
    CHANGED_LINE,
    CHANGED_WORDS,
    DATE_WORDS,
    NOT_AUTHOR_WORDS,
    NOT_DATE_WORDS,
    USER_WORDS,
    ZONE_WORDS,
)

AUTHOR, USER, DATE, CHANGED, ZONE, OWN = 1, 2, 4, 8, 16, 32
MARKS: Final = AUTHOR | USER | DATE
ZONE_TOKENS: Final = frozenset("widget card cards".split())  # whole tokens only: page builders call every part a widget
ZONE_TAGS: Final = frozenset(("aside", "footer", "nav", "form"))
OWN_WORDS: Final = frozenset("article entry post story".split())
EDGE_WORDS: Final = frozenset(("footer", "sidebar"))  # of a post or an article, they hold its own date and author
COMMENT_PROPERTIES: Final = frozenset(("comment", "suggestedAnswer", "acceptedAnswer", "review"))
ASKED_RELS: Final = frozenset(("author", "tag", "license"))
USUAL_RELS: Final = frozenset(
    ("nofollow", "noopener", "noreferrer", "noopener noreferrer", "bookmark", "nofollow noopener")
)
MAX_VERDICTS: Final = 65536
MAX_ANCESTORS: Final = 40
BEFORE: Final = 80  # nodes before the heading that count as near
AFTER: Final = 160  # nodes after it
LINE_CHARS: Final = 120
CAPTION_BEFORE: Final = 12
CAPTION_AFTER: Final = 40
LABEL_CHARS: Final = 40
SHORT_CHARS: Final = 100
_YEAR = re.compile(r"\d{4}|\d[./-]\d\d?[./-]\d\d")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TELLING_WORDS: Final = AUTHOR_WORDS | USER_WORDS | DATE_WORDS | CHANGED_WORDS | ZONE_WORDS | OWN_WORDS | ZONE_TOKENS
_verdicts: dict[str, int] = {}
_dull: set[str] = set()  # class strings that mark neither author nor date: nearly all


def class_verdict(names: str) -> int:
    """What a class attribute says of its element, as flags."""
    verdict = _verdicts.get(names)
    if verdict is None:
        if len(_verdicts) >= MAX_VERDICTS:
            _verdicts.clear()
            _dull.clear()
        verdict = _verdicts[names] = _judge(names)
        if not verdict & MARKS:
            _dull.add(names)
    return verdict


def _judge(names: str) -> int:
    verdict = 0
    for token in names.split():
        verdict |= _judge_token(token)
    return verdict


@lru_cache(maxsize=MAX_VERDICTS)
def _judge_token(token: str) -> int:
    words = {w.lower() for w in _WORDS.findall(token)}
    if words.isdisjoint(_TELLING_WORDS):
        return 0
    verdict = 0
    if words.isdisjoint(NOT_AUTHOR_WORDS):
        verdict = AUTHOR * (not words.isdisjoint(AUTHOR_WORDS)) | USER * (not words.isdisjoint(USER_WORDS))
    if not words.isdisjoint(DATE_WORDS) and words.isdisjoint(NOT_DATE_WORDS):
        verdict |= DATE
    is_own = not words.isdisjoint(OWN_WORDS)
    zones = words & ZONE_WORDS
    is_zone = token in ZONE_TOKENS or (bool(zones) and not (is_own and zones <= EDGE_WORDS))
    return verdict | CHANGED * (not words.isdisjoint(CHANGED_WORDS)) | ZONE * is_zone | OWN * is_own


class Places:
    """Look-ups over one document; nothing is computed before it is asked for.

    Attributes:
        heading: index of the heading that names the page, -1 if there is none.
    """

    def __init__(self, document: Document, heading: int) -> None:
        self.document = document
        self.heading = heading
        self._apart: dict[int, bool] = {}

    @cached_property
    def near(self) -> tuple[int, int]:
        """First and last + 1 of the nodes around the heading, or of the start of the content where there is none."""
        document = self.document
        if self.heading >= 0:
            return max(self.heading - BEFORE, 1), min(document.end[self.heading] + AFTER, len(document))
        for tag in ("article", "main", "body"):
            for i in document.index.get(tag, ())[:1]:
                return i, min(i + BEFORE + AFTER, len(document))
        return 0, min(BEFORE + AFTER, len(document))

    @cached_property
    def marks_near(self) -> list[tuple[int, int]]:
        """Marked elements around the heading."""
        return self._marks(*self.near)

    @cached_property
    def marks(self) -> list[tuple[int, int]]:
        """Marked elements of the whole page."""
        return self._marks(0, len(self.document))

    def _marks(self, start: int, stop: int) -> list[tuple[int, int]]:
        """(index, verdict) of elements whose class speaks of an author or a date; those after the heading first."""
        classed: list[tuple[int, int]] = []
        for names, indexes in self.document.by_class.items():
            if names not in _dull and (verdict := class_verdict(names)) & MARKS:
                classed.extend((i, verdict) for i in indexes if start <= i < stop)
        found = [(i, verdict) for i, verdict in sorted(classed) if not self.is_apart(i)]
        k = bisect_left(found, (self.heading, 0))
        return found[k:] + found[:k]

    @cached_property
    def properties(self) -> dict[str, list[int]]:
        """Indexes of elements by itemprop, those of the head included."""
        attrs = self.document.attrs
        found: dict[str, list[int]] = {}
        for i in self.document.properties:
            for name in attrs[i]["itemprop"].split():
                found.setdefault(name.lower(), []).append(i)
        return found

    @cached_property
    def rels(self) -> dict[str, list[int]]:
        """Indexes of links by the words of their rel that metadata asks for: author, tag, license."""
        attrs = self.document.attrs
        found: dict[str, list[int]] = {}
        for i in self.document.rels:
            rel = attrs[i]["rel"]
            if rel not in USUAL_RELS:
                for word in rel.lower().split():
                    if word in ASKED_RELS:
                        found.setdefault(word, []).append(i)
        return found

    def is_apart(self, i: int) -> bool:
        """Whether the node stands in a comment, a side column, a footer or a box of other pages.

        A box that holds the heading is the page's own, whatever its name; so is a footer inside an article.
        """
        document, known = self.document, self._apart
        path: list[int] = []
        answer = False
        while i > 0 and len(path) < MAX_ANCESTORS:
            if i in known:
                answer = known[i]
                break
            path.append(i)
            if self._is_zone(i):
                answer = True
                break
            if i <= self.heading < document.end[i]:
                break
            i = document.parent[i]
        for k in path:
            known[k] = answer
        return answer

    def _is_zone(self, i: int) -> bool:
        document = self.document
        if i <= self.heading < document.end[i]:
            return False
        names = document.attrs[i].get("class")
        if names and class_verdict(names) & ZONE:
            return not class_verdict(names) & AUTHOR
        if document.tag[i] not in ZONE_TAGS or (names and class_verdict(names) & OWN):
            return False
        return not (document.tag[i] == "footer" and self._is_in_article(i))

    def _is_in_article(self, i: int) -> bool:
        document = self.document
        for _ in range(MAX_ANCESTORS):
            i = document.parent[i]
            if document.tag[i] in ("article", "main"):
                return True
        return False

    def declared_days(self) -> Iterator[str]:
        """Values of microdata in the page's order, then of the time elements nearest to the heading."""
        document = self.document
        body = next(iter(document.index.get("body", ())), 0)
        found = sorted(i for name in ("datepublished", "datecreated") for i in self.properties.get(name, ())[:3])
        for i in found:
            if i > body and not self.is_apart(i) and not self.is_in_comment(i):
                yield self.value(i)
        yield from self.times()

    def is_in_comment(self, i: int) -> bool:
        """Whether microdata says that the node is part of a comment, an answer or a review."""
        document = self.document
        for _ in range(MAX_ANCESTORS):
            i = document.parent[i]
            if document.attrs[i].get("itemprop") in COMMENT_PROPERTIES:
                return True
        return False

    def times(self) -> Iterator[str]:
        """Values of time elements: marked ones, those after the heading, then those before it; updates left out."""
        document = self.document
        found = [i for i in document.index.get("time", ()) if not self.is_apart(i)]
        found.sort(key=lambda i: ("pubdate" not in document.attrs[i], i < self.heading, abs(i - self.heading)))
        for i in found[:4]:
            if not self.is_change(i):
                text = self.document.inner_text(i)
                if len(text) <= LABEL_CHARS and _YEAR.search(text):
                    yield text  # as the publisher's own clock has it
                yield self.value(i)

    def is_change(self, i: int) -> bool:
        """Whether the element, or the text just before it, speaks of a change."""
        document = self.document
        a = document.attrs[i]
        if class_verdict(a.get("class") or "") & CHANGED or "modified" in (a.get("itemprop") or "").lower():
            return True
        text = document.inner_text(i)
        before = document.text[i - 1] if document.tag[i - 1] == TEXT and i - 1 != self.heading else ""
        return bool(CHANGED_LINE.search(text) or (len(before) < 40 and CHANGED_LINE.search(before)))

    def value(self, i: int) -> str:
        """What an element declares: its datetime, its content or its text."""
        a = self.document.attrs[i]
        return a.get("datetime") or a.get("content") or a.get("title") or self.document.inner_text(i)

    def lines(self) -> Iterator[int]:
        """Indexes of short text nodes near the heading, those after it first; they may stand apart."""
        document = self.document
        start, stop = self.near
        middle = document.end[self.heading] if self.heading >= 0 else start
        for i in (*range(middle, stop), *range(middle - 1, start - 1, -1)):
            if document.tag[i] == TEXT and len(document.text[i]) <= LINE_CHARS:
                yield i

    def captions(self) -> Iterator[str]:
        """Texts right by the heading that are short enough to be nothing but a date, and do not speak of a change."""
        document, heading = self.document, self.heading
        if heading < 0:
            return
        end = document.end[heading]
        for i in (
            *range(max(heading - CAPTION_BEFORE, 1), heading),
            *range(end, min(end + CAPTION_AFTER, len(document))),
        ):
            text = document.text[i]
            if 6 <= len(text) <= LABEL_CHARS and _YEAR.search(text) and not self.is_apart(i):
                if CHANGED_LINE.search(text) or CHANGED_LINE.search(self.label_before(i)):
                    continue
                yield text

    def label_before(self, i: int) -> str:
        """The short text just before a text node: "Updated:" and the like."""
        document = self.document
        for k in range(i - 1, max(i - 5, 0), -1):
            if document.tag[k] == TEXT and document.text[k].strip():
                return document.text[k] if len(document.text[k]) < LABEL_CHARS else ""
        return ""

    @cached_property
    def short_texts(self) -> list[tuple[int, str]]:
        """(index, text) of the runs of text in the whole page that may be a name or a date."""
        return [(i, text) for i, text in enumerate(self.document.text) if 2 < len(text) <= SHORT_CHARS]

    def lone_dates(self) -> list[str]:
        """Texts of all nodes that are short enough to be nothing but a date, those after the heading first."""
        document = self.document
        short = [i for i, text in self.short_texts if 6 <= len(text) <= LABEL_CHARS and _YEAR.search(text)]
        found = [i for i in short if not self.is_apart(i)]
        k = bisect_left(found, self.heading)
        return [document.text[i] for i in found[k:] + found[:k]]
