"""Where bylines and datelines stand in a page: near its heading, or under names that say so.

The loop over the attributes of the page runs only where the head does not say who and when. A verdict on a class string
is cached: pages repeat few strings many times, and sites share them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from danubia_core.document import TEXT, Document

AUTHOR, USER, DATE, MODIFIED, ZONE, OWN = 1, 2, 4, 8, 16, 32
AUTHOR_WORDS: Final = frozenset(
    "author authors authorname byline bylines autor autoren auteur autore redakteur writer verfasser contributor contributors".split()
)
USER_WORDS: Final = frozenset("username bigusername nickname poster usernick".split())
NOT_AUTHOR_WORDS: Final = frozenset(
    "bio biography avatar image images img photo picture pic thumb thumbnail description social follow related comment comments count "
    "signature job role twitter email stats level rank badge icon search login menu caption credit desc".split()
)
DATE_WORDS: Final = frozenset(
    "date dateline datetime time timestamp published publish pubdate posted postdate datum fecha data meta metadata byline".split()
)
NOT_DATE_WORDS: Final = frozenset("comment comments reading read picker event countdown related expiry copyright".split())
MODIFIED_WORDS: Final = frozenset("updated modified update lastmod edited datemodified".split())
ZONE_WORDS: Final = frozenset(
    "comment comments commentlist reply replies related recommended recommendations sidebar footer trending popular latest "
    "recirculation teaser teasers promo newsletter cookie nav navigation menu carousel disqus".split()
)
ZONE_TOKENS: Final = frozenset("widget card cards".split())  # whole tokens only: page builders call every part a widget
ZONE_TAGS: Final = frozenset(("aside", "footer", "nav", "form"))
OWN_WORDS: Final = frozenset("article entry post story".split())
EDGE_WORDS: Final = frozenset(("footer", "sidebar"))  # of a post or an article, they hold its own date and author
COMMENT_PROPERTIES: Final = frozenset(("comment", "suggestedAnswer", "acceptedAnswer", "review"))
MAX_VERDICTS: Final = 65536
MAX_ANCESTORS: Final = 40
BEFORE: Final = 80  # nodes before the heading that count as near
AFTER: Final = 160  # nodes after it
LINE_CHARS: Final = 120
LABEL_CHARS: Final = 40
_YEAR = re.compile(r"\d{4}|\d[./-]\d\d?[./-]\d\d")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_verdicts: dict[str, int] = {}


def class_verdict(names: str) -> int:
    """What a class attribute says of its element, as flags."""
    verdict = _verdicts.get(names)
    if verdict is None:
        if len(_verdicts) >= MAX_VERDICTS:
            _verdicts.clear()
        verdict = _verdicts[names] = _judge(names)
    return verdict


def _judge(names: str) -> int:
    verdict = 0
    for token in names.split():
        words = {w.lower() for w in _WORDS.findall(token)}
        if words.isdisjoint(NOT_AUTHOR_WORDS):
            verdict |= AUTHOR * (not words.isdisjoint(AUTHOR_WORDS)) | USER * (not words.isdisjoint(USER_WORDS))
        if not words.isdisjoint(DATE_WORDS) and words.isdisjoint(NOT_DATE_WORDS):
            verdict |= DATE
        is_own = not words.isdisjoint(OWN_WORDS)
        zones = words & ZONE_WORDS
        is_zone = token in ZONE_TOKENS or bool(zones) and not (is_own and zones <= EDGE_WORDS)
        verdict |= MODIFIED * (not words.isdisjoint(MODIFIED_WORDS)) | ZONE * is_zone | OWN * is_own
    return verdict


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
        attrs, get = self.document.attrs, _verdicts.get
        found = []
        for i in range(start, stop):
            a = attrs[i]
            if a and "class" in a:
                names = a["class"]
                verdict = get(names)
                if verdict is None:
                    verdict = class_verdict(names)
                if verdict & (AUTHOR | USER | DATE) and not self.is_apart(i):
                    found.append((i, verdict))
        k = bisect_left(found, (self.heading, 0))
        return found[k:] + found[:k]

    @cached_property
    def properties(self) -> dict[str, list[int]]:
        """Indexes of elements by itemprop, those of the head included."""
        found: dict[str, list[int]] = {}
        for i, a in enumerate(self.document.attrs):
            if a and "itemprop" in a:
                for name in a["itemprop"].split():
                    found.setdefault(name.lower(), []).append(i)
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
        while i > 0:
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
        while i > 0:
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
            if not self.is_modified(i):
                text = self.document.inner_text(i)
                if len(text) <= LABEL_CHARS and _YEAR.search(text):
                    yield text  # as the publisher's own clock has it
                yield self.value(i)

    def is_modified(self, i: int) -> bool:
        """Whether the element, or the text just before it, speaks of a change."""
        document = self.document
        a = document.attrs[i]
        if class_verdict(a.get("class") or "") & MODIFIED or "modified" in (a.get("itemprop") or "").lower():
            return True
        text = document.inner_text(i)
        before = document.text[i - 1] if document.tag[i - 1] == TEXT and i - 1 != self.heading else ""
        return bool(MODIFIED_LINE.search(text) or (len(before) < 40 and MODIFIED_LINE.search(before)))

    def value(self, i: int) -> str:
        """What an element declares: its datetime, its content or its text."""
        a = self.document.attrs[i]
        return a.get("datetime") or a.get("content") or a.get("title") or self.document.inner_text(i)

    def lines(self) -> Iterator[int]:
        """Indexes of short text nodes near the heading: those after it first."""
        document = self.document
        start, stop = self.near
        middle = document.end[self.heading] if self.heading >= 0 else start
        for i in (*range(middle, stop), *range(middle - 1, start - 1, -1)):
            if document.tag[i] == TEXT and len(document.text[i]) <= LINE_CHARS and not self.is_apart(i):
                yield i

    def captions(self) -> Iterator[str]:
        """Texts right by the heading that are short enough to be nothing but a date, and do not speak of a change."""
        document = self.document
        if self.heading < 0:
            return
        start, stop = max(self.heading - 12, 1), min(document.end[self.heading] + 40, len(document))
        for i in range(start, stop):
            text = document.text[i]
            if text and 6 <= len(text) <= LABEL_CHARS and _YEAR.search(text) and not self.heading <= i < document.end[self.heading]:
                if not self.is_apart(i) and not MODIFIED_LINE.search(text) and not MODIFIED_LINE.search(self.label_before(i)):
                    yield text

    def label_before(self, i: int) -> str:
        """The short text just before a text node: "Updated:" and the like."""
        document = self.document
        for k in range(i - 1, max(i - 5, 0), -1):
            if document.tag[k] == TEXT and document.text[k].strip():
                return document.text[k] if len(document.text[k]) < LABEL_CHARS else ""
        return ""

    def lone_dates(self) -> list[str]:
        """Texts of all nodes that are short enough to be nothing but a date, those after the heading first."""
        document = self.document
        found = [
            i
            for i, text in enumerate(document.text)
            if text and 6 <= len(text) <= LABEL_CHARS and _YEAR.search(text) and not self.is_apart(i)
        ]
        k = bisect_left(found, self.heading)
        return [document.text[i] for i in found[k:] + found[:k]]


MODIFIED_LINE: Final = re.compile(
    r"\b(?:last post|latest|received|submitted|accepted|joined|registered|expires?|updated?|modified|revised|reviewed|edited|aktualisiert|geändert|mis à jour|mise à jour|modifié|actualizado|actualización|"
    r"modificado|aggiornat[oa]|atualizad[oa]|bijgewerkt|gewijzigd|opdateret|uppdaterad|oppdatert|päivitetty|zaktualizowano|aktualizacja|"
    r"aktualizováno|frissítve|actualizat|güncelleme|güncellendi|обновлено|изменено|оновлено|cập nhật|diperbarui)\b|"
    r"更新|修改|修订|수정|업데이트|تحديث|به‌روز|עודכן|अपडेट|แก้ไข|อัปเดต|ενημέρωση",
    re.I,
)
