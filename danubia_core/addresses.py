"""Link targets to absolute addresses, as browsers resolve them."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from danubia_core.decode import replace_surrogates
from danubia_core.document import Document


class LinkResolver:
    """Resolves link targets against the page's base element and address."""

    def __init__(self, document: Document, url: str | None) -> None:
        url = replace_surrogates(url or "")
        base = next((document.attrs[i].get("href", "") for i in document.index.get("base", ())), "").strip()
        self.base = _join(url, base) if base else url
        self.origin = _find_origin(self.base)

    def resolve(self, target: str) -> str:
        """Return the absolute form of a link target; what cannot be resolved comes back as it is."""
        if target.startswith(("https://", "http://")) or not self.base:
            return target
        if self.origin and target[:1] == "/" and target[:2] != "//" and "/." not in target and " " not in target:
            return self.origin + target
        return _join(self.base, target)


def _find_origin(address: str) -> str:
    """Return scheme and host of a web address, '' for any other or a broken one."""
    try:
        split = urlsplit(address)
    except ValueError:  # such as http://[
        return ""
    return f"{split.scheme}://{split.netloc}" if split.scheme in ("http", "https") and split.netloc else ""


def _join(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:
        return target
