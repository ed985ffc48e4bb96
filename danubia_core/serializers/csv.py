"""A page as a row of CSV (RFC 4180): its address, its metadata and its text."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from danubia_core.serializers.text import write_text

if TYPE_CHECKING:
    from danubia_core import nodes
    from danubia_core.metadata.record import Metadata

COLUMNS: Final = (
    "url",
    "title",
    "author",
    "date",
    "site_name",
    "description",
    "categories",
    "tags",
    "language",
    "canonical_url",
    "image",
    "license",
    "text",
)
SEPARATOR: Final = "; "  # as between the names of authors


def write_csv(tree: nodes.Tree, metadata: Metadata, *, url: str | None = None, header: bool = True) -> str:
    """Return the row of a page, lines ended by CR LF; `header` puts the line of the columns' names before it.

    What a page does not say is an empty field; several categories or tags are joined by "; ".
    """
    values: dict[str, str | list[str] | None] = {"url": url, "text": write_text(tree)}
    row = []
    for name in COLUMNS:
        value = values[name] if name in values else getattr(metadata, name)
        row.append(SEPARATOR.join(value) if isinstance(value, list) else value or "")
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    if header:
        writer.writerow(COLUMNS)
    writer.writerow(row)
    return out.getvalue()
