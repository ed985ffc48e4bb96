"""Why each part of a page was kept or not: the page's text in order, cut where its fate changes."""

from __future__ import annotations

from typing import Final

import msgspec

from danubia_core.decode import read_markup
from danubia_core.document import TEXT, Document
from danubia_core.ladder import Choice
from danubia_core.mark_and_choose import mark_and_choose
from danubia_core.marks import Marks
from danubia_core.options import Options
from danubia_core.page_type import choose_type
from danubia_core.parse import parse_html
from danubia_core.rules import RULES

KEPT: Final = "kept"
OUTSIDE: Final = "outside"
DENSITY: Final = "density"
TEASERS: Final = "teasers"
ORPHAN: Final = "orphan"
_DEFAULT_OPTIONS: Final = Options()


class Part(msgspec.Struct, frozen=True):
    """A stretch of a page's text with one fate.

    Attributes:
        fate: the id of the rule that discards it; or "kept", "outside" (of the chosen regions), "density" (of links),
            "teasers" (cards amid prose), "orphan" (the heading of a box that went).
        text_bytes: its text, UTF-8 bytes.
        text: its text, white space collapsed.
    """

    fate: str
    text_bytes: int
    text: str

    @property
    def is_kept(self) -> bool:
        """Whether the extraction holds it."""
        return self.fate == KEPT


def explain(
    html: bytes | str,
    *,
    url: str | None = None,
    content_type: str | None = None,
    options: Options = _DEFAULT_OPTIONS,
) -> list[Part]:
    """Return the parts of a page in document order, each with the rule that discards it or why else it is (not) kept.

    Takes what `extract` takes. The trailing links and headings that are trimmed count as kept here, and where an almost
    empty page was rescued from scripts or noscript copies, the parts are those of its visible markup.

    >>> parts = explain("<main><p>Text of its own, long enough.</p></main><footer>Imprint</footer>")
    >>> [(part.fate, part.text) for part in parts]
    [('kept', 'Text of its own, long enough.'), ('chrome.footer', 'Imprint')]
    """
    markup, _, _ = read_markup(html[: options.max_input_bytes], content_type)
    document = parse_html(markup)
    marks, choice = mark_and_choose(document, url, options, choose_type(document).name)
    return _merge(_find_fates(document, marks, choice), document)


def _find_fates(document: Document, marks: Marks, choice: Choice) -> list[tuple[int, int, str]]:
    """Return (first node, node after the last, fate) for dropped subtrees and for single runs of other text."""
    dropped, regions = set(choice.dropped), sorted(choice.regions)
    titles = set(document.index.get("title", ()))
    found: list[tuple[int, int, str]] = []
    i = 0
    while i < len(document):
        stop = document.end[i]
        if i in titles:
            i = stop
        elif i in dropped:
            found.append((i, stop, _name_cut(marks, i)))
            i = stop
        else:
            if document.tag[i] == TEXT:
                found.append((i, stop, KEPT if document.lies_in(i, regions) else OUTSIDE))
            i += 1
    return found


def _name_cut(marks: Marks, i: int) -> str:
    if i in marks.discards:
        return RULES[marks.discards[i]].id
    if i in marks.gated:
        return RULES[marks.gated[i]].id
    if i in marks.dense:
        return DENSITY
    return TEASERS if i in marks.teasers else ORPHAN


def _merge(fates: list[tuple[int, int, str]], document: Document) -> list[Part]:
    """Join neighbours of one fate and read their text; what has no text is left out."""
    parts: list[Part] = []
    k = 0
    while k < len(fates):
        start, stop, fate = fates[k]
        k += 1
        while k < len(fates) and fates[k][2] == fate:
            stop = fates[k][1]
            k += 1
        text = document.read_text(start, stop)
        if text:
            parts.append(Part(fate, len(text.encode("utf-8", "replace")), text))
    return parts
