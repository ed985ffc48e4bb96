"""Each node kind in each form, by hand: what the Markdown, the text and the cleaned HTML of a small tree look like."""

from __future__ import annotations

from typing import Any

import pytest

from danubia_core.nodes import (
    Block,
    Break,
    Cell,
    Code,
    CodeBlock,
    Definition,
    DefinitionList,
    Details,
    Emphasis,
    FootnoteDefinition,
    FootnoteRef,
    Heading,
    Image,
    Inline,
    Item,
    Link,
    List,
    Math,
    MathBlock,
    Paragraph,
    Quote,
    Row,
    Strike,
    Strong,
    Sub,
    Sup,
    Table,
    Term,
    ThematicBreak,
    Tree,
)


def para(*children: Inline) -> Paragraph:
    return Paragraph(children=list(children))


def item(*children: Inline | Block, checked: bool | None = None) -> Item:
    blocks: list[Any] = [para(child) if isinstance(child, str) else child for child in children]
    return Item(checked=checked, children=blocks)


def row(*cells: Inline, header: bool = False) -> Row:
    return Row(children=[Cell(header=header, children=[cell] if cell else []) for cell in cells])


def bullets(*items: Item) -> List:
    return List(children=list(items))


def numbers(*items: Item, start: int = 1) -> List:
    return List(ordered=True, start=start, children=list(items))


URL = "https://e.org/a"

# By name: the blocks, then their Markdown, text and HTML.
GOLDENS: dict[str, tuple[list[Block], str, str, str]] = {
    "nothing": ([], "", "", ""),
    "empty blocks": (
        [para(), para(" "), Heading(), List(), Quote(), Table(), Details(), CodeBlock(text="\n")],
        "",
        "",
        "",
    ),
    "paragraphs": ([para("One."), para("Two.")], "One.\n\nTwo.", "One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>"),
    "heading": (
        [Heading(level=3, children=["Ash ", Emphasis(children=["and"]), Break(), "clay #"])],
        "### Ash *and* clay \\#",
        "Ash and clay #",
        "<h3>Ash <em>and</em><br>clay #</h3>",
    ),
    "emphasis": (
        [para(Strong(children=["a"]), " ", Emphasis(children=["b"]), " ", Strike(children=["c"]), " d")],
        "**a** *b* ~~c~~ d",
        "a b c d",
        "<p><strong>a</strong> <em>b</em> <del>c</del> d</p>",
    ),
    "lowered and raised": (
        [
            para(
                "H",
                Sub(children=["2"]),
                "O, 10",
                Sup(children=["5"]),
                ", 1",
                Sup(children=["st"]),
                ", 11",
                Sub(children=["2"]),
            )
        ],
        "H2O, 10^5, 1st, 11_2",
        "H2O, 10^5, 1st, 11_2",
        "<p>H<sub>2</sub>O, 10<sup>5</sup>, 1<sup>st</sup>, 11<sub>2</sub></p>",
    ),
    "code": (
        [para("Set ", Code(text="a < *b*"), " or ", Code(text="`t`"))],
        "Set `a < *b*` or `` `t` ``",
        "Set a < *b* or `t`",
        "<p>Set <code>a &lt; *b*</code> or <code>`t`</code></p>",
    ),
    "link": (
        [para("See ", Link(href=URL, title='the "kiln"', children=["the [ash]"]), ".")],
        'See [the \\[ash\\]](https://e.org/a "the \\"kiln\\"").',
        "See the [ash].",
        '<p>See <a href="https://e.org/a" title="the &quot;kiln&quot;">the [ash]</a>.</p>',
    ),
    "link around an image": (
        [para(Link(href=URL, children=[Image(src=URL + ".png", alt="Ash")]), Link(href=URL))],
        "[![Ash](https://e.org/a.png)](https://e.org/a)",
        "",
        '<p><a href="https://e.org/a"><img src="https://e.org/a.png" alt="Ash"></a></p>',
    ),
    "link that runs code": (
        [para(Link(href=" java\tscript:go()", children=["go"]), Image(src="data:image/png;base64,iVBO", alt="x"))],
        "go",
        "go",
        "<p>go</p>",
    ),
    "image": (
        [para(Image(src="https://e.org/a (1).png", alt="a*b", title="t"))],
        '![a\\*b](https://e.org/a%20\\(1\\).png "t")',
        "",
        '<p><img src="https://e.org/a (1).png" alt="a*b" title="t"></p>',
    ),
    "break": ([para("a", Break(), "- b")], "a  \n\\- b", "a\n- b", "<p>a<br>- b</p>"),
    "formulas": (
        [para("with ", Math(tex="x_1 < 2"), " beds"), MathBlock(tex="a\n\n= b")],
        "with $x_1 < 2$ beds\n\n$$\na\n= b\n$$",
        "with $x_1 < 2$ beds\n\n$$a = b$$",
        (
            '<p>with <code class="language-math">x_1 &lt; 2</code> beds</p>\n'
            '<pre><code class="language-math">a\n\n= b</code></pre>'
        ),
    ),
    "footnotes": (
        [
            para("Ash", FootnoteRef(label="1"), "."),
            FootnoteDefinition(label="1", children=[para("From oak."), para("Dry.")]),
        ],
        "Ash[^1].\n\n[^1]: From oak.\n\n    Dry.",
        "Ash[1].\n\n[1] From oak.\nDry.",
        "<p>Ash<sup>[1]</sup>.</p>\n<aside>\n<p><sup>[1]</sup> From oak.</p>\n<p>Dry.</p>\n</aside>",
    ),
    "list": (
        [bullets(item("a"), item("b", bullets(item("c"))), item())],
        "- a\n- b\n  - c\n-",
        "- a\n- b\n  - c\n-",
        "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n<li></li>\n</ul>",
    ),
    "numbers": (
        [numbers(item("a"), item("b", numbers(item("c"))), start=9)],
        "9. a\n10. b\n    1. c",
        "9. a\n10. b\n  1. c",
        '<ol start="9">\n<li>a</li>\n<li>b\n<ol>\n<li>c</li>\n</ol></li>\n</ol>',
    ),
    "tasks": (
        [bullets(item("open", checked=False), item("done", checked=True), item("[x] words"))],
        "- [ ] open\n- [x] done\n- \\[x] words",
        "- [ ] open\n- [x] done\n- [x] words",
        "<ul>\n<li>[ ] open</li>\n<li>[x] done</li>\n<li>[x] words</li>\n</ul>",
    ),
    "blocks in items": (
        [numbers(item("Fold", CodeBlock(text="left\n\n  right")), item("Wind", para("twice")))],
        "1. Fold\n\n   ```\n   left\n\n     right\n   ```\n\n2. Wind\n\n   twice",
        "1. Fold\nleft\n\n  right\n2. Wind\n  twice",
        (
            "<ol>\n<li><p>Fold</p>\n<pre><code>left\n\n  right</code></pre></li>\n"
            "<li><p>Wind</p>\n<p>twice</p></li>\n</ol>"
        ),
    ),
    "lists side by side": (
        [bullets(item("a")), bullets(item("b")), numbers(item("c")), numbers(item("d"))],
        "- a\n\n* b\n\n1. c\n\n1) d",
        "- a\n\n- b\n\n1. c\n\n1. d",
        "<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n<ol>\n<li>d</li>\n</ol>",
    ),
    "quote": (
        [Quote(children=[para("a"), bullets(item("b"))])],
        "> a\n>\n> - b",
        "a\n\n- b",
        "<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>",
    ),
    "callout": (
        [Quote(kind="warning", children=[para("Hot.")])],
        "> [!WARNING]\n> Hot.",
        "Hot.",
        "<blockquote>\n<p>Hot.</p>\n</blockquote>",
    ),
    "callout that starts with no paragraph": (
        [Quote(kind="note", children=[numbers(item("a"), start=7)])],
        "> [!NOTE]\n>\n> 7. a",
        "7. a",
        '<blockquote>\n<ol start="7">\n<li>a</li>\n</ol>\n</blockquote>',
    ),
    "formula of lines that are blocks to Markdown": (
        [MathBlock(tex="a\n=\nb\n- c % all\n- d")],
        "$$\na =\nb - c % all\n- d\n$$",
        "$$a = b - c % all - d$$",
        '<pre><code class="language-math">a\n=\nb\n- c % all\n- d</code></pre>',
    ),
    "code block": (
        [CodeBlock(language="python", text="if a:\n    b = '```'\n")],
        "````python\nif a:\n    b = '```'\n````",
        "if a:\n    b = '```'",
        "<pre><code class=\"language-python\">if a:\n    b = '```'\n</code></pre>",
    ),
    "table": (
        [
            Table(
                header=True,
                caption=["Glazes"],
                children=[row("Name", "Ash", header=True), row("A|B", ""), row("C", Code(text="x|y"))],
            )
        ],
        "Glazes\n\n| Name | Ash |\n| --- | --- |\n| A\\|B |  |\n| C | `x\\|y` |",
        "Glazes\nName | Ash\nA|B |\nC | x|y",
        (
            "<table>\n<caption>Glazes</caption>\n<thead>\n<tr><th>Name</th><th>Ash</th></tr>\n</thead>\n<tbody>\n"
            "<tr><td>A|B</td><td></td></tr>\n<tr><td>C</td><td><code>x|y</code></td></tr>\n</tbody>\n</table>"
        ),
    ),
    "table without header": (
        [Table(children=[Row(children=[Cell(header=True, children=["a", Break(), "b"]), Cell(children=["c"])])])],
        "|  |  |\n| --- | --- |\n| a b | c |",
        "a b | c",
        "<table>\n<tbody>\n<tr><th>a<br>b</th><td>c</td></tr>\n</tbody>\n</table>",
    ),
    "thematic break": (
        [para("a"), ThematicBreak(), bullets(item(ThematicBreak()))],
        "a\n\n---\n\n- ___",
        "a\n\n-",
        "<p>a</p>\n<hr>\n<ul>\n<li><hr></li>\n</ul>",
    ),
    "definition list": (
        [
            DefinitionList(
                children=[Term(children=["Ash"]), Definition(children=[para("Burnt ", Strong(children=["oak"]))])]
            )
        ],
        "**Ash**\n\nBurnt **oak**",
        "Ash\nBurnt oak",
        "<dl>\n<dt>Ash</dt>\n<dd>Burnt <strong>oak</strong></dd>\n</dl>",
    ),
    "details": (
        [Details(summary=["More"], children=[para("Hidden.")])],
        "**More**\n\nHidden.",
        "More\n\nHidden.",
        "<details>\n<summary>More</summary>\n<p>Hidden.</p>\n</details>",
    ),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_forms(name: str) -> None:
    blocks, markdown, text, html = GOLDENS[name]
    tree = Tree(children=blocks)
    assert tree.to_markdown() == markdown
    assert tree.to_text() == text
    assert tree.to_html() == html


@pytest.mark.parametrize(
    ("children", "markdown"),
    [
        (["copy *exactly* what, 6*7=42, file_name_here"], r"copy \*exactly\* what, 6\*7=42, file_name_here"),
        (["6*7=42"], "6*7=42"),
        (["# not"], r"\# not"),
        (["1. The crate"], r"1\. The crate"),
        (["1.5 km"], "1.5 km"),
        (["- eight"], r"\- eight"),
        (["> fifty"], r"\> fifty"),
        (["[sic] and <stamp> of `five`"], r"[sic] and \<stamp> of \`five\`"),
        (["[a](b) and [c]: d"], r"[a\](b) and [c\]: d"),
        (["AT&T, a &amp; b, a < b, C:\\dir"], r"AT&T, a \&amp; b, a < b, C:\dir"),
        (["~5 km, ~~gone~~"], r"~5 km, \~\~gone\~\~"),
        (["from $5 to $10"], "from $5 to $10"),
        (["so $x$ is"], r"so \$x\$ is"),
        (["costs $5 for ", Math(tex="x")], r"costs \$5 for $x$"),
        (["look!", Link(href=URL, children=["a"])], r"look\![a](https://e.org/a)"),
        (["---"], r"\---"),
        (["| --- |"], r"\| --- |"),
        # Emphasis that renders.
        (["a", Strong(children=[" b "]), "c"], "a **b** c"),
        (["a", Strong(children=[" "]), "c"], "a c"),
        ([Strong(children=["a"]), Strong(children=["b"])], "**ab**"),
        ([Strong(children=["a ", Strong(children=["b"])])], "**a b**"),
        (["これは", Strong(children=["「重要」"]), "です"], "これは「**重要**」です"),
        (["a", Strong(children=[Link(href=URL, children=["b"])]), "c"], "a[**b**](https://e.org/a)c"),
        (["a", Strong(children=[Code(text="b")]), "c"], "a`b`c"),
        ([Strong(children=["Note:"]), " x"], "**Note:** x"),
        ([Strong(children=["Note:"]), "x"], "**Note**:x"),
        ([Code(text="a"), Code(text="b")], "`ab`"),
        # In a link's text it would make the paragraph a definition of a link's address, which shows no words at all.
        ([Link(href=URL, children=[Code(text="]: x")])], "`]: x`"),
        (["a", Strong(children=["b!"]), Link(href=URL, children=["c"])], r"a**b!**[c](https://e.org/a)"),
    ],
)
def test_enough_is_escaped_and_no_more(children: list[Inline], markdown: str) -> None:
    assert Tree(children=[Paragraph(children=children)]).to_markdown() == markdown


def test_deep_nesting_is_written_in_every_form() -> None:
    block: Block = para("core")
    for _ in range(33):  # lists, items and quotes: as deep as the collector lets a tree be
        block = bullets(Item(children=[Quote(children=[block])]))
    tree = Tree(children=[block])
    for form in (tree.to_markdown(), tree.to_text(), tree.to_html(), Tree.from_json(tree.to_json()).to_markdown()):
        assert form.count("core") == 1
