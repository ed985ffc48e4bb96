"""Every rule against its own two snippets, and what holds of all rules together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from danubia_core import extract
from danubia_core.marks import Marks, mark_document
from danubia_core.parse import parse_html
from danubia_core.rules import RULES, Rule, describe
from danubia_core.vocabulary import split_words

PROSE = (
    "<p>" + "The river carried the barges down to the mill before noon, as it had in every year since. " * 12 + "</p>"
)
BY_ID = {rule.id: rule for rule in RULES}
MAIN = [rule for rule in RULES if rule.action == "main"]
DISCARDING = [rule for rule in RULES if rule.action != "main"]


def wrappers(rule: Rule) -> list[str]:
    return {"outside": ["outside"], "inside": ["inside"], "everywhere": ["outside", "inside"]}[rule.scope]


def find_discards(where: str, snippet: str) -> set[str]:
    """Ids of the rules that discard something of a page that has the snippet inside or outside its main content."""
    bare = snippet.removeprefix("<main>").removesuffix("</main>")
    page = f"<main>{PROSE}{bare}</main>" if where == "inside" else f"{bare}<main>{PROSE}</main>"
    marks = mark_document(parse_html(f"<html><body>{page}</body></html>"))
    return {RULES[index].id for index in [*marks.discards.values(), *marks.gated.values()]}


def find_regions(snippet: str) -> tuple[Marks, set[int]]:
    marks = mark_document(parse_html(f"<html><body>{snippet}</body></html>"))
    return marks, {level for level, nodes in marks.regions.items() if nodes}


CASES = [pytest.param(rule, where, id=f"{rule.id}-{where}") for rule in DISCARDING for where in wrappers(rule)]


@pytest.mark.parametrize(("rule", "where"), CASES)
def test_rule_catches_its_snippet(rule: Rule, where: str) -> None:
    assert rule.id in find_discards(where, rule.catches)


@pytest.mark.parametrize(("rule", "where"), CASES)
def test_rule_spares_its_look_alike(rule: Rule, where: str) -> None:
    assert rule.id not in find_discards(where, rule.spares)


@pytest.mark.parametrize("rule", [rule for rule in DISCARDING if rule.scope == "inside"], ids=lambda rule: rule.id)
def test_snippet_of_an_inside_rule_stands_inside_main(rule: Rule) -> None:
    assert rule.catches.startswith("<main>")
    assert rule.spares.startswith("<main>")


@pytest.mark.parametrize("rule", MAIN, ids=lambda rule: rule.id)
def test_main_rule_marks_its_snippet_alone(rule: Rule) -> None:
    caught, levels = find_regions(rule.catches)
    spared, spared_levels = find_regions(rule.spares)
    if rule.id == "main.post":
        assert caught.posts
        assert not spared.posts
    else:
        assert rule.level in levels
        assert rule.level not in spared_levels


def test_ids_are_unique_and_records_are_whole() -> None:
    assert len(BY_ID) == len(RULES)
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+\.[a-z-]+", rule.id)
        assert rule.reason.endswith(".")
        assert rule.page
        assert rule.catches != rule.spares
        assert (rule.level > 0) == (rule.action == "main")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_name_can_match(rule: Rule) -> None:
    """A word with a hyphen, a pair of three words or a token in capitals would stand in the table and never fire."""
    assert [word for word in rule.words if split_words(word) != [word]] == []
    assert [pair for pair in rule.pairs if split_words(pair) != pair.split("-") or pair.count("-") != 1] == []
    assert [token for token in rule.tokens if token != token.lower() or token.split() != [token]] == []


ATTRIBUTES = sorted((rule.id, name, value) for rule in RULES for name, value in rule.attributes)


@pytest.mark.parametrize(("rule_id", "name", "value"), ATTRIBUTES)
def test_every_attribute_marks(rule_id: str, name: str, value: str) -> None:
    snippet = f'<div {name}="{value}">{PROSE}</div>'
    rule = BY_ID[rule_id]
    if rule.action != "main":
        assert rule_id in find_discards("outside", f'<div {name}="{value}"><p>Text</p></div>')
    elif rule_id == "main.post":
        assert find_regions(snippet)[0].posts
    else:
        assert rule.level in find_regions(snippet)[1]


# Traps ---------------------------------------------------------------------------------------------------------------


def test_search_is_no_word_of_any_rule() -> None:
    for rule in RULES:
        assert "search" not in rule.words | rule.tokens


def test_body_class_of_a_wiki_with_search_in_it_costs_no_text() -> None:
    page = (
        '<html><body class="skin-vector-search-vue skin--responsive mediawiki ltr sitedir-ltr mw-hide-empty-elt ns-0">'
        f'<div class="vector-search-box"><form><label>Find</label></form></div>{PROSE}</body></html>'
    )
    document = parse_html(page)
    assert document.index["body"][0] not in mark_document(document).discards
    assert extract(page).text.startswith("The river carried the barges")


@pytest.mark.parametrize(
    "names", ["widget widget-recent-posts", "button-container", "item-border", "with-label-link", "tags", "banner"]
)
def test_chrome_words_do_not_discard_inside_main(names: str) -> None:
    snippet = f'<div class="{names}"><p>Sixty tokens tell what a lock did cost.</p></div>'
    assert not find_discards("inside", snippet)
    assert not find_discards("inside", f'<div id="sidebar-mobile-1" class="{names}"><p>Sixty tokens.</p></div>')


@pytest.mark.parametrize(
    "names", ["widget", "sidebar", "footer", "related", "newsletter", "breadcrumb", "cookie", "consent", "paywall"]
)
def test_broad_vocabulary_discards_outside_main(names: str) -> None:
    assert find_discards("outside", f'<div class="{names}"><p>Sixty tokens.</p></div>')


def test_role_of_navigation_discards() -> None:
    assert find_discards("outside", '<div role="navigation"><p>Home</p></div>') == {"chrome.navigation"}
    assert find_discards("inside", '<div role="navigation"><p>Home</p></div>') == {"inside.navigation"}


def test_no_rule_discards_most_of_a_page() -> None:
    document = parse_html(f'<html><body><div class="sidebar">{PROSE}</div><p>Little.</p></body></html>')
    assert not mark_document(document).discards


def test_no_rule_names_a_site() -> None:
    told = " ".join(f"{r.reason} {r.page} {' '.join(r.words | r.tokens | r.pairs | r.tags)}" for r in RULES).lower()
    assert not re.search(r"https?:|www\.|\.(?:com|org|net|io|de)\b", told)
    for name in (
        "wikipedia",
        "hackaday",
        "monnaie",
        "reddit",
        "youtube",
        "medium",
        "substack",
        "stackoverflow",
        "nytimes",
    ):
        assert name not in re.findall(r"\w+", told)


# The page of documentation -------------------------------------------------------------------------------------------


def test_page_of_rules_tells_every_rule() -> None:
    page = describe.describe_rules()
    for rule in RULES:
        assert f"### {rule.id}\n" in page
        assert rule.catches in page


def test_page_of_rules_is_written_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describe, "TARGET", tmp_path / "docs" / "rules.md")
    assert describe.main(["--check"]) == 1
    assert describe.main([]) == 0
    assert describe.main(["--check"]) == 0
    assert describe.main(["--what"]) == 2
