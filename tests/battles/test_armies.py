"""An order of battle as the armies of a battle file: of one side, or of both."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from battles.armies import document_armed
from battles.files import battle_from_json, document_of
from rosters.importing import RosterErrors, roster_rows
from rosters.models import OrderOfBattle

HEAD = "id,name,side,nation,troop_type,gun_class,points,formation\n"
CROWN = (
    HEAD
    + "gren-1,The Grenadiers,crown,british,british_grenadiers,,100,Acland\n"
    + "new-foot,99th Foot,crown,british,british_line,,90,Acland\n"
    + "train,The train,crown,british,wagon,,0,Acland\n"
    + "few,A handful,crown,loyalist,loyalist_line,,9,Acland\n"
)


@pytest.fixture
def bemis() -> Any:
    return document_of("bemis-heights")


def of_side(document: Any, side: str) -> dict[str, Any]:
    return {unit["id"]: unit for unit in document["units"] if unit["side"] == side}


def test_one_sides_units_are_the_tables_and_the_other_keeps_its_own(bemis: Any) -> None:
    """100 and 90 points are 5 SP (AWI-C-STR-02), 9 are none; who stood somewhere stands there still."""
    made, notes = document_armed(bemis, roster_rows(CROWN))
    before, crown = of_side(bemis, "crown"), of_side(made, "crown")
    assert of_side(made, "rebel") == of_side(bemis, "rebel")
    assert {key: unit["sp"] for key, unit in crown.items()} == {"gren-1": 5, "new-foot": 5, "train": 1}
    told = {"name": "The Grenadiers", "sp": 5}
    assert crown["gren-1"] == {**before["gren-1"], **told}
    assert crown["new-foot"] == {
        "id": "new-foot",
        "name": "99th Foot",
        "side": "crown",
        "troop_type": "british_line",
        "sp": 5,
        "formation": "Acland",
    }
    leaders = {one["id"]: one for one in made["leaders"] if one["side"] == "crown"}
    assert set(leaders) == {"burgoyne", "riedesel", "acland"}
    assert leaders["acland"]["commands"] == ["gren-1"] and leaders["riedesel"]["commands"] == ["acland"]
    assert notes == [
        "A handful has 9 points, which is no strength point; it is left out.",
        "Nobody is left under Johann Specht, Earl of Balcarres, Heinrich Breymann and Simon Fraser; "
        "left out.",
    ]
    battle_from_json(made)
    assert bemis == document_of("bemis-heights")


def test_both_sides_units_can_be_the_tables(bemis: Any) -> None:
    rebels = "nh1,1st New Hampshire,rebel,continental,continental_line,,40,Poor\n"
    made, _ = document_armed(bemis, roster_rows(CROWN + rebels))
    assert {key: unit["sp"] for key, unit in of_side(made, "rebel").items()} == {"nh1": 2}
    battle_from_json(made)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            "b,The Whites,whig,continental,continental_line,,40,Poor\n",
            "Row 6, side: The battle has no side whig; its sides are rebel, crown.",
        ),
        (
            "nh1,Turncoats,crown,loyalist,loyalist_line,,40,Acland\n",
            "Row 6, id: nh1 is a unit of side rebel; give another id.",
        ),
    ],
)
def test_a_row_that_does_not_fit_is_told(bemis: Any, row: str, sentence: str) -> None:
    with pytest.raises(RosterErrors) as refused:
        document_armed(bemis, roster_rows(CROWN + row))
    assert str(refused.value) == sentence


def written(*arguments: str) -> tuple[str, str]:
    out, told = StringIO(), StringIO()
    call_command("battlearmies", *arguments, stdout=out, stderr=told)
    return out.getvalue(), told.getvalue()


@pytest.mark.django_db
def test_what_importorderofbattle_makes_is_the_armies_of_a_battle_file(tmp_path: Path) -> None:
    table, by_file, by_number = (tmp_path / name for name in ("mine.csv", "a.json", "b.json"))
    rebels = "nh1,1st New Hampshire,rebel,continental,continental_line,,40,Poor\n"
    table.write_text(CROWN + rebels, encoding="utf-8")
    said, noted = written("bemis-heights", str(table), str(by_file))
    assert said == f"{by_file} has 4 units.\n" and "A handful has 9 points" in noted
    sides = "crown=Crown:#8a2a2b,rebel=United States:#24427a"
    call_command("importorderofbattle", str(table), title="Mine", sides=sides, stdout=StringIO())
    number = OrderOfBattle.objects.get().pk
    written("bemis-heights", str(number), str(by_number))
    first, second = (json.loads(path.read_text(encoding="utf-8")) for path in (by_file, by_number))
    assert {one["id"]: one for one in first["units"]} == {one["id"]: one for one in second["units"]}
    battle_from_json(second)


@pytest.mark.django_db
def test_what_will_not_do_writes_nothing(tmp_path: Path) -> None:
    table, out = tmp_path / "mine.csv", tmp_path / "out.json"
    table.write_text(CROWN.replace(",100,", ",121,"), encoding="utf-8")
    for arguments, sentence in (
        (("bemis-heights", str(table)), "Row 2, points"),
        (("bemis-heights", str(tmp_path / "none.csv")), "cannot be read: there is no such file"),
        (("bemis-heights", "77"), "There is no order of battle 77"),
        (("no-such-battle", str(table)), "Shipped battles are"),
    ):
        with pytest.raises(CommandError, match=sentence):
            written(*arguments, str(out))
    assert not out.exists()
