"""Fields that a page declares outright: description, sections, keywords, language, addresses, license."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import first_text, texts_of, types_of
from danubia_core.metadata.places import Places

MAX_TERMS: Final = 30
MAX_LICENSE_LINKS: Final = 80  # at the end of a page; those of pictures in it are not the page's
_TAG = re.compile(r"^[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?$")
LICENSE_HOSTS: Final = (
    "creativecommons.org/licenses/",
    "creativecommons.org/publicdomain/",
    "gnu.org/licenses/",
    "opensource.org/licenses/",
)


def find_description(head: Head) -> str | None:
    """The page's summary of itself."""
    found = head.first("og:description", "description", "twitter:description", "dc.description", "dcterms.abstract")
    return found or next((t for o in head.mains if (t := first_text(o.get("description")))), None)


def find_categories(head: Head) -> list[str]:
    """Sections: declared ones, else breadcrumbs without the home page and the page itself."""
    found = list(head.meta.get("article:section", ()))
    for item in head.mains:
        found.extend(texts_of(item.get("articleSection")))
    if not found:
        found = _breadcrumbs(head)
    return _terms(part for text in found for part in re.split(r",(?=\S)", text))


def _breadcrumbs(head: Head) -> list[str]:
    for item in head.objects:
        steps = item.get("itemListElement")
        if "BreadcrumbList" in types_of(item) and isinstance(steps, list):
            names = [first_text(s.get("name") or s.get("item")) for s in steps if isinstance(s, dict)]
            return [n for n in names[1:-1] if n and "://" not in n]
    return []


def find_tags(head: Head, places: Places) -> list[str]:
    """Keywords."""
    found: list[str] = []
    for name in ("article:tag", "keywords", "news_keywords", "parsely-tags", "sailthru.tags", "citation_keywords"):
        for content in head.meta.get(name, ()):
            found.extend(re.split(r"[,;，、；]", content))
    for item in head.mains:
        for text in texts_of(item.get("keywords")):
            found.extend(re.split(r"[,;，、；]", text))
    document = places.document
    found.extend(document.inner_text(i) for i in places.rels.get("tag", ()) if not places.is_apart(i))
    return _terms(found)


def _terms(texts: Iterable[str]) -> list[str]:
    kept: dict[str, str] = {}
    for text in texts:
        term = clean(text).strip("# ")
        if term and len(term) <= 80:
            kept.setdefault(fold(term) or term, term)
    return list(kept.values())[:MAX_TERMS]


def find_language(head: Head) -> str | None:
    """BCP 47 tag of html lang, of content-language, of JSON-LD or of og:locale."""
    document = head.document
    for i in document.index.get("html", ())[:1]:
        a = document.attrs[i]
        found = language_tag(a.get("lang") or a.get("xml:lang") or "")
        if found:
            return found
    for names in (("content-language",), ("og:locale", "language", "dc.language", "dcterms.language")):
        found = language_tag(head.first(*names) or "")
        if found:
            return found
    return next((t for o in head.mains if (t := language_tag(first_text(o.get("inLanguage")) or ""))), None)


def language_tag(text: str) -> str | None:
    """A language tag in its usual letter case, None if the text is none: "pt_br" is "pt-BR".

    >>> language_tag("zh_hant_tw")
    'zh-Hant-TW'
    """
    text = text.split(",")[0].split(".")[0].strip()
    if not _TAG.match(text):
        return None
    first, *rest = re.split("[-_]", text)
    return "-".join([first.lower(), *(p.title() if len(p) == 4 else p.upper() for p in rest)])


def find_canonical(head: Head) -> str | None:
    """Address that the page wants to be known by."""
    found = head.absolute(head.links.get("canonical", ""))
    if found:
        return found
    content = head.first("og:url")
    return head.absolute(content) if content else None


def find_image(head: Head) -> str | None:
    """Address of the picture that stands for the page."""
    for name in ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src", "thumbnail"):
        for content in head.meta.get(name, ())[:1]:
            found = head.absolute(content)
            if found:
                return found
    for item in head.mains:
        value = item.get("image") or item.get("thumbnailUrl")
        value = value[0] if isinstance(value, list) and value else value
        text = (
            first_text(value.get("url") or value.get("@id")) if isinstance(value, dict) else first_text(value)
        ) or ""
        found = head.absolute(text) if text else None
        if found:
            return found
    return None


def find_license(head: Head, places: Places) -> str | None:
    """License of the content: link or a element with rel=license, JSON-LD, meta, a link to a well-known license."""
    found = head.absolute(head.links.get("license", ""))
    if found:
        return found
    for item in head.mains:
        text = first_text(item.get("license"))
        if text:
            return text
    document = places.document
    for i in places.rels.get("license", ()):
        return head.absolute(document.attrs[i]["href"]) or document.inner_text(i) or None
    declared = head.first("dc.rights", "dcterms.license", "dcterms.rights.license", "license")
    return declared or next(_known_licenses(head, places), None)


def _known_licenses(head: Head, places: Places) -> Iterator[str]:
    attrs = places.document.attrs
    addresses = [attrs[i]["href"] for i in places.document.links[-MAX_LICENSE_LINKS:]]
    joined = " ".join(addresses)
    if any(host in joined for host in LICENSE_HOSTS):
        for address in addresses:
            found = head.absolute(address) if any(host in address for host in LICENSE_HOSTS) else None
            if found:
                yield found
