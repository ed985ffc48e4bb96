"""What holds for any markup: no word is lost or doubled, and the tree reads back."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from danubia_core.collect import collect_tree
from danubia_core.nodes import Tree
from danubia_core.parse import parse_html

TAGS = (
    "p div span b em a ul ol li dl dt dd table tr td th caption blockquote pre code h2 h3 details summary figure "
    "figcaption sup sub section article q s tbody thead br hr kbd center font label aside x-custom"
).split()
ATTRIBUTES = [
    "", ' href="/x"', ' href="#n1"', ' id="n1"', ' class="admonition note"', ' class="line"', ' class="highlight"',
    ' colspan="3"', ' rowspan="2"', ' style="display:block"', ' class="language-py"', ' style="font-weight:bold"',
]  # fmt: skip


@st.composite
def markup(draw: st.DrawFn) -> tuple[str, list[str]]:
    parts: list[str] = []
    words: list[str] = []
    for step in draw(
        st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES), st.integers(0, 5)), max_size=40)
    ):
        tag, attributes, action = step
        if action < 3:
            parts.append(f"<{tag}{attributes}>")
        elif action < 5:
            parts.append(f"</{tag}>")
        if action != 3:
            words.append(f"w{len(words)}w")
            parts.append(draw(st.sampled_from(["", " ", "\n"])) + words[-1] + draw(st.sampled_from(["", " ", "\n"])))
    return "".join(parts), words


@given(markup())
@settings(max_examples=200, deadline=None)
def test_every_word_stands_once_in_the_tree(page: tuple[str, list[str]]) -> None:
    html, words = page
    document = parse_html(html)
    tree = collect_tree(document, [0], bytearray(len(document) + 1), str, 0)
    assert sorted(re.findall(r"w\d+w", tree.to_text())) == sorted(words)
    assert Tree.from_json(tree.to_json()) == tree
