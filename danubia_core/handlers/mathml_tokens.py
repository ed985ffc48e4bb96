"""The tokens of MathML: identifiers, numbers, operators, text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from danubia_core.document import TEXT
from danubia_core.handlers.math_symbols import FUNCTIONS, GREEK, OPERATORS, VARIANTS

if TYPE_CHECKING:
    from danubia_core.document import Document

STYLES: Final = ("bold", "double-struck", "script", "fraktur", "sans-serif", "monospace")


def escape(text: str) -> str:
    """Return the characters of an unknown element as TeX."""
    return " ".join(filter(None, [GREEK.get(word) or OPERATORS.get(word, word) for word in text.split()]))


def convert_identifier(document: Document, i: int, _depth: int) -> str:
    """Convert mi."""
    text = document.inner_text(i)
    variant = VARIANTS.get(document.attrs[i].get("mathvariant", ""), "")
    if len(text) == 1 and "MATHEMATICAL" in unicodedata.name(text, ""):
        name = unicodedata.name(text).lower()
        text = unicodedata.normalize("NFKC", text)
        variant = variant or VARIANTS.get(next((style for style in STYLES if style in name), ""), "")
    if len(text) > 1 and text in FUNCTIONS:
        return "\\" + text
    text = GREEK.get(text) or OPERATORS.get(text, text)
    return f"\\{variant}{{{text}}}" if variant and text else text


def convert_operator(document: Document, i: int, _depth: int) -> str:
    """Convert mo."""
    text = document.inner_text(i)
    return "\\" + text if text in FUNCTIONS else OPERATORS.get(text, GREEK.get(text, text))


def convert_number(document: Document, i: int, _depth: int) -> str:
    """Convert mn."""
    text = document.inner_text(i)
    return OPERATORS.get(text, text)


def convert_text(document: Document, i: int, _depth: int) -> str:
    """Convert mtext and ms."""
    text = "".join(document.text[k] for k in range(i, document.end[i]) if document.tag[k] == TEXT).replace(
        "\u00a0", " "
    )
    if not text:
        return ""
    text = re.sub(r"\s+", " ", text)
    return "\\text{" + re.sub(r"([{}$#%&_])", r"\\\1", text) + "}"
