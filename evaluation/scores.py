"""One page, one output, one row of scores."""

from __future__ import annotations

import msgspec

from evaluation.adapters import Output
from evaluation.metrics.flags import find_flags
from evaluation.metrics.markdown import Structure, read_structure
from evaluation.metrics.public import score_public
from evaluation.metrics.structure import recall_structure
from evaluation.metrics.tokens import compare_texts
from evaluation.pages import Page


class Row(msgspec.Struct, kw_only=True):
    """The scores of one extractor on one page.

    Attributes:
        page, dataset, label, language: the page's.
        extractor: name in `adapters.ADAPTERS`, or package.module:function.
        cpu_seconds: processor time of the extraction alone.
        html_bytes, text_bytes: sizes of the page and of the output's text.
        headline: mean of unigram and bigram F1; None where the data set has no whole reference.
        unigram, bigram: (precision, recall, F1).
        found, wanted, shared: tokens of the output, of the reference, in both.
        structure: recall by kind (`structure.KINDS`).
        flags: names of `flags.FLAGS`.
        public: figures of the page's own benchmark.
        error: what the extractor raised.
    """

    page: str
    dataset: str
    label: str
    language: str
    extractor: str
    cpu_seconds: float
    html_bytes: int
    text_bytes: int
    headline: float | None = None
    unigram: tuple[float, float, float] | None = None
    bigram: tuple[float, float, float] | None = None
    found: int = 0
    wanted: int = 0
    shared: int = 0
    structure: dict[str, float] = {}
    flags: list[str] = []
    public: dict[str, float] = {}
    rung: str = ""
    error: str | None = None

    @property
    def wrong(self) -> int:
        """Tokens missed or found in vain."""
        return self.found + self.wanted - 2 * self.shared


class References:
    """A page's reference, taken apart once for all extractors."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.structure: Structure | None = None
        if page.markdown is not None:
            self.structure = read_structure(page.markdown, page.url)
        self.text = page.text if page.text is not None else self.structure.text if self.structure else None


def score_output(
    references: References, extractor: str, output: Output, *, cpu_seconds: float, error: str | None = None
) -> Row:
    """Score an output against its page's reference."""
    page = references.page
    row = Row(
        page=page.id,
        dataset=page.dataset,
        label=page.label,
        language=page.language,
        extractor=extractor,
        cpu_seconds=round(cpu_seconds, 6),
        html_bytes=len(page.html),
        text_bytes=len(output.text.encode("utf-8", "replace")),
        rung=output.rung,
        error=error,
    )
    found = None if output.markdown is None else read_structure(output.markdown, page.url)
    if references.text is not None:
        # A text that is Markdown itself is compared without its markup.
        text = found.text if found is not None and output.text is output.markdown else output.text
        agreement = compare_texts(text, references.text)
        row.headline = agreement.headline
        row.unigram = msgspec.structs.astuple(agreement.unigram)
        row.bigram = msgspec.structs.astuple(agreement.bigram)
        row.found, row.wanted, row.shared = agreement.found, agreement.wanted, agreement.shared
    if found is not None and references.structure is not None:
        row.structure = recall_structure(found, references.structure)
    row.public = score_public(page, output.text, output.markdown)
    row.flags = find_flags(page, output.text, found, references.structure, output.title)
    if error:
        row.flags.insert(0, "error")
    if output.truncated and "truncated" not in row.flags:
        row.flags.append("truncated")
    return row
