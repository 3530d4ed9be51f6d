"""A campaign with an umpire's own armies: all that reads the order of battle reads theirs (HR-SET-18)."""

from dataclasses import replace

import pytest

from campaign.ai.estimated_world import build_estimated_world
from campaign.fog.visibility import list_known_pools, viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign
from campaign.rules.army.quality import general_quality, rate_unit_quality
from campaign.rules.world.world import UnitStatus
from campaign.scenarios.armies import armies_table
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from rosters.importing import RosterRow, roster_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows() -> list[RosterRow]:
    """Two German units of the Crown and two American ones, of which one is German now."""
    table = roster_rows(armies_table(read_scenario(scenario_path("saratoga-1777")).world))
    german = [row for row in table if row.nation == "german"][:2]
    american = [row for row in table if row.side == "rebel" and row.troop_type == "continental_line"][:2]
    changed = {"nation": german[0].nation, "troop_type": german[0].troop_type}
    return [*german, american[0], replace(american[1], **changed)]


@pytest.fixture
def campaign(rows, burgoyne, gates, carleton) -> Campaign:
    return campaign_create(
        scenario="saratoga-1777",
        slug="own",
        armies=tuple(rows),
        seats=(
            SeatPlan(role="umpire", title="Umpire", user=carleton),
            SeatPlan(role="commander", side="crown", title="Burgoyne", user=burgoyne),
            SeatPlan(role="commander", side="rebel", title="Gates", user=gates),
        ),
    )


def test_the_order_of_battle_is_that_of_the_table_hr_set_18(campaign, rows):
    theatre = world_load(campaign).theatre
    assert set(theatre.order_of_battle) == {row.id for row in rows}
    assert theatre.schedule["rebel"][-1] == sum(row.points for row in rows if row.side == "rebel")


def test_staff_and_forecasts_reckon_with_the_table_hr_frc_02_hr_bot_07(campaign, rows):
    world = world_load(campaign)
    supposed = build_estimated_world(world, "crown")
    enemy = [unit for unit in supposed.units.values() if unit.side == "rebel"]
    assert not any(unit.status is UnitStatus.EXPECTED for unit in enemy), "nobody of the table comes later"
    assert {(unit.nation, unit.troop_type) for unit in enemy} <= {
        (row.nation, row.troop_type) for row in rows if row.side == "rebel"
    }
    true = [
        rate_unit_quality(unit) for unit in world.units.values() if unit.side == "rebel" and not unit.is_train
    ]
    assert general_quality(world.theatre, "rebel") == sum(true) // len(true)


def test_a_pool_both_sides_may_draw_on_is_told_to_neither_hr_fog_01(campaign, burgoyne, gates):
    world = replace(world_load(campaign), pools={"german/line": 120, "american/line": 30})
    assert list_known_pools(viewer_of(burgoyne, campaign), world) == {}
    assert list_known_pools(viewer_of(gates, campaign), world) == {"american/line": 30}


def test_the_table_goes_with_the_archive_hr_arc_01(campaign, tmp_path):
    theatre, kept = world_load(campaign).theatre, campaign.armies
    campaign_export(campaign=campaign, path=tmp_path / "own.zip", with_secret=True)
    brought = campaign_import(path=tmp_path / "own.zip", slug="brought").campaign
    brought.refresh_from_db()
    assert brought.armies == kept and world_load(brought).theatre == theatre
