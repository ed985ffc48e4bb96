"""The table of contents: one page through all stages, in order."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from danubia_core.addresses import LinkResolver
from danubia_core.cascade import find_better
from danubia_core.collect import collect_tree
from danubia_core.controls import clean_controls
from danubia_core.decode import read_markup, replace_surrogates
from danubia_core.document import Document
from danubia_core.extraction import Extraction, Stats
from danubia_core.ladder import Choice
from danubia_core.mark_and_choose import mark_and_choose
from danubia_core.marks import COMMENT_RULES, Marks
from danubia_core.nodes import COMMENT, MAIN, Block, Tree
from danubia_core.options import Options
from danubia_core.parse import parse_html
from danubia_core.pointers import cut_pointers
from danubia_core.rescue import (
    MINIMUM_GAIN,
    NEARLY_EMPTY_BYTES,
    NOTHING_BYTES,
    parse_noscript,
    read_json_ld_body,
    read_page_state,
)
from danubia_core.rules import RULES
from danubia_core.rungs import LAST_RESORT
from danubia_core.trim import trim_tree

SHELL_BYTES: Final = 1500  # a page with more text than this is no shell …
SHELL_LINK_PERCENT: Final = 80  # … nor one with a smaller share of links
DEFAULT_OPTIONS: Final = Options()


def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    content_type: str | None = None,
    options: Options = DEFAULT_OPTIONS,
) -> Extraction:
    """Extract the main content of a page.

    Args:
        html: the page's bytes as received (content encodings undone), or its characters.
        url: the page's address; relative links are resolved against it.
        content_type: value of the HTTP Content-Type header, for its charset.
        options: what to keep and how.

    Returns:
        An Extraction; `skip` tells why one has no content. Broken markup never raises.
    """
    with pause_collection():
        return _extract(html, url, content_type, options)


@contextmanager
def pause_collection() -> Iterator[None]:
    """Hold Python's garbage collection while one page is worked on.

    A page makes tens of thousands of objects, none of them in a cycle; the collections that their number sets off find
    nothing and take a tenth of the time. Whoever found it on turns it on again, so that threads cannot leave it off.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()  # these two move what is young to the old generation, unvisited: the next collection would
                gc.unfreeze()  # walk through the whole page for nothing
            gc.enable()


def _extract(html: bytes | str, url: str | None, content_type: str | None, options: Options) -> Extraction:
    truncated = len(html) > options.max_input_bytes
    markup, charset, source = read_markup(html[: options.max_input_bytes], content_type)
    document = parse_html(markup)
    extraction = Extraction(document, url=url, charset=charset, charset_source=source)
    _extract_into(extraction, document, url, options)
    if extraction._stats.selected_bytes < NEARLY_EMPTY_BYTES and options.mode != "fast":
        _rescue(extraction, markup, document, url, options)
    if options.cascade:
        _compare(extraction, markup, document, url)
    extraction._stats.truncated = truncated or document.is_cut
    if not has_text(extraction.tree):
        extraction.skip = "empty" if not document.parsed_bytes else "no-text"
    elif _is_mere_navigation(document, extraction._stats):
        extraction.tree = Tree()
        extraction.skip = "navigation-only"
    return extraction


def _is_mere_navigation(document: Document, stats: Stats) -> bool:
    """Whether a page that no rung took is a shell: all that it holds without its scripts is a few links."""
    if stats.rung != LAST_RESORT.name or document.text_before[-1] > SHELL_BYTES:
        return False
    return document.link_before[-1] * 100 >= document.text_before[-1] * SHELL_LINK_PERCENT


def _extract_into(
    extraction: Extraction, document: Document, url: str | None, options: Options, *, restore: bool = False
) -> None:
    """Run the stages behind the parse and fill the tree and the statistics."""
    marks, choice = mark_and_choose(document, url, options, extraction.page_type, restore=restore)
    extraction.tree = _collect(document, marks, choice, url)
    extraction._stats = Stats()
    _fill_stats(extraction._stats, document, marks, choice)
    extraction._stats.trimmed_bytes = cut_pointers(extraction.tree)
    extraction._stats.trimmed_bytes += trim_tree(extraction.tree, choice.selected_bytes)
    if options.comments:
        extraction.tree.children.extend(_collect_comments(document, marks, url))


def _collect_comments(document: Document, marks: Marks, url: str | None) -> list[Block]:
    """Collect what the comment rules discard, flagged as such."""
    regions = sorted(i for i, rule in marks.discards.items() if rule in COMMENT_RULES)
    return collect_tree(
        document, regions, bytearray(len(document) + 1), LinkResolver(document, url).resolve, COMMENT
    ).children


def _rescue(extraction: Extraction, markup: bytes, document: Document, url: str | None, options: Options) -> None:
    """Look for the content where a nearly empty page hides it; keep the first copy that is much longer."""
    found = extraction._stats.selected_bytes
    tree, stats = extraction.tree, extraction._stats
    copies: tuple[tuple[str, Callable[[], Document | None]], ...] = (
        ("rescue:noscript", lambda: parse_noscript(markup, document)),
        ("rescue:json-ld", lambda: _parse_copy(read_json_ld_body(document))),
        ("rescue:page-state", lambda: _parse_copy(read_page_state(document))),
    )
    for name, read in copies:
        copy = read()
        if copy is None or copy.text_before[-1] < NEARLY_EMPTY_BYTES:
            continue
        _extract_into(extraction, copy, url, options)
        if extraction._stats.selected_bytes >= max(found * MINIMUM_GAIN, NEARLY_EMPTY_BYTES):
            extraction._stats.rung = name
            return
    if found < NOTHING_BYTES:
        _extract_into(extraction, document, url, options, restore=True)
        if extraction._stats.selected_bytes >= NEARLY_EMPTY_BYTES:
            extraction._stats.rung = "rescue:discarded"
            return
    extraction.tree, extraction._stats = tree, stats


def _compare(extraction: Extraction, markup: bytes, document: Document, url: str | None) -> None:
    """Take what another extractor proposes where it is clearly better than what the ladder chose."""
    resolve = LinkResolver(document, url).resolve
    proposal = find_better(extraction.tree, markup, document, resolve, extraction.page_type)
    if proposal is not None:
        extraction.tree = proposal.tree
        extraction._stats.rung = proposal.name
        extraction._stats.selected_bytes = proposal.measure.text_bytes
        extraction._stats.trimmed_bytes = 0


def _parse_copy(markup: str) -> Document | None:
    return parse_html(clean_controls(replace_surrogates(markup))) if markup else None


def _collect(document: Document, marks: Marks, choice: Choice, url: str | None) -> Tree:
    dropped = bytearray(len(document) + 1)
    for i in choice.dropped:
        dropped[i] = 1
    for i in document.index.get("title", ()):
        dropped[i] = 1
    flags = MAIN if choice.rung.level else 0
    return collect_tree(document, choice.regions, dropped, LinkResolver(document, url).resolve, flags)


def _fill_stats(stats: Stats, document: Document, marks: Marks, choice: Choice) -> None:
    stats.rung = choice.rung.name
    stats.total_bytes = document.text_before[-1] - marks.hidden_bytes
    stats.link_bytes = document.link_before[-1]
    stats.selected_bytes = choice.selected_bytes
    outer = 0
    for level in (3, 2, 1, 4):
        if marks.regions[level]:
            outer = sum(document.text_bytes(i) for i in marks.regions[level])
            break
    stats.main_bytes = outer
    gated = {i: marks.gated[i] for i in choice.dropped if i in marks.gated}
    for i, rule in (marks.discards | gated).items():
        size = document.text_bytes(i)
        stats.search_discarded_bytes += size
        if size:
            name = RULES[rule].id
            stats.discards[name] = stats.discards.get(name, 0) + size
    stats.density_discarded_bytes = sum(document.text_bytes(i) for i in marks.dense)


def has_text(tree: Tree) -> bool:
    """Whether any node of a tree holds text, code or a formula; pictures alone do not count."""
    stack: list[object] = list(reversed(tree.children))
    while stack:
        node = stack.pop()
        if type(node) is str:
            if node.strip():
                return True
        elif getattr(node, "text", "") or getattr(node, "tex", ""):
            return True
        else:
            stack.extend(reversed(getattr(node, "children", ())))
            stack.extend(getattr(node, "summary", ()))
    return False
