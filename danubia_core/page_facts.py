"""What is counted of a page before its kind is told: from indexes that the parse leaves, never from a walk over it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final
from urllib.parse import urlsplit

from danubia_core.document import Document
from danubia_core.verdicts import count_topics, find_topics

_FORUM_TYPES: Final = re.compile(r"\"(?:DiscussionForumPosting|QAPage)\"")
_FORUM_MICRODATA: Final = ("DiscussionForumPosting", "QAPage", "schema.org/Question")
_FORUM_CLASSES: Final = re.compile(
    r"(?:^|[\s_-])(?:phpbb|forum|viewtopic|topic|thread|question-page)(?:[\s_-]|$)|^XF$", re.I
)

_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^\]]*)\])')
_NAME = re.compile(r"[A-Za-z]+(?=[\"',\s]|$)")


class Facts:
    """Counts and sums of one page.

    Attributes:
        topics: elements whose class speaks of a topic (page_topics.py), by topic; what the classes and ids of html and
            body speak of counts as one.
        root: topics of html and body.
        schema: schema.org types in JSON-LD and microdata, by name.
        meta: contents of meta elements by lower-case property or name; the first of a name.
        tags: number of elements by name, for those that the parse indexes.
        canonical: the address that the page gives for itself, or "".
        headings: number of headings; `linked_headings` of them are links.
        flow_bytes: prose in the paragraphs of the element that holds most of it; `flow_headings` lie beside them.
        title_bytes: text of the first h1.
        text_bytes: all text; `prose_bytes` of it prose, `link_bytes` in links.
        thread: whether its data or the classes of html or body say that readers' posts are its content.
    """

    __slots__ = (
        "canonical", "flow_bytes", "flow_headings", "headings", "link_bytes", "linked_headings", "meta",
        "prose_bytes", "root", "schema", "tags", "text_bytes", "thread", "title_bytes", "topics",
    )  # fmt: skip

    def __init__(self, document: Document) -> None:
        self.root: frozenset[str] = _read_root(document)
        self.topics: dict[str, int] = count_topics(document.by_class)
        self.schema: Counter[str] = _count_schema_types(document)
        self.meta: dict[str, str] = _read_meta(document)
        self.tags: dict[str, int] = {tag: len(nodes) for tag, nodes in document.index.items()}
        self.canonical: str = _read_canonical(document, self.meta)
        self.headings: int = len(document.headings)
        self.linked_headings: int = sum(map(document.is_linked, document.headings))
        h1 = document.index.get("h1")
        self.title_bytes: int = document.text_bytes(h1[0]) if h1 else 0
        self.text_bytes: int = document.text_before[-1]
        self.prose_bytes: int = document.prose_before[-1]
        self.link_bytes: int = document.link_before[-1]
        flow, self.flow_bytes = _find_flow(document)
        self.flow_headings: int = sum(document.parent[i] == flow for i in document.headings)
        self.thread: bool = has_thread_marks(document)

    def schema_count(self, *types: str) -> int:
        """Return how often the commonest of some schema.org types is declared."""
        return max(self.schema.get(name, 0) for name in types)


def _read_root(document: Document) -> frozenset[str]:
    found: set[str] = set()
    for tag in ("html", "body"):
        for i in document.index.get(tag, ())[:1]:
            for name in ("class", "id"):
                if names := document.attrs[i].get(name):
                    found.update(find_topics(names))
    return frozenset(found)


def _count_schema_types(document: Document) -> Counter[str]:
    """Count the types that JSON-LD declares, and those of elements that microdata names."""
    found: Counter[str] = Counter()
    for script in document.json_ld:
        for one, several in _SCHEMA_TYPE.findall(script):
            found.update(_NAME.findall(one or several))
    nodes = [i for tag in ("html", "body", "main", "article") for i in document.index.get(tag, ())]
    for i in (*nodes, *document.properties):
        if kind := document.attrs[i].get("itemtype"):
            found[kind.rstrip("/ ").rpartition("/")[2]] += 1
    return found


def _read_meta(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for i in document.index.get("meta", ()):
        attributes = document.attrs[i]
        name = attributes.get("property") or attributes.get("name")
        if name and "content" in attributes:
            found.setdefault(name.lower(), attributes["content"])
    return found


def _read_canonical(document: Document, meta: dict[str, str]) -> str:
    for i in document.index.get("link", ()):
        attributes = document.attrs[i]
        if attributes.get("rel", "").lower() == "canonical":
            return attributes.get("href", "").strip()
    return meta.get("og:url", "").strip()


def is_root_address(url: str) -> bool:
    """Whether an address is a site's own: no path, no query.

    >>> is_root_address("https://example.org/"), is_root_address("https://example.org/mills"), is_root_address("/")
    (True, False, False)
    """
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    return bool(split.netloc) and split.path in ("", "/") and not split.query


def _find_flow(document: Document) -> tuple[int, int]:
    """Return the element whose own paragraphs hold the most prose, and how much: (-1, 0) for none."""
    sums: dict[int, int] = {}
    parent, end, before = document.parent, document.end, document.prose_before
    for i in document.index.get("p", ()):
        if size := before[end[i]] - before[i]:
            sums[parent[i]] = sums.get(parent[i], 0) + size
    if not sums:
        return -1, 0
    flow = max(sums, key=sums.__getitem__)
    return flow, sums[flow]


def has_thread_marks(document: Document) -> bool:
    """Whether a page's data, or the classes of html or body, say that readers' posts are its content."""
    if any(_FORUM_TYPES.search(script) for script in document.json_ld):
        return True
    for tag in ("html", "body"):
        for i in document.index.get(tag, ())[:2]:
            attributes = document.attrs[i]
            if any(name in attributes.get("itemtype", "") for name in _FORUM_MICRODATA):
                return True
            if _FORUM_CLASSES.search(attributes.get("id", "")) or _FORUM_CLASSES.search(attributes.get("class", "")):
                return True
    return False
