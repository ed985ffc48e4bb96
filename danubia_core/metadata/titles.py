"""The page's own title, without the site's name, by agreement among what declares it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from danubia_core.document import Document
from danubia_core.metadata.head import MAX_TITLE_BYTES, Head, clean, fold
from danubia_core.metadata.json_ld import first_text

MAX_PARTS: Final = 8
MAX_H1S: Final = 10
MAX_HEADINGS: Final = 40
SAME: Final = 0.5  # share of the shorter text's letter pairs that two wordings of one title have in common
MAX_HEADLINES: Final = 2  # h1 elements, where one is the page's headline; with more of them, each names a section
HEADLINE_BYTES: Final = 16  # letters and digits of a headline; shorter headings are labels
_ARTICLE_ADDRESS = re.compile(
    r"/(?:[a-z0-9]+-)?(?:blogs?|news|articles?|posts?|stor(?:y|ies)|magazine|guides?|learn)[/-]"
)
LEANS_TOWARDS: Final = 0.05  # share of the address's pairs of letters that the heading has more than the title
LEANS_AWAY: Final = -0.3
SLUG_LETTERS: Final = 8
_ENDING = re.compile(r"\.[a-z]{3,5}$")
SHORTEST_PAIRS: Final = 8  # one word in common does not make two texts alike
_SEPARATOR: Final = re.compile(r"\s+[|–—·•»«›‹:/~-]+\s+|\s*[|｜»_]\s*|(?<=\w): (?=\w)")
_SEPARATORS: Final = frozenset("|–—·•»«›‹:/~-｜_")
_PERMALINK: Final = " ¶#§🔗"


class Titles:
    """Candidates for a page's title, compared once for the title itself and for the place of its heading.

    Attributes:
        element: the title element without the site's name.
        declared: og:title, its like and JSON-LD's headline, without the site's name.
        has_site: whether the title element had the site's name, so that what is left is the page's own.
        is_slogan: whether the site's name stood first: what follows may be said of the site, not of the page.
        heading: index of the heading that names the page, -1 if there is none.
        heading_text: its text.
        is_sure: whether it is alike to what is declared, or the only one.
    """

    def __init__(self, document: Document, head: Head) -> None:
        self.document = document
        self.sites = _site_names(head)
        self.host = head.host
        self.is_front = head.path in ("", "/")
        self.is_article_address = bool(_ARTICLE_ADDRESS.search(head.path))
        self.path = head.path
        self.count_h1s = len(document.index.get("h1", ()))
        raw = next((document.inner_text(i) for i in document.index.get("title", ())[:1]), "")
        self.element = self._strip(clean(raw))
        self.has_site = fold(self.element) != fold(clean(raw))
        self.is_slogan = self.has_site and fold(clean(raw)).endswith(fold(self.element))
        names = [head.first("og:title"), head.first("twitter:title", "dc.title", "citation_title", "title")]
        names += [first_text(o.get("headline")) for o in head.articles if o.get("headline")][:1]
        self.declared = [self._strip(n) for n in names if n]
        self.heading, self.heading_text, self.is_sure = self._find_heading()

    def choose(self, *, is_written: bool) -> str | None:
        """The title in the words of the page.

        Args:
            is_written: whether the page has an author and a date. Then its heading is the headline, and the title
                element may be a wording for search engines; on other pages the heading is more
                often a slogan or a short label.
        """
        bare = [t for t in (self.element, *self.declared) if t]
        heading, key = self.heading_text, fold(self.heading_text)
        first = bare[0] if bare else ""
        if not heading or not first or any(fold(t) == key for t in bare):
            return heading or first or None
        if self.is_front:  # its heading is a slogan, unless the title starts with it
            return heading if " " in heading and fold(_parts(first)[0][1]) == key else first
        if self._is_headline(first, is_written=is_written):
            return heading
        if self.is_slogan and not self.declared:
            return heading
        is_agreed = any(fold(first) == fold(other) for other in bare[1:])
        if fold(first) not in self.sites and (len(_parts(first)) == 1 or (is_agreed and self.has_site)):
            return first
        return heading if fold(first) in self.sites or any(key in _runs(t) for t in bare) else first

    def _is_headline(self, first: str, *, is_written: bool) -> bool:
        """Whether the heading is the page's headline, rather than a slogan or the label of a section."""
        key = fold(self.heading_text)
        if not self.is_sure or self.count_h1s > MAX_HEADLINES or len(key.encode()) < HEADLINE_BYTES:
            return False
        slug = _slug(self.path)
        lean = _coverage(slug, self.heading_text) - _coverage(slug, first)
        if lean < LEANS_AWAY or lean > LEANS_TOWARDS:  # addresses are made from the headline
            return lean > 0
        if is_written:
            return True
        if not self.declared:  # a title element alone is more often one for the whole site, or for search engines
            return key not in fold(first)
        is_alike = _likeness(self.heading_text, (self.element, *self.declared)) >= SAME
        return is_alike and self.is_article_address

    def _find_heading(self) -> tuple[int, str, bool]:
        """(index, text, whether it can stand for the title) of the page's heading."""
        document = self.document
        named = [i for i in document.index.get("h1", ())[:MAX_H1S] if 0 < document.text_bytes(i) <= MAX_TITLE_BYTES]
        h1s = [(i, t) for i in named if (t := _heading_text(document, i)) and fold(t) not in self.sites]
        h1s = [(i, t) for i, t in h1s if self.is_front or not self._leads_home(i)]
        bare = [t for t in (*self.declared[::-1], self.element) if t]
        wholes, firsts = {fold(t) for t in bare}, {fold(_parts(t)[0][1]) for t in bare}
        runs = {run for t in bare for run in _runs(t)}
        for i, text in h1s:
            if fold(text) in wholes:
                return i, text, True
        if any(fold(t) in firsts for _, t in h1s):
            return _longest_run(h1s, runs)
        ranked = [(_likeness(t, bare), -i, t) for i, t in h1s if fold(t) not in runs]
        share, i, text = max(ranked, default=(0.0, 0, ""))
        if share >= SAME:
            return -i, text, True
        lower, lower_text = self._match_lower_heading((wholes | firsts) - self.sites - {""})
        if lower >= 0:
            return lower, lower_text, True
        if any(fold(t) in runs for _, t in h1s):
            return _longest_run(h1s, runs)
        return (-i, text, len(h1s) == 1) if h1s else (-1, "", False)

    def _leads_home(self, i: int) -> bool:
        """Whether the heading is a link to the front page: then it is the site's name, not the page's title."""
        document = self.document
        k = bisect_left(document.links, i)
        if k == len(document.links) or document.links[k] >= document.end[i]:
            return False
        address = document.attrs[document.links[k]]["href"].strip()
        return address == "/" or (bool(self.host) and address.endswith((self.host, f"{self.host}/")))

    def _match_lower_heading(self, firsts: set[str]) -> tuple[int, str]:
        """An h2 or the like with the words of the title's first part: on sites whose h1 is the name of the whole."""
        document = self.document
        for i in document.headings[:MAX_HEADINGS]:
            if document.tag[i] in ("h2", "h3") and 0 < document.text_bytes(i) <= MAX_TITLE_BYTES:
                text = _heading_text(document, i)
                if fold(text) in firsts:
                    return i, text
        return -1, ""

    def _strip(self, title: str) -> str:
        """The title without the first or last part that is the site's name; a front page keeps it."""
        whole, parts = title, list(_parts(title))
        while len(parts) > 1 and self._is_site(parts[-1][1], whole=False):
            title = title[: parts[-2][2]].strip()
            parts.pop()
        if len(parts) > 1 and not self.is_front and self._is_site(parts[0][1], whole=True):
            title = title[parts[1][0] :].strip()
        return whole if self.is_front and " " not in title else title  # "Home", and the like

    def _is_site(self, part: str, *, whole: bool) -> bool:
        key = fold(part)
        if whole or len(key) < 4:
            return key in self.sites
        return any(key == s or (len(s) > 3 and (key.startswith(s) or s.startswith(key))) for s in self.sites)


def _site_names(head: Head) -> set[str]:
    """Folded names of the site: declared, and the host's labels."""
    names = {fold(head.site_name)} if head.site_name else set()
    if head.host:
        labels = head.host.split(".")
        names.update((fold(head.host), fold(labels[-2]) if len(labels) > 1 else fold(head.host)))
    names.discard("")
    return names


def _heading_text(document: Document, i: int) -> str:
    """The heading's text without its buttons ("Copy link", "Edit") and permalink signs."""
    text = document.inner_text(i)
    if "button" in document.tag[i : document.end[i]]:
        for k in range(i, document.end[i]):
            if document.tag[k] == "button":
                text = text.replace(document.inner_text(k), "", 1)
    return clean(text).rstrip(_PERMALINK)


def _longest_run(h1s: list[tuple[int, str]], runs: set[str]) -> tuple[int, str, bool]:
    """The h1 that is the longest part of the title: shorter ones name sections."""
    _, i, text = max((len(t), -i, t) for i, t in h1s if fold(t) in runs)
    return -i, text, True


@lru_cache(maxsize=64)
def _parts(title: str) -> tuple[tuple[int, str, int], ...]:
    """(start, text, end) of the title's parts."""
    if _SEPARATORS.isdisjoint(title):
        return ((0, title, len(title)),)
    parts, at = [], 0
    for match in _SEPARATOR.finditer(title):
        if match.start():
            parts.append((at, title[at : match.start()], match.start()))
        at = match.end()
    parts.append((at, title[at:], len(title)))
    return tuple(parts)


@lru_cache(maxsize=64)
def _runs(title: str) -> set[str]:
    """Folded texts of all runs of neighbouring parts."""
    parts = _parts(title)[:MAX_PARTS]
    return {fold(title[a[0] : b[2]]) for k, a in enumerate(parts) for b in parts[k:]}


def _slug(path: str) -> str:
    """The words of an address, '' where it is too short to tell: its last part, without an ending such as .html."""
    last = unquote(path.rstrip("/").rsplit("/", 1)[-1])
    name = last.rsplit(".", 1)[0] if _ENDING.search(last) else last
    return name if len(fold(name)) >= SLUG_LETTERS else ""


def _coverage(slug: str, text: str) -> float:
    """How much of the address's pairs of letters the text has."""
    key, other = fold(slug), fold(text)
    pairs = {key[k : k + 2] for k in range(len(key) - 1)}
    return sum(pair in other for pair in pairs) / max(1, len(pairs))


def _likeness(text: str, others: Sequence[str]) -> float:
    """The greatest share that the text has in common with any of the others."""
    return max((_share(text, other) for other in others if other), default=0.0)


def _share(one: str, other: str) -> float:
    """How much of the shorter text's pairs of letters the other has: works in scripts without spaces too."""
    a, b = fold(one), fold(other)
    pairs, others = {a[k : k + 2] for k in range(len(a) - 1)}, {b[k : k + 2] for k in range(len(b) - 1)}
    return len(pairs & others) / max(1, SHORTEST_PAIRS, min(len(pairs), len(others)))
