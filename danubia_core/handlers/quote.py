"""Quotations, callouts and disclosure blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from danubia_core.handlers.lines import read_line, trim_line
from danubia_core.nodes import Details, Heading, Paragraph, Quote, Strong, Term

if TYPE_CHECKING:
    from danubia_core.collect import Collector

CALLOUT_KINDS: Final = frozenset(
    "note info tip hint important warning caution danger error success example question faq abstract summary todo bug "
    "failure attention seealso tldr check help deprecated".split()
)
CALLOUT_ALIASES: Final = {
    "primary": "note", "secondary": "note", "warn": "warning", "critical": "danger", "notice": "note",
}  # fmt: skip
CALLOUT_BASES: Final = (
    "theme-admonition", "admonitionblock", "admonition", "markdown-alert", "callout", "alert", "custom-block",
    "notecard", "hint", "style", "type", "is", "adm", "docs-callout", "note-box",
)  # fmt: skip
CALLOUT_CLASSES: Final = frozenset(
    "theme-admonition admonitionblock admonition markdown-alert callout alert custom-block notecard hint docs-callout "
    "note-box".split()
)


def find_callout_kind(names: str) -> str:
    """Return the kind of callout that class names tell, '' for none.

    >>> find_callout_kind("alert alert--info")
    'info'
    """
    tokens = names.lower().split()
    bases = CALLOUT_CLASSES.intersection(tokens)
    if not bases and not any(token.startswith("markdown-alert-") for token in tokens):
        return ""
    for token in tokens:
        kind = token
        for base in CALLOUT_BASES:
            if token.startswith(base) and len(token) > len(base) and token[len(base)] in "-_":
                kind = token[len(base) :].strip("-_")
                break
        kind = CALLOUT_ALIASES.get(kind, kind)
        if kind in CALLOUT_KINDS and token not in bases:
            return kind
    return "note" if bases & {"admonition", "admonitionblock"} else ""


def open_callout(c: Collector, i: int, kind: str) -> int:
    """Open a callout; a title that only repeats its kind goes."""

    def finish(content: list[Any]) -> None:
        name = kind
        if content and type(content[0]) in (Paragraph, Heading):
            name, content = _read_title(content, kind)
        if content:
            c.blocks.append(Quote(c.flags, name, content))

    c.open_container(c.document.end[i], finish, "quote")
    return i + 1


def _read_title(content: list[Any], kind: str) -> tuple[str, list[Any]]:
    """Return the kind that a callout's first words give, if they do, and its content without them."""
    line = content[0].children
    title = _read_kind(line)
    if title == kind and len(content) > 1:
        return kind, content[1:]
    if len(line) > 1 and type(line[0]) is Strong and (title := _read_kind(line[:1])) in CALLOUT_KINDS:
        rest = line[1:]
        if type(rest[0]) is str:
            rest[0] = rest[0].lstrip(" :")
        if trim_line(rest):
            return title, [Paragraph(content[0].flags, rest), *content[1:]]
    return kind, content


def _read_kind(line: list[Any]) -> str:
    return read_line(line).strip(" :!").lower().replace(" ", "")


def open_quote(c: Collector, i: int) -> int:
    """Open blockquote."""

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Quote(c.flags, "", content))

    c.open_container(c.document.end[i], finish, "quote")
    return i + 1


def open_details(c: Collector, i: int) -> int:
    """Open details; one whose summary is a heading is a section like any other."""

    def finish(content: list[Any]) -> None:
        summary = next((node for node in content if type(node) is Term), None)
        rest = [node for node in content if node is not summary]
        blocks = [Paragraph(c.flags, node.children) if type(node) is Term else node for node in rest]
        if summary is None:
            c.blocks.extend(blocks)
        elif blocks:
            c.blocks.append(Details(c.flags, summary.children, blocks))
        else:
            c.blocks.append(Paragraph(c.flags, summary.children))

    c.open_container(c.document.end[i], finish, "details")
    return i + 1


def open_summary(c: Collector, i: int) -> int:
    """Open summary."""
    document = c.document

    def finish(content: list[Any]) -> None:
        if content:
            c.blocks.append(Term(c.flags, content))

    if c.kind != "details" or document.has_heading(i):
        c.open_plain(document.end[i])
    else:
        c.open_inline_block(document.end[i], finish)
    return i + 1


QUOTE_HANDLERS = {"blockquote": open_quote, "details": open_details, "summary": open_summary}
