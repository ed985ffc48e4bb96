"""A parsed page as flat arrays in document order.

Index 0 is the document itself. Every other index is an element or a run of text. A subtree is the slice `i` to
`end[i]`; sizes are prefix sums, so the text or link text of any subtree is one subtraction.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

TEXT: Final = "#text"
ROOT: Final = "#document"
LINKED_PERCENT: Final = 90  # so much of a heading's text is a link: it leads to what it names
NO_ATTRS: Final[dict[str, str]] = {}

BLOCK_TAGS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li legend main menu nav ol option p pre search section "
    "summary table tbody td tfoot th thead tr ul #document template".split()
)


class Document:
    """Parallel arrays over the nodes of one page, and indexes of the few tags that later stages look up.

    Attributes:
        tag: lower-case element name, `#text` for text, `#document` at index 0.
        parent: index of the parent (0 for the top).
        end: index after the node's subtree.
        attrs: attributes by name (`NO_ATTRS` for text).
        text: the raw characters of a text node, '' for elements.
        text_before: visible text bytes before the node; one entry more than nodes. Runs are stripped before counting.
        link_before: the same for text inside links that lead away (href present and not fragment-only).
        prose_before: the same for runs of at least 50 bytes outside links.
        links: indexes of such links, ascending; `short_before[k]`: how many of the first k are short (< 50 bytes).
        rels: indexes of a elements with a rel attribute, ascending.
        by_class: indexes of elements by their class attribute.
        headings: indexes of h1 to h6, ascending.
        index: for `parse.INDEXED` tags, the indexes of their elements.
        properties: indexes of elements with an itemprop, ascending.
        json_ld: contents of JSON-LD scripts.
        page_state: contents of scripts that hold page state as JSON (Next.js, Nuxt).
        noscript_images: attributes of an img inside noscript, by the index of the node before it.
        parsed_bytes: size of the parsed markup.
        is_cut: whether the markup had too many tags to be parsed to its end.
    """

    __slots__ = (
        "attrs", "by_class", "end", "headings", "index", "is_cut", "json_ld", "link_before", "links", "noscript_images",
        "page_state",
        "parent", "parsed_bytes", "properties", "prose_before", "rels", "short_before", "tag", "text", "text_before",
    )  # fmt: skip

    def __init__(self) -> None:
        self.tag: list[str] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.attrs: list[dict[str, str]] = []
        self.text: list[str] = []
        self.text_before: list[int] = []
        self.link_before: list[int] = []
        self.prose_before: list[int] = []
        self.links: list[int] = []
        self.rels: list[int] = []
        self.by_class: defaultdict[str, list[int]] = defaultdict(list)
        self.short_before: list[int] = [0]
        self.headings: list[int] = []
        self.index: defaultdict[str, list[int]] = defaultdict(list)
        self.properties: list[int] = []
        self.json_ld: list[str] = []
        self.page_state: list[str] = []
        self.noscript_images: dict[int, dict[str, str]] = {}
        self.parsed_bytes = 0
        self.is_cut = False

    def __len__(self) -> int:
        return len(self.tag)

    def text_bytes(self, i: int) -> int:
        """Visible text of the subtree at `i`, UTF-8 bytes."""
        return self.text_before[self.end[i]] - self.text_before[i]

    def link_bytes(self, i: int) -> int:
        """Link text of the subtree at `i`, UTF-8 bytes."""
        return self.link_before[self.end[i]] - self.link_before[i]

    def prose_bytes(self, i: int) -> int:
        """Prose in the subtree at `i` (runs of at least 50 bytes outside links), UTF-8 bytes."""
        return self.prose_before[self.end[i]] - self.prose_before[i]

    def count_links(self, i: int) -> tuple[int, int]:
        """Number of links in the subtree at `i`, and how many of them are short."""
        low, high = bisect_left(self.links, i), bisect_left(self.links, self.end[i])
        return high - low, self.short_before[high] - self.short_before[low]

    def has_heading(self, i: int) -> bool:
        """Whether the subtree at `i` contains (or is) a heading."""
        return self.has_any(i, self.headings)

    def has_any(self, i: int, nodes: Sequence[int]) -> bool:
        """Whether the subtree at `i` contains (or is) one of some nodes, given ascending."""
        k = bisect_left(nodes, i)
        return k < len(nodes) and nodes[k] < self.end[i]

    def lies_in(self, i: int, roots: Sequence[int]) -> bool:
        """Whether `i` lies in one of some subtrees that are apart from each other, given by their roots, ascending."""
        k = bisect_right(roots, i) - 1
        return k >= 0 and i < self.end[roots[k]]

    def find_topmost(self, nodes: Iterable[int]) -> list[int]:
        """Return those of some nodes that lie in no other of them, ascending."""
        found: list[int] = []
        stop = 0
        for i in sorted(set(nodes)):
            if i >= stop:
                found.append(i)
                stop = self.end[i]
        return found

    def is_linked(self, i: int) -> bool:
        """Whether the text of the subtree at `i` is, but for a little, a link that leads away."""
        text = self.text_bytes(i)
        return text > 0 and self.link_bytes(i) * 100 >= text * LINKED_PERCENT

    def inner_text(self, i: int) -> str:
        """The text of the subtree at `i` with white space collapsed."""
        return self.read_text(i, self.end[i])

    def read_text(self, start: int, stop: int) -> str:
        """The text of the nodes from `start` up to `stop` with white space collapsed."""
        tag, text, end = self.tag, self.text, self.end
        parts: list[str] = []
        open_blocks: list[int] = []
        for k in range(start, stop):
            while open_blocks and open_blocks[-1] <= k:
                open_blocks.pop()
                parts.append(" ")
            if tag[k] == TEXT:
                parts.append(text[k])
            elif tag[k] in BLOCK_TAGS or tag[k] == "br":
                parts.append(" ")
                open_blocks.append(end[k])
        return " ".join("".join(parts).split())

    def children(self, i: int) -> list[int]:
        """Indexes of the children of `i`, in order."""
        found, k, stop = [], i + 1, self.end[i]
        while k < stop:
            found.append(k)
            k = self.end[k]
        return found

    def find(self, i: int, tags: frozenset[str] | set[str]) -> int:
        """Index of the first descendant of `i` (or `i` itself) whose tag is in `tags`, else -1."""
        tag = self.tag
        for k in range(i, self.end[i]):
            if tag[k] in tags:
                return k
        return -1
