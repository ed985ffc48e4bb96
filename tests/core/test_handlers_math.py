"""Formulas: once, as TeX, whatever rendered them."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import Image, MathBlock, Paragraph, Tree
from danubia_core.parse import parse_html

MATHML = "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"


def collect(html: str) -> Tree:
    document = parse_html(html)
    marks = bytearray(len(document) + 1)
    for i, attributes in enumerate(document.attrs):
        marks[i] = attributes.get("aria-hidden") == "true" or "none" in attributes.get("style", "")
    return collect_tree(document, [0], marks, str, 0)


@pytest.mark.parametrize(
    "formula",
    [
        (
            "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
            "<annotation encoding='application/x-tex'>"
            "\\frac{a}{b}</annotation></semantics></math></span><span class=katex-html aria-hidden=true>ab"
            "</span></span>"
        ),
        "<mjx-container><mjx-math aria-hidden=true>ab</mjx-math><mjx-assistive-mml>"
        + MATHML
        + "</mjx-assistive-mml></mjx-container>",
        (
            "<span class=MathJax_Preview>[a/b]</span><span class=MathJax>ab</span>"
            "<script type='math/tex'>\\frac{a}{b}</script>"
        ),
        (
            "<span class=mwe-math-element><span style='display: none'>"
            "<math alttext='{\\displaystyle \\frac{a}{b}}'></math></span>"
            "<img src=/f.svg alt='{\\displaystyle \\frac{a}{b}}'></span>"
        ),
        "<img src='/latex.php?latex=x' alt='\\frac{a}{b}'>",
        "<img class=latex src=/i.png alt='\\frac{a}{b}'>",
        MATHML,
        "<mjx-container><mjx-math data-latex='\\frac{a}{b}'><mjx-mi data-latex=a></mjx-mi></mjx-math></mjx-container>",
        "<span data-math='\\frac{a}{b}'>a/b</span>",
        "\\(\\frac{a}{b}\\)",
        "$\\frac{a}{b}$",
    ],
)
def test_inline_formula_is_given_once(formula: str) -> None:
    assert collect(f"<p>the {formula} of it</p>").to_markdown() == "the $\\frac{a}{b}$ of it"


@pytest.mark.parametrize(
    "formula",
    [
        (
            "<span class=katex-display><span class=katex><math><annotation encoding='application/x-tex'>a=b"
            "</annotation></math></span></span>"
        ),
        "<mjx-container display=true><math><mi>a</mi><mo>=</mo><mi>b</mi></math></mjx-container>",
        "<div class=MathJax_Display>ab</div><script type='math/tex; mode=display'>a=b</script>",
        "<math display=block><mi>a</mi><mo>=</mo><mi>b</mi></math>",
        "$$a=b$$",
        "\\[a=b\\]",
    ],
)
def test_displayed_formula_is_a_block(formula: str) -> None:
    (block,) = collect(f"<p>{formula}</p>").children
    assert type(block) is MathBlock
    assert block.tex.replace(" ", "") == "a=b"


def test_an_environment_in_the_text_is_a_displayed_formula() -> None:
    (before, block) = collect("<p>So:</p><p>\\begin{align*}\\begin{aligned}a\\end{aligned}\\end{align*}</p>").children
    assert before == Paragraph(0, ["So:"])
    assert block == MathBlock(0, "\\begin{align*}\\begin{aligned}a\\end{aligned}\\end{align*}")


def test_a_formula_rendered_without_its_source_is_what_readers_see() -> None:
    formula = "<span class=katex><span class=katex-html aria-hidden=true><span class=mord>x</span></span></span>"
    assert collect(f"<p>the {formula} of it</p>").to_markdown() == "the x of it"


@pytest.mark.parametrize(
    "text",
    ["It costs $5 and $6.", "From $100 to $200 (US$)", "echo $HOME and $PATH", "a (b) [c] \\ d", "US$ 5_000 or $ 6"],
)
def test_prose_with_dollars_is_prose(text: str) -> None:
    assert collect(f"<p>{text}</p>").children == [Paragraph(0, [text])]


def test_an_image_with_words_is_an_image() -> None:
    assert type(collect(r"<p><img src=/a.png alt='The C:\temp folder'></p>").children[0].children[0]) is Image


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "\\sqrt{x + 1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
        ("<mi>f</mi><mo>(</mo><mi>α</mi><mo>)</mo>", "f \\left(\\alpha\\right)"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", "\\sum_{i}^{n}"),
        ("<mover accent=true><mi>F</mi><mo>→</mo></mover>", "\\vec{F}"),
        ("<mi>sin</mi><mi>x</mi>", "\\sin x"),
        ("<mtext>if x</mtext>", "\\text{if x}"),
        ("<mi mathvariant=bold>v</mi>", "\\mathbf{v}"),
        ("<mfenced open='|' close='|'><mi>x</mi></mfenced>", "\\left|x\\right|"),
        (
            "<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mo>)</mo>",
            "\\begin{pmatrix} a & b \\end{pmatrix}",
        ),
        ("<mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr></mtable>",
         "\\begin{cases} 1 \\\\ 2 \\end{cases}"),
        ("<menclose notation=box><mi>x</mi></menclose>", "\\boxed{x}"),
        ("<mmultiscripts><mi>X</mi><mi>a</mi><none/><mprescripts/><mi>b</mi><none/></mmultiscripts>", "{}_{b}X_{a}"),
    ],
)  # fmt: skip
def test_mathml_is_converted(mathml: str, tex: str) -> None:
    assert collect(f"<p>x<math>{mathml}</math></p>").children[0].children[1].tex == tex
