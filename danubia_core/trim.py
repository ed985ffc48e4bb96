"""Trailing nodes made of links or headings only are cut, unless they are more than half of the text."""

from __future__ import annotations

from typing import Any

from danubia_core.handlers.lines import count_bytes, read_line
from danubia_core.nodes import Break, Heading, Image, Item, Link, List, Paragraph, Strong, ThematicBreak, Tree
from danubia_core.references import is_reference_title


def trim_tree(tree: Tree, total_bytes: int) -> int:
    """Cut trailing link-only and heading-only blocks; return the bytes cut."""
    blocks = tree.children
    keep, cut = len(blocks), 0
    while keep and (size := _trailing_bytes(blocks[keep - 1])) >= 0 and not _is_reference_list(blocks, keep - 1):
        cut += size
        keep -= 1
    if cut * 2 > total_bytes or not keep:
        return 0
    del blocks[keep:]
    return cut


def _is_reference_list(blocks: list[Any], k: int) -> bool:
    """Whether a list stands below a heading that announces references."""
    if k == 0 or type(blocks[k]) is not List or type(blocks[k - 1]) is not Heading:
        return False
    return is_reference_title(read_line(blocks[k - 1].children))


def _trailing_bytes(node: Any) -> int:
    """Text bytes of a node that is made of links or headings only, -1 for any other."""
    kind = type(node)
    if kind is ThematicBreak:
        return 0
    if kind is Heading:
        return count_bytes(node.children)
    if kind is Paragraph:
        return count_bytes(node.children) if _only_links(node.children) else -1
    if kind is List or kind is Item:
        sizes = [_trailing_bytes(child) for child in node.children]
        return sum(sizes) if min(sizes, default=0) >= 0 else -1
    return -1


def _only_links(children: list[Any]) -> bool:
    found = False
    for child in children:
        if type(child) is Link:
            found = True
        elif type(child) is str:
            if any(character.isalpha() for character in child):  # the number of the page that one is on is no text
                return False
        elif type(child) is Strong and _is_number(child):
            continue
        elif type(child) not in (Break, Image):
            return False
    return found


def _is_number(node: Strong) -> bool:
    return len(node.children) == 1 and type(node.children[0]) is str and node.children[0].strip().isdecimal()
