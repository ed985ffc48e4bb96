"""Formulas, once each, as TeX: MathJax 2 and 3, KaTeX, MathML, fallback images, TeX in attributes.

The accessible copy of a rendered formula is often hidden, so marks inside a formula are not heeded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from danubia_core.document import TEXT, Document
from danubia_core.handlers.mathml import convert_mathml
from danubia_core.nodes import Math, MathBlock
from danubia_core.parse import parse_html

if TYPE_CHECKING:
    from danubia_core.collect import Collector

TEX_ATTRIBUTES: Final = ("data-math", "data-latex", "data-tex", "data-formula")
TEX_ENCODINGS: Final = ("application/x-tex", "tex", "latex", "text/x-tex", "application/x-latex")
_STYLE = re.compile(r"\{\\(?:display|text)style\s+(.*)\}", re.DOTALL)
_DELIMITERS = ((r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$", "$"))


def clean_tex(tex: str) -> str:
    """Return TeX without delimiters and without the wrapper that only sets the style."""
    tex = tex.strip()
    for opening, closing in _DELIMITERS:
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) >= len(opening) + len(closing):
            tex = tex[len(opening) : -len(closing)].strip()
            break
    found = _STYLE.fullmatch(tex)
    if found and _is_balanced(found[1]):
        tex = found[1].strip()
    return tex


def _is_balanced(tex: str) -> bool:
    depth = 0
    for character in tex:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def add_formula(c: Collector, tex: str, *, display: bool) -> bool:
    """Add a formula; False if it is empty."""
    tex = clean_tex(tex)
    if not tex:
        return False
    if display and not c.inline_only:
        c.add_block(MathBlock(c.flags, tex))
    else:
        c.add_inline(Math(c.flags, " ".join(tex.split())))
    return True


def find_tex(document: Document, i: int, *, reads_scripts: bool = True) -> tuple[str, bool]:
    """Return the TeX of the formula rendered at `i`, and whether it is displayed; '' if none is found.

    Scripts inside the markup that a script holds are not read: each could hold another, without end.
    """
    math = image = -1
    display = False
    tags, attrs = document.tag, document.attrs
    for k in range(i, document.end[i]):
        tag = tags[k]
        if tag == TEXT:
            continue
        if tex := attrs[k].get("data-latex", ""):  # MathJax 4: on each part, the whole first
            return tex, display
        if tag == "annotation" and attrs[k].get("encoding", "").lower() in TEX_ENCODINGS:
            return "".join(document.text[k + 1 : document.end[k]]), display
        if tag == "script" and reads_scripts:
            return _read_script(attrs[k])
        if tag == "math" and math < 0:
            math = k
            display = attrs[k].get("display") == "block"
        elif tag == "img" and image < 0:
            image = k
    if math >= 0:
        return attrs[math].get("alttext", "") or convert_mathml(document, math), display
    if image >= 0:
        return attrs[image].get("alt", ""), "display" in attrs[image].get("class", "")
    return "", False


def _read_script(attributes: dict[str, str]) -> tuple[str, bool]:
    kind, content = attributes.get("type", ""), attributes.get("tex", "")
    if "mml" not in kind:
        return content, "display" in kind
    return _convert_markup(content)


def _convert_markup(markup: str) -> tuple[str, bool]:
    document = parse_html(markup)
    i = document.find(0, {"math"})
    return find_tex(document, i, reads_scripts=False) if i >= 0 else ("", False)


def add_math(c: Collector, i: int) -> int:
    """Add math."""
    tex, display = find_tex(c.document, i)
    add_formula(c, tex, display=display)
    return c.document.end[i]


def add_script(c: Collector, i: int) -> int:
    """Add a script that holds TeX."""
    tex, display = _read_script(c.document.attrs[i])
    add_formula(c, tex, display=display)
    return c.document.end[i]


def add_container(c: Collector, i: int) -> int:
    """Add mjx-container; white space at its edges is white space around the formula."""
    document = c.document
    end = document.end[i]
    if i < c.no_formula_end:
        return i + 1
    tex, display = find_tex(document, i)
    if document.tag[i + 1 : i + 2] == [TEXT] and end > i + 1:
        c.add_space()
    if not add_formula(c, tex, display=display or document.attrs[i].get("display") == "true"):
        c.no_formula_end = end
        return i + 1
    if document.tag[end - 1] == TEXT and document.parent[end - 1] == i:
        c.add_space()
    return end


def add_rendered_math(c: Collector, i: int) -> int:
    """Add what a class name says is a rendered formula; 0 if its TeX is not to be found."""
    document = c.document
    if i < c.no_formula_end:
        return 0
    if _has_script_after(document, i):
        return document.end[i]
    attributes = document.attrs[i]
    names = attributes.get("class", "").lower()
    tex = attributes.get("data-entry", "") if "hurmet" in names else ""
    if tex:
        display = document.tag[i] == "p" or 'display="block"' in tex
    else:
        tex, display = find_tex(document, i)
    if not tex and "data-mathml" in attributes:
        tex, display = _convert_markup(attributes["data-mathml"])
    is_displayed = display or "katex-display" in names or "katex-block" in names
    if add_formula(c, tex, display=is_displayed):
        return document.end[i]
    if "katex" in names:  # rendered without the accessible copy: what readers see is hidden from screen readers
        for k in range(i + 1, document.end[i]):
            if document.attrs[k].get("class") == "katex-html":
                c.dropped[k] = 0
    c.no_formula_end = document.end[i]  # looked through once, however deep such elements nest
    return 0


def _has_script_after(document: Document, i: int) -> bool:
    """Whether the source of a rendered formula or its preview follows it."""
    k = document.end[i]
    for _ in range(4):
        if k >= len(document.tag):
            return False
        tag = document.tag[k]
        if tag == "script":
            return True
        if (tag == TEXT and document.text[k].strip()) or (
            tag != TEXT and "mathjax" not in document.attrs[k].get("class", "").lower()
        ):
            return False
        k = document.end[k]
    return False


def add_tex_attribute(c: Collector, i: int, attributes: dict[str, str]) -> int:
    """Add the formula that a data attribute holds; 0 if there is none."""
    tex = next((attributes[name] for name in TEX_ATTRIBUTES if attributes.get(name)), "")
    if not tex or len(tex) > 5000 or c.document.end[i] - i > 2000:
        return 0
    names = attributes.get("class", "") + attributes.get("data-display", "") + attributes.get("data-type", "")
    is_displayed = c.document.tag[i] == "div" or "display" in names or "block" in names
    return c.document.end[i] if add_formula(c, tex, display=is_displayed) else 0


MATH_HANDLERS = {
    "math": add_math,
    "script": add_script,
    "mjx-container": add_container,
}
