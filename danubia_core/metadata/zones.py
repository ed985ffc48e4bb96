"""Whose a part of a page is: the page's own, or another page's, a commenter's, a member's."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from danubia_core.document import Document
from danubia_core.metadata.class_words import AUTHOR, OWN, PROFILE, ZONE, class_verdict, zone_words

ZONE_TAGS: Final = frozenset(("aside", "footer", "nav", "form"))
COMMENT_PROPERTIES: Final = frozenset(("comment", "suggestedAnswer", "acceptedAnswer", "review"))
MAX_ANCESTORS: Final = 40
BOX_ANCESTORS: Final = 6
LABEL_ANCESTORS: Final = 3
LABEL_TAGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "summary", "button", "th", "label"))
_SECTION_ADDRESS = re.compile(r"^#|/(?:categor|tags?/|topics?/|sections?/)|^/?$")


class Zones:
    """Verdicts on the parts of one document, remembered by node.

    Attributes:
        heading: index of the heading that names the page, -1 if there is none.
    """

    def __init__(self, document: Document, heading: int) -> None:
        self.document = document
        self.heading = heading
        self._apart: dict[int, bool] = {}

    def is_apart(self, i: int) -> bool:
        """Whether the node stands in a comment, a side column, a footer or a box of other pages.

        A box that holds the heading is the page's own, whatever its name; so is a footer inside an article.
        """
        document, known = self.document, self._apart
        path: list[int] = []
        answer = False
        while i > 0 and len(path) < MAX_ANCESTORS:
            if i in known:
                answer = known[i]
                break
            path.append(i)
            if i <= self.heading < document.end[i]:
                break
            if self._is_zone(i):
                answer = True
                break
            i = document.parent[i]
        for k in path:
            known[k] = answer
        return answer

    def _is_zone(self, i: int) -> bool:
        document = self.document
        names = document.attrs[i].get("class")
        verdict = class_verdict(names) if names else 0
        if names and verdict & ZONE:
            return not verdict & AUTHOR and not (self._own_words and zone_words(names) <= self._own_words)
        if document.tag[i] not in ZONE_TAGS or verdict & OWN:
            return False
        return not (document.tag[i] == "footer" and self._is_in_article(i))

    def _is_in_article(self, i: int) -> bool:
        document = self.document
        for _ in range(MAX_ANCESTORS):
            i = document.parent[i]
            if document.tag[i] in ("article", "main"):
                return True
        return False

    @cached_property
    def _own_words(self) -> frozenset[str]:
        """Words for boxes of other pages that name a box around the heading: the page itself is of that kind."""
        document, i = self.document, self.heading
        found: frozenset[str] = frozenset()
        for _ in range(BOX_ANCESTORS):
            i = document.parent[i] if i > 0 else 0
            names = document.attrs[i].get("class")
            if names and class_verdict(names) & ZONE:
                found |= zone_words(names)
        return found

    def is_own_aside(self, i: int) -> bool:
        """Whether the node stands in a nameless aside of the very article that holds the heading."""
        document = self.document
        for _ in range(MAX_ANCESTORS):
            i = document.parent[i]
            if i <= self.heading < document.end[i]:
                return document.tag[i] == "article"
            if class_verdict(document.attrs[i].get("class") or "") & ZONE or document.tag[i] in ("nav", "form"):
                return False
        return False

    def is_in_profile(self, i: int) -> bool:
        """Whether the node stands in a box about a member, whose dates are of joining."""
        document = self.document
        for _ in range(BOX_ANCESTORS):
            names = document.attrs[i].get("class")
            if names and class_verdict(names) & PROFILE:
                return True
            i = document.parent[i]
        return False

    def is_in_comment(self, i: int) -> bool:
        """Whether microdata says that the node is part of a comment, an answer or a review."""
        document = self.document
        for _ in range(MAX_ANCESTORS):
            i = document.parent[i]
            if document.attrs[i].get("itemprop") in COMMENT_PROPERTIES:
                return True
        return False

    def is_label(self, i: int) -> bool:
        """Whether the text is a heading, or a link to a section of the page or the site rather than to a person."""
        document = self.document
        for _ in range(LABEL_ANCESTORS):
            i = document.parent[i]
            if document.tag[i] in LABEL_TAGS or _SECTION_ADDRESS.search(document.attrs[i].get("href", ".")):
                return True
        return False
