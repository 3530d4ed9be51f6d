"""Saratoga 1777 as it is read."""

import csv
from datetime import date
from pathlib import Path

import pytest

from campaign.rules.world.world import UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.scenarios.reading import (
    Scenario,
    ScenarioError,
    read_scenario,
    scenario_digest,
    scenario_list,
    scenario_path,
)
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from tests.campaign.scenarios.conftest import SARATOGA
from tests.campaign.scenarios.test_refusals import _change_head, _edit


def _points(world: World, side: str) -> int:
    return sum(unit.points for unit in world.units.values() if unit.side == side)


def test_the_scenario_is_listed() -> None:
    assert "saratoga-1777" in scenario_list()


@pytest.mark.parametrize("slug", ["yorktown-1781", "../rules", "", "saratoga_1777/.."])
def test_only_listed_scenarios_have_a_folder(slug: str) -> None:
    with pytest.raises(ScenarioError, match="saratoga-1777"):
        scenario_path(slug)


def test_totals_are_those_of_the_sources(saratoga: Scenario) -> None:
    world = saratoga.world
    assert (len(world.units), len(world.theatre.atlas.places), len(world.theatre.atlas.routes)) == (
        284,
        105,
        170,
    )
    assert (_points(world, "crown"), _points(world, "rebel")) == (10153, 14271)
    assert len(saratoga.leaders) == 77


def test_each_units_points_are_those_of_its_row(saratoga: Scenario) -> None:
    with (SARATOGA / "units.csv").open(encoding="utf-8", newline="") as lines:
        source = {row["id"]: int(row["campaign_points"]) for row in csv.DictReader(lines)}
    assert {key: unit.points for key, unit in saratoga.world.units.items()} == source
    assert max(source.values()) <= MAXIMUM_POINTS


def test_the_calendar_has_eighteen_weeks(saratoga: Scenario) -> None:
    theatre = saratoga.theatre
    assert (theatre.start, theatre.days) == (date(1777, 6, 15), 18 * 7)
    assert theatre.recorded_weather[date(1777, 8, 15)] == "rain"


def test_burgoyne_commands_few_formations(saratoga: Scenario) -> None:
    """His field army of June: brigades, artillery and train; garrisons and detachments apart."""
    army = [
        formation
        for formation in saratoga.world.formations.values()
        if formation.side == "crown"
        and formation.position
        and not formation.garrison
        and not formation.parent
    ]
    assert 6 <= len(army) <= 10


def test_formations_start_together_hr_dat_10(saratoga: Scenario) -> None:
    for unit in saratoga.world.units.values():
        formation = saratoga.world.formations[unit.formation]
        assert formation.side == unit.side
        if unit.status is UnitStatus.PRESENT:
            assert formation.position is not None
            assert formation.position.place == unit.home


def test_each_formation_on_the_map_stands_on_its_own_ground(saratoga: Scenario) -> None:
    world = saratoga.world
    for formation in world.formations.values():
        if formation.position:
            assert world.holders[formation.position.place] == formation.side


def test_expected_units_come_on_their_day_hr_dat_08(saratoga: Scenario) -> None:
    morgan = saratoga.world.units["morgan_1"]
    assert (morgan.status, morgan.arrives, morgan.home) == (UnitStatus.EXPECTED, 76, "albany")
    assert saratoga.world.formations["morgans_corps"].position is None
    for unit in saratoga.world.units.values():
        assert (unit.status is UnitStatus.EXPECTED) == (unit.arrives > 0)


def test_levies_have_a_day_to_leave_hr_dat_09(saratoga: Scenario) -> None:
    assert saratoga.world.units["ma_berk_july_1"].departs == 37  # 22 July
    leaving = [unit for unit in saratoga.world.units.values() if unit.departs is not None]
    assert len(leaving) == 32
    assert all(unit.arrives < (unit.departs or 0) < saratoga.theatre.days for unit in leaving)


def test_garrisons_are_static_and_never_late_hr_dat_03(saratoga: Scenario) -> None:
    units = saratoga.world.units
    assert units["ng_45"].static and units["ng_45"].arrives == 0
    assert units["ti_guns2"].static and not units["nh1"].static
    for unit in units.values():
        if unit.static:
            assert saratoga.world.formations[unit.formation].garrison
            assert unit.status is UnitStatus.PRESENT


def test_only_trains_have_no_points_hr_dat_04(saratoga: Scenario) -> None:
    trains = [unit for unit in saratoga.world.units.values() if unit.points == 0]
    assert len(trains) == 9
    assert all(unit.is_train for unit in trains)


@pytest.mark.parametrize(
    ("unit", "nation", "troop_type", "gun_class"),
    [
        ("na_abenaki", Nation.NATIVE, TroopType.INDIANS, GunClass.NONE),  # HR-DAT-01
        ("on_oneida", Nation.NATIVE, TroopType.INDIANS, GunClass.NONE),  # HR-DAT-01
        ("ca_monin", Nation.CANADIAN, TroopType.RANGERS, GunClass.NONE),  # HR-DAT-02
        ("bw_dragoons", Nation.GERMAN, TroopType.EUROPEAN_LINE, GunClass.NONE),  # HR-DAT-05
        ("cl_17ld", Nation.BRITISH, TroopType.BRITISH_LINE, GunClass.NONE),  # HR-DAT-05
        ("bw_light_1", Nation.GERMAN, TroopType.BRITISH_LIGHT_INFANTRY, GunClass.NONE),  # HR-DAT-06
        ("cl_trumbach_1", Nation.GERMAN, TroopType.EUROPEAN_LINE, GunClass.NONE),  # HR-DAT-06
        ("cl_jager", Nation.GERMAN, TroopType.JAEGERS, GunClass.NONE),  # HR-DAT-06
        ("vt_herrick_1", Nation.AMERICAN_MILITIA, TroopType.RANGERS, GunClass.NONE),  # HR-DAT-07
        ("ra_adv3", Nation.BRITISH, TroopType.EUROPEAN_ARTILLERY, GunClass.GRASSHOPPER),  # AWI-T-STR-04
        ("ra_jones", Nation.BRITISH, TroopType.EUROPEAN_ARTILLERY, GunClass.MEDIUM),  # AWI-T-STR-04
        ("ra_12", Nation.BRITISH, TroopType.EUROPEAN_ARTILLERY, GunClass.HEAVY),  # AWI-T-STR-04
        ("ra_how1", Nation.BRITISH, TroopType.EUROPEAN_ARTILLERY, GunClass.HOWITZER),  # AWI-T-STR-04
        ("morgan_1", Nation.CONTINENTAL, TroopType.AMERICAN_REGULAR_RIFLES, GunClass.NONE),
    ],
)
def test_types_are_mapped(
    saratoga: Scenario, unit: str, nation: Nation, troop_type: TroopType, gun_class: GunClass
) -> None:
    found = saratoga.world.units[unit]
    assert (found.nation, found.troop_type, found.gun_class) == (nation, troop_type, gun_class)


def test_poor_militia_is_flagged(saratoga: Scenario) -> None:
    poor = {unit.id for unit in saratoga.world.units.values() if unit.poor_militia}
    assert poor == {"lo_qlr2", "lo_kla2", "lo_mcalpin", "lo_pfister"}


def test_rivers_run_the_right_way(saratoga: Scenario) -> None:
    routes = saratoga.theatre.atlas.routes
    assert routes["st_johns--isle_aux_noix--river"].flow == "ba"
    assert routes["oswegatchie--lachine--river"].flow == "ab_rapids"
    assert routes["new_york--verplancks_point--river"].flow == "tidal"
    assert {route.flow for route in routes.values() if route.kind != "river"} == {"none"}


def test_each_side_wants_ticonderoga_from_the_start(saratoga: Scenario) -> None:
    wanted = {(o.side, o.from_day) for o in saratoga.theatre.objectives if o.place == "ticonderoga"}
    assert wanted == {("crown", 0), ("rebel", 0)}


def test_every_recruiting_nation_has_a_place_to_muster(saratoga: Scenario) -> None:
    """AWI-C-POL-05: British and Germans land at the common ports, all others have places of their own."""
    assert set(saratoga.theatre.musters) == {"european ports", "loyalist", "american", "canadian", "native"}


def test_demo_seats_are_an_umpire_and_two_commanders(saratoga: Scenario) -> None:
    assert [(seat.username, seat.role, seat.side) for seat in saratoga.demo_seats] == [
        ("umpire", "umpire", ""),
        ("burgoyne", "commander", "crown"),
        ("gates", "commander", "rebel"),
    ]


def test_reading_twice_gives_the_same_world(saratoga: Scenario, copy: Path) -> None:
    again = read_scenario(copy)
    assert again is not saratoga, "a copy elsewhere is read anew"
    assert world_hash(again.world) == world_hash(saratoga.world)
    assert world_from_json(world_to_json(saratoga.world), again.theatre) == saratoga.world


def test_files_that_have_not_changed_are_read_once(copy: Path) -> None:
    before = read_scenario(copy)
    assert read_scenario(copy) is before
    assert read_scenario(copy, {"fog": "off"}).world.settings.fog == "off"
    assert read_scenario(copy) is before
    _edit(copy, "units.csv", "br_24_1", "name", "24th Foot, first wing")
    assert read_scenario(copy).world.units["br_24_1"].name == "24th Foot, first wing"


@pytest.mark.parametrize(
    ("file", "key", "column", "value"),
    [
        ("routes.csv", "quebec", "miles", "121"),
        ("places.csv", "quebec", "name", "Québec"),  # new formations are named after places
        ("places.csv", "ticonderoga", "fortification", "fieldworks"),
        ("flows.csv", "sorel", "flow", "ab"),
        ("musters.csv", "european ports", "place", "sorel"),
        ("supply.csv", "crown", "place", "chambly"),
        ("weather.csv", "recorded_day", "weather", "storm"),
    ],
)
def test_hr_set_03_the_digest_tells_what_a_replay_is_reckoned_from(
    copy: Path, file: str, key: str, column: str, value: str
) -> None:
    assert scenario_digest(copy) == scenario_digest(SARATOGA)
    _edit(copy, file, key, column, value)
    assert scenario_digest(copy) != scenario_digest(SARATOGA)


@pytest.mark.parametrize(
    ("file", "key", "column", "value"),
    [
        ("units.csv", "br_24_1", "name", "24th Foot, first wing"),
        ("units.csv", "br_24_1", "campaign_points", "81"),
        ("formations.csv", "advanced_corps", "name", "Fraser's Corps"),
        ("leaders.csv", "burgoyne", "rating", "average"),
        ("objectives.csv", "ticonderoga", "weight", "3"),
        ("places.csv", "quebec", "note", "Walled city"),
        ("places.csv", "quebec", "lat", "46.814"),
        ("history.csv", "1777-06-15", "event", "The army embarks"),
    ],
)
def test_hr_set_03_a_correction_that_changes_no_replay_stops_no_campaign(
    copy: Path, file: str, key: str, column: str, value: str
) -> None:
    _edit(copy, file, key, column, value)
    assert scenario_digest(copy) == scenario_digest(SARATOGA)


def test_hr_set_03_line_ends_titles_and_settings_change_no_digest(copy: Path) -> None:
    supply = copy / "supply.csv"
    supply.write_bytes(supply.read_bytes().replace(b"\n", b"\r\n"))
    _change_head('title = "Saratoga 1777"', 'title = "Burgoyne"')(copy)
    _change_head('"damped"', '"draft"')(copy)
    assert scenario_digest(copy) == scenario_digest(SARATOGA)
