"""Faults of a table: equal ones are told once, with their rows."""

import pytest

from rosters.importing import REQUIRED, RosterErrors, roster_rows
from rosters.table_faults import FaultGroup, RowError, group_faults, row_ranges


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([8], "row 8"),
        ([2, 3, 4, 9], "rows 2-4, 9"),
        (range(2, 286), "rows 2-285"),
        ([4, 2], "rows 2, 4"),
        (range(2, 24, 2), "rows 2, 4, 6, 8, 10, 12, 14, 16 and 3 more"),
    ],
)
def test_rows_in_words(rows, told):
    assert row_ranges(rows) == told


def test_equal_faults_of_a_column_are_one():
    errors = [RowError(2, "side", "No."), RowError(2, "id", "No."), RowError(3, "side", "No.")]
    assert group_faults([*errors, RowError(4, "", "Short.")]) == [
        FaultGroup("rows 2-3", "side", "No."),
        FaultGroup("row 2", "id", "No."),
        FaultGroup("row 4", "", "Short."),
    ]


def roster_errors(text: str) -> RosterErrors:
    with pytest.raises(RosterErrors) as refused:
        roster_rows(text)
    return refused.value


def table(head: tuple[str, ...], rows: int, **changed: str) -> str:
    cells = {"side": "crown", "nation": "british", "troop_type": "british_line", "points": "60"} | {
        "formation": "corps",
        **changed,
    }
    lines = [
        ",".join((cells | {"id": f"br_{at}", "name": f"{at}. Foot"})[name] for name in REQUIRED)
        for at in range(rows)
    ]
    return "\n".join([",".join(head), *lines]) + "\n"


def test_a_wrong_word_in_every_row_is_told_once():
    refused = roster_errors(table(REQUIRED, 40, nation="prussian"))
    (group,) = refused.groups
    assert (len(refused.errors), group.place) == (40, "rows 2-41, nation")
    assert refused.count_text(100) == "The table has 40 errors, listed below."
    assert str(refused).startswith("Rows 2-41, nation: 'prussian' is unknown; choose one of british,")


def test_errors_that_are_not_all_listed_say_so():
    rows = "".join(f"br_{at},Foot,crown,british,foot{at},60,corps\n" for at in range(120))
    refused = roster_errors(",".join(REQUIRED) + "\n" + rows)
    assert refused.count_text(100) == "The table has 120 errors; the first 100 are listed below."


@pytest.mark.parametrize("rows", [2, 284, 600])
@pytest.mark.parametrize(
    ("one", "other"), [("points", "troop_type"), ("id", "name"), ("nation", "troop_type")]
)
def test_swapped_columns_are_named(one: str, other: str, rows: int):
    head = tuple({one: other, other: one}.get(name, name) for name in REQUIRED)
    errors = roster_errors(table(head, rows)).errors
    named = f"The columns {one} and {other} seem to be swapped; exchange their names in this row."
    turned = f"The columns {other} and {one} seem to be swapped; exchange their names in this row."
    assert errors[0].row == 1 and errors[0].message in (named, turned)
    assert all(error.message.startswith("Reading stops") for error in errors[1:])


def test_columns_that_are_not_swapped_are_told_by_their_faults():
    assert len(roster_errors(table(REQUIRED, 3, points="x")).errors) == 3
    assert len(roster_errors(table(REQUIRED, 1, points="british_line", troop_type="60")).errors) == 2


@pytest.mark.parametrize("text", ["hello this is a text\n", "Dear Ben,\nhere are the armies, as agreed.\n"])
def test_a_text_is_no_spreadsheet(text: str):
    """It was told eight times that a column is missing or unknown."""
    assert str(roster_errors(text)) == (
        f"Row 1: This is not a spreadsheet with the columns {', '.join(REQUIRED)}; "
        "save such a table as XLSX or CSV UTF-8."
    )
