"""Fitting the winner's regions: narrow them, fetch titles and standfirst, drop the titles of boxes that went."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Final

from danubia_core.cuts import Cuts
from danubia_core.document import Document
from danubia_core.rungs import LEAD_LIMIT_BYTES, NARROW_FLOOR_BYTES, ORPHAN_CUT_BYTES, TITLE_GAP_BYTES

_NARROW_INTO: Final = frozenset("div section article main td tr tbody table center font form span body html".split())
_NO_LEAD: Final = frozenset("figure figcaption aside nav ul ol time form button table".split())
_LEAD_PROSE_PERCENT: Final = 70
_LEAD_FLOOR_BYTES: Final = 50


def narrow_region(document: Document, cuts: Cuts, region: int, percent: int) -> int:
    """Descend from a region that is mostly prose to the smallest container that holds `percent` of that prose."""
    prose = cuts.kept_prose_bytes(region)
    if prose < NARROW_FLOOR_BYTES or not cuts.is_prose([region]):
        return region
    while True:
        for child in document.children(region):
            if document.tag[child] not in _NARROW_INTO or cuts.is_cut(child):
                continue
            if cuts.kept_prose_bytes(child) * 100 >= prose * percent:
                region = child
                break
        else:
            return region


def find_titles(document: Document, cuts: Cuts, regions: list[int]) -> list[int]:
    """Return the headings (h2 to h6) that stand right before a region, outside all regions: titles of its sections.

    The parts of a matter are often marked one by one, and the headings between them are not. One that is a link leads
    elsewhere.
    """
    found: list[int] = []
    for before, region in pairwise([-1, *regions]):
        start = max(document.parent[region], document.end[before] if before >= 0 else 0)
        low, high = bisect_left(document.headings, start), bisect_left(document.headings, region)
        titles = 0
        for i in reversed(document.headings[low:high]):
            end = document.end[i]
            rest = document.text_before[region] - document.text_before[end] - cuts.cut_bytes(end, region)
            if rest - titles > TITLE_GAP_BYTES:
                break
            is_link = document.link_bytes(i) * 2 > document.text_bytes(i)
            if document.tag[i] != "h1" and end <= region and not is_link and not cuts.is_cut(i):
                found.append(i)
                titles += document.text_bytes(i)
    return found


def find_lead(document: Document, cuts: Cuts, region: int) -> list[int]:
    """Return the blocks of prose between the last h1 before a region and the region: a standfirst lies outside it."""
    h1 = max((i for i in document.index.get("h1", ()) if i < region and document.text_bytes(i)), default=-1)
    if h1 < 0 or document.end[h1] > region:
        return []
    if document.text_before[region] - document.text_before[h1] > LEAD_LIMIT_BYTES * 2:
        return []
    found: list[int] = []
    k = document.end[h1]
    while k < region:
        stop, size = document.end[k], document.text_bytes(k)
        if stop > region:
            k += 1  # it holds the region: look inside
        elif size < _LEAD_FLOOR_BYTES or document.tag[k] in _NO_LEAD or cuts.is_cut(k):
            k = stop
        elif size <= LEAD_LIMIT_BYTES and document.prose_bytes(k) * 100 >= size * _LEAD_PROSE_PERCENT:
            found.append(k)
            k = stop
        else:
            k += 1
    return found


def find_orphans(document: Document, cuts: Cuts, regions: list[int]) -> list[int]:
    """Return headings (h2 to h6) below which everything up to the next heading is cut: titles of boxes that went.

    Only in prose: on a page of cards a heading above a link is a card.
    """
    if not cuts.is_prose(regions):
        return []
    found: list[int] = []
    for region in regions:
        end = document.end[region]
        low, high = bisect_left(document.headings, region), bisect_left(document.headings, end)
        kept = [i for i in document.headings[low:high] if not cuts.is_cut(i)]
        for i, following in zip(kept, [*kept, end][1:], strict=True):
            start = document.end[i]
            cut = cuts.cut_bytes(start, following)
            rest = document.text_before[following] - document.text_before[start] - cut
            if cut >= ORPHAN_CUT_BYTES and rest == 0 and document.tag[i] != "h1":
                found.append(i)
    return found
