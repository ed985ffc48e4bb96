"""Images: the real address of lazy ones, what is no image."""

from __future__ import annotations

import pytest

from danubia_core.collect import collect_tree
from danubia_core.nodes import CodeBlock, Image, Tree
from danubia_core.parse import parse_html

DATA = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def collect(html: str) -> Tree:
    document = parse_html(html)
    return collect_tree(document, [0], bytearray(len(document) + 1), lambda target: "https://e.org" + target, 0)


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/a.png alt=x>",
        f"<img src='{DATA}' data-src=/a.png alt=x>",
        "<img src=/blank.gif data-lazy-src=/a.png alt=x>",
        f"<img src='{DATA}' srcset='/s.png 300w, /a.png 900w' alt=x>",
        f"<img src='{DATA}' data-srcset='/s.png 1x, /a.png 2x' alt=x>",
        f"<img src='{DATA}' data-image-loader=/a.png alt=x>",
        "<img src=/grey.gif data-srcset='/s.png 300w, /a.png 900w' alt=x>",
        f"<img src='{DATA}'><noscript><img src=/a.png alt=x></noscript>",
        "<amp-img src=/a.png alt=x><amp-img fallback src=/s.png></amp-img></amp-img>",
        f"<picture><source srcset='/a.png 2x, /s.png 1x'><img src='{DATA}' alt=x></picture>",
        f"<img src='{DATA}' alt=x><noscript><img src=/a.png></noscript>",
        '<img src=/a.png data-src=\'{"src": "/b.png"}\' alt=x>',
    ],
)
def test_the_real_address_is_found(image: str) -> None:
    (paragraph,) = collect(f"<p>{image}</p>").children
    assert paragraph.children == [Image(0, "https://e.org/a.png", "/a.png", "x")]


@pytest.mark.parametrize(
    "image",
    [f"<img src='{DATA}' alt=x>", "<img src=/t.gif width=1 height=1>", "<img alt=x>", "<img src='javascript:x'>"],
)
def test_what_is_no_picture_is_left_out(image: str) -> None:
    assert collect(f"<p>a {image} b</p>").to_markdown() == "a b"


def test_emoji_images_are_characters() -> None:
    assert collect("<p>so <img class=emoji src=/e.png alt=🙂></p>").to_markdown() == "so 🙂"


def test_captions_are_text_and_code_in_figures_is_code() -> None:
    tree = collect(
        "<figure><img src=/a.png alt=x><figcaption>The vane</figcaption></figure><figure><pre>y</pre></figure>"
    )
    assert tree.to_markdown() == "![x](https://e.org/a.png)\n\nThe vane\n\n```\ny\n```"
    assert type(tree.children[-1]) is CodeBlock
