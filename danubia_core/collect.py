"""The kept part of a Document to typed nodes, in one scan over its indexes (no recursion over the page's depth).

The scan keeps a stack of open frames. Inline content gathers in the innermost inline list; a block boundary flushes
it as a paragraph, and inline wrappers that are open across the boundary (a link around blocks) are closed before it
and opened again after it. What each tag becomes is in `handlers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from danubia_core.document import TEXT, Document
from danubia_core.handlers.lines import Make, find_invisible, push, remove_invisible, trim_line, wrap
from danubia_core.nodes import Break, Math, MathBlock, Paragraph, Tree

MAX_DEPTH: Final = 40  # containers inside containers; deeper ones become plain blocks
MAX_INLINE_DEPTH: Final = 12
FORMULA_TAGS: Final = frozenset(("mjx-container", "math"))  # their names and hidden copies mislead: never dropped alone

LONGEST_UNIT: Final = 2  # characters: after a number, `kg` or `GB` belongs to it
_PARTED: Final = frozenset(("a", "b", "small", "span", "strong", "time"))

Finish = Callable[[list[Any]], None]


class Collector:
    """State of one scan.

    Attributes:
        blocks: the block list that is being filled.
        line: the outermost open inline list; `inline` is the innermost.
        wrappers: (make, content, is_link) of open inline wrappers, outermost first.
        space: whether the line ends in white space (or is empty), so that a leading space is dropped.
        inline_only: above 0 inside headings, terms and summaries, where block boundaries are mere white space.
        kind: what the innermost container is ('' for none that matters).
        frames: (end, close) of all that is open, outermost first.
        flags: flags for new nodes.
        notes: definitions of footnotes still to come: index of their element → label.
        stray: whether some list item stands outside a list.
        display: the last formula that its delimiters say is displayed.
        code: index of the element of the last code block; `blank_after_code`: a new line where it ends in a blank one.
        block_in_code: index of the last block that was found inside inline code.
        no_formula_end: up to here, elements named as formulas hold none.
        credited: captions of pictures that name who made them.
    """

    def __init__(self, document: Document, dropped: bytearray, resolve: Callable[[str], str]) -> None:
        self.document = document
        self.dropped = dropped
        self.resolve = resolve
        self.blocks: list[Any] = []
        self.line: list[Any] = []
        self.inline = self.line
        self.wrappers: list[tuple[Make, list[Any], bool]] = []
        self.space = True
        self.inline_only = 0
        self.depth = 0
        self.kind = ""
        self.flags = 0
        self.frames: list[tuple[int, Callable[[], None]]] = []
        self.notes: dict[int, str] = {}
        self.note_index = NoteIndex(document, resolve)
        self.stray = False
        self.display: Math | None = None
        self.code = 0
        self.blank_after_code = ""
        self.block_in_code = -1
        self.no_formula_end = 0
        self.credited: set[int] = set()

    # --- inline -----------------------------------------------------------------------------------------------------

    def add_text(self, text: str) -> None:
        """Append page text, white space collapsed."""
        words = " ".join(text.split())
        if not words.isascii() and find_invisible(words):
            words = remove_invisible(words)
        if not words:
            self.add_space()
            return
        if not self.space and text[0].isspace():
            words = " " + words
        if text[-1].isspace():
            words += " "
            self.space = True
        else:
            self.space = False
        inline = self.inline
        if inline and type(inline[-1]) is str:
            words_before = inline.pop()  # held by one name alone, a long line grows in place; in the list it is copied
            words_before += words
            inline.append(words_before)
        else:
            inline.append(words)

    def add_space(self) -> None:
        """Append one space unless the line ends in one."""
        if not self.space:
            push(self.inline, " ")
            self.space = True

    def add_inline(self, node: Any) -> None:
        """Append an inline node that is not text."""
        self.inline.append(node)
        self.space = False

    def add_break(self) -> None:
        """Append a line break; two in a row end the paragraph."""
        if self.inline_only:
            self.add_space()
            return
        inline = self.inline
        last = inline[-1] if inline else None
        if last == " " and len(inline) > 1:
            last = inline[-2]
        if type(last) is Break:
            self.flush()
            return
        inline.append(Break(self.flags))
        self.space = True

    def open_wrapper(self, end: int, make: Make, *, is_link: bool = False) -> None:
        """Open an inline wrapper that lasts to index `end`; `make` gets its content."""
        if len(self.wrappers) >= MAX_INLINE_DEPTH:
            return
        content: list[Any] = []
        self.wrappers.append((make, content, is_link))
        self.inline = content
        self.frames.append((end, self._close_wrapper))

    def _close_wrapper(self) -> None:
        make, content, _ = self.wrappers.pop()
        self.inline = self.wrappers[-1][1] if self.wrappers else self.line
        wrap(make, content, self.inline)

    # --- blocks -----------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """End the current line: it becomes a paragraph, or just white space where only inline content may stand."""
        if self.inline_only:
            self.add_space()
            return
        self.space = True
        if not self.line and not self.wrappers:
            return
        if self.wrappers:
            self._fold_wrappers()
        content = trim_line(self.line)
        self.line = []
        self._reopen_wrappers()
        if not content:
            return
        if self.display is not None and content[0] is self.display and len(content) == 1:
            self.blocks.append(MathBlock(self.flags, self.display.tex))
        else:
            self.blocks.append(Paragraph(self.flags, content))

    def _fold_wrappers(self) -> None:
        for k in range(len(self.wrappers) - 1, -1, -1):
            make, content, _ = self.wrappers[k]
            if content:
                wrap(make, content, self.wrappers[k - 1][1] if k else self.line)

    def _reopen_wrappers(self) -> None:
        if self.wrappers:
            self.wrappers = [(make, [], is_link) for make, _, is_link in self.wrappers]
            self.inline = self.wrappers[-1][1]
        else:
            self.inline = self.line

    def add_block(self, node: Any) -> None:
        """Append a finished block after what stands before it."""
        self.flush()
        self.blocks.append(node)

    def open_inline_block(self, end: int, finish: Finish) -> None:
        """Open a block that holds only inline content (heading, term, summary); `finish` gets the content."""
        if self.inline_only:
            self.open_plain(end)
            return
        self.flush()
        saved = (self.line, self.wrappers)
        self.line = []
        self.wrappers = [wrapper for wrapper in self.wrappers if wrapper[2]]
        self._reopen_wrappers()
        self.inline_only += 1

        def close() -> None:
            self._fold_wrappers()
            content = trim_line(self.line)
            self.line, self.wrappers = saved
            self._reopen_wrappers()
            self.inline_only -= 1
            self.space = True
            finish(content)

        self.frames.append((end, close))

    def open_container(self, end: int, finish: Finish, kind: str = "") -> None:
        """Open a block that holds blocks; `finish` gets them."""
        self.flush()
        if self.depth >= MAX_DEPTH or self.inline_only:
            self.frames.append((end, self.flush))
            return
        saved = (self.blocks, self.wrappers, self.kind)
        self.wrappers = [wrapper for wrapper in self.wrappers if wrapper[2]]
        self._reopen_wrappers()
        self.blocks = []
        self.kind = kind
        self.depth += 1

        def close() -> None:
            self.flush()
            content = self.blocks
            if self.stray and kind != "list":
                content = group_items(content, self.flags)
            self.blocks, self.wrappers, self.kind = saved
            self._reopen_wrappers()
            self.depth -= 1
            finish(content)

        self.frames.append((end, close))

    def open_plain(self, end: int) -> None:
        """Open a block that is only a boundary."""
        self.flush()
        self.frames.append((end, self.flush))

    # --- the scan ---------------------------------------------------------------------------------------------------

    def scan(self, start: int, stop: int) -> None:
        """Collect the nodes from `start` to `stop` (a subtree, its inside, or several whole subtrees)."""
        document, dropped, frames = self.document, self.dropped, self.frames
        tags, ends, texts = document.tag, document.end, document.text
        floor = len(frames)
        handlers, credited = HANDLERS, self.credited
        k = start
        while k < stop:
            while len(frames) > floor and frames[-1][0] <= k:
                frames.pop()[1]()
            tag = tags[k]
            if dropped[k] and tag not in FORMULA_TAGS:
                k = ends[k]
                continue
            if tag == TEXT:
                text = texts[k]
                if not self.space and tags[k - 1] in _PARTED and is_parted(document, k):
                    self.add_space()
                if "$" in text or "\\" in text:
                    add_text_with_tex(self, text)
                else:
                    self.add_text(text)
                k += 1
                continue
            if k in self.notes:
                open_note(self, k)
            if k in credited:
                open_credited(self, k)
            handler = handlers.get(tag)
            k = handler(self, k) if handler is not None else k + 1
        while len(frames) > floor:
            frames.pop()[1]()

    def read_blocks(self, start: int, stop: int) -> list[Any]:
        """Collect the nodes from `start` to `stop` apart from what is open, and return them."""
        saved = (self.blocks, self.line, self.wrappers, self.space, self.kind, self.depth)
        self.blocks, self.line, self.wrappers, self.kind = [], [], [], ""
        self.inline = self.line
        self.space = True
        self.depth += 1
        self.scan(start, stop)
        self.flush()
        blocks = self.blocks
        if self.stray:
            blocks = group_items(blocks, self.flags)
        self.blocks, self.line, self.wrappers, self.space, self.kind, self.depth = saved
        self.inline = self.wrappers[-1][1] if self.wrappers else self.line
        return blocks


def is_parted(document: Document, k: int) -> bool:
    """Whether a style sheet parts the text at `k`, the first in its element, from that of the element before it.

    `<span>Merrell</span><span>Moab</span>` is two words: two links side by side always are, other elements where their
    words differ in case or kind at the seam. Next to bare text (`Mac<b>Book</b>`) an element is part of a word.
    """
    element, before = k - 1, k - 2
    tag, parent = document.tag, document.parent
    if before < 0 or tag[before] != TEXT or parent[before] == parent[element]:
        return False
    last, text = document.text[before][-1:], document.text[k]
    first = text[:1]
    if tag[element] == "a":
        return tag[parent[before]] == "a" and last.isalnum() and first.isalnum()
    if last.isdigit():
        return first.isdigit() or (first.isalpha() and len(text) > LONGEST_UNIT)
    return (last.islower() and first.isupper()) or (last.isalpha() and first.isdigit())


def collect_tree(
    document: Document, regions: list[int], dropped: bytearray, resolve: Callable[[str], str], flags: int
) -> Tree:
    """Collect the subtrees at `regions`, less those with a true byte in `dropped`, into a Tree."""
    collector = Collector(document, dropped, resolve)
    collector.flags = flags
    collector.credited = find_credited(document, regions)
    for i in regions:
        collector.scan(i, document.end[i])
        collector.flush()
    add_missing_notes(collector)
    blocks = collector.blocks
    if collector.stray:
        blocks = group_items(blocks, flags)
    return Tree(link_notes(blocks))


from danubia_core.handlers import HANDLERS  # noqa: E402 - the handlers are typed against Collector
from danubia_core.handlers.footnote import NoteIndex, add_missing_notes, open_note  # noqa: E402
from danubia_core.handlers.list import group_items  # noqa: E402
from danubia_core.handlers.loose_notes import link_notes  # noqa: E402
from danubia_core.handlers.math_text import add_text_with_tex  # noqa: E402
from danubia_core.handlers.media import find_credited, open_credited  # noqa: E402
