"""What the XML forms share: escaping, attributes, and a writer that keeps its own stack.

A serializer's table says for each node kind which pieces it is made of: `Markup` goes out as it is, a plain `str` is
the page's text and is escaped, a node is made into pieces when its turn comes. So a tree of any depth is written in
time linear to its size.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# XML 1.0, section 2.2: no document may hold these, not even as a character reference.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")

# RFC 3986, with the letters beyond ASCII that an IRI may hold.
_NOT_IN_ADDRESS: Final = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")
_ADDRESS: Final = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?"
    r"(?://(?P<authority>(?:[^/?#@\[\]]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/?#@:\[\]]*)(?::[0-9]*)?)(?=[/?#]|\Z))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:\#(?P<fragment>.*))?",
    re.DOTALL,
)


class Markup(str):
    """A piece that is written as it stands."""

    __slots__ = ()


NEW_LINE: Final = Markup("\n")


def escape_content(text: str) -> str:
    r"""Return `text` as the content of an element: characters that XML forbids are left out.

    >>> escape_content("a < b\0 & c\r\n")
    'a &lt; b &amp; c&#13;\n'
    """
    text = _FORBIDDEN.sub("", text)
    if "&" in text or "<" in text or ">" in text or "\r" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text


def render_attribute(name: str, value: str) -> str:
    r"""Return ` name="value"`; a reader would take a bare tab or new line in it for a space.

    >>> render_attribute("title", 'the "kiln"\n')
    ' title="the &quot;kiln&quot;&#10;"'
    """
    value = escape_content(value).replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")
    return f' {name}="{value}"'


def open_element(name: str, **attributes: str) -> Markup:
    """Return a start tag with those attributes that are not ''.

    >>> open_element("ref", type="note", n="")
    '<ref type="note">'
    """
    return Markup(f"<{name}{''.join([render_attribute(key, value) for key, value in attributes.items() if value])}>")


def render_element(name: str, text: str, **attributes: str) -> str:
    """Return an element of text only, on a line of its own."""
    return f"{open_element(name, **attributes)}{escape_content(text)}</{name}>\n"


def write_pieces(pieces: Iterable[Any], expand: Mapping[type, Callable[[Any], list[Any]]]) -> str:
    """Return the XML of pieces in their order; `expand` makes nodes into pieces, by their type."""
    out: list[str] = []
    stack = list(pieces)
    stack.reverse()
    while stack:
        piece = stack.pop()
        kind = type(piece)
        if kind is Markup:
            out.append(piece)
        elif kind is str:
            out.append(escape_content(piece))
        else:
            stack += reversed(expand[kind](piece))
    return "".join(out)


def is_language_tag(text: str) -> bool:
    """Tell whether `text` has the form of a BCP 47 tag, as xml:lang must.

    >>> is_language_tag("zh-Hant"), is_language_tag("en_US")
    (True, False)
    """
    return _LANGUAGE_TAG.fullmatch(text) is not None


def read_address(url: str) -> str:
    """Return `url` as an IRI reference, percent signs for what cannot stand in one; '' where it can be none.

    >>> read_address("https://example.org/a b?q=[1]#x#y")
    'https://example.org/a%20b?q=%5B1%5D#x%23y'
    >>> [read_address(url) for url in ("http://[half/", "http://example.org:port/", "12:30")]
    ['', '', './12:30']
    """
    found = _ADDRESS.fullmatch(_NOT_IN_ADDRESS.sub(_percent_encode, _FORBIDDEN.sub("", url).strip()))
    if found is None or (found["authority"] is None and found["path"].startswith("//")):
        return ""
    parts = {name: value for name, value in found.groupdict(default="").items() if name != "authority"}
    for name in ("path", "query", "fragment"):
        parts[name] = parts[name].replace("[", "%5B").replace("]", "%5D").replace("#", "%23")
    head = f"{parts['scheme']}:" if parts["scheme"] else ""
    if found["authority"] is not None:
        head += f"//{found['authority']}"
    elif not head and ":" in parts["path"].partition("/")[0]:
        head = "./"  # else what is before the colon would be a scheme
    tail = "".join([mark + parts[name] for name, mark in _TAILS if found[name] is not None])
    return head + parts["path"] + tail


_TAILS: Final = (("query", "?"), ("fragment", "#"))


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
