"""Footnotes: marks that point to a later element of the page, and that element as the definition.

A mark is a short link with a fragment (raised, or named as a note's) whose target stands later in the page. Its
target, or the block around it, becomes the definition; links back to marks go. Definitions that the selection
left out are still part of the text that points to them, so they are collected at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from danubia_core.document import Document
from danubia_core.handlers.loose_notes import strip_label, unmark_notes
from danubia_core.nodes import FootnoteDefinition, FootnoteRef

if TYPE_CHECKING:
    from danubia_core.collect import Collector

MAX_MARK_BYTES: Final = 12
MAX_NOTE_BYTES: Final = 6000
MAX_CLIMB: Final = 4
MAX_FETCHED_BYTES: Final = 1500  # all definitions that stand outside the selected content

_MARK = re.compile(r"[\[(]?\s*(\d{1,4}|[a-z]{1,2}|[*†‡§¶#]{1,3}|(?:note|n\.?)\s*\d{1,3})\s*[\])]?", re.IGNORECASE)
_NOTE_NAME = re.compile(r"(?:^|[\W_])(?:ft?n|foot|end)|note|ftn", re.IGNORECASE)
_BACK_NAME = re.compile(r"ref|back|anchor|marker|src|link", re.IGNORECASE)
_PLAIN_NAMES: Final = ("footnote-", "fn", "fn-", "fn:", "footnote", "footnote_", "note-", "_ftn")
_ARROWS: Final = frozenset("↩ ↩︎ ↑ ^ ⤴ ⤴︎ ↵ ⏎ ← ⬆ back return ↥ ⇑ ▲".split())
_NOTE_BLOCKS: Final = frozenset("li p dd div aside section blockquote details".split())
_INLINE_TARGETS: Final = frozenset("a span sup b strong small em i cite".split())


class NoteIndex:
    """Targets of fragments on one page; built when the first possible mark is met."""

    def __init__(self, document: Document, resolve: Callable[[str], str]) -> None:
        self.document = document
        self.resolve = resolve
        self.targets: dict[str, int] | None = None
        self.labels: dict[int, str] = {}
        self.taken: set[str] = set()
        self.last_number = 0
        self.page = ""
        self.open_notes = 0
        self.in_line: set[int] = set()
        self.made: dict[int, FootnoteDefinition] = {}

    def find_target(self, fragment: str) -> int:
        """Return the index of the element that a fragment names, -1 if none."""
        if self.targets is None:
            self.targets = self._read_targets()
        return self.targets.get(fragment, self.targets.get("<" + fragment.replace("ftn", "ftnref", 1), -1))

    def _read_targets(self) -> dict[str, int]:
        """Return elements by id or name; word processors' notes have neither, their links back (`<_ftnref1`) do."""
        targets: dict[str, int] = {}
        tags = self.document.tag
        for i, attributes in enumerate(self.document.attrs):
            if not attributes:
                continue
            if name := attributes.get("id") or (tags[i] == "a" and attributes.get("name")):
                targets.setdefault(name, i)
            href = attributes.get("href", "")
            if "ftnref" in href:
                targets.setdefault("<" + href.rpartition("#")[2], i)
        return targets

    def find_fragment(self, href: str) -> str:
        """Return the fragment of a link within the page, '' for any other link."""
        if href[:1] == "#":
            return href[1:]
        path, mark, fragment = href.partition("#")
        if not mark or not fragment:
            return ""
        if not self.page:
            self.page = self.resolve("").partition("#")[0] or "-"
        return fragment if self.resolve(path) == self.page else ""


def add_note_mark(c: Collector, i: int, href: str) -> bool:
    """Add the link at `i` as a footnote's mark, or drop it as a link back to one; False if it is neither."""
    document = c.document
    if document.text_bytes(i) > MAX_MARK_BYTES + 8:
        return False
    index = c.note_index
    fragment = index.find_fragment(href)
    if index.open_notes and _is_back_link(c, i, fragment or href.rpartition("#")[2]):
        return True
    if not fragment:
        return False
    text = document.inner_text(i)
    found = _MARK.fullmatch(text)
    if found is None or not _looks_like_mark(c, i, text, fragment):
        return False
    note = _find_note(c, i, index.find_target(fragment))
    if note < 0:
        return False
    _add_mark(c, note, found[1])
    return True


def add_plain_mark(c: Collector, i: int, number: str) -> bool:
    """Add the raised number at `i`, no link, as a mark if a later element is named as the note of that number."""
    index = c.note_index
    for name in _PLAIN_NAMES:
        note = _find_note(c, i, index.find_target(name + number))
        if note >= 0:
            _add_mark(c, note, number)
            return True
    return False


def add_inline_note(c: Collector, i: int) -> int:
    """Add the mark of a note whose text stands in the line (or hidden in it); 0 if there is no such text."""
    document = c.document
    note = i
    for k in range(i + 1, min(document.end[i], i + 12)):
        names = document.attrs[k].get("class", "").lower()
        if (
            "note" in names
            and document.text_bytes(k) > MAX_MARK_BYTES
            and document.tag[k] in ("span", "small", "aside")
        ):
            note = k
            break
    if not MAX_MARK_BYTES < document.text_bytes(note) <= MAX_NOTE_BYTES or c.inline_only or c.note_index.open_notes:
        return 0
    c.note_index.in_line.add(note)
    mark = "".join(document.text[i:note]).strip()
    _add_mark(c, note, mark if mark.isdecimal() else "")
    return document.end[i]


def _add_mark(c: Collector, note: int, mark: str) -> None:
    index = c.note_index
    label = index.labels.get(note)
    if label is None:
        label = _choose_label(index, mark)
        index.labels[note] = label
        index.taken.add(label)
        c.notes[note] = label
    c.add_inline(FootnoteRef(c.flags, label))


def _is_back_link(c: Collector, i: int, fragment: str) -> bool:
    text = c.document.inner_text(i)
    if text.lower() in _ARROWS or not text:
        return True
    target = c.note_index.find_target(fragment)
    if target < 0:
        return _BACK_NAME.search(fragment) is not None and _MARK.fullmatch(text) is not None
    return target <= i and len(text) <= MAX_MARK_BYTES


def _looks_like_mark(c: Collector, i: int, text: str, fragment: str) -> bool:
    """Whether a short link is raised, or what it is called says that it marks a note."""
    document = c.document
    up = document.parent[i]
    if document.tag[up] == "sup" or document.tag[document.parent[up]] == "sup" or document.find(i, {"sup"}) >= 0:
        return True
    if not text.isalnum() and text[0] not in "[(":
        return True
    attributes = document.attrs[i]
    names = f"{attributes.get('class', '')} {attributes.get('data-type', '')} {attributes.get('role', '')} {fragment}"
    return _NOTE_NAME.search(names) is not None


def _find_note(c: Collector, i: int, target: int) -> int:
    """Return the element that holds the note whose target is given, -1 if it cannot be one."""
    document = c.document
    if target <= i:
        return -1
    note = target
    for _ in range(MAX_CLIMB):
        if document.tag[note] in _NOTE_BLOCKS and document.text_bytes(note) > MAX_MARK_BYTES // 3:
            break
        if document.tag[note] not in _INLINE_TARGETS and document.tag[note] not in _NOTE_BLOCKS:
            return -1
        note = document.parent[note]
    if document.tag[note] not in _NOTE_BLOCKS or note <= i < document.end[note]:
        return -1
    if note != target and note in c.note_index.labels:
        return -1
    return note if note > i and 0 < document.text_bytes(note) <= MAX_NOTE_BYTES else -1


def _choose_label(index: NoteIndex, mark: str) -> str:
    taken = index.taken
    label = mark.split()[-1] if mark.strip() else ""
    if label.isalnum() and len(label) < 5 and label not in taken:
        return label
    number = max(len(taken) + 1, index.last_number)
    while str(number) in taken:
        number += 1
    index.last_number = number
    return str(number)


def open_note(c: Collector, i: int) -> None:
    """Open the definition at `i`; the element itself is handled inside it."""
    label = c.notes.pop(i)
    index = c.note_index
    index.open_notes += 1

    def finish(content: list[Any]) -> None:
        index.open_notes -= 1
        blocks = strip_label(_unwrap_item(content), label)
        if blocks:
            index.made[i] = node = FootnoteDefinition(c.flags, label, blocks)
            c.blocks.append(node)

    depth = c.depth
    c.open_container(c.document.end[i], finish, "list" if c.document.tag[i] == "li" else "note")
    if c.depth == depth:  # too deep for a container
        index.open_notes -= 1


def _unwrap_item(content: list[Any]) -> list[Any]:
    """Return the blocks of a definition that is a list item."""
    out: list[Any] = []
    for node in content:
        out.extend(node.children if type(node).__name__ == "Item" else [node])
    return out


def add_missing_notes(c: Collector) -> None:
    """Collect the definitions that the scan has not met; a long apparatus that the selection left out stays out."""
    document = c.document
    outside = [i for i in c.notes if i not in c.note_index.in_line]
    size = sum(document.text_bytes(i) for i in outside)
    if size > MAX_FETCHED_BYTES:
        labels = {c.notes.pop(i) for i in outside}
        unmark_notes(c.blocks, labels)
    while c.notes:
        i = min(c.notes)
        for k in (i, i + 1):
            c.dropped[k] = 0
        at = len(c.blocks)
        c.scan(i, document.end[i])
        c.flush()
        c.notes.pop(i, None)
        _move_to_place(c, i, at)


def _move_to_place(c: Collector, i: int, at: int) -> None:
    """Move the blocks from `at` on before the definition that follows the one at `i` in the page, if that is near."""
    after = [k for k in c.note_index.made if k > i]
    if not after:
        return
    following = c.note_index.made[min(after)]
    place = next((k for k in range(at) if c.blocks[k] is following), -1)
    if place >= 0:
        moved = c.blocks[at:]
        del c.blocks[at:]
        c.blocks[place:place] = moved


def is_inside_note(c: Collector) -> bool:
    """Whether a definition is open."""
    return c.note_index.open_notes > 0


__all__ = ["NoteIndex", "add_missing_notes", "add_note_mark", "is_inside_note", "open_note"]
