"""The rescue cascade: asked for only, told by its rung, and its proposals keep their structure."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from danubia_core import Options, cascade, extract
from danubia_core.cascade import (
    Measure,
    MissingLibraryError,
    find_missing,
    is_better,
    measure_tree,
    propose_justext,
    propose_readability,
)
from danubia_core.marks import mark_document
from danubia_core.nodes import Heading, Table
from danubia_core.parse import parse_html
from pipelines.option_parser import UsageError, parse_extract_options

PROSE = (
    "The river carried the barges down to the mill before noon, and as it had in every year since the flood, it rose. "
)
ARTICLE = f"""<html lang="en"><head><title>Mills</title></head><body>
<div><a href="/a">Home</a> <a href="/b">About us</a></div>
<div id="story"><h2>Tide mills</h2><p>{PROSE * 4}</p><p>{PROSE * 5}</p>
<table><tr><th>Mill</th><th>Year</th></tr><tr><td>{PROSE}</td><td>1740</td></tr></table><p>{PROSE * 3}</p></div>
<div><a href="/c">Terms</a> <a href="/d">Imprint</a></div></body></html>"""


def keep(address: str) -> str:
    return address


@pytest.fixture
def without_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither library is installed."""
    find_spec = importlib.util.find_spec
    hidden = frozenset(cascade.LIBRARIES)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in hidden else find_spec(name))


@pytest.mark.usefixtures("without_libraries")
def test_missing_libraries_are_named_with_the_extra() -> None:
    assert find_missing() == ["readability-lxml", "jusText"]
    with pytest.raises(MissingLibraryError, match=r"readability-lxml and jusText: pip install 'danubia\[cascade\]'"):
        extract(ARTICLE, options=Options(cascade=True))
    with pytest.raises(UsageError, match="danubia\\[cascade\\]"):
        parse_extract_options(["cascade=true"])


@pytest.mark.usefixtures("without_libraries")
def test_nothing_is_needed_unless_asked_for() -> None:
    assert "tide mills" in extract(ARTICLE).text.lower()
    assert not parse_extract_options([]).cascade


def test_libraries_are_not_loaded_with_the_core() -> None:
    loaded = "import sys, danubia_core; print({'readability', 'justext'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True).stdout == b"set()\n"


def test_readability_proposes_a_tree() -> None:
    proposal = propose_readability(ARTICLE.encode(), keep)
    assert proposal is not None
    assert proposal.name == "cascade:readability"
    assert "Imprint" not in proposal.tree.to_text()
    assert proposal.measure.tables == 1


def test_justext_says_which_runs_stay_and_structure_is_the_documents_own() -> None:
    document = parse_html(ARTICLE)
    proposal = propose_justext(document, mark_document(document).discards, keep)
    assert proposal is not None
    assert proposal.name == "cascade:justext"
    kinds = [type(node) for node in proposal.tree.children]
    assert kinds[0] is Heading
    assert Table in kinds
    text = proposal.tree.to_text()
    assert "About us" not in text
    assert "Imprint" not in text


def test_justext_without_stop_words() -> None:
    line = (
        "潮が満ちると水車の池に水が入り、引くときに車を回して粉を挽く。それは一日に二度、月の決めた時刻に起こる。" * 4
    )
    document = parse_html(f'<html lang="ja"><body><p>{line}</p><p><a href="/x">次へ</a></p></body></html>')
    proposal = propose_justext(document, {}, keep)
    assert proposal is not None
    assert proposal.tree.to_text() == line


@pytest.mark.parametrize("markup", ["", "<p></p>", "<div><a href='/x'>x</a></div>"])
def test_no_proposal_of_a_page_without_text(markup: str) -> None:
    document = parse_html(markup)
    assert propose_justext(document, {}, keep) is None
    assert extract(markup, options=Options(cascade=True)).stats.rung == extract(markup).stats.rung


def test_measure() -> None:
    document = parse_html(ARTICLE)
    proposal = propose_readability(ARTICLE.encode(), keep)
    assert document is not None
    assert proposal is not None
    measure = measure_tree(proposal.tree)
    assert measure == proposal.measure
    assert measure.text_bytes > measure.prose_bytes > 1000
    assert (measure.tables, measure.headings) == (1, 1)


@pytest.mark.parametrize(
    ("own", "other", "verdict"),
    [
        (Measure(), Measure(600, 400), True),
        (Measure(), Measure(250, 250), False),
        (Measure(2000, 1000, 600), Measure(1100, 900, 100), True),
        (Measure(2000, 1000, 600), Measure(1100, 700, 100), False),  # loses prose
        (Measure(2000, 1000, 600), Measure(2000, 1000, 400), False),  # no cleaner
        (Measure(2000, 1000, 300), Measure(1100, 1000, 0), False),  # clean before
        (Measure(2800, 1900, 600, tables=4), Measure(1900, 1850, 0, tables=1), False),  # loses tables
    ],
)
def test_comparison_by_text_and_structure(own: Measure, other: Measure, *, verdict: bool) -> None:
    assert is_better(own, other, "article") is verdict


OTHERS = '<p><a href="/x">Another story from the valley</a> and more</p>' * 12
BURIED = f"""<html lang="en"><body><div class="post-content">{OTHERS}
<div class="text"><p>{PROSE * 4}</p><p>{PROSE * 5}</p></div></div></body></html>"""


def test_cleaner_proposal_is_taken_and_told() -> None:
    plain = extract(BURIED, options=Options(mode="recall"))
    page = extract(BURIED, options=Options(mode="recall", cascade=True))
    assert "Another story" in plain.text
    assert page.stats.rung in ("cascade:readability", "cascade:justext")
    assert page.stats.selected_bytes < plain.stats.selected_bytes
    assert page.stats.node_counts["paragraph"] == 2
    assert "Another story" not in page.text
    assert page.text.count("The river carried") == 9


def test_good_choice_stays() -> None:
    page = extract(ARTICLE, options=Options(cascade=True))
    assert page.stats.rung == extract(ARTICLE).stats.rung
    assert page.markdown == extract(ARTICLE).markdown
