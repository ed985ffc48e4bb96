"""Tag families to nodes: `HANDLERS[tag](collector, index)` handles a node and returns where the scan goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from danubia_core.handlers.code import CODE_HANDLERS
from danubia_core.handlers.heading import HEADING_HANDLERS
from danubia_core.handlers.inline import INLINE_HANDLERS
from danubia_core.handlers.list import LIST_HANDLERS
from danubia_core.handlers.math import MATH_HANDLERS
from danubia_core.handlers.media import MEDIA_HANDLERS
from danubia_core.handlers.quote import QUOTE_HANDLERS
from danubia_core.handlers.styled import STYLED_HANDLERS
from danubia_core.handlers.table import TABLE_HANDLERS

if TYPE_CHECKING:
    from danubia_core.collect import Collector

    Handler = Callable[[Collector, int], int]

HANDLERS: dict[str, Handler] = {
    **STYLED_HANDLERS,
    **HEADING_HANDLERS,
    **LIST_HANDLERS,
    **QUOTE_HANDLERS,
    **INLINE_HANDLERS,
    **MEDIA_HANDLERS,
    **MATH_HANDLERS,
    **CODE_HANDLERS,
    **TABLE_HANDLERS,
}
