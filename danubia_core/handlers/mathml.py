"""MathML to TeX: the elements that formulas on web pages are made of.

Written after the MathML Core and MathML 3 recommendations; what is not known is read as a row of its children.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from danubia_core.document import TEXT
from danubia_core.handlers.math_symbols import (
    CLOSING,
    LIMIT_OPERATORS,
    MATRICES,
    OPENING,
    OPERATORS,
    OVER_ACCENTS,
    TRUE_ACCENTS,
    UNDER_ACCENTS,
)
from danubia_core.handlers.mathml_tokens import (
    convert_identifier,
    convert_number,
    convert_operator,
    convert_text,
    escape,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from danubia_core.document import Document

MAX_DEPTH: Final = 60  # deeper formulas are given as their characters
ENCLOSURES: Final = (
    ("top", "overline"), ("bottom", "underline"), ("radical", "sqrt"), ("box", "boxed"), ("strike", "cancel"),
)  # fmt: skip


def convert_mathml(document: Document, i: int, depth: int = 0) -> str:
    """Return the MathML element at `i` as TeX."""
    tag = document.tag[i]
    if tag == TEXT:
        return " ".join(document.text[i].split())
    if depth > MAX_DEPTH:
        return document.inner_text(i)
    return _ELEMENTS.get(tag, _convert_row)(document, i, depth + 1)


def _elements(document: Document, i: int) -> list[int]:
    return [k for k in document.children(i) if document.tag[k] != TEXT]


def _convert_children(document: Document, i: int, depth: int) -> list[str]:
    return [convert_mathml(document, k, depth) for k in _elements(document, i)]


def _part(document: Document, i: int, depth: int, place: int) -> str:
    """Return the child at a place, '' if there is none."""
    children = _elements(document, i)
    return convert_mathml(document, children[place], depth) if place < len(children) else ""


# Rows and fences -----------------------------------------------------------------------------------------------------


def _convert_row(document: Document, i: int, depth: int) -> str:
    children = document.children(i)
    if not any(document.tag[k] != TEXT for k in children):
        return escape(document.inner_text(i))
    children = [k for k in children if document.tag[k] != TEXT]
    signs = [document.inner_text(k) if document.tag[k] == "mo" else "" for k in children]
    matrix = _convert_fenced_table(document, children, signs, depth)
    if matrix:
        return matrix
    pairs = _pair_fences(signs)
    out: list[str] = []
    joined = True  # no blank before the next piece
    for place, k in enumerate(children):
        if place in pairs:
            sign = signs[place]
            if pairs[place] > place:
                out.append(("" if joined else " ") + "\\left" + OPENING[sign])
                joined = OPENING[sign][-1:] in "([{"
            else:
                out.append("\\right" + CLOSING[sign])
                joined = False
            continue
        piece = convert_mathml(document, k, depth)
        if piece:
            out.append(piece if joined else " " + piece)
            joined = False
    return "".join(out)


def _pair_fences(signs: list[str]) -> dict[int, int]:
    """Return the place of each fence's partner."""
    pairs: dict[int, int] = {}
    open_places: list[int] = []
    for place, sign in enumerate(signs):
        if sign in OPENING:
            open_places.append(place)
        elif sign in CLOSING and open_places:
            opening = open_places.pop()
            pairs[opening], pairs[place] = place, opening
    return pairs


def _convert_fenced_table(document: Document, children: list[int], signs: list[str], depth: int) -> str:
    kinds = [document.tag[k] for k in children]
    if kinds == ["mo", "mtable", "mo"] and (signs[0], signs[2]) in MATRICES:
        name = MATRICES[signs[0], signs[2]]
        return f"\\begin{{{name}}} {_convert_rows(document, children[1], depth)} \\end{{{name}}}"
    if signs[:1] == ["{"] and kinds[:2] == ["mo", "mtable"] and len([sign for sign in signs[1:] if sign]) == 0:
        rest = " ".join(convert_mathml(document, k, depth) for k in children[2:])
        return f"\\begin{{cases}} {_convert_rows(document, children[1], depth)} \\end{{cases}} {rest}".rstrip()
    return ""


def _convert_fenced(document: Document, i: int, depth: int) -> str:
    attributes = document.attrs[i]
    opening, closing = attributes.get("open", "("), attributes.get("close", ")")
    table = _elements(document, i)
    if len(table) == 1 and document.tag[table[0]] == "mtable" and (opening, closing) in MATRICES:
        name = MATRICES[opening, closing]
        return f"\\begin{{{name}}} {_convert_rows(document, table[0], depth)} \\end{{{name}}}"
    separator = (attributes.get("separators", ",").strip() or " ")[:1]
    inner = f"{separator} ".join(_convert_children(document, i, depth))
    left = OPENING.get(opening, CLOSING.get(opening, OPERATORS.get(opening, opening))) or "."
    right = CLOSING.get(closing, OPENING.get(closing, OPERATORS.get(closing, closing))) or "."
    return f"\\left{left} {inner} \\right{right}" if left[-1:].isalpha() else f"\\left{left}{inner}\\right{right}"


# Scripts, fractions, roots -------------------------------------------------------------------------------------------


def _brace(base: str) -> str:
    return f"{{{base}}}" if ("^" in base or "_" in base) and not base.endswith(")") else base


def _convert_sup(document: Document, i: int, depth: int) -> str:
    base, power = _part(document, i, depth, 0), _part(document, i, depth, 1)
    if power and not power.strip("'"):
        return base + power
    return f"{_brace(base)}^{{{power}}}"


def _convert_sub(document: Document, i: int, depth: int) -> str:
    return f"{_brace(_part(document, i, depth, 0))}_{{{_part(document, i, depth, 1)}}}"


def _convert_subsup(document: Document, i: int, depth: int) -> str:
    base, sub, power = (_part(document, i, depth, place) for place in range(3))
    power = power if power and not power.strip("'") else f"^{{{power}}}"
    return f"{_brace(base)}_{{{sub}}}{power}"


def _convert_fraction(document: Document, i: int, depth: int) -> str:
    above, below = _part(document, i, depth, 0), _part(document, i, depth, 1)
    if document.attrs[i].get("linethickness", "1").startswith("0"):
        return f"\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}"
    return f"\\frac{{{above}}}{{{below}}}"


def _convert_sqrt(document: Document, i: int, depth: int) -> str:
    return f"\\sqrt{{{_convert_row(document, i, depth)}}}"


def _convert_root(document: Document, i: int, depth: int) -> str:
    return f"\\sqrt[{_part(document, i, depth, 1)}]{{{_part(document, i, depth, 0)}}}"


def _mark_of(document: Document, i: int, place: int) -> str:
    children = _elements(document, i)
    return document.inner_text(children[place]) if place < len(children) else ""


def _convert_over(document: Document, i: int, depth: int) -> str:
    base, over = _part(document, i, depth, 0), _part(document, i, depth, 1)
    if base in LIMIT_OPERATORS:
        return f"{base}^{{{over}}}"
    mark = _mark_of(document, i, 1)
    accent = OVER_ACCENTS.get(mark) or (document.attrs[i].get("accent") == "true" and TRUE_ACCENTS.get(mark))
    return f"\\{accent}{{{base}}}" if accent else f"\\overset{{{over if mark != '˙' else chr(92) + 'cdot'}}}{{{base}}}"


def _convert_under(document: Document, i: int, depth: int) -> str:
    base, under = _part(document, i, depth, 0), _part(document, i, depth, 1)
    if base in LIMIT_OPERATORS:
        return f"{base}_{{{under}}}"
    accent = UNDER_ACCENTS.get(_mark_of(document, i, 1))
    return f"\\{accent}{{{base}}}" if accent else f"\\underset{{{under}}}{{{base}}}"


def _convert_underover(document: Document, i: int, depth: int) -> str:
    base, under, over = (_part(document, i, depth, place) for place in range(3))
    if base in LIMIT_OPERATORS:
        return f"{base}_{{{under}}}^{{{over}}}"
    return f"\\underset{{{under}}}{{\\overset{{{over}}}{{{base}}}}}"


def _convert_multiscripts(document: Document, i: int, depth: int) -> str:
    children = _elements(document, i)
    if not children:
        return ""
    before, after, out = "", "", convert_mathml(document, children[0], depth)
    is_before = False
    rest = children[1:]
    k = 0
    while k < len(rest):
        if document.tag[rest[k]] == "mprescripts":
            is_before = True
            k += 1
            continue
        pair = [convert_mathml(document, child, depth) for child in rest[k : k + 2]]
        scripts = "".join(f"{sign}{{{part}}}" for sign, part in zip("_^", pair, strict=False) if part)
        before, after = (before + scripts, after) if is_before else (before, after + scripts)
        k += 2
    return (f"{{}}{before}" if before else "") + out + after


# Tables and enclosures -----------------------------------------------------------------------------------------------


def _convert_rows(document: Document, i: int, depth: int) -> str:
    rows: list[str] = []
    for row in _elements(document, i):
        cells = _elements(document, row)
        if document.tag[row] == "mlabeledtr":
            cells = cells[1:]
        rows.append(" & ".join(_convert_row(document, cell, depth) for cell in cells))
    return " \\\\ ".join(rows)


def _convert_table(document: Document, i: int, depth: int) -> str:
    attributes = document.attrs[i]
    rows = _convert_rows(document, i, depth)
    if "left" in attributes.get("columnalign", "") or attributes.get("displaystyle") == "true":
        return f"\\begin{{aligned}}{rows}\\end{{aligned}}"
    return f"\\begin{{matrix}} {rows} \\end{{matrix}}"


def _convert_enclosed(document: Document, i: int, depth: int) -> str:
    inner = _convert_row(document, i, depth)
    notation = document.attrs[i].get("notation", "")
    for word, command in ENCLOSURES:
        if word in notation:
            return f"\\{command}{{{inner}}}"
    return inner


def _convert_first(document: Document, i: int, depth: int) -> str:
    return _part(document, i, depth, 0)


def _convert_phantom(document: Document, i: int, depth: int) -> str:
    return f"\\phantom{{{_convert_row(document, i, depth)}}}"


def _convert_nothing(_document: Document, _i: int, _depth: int) -> str:
    return ""


_ELEMENTS: Final[dict[str, Callable[[Document, int, int], str]]] = {
    "mi": convert_identifier,
    "mn": convert_number,
    "mo": convert_operator,
    "mtext": convert_text,
    "ms": convert_text,
    "mspace": _convert_nothing,
    "none": _convert_nothing,
    "annotation": _convert_nothing,
    "annotation-xml": _convert_nothing,
    "semantics": _convert_first,
    "maction": _convert_first,
    "msup": _convert_sup,
    "msub": _convert_sub,
    "msubsup": _convert_subsup,
    "mfrac": _convert_fraction,
    "msqrt": _convert_sqrt,
    "mroot": _convert_root,
    "mover": _convert_over,
    "munder": _convert_under,
    "munderover": _convert_underover,
    "mmultiscripts": _convert_multiscripts,
    "mtable": _convert_table,
    "mfenced": _convert_fenced,
    "menclose": _convert_enclosed,
    "mphantom": _convert_phantom,
}
