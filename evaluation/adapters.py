"""Extractors side by side, behind one table: name → how a page becomes text. Each peer is an optional extra.

An extractor's packages are imported when it is asked for. One of your own: `package.module:function`, called with
(bytes, url), giving text, (text, Markdown), or an `Output`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import msgspec

from evaluation.pages import Page


class Output(msgspec.Struct):
    """What an extractor made of a page; `markdown` is None where it gives none."""

    text: str
    markdown: str | None = None
    title: str | None = None
    rung: str = ""
    truncated: bool = False


Extract = Callable[[Page], Output]


class Adapter(msgspec.Struct, frozen=True):
    """How to reach an extractor.

    Attributes:
        packages: what must be installed, as the package index names it; the first one's version is reported.
        load: imports the package and returns the function.
        note: how it is called.
    """

    packages: tuple[str, ...]
    load: Callable[[], Extract]
    note: str


def decode(html: bytes) -> str:
    """Return a page's characters for peers that take no bytes: UTF-8, else as resiliparse detects, else cp1252."""
    try:
        return html.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        encoding = importlib.import_module("resiliparse.parse.encoding")
    except ImportError:
        return html.decode("cp1252", "replace")
    return str(encoding.bytes_to_str(html, encoding.detect_encoding(html)))


def _load_danubia(mode: str) -> Extract:
    from danubia_core import Options, extract

    options = Options(mode=mode)  # type: ignore[arg-type]

    def run(page: Page) -> Output:
        found = extract(page.html, url=page.url, content_type=page.content_type, options=options)
        return Output(found.text, found.markdown, found.metadata.title, found.stats.rung, found.stats.truncated)

    return run


def _load_lxml() -> Extract:
    from lxml import etree

    def run(page: Page) -> Output:
        etree.fromstring(page.html, etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False))
        return Output("")

    return run


def _load_trafilatura(**settings: Any) -> Extract:
    from trafilatura import extract

    is_markdown = settings.get("output_format") == "markdown"

    def run(page: Page) -> Output:
        text = extract(page.html, url=page.url, include_comments=False, include_tables=True, **settings) or ""
        return Output(text, text if is_markdown else None)

    return run


def _load_resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: Output(extract_plain_text(decode(page.html), main_content=True, alt_texts=False))


def _load_readability() -> Extract:
    from lxml import html as lxml_html
    from readability import Document

    def run(page: Page) -> Output:
        document = Document(decode(page.html))
        summary = document.summary()
        text = lxml_html.document_fromstring(summary).text_content() if summary else ""
        return Output(text, title=document.title())

    return run


def _load_justext() -> Extract:
    import justext

    stoplists = justext.get_stoplists()
    names = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}
    names |= {"ru": "Russian", "pl": "Polish", "cs": "Czech", "tr": "Turkish", "ko": "Korean", "hu": "Hungarian"}

    def run(page: Page) -> Output:
        name = names.get(page.language, "English")
        paragraphs = justext.justext(page.html, justext.get_stoplist(name if name in stoplists else "English"))
        return Output("\n\n".join(p.text for p in paragraphs if not p.is_boilerplate))

    return run


def _load_newspaper() -> Extract:
    from newspaper import Article

    def run(page: Page) -> Output:
        article = Article(page.url or "http://example.org/")
        article.download(input_html=decode(page.html))
        article.parse()
        return Output(article.text, title=article.title)

    return run


def _load_boilerpy() -> Extract:
    from boilerpy3 import extractors

    extractor = extractors.ArticleExtractor(raise_on_failure=False)
    return lambda page: Output(extractor.get_content(decode(page.html)))


def _load_turbohtml() -> Extract:
    import turbohtml

    def run(page: Page) -> Output:
        node = turbohtml.parse(page.html).main_content()
        return Output("", "") if node is None else Output(node.to_text(), node.to_markdown())

    return run


def _load_html_to_markdown() -> Extract:
    import html_to_markdown

    def run(page: Page) -> Output:
        found = html_to_markdown.convert(decode(page.html))
        markdown = found if isinstance(found, str) else str(getattr(found, "content", found))
        return Output(markdown, markdown)

    return run


_TRAFILATURA: Final = ("trafilatura",)
_LINKS: Final = {"include_links": True, "include_images": True, "output_format": "markdown"}

ADAPTERS: Final[dict[str, Adapter]] = {
    "danubia": Adapter(("danubia",), partial(_load_danubia, "balanced"), "text, Markdown and metadata"),
    "danubia-precision": Adapter(("danubia",), partial(_load_danubia, "precision"), "mode=precision"),
    "danubia-recall": Adapter(("danubia",), partial(_load_danubia, "recall"), "mode=recall"),
    "danubia-fast": Adapter(("danubia",), partial(_load_danubia, "fast"), "mode=fast"),
    "trafilatura": Adapter(_TRAFILATURA, _load_trafilatura, "text, tables, no comments"),
    "trafilatura-fast": Adapter(_TRAFILATURA, partial(_load_trafilatura, fast=True), "fast"),
    "trafilatura-precision": Adapter(_TRAFILATURA, partial(_load_trafilatura, favor_precision=True), "favor_precision"),
    "trafilatura-recall": Adapter(_TRAFILATURA, partial(_load_trafilatura, favor_recall=True), "favor_recall"),
    "trafilatura-markdown": Adapter(_TRAFILATURA, partial(_load_trafilatura, **_LINKS), "Markdown, links, images"),
    "readability-lxml": Adapter(("readability-lxml",), _load_readability, "text of summary()"),
    "resiliparse": Adapter(("resiliparse",), _load_resiliparse, "main_content, no alt texts"),
    "justext": Adapter(("jusText",), _load_justext, "stop words of the page's labelled language, else English"),
    "newspaper4k": Adapter(("newspaper4k",), _load_newspaper, "Article.text"),
    "boilerpy3": Adapter(("boilerpy3",), _load_boilerpy, "ArticleExtractor"),
    "turbohtml": Adapter(("turbohtml",), _load_turbohtml, "main_content, text and Markdown"),
    "html-to-markdown": Adapter(("html-to-markdown",), _load_html_to_markdown, "the whole page: no selection"),
    "lxml-parse": Adapter(("lxml",), _load_lxml, "parse only: the floor of time, no text"),
}


def load_extractor(name: str) -> Extract:
    """Import an extractor and return it; raises ValueError when there is none of that name or it is not installed."""
    if ":" in name:
        return _load_own(name)
    if name not in ADAPTERS:
        raise ValueError(f"no extractor {name!r}; there are: {', '.join(ADAPTERS)}, and package.module:function")
    try:
        return ADAPTERS[name].load()
    except ImportError as error:
        packages = " ".join(ADAPTERS[name].packages)
        raise ValueError(f"{name} is not installed ({error}): pip install {packages}, or the extra `peers`") from error


def _load_own(name: str) -> Extract:
    module, _, function = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        run = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no extractor {name!r}: {error}") from error

    def call(page: Page) -> Output:
        found = run(page.html, page.url)
        if isinstance(found, Output):
            return found
        return Output(found or "") if not isinstance(found, tuple) else Output(found[0] or "", found[1])

    return call


def find_version(name: str) -> str:
    """Return the installed version of an extractor's first package, or ""."""
    if name not in ADAPTERS:
        return ""
    try:
        return metadata.version(ADAPTERS[name].packages[0])
    except metadata.PackageNotFoundError:
        from danubia_core import __version__

        return __version__ if name.startswith("danubia") else ""
