"""What the page declares in its head: meta, link and JSON-LD, looked up once for all fields."""

from __future__ import annotations

import html
import re
from functools import cached_property, lru_cache
from typing import Final
from urllib.parse import urljoin

from danubia_core.controls import clean_controls
from danubia_core.decode import replace_surrogates
from danubia_core.document import Document
from danubia_core.metadata.json_ld import Object, first_text, rank, read_json_ld, types_of

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]*)(?::\d*)?([^?#]*)", re.I)  # host and path
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
_INVISIBLE: Final = dict.fromkeys(
    (0xAD, 0x200B, 0x2060, 0xFEFF)
)  # where a word may break; joiners that shape letters stay
MAX_TITLE_BYTES: Final = 600  # a longer heading is an element that nobody closed
MAX_REL_CHARS: Final = 40
NAME_ATTRIBUTES: Final = ("property", "name", "http-equiv")
SITE_NAMES: Final = (
    "og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "citation_journal_title",
)  # fmt: skip
PUBLISHER_TYPES: Final = frozenset(("WebSite", "NewsMediaOrganization", "Organization", "Corporation"))


@lru_cache(maxsize=512)
def fold(text: str) -> str:
    """Letters and digits only, lower case: for comparing names."""
    return _NOT_ALPHANUMERIC.sub("", text.casefold())


class Head:
    """Declarations of one page.

    Attributes:
        meta: contents by lower-case name, in order of appearance.
        url: address of the page, '' if unknown.
        base: address that relative ones are resolved against.
        links: addresses of the link elements by lower-case rel, the first of each.
    """

    def __init__(self, document: Document, url: str | None) -> None:
        self.document = document
        self.url = url or ""
        self.meta: dict[str, list[str]] = {}
        attrs = document.attrs
        body = next(iter(document.index.get("body", ())), len(document))
        for i in document.index.get("meta", ()):
            a = attrs[i]
            content = a.get("content", "").strip()
            if content:
                for attribute in NAME_ATTRIBUTES:
                    if attribute in a:
                        self.meta.setdefault(a[attribute].lower(), []).append(content)
                if i < body and "itemprop" in a:  # in the body, it belongs to an item: a comment, an answer, an offer
                    self.meta.setdefault(a["itemprop"].lower(), []).append(content)
        self.base = self.url
        self.links: dict[str, str] = {}
        for i in document.index.get("link", ()):
            rel, href = attrs[i].get("rel"), attrs[i].get("href")
            if rel and href and len(rel) < MAX_REL_CHARS:
                self.links.setdefault(rel.lower(), href)
        for i in document.index.get("base", ())[:1]:
            self.base = self._join(attrs[i].get("href") or "") or self.url

    @cached_property
    def objects(self) -> list[Object]:
        """JSON-LD objects of the page."""
        return read_json_ld(self.document.json_ld)

    @cached_property
    def mains(self) -> list[Object]:
        """JSON-LD objects that describe the page or its content, the surest first."""
        return self._ranked[0]

    @cached_property
    def articles(self) -> list[Object]:
        """Those of `mains` that are the content itself, not the page or site around it."""
        return self._ranked[1]

    @cached_property
    def _ranked(self) -> tuple[list[Object], list[Object]]:
        ranked = [(r, o) for o in self.objects if (r := rank(o)) > 1]
        ranked.sort(key=lambda pair: -pair[0])
        mains = [o for _, o in ranked]
        sure = {id(o) for r, o in ranked if r > 2}
        if len(sure) > 1:
            mains = self._without_teasers(mains)
        return mains, [o for o in mains if id(o) in sure]

    def _without_teasers(self, objects: list[Object]) -> list[Object]:
        """Without the further articles of a listing: several of one type, each with a headline of its own."""
        first = types_of(objects[0])
        same = [o for o in objects if o.get("headline") and types_of(o) == first]
        if len({str(o["headline"]) for o in same}) < 2:
            return objects
        titles = [fold(t) for t in self._titles]
        own = next((o for o in same if _agrees(fold(first_text(o["headline"]) or ""), titles)), None)
        teasers = {id(o) for o in same if o is not own}
        rest = [o for o in objects if id(o) not in teasers and o is not own]
        return rest if own is None else [own, *rest]

    @cached_property
    def _titles(self) -> list[str]:
        document = self.document
        found = [document.inner_text(i) for i in document.index.get("title", ())[:1]]
        found += self.meta.get("og:title", [])[:1]
        found += [
            document.inner_text(i)
            for i in document.index.get("h1", ())[:5]
            if document.text_bytes(i) <= MAX_TITLE_BYTES
        ]
        return [t for t in found if t]

    @cached_property
    def by_id(self) -> dict[str, Object]:
        """JSON-LD objects by @id, the one that says most about it."""
        found: dict[str, Object] = {}
        for item in self.objects:
            key = item.get("@id")
            if isinstance(key, str) and len(item) > len(found.get(key, ())):
                found[key] = item
        return found

    @cached_property
    def _address(self) -> tuple[str, str]:
        match = _ADDRESS.match(self.url)
        return (match[1].lower().removeprefix("www."), match[2]) if match else ("", "")

    @cached_property
    def host(self) -> str:
        """Host of the page, without www."""
        return self._address[0]

    @cached_property
    def path(self) -> str:
        """Path of the page's address."""
        return self._address[1]

    @cached_property
    def organisations(self) -> set[str]:
        """Folded names of the site and of the organisations that JSON-LD declares."""
        found = {fold(self.site_name)} if self.site_name else set()
        for item in self.objects:
            if not PUBLISHER_TYPES.isdisjoint(types_of(item)):
                found.add(fold(first_text(item.get("name")) or ""))
        found.discard("")
        return found

    @cached_property
    def site_name(self) -> str | None:
        """Name of the site or publisher, as declared."""
        for name in SITE_NAMES:
            for content in self.meta.get(name, ())[:1]:
                if "://" not in content:
                    return clean(content)
        for kind in ("WebSite", "NewsMediaOrganization", "Organization"):
            for item in self.objects:
                if kind in types_of(item):
                    text = first_text(item.get("name"))
                    if text and "://" not in text:
                        return text
        return None

    def first(self, *names: str) -> str | None:
        """The first content among the names, in the names' order."""
        for name in names:
            for content in self.meta.get(name, ()):
                text = clean(content)
                if text:
                    return text
        return None

    def absolute(self, address: str) -> str | None:
        """The address made absolute, None unless it is http(s)."""
        address = address.strip()
        if address.startswith(("https://", "http://")):
            return address
        joined = self._join(address) if address else None
        return joined if joined and joined.startswith(("http://", "https://")) else None

    def _join(self, address: str) -> str | None:
        try:
            return urljoin(self.base, address) or None
        except ValueError:
            return None


def _agrees(headline: str, titles: list[str]) -> bool:
    return bool(headline) and any(headline in t or (len(t) > 20 and t in headline) for t in titles)


def clean(text: str) -> str:
    """White space collapsed, character references that were escaped twice decoded, no controls or lone surrogates."""
    if "&" in text:
        text = html.unescape(text)
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(clean_controls(replace_surrogates(text)).translate(_INVISIBLE).split())
    return text
