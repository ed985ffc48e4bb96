"""What a piece of plain text must look like so that CommonMark with GFM's extensions reads it as that text.

Enough is escaped and no more: `snake_case`, `[sic]`, `a < b`, `AT&T` and `~5 km` stay as they are, since no parser
takes them for markup. Most text holds none of the characters in question, so `escape_text` asks that first.
Sources: CommonMark 0.31 (delimiter runs 6.2, backslash escapes 2.4, entities 2.5, link destinations 6.3), GFM 0.29.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# The states a run of inline content is written in: bits of the `state` that the writers hand down.
IN_LINK: Final = 1
IN_STRONG: Final = 2
IN_EMPHASIS: Final = 4
IN_STRIKE: Final = 8
IN_CELL: Final = 16
IN_HEADING: Final = 32
DOLLARS: Final = 64  # the block's dollar signs could be read as mathematics: escape those of its text
LONE_STAR: Final = 128  # the block holds a single star: between letters or digits it needs no escape

# Unicode white space as CommonMark 2.1 has it (str.isspace takes some control characters too).
SPACES: Final = frozenset(
    " \t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)

# Runs that may be delimiters, and single characters that matter only before certain others. Where a piece ends, what
# follows is not known here, so the edge counts as dangerous. Each alternative starts with a literal: that is what lets
# the regex engine skip plain characters by a table instead of trying eleven alternatives at each.
_SPECIAL: Final = re.compile(
    r"\*\**|__*|~~*|`"
    r"|\\(?=[!-/:-@\[-`{-~\s]|\Z)"
    r"|\[(?=[\^!])|\](?=[(:]|\Z)"
    r"|<(?=[A-Za-z/!?]|\Z)"
    r"|&(?=#?\w*(?:;|\Z))"
)
_LINE_BREAK: Final = re.compile(r"[ \t]*[\r\n]\s*")
_SPECIAL_IN_LINK: Final = re.compile(_SPECIAL.pattern + r"|\[|\]")
_DOLLAR: Final = r"|\$"
_SPECIAL_WITH_DOLLARS: Final = re.compile(_SPECIAL.pattern + _DOLLAR)
_SPECIAL_IN_LINK_WITH_DOLLARS: Final = re.compile(_SPECIAL_IN_LINK.pattern + _DOLLAR)

_PATTERNS: Final = {
    0: _SPECIAL,
    IN_LINK: _SPECIAL_IN_LINK,
    DOLLARS: _SPECIAL_WITH_DOLLARS,
    IN_LINK | DOLLARS: _SPECIAL_IN_LINK_WITH_DOLLARS,
}


def escape_text(text: str, state: int) -> str:
    r"""Return `text` as Markdown inside a line; what matters at a line's start is `protect_line`'s.

    >>> escape_text("copy *exactly* the file_name_here & <b>", 0)
    'copy \\*exactly\\* the file_name_here & \\<b>'
    """
    if (
        "_" in text
        or "*" in text
        or "[" in text
        or "]" in text
        or "&" in text
        or "`" in text
        or "<" in text
        or "\\" in text
        or "~" in text
        or "\n" in text
        or "\r" in text
    ) or state & DOLLARS:
        if "\n" in text or "\r" in text:
            text = _LINE_BREAK.sub(" ", text)
        replace = _escape_or_keep_star if state & LONE_STAR else _escape_match
        return _PATTERNS[state & (IN_LINK | DOLLARS)].sub(replace, text)
    return text


def _escape_match(match: re.Match[str]) -> str:
    found = match[0]
    is_plain = _RUNS.get(found[0])
    if is_plain is None:
        return "\\" + found
    if is_plain(match):
        return found
    return "".join(["\\" + character for character in found])


def _escape_or_keep_star(match: re.Match[str]) -> str:
    return "*" if match[0] == "*" and _stands_in_word(match) else _escape_match(match)


def _stands_in_word(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span()
    return start > 0 and text[start - 1].isalnum() and text[end : end + 1].isalnum()


def _stands_alone(match: re.Match[str]) -> bool:
    """Tell whether white space stands on both sides, and is not trimmed off: there is more on both sides of that."""
    text, (start, end) = match.string, match.span()
    if text[start - 1 : start] in SPACES and text[end : end + 1] in SPACES:
        return text[:start].strip() != "" and text[end:].strip() != ""
    return False


def _is_plain_underscore(match: re.Match[str]) -> bool:
    return _stands_in_word(match) or _stands_alone(match)


def _is_plain_tilde(match: re.Match[str]) -> bool:
    """Tell whether it cannot close; with every closer escaped, a single one has nothing to open for."""
    text, (start, end) = match.string, match.span()
    return end - start == 1 and text[start - 1 : start] in SPACES and end < len(text) and text[:start].strip() != ""


_RUNS: Final[dict[str, Callable[[re.Match[str]], bool]]] = {
    "*": _stands_alone,
    "_": _is_plain_underscore,
    "~": _is_plain_tilde,
}

# A line that starts with one of these may be a heading, a list item, a quote, a rule, a setext underline or a table's
# delimiter row.
LINE_STARTS: Final = frozenset("#-+*>=|:_0123456789")
_LINE_START: Final = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|[-=]+\s*\Z|(?:[-*_]\s*){3,}\Z|[-|: ]+\Z|(?P<number>\d{1,9})[.)](?=\s|\Z)"
)


def protect_line(line: str) -> str:
    r"""Return a paragraph's line so that its start is not read as a block's mark.

    >>> [protect_line(line) for line in ("1. The crate", "- eight", "# not", "1.5 km")]
    ['1\\. The crate', '\\- eight', '\\# not', '1.5 km']
    """
    if line[:1] not in LINE_STARTS:
        return line
    found = _LINE_START.match(line)
    if found is None:
        return line
    cut = found.end("number") if found["number"] else 0
    return line[:cut] + "\\" + line[cut:]


_PLAIN_DESTINATION: Final = re.compile(r"[!#-%'*-;=?-\[\]^_a-z{}~\u00a1-\u1fff\u2070-\ud7ff\uf900-\U0010ffff]*")
_UNSAFE_IN_DESTINATION: Final = re.compile(
    r"[\x00-\x20\x7f-\xa0<>\\|`\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")


def escape_destination(url: str) -> str:
    r"""Return `url` as a link destination: percent signs for what cannot stand there, backslashes before parentheses.

    >>> escape_destination("https://example.org/a b_(c)")
    'https://example.org/a%20b_\\(c\\)'
    """
    if _PLAIN_DESTINATION.fullmatch(url):
        return url
    url = _UNSAFE_IN_DESTINATION.sub(_percent_encode, url)
    return _ENTITY.sub(r"\\&", url).replace("(", "\\(").replace(")", "\\)")


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def escape_title(title: str) -> str:
    """Return a link's or image's title with its quotation marks around it, after a space; '' if there is none."""
    words = " ".join(title.split())
    if not words:
        return ""
    return ' "' + _ENTITY.sub(r"\\&", words.replace("\\", "\\\\").replace('"', '\\"')) + '"'
