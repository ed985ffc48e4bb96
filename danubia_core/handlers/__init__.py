"""Tag families to nodes: `HANDLERS[tag](collector, index)` handles a node and returns where the scan goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from danubia_core.handlers.block import BLOCK_HANDLERS
from danubia_core.handlers.code import CODE_HANDLERS
from danubia_core.handlers.inline import INLINE_HANDLERS
from danubia_core.handlers.table import TABLE_HANDLERS

if TYPE_CHECKING:
    from danubia_core.collect import Collector

    Handler = Callable[[Collector, int], int]

HANDLERS: dict[str, Handler] = {**BLOCK_HANDLERS, **INLINE_HANDLERS, **CODE_HANDLERS, **TABLE_HANDLERS}
