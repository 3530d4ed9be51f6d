"""Tables of units from spreadsheets: what is not taken of them is said (HR-UMP-31)."""

from pathlib import Path

import pytest

from campaign.cells import plain_cell
from campaign.rules.errors import RuleViolation
from campaign.services import unit_tables
from campaign.services.unit_tables import plan_made, points_read, table_of
from rosters.domain.text import cell_read

INPUTS = Path(__file__).parents[2] / "inputs" / "unit_tables"

pytestmark = pytest.mark.django_db


def test_edited_columns_that_are_not_taken_are_said(saratoga):
    unit = saratoga.order_of_battle.units.select_related("side", "formation").order_by("slug").first()
    head, row = "id,name,points,side,formation", f"{unit.slug},{unit.name.replace(',', ' ')},{unit.points}"
    plan = plan_made(saratoga, table_of(f"{head}\n{row},nobody,{unit.formation.slug}\n".encode()))
    [(number, sentence)] = plan.unread
    assert number == 2 and f"its side stays {unit.side.slug}; a table changes names and points." in sentence
    same = plan_made(saratoga, table_of(f"{head}\n{row},{unit.side.slug},{unit.formation.slug}\n".encode()))
    assert same.unread == []


def test_one_name_for_several_units_is_said(saratoga):
    units = saratoga.order_of_battle.units.order_by("slug")[:2]
    rows = "\n".join(f"{unit.slug},Foot,{unit.points}" for unit in units)
    plan = plan_made(saratoga, table_of(f"id,name,points\n{rows}\n".encode()))
    words = "2 units get the name Foot; give each its own to tell them apart."
    assert plan.unread == [(3, words)] and not plan.wrong


def test_no_more_is_tried_than_is_taken(saratoga, monkeypatch):
    tried = []
    real = unit_tables.act_apply
    monkeypatch.setattr(unit_tables, "act_apply", lambda *given: tried.append(given) or real(*given))
    rows = "\n".join(f",New {number},5,advanced_corps,british,british_line" for number in range(1_990))
    plan = plan_made(saratoga, table_of(f"id,name,points,formation,nation,troop_type\n{rows}\n".encode()))
    assert plan.wrong[-1] == (0, "The file changes more than 600 things; bring 600 at most at a time.")
    assert len(tried) == 601
    with pytest.raises(RuleViolation, match="more than 2000 rows"):
        table_of(b"id,name,points\n" + b"a,b,5\n" * 2_001)


def test_points_as_spreadsheets_write_them():
    assert [points_read(each) for each in ("60", "60.0", "60,00", 60)] == [60, 60, 60, 60]
    assert [points_read(each) for each in ("60.5", "", None, "TRUE", "-5", "6e1")] == [None] * 6


@pytest.mark.parametrize("name", ["=x", "'=x", "''=x", "'-Tis the 1st", "-1st", "'Tis", "plain", "+", "@a"])
def test_a_name_comes_back_as_it_left(name):
    assert cell_read(str(plain_cell(name))) == name


UNKNOWN = ("30-libreoffice.ods", "31-old-excel.xls")


@pytest.mark.parametrize("path", sorted(INPUTS.iterdir()), ids=lambda path: path.name)
def test_every_table_is_planned_or_refused_in_a_sentence(saratoga, path):
    if path.name in UNKNOWN:
        with pytest.raises(RuleViolation, match="save it as XLSX"):
            table_of(path.read_bytes())
        return
    plan = plan_made(saratoga, table_of(path.read_bytes()))
    assert plan.wrong or plan.acts or plan.same  # of another campaign: each row is answered
    assert all(sentence.endswith((".", ")")) for _, sentence in plan.wrong)
