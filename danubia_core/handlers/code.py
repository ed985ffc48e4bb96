"""Code blocks and inline code."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any, Final

from danubia_core.document import BLOCK_TAGS, TEXT, Document
from danubia_core.handlers.code_text import is_gutter, read_code, trim_code
from danubia_core.handlers.languages import find_language
from danubia_core.nodes import Code, CodeBlock, Paragraph

if TYPE_CHECKING:
    from danubia_core.collect import Collector

TRANSPARENT: Final = frozenset("pre div p ul ol table section article h1 h2 h3 h4".split())
LABELS: Final = {
    "javascript": "js", "typescript": "ts", "python": "py", "shell": "sh", "c++": "cpp", "c#": "csharp", "yaml": "yml",
    "markdown": "md", "ruby": "rb", "html": "markup",
}  # fmt: skip
CODE_CELLS: Final = frozenset(
    "code rouge-code blob-code blob-code-inner lntd hljs-ln-code line-code code-line linecode crayon-code "
    "linenos lineno gutter rouge-gutter blob-num line-content".split()
)
MAX_JOINED: Final = 20_000  # characters of a listing that a further piece still joins: each time, all are copied
PROMPT_CELLS: Final = frozenset(("prompt", "prompts", "command-line-prompt"))


def add_code_text(c: Collector, i: int, text: str) -> None:
    """Add a code block, or inline code where only that may stand."""
    blank = "\n" * (text[len(text.rstrip()) :].count("\n") > 1)
    text = trim_code(text)
    if not text:
        return
    if c.inline_only:
        c.add_inline(Code(c.flags, " ".join(text.split())))
        return
    language = find_language(c.document, i)
    c.flush()
    if language and c.blocks and _is_label(c.blocks[-1], language):
        c.blocks.pop()
    if c.blocks and _continues(c, i, language):
        c.blocks[-1].text += f"\n{c.blank_after_code}{text}"
    else:
        c.blocks.append(CodeBlock(c.flags, language, text))
    c.code, c.blank_after_code = i, blank


def _continues(c: Collector, i: int, language: str) -> bool:
    """Whether a piece of code goes on with the listing before it.

    Some highlighters give each piece of one listing, and each output, an element of its own: neighbours of the same
    parent and language of which one is a code element that no pre holds. Two pre side by side are two blocks.
    """
    document, before = c.document, c.code
    last = c.blocks[-1]
    if type(last) is not CodeBlock or not language or last.language != language or len(last.text) > MAX_JOINED:
        return False
    if document.parent[before] != document.parent[i] or not 0 <= i - document.end[before] <= 1:
        return False
    return "code" in (document.tag[i], document.tag[before])


def _is_label(node: Any, language: str) -> bool:
    """Whether a block is the label that a code viewer shows above the code."""
    if type(node) is not Paragraph or len(node.children) != 1 or type(node.children[0]) is not str:
        return False
    text = node.children[0].strip().lower()
    return text == language or LABELS.get(text) == language


def add_pre(c: Collector, i: int) -> int:
    """Add pre; one that holds whole paragraphs of prose is a plain block."""
    document = c.document
    table = document.find(i, {"table"})
    if table >= 0 and is_code_table(document, table):
        add_code_text(c, i, read_code_table(document, table))
        return document.end[i]
    add_code_text(c, i, read_code(document, i))
    return document.end[i]


def add_code(c: Collector, i: int) -> int:
    """Add code, kbd, samp, tt; one that holds blocks is transparent, one of several lines is a block."""
    document = c.document
    end = document.end[i]
    if end == i + 2 and document.tag[i + 1] == TEXT:
        text = document.text[i + 1]
        if "\n" not in text and not _is_named_block(document, i):
            _add_inline_code(c, text)
            return end
    if _holds_block(c, i):
        return i + 1
    text = read_code(document, i)
    if document.tag[i] == "code" and not c.inline_only and _is_block_code(document, i, text):
        add_code_text(c, i, dedent(text))
    else:
        _add_inline_code(c, text)
    return end


def _holds_block(c: Collector, i: int) -> bool:
    """Whether a block stands inside; the last one found is remembered, so nested code is looked through once."""
    known = c.block_in_code
    if not i < known < c.document.end[i]:
        c.block_in_code = known = c.document.find(i, TRANSPARENT)
    return i < known < c.document.end[i]


def _add_inline_code(c: Collector, text: str) -> None:
    words = " ".join(text.split()).replace("\u200b", "")
    if not words:
        c.add_space()
        return
    if text[0].isspace():
        c.add_space()
    c.add_inline(Code(c.flags, words))
    if text[-1].isspace():
        c.add_space()


def _is_block_code(document: Document, i: int, text: str) -> bool:
    if _is_named_block(document, i):
        return True
    style = document.attrs[i].get("style", "").replace(" ", "").lower()
    if "\n" not in text.strip():
        return "display:block" in style
    return document.find(i, {"br"}) >= 0 or "white-space:pre" in style or "display:block" in style


def _is_named_block(document: Document, i: int) -> bool:
    names = document.attrs[i].get("class", "")
    return "block" in names and "block" in names.lower().split()


def is_code_element(document: Document, i: int) -> bool:
    """Whether an element named as code is one by itself: several lines of text, and no blocks but line wrappers."""
    if document.end[i] - i > 20_000:
        return False
    lines = 0
    for k in range(i + 1, document.end[i]):
        tag = document.tag[k]
        if tag == TEXT:
            lines += "\n" in document.text[k]
        elif tag == "br":
            lines += 1
        elif tag in BLOCK_TAGS or tag in ("code", "a", "img"):
            return False
    return lines > 0


def add_code_element(c: Collector, i: int) -> int:
    """Add an element that a class or data attribute names as code."""
    add_code_text(c, i, read_code(c.document, i))
    return c.document.end[i]


# Tables that lay out code --------------------------------------------------------------------------------------------


def is_code_table(document: Document, i: int) -> bool:
    """Whether a table only lays out code: a gutter cell and a code cell, by class names or by what they hold."""
    row = document.find(i, {"tr"})
    if row < 0:
        return False
    cells = [k for k in document.children(row) if document.tag[k] in ("td", "th")][:4]
    if not 1 <= len(cells) <= 3:
        return False
    if any(not CODE_CELLS.isdisjoint(document.attrs[k].get("class", "").lower().split()) for k in cells):
        return _holds_code(document, i, cells)
    if any("data-line-number" in document.attrs[k] for k in cells):
        return True
    return len(cells) == 2 and _is_number_column(document, cells[0]) and document.find(cells[1], {"pre"}) >= 0


def _holds_code(document: Document, i: int, cells: list[int]) -> bool:
    if any(is_gutter(document, k) for k in cells) or document.find(i, {"pre", "code"}) >= 0:
        return True
    up = document.parent[i]
    return any(document.tag[k] in ("pre", "code") for k in (up, document.parent[up])) or any(
        "blob-code" in document.attrs[k].get("class", "") for k in cells
    )


def _is_beside_code(document: Document, k: int) -> bool:
    """Whether a cell holds line numbers or prompts."""
    names = document.attrs[k].get("class", "").lower().split()
    return not PROMPT_CELLS.isdisjoint(names) or is_gutter(document, k) or _is_number_column(document, k)


def _is_number_column(document: Document, k: int) -> bool:
    words = document.inner_text(k).split()
    return bool(words) and all(word.isdecimal() for word in words)


def read_code_table(document: Document, i: int) -> str:
    """Return the code of such a table, one line or block a row."""
    rows: list[str] = []
    k, stop = i, document.end[i]
    while k < stop:
        tag = document.tag[k]
        if tag == "tr":
            rows.append("")
        elif tag in ("td", "th"):
            if rows and not _is_beside_code(document, k):
                rows[-1] += read_code(document, k).strip("\n")
            k = document.end[k]
            continue
        k += 1
    return "\n".join(rows)


CODE_HANDLERS = {
    "pre": add_pre,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), add_code),
}
