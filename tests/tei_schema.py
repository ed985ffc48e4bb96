"""TEI's own schema, tei_all, as tests/tei_schema.lock has it installed."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

from lxml import etree

SCHEMA: Final = Path(sys.prefix) / "tei" / "schemas" / "tei_all.rng"
RELAX_NG: Final = "{http://relaxng.org/ns/structure/1.0}"

# The elements that Danubia writes. To read the schema whole takes half a minute; with the definitions of all other
# elements out of it, it still accepts nothing that the whole one would refuse.
ELEMENTS: Final = frozenset(
    """
    TEI ab abstract appInfo application author availability bibl body cell code date del desc div encodingDesc fileDesc
    floatingText formula graphic head hi item keywords label langUsage language lb licence list milestone note p
    profileDesc ptr publicationStmt publisher quote ref row sourceDesc table teiHeader term text textClass title
    titleStmt
    """.split()
)


@cache
def read_schema() -> Any:
    assert SCHEMA.exists(), "the Makefile installs TEI's schema: make test, or pip install as it does"
    schema = etree.parse(SCHEMA)
    for element in schema.findall(f".//{RELAX_NG}element"):
        if element.get("name") not in ELEMENTS:
            element.getparent().replace(element, etree.Element(f"{RELAX_NG}notAllowed"))
    return etree.RelaxNG(schema)


def find_tei_fault(document: str) -> str | None:
    """Say what TEI refuses in a document, or None where it is valid."""
    schema = read_schema()
    page = etree.fromstring(document.encode(), etree.XMLParser(huge_tree=True))
    return None if schema.validate(page) else str(schema.error_log.last_error)
