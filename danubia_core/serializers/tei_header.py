"""The header of a TEI document: what the page says of itself, and what made the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from danubia_core.serializers.xml_pieces import is_language_tag, open_element, read_address, render_element

if TYPE_CHECKING:
    from danubia_core.metadata.record import Metadata

_DAY: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_VERSION: Final = re.compile(r"\d+(?:\.\d+){0,3}")


def render_header(metadata: Metadata | None, url: str | None) -> str:
    """Return a `<teiHeader>`: titleStmt, publicationStmt and sourceDesc always, profileDesc where there is matter."""
    if metadata is None:
        from danubia_core.metadata.record import Metadata  # loads the whole of metadata/, which few serializers need

        metadata = Metadata()
    title = render_element("title", metadata.title or "")
    authors = "".join([render_element("author", name) for name in (metadata.author or "").split("; ") if name])
    parts = (
        "<fileDesc>\n<titleStmt>\n", title, authors, "</titleStmt>\n",
        "<publicationStmt>\n", _render_publication(metadata, url), "</publicationStmt>\n",
        "<sourceDesc>\n<bibl>\n", title, authors, _render_source(metadata, url), "</bibl>\n</sourceDesc>\n",
        "</fileDesc>\n",
        _render_application(), _render_profile(metadata),
    )  # fmt: skip
    return f"<teiHeader>\n{''.join(parts)}</teiHeader>\n"


def _render_publication(metadata: Metadata, url: str | None) -> str:
    publisher = metadata.site_name or _read_host(url or metadata.canonical_url or "")
    return render_element("publisher", publisher) + _render_date(metadata.date) + _render_licence(metadata.license)


def _read_host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # half of an IPv6 address
        return ""


def _render_date(date: str | None) -> str:
    if not date:
        return ""
    return render_element("date", date, when=date if _DAY.fullmatch(date) else "")


def _render_licence(licence: str | None) -> str:
    if not licence:
        return ""
    target = read_address(licence) if licence.startswith(("http:", "https:")) else ""
    return f"<availability>\n{render_element('licence', licence, target=target)}</availability>\n"


def _render_source(metadata: Metadata, url: str | None) -> str:
    publisher = render_element("publisher", metadata.site_name) if metadata.site_name else ""
    pointers = (("", url), ("canonical", metadata.canonical_url), ("image", metadata.image))
    marks = [
        f"{open_element('ptr', type=kind, target=target)[:-1]}/>\n"
        for kind, address in pointers
        if address and (target := read_address(address))
    ]
    return publisher + _render_date(metadata.date) + "".join(marks)


def _render_application() -> str:
    from danubia_core import __version__  # the package imports the serializers

    found = _VERSION.match(__version__)
    start = open_element("application", ident="danubia", version=found[0] if found else "0")
    return f"<encodingDesc>\n<appInfo>\n{start}<label>Danubia</label></application>\n</appInfo>\n</encodingDesc>\n"


def _render_profile(metadata: Metadata) -> str:
    parts: list[str] = []
    if metadata.description:
        parts += ("<abstract>\n", render_element("p", metadata.description), "</abstract>\n")
    if metadata.language and is_language_tag(metadata.language):
        language = render_element("language", metadata.language, ident=metadata.language)
        parts += ("<langUsage>\n", language, "</langUsage>\n")
    terms = [render_element("term", name, type="category") for name in metadata.categories]
    terms += [render_element("term", name, type="tag") for name in metadata.tags]
    if terms:
        parts += ("<textClass>\n<keywords>\n", *terms, "</keywords>\n</textClass>\n")
    return f"<profileDesc>\n{''.join(parts)}</profileDesc>\n" if parts else ""
