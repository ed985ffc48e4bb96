"""Elements that a class, role or data attribute makes something else than their tag says; all other blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from danubia_core.document import BLOCK_TAGS
from danubia_core.handlers.code import add_code_element, is_code_element
from danubia_core.handlers.footnote import add_inline_note
from danubia_core.handlers.heading import open_role_heading
from danubia_core.handlers.inline import open_styled_text
from danubia_core.handlers.math import add_rendered_math, add_tex_attribute
from danubia_core.handlers.quote import find_callout_kind, open_callout

if TYPE_CHECKING:
    from danubia_core.collect import Collector

    Handler = Callable[[Collector, int], int]

CACHE_LIMIT: Final = 50_000
MATH_CLASSES: Final = frozenset(
    "katex katex-display katex-block mwe-math-element mathjax mathjax_display mathjax_preview mathjax_svg "
    "mathjax_svg_display mjx-chtml mjxc-display mathjax_chtml temml hurmet-tex".split()
)
CODE_CLASSES: Final = frozenset("code-block codeblock code_block code-snippet codesnippet".split())
FURNITURE_CLASSES: Final = frozenset(
    "copy-button copy-btn btn-copy copybtn clipboard-copy code-copy copy-code-button copy-code mw-cite-backlink".split()
)
NOTE_CLASSES: Final = frozenset("sidenote marginnote footnote-container inline-footnote footnote-inline".split())
STYLING_ATTRIBUTES: Final = frozenset(
    "data-callout data-math data-latex data-tex data-formula role data-lang data-language".split()
)

_kinds: dict[str, str] = {}


def classify_names(names: str) -> str:
    """Return what class names make of an element: '', math, code, furniture, note, or `callout:` and its kind."""
    kind = _kinds.get(names)
    if kind is None:
        if len(_kinds) >= CACHE_LIMIT:
            _kinds.clear()
        tokens = names.lower().split()
        if not MATH_CLASSES.isdisjoint(tokens):
            kind = "math"
        elif not FURNITURE_CLASSES.isdisjoint(tokens):
            kind = "furniture"
        elif not CODE_CLASSES.isdisjoint(tokens):
            kind = "code"
        elif not NOTE_CLASSES.isdisjoint(tokens):
            kind = "note"
        else:
            callout = find_callout_kind(names)
            kind = f"callout:{callout}" if callout else ""
        _kinds[names] = kind
    return kind


def open_block(c: Collector, i: int) -> int:
    """Open a block that is only a boundary, unless something makes it more."""
    attributes = c.document.attrs[i]
    if attributes:
        after = _handle_styled(c, i, attributes)
        if after:
            return after
    c.open_plain(c.document.end[i])
    return i + 1


def open_span(c: Collector, i: int) -> int:
    """Open a span, which is nothing of its own unless something makes it more."""
    attributes = c.document.attrs[i]
    if not attributes:
        return i + 1
    after = _handle_styled(c, i, attributes)
    if not after and "font-" in attributes.get("style", ""):
        return open_styled_text(c, i)
    return after or i + 1


def _handle_styled(c: Collector, i: int, attributes: dict[str, str]) -> int:
    """Handle what class, role or data attributes tell; 0 if they tell nothing."""
    names = attributes.get("class")
    kind = classify_names(names) if names else ""
    if kind:
        after = _handle_kind(c, i, kind)
        if after:
            return after
    if STYLING_ATTRIBUTES.isdisjoint(attributes):
        return 0
    return _handle_attributes(c, i, attributes)


def _handle_kind(c: Collector, i: int, kind: str) -> int:
    if kind == "math":
        return add_rendered_math(c, i)
    if kind == "note":
        return add_inline_note(c, i) if c.document.tag[i] not in BLOCK_TAGS and i not in c.note_index.labels else 0
    if kind == "furniture":
        return c.document.end[i]
    if kind == "code":
        return add_code_element(c, i) if is_code_element(c.document, i) else 0
    if c.document.tag[i] in BLOCK_TAGS:
        return open_callout(c, i, kind[8:])
    return 0


def _handle_attributes(c: Collector, i: int, attributes: dict[str, str]) -> int:
    if attributes.get("role") == "heading":
        return open_role_heading(c, i)
    callout = attributes.get("data-callout", "").strip().lower()
    if callout.isalpha() and c.document.tag[i] in BLOCK_TAGS:
        return open_callout(c, i, callout)
    if ("data-lang" in attributes or "data-language" in attributes) and is_code_element(c.document, i):
        return add_code_element(c, i)
    return add_tex_attribute(c, i, attributes)


STYLED_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(BLOCK_TAGS, open_block),
    "span": open_span,
}
