"""White space of a line of inline content: at its edges, at the edges of wrappers, between pieces."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from danubia_core.nodes import Break

Make = Callable[[list[Any]], Any]

_INVISIBLE: Final = re.compile("[\u00ad\ufeff\u200b\u2060]+")  # soft hyphen, zero-width space and joiners
find_invisible: Final = _INVISIBLE.search


def remove_invisible(words: str) -> str:
    """Return text without characters that only tell where a line may break."""
    return " ".join(_INVISIBLE.sub("", words).split())


def push(line: list[Any], node: Any) -> None:
    """Append a node or text; text joins the text before it, and a blank does not follow a blank."""
    if type(node) is str and line and type(line[-1]) is str:
        if not (node == " " and line[-1].endswith(" ")):
            line[-1] += node
    else:
        line.append(node)


def wrap(make: Make, content: list[Any], outer: list[Any]) -> None:
    """Append the wrapped content to `outer`, with white space and breaks at its edges moved outside."""
    after: list[Any] = []
    while content and (type(content[-1]) is Break or (type(content[-1]) is str and not content[-1].strip())):
        after.append(content.pop())
    if content and type(content[-1]) is str and content[-1].endswith(" "):
        content[-1] = content[-1][:-1]
        after.append(" ")
    while content and (type(content[0]) is Break or content[0] == " "):
        push(outer, content.pop(0))
    if content and type(content[0]) is str and content[0].startswith(" "):
        content[0] = content[0][1:]
        push(outer, " ")
    if content:
        made = make(content)
        if type(made) is list:
            for node in made:
                push(outer, node)
        else:
            outer.append(made)
    for node in reversed(after):
        push(outer, node)


def trim_line(line: list[Any]) -> list[Any]:
    """Remove white space and breaks at both ends of a line of inline content, in place."""
    while line:
        last = line[-1]
        if type(last) is str:
            line[-1] = last.rstrip()
            if line[-1]:
                break
        elif type(last) is not Break:
            break
        line.pop()
    start = 0
    while start < len(line):
        first = line[start]
        if type(first) is str:
            line[start] = first.lstrip()
            if line[start]:
                break
        elif type(first) is not Break:
            break
        start += 1
    if start:
        del line[:start]
    return line


def read_line(children: list[Any]) -> str:
    """Return the characters of inline content."""
    parts: list[str] = []
    for child in children:
        if type(child) is str:
            parts.append(child)
        elif hasattr(child, "children"):
            parts.append(read_line(child.children))
        elif type(child) is Break:
            parts.append(" ")
        else:
            parts.append(getattr(child, "text", "") or getattr(child, "tex", ""))
    return "".join(parts)


def count_bytes(children: list[Any]) -> int:
    """Text of nodes and of all that they hold, UTF-8 bytes."""
    total = 0
    for child in children:
        if type(child) is str:
            total += len(child.encode("utf-8", "replace"))
        elif hasattr(child, "children"):
            total += count_bytes(child.children)
    return total
