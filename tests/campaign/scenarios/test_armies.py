"""An umpire's own order of battle as the armies of a scenario (HR-SET-18)."""

import csv
import io
from collections.abc import Callable

import pytest

from campaign.rules.world.world import UnitStatus
from campaign.scenarios.armies import armies_digest, armies_table, replace_armies
from campaign.scenarios.reading import Scenario, read_scenario, scenario_path
from rosters.importing import RosterErrors, roster_rows

Table = list[dict[str, str]]


@pytest.fixture(scope="module")
def saratoga_files() -> Scenario:
    return read_scenario(scenario_path("saratoga-1777"))


def table_of(scenario: Scenario) -> Table:
    return list(csv.DictReader(io.StringIO(armies_table(scenario.world).removeprefix("\ufeff"))))


def lay_table(scenario: Scenario, change: Callable[[Table], Table | None]) -> Scenario:
    """The scenario with its own table, changed."""
    rows = table_of(scenario)
    rows = change(rows) or rows
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return replace_armies(scenario, roster_rows(text.getvalue()))


def row_of(rows: Table, key: str) -> dict[str, str]:
    return next(row for row in rows if row["id"] == key)


@pytest.mark.parametrize("slug", ["saratoga-1777", "new-jersey-1776"])
def test_hr_set_18_a_scenarios_own_table_changes_nothing(slug):
    scenario = read_scenario(scenario_path(slug))
    same = replace_armies(scenario, roster_rows(armies_table(scenario.world).encode()))
    assert same == scenario


def test_hr_set_18_corrections_are_taken_and_dates_stay(saratoga_files):
    def corrected(rows: Table) -> None:
        row_of(rows, "br_24_1").update(name="24th Foot, right half", points="75")
        row_of(rows, "nh_long").update(troop_type="militia", nation="american_militia", gun_class="")

    world = lay_table(saratoga_files, corrected).world
    before = saratoga_files.world
    assert (world.units["br_24_1"].name, world.units["br_24_1"].points) == ("24th Foot, right half", 75)
    assert world.units["br_24_1"].arrives == before.units["br_24_1"].arrives
    assert world.units["nh_long"].is_militia
    assert (world.units["nh_long"].status, world.units["nh_long"].departs) == (
        before.units["nh_long"].status,
        before.units["nh_long"].departs,
    )
    assert world.formations == before.formations and world.generals == before.generals


def test_hr_set_18_a_new_unit_comes_with_its_formation(saratoga_files):
    expected = next(
        unit
        for unit in saratoga_files.world.units.values()
        if saratoga_files.world.formations[unit.formation].position is None
    )

    def raised(rows: Table) -> None:
        new = row_of(rows, "br_24_1") | {"id": "br_99", "name": "99th Foot"}
        late = row_of(rows, expected.id) | {"id": "late", "name": "The late company"}
        rows += [new, late]

    world = lay_table(saratoga_files, raised).world
    fraser = world.formations["advanced_corps"]
    assert world.units["br_99"].status is UnitStatus.PRESENT
    assert world.units["br_99"].home == fraser.position.place and world.units["br_99"].formation == fraser.id
    late = world.units["late"]
    assert late.status is UnitStatus.EXPECTED
    assert late.arrives == min(
        one.arrives for one in saratoga_files.world.units.values() if one.formation == expected.formation
    )


def test_hr_set_18_a_new_formation_starts_at_its_place(saratoga_files):
    def formed(rows: Table) -> None:
        for key in ("br_24_1", "br_24_2"):
            row_of(rows, key).update(formation="flank_guard", place="")
        row_of(rows, "br_24_1")["place"] = "crown_point"

    world = lay_table(saratoga_files, formed).world
    assert world.formations["flank_guard"].name == "Flank guard"
    assert world.formations["flank_guard"].position.place == "crown_point"
    assert {unit.id for unit in world.units.values() if unit.formation == "flank_guard"} == {
        "br_24_1",
        "br_24_2",
    }


def test_hr_set_18_who_is_not_in_the_table_is_not_there(saratoga_files):
    def cut(rows: Table) -> Table:
        return [row for row in rows if row["formation"] != "advanced_corps"]

    made = lay_table(saratoga_files, cut)
    assert made.world.formations["advanced_corps"].position is None
    assert not any(unit.formation == "advanced_corps" for unit in made.world.units.values())
    assert {change.unit for change in made.alternatives} <= set(made.world.units)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"side": "french", "formation": "legion", "place": "albany"},
            "There is no side french; the sides are crown, rebel.",
        ),
        (
            {"formation": "grand_army", "place": ""},
            "The scenario has no formation grand_army; name one of its own",
        ),
        ({"place": "tadoussac"}, "There is no place tadoussac on the map; name another."),
        ({"place": "albany"}, "advanced_corps starts as the scenario has it"),
        ({"formation": "g" * 51, "place": "albany"}, "The id has 51 letters; give 50 at most."),
        ({"id": "nh_long"}, "nh_long is already in row"),
    ],
)
def test_hr_set_18_a_row_that_does_not_fit_is_told(saratoga_files, changed, sentence):
    with pytest.raises(RosterErrors) as refused:
        lay_table(saratoga_files, lambda rows: row_of(rows, "br_24_1").update(changed))
    assert sentence in str(refused.value)


def test_hr_set_18_a_formation_stays_with_its_side(saratoga_files):
    def turned(rows: Table) -> Table:
        rows = [row for row in rows if row["formation"] != "poors_brigade"]
        row_of(rows, "br_24_1").update(formation="poors_brigade", place="")
        return rows

    with pytest.raises(RosterErrors, match=r"poors_brigade is a formation of side rebel\."):
        lay_table(saratoga_files, turned)


def test_hr_set_18_each_side_has_somebody(saratoga_files):
    with pytest.raises(RosterErrors, match=r"United States has no unit; give each side one or more\."):
        lay_table(saratoga_files, lambda rows: [row for row in rows if row["side"] == "crown"])


def test_hr_set_18_armies_of_another_scenario_are_named(saratoga_files):
    """Each of 254 rows was told that its place is not on the map."""
    rows = roster_rows(armies_table(saratoga_files.world).encode())
    with pytest.raises(RosterErrors) as refused:
        replace_armies(read_scenario(scenario_path("new-jersey-1776")), rows)
    (error,) = refused.value.errors
    assert error.message == (
        "This looks like the armies of Saratoga 1777; choose that scenario, or a table of this one."
    )


def test_a_units_id_is_not_the_other_sides(saratoga_files):
    def take_foreign_id(rows: Table) -> Table:
        rows = [row for row in rows if row["id"] != "nh_long"]
        return [*rows, row_of(rows, "br_24_1") | {"id": "nh_long"}]

    with pytest.raises(RosterErrors, match=r"nh_long is a unit of side rebel; give another id\."):
        lay_table(saratoga_files, take_foreign_id)


def test_the_digest_is_of_what_the_table_says(saratoga_files):
    rows = roster_rows(armies_table(saratoga_files.world))
    assert armies_digest(rows) == armies_digest(list(rows)) != armies_digest(rows[1:])
