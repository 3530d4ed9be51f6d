"""Orders of battle from CSV: every fault with its row, nothing half taken."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.domain.text import name_fault, normalize_text
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from rosters.importing import REQUIRED, RosterErrors, roster_rows
from rosters.sheet_cells import spoiled_cell

HEADER = "id,name,side,nation,troop_type,gun_class,points,formation,regiment,poor_militia\n"
GOOD = (
    'br_24_1,"24th Foot, right wing",crown,british,british_line,,80,advanced_corps,24th Foot,\n'
    "ra_adv3,Fraser's 3-pounders,crown,british,european_artillery,grasshopper,100,advanced_corps,,no\n"
    "lo_mcalpin,McAlpin's American Volunteers,crown,loyalist,militia,none,74,provincials,,yes\n"
    "wg_cart1,Provision carts,crown,canadian,wagon,,0,train,,\n"
)


def test_a_sound_text_gives_its_units() -> None:
    foot, guns, militia, carts = roster_rows(HEADER + GOOD)
    assert (foot.row, foot.id, foot.name, foot.regiment) == (
        2,
        "br_24_1",
        "24th Foot, right wing",
        "24th Foot",
    )
    assert (foot.nation, foot.troop_type, foot.points) == (Nation.BRITISH, TroopType.BRITISH_LINE, 80)
    assert guns.gun_class is GunClass.GRASSHOPPER
    assert militia.poor_militia and not foot.poor_militia
    assert carts.points == 0


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    assert roster_rows("\ufeff" + (HEADER + GOOD).replace("\n", "\r\n")) == roster_rows(HEADER + GOOD)


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ("x,Foot,crown,british,british_line,,121,corps,,", "points", "1 to 120"),
        ("x,Foot,crown,british,british_line,,-1,corps,,", "points", "1 to 120"),
        ("x,Foot,crown,british,british_line,,80.5,corps,,", "points", "whole number"),
        ("x,Foot,crown,british,british_line,,²,corps,,", "points", "whole number"),
        ("x,Foot,crown,british,british_line,,0,corps,,", "points", "HR-DAT-04"),
        pytest.param(
            f"x,Foot,crown,british,british_line,,{'9' * 5000},corps,,", "points", "1 to 120", id="5000 digits"
        ),
        ("x,Foot,crown,prussian,british_line,,80,corps,,", "nation", "choose one of british"),
        ("x,Foot,crown,british,lancers,,80,corps,,", "troop_type", "choose one of"),
        ("x,Guns,crown,british,european_artillery,carronade,80,corps,,", "gun_class", "choose one of"),
        ("x,Guns,crown,british,european_artillery,,80,corps,,", "gun_class", "AWI-T-STR-04"),
        ("x,Foot,crown,british,british_line,light,80,corps,,", "gun_class", "has no guns"),
        ("x,Carts,crown,british,wagon,,20,corps,,", "points", "HR-DAT-04"),
        ("x,Foot,crown,british,british_line,,80,corps,,yes", "poor_militia", "Only militia"),
        ("x,Foot,crown,british,british_line,,80,corps,,maybe", "poor_militia", "yes or no"),
        (",Foot,crown,british,british_line,,80,corps,,", "id", "It is empty; fill it in."),
        ("x y,Foot,crown,british,british_line,,80,corps,,", "id", "letters, digits"),
        ("x,,crown,british,british_line,,80,corps,,", "name", "It is empty; fill it in."),
        ("x,Foot,crown,british,british_line,,80,,,", "formation", "It is empty; fill it in."),
        ("br_24_1,Foot,crown,british,british_line,,80,corps,,", "id", "already in row 2"),
        ("x,Foot,rebel,british,british_line,,80,advanced_corps,,", "side", "one side"),
        ("x,Foot,crown,british,british_line,,,corps,,", "points", "It is empty; give a whole number"),
        ("x,Foot,crown,,british_line,,80,corps,,", "nation", "It is empty; choose one of british"),
        ("x,Foot,crown,brittish,british_line,,80,corps,,", "nation", "did you mean british?"),
        ("BR_24_1,Foot,crown,british,british_line,,80,corps,,", "id", "already in row 2 as br_24_1"),
        ("x,Foot,Crown,british,british_line,,80,advanced_corps,,", "side", "write both alike"),
        ("Total,,,,,,245,,,", "", "This row has id and points only; remove totals"),
        (",Reserves,,,,,,,,", "", "This row has name only; remove totals, headings and notes"),
        ("x,Foot,crown,british,british_line,,=40*2,corps,,", "points", "is a formula, not its result"),
        ("x,#N/A,crown,british,british_line,,80,corps,,", "name", "is the error of a formula"),
        ("x,Foot,crown,british,british_line,,3. Apr,corps,,", "points", "is a date: a spreadsheet makes one"),
        ("2026-04-03,Foot,crown,british,british_line,,80,corps,,", "id", "“2026-04-03” is a date"),
        ("x,Foot,crown,british", "", "fewer fields"),
        ("x,Foot,crown,british,british_line,,80,corps,,,,x", "", "more fields"),
    ],
)
def test_a_faulty_row_is_told_with_row_and_column(row: str, column: str, message: str) -> None:
    with pytest.raises(RosterErrors) as refused:
        roster_rows(HEADER + GOOD + row + "\n")
    (error,) = refused.value.errors
    assert (error.row, error.column) == (6, column)
    assert message in error.message


def test_a_place_longer_than_a_unit_can_keep_is_told() -> None:
    """On PostgreSQL the import ended in an error of the database."""
    head, row = HEADER.strip() + ",place\n", "x,Foot,crown,british,british_line,,80,corps,,,"
    assert roster_rows(f"{head}{row}{'a' * 60}\n")[0].place == "a" * 60
    with pytest.raises(RosterErrors) as refused:
        roster_rows(f"{head}{row}{'a' * 61}\n")
    (error,) = refused.value.errors
    assert (error.row, error.column) == (2, "place") and "use 1 to 60 letters" in error.message


def test_reading_stops_after_some_hundred_faults() -> None:
    """256 KB gave 133,000 faults, all of them on the page."""
    with pytest.raises(RosterErrors) as refused:
        roster_rows(HEADER + ",x,,,,,,,,\n" * 3_000)
    errors = refused.value.errors
    assert 500 < len(errors) < 520 and errors == sorted(errors)
    row = errors[-1].row
    assert errors[-1] == (
        row,
        "",
        f"Reading stops at this row, after {len(errors) - 1} errors; fix those first.",
    )
    with pytest.raises(RosterErrors) as refused:
        roster_rows(HEADER + GOOD + "x\n" * 3_000)
    assert len(refused.value.errors) == 501


def test_all_faults_are_told_in_the_order_of_rows() -> None:
    text = (
        HEADER
        + "a,Foot,crown,prussian,british_line,,121,corps,,\n"
        + GOOD
        + "b,,crown,british,wagon,,0,c,,\n"
    )
    with pytest.raises(RosterErrors) as refused:
        roster_rows(text)
    assert [(error.row, error.column) for error in refused.value.errors] == [
        (2, "nation"),
        (2, "points"),
        (7, "name"),
    ]


@pytest.mark.parametrize("missing", REQUIRED)
def test_a_missing_column_is_told(missing: str) -> None:
    with pytest.raises(RosterErrors) as refused:
        roster_rows(HEADER.replace(missing, "") if missing == "points" else _without(missing))
    assert (1, missing) in [(error.row, error.column) for error in refused.value.errors]


def _without(column: str) -> str:
    return ",".join(name for name in HEADER.strip().split(",") if name != column) + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (HEADER, "no unit"),
        (HEADER.replace("regiment", "colonel") + GOOD, "no such column; remove it. The columns are id"),
        (HEADER.replace("points", "point") + GOOD, "no such column; did you mean points?"),
        (
            "id,a,b\nname,Foot,Guns\nside,crown,rebel\n",
            "No row names the columns; the first row must: id, name",
        ),
        ("<html><table><tr><td>id</td></tr></table></html>", r"This is a web page \(HTML\), not a table"),
        ('[{"id": "a"}]', "This is JSON, not a table"),
        (HEADER + GOOD.replace("Fraser", '"Fraser'), r'Row 3: A quotation mark \("\) opens in this row'),
        (HEADER.replace("regiment", "points") + GOOD, "twice"),
        (HEADER + GOOD + '"' + "x" * 140_000 + '"\n', "not CSV"),
    ],
)
def test_a_text_that_is_no_roster_is_refused(text: str, message: str) -> None:
    with pytest.raises(RosterErrors, match=message):
        roster_rows(text)


@pytest.mark.parametrize(
    "row",
    [
        "x,Foot,crown,British,British Line,,80,corps,,",
        "x,Foot,'crown,'british,'british_line,,'80,'corps,,",
        'x,"=""Foot""",crown,british,british_line,,80,corps,,FALSE',
    ],
    ids=["words with capitals and spaces", "apostrophes before cells", "texts as formulas, no as FALSE"],
)
def test_what_a_spreadsheet_did_to_words_and_numbers_is_undone(row: str) -> None:
    [unit] = roster_rows(HEADER + row)
    told = (unit.name, unit.side, unit.nation, unit.troop_type, unit.points, unit.formation)
    assert told == ("Foot", "crown", "british", "british_line", 80, "corps") and not unit.poor_militia


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z0-9_-]{1,20}", fullmatch=True),
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")) | st.sampled_from(' ,"'), min_size=1)
            .map(normalize_text)
            .filter(lambda name: bool(name.strip()) and not name_fault(name.strip(), 200))
            .filter(lambda name: not spoiled_cell(name.strip(), is_name=True)),
            st.integers(1, 120),
        ),
        min_size=1,
        unique_by=lambda row: row[0],
    )
)
def test_what_is_written_is_read_and_no_point_is_lost(units: list[tuple[str, str, int]]) -> None:
    """AWI-C-STR-01: points stand as they are given, in order, none above 120."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(REQUIRED)
    for key, name, points in units:
        writer.writerow([key, name, "rebel", "american_militia", "militia", points, "levy"])
    rows = roster_rows(text.getvalue())
    assert [(row.id, row.name, row.points) for row in rows] == [(k, n.strip(), p) for k, n, p in units]


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rows = roster_rows(HEADER + text)
    except RosterErrors as refused:
        assert refused.errors
    else:
        assert all(0 <= row.points <= 120 for row in rows)


def test_cells_written_against_formulas_are_read_as_they_were():
    """HR-SET-18: exportarmies sets an apostrophe before what a table of figures would take for a formula."""
    head = "id,name,side,nation,troop_type,points,formation,regiment\n"
    longest = "=" + "x" * 199
    [row] = roster_rows(f"{head}'-a,'{longest},crown,british,british_line,60,'-f,'+1\n")
    assert (row.id, row.name, row.formation, row.regiment) == ("-a", longest, "-f", "+1")
    [plain] = roster_rows(f"{head}a,'Old' Guard,crown,british,british_line,60,f,''=x\n")
    assert (plain.name, plain.regiment) == ("'Old' Guard", "'=x")
