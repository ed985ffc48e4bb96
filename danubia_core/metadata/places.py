"""Where bylines and datelines stand in a page: near its heading, or under names that say so.

Nothing here walks the page element by element. What is near the heading is a slice; classes, rels and properties are
indexes of the parse; what may stand anywhere is found by one search through the page's text, joined once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from danubia_core.document import TEXT
from danubia_core.metadata.class_words import CHANGED, class_verdict, find_marks
from danubia_core.metadata.vocabulary import CHANGED_LINE
from danubia_core.metadata.zones import Zones

ASKED_RELS: Final = frozenset(("author", "tag", "license"))
USUAL_RELS: Final = frozenset(
    ("nofollow", "noopener", "noreferrer", "noopener noreferrer", "bookmark", "nofollow noopener")
)
BEFORE: Final = 80  # nodes before the heading that count as near
AFTER: Final = 160  # nodes after it
LINE_CHARS: Final = 120
CAPTION_BEFORE: Final = 12
CAPTION_AFTER: Final = 40
LABEL_CHARS: Final = 40
MAX_RAW_CHARS: Final = 400  # of a short text with the white space around it
MAX_FOUND: Final = 2000
BREAK: Final = "\0"  # between runs of text; no document holds it
YEAR: Final = re.compile(
    r"[0-9年٠-٩۰-۹०-९০-৯๐-๙](?:\d{3}|[./-]\d\d?[./-]\d\d|(?<=年))"
)  # one class first: that is searched for fast


class Places(Zones):
    """Look-ups over one document; nothing is computed before it is asked for."""

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
    def _marks(self) -> list[tuple[int, int]]:
        return find_marks(self.document.by_class)

    def marks(self, flag: int, *, near: bool) -> Iterator[tuple[int, int]]:
        """(index, verdict) of elements whose class has the flag, those after the heading first; none that is apart."""
        found = self._marks
        if near:
            start, stop = self.near
            found = found[bisect_left(found, (start, 0)) : bisect_left(found, (stop, 0))]
        k = bisect_left(found, (self.heading, 0))
        for i, verdict in (*found[k:], *found[:k]):
            if verdict & flag and not self.is_apart(i):
                yield i, verdict

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
        for i, rel in [(i, rel) for i in self.document.rels if (rel := attrs[i]["rel"]) not in USUAL_RELS]:
            for word in rel.lower().split():
                if word in ASKED_RELS:
                    found.setdefault(word, []).append(i)
        return found

    def declared_days(self) -> Iterator[str]:
        """Values of microdata in the page's order, then of the time elements nearest to the heading."""
        document = self.document
        body = next(iter(document.index.get("body", ())), 0)
        found = sorted(i for name in ("datepublished", "datecreated") for i in self.properties.get(name, ())[:3])
        for i in found:
            if i > body and not self.is_apart(i) and not self.is_in_comment(i):
                yield self.value(i)
        yield from self.times()

    def times(self) -> Iterator[str]:
        """Values of time elements: marked ones, those after the heading, then those before it; updates left out."""
        document = self.document
        found = [i for i in document.index.get("time", ()) if not self.is_apart(i)]
        found.sort(key=lambda i: ("pubdate" not in document.attrs[i], i < self.heading, abs(i - self.heading)))
        for i in found[:4]:
            if not self.is_change(i):
                text = document.inner_text(i)
                if len(text) <= LABEL_CHARS and YEAR.search(text):
                    yield text  # as the publisher's own clock has it
                yield self.value(i)

    def last_times(self) -> Iterator[str]:
        """Machine-readable values of time elements that `times` leaves out: changes, and an article's own asides."""
        document = self.document
        for i in document.index.get("time", ())[:MAX_FOUND]:
            if not self.is_apart(i) or self.is_own_aside(i):
                yield document.attrs[i].get("datetime") or ""

    def is_change(self, i: int) -> bool:
        """Whether the element, or the text just before it, speaks of a change."""
        document = self.document
        a = document.attrs[i]
        if class_verdict(a.get("class") or "") & CHANGED or "modified" in (a.get("itemprop") or "").lower():
            return True
        text = document.inner_text(i)
        before = document.text[i - 1] if document.tag[i - 1] == TEXT and i - 1 != self.heading else ""
        return bool(CHANGED_LINE.search(text) or (len(before) < LABEL_CHARS and CHANGED_LINE.search(before)))

    def value(self, i: int) -> str:
        """What an element declares: its datetime, its content or its text."""
        a = self.document.attrs[i]
        return a.get("datetime") or a.get("content") or a.get("title") or self.document.inner_text(i)

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """(index, text) of short runs of text near the heading, those after it first; they may stand apart."""
        document = self.document
        start, stop = self.near
        middle = document.end[self.heading] if self.heading >= 0 else start
        texts = document.text
        return [
            (i, text)
            for i in (*range(middle, stop), *range(middle - 1, start - 1, -1))
            if 0 < len(texts[i]) <= MAX_RAW_CHARS and 0 < len(text := texts[i].strip()) <= LINE_CHARS
        ]

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
            raw = document.text[i]
            if not 6 <= len(raw) <= MAX_RAW_CHARS or not YEAR.search(raw):
                continue
            text = raw.strip()
            if len(text) > LABEL_CHARS or self.is_apart(i) or self.is_in_profile(i):
                continue
            if not CHANGED_LINE.search(text) and not CHANGED_LINE.search(self.label_before(i)):
                yield text

    def label_before(self, i: int) -> str:
        """The short text just before a text node: "Updated:" and the like."""
        document = self.document
        for k in range(i - 1, max(i - 5, 0), -1):
            if document.tag[k] == TEXT and document.text[k].strip():
                return document.text[k] if len(document.text[k]) < LABEL_CHARS else ""
        return ""

    @cached_property
    def _joined(self) -> str:
        return BREAK.join(self.document.text)  # starts with a break: the document's own node has no text

    def find_near(self, pattern: re.Pattern[str], stems: Sequence[str]) -> Iterator[str]:
        """Texts near the heading where the pattern is found; `stems`: one of them is in whatever it finds."""
        start, stop = self.near
        texts = self.document.text[start:stop]
        joined = BREAK.join(texts)
        if any(stem in joined for stem in stems):
            for text in texts:
                if match := pattern.search(text):
                    yield text[match.end() :]

    def find_texts(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
        """(index, text) of the runs of text where the pattern is found; it may start with `BREAK` for a run's start."""
        joined, at, i, last = self._joined, 0, 0, -1
        for match in islice(pattern.finditer(joined), MAX_FOUND):
            end = match.end()
            i += joined.count(BREAK, at, end)
            at = end
            if i != last:
                last = i
                yield i, self.document.text[i].strip()

    def lone_dates(self) -> list[str]:
        """Texts of all nodes that are short enough to be nothing but a date, those after the heading first."""
        short = [(i, text) for i, text in self.find_texts(YEAR) if 6 <= len(text) <= LABEL_CHARS]
        found = [(i, text) for i, text in short if not self.is_apart(i)]
        k = bisect_left(found, (self.heading, ""))
        return [text for _, text in found[k:] + found[:k]]
