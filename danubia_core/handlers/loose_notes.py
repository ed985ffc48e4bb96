"""Notes without links: raised numbers, and numbered paragraphs after a rule or a heading that says so."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any, Final

from danubia_core.handlers.lines import read_line, trim_line
from danubia_core.nodes import FootnoteDefinition, FootnoteRef, Heading, Paragraph, Strong, Sup, ThematicBreak

_EMPTY_BRACKETS = re.compile(r"\s*(?:\[\s*\]|\(\s*\))[.:]?\s*")
_LABEL_HEAD = re.compile(r"\s*[\[(]?(\w{1,4}|[*†‡§¶]{1,3})[\])]?\s*[.:)\]]?\s+")
_NOTE_HEADINGS: Final = frozenset(
    "notes footnotes endnotes references anmerkungen fußnoten notas noten примечания сноски 脚注 注释 注".split()
)


def strip_label(blocks: list[Any], label: str) -> list[Any]:
    """Remove the note's own number from its start."""
    if len(blocks) > 1 and type(blocks[0]) is Paragraph and _is_label(read_line(blocks[0].children), label):
        return blocks[1:]
    if not blocks or type(blocks[0]) is not Paragraph:
        return blocks
    line: list[Any] = blocks[0].children
    first = line[0]
    if type(first) is str:
        found = _LABEL_HEAD.match(first)
        empty = _EMPTY_BRACKETS.match(first)  # a link back stood in them
        if found and found[1] == label:
            line[0] = first[found.end() :]
        elif empty:
            line[0] = first[empty.end() :]
    elif type(first) in (Sup, Strong) and _is_label(read_line(first.children), label):
        del line[0]
        if line and type(line[0]) is str:
            line[0] = line[0].lstrip(" .:)]")
    trim_line(line)
    return blocks if line else blocks[1:]


def _is_label(text: str, label: str) -> bool:
    return text.strip(" []().:") == label


def link_notes(blocks: list[Any]) -> list[Any]:
    """Return a page's blocks with notes that have no links linked, and without a rule between text and notes."""
    blocks = _link_loose_notes(blocks)
    return [
        node
        for node, after in zip_longest(blocks, blocks[1:])
        if not (type(node) is ThematicBreak and type(after) is FootnoteDefinition)
    ]


def _link_loose_notes(blocks: list[Any]) -> list[Any]:
    """Turn numbered paragraphs after a rule or a notes heading into definitions, if raised numbers point to them."""
    start = _find_delimiter(blocks)
    if start < 0:
        return blocks
    notes: list[FootnoteDefinition] = []
    for node in blocks[start + 1 :]:
        label = _find_number(node)
        if label:
            if label != str(len(notes) + 1):
                return blocks
            notes.append(FootnoteDefinition(node.flags, label, [node]))
        elif notes:
            notes[-1].children.append(node)
    body = blocks[:start]
    marks = _find_raised(body)
    if not notes or any(note.label not in marks for note in notes):
        return blocks
    for note in notes:
        note.children = strip_label(note.children, note.label)
        for line, k in marks[note.label]:
            line[k] = FootnoteRef(line[k].flags, note.label)
    if type(blocks[start]) is Heading:
        body.append(blocks[start])
    return [*body, *notes]


def _find_delimiter(blocks: list[Any]) -> int:
    for k in range(len(blocks) - 2, 0, -1):
        node = blocks[k]
        is_heading = type(node) is Heading and read_line(node.children).strip(" :").lower() in _NOTE_HEADINGS
        if (type(node) is ThematicBreak or is_heading) and _find_number(blocks[k + 1]) == "1":
            return k
    return -1


def _find_number(node: Any) -> str:
    """Return the number that a paragraph starts with, raised or bold."""
    if type(node) is not Paragraph or len(node.children) < 2 or type(node.children[0]) not in (Sup, Strong):
        return ""
    head: Any = node.children[0]
    text = read_line(head.children).strip(" []().")
    return text if text.isascii() and text.isdecimal() and len(text) < 4 else ""


def _find_raised(blocks: list[Any]) -> dict[str, list[tuple[list[Any], int]]]:
    """Return the places of raised numbers: number → (line, index)."""
    found: dict[str, list[tuple[list[Any], int]]] = {}
    stack: list[list[Any]] = [node.children for node in blocks if hasattr(node, "children")]
    while stack:
        line = stack.pop()
        for k, node in enumerate(line):
            if type(node) is Sup and len(node.children) == 1 and type(node.children[0]) is str:
                found.setdefault(node.children[0].strip(" []()"), []).append((line, k))
            elif hasattr(node, "children"):
                stack.append(node.children)
    return found


def unmark_notes(blocks: list[Any], labels: set[str]) -> None:
    """Turn the marks of some notes back into raised text."""
    stack: list[list[Any]] = [blocks]
    while stack:
        line = stack.pop()
        for k, node in enumerate(line):
            if type(node) is FootnoteRef:
                if node.label in labels:
                    line[k] = Sup(node.flags, [node.label])
            elif hasattr(node, "children"):
                stack.append(node.children)
