"""The page's own title, without the site's name, by agreement among what declares it."""

from __future__ import annotations

import re
from typing import Final

from danubia_core.metadata.head import Head, clean, fold
from danubia_core.metadata.json_ld import first_text, rank
from danubia_core.metadata.places import Places

_SEPARATOR: Final = re.compile(r"\s+[|–—·•»«›‹:/~-]+\s+|\s*[|｜»_]\s*|(?<=\w): (?=\w)")


def find_title(head: Head, places: Places) -> str | None:
    """The title in the words of the page."""
    document = places.document
    sites = site_names(head)
    element = next((document.inner_text(i) for i in document.index.get("title", ())[:1]), "")
    declared = [t for t in (head.first("og:title"), head.first("twitter:title", "dc.title", "citation_title", "title")) if t]
    declared += [t for o in head.mains if rank(o) > 2 and (t := first_text(o.get("headline")))][:1]
    heading = document.inner_text(places.heading).rstrip("¶# ") if places.heading >= 0 else ""
    bare = [strip_site(clean(t), sites) for t in (element, *declared) if t]
    if heading and fold(heading) in sites:
        heading = ""
    if heading:
        key = fold(heading)
        for text in bare:
            if fold(text) == key or key in _runs(text):
                return heading
    for text in bare:
        if sum(fold(text) == fold(other) for other in bare) > 1:
            return text
    return (bare[0] if bare else "") or heading or None


def site_names(head: Head) -> set[str]:
    """Folded names of the site: declared, and the host's labels."""
    names = {fold(head.site_name)} if head.site_name else set()
    host = head.host
    if host:
        labels = host.split(".")
        names.update((fold(host), fold(labels[-2]) if len(labels) > 1 else fold(host)))
    names.discard("")
    return names


def strip_site(title: str, sites: set[str]) -> str:
    """The title without the first or last part that is the site's name."""
    parts = _split(title)
    while len(parts) > 1 and _is_site(parts[-1][1], sites):
        title = title[: parts[-2][2]].strip()
        parts.pop()
    if len(parts) > 1 and _is_site(parts[0][1], sites):
        title = title[parts[1][0] :].strip()
    return title


def _is_site(part: str, sites: set[str]) -> bool:
    key = fold(part)
    return any(key == s or (len(s) > 3 and key.startswith(s)) or (len(key) > 3 and s.startswith(key)) for s in sites)


def _split(title: str) -> list[tuple[int, str, int]]:
    """(start, text, end) of the title's parts."""
    parts, at = [], 0
    for match in _SEPARATOR.finditer(title):
        parts.append((at, title[at : match.start()], match.start()))
        at = match.end()
    parts.append((at, title[at:], len(title)))
    return parts


def _runs(title: str) -> set[str]:
    """Folded texts of all runs of neighbouring parts."""
    parts = _split(title)[:8]
    return {fold(title[a[0] : b[2]]) for k, a in enumerate(parts) for b in parts[k:]}
