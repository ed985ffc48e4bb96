"""Pages that a script renders: their content is read from noscript, JSON-LD or the page's state, and only then."""

from __future__ import annotations

import json

import pytest

from danubia_core import extract

LINE = "The river carried the barges down to the mill before noon, as it had in every year since. "
BODY = "\n".join(f"Part {k}. {LINE * 2}" for k in range(3))
MARKUP = "".join(f"<p>Part {k}. {LINE * 2}</p>" for k in range(3))
SHELL = '<html><body><div id="root"><p>Loading</p></div>{}</body></html>'


def script(value: object, head: str) -> str:
    return f"<script {head}>{json.dumps(value)}</script>"


NOSCRIPT = f"<noscript><div>{MARKUP}</div></noscript>"
JSON_LD = script({"@type": "Article", "articleBody": BODY}, 'type="application/ld+json"')
STATE = script({"props": {"page": {"body": BODY}}}, 'id="__NEXT_DATA__" type="application/json"')
STATE_HTML = script({"props": {"page": {"body": MARKUP}}}, 'id="__NEXT_DATA__" type="application/json"')


@pytest.mark.parametrize(
    ("hidden", "rung"),
    [
        (NOSCRIPT, "rescue:noscript"),
        (JSON_LD, "rescue:json-ld"),
        (STATE, "rescue:page-state"),
        (STATE_HTML, "rescue:page-state"),
    ],
)
def test_hidden_copy_is_read_where_the_page_is_nearly_empty(hidden: str, rung: str) -> None:
    extraction = extract(SHELL.format(hidden))
    assert extraction.stats.rung == rung
    assert [f"Part {k}." in extraction.text for k in range(3)] == [True] * 3
    assert extraction.markdown.count("\n\nPart ") >= 2
    assert extraction.skip is None


@pytest.mark.parametrize("hidden", [NOSCRIPT, JSON_LD, STATE])
def test_hidden_copy_is_left_alone_where_the_page_has_text(hidden: str) -> None:
    extraction = extract(f"<html><body><main><p>What is seen. {LINE * 5}</p></main>{hidden}</body></html>")
    assert not extraction.stats.rung.startswith("rescue")
    assert "Part 1." not in extraction.text


@pytest.mark.parametrize(
    "hidden",
    [
        "<noscript><p>Please turn on JavaScript.</p></noscript>",
        script({"articleBody": "Short."}, 'type="application/ld+json"'),
        '<script type="application/ld+json">{"articleBody": </script>',
        '<script type="application/ld+json">' + "[" * 5000 + "</script>",
        script({"token": "x" * 5000, "url": "https://e.org/" + "y" * 500}, 'id="__NEXT_DATA__"'),
    ],
)
def test_hidden_trifle_or_nonsense_changes_nothing(hidden: str) -> None:
    extraction = extract(SHELL.format(hidden))
    assert extraction.text == "Loading"
    assert not extraction.stats.rung.startswith("rescue")


def test_angle_brackets_of_plain_text_are_text() -> None:
    body = f"If a < b, then {LINE * 3}"
    hidden = script({"articleBody": body}, 'type="application/ld+json"')
    assert "If a < b, then" in extract(SHELL.format(hidden)).text
