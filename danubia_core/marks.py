"""The side table of marks: which rule says what of which node. Nothing is deleted here."""

from __future__ import annotations

from typing import Final

from danubia_core.document import TEXT, Document
from danubia_core.rules import RULES
from danubia_core.vocabulary import ROLE_VERDICTS, RULE_INDEX, TAG_VERDICTS, Verdict, judge_names

MAIN_MARK: Final = 1
SEARCH_MARK: Final = 2
DENSITY_MARK: Final = 4

_HIDDEN_ATTRIBUTE = RULE_INDEX["hidden.attribute"]
_HIDDEN_STYLE = RULE_INDEX["hidden.style"]
_HIDDEN_ARIA = RULE_INDEX["hidden.aria"]
_HIDDEN_FIRST = min(_HIDDEN_ATTRIBUTE, _HIDDEN_STYLE, _HIDDEN_ARIA)
_HIDDEN_LAST = max(_HIDDEN_ATTRIBUTE, _HIDDEN_STYLE, _HIDDEN_ARIA)
_BUTTON = RULE_INDEX["drop.button"]
_MAIN_BODY = RULE_INDEX["main.body"]
_STRUCTURAL = frozenset(("html", "body", "main"))


class Marks:
    """Marks on the nodes of one document.

    Attributes:
        discards: node index → index of the rule that search-discards its subtree (topmost nodes only).
        dense: indexes of nodes that the link-density rule discards (topmost only, ascending).
        regions: for levels 1 to 4, the topmost nodes of that level of main content, ascending.
        hidden_bytes: text that a browser does not show.
    """

    __slots__ = ("dense", "discards", "hidden_bytes", "regions")

    def __init__(self) -> None:
        self.discards: dict[int, int] = {}
        self.dense: list[int] = []
        self.regions: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
        self.hidden_bytes = 0


def is_hidden_style(style: str) -> bool:
    """Whether an inline style hides the element.

    >>> is_hidden_style("color:red; DISPLAY : none")
    True
    """
    if "none" not in style.lower() and "hidden" not in style.lower():
        return False
    flat = "".join(style.lower().split())
    return "display:none" in flat or "visibility:hidden" in flat


def mark_document(document: Document) -> Marks:
    """Mark main content and search discards in one pass over the elements."""
    marks = Marks()
    hits = _collect_hits(document, marks)
    _resolve_discards(document, marks, hits)
    return marks


def _collect_hits(document: Document, marks: Marks) -> list[tuple[int, int, int]]:
    """Return (node, outside rule, inside rule) of all nodes that some discard rule matches; fill the regions."""
    hits: list[tuple[int, int, int]] = []
    tags, attrs, ends = document.tag, document.attrs, document.end
    region_end = {1: 0, 2: 0, 3: 0, 4: 0}
    for i in range(1, len(tags)):
        tag = tags[i]
        if tag == TEXT:
            continue
        verdict = TAG_VERDICTS.get(tag)
        attributes = attrs[i]
        if not attributes:
            if verdict is None:
                continue
            verdicts = [verdict]
        else:
            verdicts = [verdict] if verdict is not None else []
            names = attributes.get("class")
            if names and (found := judge_names(names)) is not None:
                verdicts.append(found)
            names = attributes.get("id")
            if names and (found := judge_names(names)) is not None:
                verdicts.append(found)
            hidden = _judge_attributes(attributes, verdicts)
            if hidden >= 0:
                hits.append((i, hidden, hidden))
                continue
            if not verdicts:
                continue
        outside = inside = -1
        level = 9
        for verdict in verdicts:
            if verdict.level and verdict.level < level:
                level = verdict.level
            if verdict.outside >= 0 and outside < 0:
                outside = verdict.outside
            if verdict.inside >= 0 and inside < 0:
                inside = verdict.inside
        if level < 9 and tag not in ("body", "html", "a", "li", "span", "img") and i >= region_end[level]:
            marks.regions[level].append(i)
            region_end[level] = ends[i]
        if outside >= 0 or inside >= 0:
            hits.append((i, outside, inside))
    return hits


def _judge_attributes(attributes: dict[str, str], verdicts: list[Verdict]) -> int:
    """Add the verdicts of role and itemprop; return the rule that hides the element, or -1."""
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return _HIDDEN_ATTRIBUTE
    style = attributes.get("style")
    if style and is_hidden_style(style):
        return _HIDDEN_STYLE
    if attributes.get("aria-hidden") == "true":
        return _HIDDEN_ARIA
    role = attributes.get("role")
    if role and (found := ROLE_VERDICTS.get(role.lower())) is not None:
        verdicts.append(found)
    itemprop = attributes.get("itemprop")
    if itemprop and itemprop.lower() == "articlebody":
        body = Verdict()
        body.add(_MAIN_BODY, RULES[_MAIN_BODY])
        verdicts.append(body)
    return -1


def _resolve_discards(document: Document, marks: Marks, hits: list[tuple[int, int, int]]) -> None:
    """Turn hits into discards: the narrow rules inside main content, the broad ones outside."""
    ends, tags = document.end, document.tag
    inside_spans = _outer_regions(document, marks)
    total = document.text_before[-1]
    skip_to = 0
    for i, outside, inside in hits:
        if i < skip_to or tags[i] in _STRUCTURAL and not _HIDDEN_FIRST <= outside <= _HIDDEN_LAST:
            continue
        is_inside = any(start < i < ends[start] for start in inside_spans)
        rule = inside if is_inside else outside
        if rule < 0:
            continue
        if not _HIDDEN_FIRST <= rule <= _HIDDEN_LAST:
            if any(i <= start < ends[i] for start in inside_spans):
                continue
            if document.text_bytes(i) * 2 > total:
                continue
        if rule == _BUTTON and _is_heading_button(document, i):
            continue
        if _HIDDEN_FIRST <= rule <= _HIDDEN_LAST:
            marks.hidden_bytes += document.text_bytes(i)
        marks.discards[i] = rule
        skip_to = ends[i]


def _outer_regions(document: Document, marks: Marks) -> list[int]:
    """The topmost main regions of levels 1 to 3 that hold a fair share of the text."""
    total = document.text_before[-1]
    found: list[int] = []
    for level in (3, 2, 1):
        for i in marks.regions[level]:
            if document.text_bytes(i) * 10 >= total and not any(s <= i < document.end[s] for s in found):
                found.append(i)
    return sorted(found)


def _is_heading_button(document: Document, i: int) -> bool:
    return document.has_heading(i) or document.tag[document.parent[i]] in ("h1", "h2", "h3", "h4", "h5", "h6")
