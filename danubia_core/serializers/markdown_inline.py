"""Inline content as Markdown: one function a node kind, each appends its pieces to the line's list.

Images, links and code have the plain CommonMark form. A hard break is two spaces and a new line: a backslash would
stand in the words of everyone who reads the Markdown as text. Subscripts and superscripts have no tags (see
scripts.py). Emphasis is written with delimiters that `emphasis.settle_delimiters` checks where a letter does not make
them safe.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from danubia_core import nodes
from danubia_core.serializers.addresses import is_followable
from danubia_core.serializers.code_spans import join_code, read_code, render_code
from danubia_core.serializers.delimiter_runs import LINK_START, Delimiter
from danubia_core.serializers.emphasis import (
    close_mark,
    open_mark,
    pick_closer,
    pick_opener,
    settle_delimiters,
    trim_pieces,
)
from danubia_core.serializers.markdown_escape import (
    DOLLARS,
    IN_CELL,
    IN_EMPHASIS,
    IN_HEADING,
    IN_LINK,
    IN_STRIKE,
    IN_STRONG,
    LINE_STARTS,
    LONE_STAR,
    escape_destination,
    escape_text,
    escape_title,
    protect_line,
)
from danubia_core.serializers.scripts import mark_lowered, mark_raised

if TYPE_CHECKING:
    from collections.abc import Callable

HARD_BREAK: Final = "  \n"
_DEFINITION: Final = re.compile(r"\[(?:[^\[\]\\]|\\.)+\]:", re.DOTALL)  # of a link's address, at a paragraph's start


def render_line(children: list[nodes.Inline], state: int = 0) -> str:
    """Return a block's inline content, trimmed; its line starts are not yet protected."""
    if len(children) == 1 and type(children[0]) is str:
        text = children[0]
        line = escape_text(text, state)
        if line is text and "$" not in line:
            return line.strip()
        out = [line]
    else:
        out = []
        write_inlines(children, out, state)
        line = "".join(out)
    if "*" in line or "$" in line or "~" in line or "[^" in line:
        line = _settle_line(children, out, line, state)
    line = line.strip()
    return line[:-2] + "]" if line[-2:] == "\\]" else line  # escaped for what might follow: nothing does


def render_paragraph(node: nodes.Paragraph) -> str:
    """Return a paragraph's Markdown, one or more lines with hard breaks between them; '' if it holds nothing."""
    line = render_line(node.children)
    if line[:1] == "[" and _DEFINITION.match(line):
        line = render_line(node.children, IN_LINK)  # code with `]:` in it: better no link than no words
    if "\n" in line:
        lines = [protect_line(stripped) for part in line.split("\n") if (stripped := part.strip())]
        return HARD_BREAK.join(lines)
    return protect_line(line) if line[:1] in LINE_STARTS else line


def write_inlines(children: list[nodes.Inline], out: list[str], state: int) -> None:
    """Append the pieces of `children` to `out`, none of them empty: the writers look at the piece before."""
    for child in children:
        kind = type(child)
        if kind is str:
            if child:
                out.append(escape_text(child, state))  # type: ignore[arg-type]  # `kind` is str
        else:
            _INLINE[kind](child, out, state)


# A line as a whole ---------------------------------------------------------------------------------------------------

# A dollar sign opens mathematics before a character that is not white space, and closes it after one, unless a digit
# follows (Pandoc's rule, which keeps prices apart from formulas); two make a displayed formula.
_READS_AS_MATH: Final = re.compile(r"\$(?![\s$])[^$]*(?<!\s)\$(?!\d)|\$\$")


def _settle_line(children: list[nodes.Inline], out: list[str], line: str, state: int) -> str:
    """Mend what only the whole line shows; `out` holds its pieces."""
    again = state
    if "$" in line and not state & DOLLARS and _holds_false_math(children, line):
        again |= DOLLARS
    if "\\*" in line and line.count("*") == 1 and not state & LONE_STAR:
        again |= LONE_STAR
    if again != state:
        return render_line(children, again)
    settle_delimiters(out)
    if "[" in line:
        _part_brackets(out)
    if line.count("`") > 2:
        join_code(out)
    line = "".join(out)
    # A single tilde at the start opens at most, and closers are escaped: "~5 km" needs nothing.
    return line[1:] if line[:2] == "\\~" and line[2:3].isalnum() else line


def _part_brackets(out: list[str]) -> None:
    """Keep a footnote's mark, and punctuation that has moved to a link, from meaning something with what follows."""
    before, previous = "", -1
    for place, piece in enumerate(out):
        if not piece:
            continue
        if piece[0] in "(:" and before.startswith("[^"):
            out[place] = "\\" + piece
        elif piece is LINK_START and before.endswith("!"):
            text = before[:-1]
            if (len(text) - len(text.rstrip("\\"))) % 2 == 0:  # else it is escaped already
                out[previous] = text + "\\!"
        before, previous = piece, place


def _holds_false_math(children: list[nodes.Inline], line: str) -> bool:
    formulas = _count_formulas(children)
    if formulas:
        return line.count("$") > 2 * formulas
    return _READS_AS_MATH.search(line) is not None


def _count_formulas(children: list[nodes.Inline]) -> int:
    count = 0
    for child in children:
        if type(child) is nodes.Math:
            count += 1
        elif type(child) is not str:
            count += _count_formulas(getattr(child, "children", []))
    return count


# The node kinds ------------------------------------------------------------------------------------------------------


def _write_strong(node: nodes.Strong, out: list[str], state: int) -> None:
    _write_marked("**", IN_STRONG, node.children, out, state)


def _write_emphasis(node: nodes.Emphasis, out: list[str], state: int) -> None:
    _write_marked("*", IN_EMPHASIS, node.children, out, state)


def _write_strike(node: nodes.Strike, out: list[str], state: int) -> None:
    _write_marked("~~", IN_STRIKE, node.children, out, state)


def _write_marked(mark: str, kind: int, children: list[nodes.Inline], out: list[str], state: int) -> None:
    if state & kind:  # the same emphasis within itself: once is enough
        write_inlines(children, out, state)
        return
    if len(children) == 1 and type(children[0]) is str and not (out and type(out[-1]) is Delimiter):
        text = escape_text(children[0], state)
        if text and not text[0].isspace() and not text[-1].isspace():
            out += (pick_opener(mark, text), text, pick_closer(mark, text))
            return
    start = open_mark(mark, out)
    write_inlines(children, out, state | kind)
    close_mark(mark, out, start)


def _write_sub(node: nodes.Sub, out: list[str], state: int) -> None:
    if len(node.children) == 1 and type(node.children[0]) is str:
        if node.children[0]:
            text = mark_lowered(_find_character_before(out), node.children[0])
            mark = "_" if text != node.children[0] else ""  # before a digit: no delimiter that closes
            out.append(mark + escape_text(text[len(mark) :], state))
    else:
        write_inlines(node.children, out, state)


def _write_sup(node: nodes.Sup, out: list[str], state: int) -> None:
    if len(node.children) == 1 and type(node.children[0]) is str:
        if node.children[0]:
            out.append(escape_text(mark_raised(_find_character_before(out), node.children[0]), state))
    else:
        write_inlines(node.children, out, state)


def _find_character_before(out: list[str]) -> str:
    """Return the last character a reader sees so far: delimiters and what ends links and code are not."""
    for piece in reversed(out):
        if piece.startswith(("](", "![")) or type(piece) is not str:
            continue
        return read_code(piece)[-1:] if piece[0] == "`" else piece[-1]
    return ""


def _write_code(node: nodes.Code, out: list[str], _state: int) -> None:
    text = node.text
    if not text.strip():
        if text:
            out.append(" ")
    elif out and out[-1][0] == "`":
        out[-1] = render_code(read_code(out[-1]) + text)  # two spans side by side would share their ticks
    else:
        out.append(render_code(text))


def _write_link(node: nodes.Link, out: list[str], state: int) -> None:
    children = node.children
    href = node.href
    if state & IN_LINK or not is_followable(href):
        write_inlines(children, out, state)
        return
    if out and out[-1][-1:] == "!":
        out[-1] = out[-1][:-1] + "\\!"  # else an image
    end = f"]({escape_destination(href)}{escape_title(node.title) if node.title else ''})"
    if len(children) == 1 and type(children[0]) is str:
        text = escape_text(children[0], state | IN_LINK)
        if text and not (text[0].isspace() or text[-1].isspace()):
            out += (LINK_START, text, end)
            return
    out.append(LINK_START)
    start = len(out)
    write_inlines(children, out, state | IN_LINK)
    lead, tail = trim_pieces(out, start)
    if len(out) == start:
        out.pop()
    else:
        out.append(end)
        if lead:
            out.insert(start - 1, lead)
        lead = ""
    if lead or tail:
        out.append(lead + tail)


def _write_image(node: nodes.Image, out: list[str], _state: int) -> None:
    if is_followable(node.src):
        alt = escape_text(" ".join(node.alt.split()), IN_LINK)
        out.append(f"![{alt}]({escape_destination(node.src)}{escape_title(node.title)})")


def _write_break(_node: nodes.Break, out: list[str], state: int) -> None:
    """A cell and a heading are one line: a break in them is a blank, as no tag of HTML may stand in the output."""
    if not state & (IN_CELL | IN_HEADING):
        out.append(HARD_BREAK)
    elif out and not out[-1].endswith(" "):
        out.append(" ")


def _write_math(node: nodes.Math, out: list[str], _state: int) -> None:
    tex = " ".join(node.tex.split())
    if tex:
        out.append(f"${tex}$")


def _write_footnote_ref(node: nodes.FootnoteRef, out: list[str], _state: int) -> None:
    label = render_label(node.label)
    if label:
        out.append(f"[^{label}]")


def render_label(label: str) -> str:
    """Return a footnote's label without the characters that no label may hold."""
    return re.sub(r"[\s\[\]^\\`*<>]+", "-", label.strip())


_INLINE: Final[dict[type, Callable[[Any, list[str], int], None]]] = {
    nodes.Strong: _write_strong,
    nodes.Emphasis: _write_emphasis,
    nodes.Strike: _write_strike,
    nodes.Sub: _write_sub,
    nodes.Sup: _write_sup,
    nodes.Code: _write_code,
    nodes.Link: _write_link,
    nodes.Image: _write_image,
    nodes.Break: _write_break,
    nodes.Math: _write_math,
    nodes.FootnoteRef: _write_footnote_ref,
}
