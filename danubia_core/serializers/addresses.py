"""Which addresses may stand in the output."""

from __future__ import annotations

import re
from typing import Final

# Browsers skip white space and control characters before and inside a scheme: so does the check.
_SCHEME: Final = re.compile(r"[\x00-\x20]*((?:[a-zA-Z-][\x00-\x20]*)+):")
_RUNNING: Final = frozenset({"javascript", "vbscript", "data", "about", "blob", "view-source"})


def is_followable(url: str) -> bool:
    """Tell whether `url` leads somewhere: not empty, and of no scheme that runs code or leads nowhere else.

    >>> [is_followable(url) for url in ("https://example.org/", "JavaScript:go()", "data:text/html,x", "")]
    [True, False, False, False]
    """
    if url.startswith("http"):
        return True
    found = _SCHEME.match(url)
    if found is None:
        return url.strip() != ""
    return re.sub(r"[\x00-\x20]+", "", found[1]).lower() not in _RUNNING
