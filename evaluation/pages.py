"""What everything here speaks of: pages with a reference, and the entries of the corpus that point at them."""

from __future__ import annotations

import hashlib
import json
from typing import Final

import msgspec

LABELS: Final = (
    "article",
    "documentation",
    "news",
    "homepage",
    "forum",
    "product",
    "listing",
    "glossary",
    "recipe",
    "service",
    "q&a",
    "wiki",
)


class Page(msgspec.Struct, kw_only=True):
    """One page and what a good extraction of it holds; whatever its data set does not label is None or empty.

    Attributes:
        id: the data set's name, a slash, the page's name in it.
        dataset: one of `layouts.LAYOUTS`.
        path: file of the page under the folder that holds the data sets, or under the project.
        html: the page's bytes.
        label: kind of page, as the data set says or the corpus.
        text: reference text. markdown: reference Markdown.
        wanted, unwanted: snippets that the text must, and must not, contain.
        title: the page's title, by the label.
        reference_by: who made the reference: a model's name, or "".
    """

    id: str
    dataset: str
    path: str
    html: bytes
    url: str | None = None
    content_type: str | None = None
    label: str = "article"
    language: str = ""
    text: str | None = None
    markdown: str | None = None
    wanted: list[str] = []
    unwanted: list[str] = []
    title: str | None = None
    reference_by: str = ""
    stale: bool = False

    @property
    def page_sha256(self) -> str:
        """Digest of the page's bytes."""
        return hashlib.sha256(self.html).hexdigest()

    @property
    def reference_sha256(self) -> str:
        """Digest of all that the data set says of the page; a changed label changes it.

        Of the project's own pages only what their authors expect counts: golden files are reviewed where they change.
        """
        markdown = None if self.dataset == "own" else self.markdown
        parts = [self.text, markdown, self.wanted, self.unwanted, self.title]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


class PageSource(msgspec.Struct):
    """Where an entry's page lies: a data set, or `own` for the project's pages, and a file with its digest."""

    dataset: str
    path: str
    sha256: str


class Reference(msgspec.Struct):
    """Where an entry's reference lies: the data set's labels, or a Markdown file of the project, with its digest."""

    kind: str
    path: str
    sha256: str


class Entry(msgspec.Struct):
    """One page of the corpus; `labelled_by` says who drafted the label: its data set, a rule, or its author."""

    id: str
    label: str
    language: str
    labelled_by: str
    page: PageSource
    reference: Reference
