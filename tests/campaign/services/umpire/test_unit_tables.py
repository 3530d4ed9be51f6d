"""Tables of units from spreadsheets: what is not taken of them is said (HR-UMP-31)."""

from pathlib import Path

import pytest

from campaign.ops.csv_escape import plain_cell
from campaign.rules.errors import RuleViolation
from campaign.services.umpire import unit_tables
from campaign.services.umpire.unit_tables import build_unit_plan, parse_points, read_unit_table
from rosters.domain.text import unescape_cell

INPUTS = Path(__file__).parents[3] / "inputs" / "unit_tables"

pytestmark = pytest.mark.django_db


def test_edited_columns_that_are_not_taken_are_said(saratoga):
    unit = saratoga.order_of_battle.units.select_related("side", "formation").order_by("slug").first()
    head, row = "id,name,points,side,formation", f"{unit.slug},{unit.name.replace(',', ' ')},{unit.points}"
    plan = build_unit_plan(
        saratoga, read_unit_table(f"{head}\n{row},nobody,{unit.formation.slug}\n".encode())
    )
    [(number, sentence)] = plan.unread
    assert number == 2 and f"its side stays {unit.side.slug}; a table changes names and points." in sentence
    same = build_unit_plan(
        saratoga, read_unit_table(f"{head}\n{row},{unit.side.slug},{unit.formation.slug}\n".encode())
    )
    assert same.unread == []


def test_one_name_for_several_units_is_said(saratoga):
    units = saratoga.order_of_battle.units.order_by("slug")[:2]
    rows = "\n".join(f"{unit.slug},Foot,{unit.points}" for unit in units)
    plan = build_unit_plan(saratoga, read_unit_table(f"id,name,points\n{rows}\n".encode()))
    words = "2 units get the name Foot; give each its own to tell them apart."
    assert plan.unread == [(3, words)] and not plan.wrong


def test_no_more_is_tried_than_is_taken(saratoga, monkeypatch):
    tried = []
    real = unit_tables.act_apply
    monkeypatch.setattr(unit_tables, "act_apply", lambda *given: tried.append(given) or real(*given))
    rows = "\n".join(f",New {number},5,advanced_corps,british,british_line" for number in range(1_990))
    plan = build_unit_plan(
        saratoga, read_unit_table(f"id,name,points,formation,nation,troop_type\n{rows}\n".encode())
    )
    assert plan.wrong[-1] == (0, "The file changes more than 600 things; bring 600 at most at a time.")
    assert len(tried) == 601
    with pytest.raises(RuleViolation, match="more than 2000 rows"):
        read_unit_table(b"id,name,points\n" + b"a,b,5\n" * 2_001)


def test_points_as_spreadsheets_write_them():
    assert [parse_points(each) for each in ("60", "60.0", "60,00", 60)] == [60, 60, 60, 60]
    assert [parse_points(each) for each in ("60.5", "", None, "TRUE", "-5", "6e1")] == [None] * 6


@pytest.mark.parametrize("name", ["=x", "'=x", "''=x", "'-Tis the 1st", "-1st", "'Tis", "plain", "+", "@a"])
def test_a_name_comes_back_as_it_left(name):
    assert unescape_cell(str(plain_cell(name))) == name


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            ",Total,265",
            "The row has neither id nor formation. Remove totals and headings; "
            "a new unit names its formation.",
        ),
        ("Total,,265", "There is no unit 'Total' here; a new one has no id, it is given one."),
        ("BR 24 1,Foot,60", "There is no unit 'BR 24 1' here; did you mean br_24_1?"),
        (
            "br_24_1,Foot,3. Apr",
            "“3. Apr” is a date: a spreadsheet makes one of 3-4. "
            "Format the column as text and type it again.",
        ),
        ("br_24_1,#NAME?,60", "“#NAME?” is the error of a formula; correct it in the spreadsheet."),
        ("br_24_1,Foot,=40*2", "“=40*2” is a formula, not its result; save the table with the results."),
    ],
)
def test_a_row_that_a_spreadsheet_spoiled_or_that_is_no_unit_is_told_as_such(saratoga, row, sentence):
    plan = build_unit_plan(saratoga, read_unit_table(f"id,name,points\n{row}\n".encode()))
    assert plan.wrong == [(2, f"{sentence} (HR-UMP-31)")] and not plan.acts


def test_apostrophes_before_ids_and_points_are_a_spreadsheets(saratoga):
    plan = build_unit_plan(saratoga, read_unit_table(b"id,name,points\n'br_24_1,'Tis Foot,'70\n"))
    assert len(plan.acts) == 2 and not plan.wrong
    assert plan.changes[0][1].endswith("is called 'Tis Foot") and plan.changes[1][1].endswith("then 70")


UNKNOWN = ("30-libreoffice.ods", "31-old-excel.xls")


@pytest.mark.parametrize("path", sorted(INPUTS.iterdir()), ids=lambda path: path.name)
def test_every_table_is_planned_or_refused_in_a_sentence(saratoga, path):
    if path.name in UNKNOWN:
        with pytest.raises(RuleViolation, match="save it as XLSX"):
            read_unit_table(path.read_bytes())
        return
    plan = build_unit_plan(saratoga, read_unit_table(path.read_bytes()))
    assert plan.wrong or plan.acts or plan.same  # of another campaign: each row is answered
    assert all(sentence.endswith((".", ")")) for _, sentence in plan.wrong)
