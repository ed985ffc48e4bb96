"""Trees of every node kind, with what a page can put into them at worst: what holds for these holds for any tree."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from danubia_core import Metadata, nodes
from danubia_core.nodes import Tree

HARSH = [
    "ash", "kiln ", " Ofen", "窯", "العربية", "हिन्दी", "🙂", "a < b", "]]>", "&amp;", "&", '"', "'", "<!--", "-->",
    "<?x?>", "\0", "\x01", "\x0b", "\x1f", "\x7f", "\x85", "\ufffe", "\uffff", "\ud800", "\t", "\n", "\r\n", "\r",
    "\u2028", "\xa0", "", " ", "=1+1", "a,b", "a;b", "a\tb", "#", "%", "x:y", "1", "-",
]  # fmt: skip
texts = st.lists(st.sampled_from(HARSH), max_size=4).map("".join) | st.text(max_size=6)
urls = texts | st.sampled_from(
    [
        "https://e.org/", "http://e.org/a b?x=[1]&y=2#a#b", "/rel path/x", "#frag", "//e.org", "///", "//", ":", "1:2",
        "http://[::1]:80/", "http://[half", "http://e.org:port/", "http://e.org:80:80", "http://a@b@c/", "?%zz%41",
        "javascript:go()", "data:text/html,x", "mailto:a@e.org", "http://münchen.example/ä", "a:b:c", "http:", "http:///x",
        "http://e.org\\a<b>|{}^`", "tel:+49 30", "http://e.org/%", "HTTP://E.ORG", "x y:z", "http://%41/", "file:///c:/x",
        "http://e.org/\ud800",
    ]
)  # fmt: skip
flags = st.sampled_from([0, 0, nodes.MAIN, nodes.COMMENT, nodes.MAIN | nodes.DENSITY])
labels = st.sampled_from(["", "1", "2", "2", "*", " a b ", "①", "<&>", "\0"])


def build(node: Any, /, **fields: Any) -> Any:
    return st.builds(node, flags=flags, **fields)


def some(children: Any) -> Any:
    return st.lists(children, max_size=3)


inlines = some(
    st.recursive(
        texts
        | texts
        | st.one_of(
            build(nodes.Code, text=texts),
            build(nodes.Image, src=urls, authored=urls, alt=texts, title=texts),
            build(nodes.Break),
            build(nodes.Math, tex=texts),
            build(nodes.FootnoteRef, label=labels),
        ),
        lambda inner: st.one_of(
            *(
                build(k, children=some(inner))
                for k in (nodes.Strong, nodes.Emphasis, nodes.Strike, nodes.Sub, nodes.Sup)
            ),
            build(nodes.Link, href=urls, authored=urls, title=texts, children=some(inner)),
        ),
        max_leaves=5,
    )
)
cells = build(nodes.Cell, header=st.booleans(), children=inlines)
leaves = st.one_of(
    build(nodes.Heading, level=st.integers(1, 6), children=inlines),
    build(nodes.Paragraph, children=inlines),
    build(nodes.CodeBlock, language=texts | st.sampled_from(["python", "c++", "a b"]), text=texts),
    build(nodes.Table, header=st.booleans(), caption=inlines, children=some(build(nodes.Row, children=some(cells)))),
    build(nodes.MathBlock, tex=texts),
    build(nodes.ThematicBreak),
)


def extend(blocks: Any) -> Any:
    items = build(nodes.Item, checked=st.sampled_from([None, True, False]), children=some(blocks))
    entries = build(nodes.Term, children=inlines) | build(nodes.Definition, children=some(blocks))
    return st.one_of(
        build(nodes.List, ordered=st.booleans(), start=st.sampled_from([1, 0, -3, 7]), children=some(items)),
        build(nodes.Quote, kind=st.sampled_from(["", "note", "warning"]) | texts, children=some(blocks)),
        build(nodes.DefinitionList, children=st.lists(entries, max_size=4)),
        build(nodes.Details, summary=inlines, children=some(blocks)),
        build(nodes.FootnoteDefinition, label=labels, children=some(blocks)),
    )


any_trees = st.builds(Tree, children=st.lists(st.recursive(leaves, extend, max_leaves=6), max_size=5))
any_metadata = st.builds(
    Metadata,
    title=st.none() | texts,
    author=st.none() | texts | st.just("Ada; Bo"),
    date=st.none() | st.sampled_from(["2026-10-03", "2026", "2026-13-01", "0000-00-00", "soon"]),
    site_name=st.none() | texts,
    description=st.none() | texts,
    categories=some(texts),
    tags=some(texts),
    language=st.none() | st.sampled_from(["en", "zh-Hant", "pt_BR", "x", "en-", "", "de-x-1234567890"]),
    canonical_url=st.none() | urls,
    image=st.none() | urls,
    license=st.none() | urls,
)
