"""Every golden page: the expected files, and what must hold of any extraction whatever they say."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import lxml.html
import msgspec
import pytest
from markdown_it import MarkdownIt

from danubia_core import Tree
from tests.golden import (
    SLUGS,
    extract_golden,
    format_facts,
    format_markdown,
    load_page,
    write_golden,
)
from tests.known_faults import KNOWN_FAULTS

MINIMUM_PAGES = 60
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

INVISIBLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\u00ad\u200b-\u200f\u2060\ufeff\ufffe]")
ALERT_MARK = re.compile(r"\\?\[!\w+\]")  # how Markdown names the kind of a note


def squeeze(text: str) -> str:
    return " ".join(INVISIBLE.sub("", text).split())


def test_there_are_enough_pages() -> None:
    assert len(SLUGS) >= MINIMUM_PAGES


@pytest.mark.parametrize("slug", SLUGS)
def test_golden(slug: str, request: pytest.FixtureRequest) -> None:
    page, extraction = load_page(slug), extract_golden(slug)
    if request.config.getoption("--update-golden"):
        write_golden(slug)
    assert page.markdown_file.exists(), "no expected.md: write it with --update-golden, then read it"
    assert page.facts_file.exists(), "no expected.json: write it with --update-golden, then read it"
    assert format_markdown(extraction) == page.markdown_file.read_text(encoding="utf-8")
    assert format_facts(extraction) == page.facts_file.read_text(encoding="utf-8")


# What a reader expects -----------------------------------------------------------------------------------------------


def find_faults(slug: str) -> list[str]:
    """What the text lacks, in order, and what it has too much of."""
    page, text = load_page(slug), squeeze(extract_golden(slug).tree.to_text(credited=True))
    faults, place = [], 0
    for snippet in map(squeeze, page.must_contain):
        found = text.find(snippet, place)
        if found < 0:
            faults.append(f"lacks, or has out of order: {snippet}")
        else:
            place = found + len(snippet)
    return faults + [f"has: {snippet}" for snippet in map(squeeze, page.must_not_contain) if snippet in text]


@pytest.mark.parametrize("slug", SLUGS)
def test_text_has_what_the_page_says_and_no_more(slug: str) -> None:
    """Faults that are known are told one by one in tests/known_faults.py: no more than those, and no fewer."""
    assert find_faults(slug) == list(KNOWN_FAULTS.get(slug, {}))


def test_known_faults_are_of_pages_and_have_reasons() -> None:
    assert set(KNOWN_FAULTS) <= set(SLUGS)
    assert all(reason for faults in KNOWN_FAULTS.values() for reason in faults.values())


# What holds of any extraction ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_second_run_gives_the_same(slug: str) -> None:
    first, second = extract_golden(slug), load_page(slug).extract()
    assert second.tree.to_json() == first.tree.to_json()
    assert (second.markdown, second.text, second.html) == (first.markdown, first.text, first.html)
    assert (second.metadata, second.stats, second.skip) == (first.metadata, first.stats, first.skip)


def walk_texts(node: Any) -> Iterator[str]:
    """The page's own words in a tree as plain values; formulas are left out, as TeX may be made from MathML."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for child in node:
            yield from walk_texts(child)
    elif node.get("type") not in ("math", "math_block"):
        for name in ("text", "alt", "summary", "caption", "children"):
            yield from walk_texts(node.get(name, []))


def split_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", INVISIBLE.sub("", text)))


@pytest.mark.parametrize("slug", SLUGS)
def test_no_word_comes_from_nowhere(slug: str) -> None:
    extraction = extract_golden(slug)
    source = load_page(slug).source.decode(extraction.charset, "replace")
    known = split_words(html.unescape(source))
    run_on = INVISIBLE.sub("", html.unescape(re.sub(r"<[^>]*>", "", source)))  # tags may stand inside a word
    tree = msgspec.json.decode(extraction.tree.to_json())
    words = {word for text in walk_texts(tree["children"]) for word in split_words(text)}
    assert not [word for word in words - known if word not in run_on]


def read_letters(markup: str) -> str:
    return keep_letters(lxml.html.fromstring(f"<div>{markup}</div>").text_content())


def keep_letters(text: str) -> str:
    """Letters alone: marks of lists, notes and formulas differ by form, and figures number the lists of the text."""
    return "".join(re.findall(r"[^\W\d_]", text))


@pytest.mark.parametrize("slug", SLUGS)
def test_all_forms_have_the_same_text(slug: str) -> None:
    extraction = extract_golden(slug)
    text = keep_letters(extraction.tree.to_text(credited=True))
    assert text
    assert read_letters(extraction.html) == text
    assert read_letters(RENDERER.render(ALERT_MARK.sub("", extraction.markdown))) == text


@pytest.mark.parametrize("slug", SLUGS)
def test_tree_reads_back(slug: str) -> None:
    extraction = extract_golden(slug)
    again = Tree.from_json(extraction.tree.to_json())
    assert again.to_markdown() == extraction.markdown
    assert again.to_text() == extraction.text
    assert again.to_html() == extraction.html
