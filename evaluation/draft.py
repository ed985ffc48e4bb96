"""Drafts of labels and languages for pages whose data set has neither (docs/evaluation.md says what that means)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from lxml import html as lxml_html

from evaluation.pages import Entry, Page, PageSource, Reference

GENERIC: Final = frozenset(("article", "documentation", "forum", "structure", ""))
_HOME: Final = re.compile(r"/?(?:index\.\w+|[a-z]{2}(?:-[a-z]{2})?/?)?", re.IGNORECASE)
_QUESTIONS: Final = re.compile(
    r"(?:^|\.)(?:stackoverflow|stackexchange|superuser|serverfault|askubuntu|quora)\.", re.IGNORECASE
)
_WIKI: Final = re.compile(r"(?:^|[./])wiki(?:[./]|$|pedia|voyage|books|how)|fandom\.com", re.IGNORECASE)
_GLOSSARY: Final = re.compile(r"glossar|dictionar|thesaurus|/definitions?/|encyclop", re.IGNORECASE)
_NEWS_ADDRESS: Final = re.compile(
    r"(?:^|[./-])(?:news|nachrichten|noticias|actualites|politik|politics)(?:[./-]|$)", re.IGNORECASE
)
_RECIPE: Final = re.compile(rb'"@type"\s*:\s*\[?\s*"Recipe"|schema\.org/Recipe', re.IGNORECASE)
_NEWS: Final = re.compile(rb'"@type"\s*:\s*\[?\s*"(?:\w*News\w*Article)"|schema\.org/NewsArticle', re.IGNORECASE)
_QA: Final = re.compile(rb'"@type"\s*:\s*\[?\s*"QAPage"|schema\.org/QAPage', re.IGNORECASE)


def draft_label(page: Page) -> tuple[str, str]:
    """Return a page's label and who drafted it: "author", "dataset" or "rule"."""
    if page.dataset == "own" and page.label:
        return page.label, "author"
    address = urlsplit(page.url or "")
    where = f"{address.netloc}{address.path}"
    if page.dataset == "own":
        return ("q&a" if "qa-" in page.id else "documentation" if "code" in page.id else "article"), "rule"
    if (
        page.dataset not in ("readability", "defuddle")
        and address.netloc
        and _HOME.fullmatch(address.path)
        and not address.query
    ):
        return "homepage", "rule"
    if page.label not in GENERIC:
        return page.label, "dataset"
    found = _draft_specific(page, where)
    if found:
        return found, "rule"
    if page.dataset == "wcxb":
        return page.label, "dataset"
    if page.dataset == "defuddle":
        return _draft_fixture(page.id), "rule"
    return page.label, "rule"


def _draft_specific(page: Page, where: str) -> str:
    """A kind that the address or the page's own declaration names, more special than `page.label`; else ""."""
    if _QUESTIONS.search(where) or (page.label == "forum" and _QA.search(page.html)):
        return "q&a"
    if page.label == "forum":
        return ""
    if _GLOSSARY.search(where):
        return "glossary"
    if _WIKI.search(where):
        return "wiki"
    if page.label == "documentation":
        return ""
    if _RECIPE.search(page.html):
        return "recipe"
    return "news" if _NEWS.search(page.html) or _NEWS_ADDRESS.search(where) else ""


def _draft_fixture(name: str) -> str:
    if "/comments--" in name:
        return "forum"
    return "documentation" if re.search(r"/(?:code|math)", name) else "article"


def detect_language(page: Page) -> str:
    """Return the language of a page's reference, or of the page itself: two letters, "und" when unknown."""
    if page.language:
        return page.language
    import pycld2

    sample = page.text or page.markdown or " ".join(page.wanted)
    if len(sample) < 200:
        sample += " " + _read_body(page.html)
    try:
        _, _, found = pycld2.detect("".join(filter(str.isprintable, sample[:20_000])), isPlainText=True)
    except pycld2.error:
        return "und"
    code = str(found[0][1]).split("-")[0]
    return "und" if code == "un" else code


def _read_body(html: bytes) -> str:
    try:
        tree = lxml_html.document_fromstring(html.decode("utf-8", "replace").encode("utf-8"), parser=_PARSER)
    except (ValueError, lxml_html.etree.ParserError):
        return ""
    return " ".join(t.strip() for t in tree.xpath("//body//text()[not(ancestor::script or ancestor::style)]"))


_PARSER: Final = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)


def draft_entry(page: Page) -> Entry:
    """Return a page's entry for the corpus."""
    label, author = draft_label(page)
    if page.dataset == "own":
        reference = f"tests/pages/{page.id.removeprefix('own/')}/expected.md"
    else:
        reference = REFERENCE_FILES.get(page.dataset, "").format(name=page.id.split("/", 1)[1])
    kind = (
        "markdown"
        if page.text is None and page.markdown is not None
        else "text"
        if page.text is not None
        else "snippets"
    )
    return Entry(
        id=page.id,
        label=label,
        language=detect_language(page),
        labelled_by=author,
        page=PageSource(page.dataset, page.path, page.page_sha256),
        reference=Reference(kind, reference, page.reference_sha256),
    )


REFERENCE_FILES: Final = {
    "wcxb": "web-content-extraction-benchmark/dev/ground-truth/{name}.json",
    "trafilatura": "trafilatura/tests/evaldata.json",
    "scrapinghub": "article-extraction-benchmark/ground-truth.json",
    "readability": "readability/test/test-pages/{name}/expected.html",
    "defuddle": "defuddle/tests/expected/{name}.md",
}
