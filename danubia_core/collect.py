"""The kept part of a Document to typed nodes, in one scan over its indexes (no recursion over the page's depth).

The scan keeps a stack of open containers. Inline content gathers in the innermost inline list; a block boundary
flushes it as a paragraph, and inline wrappers that are open across the boundary (a link around blocks) are closed
before it and opened again after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from danubia_core.document import BLOCK_TAGS, TEXT, Document
from danubia_core.nodes import (
    Block,
    Break,
    Definition,
    DefinitionList,
    Details,
    Emphasis,
    Heading,
    Inline,
    Item,
    List,
    Paragraph,
    Quote,
    Strike,
    Strong,
    Sub,
    Sup,
    Term,
    ThematicBreak,
    Tree,
)

MAX_DEPTH: Final = 40  # containers inside containers; deeper ones become plain blocks
MAX_INLINE_DEPTH: Final = 12

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\ufeff\u200b\u2060"))
_WRAPPERS: dict[str, Any] = {
    "b": Strong, "strong": Strong, "i": Emphasis, "em": Emphasis, "s": Strike, "del": Strike, "strike": Strike,
    "sub": Sub, "sup": Sup,
}  # fmt: skip
_HEADING_LEVEL = {f"h{k}": k for k in range(1, 7)}


class Frame:
    """An open container or inline wrapper: where it ends, and what to do there."""

    __slots__ = ("close", "end")

    def __init__(self, end: int, close: Callable[[], None]) -> None:
        self.end = end
        self.close = close


class Collector:
    """State of one scan.

    Attributes:
        blocks: the block list that is being filled.
        inline: the innermost open inline list.
        wrappers: (make, list) of open inline wrappers, outermost first; `line` is the outermost inline list.
        space: whether the line ends in white space (or is empty), so that a leading space is dropped.
        inline_only: above 0 inside headings, terms and summaries, where block boundaries are mere white space.
        flags: flags for new nodes.
    """

    def __init__(self, document: Document, dropped: bytearray, resolve: Callable[[str], str]) -> None:
        self.document = document
        self.dropped = dropped
        self.resolve = resolve
        self.blocks: list[Any] = []
        self.line: list[Any] = []
        self.inline = self.line
        self.wrappers: list[tuple[Callable[[list[Any]], Any], list[Any]]] = []
        self.space = True
        self.inline_only = 0
        self.depth = 0
        self.flags = 0
        self.frames: list[Frame] = []

    # --- inline -----------------------------------------------------------------------------------------------------

    def add_text(self, text: str) -> None:
        """Append page text, white space collapsed."""
        words = " ".join(text.split())
        if not words.isascii():
            words = words.translate(_INVISIBLE)
        if not words:
            if not self.space:
                self._append_text(" ")
                self.space = True
            return
        if not self.space and text[0].isspace():
            words = " " + words
        if text[-1].isspace():
            words += " "
            self.space = True
        else:
            self.space = False
        self._append_text(words)

    def _append_text(self, words: str) -> None:
        inline = self.inline
        if inline and type(inline[-1]) is str:
            inline[-1] += words
        else:
            inline.append(words)

    def add_inline(self, node: Any) -> None:
        """Append an inline node that is not text."""
        self.inline.append(node)
        self.space = False

    def add_break(self) -> None:
        """Append a line break; two in a row end the paragraph."""
        if self.inline_only:
            if not self.space:
                self._append_text(" ")
                self.space = True
            return
        last = self.inline[-1] if self.inline else None
        if type(last) is str and last == " " and len(self.inline) > 1:
            last = self.inline[-2]
        if type(last) is Break and self.inline is self.line:
            self.flush()
            return
        self.inline.append(Break(self.flags))
        self.space = True

    def open_wrapper(self, end: int, make: Callable[[list[Any]], Any]) -> None:
        """Open an inline wrapper that lasts to index `end`."""
        if len(self.wrappers) >= MAX_INLINE_DEPTH:
            return
        self.wrappers.append((make, []))
        self.inline = self.wrappers[-1][1]
        self.frames.append(Frame(end, self._close_wrapper))

    def _close_wrapper(self) -> None:
        make, content = self.wrappers.pop()
        outer = self.wrappers[-1][1] if self.wrappers else self.line
        self._wrap(make, content, outer)
        self.inline = outer

    def _wrap(self, make: Callable[[list[Any]], Any], content: list[Any], outer: list[Any]) -> None:
        """Append the wrapped content to `outer`, with white space and breaks at its edges moved outside."""
        after: list[Any] = []
        while content and (type(content[-1]) is Break or (type(content[-1]) is str and not content[-1].strip())):
            after.append(content.pop())
        if content and type(content[-1]) is str and content[-1].endswith(" "):
            content[-1] = content[-1][:-1]
            after.append(" ")
        if content and type(content[0]) is str and content[0].startswith(" "):
            content[0] = content[0][1:]
            _push(outer, " ")
            if not content[0]:
                del content[0]
        if content:
            outer.append(make(content))
        for node in reversed(after):
            _push(outer, node)

    # --- blocks -----------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """End the current line: it becomes a paragraph, or just white space where only inline content may stand."""
        if self.inline_only:
            if not self.space:
                self._append_text(" ")
                self.space = True
            return
        if not self.line and not (self.wrappers and any(content for _, content in self.wrappers)):
            self.space = True
            return
        self._fold_wrappers()
        content = trim_line(self.line)
        self.line = []
        self._reopen_wrappers()
        self.space = True
        if content:
            self.blocks.append(Paragraph(self.flags, content))

    def _fold_wrappers(self) -> None:
        for k in range(len(self.wrappers) - 1, -1, -1):
            make, content = self.wrappers[k]
            outer = self.wrappers[k - 1][1] if k else self.line
            if content:
                self._wrap(make, content, outer)

    def _reopen_wrappers(self) -> None:
        self.wrappers = [(make, []) for make, _ in self.wrappers]
        self.inline = self.wrappers[-1][1] if self.wrappers else self.line

    def add_block(self, node: Any) -> None:
        """Append a finished block after what stands before it."""
        self.flush()
        self.blocks.append(node)

    def open_inline_block(self, end: int, finish: Callable[[list[Any]], None]) -> None:
        """Open a block that holds only inline content (heading, term, summary); `finish` gets the content."""
        if self.inline_only:
            return
        self.flush()
        saved = (self.line, self.inline, self.wrappers)
        self.line = []
        self.inline, self.wrappers = self.line, []
        self.inline_only += 1

        def close() -> None:
            self._fold_wrappers()
            content = trim_line(self.line)
            self.line, self.inline, self.wrappers = saved
            self.inline_only -= 1
            self.space = True
            finish(content)

        self.frames.append(Frame(end, close))

    def open_container(self, end: int, finish: Callable[[list[Any]], None]) -> None:
        """Open a block that holds blocks; `finish` gets them."""
        self.flush()
        if self.depth >= MAX_DEPTH or self.inline_only:
            return
        saved = self.blocks
        wrappers = self.wrappers
        self.wrappers = []
        self.line = []
        self.inline = self.line
        self.blocks = []
        self.depth += 1

        def close() -> None:
            self.flush()
            content = self.blocks
            self.blocks = saved
            self.wrappers = wrappers
            self._reopen_wrappers()
            self.depth -= 1
            finish(content)

        self.frames.append(Frame(end, close))

    def open_plain(self, end: int) -> None:
        """Open a block that is only a boundary."""
        self.flush()
        self.frames.append(Frame(end, self.flush))

    # --- the scan ---------------------------------------------------------------------------------------------------

    def scan(self, start: int, stop: int) -> None:
        """Collect the nodes from `start` to `stop` (a subtree's inside, or several whole subtrees)."""
        document, dropped, frames = self.document, self.dropped, self.frames
        tags, ends, texts = document.tag, document.end, document.text
        floor = len(frames)
        handlers = HANDLERS
        k = start
        while k < stop:
            while len(frames) > floor and frames[-1].end <= k:
                frames.pop().close()
            if dropped[k]:
                k = ends[k]
                continue
            tag = tags[k]
            if tag == TEXT:
                self.add_text(texts[k])
                k += 1
                continue
            handler = handlers.get(tag)
            if handler is not None:
                k = handler(self, k)
                continue
            if tag in BLOCK_TAGS:
                self.open_plain(ends[k])
            k += 1
        while len(frames) > floor:
            frames.pop().close()


def _push(outer: list[Any], node: Any) -> None:
    if type(node) is str and outer and type(outer[-1]) is str:
        if not (node == " " and outer[-1].endswith(" ")):
            outer[-1] += node
    else:
        outer.append(node)


def trim_line(line: list[Any]) -> list[Any]:
    """Remove white space and breaks at both ends of a line of inline content."""
    while line:
        last = line[-1]
        if type(last) is Break:
            line.pop()
        elif type(last) is str:
            line[-1] = last.rstrip()
            if line[-1]:
                break
            line.pop()
        else:
            break
    while line:
        first = line[0]
        if type(first) is Break:
            line.pop(0)
        elif type(first) is str:
            line[0] = first.lstrip()
            if line[0]:
                break
            line.pop(0)
        else:
            break
    return line


def collect_tree(
    document: Document, regions: list[int], dropped: bytearray, resolve: Callable[[str], str], flags: int
) -> Tree:
    """Collect the subtrees at `regions`, less those with a true byte in `dropped`, into a Tree."""
    collector = Collector(document, dropped, resolve)
    collector.flags = flags
    for i in regions:
        collector.scan(i, document.end[i])
        collector.flush()
    return Tree(collector.blocks)


from danubia_core.handlers import HANDLERS  # noqa: E402 - the handlers are typed against Collector
