"""Markup to Document, in one pass of lxml's parser-target interface: no element is ever made.

The only module that knows lxml. The target interface has no depth limit and keeps text after the html end tag.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

from danubia_core.document import BLOCK_TAGS, NO_ATTRS, ROOT, TEXT, Document

SHORT_LINK_BYTES: Final = 50
PROSE_RUN_BYTES: Final = 50  # a run of text this long, outside links, counts as prose
INDEXED: Final = frozenset("meta link title h1 time base main article address body html".split())
SKIPPED: Final = frozenset(
    "script style svg noscript iframe object applet select option datalist textarea input canvas video audio "
    "noframes template-outlet".split()
)
STATE_SCRIPT_IDS: Final = frozenset(("__NEXT_DATA__", "__NUXT_DATA__"))
HEADING_TAGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
WORDLIKE: Final = frozenset(("img", "input", "math"))  # stand in a line as a word does: white space after them counts
VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())


class _Target:
    """Fills a Document while the parser runs."""

    def __init__(self, document: Document, *, keep_noscript: bool) -> None:
        self.document = document
        self.skipped = SKIPPED - {"noscript"} if keep_noscript else SKIPPED
        self.skip_depth = 0
        self.script: str = ""  # what an interesting script is: 'ld', 'state' or 'tex'
        self.pending: list[str] = []
        self.stack = [0]
        self.text_total = 0
        self.link_total = 0
        self.prose_total = 0
        self.link_depth = 0
        self.link_open = 0  # stack height at which the current link opened
        self.link_start = 0  # text_total where it opened
        self.pre_depth = 0
        self.at_block = True
        document.tag.append(ROOT)
        document.parent.append(0)
        document.end.append(0)
        document.attrs.append(NO_ATTRS)
        document.text.append("")
        document.text_before.append(0)
        document.link_before.append(0)
        document.prose_before.append(0)

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self.skip_depth:
            self._start_skipped(tag, attrs)
            return
        if self.pending:
            self._flush()
        document = self.document
        i = len(document.tag)
        if tag in self.skipped and self._enter_skipped(tag, attrs):
            return
        stack = self.stack
        document.tag.append(tag)
        document.parent.append(stack[-1])
        document.end.append(0)
        document.attrs.append(dict(attrs) if attrs else NO_ATTRS)
        document.text.append("")
        document.text_before.append(self.text_total)
        document.link_before.append(self.link_total)
        document.prose_before.append(self.prose_total)
        stack.append(i)
        if tag in BLOCK_TAGS or tag == "br":
            self.at_block = True
            if tag == "pre":
                self.pre_depth += 1
            elif tag in HEADING_TAGS:
                document.headings.append(i)
        elif tag in WORDLIKE:
            self.at_block = False
        elif tag == "a" and not self.link_open:
            self._open_link(attrs, i)
        if tag in INDEXED:
            document.index.setdefault(tag, []).append(i)

    def _open_link(self, attrs: dict[str, str], i: int) -> None:
        href = attrs.get("href")
        if href and href.lstrip()[:1] != "#":
            self.link_open = len(self.stack)
            self.link_start = self.text_total
            self.document.links.append(i)

    def end(self, tag: str) -> None:
        if self.skip_depth:
            self._end_skipped()
            return
        if self.pending:
            self._flush()
        document = self.document
        stack = self.stack
        if tag == "a" and self.link_open == len(stack):
            self.link_open = 0
            short = document.short_before
            short.append(short[-1] + (self.text_total - self.link_start < SHORT_LINK_BYTES))
        if tag in BLOCK_TAGS:
            self.at_block = True
            if tag == "pre":
                self.pre_depth -= 1
        document.end[stack.pop()] = len(document.tag)

    def data(self, text: str) -> None:
        if not self.skip_depth or self.script:
            self.pending.append(text)

    def _flush(self) -> None:
        pending = self.pending
        text = pending[0] if len(pending) == 1 else "".join(pending)
        pending.clear()
        bare = text.strip()
        if not bare and self.at_block and not self._is_indentation(text):
            return  # white space between blocks
        document = self.document
        document.tag.append(TEXT)
        document.parent.append(self.stack[-1])
        document.attrs.append(NO_ATTRS)
        document.text.append(text)
        document.text_before.append(self.text_total)
        document.link_before.append(self.link_total)
        document.prose_before.append(self.prose_total)
        document.end.append(len(document.tag))
        if bare:
            self.at_block = False
            size = len(bare) if bare.isascii() else len(bare.encode("utf-8", "replace"))
            self.text_total += size
            if self.link_open:
                self.link_total += size
            elif size >= PROSE_RUN_BYTES:
                self.prose_total += size

    def _is_indentation(self, text: str) -> bool:
        """Whether white space at the start of a line may belong to code."""
        return self.pre_depth > 0 or "\u00a0" in text or self.document.tag[self.stack[-1]] == "code"

    def _enter_skipped(self, tag: str, attrs: dict[str, str]) -> bool:
        """Begin to pass over an element; False for a check box, which may be a task's."""
        if tag == "input" and attrs.get("type") == "checkbox":
            return False
        self.skip_depth = 1
        if tag != "script":
            return True
        kind = attrs.get("type") or ""
        if "ld+json" in kind:
            self.script = "ld"
        elif attrs.get("id") in STATE_SCRIPT_IDS:
            self.script = "state"
        elif kind.startswith("math/"):
            self.script = kind
        return True

    def _start_skipped(self, tag: str, attrs: dict[str, str]) -> None:
        self.skip_depth += 1
        if tag == "img":
            self.document.noscript_images[len(self.document.tag) - 1] = dict(attrs)

    def _end_skipped(self) -> None:
        self.skip_depth -= 1
        if self.skip_depth or not self.script:
            return
        content = "".join(self.pending)
        self.pending.clear()
        kind, self.script = self.script, ""
        document = self.document
        if kind == "ld":
            document.json_ld.append(content)
        elif kind == "state":
            document.page_state.append(content)
        else:
            self._add_tex(kind, content)

    def _add_tex(self, kind: str, content: str) -> None:
        """Keep a MathJax 2 script as an element `script` that holds its TeX (or MathML) in attribute `tex`."""
        self.at_block = False
        document = self.document
        document.tag.append("script")
        document.parent.append(self.stack[-1])
        document.attrs.append({"type": kind, "tex": content})
        document.text.append("")
        document.text_before.append(self.text_total)
        document.link_before.append(self.link_total)
        document.prose_before.append(self.prose_total)
        document.end.append(len(document.tag))

    def close(self) -> Document:
        if self.pending and not self.skip_depth:
            self._flush()
        document = self.document
        n = len(document.tag)
        for i in self.stack:
            document.end[i] = n
        if self.link_open:
            short = document.short_before
            short.append(short[-1] + (self.text_total - self.link_start < SHORT_LINK_BYTES))
        document.text_before.append(self.text_total)
        document.link_before.append(self.link_total)
        document.prose_before.append(self.prose_total)
        return document


def parse_html(markup: str, *, keep_noscript: bool = False) -> Document:
    """Parse markup into a Document.

    Args:
        markup: characters, already decoded and free of control characters.
        keep_noscript: treat the content of noscript as page content (for the rescue rung).
    """
    document = Document()
    target = _Target(document, keep_noscript=keep_noscript)
    encoded = markup.encode("utf-8", "replace")
    document.parsed_bytes = len(encoded)
    if not encoded.strip():
        return target.close()
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True, collect_ids=False)
    try:
        etree.fromstring(encoded, parser)
    except etree.XMLSyntaxError:  # nothing that the parser takes for a document: what it saw so far stands
        return target.close()
    return document
