"""What a page says about itself: title, author, date and the like, out of its head, its markup and its address."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from danubia_core.controls import clean_controls
from danubia_core.decode import replace_surrogates
from danubia_core.document import Document
from danubia_core.metadata import declared
from danubia_core.metadata.byline import find_author
from danubia_core.metadata.dates import find_date
from danubia_core.metadata.head import Head
from danubia_core.metadata.places import Places
from danubia_core.metadata.record import Metadata
from danubia_core.metadata.titles import Titles

__all__ = ["Metadata", "extract_metadata"]


def extract_metadata(document: Document, *, url: str | None, latest: date | None = None) -> Metadata:
    """Read a page's metadata from its Document; nothing is parsed a second time, scripts other than JSON-LD never.

    Args:
        document: the parsed page.
        url: address of the page, for relative addresses, the site's name and a day in the address.
        latest: last day that a publication date may have; tomorrow (UTC) unless given.
    """
    head = Head(document, url)
    titles = Titles(document, head)
    places = Places(document, titles.heading)
    language = declared.find_language(head)
    if latest is None:
        latest = (datetime.now(UTC) + timedelta(days=1)).date()
    author = find_author(head, places)
    day = find_date(head, places, language=language, latest=latest)
    found = Metadata(
        title=titles.choose(is_written=bool(author and day)),
        author=author,
        date=day,
        site_name=head.site_name,
        description=declared.find_description(head),
        categories=declared.find_categories(head),
        tags=declared.find_tags(head, places),
        language=language,
        canonical_url=declared.find_canonical(head),
        image=declared.find_image(head),
        license=declared.find_license(head, places),
    )
    return _purge(found)


def _purge(metadata: Metadata) -> Metadata:
    """Take out control characters and lone surrogates, which escapes in JSON-LD can bring back."""
    for name in metadata.__struct_fields__:
        value = getattr(metadata, name)
        if isinstance(value, str) and not value.isprintable():
            setattr(metadata, name, clean_controls(replace_surrogates(value)) or None)
        elif isinstance(value, list) and not all(part.isprintable() for part in value):
            setattr(metadata, name, [clean_controls(replace_surrogates(part)) for part in value])
    return metadata
