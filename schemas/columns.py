"""A column: name, type and meaning, declared without Arrow so that the extraction child need not load it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

STRING: Final = "string"
LARGE_STRING: Final = "large_string"
INT32: Final = "int32"
INT64: Final = "int64"
FLOAT: Final = "float"
BOOL: Final = "bool"
TIMESTAMP: Final = "timestamp[us, tz=UTC]"
STRINGS: Final = "list<string>"
INT32_MAP: Final = "map<string, int32>"
INT64_MAP: Final = "map<string, int64>"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a data set: `type` is one of this module's constants, `default` says if it is written unasked."""

    name: str
    type: str
    description: str
    nullable: bool = False
    default: bool = True


def choose_columns(table: Sequence[Column], names: Iterable[str] | None = None) -> tuple[Column, ...]:
    """Pick columns by name, in the table's order; without names the default ones.

    A `names` entry "+html" adds to the defaults and "-tree" takes from them; the two kinds do not mix with plain names.
    Raises ValueError that lists the unknown names and the known ones.

    >>> table = (Column("a", STRING, ""), Column("b", STRING, ""), Column("c", STRING, "", default=False))
    >>> [column.name for column in choose_columns(table, ["+c", "-a"])]
    ['b', 'c']
    """
    known = {column.name for column in table}
    wanted = {column.name for column in table if column.default}
    if names is not None:
        names = list(names)
        unknown = sorted({name.lstrip("+-") for name in names} - known)
        if unknown or not names:
            raise ValueError(
                f"unknown columns: {', '.join(unknown) or '(none named)'}; known are {', '.join(sorted(known))}"
            )
        signed = [name for name in names if name[0] in "+-"]
        if signed and len(signed) < len(names):
            raise ValueError("either name all columns, or add (+name) to the default ones and take (-name) from them")
        if signed:
            wanted |= {name[1:] for name in names if name[0] == "+"}
            wanted -= {name[1:] for name in names if name[0] == "-"}
        else:
            wanted = set(names)
    return tuple(column for column in table if column.name in wanted)
