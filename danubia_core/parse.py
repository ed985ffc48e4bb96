"""Markup to Document, in one pass of lxml's parser-target interface: no element is ever made.

The only module that knows lxml. The target interface has no depth limit and keeps text after the html end tag.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from itertools import accumulate
from typing import Final

from lxml import etree

from danubia_core.document import BLOCK_TAGS, NO_ATTRS, ROOT, TEXT, Document
from danubia_core.pass_over import Event, pass_over

SHORT_LINK_BYTES: Final = 50
PROSE_RUN_BYTES: Final = 50  # a run of text this long, outside links, counts as prose
INDEXED: Final = frozenset(
    "meta link title h1 time base main article address body html "
    "figcaption p pre code kbd samp img button blockquote figure".split()  # but the first only counted, to tell types
)
SKIPPED: Final = frozenset(
    "script style svg noscript iframe object applet select option datalist textarea input canvas video audio "
    "noframes template-outlet".split()
)
HEADING_TAGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
WORDLIKE: Final = frozenset(("img", "input", "math"))  # stand in a line as a word does: white space after them counts
VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
BLOCK, INDEX, SKIP, OTHER = 1, 2, 4, 8


def _list_roles() -> dict[str, int]:
    """List what the parse does at an element beyond keeping it; elements that are not here are only kept."""
    roles = dict.fromkeys((*WORDLIKE, *HEADING_TAGS, "a", "pre"), OTHER)
    for role, tags in ((BLOCK, BLOCK_TAGS | {"br"}), (INDEX, INDEXED), (SKIP, SKIPPED)):
        for tag in tags:
            roles[tag] = roles.get(tag, 0) | role
    return roles


ROLES: Final = _list_roles()
ROLES_WITH_NOSCRIPT: Final = {tag: role for tag, role in ROLES.items() if tag != "noscript"}
MAX_TAGS: Final = 1_000_000  # starts and ends; each element costs about a kilobyte
CUT_STEP: Final = 1 << 14  # bytes


# Numeric references to characters that clean text must not hold: C0 controls but white space, DEL, U+FFFE, U+FFFF.
CONTROL_REFERENCE: Final = re.compile(
    rb"&#(?:[xX]0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF]|[fF]{3}[eEfF])(?![0-9a-fA-F])"
    rb"|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]|127|6553[45])(?![0-9]));?"
)


class _Recorder:
    """The parser's target. It only writes down what it meets: each call out of the parser costs as much as a node does.

    Attributes:
        events: (tag, attributes) where an element starts, None where one ends, str for a piece of text.
    """

    __slots__ = ("data", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.data = self.events.append

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.events.append((tag, attrs))

    def end(self, _tag: str) -> None:
        self.events.append(None)

    def close(self) -> None:
        """Do nothing; the parser asks for it."""


def _fill_document(document: Document, events: list[Event], roles: dict[str, int]) -> None:  # noqa: C901
    """Turn the events of a parse into the arrays.

    One loop over local names, longer than is our habit: a call for each node would cost as much as the node itself.
    """
    tags, parents, ends, attributes, texts = document.tag, document.parent, document.end, document.attrs, document.text
    tags.append(ROOT)
    parents.append(0)
    ends.append(0)
    attributes.append(NO_ATTRS)
    texts.append("")
    runs: list[tuple[int, int]] = []  # (index, bytes) of the text nodes that are not white space
    pending: list[str] = []
    stack = [0]
    at_block = True
    link_height = 0  # of the stack, inside a link
    pre_depth = 0
    by_class, index = document.by_class, document.index
    events.append(None)  # the end of the document itself: text may stand after all elements
    remaining = iter(events)
    for event in remaining:
        if isinstance(event, str):
            pending.append(event)
            continue
        if pending:
            text = pending[0] if len(pending) == 1 else "".join(pending)
            pending.clear()
            bare = text.strip()
            if bare:
                at_block = False
                runs.append((len(tags), len(bare) if bare.isascii() else len(bare.encode("utf-8", "replace"))))
            # White space between blocks goes, unless it may be the indentation of code.
            if bare or not at_block or pre_depth or "\u00a0" in text or tags[stack[-1]] == "code":
                tags.append(TEXT)
                parents.append(stack[-1])
                ends.append(len(tags))
                attributes.append(NO_ATTRS)
                texts.append(text)
        if event is None:
            i = stack.pop()
            ends[i] = len(tags)
            tag = tags[i]
            if tag in BLOCK_TAGS:
                at_block = True
                if tag == "pre":
                    pre_depth -= 1
            elif link_height > len(stack):
                link_height = 0
            continue
        tag, attrs = event
        role = roles.get(tag, 0)
        if role & SKIP and not (tag == "input" and attrs.get("type") == "checkbox"):  # that may be a task's
            held = len(document.tag)
            after = pass_over(document, remaining, tag, attrs, stack)
            at_block = at_block and len(document.tag) == held
            if after is None:
                continue
            tag, attrs = after
            role = roles.get(tag, 0)
        i = len(tags)
        tags.append(tag)
        parents.append(stack[-1])
        ends.append(0)
        attributes.append(attrs or NO_ATTRS)
        texts.append("")
        stack.append(i)
        if "class" in attrs:
            by_class[attrs["class"]].append(i)
        if "itemprop" in attrs:
            document.properties.append(i)
        if not role:
            continue
        if role == BLOCK:  # div, li and their like
            at_block = True
            continue
        if role & BLOCK:
            at_block = True
            if tag == "pre":
                pre_depth += 1
            elif tag in HEADING_TAGS:
                document.headings.append(i)
        elif tag == "a":
            if "rel" in attrs:
                document.rels.append(i)
            if not link_height and (href := attrs.get("href")) and href.lstrip()[:1] != "#":
                link_height = len(stack)
                document.links.append(i)
        elif tag in WORDLIKE:
            at_block = False
        if role & INDEX:
            index[tag].append(i)
    for i in stack:
        ends[i] = len(tags)
    _sum_sizes(document, runs)


def _sum_sizes(document: Document, runs: list[tuple[int, int]]) -> None:
    """Make the prefix sums of text, link text and prose, and the counts of short links."""
    n, ends = len(document.tag), document.end
    text, link, prose = [0] * n, [0] * n, [0] * n
    for i, size in runs:
        text[i] = size
    for i in document.links:
        link[i : ends[i]] = text[i : ends[i]]
    for i, size in runs:
        if size >= PROSE_RUN_BYTES and not link[i]:
            prose[i] = size
    before = document.text_before = list(accumulate(text, initial=0))
    document.link_before = list(accumulate(link, initial=0))
    document.prose_before = list(accumulate(prose, initial=0))
    short = (before[ends[i]] - before[i] < SHORT_LINK_BYTES for i in document.links)
    document.short_before = list(accumulate(short, initial=0))


def cut_tags(data: bytes) -> bytes:
    """Return markup up to about its millionth tag: what a page of nothing but tags costs in memory is bounded."""
    if len(data) <= 3 * MAX_TAGS or data.count(b"<") <= MAX_TAGS:
        return data
    at, tags = 0, 0
    while (tags := tags + data.count(b"<", at, at + CUT_STEP)) <= MAX_TAGS:
        at += CUT_STEP
    return data[:at]


def parse_html(markup: str | bytes, *, keep_noscript: bool = False) -> Document:
    """Parse markup into a Document.

    Args:
        markup: characters, or their UTF-8 bytes, free of control characters.
        keep_noscript: treat the content of noscript as page content (for the rescue rung).
    """
    data = markup.encode("utf-8", "replace") if isinstance(markup, str) else markup
    whole_bytes = len(data)
    data = cut_tags(data)
    is_cut = len(data) < whole_bytes
    if b"&#" in data:
        data = CONTROL_REFERENCE.sub(b"", data)
    parser, events = _find_parser()
    document = Document()
    document.parsed_bytes = len(data)
    document.is_cut = is_cut
    try:
        if data and not data.isspace():
            # Where there is nothing that the parser takes for a document, what it saw so far stands.
            with suppress(etree.XMLSyntaxError):
                etree.fromstring(data, parser)
        _fill_document(document, events, ROLES_WITH_NOSCRIPT if keep_noscript else ROLES)
    finally:
        events.clear()
    return document


_local = threading.local()


def _find_parser() -> tuple[etree.HTMLParser, list[Event]]:
    """Return this thread's parser and the list that it writes events to.

    A parser and its target refer to each other; one for each page would be garbage that only a collection frees.
    """
    found: tuple[etree.HTMLParser, list[Event]] | None = getattr(_local, "parser", None)
    if found is None:
        recorder = _Recorder()
        parser = etree.HTMLParser(target=recorder, encoding="utf-8", huge_tree=True, collect_ids=False)
        found = _local.parser = (parser, recorder.events)
    return found
