"""Write schemas/node_tree.schema.json, the JSON Schema of the `tree` column, or check that it is up to date.

usage: python -m schemas.node_tree [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from danubia_core.generated_file import keep_file
from danubia_core.nodes import TREE_VERSION, json_schema

TARGET: Final = Path(__file__).with_name("node_tree.schema.json")

DESCRIPTION: Final = (
    "The content of a web page as typed nodes in reading order, as Danubia writes it to the column `tree`. "
    "Every node has a `type`; a run of text is a plain string among the children. `flags` is a bit set: 1 the node "
    "comes from marked main content, 2 a search rule discarded it, 4 the link-density rule discarded it, 8 it is a "
    "reader's comment. A field that is absent has its default."
)


# The unions of nodes by a type that only they hold, and the names that they get among the definitions.
_UNIONS: Final = {"paragraph": "Block", "strong": "InlineNode", "term": "DefinitionListEntry"}


def describe_tree() -> dict[str, Any]:
    """Return the schema (JSON Schema 2020-12); it and its `$id` change when `TREE_VERSION` does."""
    unions: dict[str, Any] = {}
    schema = _name_unions(json_schema(), unions)
    schema["$defs"]["Tree"]["properties"]["version"] = {"const": TREE_VERSION, "default": TREE_VERSION}
    schema["$defs"].update(sorted(unions.items()))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:danubia:node-tree:{TREE_VERSION}",
        "title": "Danubia node tree",
        "description": DESCRIPTION,
        "version": TREE_VERSION,
        **schema,
    }


def _name_unions(part: Any, unions: dict[str, Any]) -> Any:
    """Return `part` with each union of nodes as a reference; collect the unions as choices by `type`.

    A plain `anyOf` makes validators try every branch with everything below it: exponential in the depth.
    """
    if isinstance(part, list):
        return [_name_unions(entry, unions) for entry in part]
    if not isinstance(part, dict):
        return part
    if "discriminator" not in part:
        return {key: _name_unions(value, unions) for key, value in part.items()}
    mapping: dict[str, str] = part["discriminator"]["mapping"]
    name = next(_UNIONS[kind] for kind in mapping if kind in _UNIONS)
    unions[name] = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": list(mapping)}},
        "allOf": [
            {"if": {"properties": {"type": {"const": kind}}}, "then": {"$ref": target}}
            for kind, target in mapping.items()
        ],
    }
    return {"$ref": f"#/$defs/{name}"}


def render_schema() -> str:
    """Return the whole text of the schema's file."""
    return json.dumps(describe_tree(), indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with --check only compare; returns the exit status."""
    return keep_file(TARGET, render_schema(), "schemas.node_tree", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
