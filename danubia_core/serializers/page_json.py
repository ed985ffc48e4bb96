"""A page as one JSON object: its address, its metadata, its text and its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from danubia_core.serializers.text import write_text

if TYPE_CHECKING:
    from danubia_core import nodes
    from danubia_core.metadata.record import Metadata


def write_page_json(tree: nodes.Tree, metadata: Metadata, *, url: str | None = None) -> str:
    """Return one line of JSON; the tree is as `Tree.to_json` has it, and what the page does not say is null or []."""
    fields = {name: getattr(metadata, name) for name in metadata.__struct_fields__}
    return msgspec.json.encode({"url": url, **fields, "text": write_text(tree), "tree": tree}).decode()
