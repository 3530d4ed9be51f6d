"""What a spreadsheet made of a text, and names that only look like it."""

import pytest

from rosters.sheet_cells import spoiled_cell, strip_zero_decimals


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


@pytest.mark.parametrize("text", ["04-avr", "1-ene", "3-févr", "12-dic.", "2 mrt 26", "5-août"])
def test_dates_of_other_languages_are_told(text: str):
    assert spoiled_cell(text, is_name=True).startswith(f"“{text}” is a date: ")


@pytest.mark.parametrize(
    "text",
    (
        *("#BEZUG!", "#WERT!", "#NAME?", "#NOM?", "#VALEUR!", "#NV", "#N/D", "#SPILL!", "#CALC!", "#####"),
        *("#N/A N/A", "#¡VALOR!", "#DIV/0!", "Err:502", "#GETTING_DATA"),
    ),
)
def test_errors_of_formulas_are_told_in_every_language(text: str):
    expected = f"“{text}” is the error of a formula; correct it in the spreadsheet."
    assert spoiled_cell(text, is_name=True) == expected


@pytest.mark.parametrize("text", ["F\ufffdsiliers", "FÃ¼siliers", "Sé\u00c3\u00a9ance", "Burgoyneâ€™s"])
def test_letters_spoiled_on_the_way_are_told(text: str):
    told = "has letters that were spoiled on the way; type it again and save as CSV UTF-8."
    assert spoiled_cell(text, is_name=True) == f"“{text}” {told}"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("1.23457E+12", "a number that was shortened"),
        ("1,5E+06", "a number that was shortened"),
        ("12:30:00", "a time of day"),
    ],
)
def test_numbers_and_times_made_of_texts_are_told(text: str, made: str):
    told = f"“{text}” is {made}; format the column as text and type it again."
    assert spoiled_cell(text) == spoiled_cell(text, is_name=True) == told


@pytest.mark.parametrize(
    "name", ["Müller\u2019s Füsiliers", "São Tomé", "#1 Company", "Âge d\u2019or", "1E", "À l\u2019Île"]
)
def test_names_with_accents_and_signs_are_not_spoiled(name: str):
    assert spoiled_cell(name, is_name=True) == ""


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        *(("60", "60"), ("60.0", "60"), ("60,00", "60"), ("60.0000", "60")),
        *(("1,000", "1,000"), ("1.000", "1.000"), ("60.5", "60.5")),
    ],
)
def test_a_thousand_is_not_read_as_one(cell: str, number: str):
    """“1,000” points were read as 1 and taken without a word."""
    assert strip_zero_decimals(cell) == number
