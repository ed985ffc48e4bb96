"""The rescue cascade: what two other extractors would keep of a page. Off by default, an extra (`danubia[cascade]`).

The only module that loads readability-lxml and jusText, and only when asked to. Neither's output is taken as it is:
Readability's markup goes through the parse and the collector, jusText only says which runs of this document's text are
content; so headings, lists, tables, code and links stay what they are.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, Final

import msgspec
from lxml import etree

from danubia_core.collect import collect_tree
from danubia_core.document import NO_ATTRS, TEXT, Document
from danubia_core.marks import mark_document
from danubia_core.nodes import MAIN, Heading, Link, List, Paragraph, Table, Tree
from danubia_core.page_features import PageType
from danubia_core.parse import PROSE_RUN_BYTES, parse_html
from danubia_core.rungs import (
    CASCADE_CLEAN_PERCENT,
    CASCADE_FLOOR_BYTES,
    CASCADE_KEEP_PERCENT,
    CASCADE_LINK_PERCENT,
    CASCADE_PROSE_PERCENT,
    CASCADE_TIMES,
)
from danubia_core.trim import trim_tree

LIBRARIES: Final = {"readability": "readability-lxml", "justext": "jusText"}
# Languages whose words no blanks part, or whose words jusText has no list of: it then goes by lengths and links alone.
WITHOUT_STOP_WORDS: Final = frozenset("zh ja th lo km my bo dz yue wuu".split())

Resolve = Callable[[str], str]


class Proposal(msgspec.Struct):
    """What one extractor would keep.

    Attributes:
        name: the rung's name in the statistics.
        tree: the content.
        measure: its size and structure.
    """

    name: str
    tree: Tree
    measure: Measure


class Measure(msgspec.Struct):
    """Size and structure of a tree.

    Attributes:
        text_bytes: all its text; `prose_bytes` of it in paragraphs of 50 bytes and more, `link_bytes` in links.
        headings: number of headings; `lists` and `tables` likewise.
    """

    text_bytes: int = 0
    prose_bytes: int = 0
    link_bytes: int = 0
    headings: int = 0
    lists: int = 0
    tables: int = 0


CARD_TYPES: Final = frozenset(("listing", "collection", "homepage"))  # their links are their content


class MissingLibraryError(ImportError):
    """A library of the extra is not installed; the message says how to get it."""


def find_missing() -> list[str]:
    """Name the cascade's libraries that are not installed, as package indexes call them."""
    return [package for module, package in LIBRARIES.items() if importlib.util.find_spec(module) is None]


def check_libraries() -> None:
    """Raise MissingLibraryError, naming the extra, where a library is missing."""
    if missing := find_missing():
        raise MissingLibraryError(
            f"Options(cascade=True) needs {' and '.join(missing)}: pip install 'danubia[cascade]'"
        )


@cache
def _load(name: str) -> ModuleType:
    return importlib.import_module(name)


def measure_tree(tree: Tree) -> Measure:
    """Measure a tree."""
    found = Measure()
    stack: list[tuple[Any, bool]] = [(child, False) for child in tree.children]
    while stack:
        node, linked = stack.pop()
        if type(node) is str:
            size = len(node.encode("utf-8", "replace"))
            found.text_bytes += size
            found.link_bytes += size if linked else 0
            continue
        kind = type(node)
        found.headings += kind is Heading
        found.lists += kind is List
        found.tables += kind is Table
        found.text_bytes += len(getattr(node, "text", "").encode("utf-8", "replace"))
        if kind is Paragraph and (size := _count_prose(node)) >= PROSE_RUN_BYTES:
            found.prose_bytes += size
        inside = linked or kind is Link
        stack.extend((child, inside) for child in getattr(node, "children", ()))
    return found


def _count_prose(node: Any) -> int:
    """Text of an inline node outside links, UTF-8 bytes."""
    total, stack = 0, list(node.children)
    while stack:
        child = stack.pop()
        if type(child) is str:
            total += len(child.encode("utf-8", "replace"))
        elif type(child) is not Link:
            stack.extend(getattr(child, "children", ()))
    return total


def find_better(
    tree: Tree, markup: bytes, document: Document, resolve: Resolve, page_type: PageType
) -> Proposal | None:
    """Return the proposal that is clearly better than a tree, or None; the extractors run only where one may be.

    Raises MissingLibraryError where they are not installed.
    """
    check_libraries()
    own, best = measure_tree(tree), None
    may_be_longer = document.prose_before[-1] >= max(own.prose_bytes * CASCADE_TIMES, CASCADE_FLOOR_BYTES)
    if not may_be_longer and not _may_be_cleaner(own, page_type):
        return None
    proposals: tuple[Callable[[], Proposal | None], ...] = (
        lambda: propose_readability(markup, resolve),
        lambda: propose_justext(document, mark_document(document).discards, resolve),
    )
    for propose in proposals:
        proposal = propose()
        if proposal is not None and is_better(own, proposal.measure, page_type):
            own, best = proposal.measure, proposal
    return best


def is_better(own: Measure, other: Measure, page_type: PageType) -> bool:
    """Whether a proposal is clearly better: far longer in prose, or nearly the same prose without the links beside it.

    >>> is_better(Measure(1000, 500, 400), Measure(600, 500, 20), "article")
    True
    >>> is_better(Measure(1000, 500, 400), Measure(600, 500, 20), "listing")
    False
    >>> is_better(Measure(1000, 900, 20), Measure(3000, 2500, 0), "article")
    False
    """
    if other.prose_bytes < CASCADE_FLOOR_BYTES:
        return False
    if other.tables * 2 < own.tables and own.prose_bytes * 2 > own.text_bytes:
        return False  # it lost the tables of a text
    if other.prose_bytes >= own.prose_bytes * CASCADE_TIMES:
        return True
    return (
        _may_be_cleaner(own, page_type)
        and other.link_bytes * 100 <= other.text_bytes * CASCADE_CLEAN_PERCENT
        and other.prose_bytes * 100 >= other.text_bytes * CASCADE_PROSE_PERCENT
        and other.prose_bytes * 100 >= own.prose_bytes * CASCADE_KEEP_PERCENT
    )


def _may_be_cleaner(own: Measure, page_type: PageType) -> bool:
    return page_type not in CARD_TYPES and own.link_bytes * 100 >= own.text_bytes * CASCADE_LINK_PERCENT


def propose_readability(markup: bytes, resolve: Resolve) -> Proposal | None:
    """Return what Readability keeps of the markup, or None where it keeps nothing."""
    library = _load("readability")
    unparseable = _load("readability.readability").Unparseable
    try:
        summary = library.Document(markup.decode("utf-8", "replace")).summary(html_partial=True)
    except (unparseable, etree.LxmlError, ValueError, RecursionError):  # markup that it cannot work on: no proposal
        return None
    document = parse_html(summary)
    return _propose("cascade:readability", document, [0], bytearray(len(document) + 1), resolve)


def propose_justext(document: Document, discards: dict[int, int], resolve: Resolve) -> Proposal | None:
    """Return what jusText keeps of a document outside search discards, or None where it keeps nothing."""
    runs = _classify_runs(document, discards)
    kept = [i for i, is_kept in runs if is_kept]
    if not kept:
        return None
    dropped = bytearray(len(document) + 1)
    for i in discards:
        dropped[i] = 1
    before = [0] * (len(document) + 1)  # kept runs before a node
    for i in kept:
        before[i + 1] = 1
    for i in range(len(document)):
        before[i + 1] += before[i]
    i = 1
    while i < len(document):
        stop = document.end[i]
        if before[stop] > before[i]:
            i += 1
            continue
        if document.text_bytes(i) or not kept[0] < i < kept[-1]:
            dropped[i] = 1
        i = stop
    return _propose("cascade:justext", document, [0], dropped, resolve)


def _propose(
    name: str, document: Document, regions: list[int], dropped: bytearray, resolve: Resolve
) -> Proposal | None:
    for i in document.index.get("title", ()):
        dropped[i] = 1
    tree = collect_tree(document, regions, dropped, resolve, MAIN)
    trim_tree(tree, document.text_before[-1])
    measure = measure_tree(tree)
    return Proposal(name, tree, measure) if measure.text_bytes else None


def _classify_runs(document: Document, discards: dict[int, int]) -> list[tuple[int, bool]]:
    """Return the text runs that jusText sees, by index, and whether it takes them for content.

    Its paragraph maker is a SAX handler: told of this document's nodes, its paragraphs are known by index.
    """
    core = _load("justext").core
    maker = core.ParagraphMaker()
    runs: list[tuple[int, Any]] = []
    open_tags: list[tuple[int, str]] = []
    i, tag, end = 1, document.tag, document.end
    while i < len(document):
        while open_tags and open_tags[-1][0] <= i:
            _close_tag(maker, open_tags.pop()[1])
        if i in discards or tag[i] == "head":
            i = end[i]
            continue
        if tag[i] == TEXT:
            maker.characters(document.text[i])
            runs.append((i, maker.paragraph))
        elif end[i] > i + 1 or tag[i] == "br":
            maker.startElementNS((None, tag[i]), tag[i], NO_ATTRS)
            open_tags.append((end[i], tag[i]))
        i += 1
    while open_tags:
        _close_tag(maker, open_tags.pop()[1])
    maker.endDocument()
    words, low, high = _choose_stop_words(document)
    core.classify_paragraphs(maker.paragraphs, words, stopwords_low=low, stopwords_high=high)
    core.revise_paragraph_classification(maker.paragraphs)
    good = {id(paragraph) for paragraph in maker.paragraphs if not paragraph.is_boilerplate}
    return [(i, id(paragraph) in good) for i, paragraph in runs]


def _close_tag(maker: Any, tag: str) -> None:
    maker.endElementNS((None, tag), tag)


def _choose_stop_words(document: Document) -> tuple[frozenset[str], float, float]:
    """Return stop words of all languages and jusText's two densities; none where they would tell nothing."""
    roots = document.index.get("html", ())
    language = document.attrs[roots[0]].get("lang", "") if roots else ""
    if language.lower().partition("-")[0] in WITHOUT_STOP_WORDS:
        return frozenset(), 0.0, 0.0
    return _read_stop_words(), 0.1, 0.2


@cache
def _read_stop_words() -> frozenset[str]:
    library = _load("justext")
    return frozenset(word for language in library.get_stoplists() for word in library.get_stoplist(language))
