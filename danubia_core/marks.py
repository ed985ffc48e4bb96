"""The side table of marks: which rule says what of which node. Nothing is deleted here."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from danubia_core.document import Document
from danubia_core.parse import HEADING_TAGS
from danubia_core.rules import RULES
from danubia_core.verdicts import HIDDEN_ATTRIBUTE, HIDING, VERDICTS, judge_value
from danubia_core.vocabulary import RULE_INDEX, TAG_VERDICTS, Verdict, split_words

_HEADER = RULE_INDEX["chrome.header"]
_H1: Final = frozenset(("h1",))
_BUTTON = RULE_INDEX["drop.button"]
THREAD_RULES: Final = frozenset((RULE_INDEX["chrome.comments"], RULE_INDEX["inside.comments"]))
COMMENT_RULES: Final = THREAD_RULES | {RULE_INDEX["inside.reviews"]}
_RESTORABLE: Final = frozenset(
    RULE_INDEX[f"chrome.{name}"] for name in ("rail", "related", "social", "advert", "byline")
) | {RULE_INDEX["inside.reviews"]}
_UNDISCARDABLE: Final = frozenset(("html", "body", "main"))
_NOT_REGIONS: Final = frozenset(
    ("html", "body", "a", "li", "span", "img", "p", "h1", "h2", "h3", "button", "input", "i", "figure")
)

POST_LEVEL: Final = 5
NO_LEVEL: Final = 9
REGION_SHARE_PERCENT: Final = 10  # a main region that holds less of the text does not change the vocabulary
HIDDEN_LIMIT_PERCENT: Final = 50  # hidden nodes that hold more of the text than this wait for a script to show them


class Marks:
    """Marks on the nodes of one document.

    Attributes:
        discards: node index → index of the rule that search-discards its subtree (topmost nodes only).
        gated: node index → index of the rule that discards its subtree in a page of prose (`Rule.in_prose`).
        dense: indexes of nodes that the link-density rule discards (topmost only, ascending).
        teasers: nodes made of teaser cards (topmost only, ascending).
        regions: for levels 1 to 4, the topmost nodes of that level of main content, ascending.
        posts: topmost nodes that hold the text of a forum post, ascending.
        hidden_bytes: text that a browser does not show.
    """

    __slots__ = ("dense", "discards", "gated", "hidden_bytes", "posts", "regions", "teasers")

    def __init__(self) -> None:
        self.discards: dict[int, int] = {}
        self.gated: dict[int, int] = {}
        self.dense: list[int] = []
        self.teasers: list[int] = []
        self.regions: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
        self.posts: list[int] = []
        self.hidden_bytes = 0


class _Hit:
    """A node that some discard rule matches: the rule outside main content and the one inside it, or -1."""

    __slots__ = ("inside", "node", "outside")

    def __init__(self, node: int, outside: int, inside: int) -> None:
        self.node = node
        self.outside = outside
        self.inside = inside


def mark_document(document: Document, *, forum: bool = False) -> Marks:
    """Mark main content and search discards in one pass over the elements.

    Args:
        document: the page.
        forum: whether readers' posts are the content, so that the comment rules do not hold.
    """
    marks = Marks()
    hits = _collect_hits(document, marks)
    _resolve_discards(document, marks, hits, forum=forum)
    return marks


def restore_largest(document: Document, marks: Marks) -> None:
    """Take back the largest discard by a name alone, for a page on which the discards leave nothing."""
    named = [i for i, rule in marks.discards.items() if rule in _RESTORABLE]
    largest = max(named, key=lambda i: document.text_bytes(i) - document.link_bytes(i), default=-1)
    if largest >= 0:
        del marks.discards[largest]


def _collect_hits(document: Document, marks: Marks) -> list[_Hit]:
    """Return the nodes that some discard rule matches; fill the regions."""
    hits: list[_Hit] = []
    open_until = [0] * (POST_LEVEL + 1)
    caches, tag_verdicts = VERDICTS, TAG_VERDICTS
    for i, (tag, attributes) in enumerate(zip(document.tag, document.attrs, strict=True)):
        if not attributes:
            if tag in tag_verdicts:
                _take(document, marks, hits, open_until, i, [tag_verdicts[tag]])
            continue
        verdicts = [tag_verdicts[tag]] if tag in tag_verdicts else None
        for name in attributes:
            if name not in caches:
                continue
            # Three of four elements end here: their values were judged before, and mean nothing.
            value = attributes[name]
            cache = caches[name]
            found = cache[value] if value in cache else judge_value(name, value)
            if found is not None:
                if verdicts is None:
                    verdicts = []
                verdicts.append(found)
        if verdicts:
            _take(document, marks, hits, open_until, i, verdicts)
    return hits


def _take(
    document: Document, marks: Marks, hits: list[_Hit], open_until: list[int], i: int, verdicts: list[Verdict]
) -> None:
    """Enter what the verdicts say of node `i`."""
    outside = inside = -1
    level = NO_LEVEL
    hits.extend(_Hit(i, verdict.outside, verdict.inside) for verdict in verdicts if verdict.hides)
    for verdict in verdicts:
        if verdict.hides:
            continue
        if 0 < verdict.level < level:
            level = verdict.level
        outside = verdict.outside if outside < 0 else outside
        if verdict.inside >= 0 and (inside < 0 or verdict.inside < inside):
            inside = verdict.inside
        if verdict.limited:
            limited = [rule for rule in verdict.limited if document.tag[i] in RULES[rule].only_tags]
            if limited:
                outside = inside = limited[0]
        if verdict.post and i >= open_until[POST_LEVEL]:
            marks.posts.append(i)
            open_until[POST_LEVEL] = document.end[i]
    if level < NO_LEVEL and i >= open_until[level] and document.tag[i] not in _NOT_REGIONS:
        marks.regions[level].append(i)
        open_until[level] = document.end[i]
    if outside >= 0 or inside >= 0:
        hits.append(_Hit(i, outside, inside))


def _resolve_discards(document: Document, marks: Marks, hits: list[_Hit], *, forum: bool) -> None:
    """Turn hits into discards: the narrow rules inside main content, the broad ones outside."""
    ends = document.end
    spans = _outer_regions(document, marks)
    streamed = _is_streamed(document, hits)
    skip_to = 0
    for hit in hits:
        i = hit.node
        if i < skip_to:
            continue
        if hit.outside in HIDING:
            rule = hit.outside
            if _is_shown_later(document, i, streamed=streamed):
                continue
            marks.hidden_bytes += document.text_bytes(i)
        else:
            at = bisect_left(spans, i)  # so many spans start before `i`
            is_inside = at > 0 and i < ends[spans[at - 1]]
            rule = hit.inside if is_inside else hit.outside
            if rule < 0 or document.tag[i] in _UNDISCARDABLE or (forum and rule in THREAD_RULES):
                continue
            if not is_inside and at < len(spans) and spans[at] < ends[i]:
                continue  # it holds main content
            if _is_spared(document, i, rule):
                continue
            if RULES[rule].in_prose:
                marks.gated[i] = rule
                continue
        marks.discards[i] = rule
        skip_to = ends[i]


def _is_spared(document: Document, i: int, index: int) -> bool:
    """Whether one of a rule's own exceptions holds for node `i`."""
    rule = RULES[index]
    if _is_part(document, i):
        return True
    if document.text_bytes(i) * 100 > document.text_before[-1] * rule.share_limit_percent:
        return True
    prose = document.prose_bytes(i)
    if 0 < rule.prose_limit_bytes < prose or (index == _HEADER and prose and document.find(i, _H1) >= 0):
        return True
    if document.link_bytes(i) * 100 < document.text_bytes(i) * rule.link_share_percent:
        return True
    if rule.unless and not rule.unless.isdisjoint(split_words(document.attrs[i].get("class", ""))):
        return True
    if rule.holds and (document.has_heading(i) or document.find(i, rule.holds) < 0):
        return True
    return index == _BUTTON and _is_heading_button(document, i)


def _is_part(document: Document, i: int) -> bool:
    """Whether an element is part of what holds it: the footer of a quotation (its source), the label of a task."""
    tag, up = document.tag[i], document.parent[i]
    if tag == "footer":
        return document.tag[up] == "blockquote"
    return tag == "label" and document.tag[up] == "li" and "task" in document.attrs[up].get("class", "")


def _is_shown_later(document: Document, i: int, *, streamed: bool) -> bool:
    """Whether a hidden node is content that a script, or a click, shows."""
    if streamed and document.tag[document.parent[i]] == "body":
        return True
    if _is_closed_panel(document.attrs[i]):
        return True
    return document.text_bytes(i) * 100 > document.text_before[-1] * HIDDEN_LIMIT_PERCENT


_PANEL = re.compile(r"accordion|collaps|panel|tab(?:s|-|_|$)|tabpanel|faq|toggle|disclos|answer|expand", re.IGNORECASE)
_OVERLAY = re.compile(r"modal|dialog|menu|nav|popup|drawer|cookie|consent|search|filter|tooltip", re.IGNORECASE)


def _is_closed_panel(attributes: dict[str, str]) -> bool:
    """Whether a hidden element is a closed panel of an accordion or of tabs: content one click away."""
    if attributes.get("role") == "tabpanel":
        return True
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    return bool(_PANEL.search(names)) and not _OVERLAY.search(names)


def _is_streamed(document: Document, hits: list[_Hit]) -> bool:
    """Whether the page was sent in hidden pieces that a script moves into place (React's streaming does so)."""
    hidden = sum(
        document.text_bytes(hit.node)
        for hit in hits
        if hit.outside == HIDDEN_ATTRIBUTE and document.tag[document.parent[hit.node]] == "body"
    )
    return hidden * 100 > document.text_before[-1] * HIDDEN_LIMIT_PERCENT


def _outer_regions(document: Document, marks: Marks) -> list[int]:
    """The topmost main regions of levels 1 to 3 that hold a fair share of the text."""
    total = document.text_before[-1]
    return document.find_topmost(
        i
        for level in (1, 2, 3)
        for i in marks.regions[level]
        if document.text_bytes(i) * 100 >= total * REGION_SHARE_PERCENT
    )


def _is_heading_button(document: Document, i: int) -> bool:
    return document.has_heading(i) or document.tag[document.parent[i]] in HEADING_TAGS
