"""Setting up a campaign: rows that give back the scenario's world, and a chain that begins."""

import pytest

from campaign.ledger.dice import dice_for
from campaign.ledger.hash_chain import build_public_header, compute_digest
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import Campaign, JournalEntry
from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.umpire.corrections import Add
from campaign.rules.world.world_json import world_hash
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.scenarios.theatres import theatre_load
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import campaign_create
from campaign.services.umpire.corrections import act_perform
from rosters.domain.dice import hash_secret

pytestmark = pytest.mark.django_db


def test_the_rows_give_back_the_scenarios_world(saratoga):
    """And both sides have looked round on the first morning (HR-FOG-04)."""
    first = read_scenario(scenario_path("saratoga-1777")).world
    assert world_load(saratoga) == first_look(first, dice_for(saratoga, 0))


def test_boats_lie_there_where_they_are_counted_hr_boa_01(saratoga):
    assert world_load(saratoga).boats == {}
    counted = campaign_create(scenario="saratoga-1777", slug="counted", settings={"boats": "counted"})
    boats = world_load(counted).boats
    assert (boats["st_johns"].side, boats["st_johns"].men) == ("crown", 6000)
    assert boats["ticonderoga"].side == "rebel"


def test_loading_takes_a_fixed_number_of_queries(saratoga, django_assert_num_queries):
    theatre_load(saratoga)
    with django_assert_num_queries(6):
        world_load(saratoga)


def test_the_chain_begins_with_the_published_hash_of_the_secret(saratoga):
    head = saratoga.head
    assert saratoga.commitment == hash_secret(bytes(saratoga.secret))
    assert head.world_hash == world_hash(world_load(saratoga))
    shown = build_public_header(
        parent=saratoga.commitment,
        kind="start",
        revision=1,
        day=0,
        ordinal=0,
        dice_revision=1,
        versions=head.versions,
        commitments=head.commitments,
    )
    assert head.record_hash == compute_digest(shown)
    assert JournalEntry.objects.get(campaign=saratoga).data["commitment"] == saratoga.commitment


def test_a_snapshot_is_the_world(saratoga):
    assert snapshot_unpack(saratoga.head.snapshot, theatre_load(saratoga)) == world_load(saratoga)
    with pytest.raises(ValueError, match="cannot be read"):
        snapshot_unpack(b"not a snapshot", theatre_load(saratoga))


def test_two_campaigns_draw_different_secrets(db):
    first = campaign_create(scenario="saratoga-1777", slug="first")
    second = campaign_create(scenario="saratoga-1777", slug="second")
    assert bytes(first.secret) != bytes(second.secret)
    assert first.head.world_hash == second.head.world_hash


def test_a_taken_name_is_refused_and_nothing_written(saratoga):
    with pytest.raises(RuleViolation, match="choose another name"):
        campaign_create(scenario="saratoga-1777", slug="saratoga")
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"slug": "a b/c"}, "no address"),
        ({"slug": "new"}, "site's own"),
        ({"battle_policy": "nonsense"}, "ask, automatic or table"),
        ({"secret": b""}, "32 bytes"),
        ({"ruleset": "chess"}, "no ruleset"),
        ({"settings": {"recruitmint": "off"}}, "no setting called recruitmint"),
    ],
)
def test_a_choice_that_is_none_is_refused_and_nothing_written(db, change, sentence):
    with pytest.raises(RuleViolation, match=sentence):
        campaign_create(**{"scenario": "saratoga-1777", "slug": "war", **change})
    assert not Campaign.objects.exists()


def test_settings_are_laid_over_the_scenarios(db):
    plain = campaign_create(scenario="saratoga-1777", slug="plain")
    chosen = campaign_create(scenario="saratoga-1777", slug="chosen", settings={"recruitment": "off"})
    assert plain.settings["recruitment"] == "damped"
    assert world_load(chosen).settings.recruitment == "off"
    assert {**plain.settings, "recruitment": "off"} == chosen.settings


def test_hr_set_14_an_empty_map_has_posts_and_goals_and_nobody_on_it(db):
    full = campaign_create(scenario="saratoga-1777", slug="full")
    bare = campaign_create(scenario="saratoga-1777", slug="bare", bare=True, table_units=12)
    world, peopled = world_load(bare), world_load(full)
    assert not world.units and not world.formations and not world.generals
    assert (world.holders, world.goals, bare.table_units) == (peopled.holders, peopled.goals, 12)
    assert not bare.order_of_battle.leaders.exists()
    levy = Add(
        "levy", "Levy", "rebel", "american_militia", "militia", 60, "n", formation_name="N", place="albany"
    )
    act_perform(campaign=bare, act=levy, reason="Ours.", actor=None)
    bare.refresh_from_db()
    assert world_load(bare).units["levy"].points == 60
    assert campaign_verify(campaign=bare)
