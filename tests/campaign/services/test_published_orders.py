"""What both sides have read of each other's armies on an empty map and in a second season."""

from dataclasses import replace

import orjson
import pytest

from campaign.ai.estimated_world import build_estimated_world
from campaign.fog.visibility import list_known_pools, viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign
from campaign.rules.army.quality import OTHERS, general_quality
from campaign.rules.returns.scenario_strength import list_drifts
from campaign.rules.umpire.corrections import Add
from campaign.rules.victory.treaties import Concede
from campaign.rules.world.markers import Report
from campaign.rules.world.world import Position, UnitStatus
from campaign.scenarios.armies import armies_table
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.orders.treaties import treaty_make
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from rosters.importing import roster_rows

pytestmark = pytest.mark.django_db
LEVIES = (
    Add("guards", "Guards", "crown", "british", "british_line", 100, "g", formation_name="G", place="quebec"),
    Add("levy", "Levy", "rebel", "american_militia", "militia", 60, "n", formation_name="N", place="albany"),
)


@pytest.fixture
def seats(burgoyne, gates, carleton) -> tuple[SeatPlan, ...]:
    return (
        SeatPlan(role="umpire", title="Umpire", user=carleton),
        SeatPlan(role="commander", side="crown", title="Burgoyne", user=burgoyne),
        SeatPlan(role="commander", side="rebel", title="Gates", user=gates),
    )


@pytest.fixture
def bare(seats) -> Campaign:
    campaign = campaign_create(scenario="saratoga-1777", slug="bare", bare=True, seats=seats)
    for one in LEVIES:
        act_perform(campaign=campaign, act=one, reason="Ours.", actor=None)
        campaign.refresh_from_db()
    return campaign


# --- an empty map ---


def test_of_an_empty_map_nobody_has_read_an_order_of_battle_hr_set_14(bare):
    """Posts out of sight are held by somebody (HR-FRC-02); nobody else is reckoned with, now or later."""
    world = world_load(bare)
    assert world.theatre.order_of_battle == {} and list_drifts(world) == []
    for side in ("crown", "rebel"):
        found = build_estimated_world(world, side)
        enemy = [unit for unit in found.units.values() if unit.side != side]
        assert all(unit.formation.startswith("garrison-") for unit in enemy), enemy
        assert not any(unit.status is UnitStatus.EXPECTED for unit in enemy)
        assert general_quality(world.theatre, world.theatre.enemy_of(side)) == OTHERS


def test_reported_enemies_of_an_empty_map_are_taken_for_troops_like_ones_own_hr_set_14(bare):
    world = world_load(bare)
    seen = Report("n", "N", "rebel", Position(place="albany"), 7, 0, "foot", 0, 240, "country", number=1)
    world = replace(world, reports={**world.reports, "crown/n": seen})
    supposed = [
        unit for unit in build_estimated_world(world, "crown").units.values() if unit.formation == "seen-1"
    ]
    assert sum(unit.points for unit in supposed) == 7 * 20
    assert {(unit.side, unit.nation, unit.troop_type) for unit in supposed} == {
        ("rebel", "british", "british_line")
    }


def test_pools_of_an_empty_map_are_told_where_the_enemy_does_not_gather_hr_fog_01(bare, burgoyne, gates):
    stray = replace(LEVIES[1], id="stray", side="crown", formation="g", formation_name="", place="")
    act_perform(campaign=bare, act=stray, reason="Loyal.", actor=None)
    bare.refresh_from_db()
    world = replace(world_load(bare), pools={"british/line": 120, "american/line": 30})
    assert list_known_pools(viewer_of(burgoyne, bare), world) == {"british/line": 120}
    assert list_known_pools(viewer_of(gates, bare), world) == {"american/line": 30}


def test_an_empty_map_stays_so_in_an_archive_hr_arc_01(bare, tmp_path):
    campaign_export(campaign=bare, path=tmp_path / "bare.zip", with_secret=True)
    brought = campaign_import(path=tmp_path / "bare.zip", slug="brought").campaign
    brought.refresh_from_db()
    assert brought.published == [] and world_load(brought).theatre.order_of_battle == {}
    assert campaign_verify(campaign=brought)


def test_a_campaign_of_an_earlier_version_reads_the_scenarios_hr_set_14(bare):
    Campaign.objects.update(published=None)
    theatre = world_load(Campaign.objects.get()).theatre
    assert len(theatre.order_of_battle) > 100 and theatre.schedule


# --- a second season ---


@pytest.fixture
def old_campaign(seats, burgoyne, carleton) -> Campaign:
    """A campaign of four units of a table, given up after one day."""
    table = roster_rows(armies_table(read_scenario(scenario_path("saratoga-1777")).world))
    rows = [
        *[row for row in table if row.side == "crown" and row.place][:2],
        *[row for row in table if row.side == "rebel" and row.place][:2],
    ]
    campaign = campaign_create(scenario="saratoga-1777", slug="first", armies=tuple(rows), seats=seats)
    day_advance(campaign=campaign, actor=carleton)
    campaign.refresh_from_db()
    treaty_make(campaign=campaign, side="crown", treaty=Concede("crown"), actor=burgoyne)
    return Campaign.objects.get(pk=campaign.pk)


def test_a_season_reckons_by_the_order_of_battle_its_armies_had_hr_set_06(
    old_campaign, seats, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    old = world_load(old_campaign)
    season = campaign_create(scenario="saratoga-1777", slug="next", seats=seats, after=old_campaign)
    season.refresh_from_db()
    world = world_load(season)
    coming = {
        key for key, unit in world.theatre.order_of_battle.items() if unit.status is UnitStatus.EXPECTED
    }
    assert set(world.theatre.order_of_battle) - coming == set(old.theatre.order_of_battle)
    assert coming == {key for key, unit in world.units.items() if unit.status is UnitStatus.EXPECTED}
    assert list_drifts(world) == [], "the scenario's dates are another year's"
    assert orjson.loads(orjson.dumps(season.published)) == season.published
    campaign_export(campaign=season, path=tmp_path / "next.zip", with_secret=True)
    brought = campaign_import(path=tmp_path / "next.zip", slug="brought").campaign
    brought.refresh_from_db()
    assert world_load(brought).theatre.order_of_battle == world.theatre.order_of_battle
