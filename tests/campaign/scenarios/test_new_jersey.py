"""New Jersey 1776-77 as it is read: its own country, ferries, winter and enlistments."""

from dataclasses import replace
from datetime import date

import pytest

from battles.ground.landscape import ground_generate
from campaign.ai.commander import staff_orders
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.play import play_campaign
from campaign.rules.map.bridges import atlas_now
from campaign.rules.map.paths import path_find
from campaign.rules.march.marching import MarchClass, find_obstacle
from campaign.rules.world.world import Position, UnitStatus
from campaign.scenarios.reading import Scenario, read_scenario, scenario_path
from campaign.selectors.battles.battle_files import season_of
from rosters.domain.dice import AddressedDice
from rosters.domain.vocabulary import Mobility


@pytest.fixture(scope="module")
def jersey() -> Scenario:
    return read_scenario(scenario_path("new-jersey-1776"))


def test_totals_are_those_of_the_sources(jersey: Scenario) -> None:
    world, atlas = jersey.world, jersey.theatre.atlas
    assert (len(world.units), len(atlas.places), len(atlas.routes), len(jersey.leaders)) == (181, 82, 162, 40)
    points = {
        side: sum(unit.points for unit in world.units.values() if unit.side == side)
        for side in ("crown", "rebel")
    }
    assert points == {"crown": 8167, "rebel": 6649}


def test_six_weeks_of_winter(jersey: Scenario) -> None:
    theatre = jersey.theatre
    assert (theatre.start, theatre.days) == (date(1776, 12, 8), 42)
    assert theatre.recorded_weather[date(1776, 12, 26)] == "storm"
    assert theatre.recorded_weather[date(1777, 1, 3)] == "fair"
    assert {season_of(replace(jersey.world, day=day).date) for day in range(42)} == {"winter"}


def test_the_boats_are_on_the_other_bank_hr_brg_01(jersey: Scenario) -> None:
    world = jersey.world
    foot, settings = MarchClass(Mobility.FOOT, wheels=False), world.settings
    atlas = atlas_now(world)
    refused = find_obstacle(atlas.routes["trenton--trenton_ferry--highway"], "trenton", foot, settings)
    assert refused is not None and refused.rule_id == "HR-BRG-01"
    assert (
        find_obstacle(atlas.routes["johnsons_ferry--mcconkeys_ferry--road"], "johnsons_ferry", foot, settings)
        is None
    )
    way = path_find(atlas, Position(place="trenton"), ("philadelphia",), foot, settings)
    assert "mcconkeys_ferry" in way.places


def test_enlistments_end_with_the_year_hr_lev_01(jersey: Scenario) -> None:
    units = jersey.world.units
    new_year = (date(1776, 12, 31) - jersey.theatre.start).days
    assert units["cc_14"].departs == new_year  # Glover's
    assert units["cc_9"].departs is None  # Hitchcock's stayed for the bounty
    assert sum(unit.departs == new_year for unit in units.values()) >= 15


def test_gates_and_mifflin_are_still_to_come_hr_dat_08(jersey: Scenario) -> None:
    coming = {unit.formation for unit in jersey.world.units.values() if unit.status is UnitStatus.EXPECTED}
    assert {"st_clairs_brigade", "mifflins_militia", "voses_brigade", "lincolns_militia"} <= coming


def test_the_pine_barrens_are_a_battlefield_of_their_own() -> None:
    """HR-BAT-06: thin woods almost everywhere, no crops in winter."""
    assert (
        read_scenario(scenario_path("new-jersey-1776")).theatre.atlas.places["new_mills"].terrain == "pines"
    )
    for seed in range(6):
        pines = ground_generate(terrain="pines", kind="trail", season="winter", seed=seed)
        farms = ground_generate(terrain="farmland", kind="road", season="winter", seed=seed)
        kinds = [one.kind for one in pines.features]
        assert kinds.count("open_woods") > [one.kind for one in farms.features].count("open_woods")
        assert "crops" not in kinds and "crops" not in [one.kind for one in farms.features]


def test_staffs_on_both_sides_fill_a_week(jersey: Scenario) -> None:
    """HR-BOT-01: the Crown comes to the Delaware and is stopped there; Congress keeps its city."""
    dice = AddressedDice(secret=b"w" * 32, campaign="jersey", revision=1, day=0)
    staffs = dict.fromkeys(("crown", "rebel"), lambda world, side, _: staff_orders(world, side))
    world = play_campaign(
        jersey.world,
        lambda day: replace(dice, day=day),
        staffs,
        lambda world, contact, _: Settlement(contact.key, contact.defender),
        1,
    ).world
    assert world.holders["trenton"] == "crown"
    assert world.holders["philadelphia"] == world.holders["newtown"] == "rebel"
    assert any(
        before.position != world.formations[key].position for key, before in jersey.world.formations.items()
    )
