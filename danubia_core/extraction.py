"""What an extraction gives: the tree, its forms, the metadata and the figures."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Final

import msgspec

from danubia_core.document import Document
from danubia_core.metadata import Metadata, extract_metadata
from danubia_core.nodes import Tree
from danubia_core.page_features import PageType
from danubia_core.page_type import choose_type
from danubia_core.serializers.csv import write_csv
from danubia_core.serializers.page_json import write_page_json

# By name, the attribute of an Extraction that holds it. The last two are other tools' names for formats that are here.
FORMATS: Final = {
    "markdown": "markdown",
    "txt": "text",
    "html": "html",
    "json": "json",
    "xml": "xml",
    "xml-tei": "xml_tei",
    "csv": "csv",
    "text": "text",
    "xmltei": "xml_tei",
}


class Stats(msgspec.Struct, kw_only=True):
    """Figures of one extraction; lengths are UTF-8 bytes of text.

    Attributes:
        rung: the ladder's filter that won.
        total_bytes: visible text of the document.
        main_bytes: text inside marked main content.
        selected_bytes: text that the winning rung keeps, before trailing blocks are trimmed.
        link_bytes: text inside links.
        search_discarded_bytes: text that search rules discard.
        density_discarded_bytes: text that the link-density rule discards.
        trimmed_bytes: trailing links and headings that were cut.
        node_counts: nodes of the tree by type.
        discards: discarded bytes by rule id.
        truncated: whether the markup was longer than `Options.max_input_bytes`, or had more than a million tags.
    """

    rung: str = ""
    total_bytes: int = 0
    main_bytes: int = 0
    selected_bytes: int = 0
    link_bytes: int = 0
    search_discarded_bytes: int = 0
    density_discarded_bytes: int = 0
    trimmed_bytes: int = 0
    node_counts: dict[str, int] = {}
    discards: dict[str, int] = {}
    truncated: bool = False


class Extraction:
    """What came out of one page. Serializers and metadata run when asked for, once.

    Attributes:
        tree: the content as typed nodes.
        skip: why there is no content, or None.
        charset: encoding of the page's bytes, and `charset_source`, how it was found.
        page_type: what kind of page it is, told from its structure alone (page_features.py).
        page_type_features: names of the features that led to the type, the weightiest first.
        latest: last day that the metadata's date may have, set before `metadata` is asked for; None: tomorrow.
    """

    def __init__(self, document: Document, *, url: str | None, charset: str, charset_source: str) -> None:
        self._document = document
        self._url = url
        self.charset = charset
        self.charset_source = charset_source
        self.tree = Tree()
        self.skip: str | None = None
        choice = choose_type(document)
        self.page_type: PageType = choice.name
        self.page_type_features: list[str] = choice.features
        self.latest: date | None = None
        self._stats = Stats()

    @property
    def stats(self) -> Stats:
        """Figures of the extraction; node counts are made on first use."""
        if not self._stats.node_counts and self.tree.children:
            self._stats.node_counts = count_nodes(self.tree)
        return self._stats

    @cached_property
    def markdown(self) -> str:
        """The content as CommonMark with GFM tables."""
        return self.tree.to_markdown()

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return self.tree.to_text()

    @cached_property
    def html(self) -> str:
        """The content as cleaned HTML."""
        return self.tree.to_html()

    @cached_property
    def json(self) -> str:
        """The page as one JSON object: its address, its metadata, its text and its tree."""
        return write_page_json(self.tree, self.metadata, url=self._url)

    @cached_property
    def xml(self) -> str:
        """The page as XML: metadata, then the tree, element by element."""
        return self.tree.to_xml(self.metadata, url=self._url)

    @cached_property
    def xml_tei(self) -> str:
        """The page as a TEI P5 document."""
        return self.tree.to_xml_tei(self.metadata, url=self._url)

    @cached_property
    def csv(self) -> str:
        """The page as a CSV file: the names of the columns, and one row."""
        return write_csv(self.tree, self.metadata, url=self._url)

    def to(self, name: str) -> str:
        """Return the page in the format of that name: one of `FORMATS`.

        Raises:
            ValueError: there is no such format; names those that there are.
        """
        if name not in FORMATS:
            message = f"no format {name!r}; there are {', '.join(FORMATS)}"
            raise ValueError(message)
        return str(getattr(self, FORMATS[name]))

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date and so on."""
        return extract_metadata(self._document, url=self._url, latest=self.latest)


def count_nodes(tree: Tree) -> dict[str, int]:
    """Return how many nodes of each type a tree holds (runs of text are not counted)."""
    counts: dict[str, int] = {}
    stack: list[object] = list(tree.children)
    while stack:
        node = stack.pop()
        if type(node) is str:
            continue
        name = node.__struct_config__.tag  # type: ignore[attr-defined]
        counts[name] = counts.get(name, 0) + 1
        children = getattr(node, "children", None)
        if children:
            stack.extend(children)
    return counts
