"""The one switch of the suite: `pytest tests/core --update-golden` writes the goldens anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write expected.md and expected.json of tests/pages and tests/formats anew; a missing one fails its test",
    )
