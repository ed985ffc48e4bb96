"""Tables: grids, spans, headers; layouts become their blocks."""

from __future__ import annotations

import time

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import Image, Table, Tree
from danubia_core.parse import parse_html


def collect(html: str) -> Tree:
    document = parse_html(html)
    return collect_tree(document, [0], bytearray(len(document) + 1), str, 0)


def rows(html: str) -> list[str]:
    return [line for line in collect(html).to_markdown().split("\n") if line.startswith("|") and "---" not in line]


def test_header_cells_make_the_header() -> None:
    table = collect("<table><tr><th>A<th>B<tr><td>1<td>2</table>").children[0]
    assert type(table) is Table
    assert table.header
    assert not collect("<table><tr><td>A<td>B<tr><td>1<td>2</table>").children[0].header


def test_a_first_row_that_alone_is_bold_is_the_header() -> None:
    assert collect("<table><tr><td><b>A</b><td><b>B</b><tr><td>1<td>2</table>").children[0].header
    assert not collect("<table><tr><td><b>A</b><td><b>B</b><tr><td><b>1</b><td><b>2</b></table>").children[0].header


def test_spans_do_not_shift_columns() -> None:
    html = "<table><tr><th>H<th>L<th>N<tr><td rowspan=2>n<td>a<td>b<tr><td>c<td>d<tr><td colspan=2>e<td>f</table>"
    assert rows(html) == ["| H | L | N |", "| n | a | b |", "|  | c | d |", "| e |  | f |"]


def test_foot_comes_last_and_caption_first() -> None:
    html = "<table><caption>Cap</caption><tfoot><tr><td>sum<td>3</tfoot><tbody><tr><td>a<td>1</tbody></table>"
    assert rows(html)[-1] == "| sum | 3 |"
    assert collect(html).to_markdown().startswith("Cap\n")


def test_a_title_row_is_the_caption() -> None:
    table = collect("<table><tr><th colspan=2>Fern<tr><td>Soil<td>peat</table>").children[0]
    assert table.caption == ["Fern"]
    assert len(table.children) == 1


def test_empty_columns_go() -> None:
    assert rows("<table><tr><td><td>a<td>b<tr><td><td>c<td>d</table>")[1:] == ["| a | b |", "| c | d |"]


def test_short_blocks_in_a_cell_stay_on_its_line() -> None:
    html = "<table><tr><td>Soil<td><ul><li>peat<li>clay</ul><tr><td>At<td><p>nine<br>degrees</p></table>"
    assert rows(html)[1:] == ["| Soil | peat clay |", "| At | nine degrees |"]


def test_images_in_cells_are_kept() -> None:
    table = collect("<table><tr><td><img src=/a.png alt=vane><td>copper</table>").children[0]
    assert table.children[0].children[0].children == [Image(0, "/a.png", "", "vane")]


@pytest.mark.parametrize(
    "inner",
    [
        "<table><tr><td>x<td>y</table>",
        "<h3>x</h3>",
        "<pre>x</pre>",
        f"<p>x</p><p>{'long ' * 80}</p>",
        "<blockquote>x</blockquote>",
    ],
)
def test_block_content_makes_a_layout_and_loses_nothing(inner: str) -> None:
    tree = collect(f"<table><tr><td>left<td>{inner}<tr><td>below<td>right</table>")
    text = tree.to_text()
    assert type(tree.children[0]) is not Table
    assert [word for word in ("left", "x", "below", "right") if word not in text] == []


def test_one_column_is_a_layout() -> None:
    assert collect("<table><tr><td>a<tr><td>b</table>").to_markdown() == "a\n\nb"


def test_text_outside_cells_is_not_lost() -> None:
    assert "loose" in collect("<table><tr><td>a<td>b</tr><div>loose</div></table>").to_text()


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>A<th>B<tr><td colspan=9007199254740991>wide<tr><td>1<td>2</table>",
        "<table><tr><th>A<th colspan=65535>B<tr><td colspan=x rowspan=0>wide<td>1</table>",
    ],
)
def test_absurd_spans_make_no_columns(html: str) -> None:
    assert {line.count("|") for line in rows(html)} == {3}


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td>a<td>b c<td>d" * 20_000 + "</table>",
        "<table><tr>" + "<td rowspan=65534 colspan=1000>a" * 300 + "<tr><td>b" * 20_000 + "</table>",
    ],
)
def test_many_rows_take_linear_time(html: str) -> None:
    start = time.process_time()
    tree = collect(html)
    assert time.process_time() - start < 40
    assert tree.to_text().count("a") >= 300


def test_heads_after_the_first_stay_in_their_place() -> None:
    html = "<table><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</tbody><thead><tr><th>c<th>d</thead></table>"
    assert rows(html) == ["| a | b |", "| 1 | 2 |", "| c | d |"]
