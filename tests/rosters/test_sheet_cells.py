"""What a spreadsheet made of a text, and names that only look like it."""

import pytest

from rosters.sheet_cells import spoiled_cell


@pytest.mark.parametrize(
    "name", ["1 Maryland", "2. Maryland", "2 Marines", "3 Augusta", "4 Decatur", "5 Mayo"]
)
def test_regiments_whose_names_begin_like_months_are_no_dates(name: str):
    assert spoiled_cell(name, is_name=True) == ""


@pytest.mark.parametrize(
    "text",
    ["3. Apr", "4-May", "1 Mar", "1-march", "2. M\u00e4rz", "5. Juni 77", "6-Sept", "7 Dezember", "8-Oct-77"],
)
def test_dates_are_told(text: str):
    assert spoiled_cell(text, is_name=True).startswith(f"“{text}” is a date: ")
