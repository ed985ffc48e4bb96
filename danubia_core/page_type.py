"""What kind of page it is, as far as that changes what counts as content."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from danubia_core.document import Document

_FORUM_HOST: Final = frozenset(
    "forum forums community discuss discussion discussions board boards bbs talk answers foro foren".split()
)
_FORUM_PATH: Final = re.compile(
    r"/(?:forums?|threads?|topics?|t|questions?|discussions?|boards?|viewtopic\.php|showthread\.php|comments|foro)(?:[/?]|$)"
    r"|viewtopic|showthread",
    re.IGNORECASE,
)
_FORUM_TYPES: Final = re.compile(r"\"(?:DiscussionForumPosting|QAPage)\"")
_FORUM_MICRODATA: Final = ("DiscussionForumPosting", "QAPage", "schema.org/Question")
_FORUM_CLASSES: Final = re.compile(
    r"(?:^|[\s_-])(?:phpbb|forum|viewtopic|topic|thread|question-page)(?:[\s_-]|$)|^XF$", re.I
)


def is_forum(document: Document, url: str | None) -> bool:
    """Whether readers' posts are the content of the page: told by its data, its root's classes or its address."""
    if any(_FORUM_TYPES.search(script) for script in document.json_ld):
        return True
    for tag in ("html", "body"):
        for i in document.index.get(tag, ())[:2]:
            attributes = document.attrs[i]
            if any(name in attributes.get("itemtype", "") for name in _FORUM_MICRODATA):
                return True
            if _FORUM_CLASSES.search(attributes.get("id", "")) or _FORUM_CLASSES.search(attributes.get("class", "")):
                return True
    return bool(url) and is_forum_address(url or "")


def is_forum_address(url: str) -> bool:
    """Whether an address looks like that of a thread.

    >>> is_forum_address("https://forum.example.org/t/a-question/12")
    True
    >>> is_forum_address("https://example.org/news/forum-opens")
    False
    """
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    host = (split.hostname or "").split(".")
    return any(label in _FORUM_HOST for label in host[:-1]) or bool(_FORUM_PATH.search(split.path))
