"""Faults of a text that is no TOML, each with its line, cause and cure."""

import tomllib

import pytest

from campaign.scenarios.head import toml_fault

DATES = "write dates as 1776-12-08."
FOLLOWS = "something follows the value; put text in quotation marks."


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("start = 8.12.1776", DATES),
        ('motto = "On 4.7.1776 in Philadelphia" x', FOLLOWS),  # a date inside a text is no fault
        ("motto = 'On 4.7.1776' x", FOLLOWS),
        ('title = "Trenton" # played on 26.12.1776', ""),
    ],
)
def test_only_a_date_that_is_a_value_is_told_as_one(line: str, cause: str) -> None:
    text = f'name = "x"\n{line}\n'
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        assert toml_fault(text, error) == (2, cause)
    else:
        assert cause == ""
