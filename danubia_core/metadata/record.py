"""What a page says about itself, as values."""

from __future__ import annotations

import msgspec


class Metadata(msgspec.Struct, kw_only=True):
    """A page's title, author, date and the like; None or [] where the page does not say.

    Attributes:
        title: the page's own title, without the site's name.
        author: names in the page's order, joined by "; ".
        date: day of publication, "YYYY-MM-DD"; the day of the last change only where nothing else is known.
        site_name: name of the site or publisher.
        description: the page's own summary.
        categories: sections that the page is filed under, from the general to the special.
        tags: keywords.
        language: BCP 47 tag as declared, e.g. "en", "pt-BR", "zh-Hant".
        canonical_url: absolute.
        image: absolute address of the page's image.
        license: address of the license, or its name where no address is given.
    """

    title: str | None = None
    author: str | None = None
    date: str | None = None
    site_name: str | None = None
    description: str | None = None
    categories: list[str] = msgspec.field(default_factory=list)
    tags: list[str] = msgspec.field(default_factory=list)
    language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    license: str | None = None
