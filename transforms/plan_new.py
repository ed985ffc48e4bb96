"""What is to do of an archive that appeared: the ranges that lack a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transforms.manifests import choose_size, split_plan
from transforms.pages import RangeSpec
from transforms.plan_ranges import plan_ranges


@dataclass(frozen=True, slots=True)
class Plan:
    """An archive's ranges, and those of them that are to do."""

    ranges: list[RangeSpec]
    to_do: list[RangeSpec]


def plan_new(archive: str, size: int, manifests: Mapping[str, dict[str, Any]], range_bytes: int) -> Plan:
    """Plan one archive of `size` bytes, as before where some of it is done; `manifests` are its own, by file name.

    Raises OutputError when it has changed since.
    """
    ranges = plan_ranges(archive, choose_size(size, manifests.values()), range_bytes)
    return Plan(ranges, split_plan(ranges, manifests)[0])
