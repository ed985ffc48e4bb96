"""TeX between delimiters in running text, as authors write it for a renderer that is not run here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from danubia_core.nodes import Math

if TYPE_CHECKING:
    from danubia_core.collect import Collector

# `$$…$$`, `\[…\]`, `\(…\)`, an environment that displays a formula, and `$…$` with nothing but a formula's look
# inside (no white space at its edges, no digit after it): a TeX command, a script or a brace, or a single letter.
# Prices have none of these. No formula holds the delimiter that opens it: so what is looked through for one's end is
# not looked through again for the next one's.
_TEX = re.compile(
    r"\$\$(?P<shown>[^$]{1,4000}?)\$\$"
    r"|\\\[(?P<bracket>(?:[^\\]|\\[^\[\]]){1,4000}+)\\\]"
    r"|\\\((?P<paren>(?:[^\\]|\\[^()]){1,2000}+)\\\)"
    r"|(?P<environment>\\begin\{(?P<name>(?:align|equation|gather|multline|eqnarray)\*?)\}"
    r"(?:[^\\]|\\(?!(?:begin|end)\{(?:align|equation|gather|multline|eqnarray)\*?\})){1,4000}+\\end\{(?P=name)\})"
    r"|(?<![\w$\\])\$(?P<inline>[A-Za-z]|(?![\s\d.,]*\s)(?=[^$\n]*[\\^_={}<>])[^$\n]{1,400}?(?<![\s\\]))\$(?![\w$])",
    re.DOTALL,
)
_DISPLAYED: Final = ("shown", "bracket", "environment")
_LOOK = re.compile(r"[\\^_=<>+]|^\s*\S{1,3}\s*$")


def add_text_with_tex(c: Collector, text: str) -> None:
    """Append page text; formulas in it become nodes."""
    at = 0
    for found in _TEX.finditer(text):
        tex = " ".join(found[found.lastgroup or 0].split())
        if not tex or not _LOOK.search(tex):
            continue
        if found.start() > at:
            c.add_text(text[at : found.start()])
        node = Math(c.flags, tex)
        c.add_inline(node)
        if found.lastgroup in _DISPLAYED:
            c.display = node
        at = found.end()
    if at < len(text):
        c.add_text(text[at:])
