"""An order of battle as the armies of a battle file: of one side, or of both."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from battles.files.armies import apply_roster
from battles.files.reading import battle_from_json, read_document
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
    return read_document("bemis-heights")


def of_side(document: Any, side: str) -> dict[str, Any]:
    return {unit["id"]: unit for unit in document["units"] if unit["side"] == side}


def test_one_sides_units_are_the_tables_and_the_other_keeps_its_own(bemis: Any) -> None:
    """100 and 90 points are 5 SP (AWI-C-STR-02), 9 are none; who stood somewhere stands there still."""
    made, notes = apply_roster(bemis, roster_rows(CROWN))
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
        "No units are left under Johann Specht, Earl of Balcarres, Heinrich Breymann and Simon Fraser; "
        "left out of the battle.",
    ]
    battle_from_json(made)
    assert bemis == read_document("bemis-heights")


def table_with_types(document: Any, side: str, **types: str) -> str:
    """A table with the units of a side as they are, but for the troop types of some."""
    lines = [HEAD]
    for unit in of_side(document, side).values():
        kind = types.get(unit["id"].replace("-", "_"), unit["troop_type"])
        guns = unit.get("gun_class", "") if kind.endswith("artillery") else ""
        points = 0 if kind == "wagon" else 20 * unit["sp"]
        name, formation = unit["name"].replace(",", ""), unit["formation"].replace(" ", "_")
        lines.append(f"{unit['id']},{name},{side},british,{kind},{guns},{points},{formation}\n")
    return "".join(lines)


@pytest.mark.parametrize(
    ("kind", "lost", "told"),
    [
        (
            "british_line",
            {"posture", "x", "y"},
            [
                "Jones's 6-pounders (row 10) is british_line now and cannot keep its posture; left out.",
                "Jones's 6-pounders (row 10) is british_line now and cannot keep its place; it is put where "
                "there is room.",
            ],
        ),
        (
            "wagon",
            {"posture"},
            ["Jones's 6-pounders (row 10) is wagon now and cannot keep its posture; left out."],
        ),
    ],
)
def test_a_unit_keeps_nothing_that_its_new_troop_type_cannot_have(
    kind: str, lost: set[str], told: list[str]
) -> None:
    """Postures are of a type (AWI-T-UNI-02), and a line is broader than a battery (AWI-T-UNI-01)."""
    freemans = read_document("freemans-farm")
    made, notes = apply_roster(freemans, roster_rows(table_with_types(freemans, "crown", jones=kind)))
    before, after = of_side(freemans, "crown"), of_side(made, "crown")
    assert before["jones"].keys() - after["jones"].keys() == lost | {"gun_class"}
    assert after["21st-1"]["x"] == before["21st-1"]["x"]
    assert notes == told
    battle_from_json(made)


def test_a_battery_that_held_a_building_or_was_a_reserve_does_so_no_more(bemis: Any) -> None:
    """Only foot holds buildings (AWI-T-TER-10); guns are no reserve (AWI-T-SEQ-01)."""
    bemis["ground"]["features"].append(
        {"kind": "building", "id": "mill", "size": "small", "points": [[20.0, 4.0]]}
    )
    unit = next(unit for unit in bemis["units"] if unit["id"] == "gren-1")
    for name in ("x", "y", "posture", "arrives"):
        unit.pop(name, None)
    unit |= {"inside": "mill", "reserve": True}
    battle_from_json(bemis)
    table = CROWN.replace("british_grenadiers,,100", "european_artillery,light,100")
    made, notes = apply_roster(bemis, roster_rows(table))
    assert {"inside", "reserve"}.isdisjoint(of_side(made, "crown")["gren-1"])
    assert sorted(notes)[-2:] == [
        "The Grenadiers (row 2) is european_artillery now and cannot keep its building; left out.",
        "The Grenadiers (row 2) is european_artillery now and cannot keep its place in the reserve; "
        "left out.",
    ]
    battle_from_json(made)


def test_a_name_written_against_formulas_is_read_without_its_apostrophe(bemis: Any) -> None:
    """Of exportarmies, whose cells never begin as a formula; HR-SET-18 reads the same table."""
    made, notes = apply_roster(
        bemis,
        roster_rows(CROWN.replace("99th Foot", "'=99th Foot").replace("A handful", "'-A handful")),
    )
    assert of_side(made, "crown")["new-foot"]["name"] == "=99th Foot"
    assert notes[0] == "-A handful has 9 points, which is no strength point; it is left out."


def test_both_sides_units_can_be_the_tables(bemis: Any) -> None:
    rebels = "nh1,1st New Hampshire,rebel,continental,continental_line,,40,Poor\n"
    made, _ = apply_roster(bemis, roster_rows(CROWN + rebels))
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
        apply_roster(bemis, roster_rows(CROWN + row))
    assert str(refused.value) == sentence


def run_command(*arguments: str) -> tuple[str, str]:
    out, told = StringIO(), StringIO()
    call_command("battlearmies", *arguments, stdout=out, stderr=told)
    return out.getvalue(), told.getvalue()


@pytest.mark.django_db
def test_what_importorderofbattle_makes_is_the_armies_of_a_battle_file(tmp_path: Path) -> None:
    table, by_file, by_number = (tmp_path / name for name in ("mine.csv", "a.json", "b.json"))
    rebels = "nh1,1st New Hampshire,rebel,continental,continental_line,,40,Poor\n"
    table.write_text(CROWN + rebels, encoding="utf-8")
    said, noted = run_command("bemis-heights", str(table), str(by_file))
    assert said == f"{by_file} has 4 units.\n" and "A handful has 9 points" in noted
    sides = "crown=Crown:#8a2a2b,rebel=United States:#24427a"
    call_command("importorderofbattle", str(table), title="Mine", sides=sides, stdout=StringIO())
    number = OrderOfBattle.objects.get().pk
    run_command("bemis-heights", str(number), str(by_number))
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
            run_command(*arguments, str(out))
    assert not out.exists()
