"""What a refusal offers in place of a name that is not known."""

import pytest

from battles.files.suggestions import suggest_names


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (("1", "2", "3"), "give a whole number from 1 to 3"),
        ((-1, 0, 1), "give a whole number from -1 to 1"),
        (("0.5", "1.5", "2.5"), "there are 0.5, 1.5, 2.5"),
        (("nan", "inf", "1"), "there are nan, inf, 1"),
        (("1", "3", "4"), "there are 1, 3, 4"),
        (("off", "on"), "there are off, on"),
        ((), "there is none"),
    ],
)
def test_of_whole_numbers_without_gaps_the_first_and_the_last_are_told(
    known: tuple[object, ...], said: str
) -> None:
    assert suggest_names("9", known) == said


def test_the_name_that_seems_to_be_meant_is_offered() -> None:
    assert suggest_names("forest", ["dense_woods", "hill"]).startswith("did you mean “dense_woods”?")
