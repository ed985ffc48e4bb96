"""`explain` tells the same page that `extract` extracts: what is kept comes out, what a rule discards does not."""

from __future__ import annotations

import re

import pytest

from danubia_core import explain
from danubia_core.rules import RULES
from tests.golden import SLUGS, extract_golden, load_page

RULE_IDS = {rule.id for rule in RULES}
OTHER_FATES = {"kept", "outside", "density", "teasers", "orphan"}
PLAIN = [slug for slug in SLUGS if not extract_golden(slug).stats.rung.startswith("rescue")]


def read_words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("slug", PLAIN)
def test_parts_agree_with_the_extraction(slug: str) -> None:
    page, extraction = load_page(slug), extract_golden(slug)
    parts = explain(page.source, url=page.url, content_type=page.content_type, options=page.options)
    assert {part.fate for part in parts} <= RULE_IDS | OTHER_FATES
    assert all(part.text_bytes == len(part.text.encode()) for part in parts)
    kept = set(read_words(" ".join(part.text for part in parts if part.is_kept)))
    out = read_words(extraction.text)
    assert sum(word in kept for word in out) >= 0.9 * len(out)
    discards = extraction.stats.discards
    assert {part.fate for part in parts} & RULE_IDS <= set(discards)


def test_each_reason_is_named() -> None:
    prose = "A tide mill grinds twice a day, at hours that the moon sets, and the miller sleeps between. " * 5
    links = "".join(f'<a href="/{n}">Page {n}</a> ' for n in range(8))
    page = f"""<body><div>Elsewhere on the site</div><main><h1>Mills</h1><p>{prose}</p><div>{links}</div><p>{prose}</p>
        <div class="share-buttons">Share this</div><p>{prose}</p></main><footer>Imprint</footer></body>"""
    fates = {part.text[:12]: part.fate for part in explain(page)}
    assert fates["Mills A tide"] == "kept"
    assert fates["Elsewhere on"] == "outside"
    assert fates["Page 0 Page "] == "density"
    assert fates["Share this"] == "inside.social"
    assert fates["Imprint"] == "chrome.footer"
