"""The forms that a tree can be written in: one visitor a file, all named in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from danubia_core.nodes import Tree
from danubia_core.serializers.html import write_html
from danubia_core.serializers.markdown import write_markdown
from danubia_core.serializers.tei import write_tei
from danubia_core.serializers.text import write_text
from danubia_core.serializers.xml import write_xml

if TYPE_CHECKING:
    from collections.abc import Callable

# Each takes a tree; xml and xml_tei also what stands at the head of their documents, metadata and url.
SERIALIZERS: Final[dict[str, Callable[..., str]]] = {
    "markdown": write_markdown,
    "text": write_text,
    "html": write_html,
    "json": Tree.to_json,
    "xml": write_xml,
    "xml_tei": write_tei,
}
