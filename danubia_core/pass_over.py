"""Elements whose content is no text of the page: read up to their end, what they may be good for kept aside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from danubia_core.document import NO_ATTRS, Document

Start = tuple[str, dict[str, str]]
Event = Start | str | None  # an element starts, text, an element ends

STATE_SCRIPT_IDS: Final = frozenset(("__NEXT_DATA__", "__NUXT_DATA__"))
EMBEDDING: Final = frozenset(("foreignobject", "foreignObject"))  # holds HTML inside of a drawing
NOTHING: Final[frozenset[str]] = frozenset()
# What ends a skipped element that nothing has closed (HTML, 13.2.6.5 for svg). What stands here for select is never
# among options, so the end tag of these was forgotten.
BREAKING: Final = {
    "svg": frozenset(
        "blockquote body center dd div dl dt h1 h2 h3 h4 h5 h6 hr img li main menu ol p pre ruby table ul "
        "article section form figure aside header footer nav".split()
    ),
    "select": frozenset("h1 h2 h3 h4 h5 h6 table form textarea select article section main p ul ol".split()),
}


def pass_over(
    document: Document, remaining: Iterator[Event], tag: str, attrs: dict[str, str], stack: list[int]
) -> Start | None:
    """Read up to the end of an element whose content is no text.

    Returns:
        The start of the element that breaks out of a drawing or a list of options which nothing closes: it is the
        page's own. What is then still open is on the stack, as elements without attributes. Else None.
    """
    if tag == "script":
        _read_script(document, remaining, attrs, stack[-1])
        return None
    breaking = BREAKING.get(tag, NOTHING)
    depth = 1
    for event in remaining:
        if event is None:
            depth -= 1
            if not depth:
                break
        elif isinstance(event, tuple):
            if event[0] in breaking:
                _leave_open(document, tag, stack, depth)
                return event
            depth += 1
            if event[0] in EMBEDDING:
                breaking = NOTHING
            elif event[0] == "img":
                document.noscript_images[len(document.tag) - 1] = dict(event[1])
    return None


def _leave_open(document: Document, tag: str, stack: list[int], depth: int) -> None:
    """Keep elements whose ends are still to come."""
    for _ in range(depth):
        i = _add_element(document, tag, stack[-1], NO_ATTRS)
        stack.append(i)


def _read_script(document: Document, remaining: Iterator[Event], attrs: dict[str, str], parent: int) -> None:
    """Keep JSON-LD, a page's state, and formulas: an element `script` with TeX (or MathML) in attribute `tex`."""
    kind = attrs.get("type") or ""
    is_state = attrs.get("id") in STATE_SCRIPT_IDS
    is_formula = kind.startswith("math/")
    is_kept = is_state or is_formula or "ld+json" in kind
    pieces: list[str] = []
    depth = 1
    for event in remaining:
        if event is None:
            depth -= 1
            if not depth:
                break
        elif isinstance(event, tuple):
            depth += 1
        elif is_kept:
            pieces.append(event)
    if "ld+json" in kind:
        document.json_ld.append("".join(pieces))
    elif is_state:
        document.page_state.append("".join(pieces))
    elif is_formula:
        _add_element(document, "script", parent, {"type": kind, "tex": "".join(pieces)})


def _add_element(document: Document, tag: str, parent: int, attrs: dict[str, str]) -> int:
    i = len(document.tag)
    document.tag.append(tag)
    document.parent.append(parent)
    document.end.append(i + 1)
    document.attrs.append(attrs)
    document.text.append("")
    return i
