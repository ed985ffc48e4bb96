"""The forms that a tree can be written in: one visitor a file, all named in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from danubia_core.nodes import Tree
from danubia_core.serializers.html import write_html
from danubia_core.serializers.markdown import write_markdown
from danubia_core.serializers.text import write_text

if TYPE_CHECKING:
    from collections.abc import Callable

SERIALIZERS: Final[dict[str, Callable[[Tree], str]]] = {
    "markdown": write_markdown,
    "text": write_text,
    "html": write_html,
    "json": Tree.to_json,
}
