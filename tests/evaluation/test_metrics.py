"""The metrics, on texts small enough to reckon by hand."""

from __future__ import annotations

import pytest

from evaluation.metrics.flags import find_flags
from evaluation.metrics.markdown import read_structure
from evaluation.metrics.public import compare_lines, compare_rouge, compare_shingles, compare_words, score_public
from evaluation.metrics.structure import compare_tables, recall_structure
from evaluation.metrics.tokens import compare_texts, split_tokens
from evaluation.pages import Page

MARKDOWN = """# Tide mills

A mill[^1] with a [pond](/pond) and $a^2$.

## Gates

- one gate
- two gates
    - a small one

```c
open();
```

```
```

| gate | width |
| --- | --- |
| east | 3 m |

$$
q = v A
$$
"""


def make_page(**settings: object) -> Page:
    return Page(**{"id": "folder/x", "dataset": "folder", "path": "x.html", "html": b"<p>x", **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("潮車の水", ["潮", "車", "の", "水"]),
        ("ไทย ok", ["ไ", "ท", "ย", "ok"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("물레방아 둘", ["물레방아", "둘"]),
        ("A 3.5-m gate", ["a", "3", "5", "m", "gate"]),
    ],
)
def test_tokens_are_words_or_characters_by_script(text: str, tokens: list[str]) -> None:
    assert split_tokens(text) == tokens


def test_headline_is_the_mean_of_unigram_and_bigram_f1() -> None:
    agreement = compare_texts("a b c d", "a b d c e")
    assert agreement.unigram.precision == 1.0
    assert agreement.unigram.recall == 0.8
    assert agreement.bigram.precision == pytest.approx(1 / 3)  # "a b" of three pairs
    assert agreement.bigram.recall == 0.25
    assert agreement.headline == pytest.approx((2 * 0.8 / 1.8 + 2 / 7) / 2)
    assert (agreement.found, agreement.wanted, agreement.shared) == (4, 5, 4)


def test_empty_agrees_with_empty_and_with_nothing_else() -> None:
    assert compare_texts("", "…").headline == 1.0
    assert compare_texts("", "word").headline == 0.0
    assert compare_texts("word", "").headline == 0.0


def test_order_costs_bigrams_alone() -> None:
    agreement = compare_texts("c b a", "a b c")
    assert (agreement.unigram.f1, agreement.bigram.f1) == (1.0, 0.0)


def test_markdown_is_taken_apart() -> None:
    found = read_structure(MARKDOWN, "https://mills.example.org/tide")
    assert found.headings == [(1, "Tide mills"), (2, "Gates")]
    assert found.links == ["https://mills.example.org/pond"]
    assert found.code == ["open();"]
    assert found.empty_fences == 1
    assert found.items == ["one gate", "a small one", "two gates"]
    assert found.tables == [[["gate", "width"], ["east", "3 m"]]]
    assert found.math == ["a^2", "q = v A"]
    assert "east" in found.text
    assert "#" not in found.text


def test_structure_recall_of_a_text_with_itself_is_whole() -> None:
    structure = read_structure(MARKDOWN)
    assert recall_structure(structure, structure) == dict.fromkeys(
        ("headings", "levels", "links", "code", "tables", "items", "math"), 1.0
    )


def test_structure_recall_counts_what_is_lost() -> None:
    poor = read_structure("### Tide mills\n\nA [pond](https://e.org/pond/).\n\n- two gates\n\n```\nclose();\n```\n")
    rich = read_structure(MARKDOWN, "http://e.org/x")
    assert recall_structure(poor, rich) == {
        "headings": 0.5,
        "levels": 0.0,
        "links": 1.0,
        "code": 0.0,
        "tables": 0.0,
        "items": pytest.approx(1 / 3),
        "math": 0.0,
    }


def test_only_what_the_reference_has_is_recalled() -> None:
    assert recall_structure(read_structure(MARKDOWN), read_structure("Plain.")) == {}


def test_teds_sees_cells_and_shape() -> None:
    table = [["gate", "width"], ["east", "3 m"]]
    assert compare_tables(table, table) == 1.0
    # Seven nodes (table, two rows, four cells), one cell of four letters changed altogether: 1 - 1/7.
    assert compare_tables([["gate", "width"], ["WXYZ", "3 m"]], table) == pytest.approx(1 - 1 / 7)
    assert compare_tables([["gate", "width"]], table) == pytest.approx(1 - 3 / 7)


def test_word_f1_counts_words_as_often_as_they_occur() -> None:
    figures = compare_words("The cat. The cat!", "the CAT sat")
    assert figures["word_precision"] == 0.5
    assert figures["word_recall"] == pytest.approx(2 / 3)
    assert figures["word_f1"] == pytest.approx(4 / 7)
    assert compare_words("", "")["word_f1"] == 1.0


def test_shingles_are_shares_of_all() -> None:
    # Of "a b c d e" two shingles, of "a b c d x" two, one shared: right 1, wrong 1, missed 1.
    assert compare_shingles("a b c d e", "a b c d x") == dict.fromkeys(
        ("shingles_right", "shingles_wrong", "shingles_missed"), pytest.approx(1 / 3)
    )
    assert compare_shingles("a b", "a b")["shingles_right"] == 1.0
    assert compare_shingles("A b c d", "a b c d")["shingles_right"] == 0.0


def test_rouge_is_over_all_tokens_of_jieba() -> None:
    # "a b c d" has seven tokens, spaces among them: three runs of five, of which the other text shares two.
    assert compare_rouge("a b c d", "a b c x") == pytest.approx(2 / 3)
    assert compare_rouge("", " ") == 1.0
    assert compare_rouge("", "word") == 0.0


def test_lines_are_compared_without_trailing_space() -> None:
    assert compare_lines("# A  \n\nb", "# A\n\nb\n") == 1.0
    assert compare_lines("# A\nb", "# A\nc") == 0.5


def test_snippets_are_counted_with_case_and_shared_without() -> None:
    page = make_page(dataset="wcxb", text="x", wanted=["Wide  gate", "narrow"], unwanted=["IMPRINT"])
    figures = score_public(page, "A wide gate.\nNarrow, narrow.\nImprint", None)
    assert (figures["wanted_found"], figures["wanted_all"], figures["wanted_share"]) == (1, 2, 1.0)
    assert (figures["unwanted_found"], figures["unwanted_all"], figures["unwanted_share"]) == (0, 1, 1.0)


LONG = " ".join(f"word{n}" for n in range(600))
LINE = "The same line of more than a hundred and twenty characters, that a broken extractor gives twice, " * 2
CLEAN = f"# Word0 and more\n\n{LONG}\n\n## Next\n\n{LINE} And on."


@pytest.mark.parametrize(
    ("markdown", "flags"),
    [
        (CLEAN, []),
        ("", ["empty"]),
        (CLEAN[:2500] + "\n\n## Next", ["truncated"]),
        (f"{CLEAN}\n\n```\n```", ["empty-fences"]),
        (CLEAN.replace("#", ""), ["headings-missing"]),
        (f"{CLEAN}\n\nA\ufffdB", ["replacement-characters"]),
        (f"{CLEAN}\n\n{LINE} And on.", ["repeated-text"]),
    ],
)
def test_flags_of_outputs(markdown: str, flags: list[str]) -> None:
    page, found = make_page(markdown=CLEAN), read_structure(markdown)
    assert find_flags(page, found.text, found, read_structure(CLEAN)) == flags


def test_flags_of_pages() -> None:
    page = make_page(text="Gates of oak.", title="The oldest tide mill", stale=True)
    assert find_flags(page, "Gates of oak.", None, None) == ["title-missing", "reference-stale"]
    assert find_flags(page, "Gates of oak.", None, None, "Oldest tide mill | Mills") == ["reference-stale"]
    assert find_flags(page, "The oldest tide mill\nGates", None, None) == ["reference-stale"]
