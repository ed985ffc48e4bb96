"""Lists of references: links that belong to a matter (see also, sources, external links), where menus look alike.

Told by where they stand, a section of their own amid prose, and by what they are: a title that says so, or links that
leave the site.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final
from urllib.parse import urlsplit

from danubia_core.document import Document

SECTIONS: Final = 3  # headings of a text that has sections
PROSE_BYTES: Final = 1000
MAX_LINKS_READ: Final = 40
FOREIGN_PERCENT: Final = 80
MAX_TITLE_BYTES: Final = 80

# Titles in the languages of the large encyclopedias: see also, references, sources, literature, external links.
TITLES: Final = frozenset(
    title.strip()
    for title in (
        "see also, references, external links, sources, bibliography, further reading, notes and references, footnotes,"
        "siehe auch, einzelnachweise, weblinks, literatur, quellen, voir aussi, références, liens externes, sources et "
        "références, bibliographie, notes et références, véase también, referencias, enlaces externos, bibliografía, "
        "fuentes, ver também, referências, ligações externas, bibliografia, fontes, vedi anche, voci correlate, note, "
        "collegamenti esterni, riferimenti, fonti, zie ook, externe links, referenties, bronnen, bronnen noten en of "
        "referenties, zobacz też, przypisy, linki zewnętrzne, źródła, se även, referenser, externa länkar, källor, "
        "se også, referanser, eksterne lenker, kilder, referencer, eksterne henvisninger, katso myös, lähteet, "
        "aiheesta muualla, viz také, reference, externí odkazy, literatura, ayrıca bakınız, kaynakça, dış bağlantılar, "
        "см. также, примечания, ссылки, источники, литература, див. також, примітки, посилання, джерела, "
        "関連項目, 脚注, 出典, 外部リンク, 参考文献, 参见, 参考资料, 参考文献, 外部链接, 外部連結, 參見, 參考資料, "
        "같이 보기, 각주, 외부 링크, 참고 문헌, "
        "انظر أيضا, انظر أيضًا, مراجع, المراجع, وصلات خارجية, ראו גם, הערות שוליים, קישורים חיצוניים, इन्हें भी देखें, सन्दर्भ, "
        "बाहरी कड़ियाँ, xem thêm, tham khảo, liên kết ngoài, lihat pula, referensi, pranala luar"
    ).split(",")
)


def find_own_hosts(document: Document) -> frozenset[str]:
    """Return the hosts that the page says it lies on, without `www.`."""
    found = set()
    for i in document.index.get("link", ()):
        attributes = document.attrs[i]
        if attributes.get("rel", "").lower() == "canonical":
            found.add(_find_host(attributes.get("href", "")))
    for i in document.index.get("meta", ()):
        attributes = document.attrs[i]
        if attributes.get("property") == "og:url":
            found.add(_find_host(attributes.get("content", "")))
    return frozenset(found - {""})


def is_reference_list(document: Document, i: int, own_hosts: frozenset[str]) -> bool:
    """Whether the list at `i` gives a text's references: right below a heading, in a text that has sections."""
    if document.tag[i] not in ("ul", "ol"):
        return False
    k = bisect_left(document.headings, i) - 1
    if k < 0:
        return False
    heading = document.headings[k]
    end = document.end[heading]
    if document.tag[heading] == "h1" or end > i or document.text_bytes(heading) > MAX_TITLE_BYTES:
        return False
    if document.text_before[i] - document.text_before[end] > 16:  # an edit mark at most
        return False
    if not _has_sections(document, document.parent[i], heading):
        return False
    return is_reference_title(document.inner_text(heading)) or _leads_away(document, i, own_hosts)


def is_reference_title(title: str) -> bool:
    """Whether a heading announces references.

    >>> is_reference_title("See also[edit]"), is_reference_title("References:"), is_reference_title("See our offers")
    (True, True, False)
    """
    return title.partition("[")[0].strip(" :.¶#").lower() in TITLES


def _has_sections(document: Document, i: int, heading: int) -> bool:
    """Whether the element around a list and its heading, or the one around that, is a text of several sections."""
    for _ in range(2):
        headings = bisect_left(document.headings, document.end[i]) - bisect_left(document.headings, i)
        prose = document.prose_bytes(i)
        if i < heading and headings >= SECTIONS and prose >= PROSE_BYTES and prose * 3 > document.text_bytes(i):
            return True
        i = document.parent[i]
    return False


def _leads_away(document: Document, i: int, own_hosts: frozenset[str]) -> bool:
    """Whether most links of a list leave the site."""
    low, high = bisect_left(document.links, i), bisect_left(document.links, document.end[i])
    links = document.links[low : min(high, low + MAX_LINKS_READ)]
    foreign = 0
    for link in links:
        host = _find_host(document.attrs[link].get("href", ""))
        foreign += bool(host) and not any(host == own or host.endswith("." + own) for own in own_hosts)
    return bool(own_hosts) and foreign * 100 >= len(links) * FOREIGN_PERCENT


def _find_host(address: str) -> str:
    if "//" not in address[:8]:
        return ""
    try:
        return (urlsplit(address.strip()).hostname or "").removeprefix("www.")
    except ValueError:  # such as http://[
        return ""
