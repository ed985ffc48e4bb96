"""Code: the page's own characters and line breaks, language, no gutters."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import Code, CodeBlock, Item, List, Paragraph, Tree
from danubia_core.parse import parse_html


def collect(html: str) -> Tree:
    document = parse_html(html)
    return collect_tree(document, [0], bytearray(len(document) + 1), str, 0)


def code(html: str) -> CodeBlock:
    (block,) = collect(html).children
    assert type(block) is CodeBlock
    return block


@pytest.mark.parametrize(
    "html",
    [
        "<pre>if x:\n    <b>return</b>  y\n\nend</pre>",
        "<pre>\nif x:<br>    <i>return</i>  y<br><br>end\n</pre>",
        "<pre><code><div>if x:</div><div>    return  y</div><div><br></div><div>end</div></code></pre>",
        (
            "<pre><span class=line>if x:</span><span class=line>    return  y</span><span class=line></span>"
            "<span class=line>end</span></pre>"
        ),
        "<pre>if x:\r\n    return  y\r\n\r\nend\r\n</pre>",
        "<pre>if x:\n\u00a0\u00a0\u00a0\u00a0return  y\n\u200b\nend</pre>",
        "<pre><button>Copy</button>if x:\n    return  y\n\nend</pre>",
        '<pre><div class="head"><span>py</span><button>Copy</button></div>if x:\n    return  y\n\nend</pre>',
        (
            "<pre><span class=lineno>1</span>if x:\n<span class=lineno>2</span>    return  y\n"
            "<span class=lineno>3</span>\n"
            "<span class=lineno>4</span>end</pre>"
        ),
        "<pre><i><b> 1</b>if x:\n</i><i><b> 2</b>    return  y\n</i><i><b> 3</b>\n</i><i><b> 4</b>end\n</i></pre>",
        (
            "<pre><div><span>1</span><div>if x:</div></div><div><span>2</span><div>    return  y</div></div>"
            "<div><span>3</span><div>\n</div></div><div><span>4</span><div>end</div></div></pre>"
        ),
        (
            "<table class=highlighttable><tr><td class=linenos><pre>1\n2\n3\n4</pre></td><td class=code>"
            "<pre>if x:\n    return  y\n\nend</pre></td></tr></table>"
        ),
        (
            "<figure><table><tr><td><pre>1\n2\n3\n4</pre></td><td><pre>if x:\n    return  y\n\nend\n</pre></td>"
            "</tr></table></figure>"
        ),
        (
            "<table><tr><td data-line-number=1></td><td>if x:</td></tr><tr><td data-line-number=2></td>"
            "<td>    return  y</td></tr>"
            "<tr><td data-line-number=3></td><td>\n</td></tr><tr><td data-line-number=4></td><td>end</td></tr></table>"
        ),
    ],
)
def test_lines_and_indentation_are_the_pages_own(html: str) -> None:
    assert code(html).text == "if x:\n    return  y\n\nend"


@pytest.mark.parametrize(
    "html",
    [
        '<pre><code class="language-c line-numbers">int x;\n  y;</code></pre>',
        '<pre class="prettyprint"><ol class="linenums"><li>int x;</li><li>  y;</li></ol></pre>',
        '<pre><code class="copy">int x;\n  y;</code></pre>',
        (
            '<div class="syntaxhighlighter"><table><tr><td class="gutter"><div class="line">1</div>'
            '<div class="line">2</div></td>'
            '<td class="code"><div class="line"><code>int</code> <code>x;</code></div><div class="line">'
            "<code>&nbsp;&nbsp;</code>"
            "<code>y;</code></div></td></tr></table></div>"
        ),
    ],
)
def test_class_names_of_gutters_on_the_code_itself_do_no_harm(html: str) -> None:
    assert code(html).text == "int x;\n  y;"


def test_numbers_that_are_code_stay() -> None:
    assert code("<pre><b>10</b> PRINT\n<b>20</b> GOTO 10</pre>").text == "10 PRINT\n20 GOTO 10"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre><code class="language-rust">x</code></pre>', "rust"),
        ('<pre class="lang-py prettyprint">x</pre>', "py"),
        ('<pre class="brush: js; gutter: true">x</pre>', "js"),
        ('<pre><code class="hljs cpp">x</code></pre>', "cpp"),
        ('<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', "python"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<figure class="highlight yaml"><pre>x</pre></figure>', "yaml"),
        ('<pre class="sourceCode haskell"><code>x</code></pre>', "haskell"),
        ('<div data-lang="go"><pre>x</pre></div>', "go"),
        ('<pre class="language-plaintext">x</pre>', ""),
        ('<pre class="wrap">x</pre>', ""),
        ('<div class="highlight-box"><p>Prose that is much longer than the code is.</p><pre>x</pre></div>', ""),
    ],
)
def test_language_is_read_from_class_names(html: str, language: str) -> None:
    assert collect(html).children[-1].language == language


def test_label_of_a_code_viewer_goes() -> None:
    tree = collect('<div><span>rust</span></div><pre class="language-rust">x</pre>')
    assert tree.children == [CodeBlock(0, "rust", "x")]


def test_inline_code_keeps_the_spaces_around_it() -> None:
    assert collect("<p>use <code> a  b </code>or<code>c</code>.</p>").to_markdown() == "use `a b` or`c`."


def test_code_of_several_lines_without_pre_is_a_block() -> None:
    assert code('<div><code class="language-c">a<br>  b</code></div>').text == "a\n  b"
    assert code('<div class="code-block" data-lang="http">GET /\n  x</div>') == CodeBlock(0, "http", "GET /\n  x")


def test_code_in_a_list_item_stays_in_it() -> None:
    tree = collect("<ul><li>First <pre>a\n  b</pre></li></ul>")
    assert tree.children == [List(children=[Item(children=[Paragraph(0, ["First"]), CodeBlock(0, "", "a\n  b")])])]


def test_code_in_a_heading_is_inline() -> None:
    assert collect("<h2>The <code>x</code> call</h2>").children[0].children == ["The ", Code(0, "x"), " call"]


def test_no_block_is_empty() -> None:
    assert collect("<pre> \n </pre><p><code> </code>x</p>").to_markdown() == "x"


def test_neighbouring_pieces_of_one_listing_are_one_block() -> None:
    listing = (
        '<div><code class="hl lean block">#check Nat\n\n</code>\n<code class="hl lean block">#check m</code>\n'
        '<pre class="hl lean output">m : Nat</pre></div>'
    )
    assert code(listing) == CodeBlock(0, "lean", "#check Nat\n\n#check m\nm : Nat")


def test_neighbouring_pre_are_blocks_of_their_own() -> None:
    tree = collect('<pre class="language-sh">ls</pre><pre class="language-sh">pwd</pre>')
    assert tree.children == [CodeBlock(0, "sh", "ls"), CodeBlock(0, "sh", "pwd")]


def test_code_named_as_a_block_loses_only_the_indentation_of_the_markup() -> None:
    assert code('<code class="block">\n    if x:\n      y\n  </code>').text == "if x:\n  y"


def test_a_column_of_prompts_goes() -> None:
    table = "<table><tr><td class=prompt><pre>$\n$</pre></td><td class=code><pre>ls\npwd</pre></td></tr></table>"
    assert code(table).text == "ls\npwd"
