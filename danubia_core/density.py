"""The link-density rule, with the seed's numbers."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from danubia_core.document import BLOCK_TAGS, TEXT, Document
from danubia_core.references import find_own_hosts, is_reference_list

PARAGRAPH_FLOOR_BYTES: Final = 60  # p with no p after it among its siblings
PARAGRAPH_SIBLING_FLOOR_BYTES: Final = 30
BLOCK_FLOOR_BYTES: Final = 300  # other elements without a sibling of the same tag
BLOCK_SIBLING_FLOOR_BYTES: Final = 100
LINK_SHARE_PERCENT: Final = 80
DENSITY_TAGS: Final = frozenset(
    "p div ul ol li section table tbody tr td th dl dd dt article aside nav header footer center form fieldset "
    "blockquote h1 h2 h3 h4 h5 h6 details figcaption figure address".split()
)


SENTENCE_TAGS: Final = frozenset("p ul ol li dl dt dd blockquote table tbody tr td th figcaption section".split())
MAX_LINKS_READ: Final = 40
MAX_INLINE_DEPTH: Final = 8


class _Siblings:
    """Answers whether a node has a sibling of its own tag; looks at each parent once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.by_parent: dict[int, dict[str, tuple[int, int]]] = {}

    def find(self, i: int) -> tuple[bool, bool]:
        """Return (has one anywhere, has one after it)."""
        document = self.document
        parent = document.parent[i]
        spans = self.by_parent.get(parent)
        if spans is None:
            spans = {}
            for k in document.children(parent):
                tag = document.tag[k]
                first = spans[tag][0] if tag in spans else k
                spans[tag] = (first, k)
            self.by_parent[parent] = spans
        first, last = spans[document.tag[i]]
        return first != last, i < last


def is_dense(document: Document, i: int, siblings: _Siblings) -> bool:
    """Whether the block at `i` is mostly links, by the seed's floors and share."""
    text, link = document.text_bytes(i), document.link_bytes(i)
    anywhere, after = siblings.find(i)
    if document.tag[i] == "p":
        floor = PARAGRAPH_SIBLING_FLOOR_BYTES if after else PARAGRAPH_FLOOR_BYTES
    else:
        floor = BLOCK_SIBLING_FLOOR_BYTES if anywhere else BLOCK_FLOOR_BYTES
    if text >= floor:
        return link * 100 >= text * LINK_SHARE_PERCENT
    count, short = document.count_links(i)
    return count >= 2 and short * 100 >= count * LINK_SHARE_PERCENT and not _is_written(document, i)


def _is_written(document: Document, i: int) -> bool:
    """Whether the links of a short block stand in sentences: references, terms with their source, a quotation.

    The seed's rule takes any short block with two short links. What is a menu has its links in lines of their own.
    A div tells nothing of its content: what boxes of boilerplate hold is written, too.
    """
    if not document.prose_bytes(i):
        return False
    if document.tag[i] not in SENTENCE_TAGS:
        return i + 1 < document.end[i] == document.end[i + 1] and document.tag[i + 1] == "p"
    low, high = bisect_left(document.links, i), bisect_left(document.links, document.end[i])
    links = document.links[low : min(high, low + MAX_LINKS_READ)]
    return sum(document.prose_bytes(_find_line(document, link)) > 0 for link in links) * 2 >= len(links)


def _find_line(document: Document, link: int) -> int:
    """The block that a link stands in, as near as a few steps lead."""
    up = document.parent[link]
    for _ in range(MAX_INLINE_DEPTH):
        if document.tag[up] in BLOCK_TAGS:
            break
        up = document.parent[up]
    return up


def mark_dense(document: Document, discards: dict[int, int]) -> list[int]:
    """Return the topmost blocks that the density rule discards, ascending; search discards are passed over."""
    found: list[int] = []
    tags, ends, links_before = document.tag, document.end, document.link_before
    siblings = _Siblings(document)
    own_hosts: frozenset[str] | None = None
    i, n = 1, len(tags)
    while i < n:
        if i in discards:
            i = ends[i]
            continue
        tag = tags[i]
        if tag != TEXT and links_before[i] == links_before[ends[i]]:
            i = ends[i]  # no link text in it
            continue
        if tag in DENSITY_TAGS and not document.has_heading(i) and is_dense(document, i, siblings):
            if own_hosts is None:
                own_hosts = find_own_hosts(document)
            if not is_reference_list(document, i, own_hosts):
                found.append(i)
            i = ends[i]
            continue
        i += 1
    return found
