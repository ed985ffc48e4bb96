from __future__ import annotations

import pytest

from schemas import describe
from schemas.page_row import COLUMNS, EXTRACTED_COLUMNS, RECORD_COLUMNS, page_columns
from transforms.row_values import EXTRACTED_VALUES, RECORD_VALUES


def test_every_column_has_a_value_and_every_value_a_column() -> None:
    assert list(RECORD_VALUES) == [column.name for column in RECORD_COLUMNS]
    assert [*EXTRACTED_VALUES, "ms"] == [column.name for column in EXTRACTED_COLUMNS]


def test_column_names_are_unique_and_described() -> None:
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert all(column.description.endswith(".") for column in COLUMNS)


@pytest.mark.parametrize("name", ["html", "xml", "xml_tei"])
def test_markup_is_off_by_default(name: str) -> None:
    assert name not in {column.name for column in page_columns()}
    assert name in {column.name for column in page_columns([f"+{name}"])}


@pytest.mark.parametrize("names", [["colour"], [""], [], ["url", "+html"]])
def test_columns_that_make_no_sense_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="columns"):
        page_columns(names)


def test_the_page_of_columns_is_up_to_date() -> None:
    assert describe.main(["--check"]) == 0
