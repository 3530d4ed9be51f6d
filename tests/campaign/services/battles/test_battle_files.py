"""The battle file of a contact: its ground, its generals, and what comes back (HR-BAT-06, HR-BAT-07)."""

import json
from dataclasses import asdict, replace
from datetime import date

import pytest

from battles.files.checks import battle_verify
from battles.files.reading import decode_battle
from battles.files.schema import BattleFile, BattleLeader, BattleOutcome, GeneralOutcome
from campaign.ledger.dice import dice_for
from campaign.ledger.world_rows import world_load
from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.contact.contact import COVER, Contact, Fighter, Participant
from campaign.rules.world.markers import Siege, Works
from campaign.rules.world.world import World
from campaign.selectors.battles.battle_files import (
    WORKS,
    FieldOfficer,
    battle_file,
    ground_seed,
    officers_with,
    season_of,
)
from campaign.services.battles.outcomes import BATTLE_DICE, settlement_from_json, settlement_of
from campaign.services.battles.settlement import battle_open

pytestmark = pytest.mark.django_db


def contact(place: str = "", route: str = "", **more: object) -> Contact:
    """A contact at a place or on a route: Crown columns against those at Ticonderoga."""
    values = {
        "key": "d0/x/1", "minute": 900, "ends": 1200, "place": place, "route": route, "yards": 0,
        "attacker": "crown", "defender": "rebel",
        "participants": (), "units": (), "cover": "none", "weather": "fair", "terrain": "farmland",
    }  # fmt: skip
    return Contact(**{**values, **more})


def meeting(world: World, *formations: str, **more: object) -> Contact:
    """All units of some formations meet at Ticonderoga."""
    units = [unit for key, unit in sorted(world.units.items()) if unit.formation in formations]
    return contact(
        "ticonderoga",
        participants=tuple(
            Participant(key, world.formations[key].side, 900, "give_battle") for key in formations
        ),
        units=tuple(Fighter(unit.id, unit.side, unit.points, 4) for unit in units if unit.points),
        **more,
    )


OFFICERS = [
    FieldOfficer("fraser", "Simon Fraser", "crown", "brigade"),
    FieldOfficer("powell", "Henry Watson Powell", "crown", "brigade"),
    FieldOfficer("phillips", "William Phillips", "crown", "wing"),
    FieldOfficer("st_leger", "Barry St Leger", "crown", "army commander"),
    FieldOfficer("poor", "Enoch Poor", "rebel", "brigade"),
]


def test_the_ground_is_that_of_the_place_for_the_whole_campaign_hr_bat_06(saratoga):
    world = world_load(saratoga)
    dice = dice_for(saratoga, 0, 1)
    here, again = contact("bennington"), contact("bennington", key="d40/bennington/2", minute=600)
    assert ground_seed(dice, here) == ground_seed(dice, again)
    assert ground_seed(dice, here) != ground_seed(dice, contact("hubbardton"))
    assert ground_seed(dice, here) != dice.seed(BATTLE_DICE, here.key)
    route = next(key for key in world.theatre.atlas.routes if key.endswith("--road"))
    on_road = contact(route=route, yards=1000)
    assert ground_seed(dice, on_road) == ground_seed(dice, replace(on_road, yards=1700))
    assert ground_seed(dice, on_road) != ground_seed(dice, replace(on_road, yards=9000))


def test_every_place_and_route_of_saratoga_gives_a_battle_that_can_be_fought_hr_bat_06(saratoga):
    world = world_load(saratoga)
    atlas = world.theatre.atlas
    base = meeting(world, "advanced_corps", "poors_brigade")
    for key, place in atlas.places.items():
        cover = COVER[place.fortification]
        file = battle_file(world, replace(base, place=key, cover=cover), ruleset="awi", seed=hash_of(key))
        battle_verify(file)
        works = {one.kind for one in file.ground.features} & WORKS
        assert bool(works) == (cover != "none") and file.cover == "none"
    for key in atlas.routes:
        file = battle_file(world, replace(base, place="", route=key), ruleset="awi", seed=hash_of(key))
        battle_verify(file)


def hash_of(key: str) -> int:
    return sum(ord(letter) * 31**k for k, letter in enumerate(key)) % 2**64


def test_works_stand_only_for_him_who_holds_the_place_hr_con_08(saratoga):
    world = world_load(saratoga)
    file = battle_file(world, meeting(world, "advanced_corps", "poors_brigade"), ruleset="awi", seed=1)
    assert not {one.kind for one in file.ground.features} & WORKS
    without = battle_file(
        world, meeting(world, "advanced_corps", "poors_brigade", cover="hard"), ruleset="awi"
    )
    assert (without.ground, without.cover) == (None, "hard")


def test_the_ground_does_not_tell_who_comes_late_hr_fog_03(saratoga):
    world = world_load(saratoga)
    here = meeting(world, "advanced_corps", "poors_brigade", cover="soft")
    late = tuple(replace(unit, arrives=6 * (n % 2)) for n, unit in enumerate(here.units))
    grounds = [
        battle_file(world, replace(here, units=units), ruleset="awi", seed=1).ground
        for units in (here.units, late, tuple(replace(unit, arrives=6) for unit in here.units))
    ]
    assert {one.kind for one in grounds[0].features} & WORKS
    assert grounds[0] == grounds[1] == grounds[2]


def test_hr_sie_02_worn_and_half_dug_works_stand_on_the_ground(saratoga):
    world = world_load(saratoga)
    here = meeting(world, "advanced_corps", "poors_brigade", cover="hard")
    worn = replace(world, sieges={"ticonderoga": Siege("crown", 0, works_lost=4)})

    def works(world, contact):
        features = battle_file(world, contact, ruleset="awi", seed=1).ground.features
        return {(one.kind, one.sp) for one in features if one.kind in WORKS}

    assert works(world, here) == {("redoubt", None)}
    assert works(worn, here) == {("redoubt", 6)}
    dug = replace(world, works={"bemis_heights": Works("rebel", 4)})
    assert works(dug, replace(here, place="bemis_heights", cover="soft")) == {("fieldwork", 4)}


@pytest.mark.parametrize(
    ("day", "season"),
    [((1777, 1, 1), "winter"), ((1777, 3, 1), "spring"), ((1777, 8, 31), "summer"), ((1777, 9, 1), "autumn")],
)
def test_seasons(day, season):
    assert season_of(date(*day)) == season


def test_hr_wea_04_rain_on_muskets_goes_into_the_battle_where_it_is_played(saratoga):
    world = world_load(saratoga)
    contact = replace(meeting(world, "advanced_corps", "poors_brigade"), weather="rain")
    assert battle_file(world, contact, ruleset="awi", seed=1).options == {}
    played = replace(world, settings=replace(world.settings, rain_on_muskets=-1))
    assert battle_file(played, contact, ruleset="awi", seed=1).options == {"rain_on_muskets": -1}
    assert battle_file(played, replace(contact, weather="fog"), ruleset="awi", seed=1).options == {}


def test_generals_lead_their_own_formations_hr_bat_07(saratoga):
    world = world_load(saratoga)
    pair = meeting(world, "advanced_corps", "poors_brigade")
    file = battle_file(world, pair, ruleset="awi", officers=OFFICERS)
    led = {leader.id: leader for leader in file.leaders}
    assert set(led) == {"fraser", "poor"}
    assert led["fraser"].rank == "brigadier"
    assert set(led["fraser"].commands) == {u.id for u in file.units if u.formation == "advanced_corps"}
    battle_verify(file)


def test_a_wing_commander_is_senior_where_there_are_brigadiers_hr_bat_07(saratoga):
    world = world_load(saratoga)
    arrived = replace(world.generals["st_leger"], state="well", until=None)
    world = replace(world, generals={**world.generals, "st_leger": arrived})

    def ranks(*formations: str) -> dict[str, str]:
        file = battle_file(
            world, meeting(world, *formations, "poors_brigade"), ruleset="awi", officers=OFFICERS
        )
        battle_verify(file)
        return {leader.id: leader.rank for leader in file.leaders if leader.side == "crown"}

    assert ranks("artillery_park") == {"phillips": "brigadier"}
    assert ranks("artillery_park", "advanced_corps", "british_1st_brigade") == {
        "phillips": "senior", "fraser": "brigadier", "powell": "brigadier",
    }  # fmt: skip
    assert ranks("st_leger_column") == {"st_leger": "commander_in_chief"}


def test_a_general_who_comes_up_later_comes_with_his_column_hr_bat_07(saratoga):
    world = world_load(saratoga)
    both = meeting(world, "advanced_corps", "poors_brigade")
    late = tuple(replace(one, arrives=6) if one.side == "crown" else one for one in both.units)
    file = battle_file(world, replace(both, units=late), ruleset="awi", officers=OFFICERS)
    by_id = {leader.id: leader for leader in file.leaders}
    assert by_id["fraser"].with_unit in by_id["fraser"].commands and by_id["poor"].with_unit == ""


def test_wounded_generals_and_those_lost_that_day_are_not_on_the_field_hr_gen_01(saratoga, battle):
    world = world_load(saratoga)
    pair = meeting(world, "advanced_corps", "poors_brigade")
    assert [one.id for one in officers_with(saratoga, world, pair)] == ["fraser", "poor"]
    hurt = replace(world, away={"fraser": 14})
    file = battle_file(hurt, pair, ruleset="awi", officers=OFFICERS)
    assert [leader.id for leader in file.leaders] == ["poor"]
    back = battle_file(replace(hurt, day=14), pair, ruleset="awi", officers=OFFICERS)
    assert [leader.id for leader in back.leaders] == ["fraser", "poor"]
    battle.state, battle.settlement = "settled", {"generals": [{"general": "poor"}]}
    battle.save()
    assert [one.id for one in officers_with(saratoga, world, pair)] == ["fraser"]


def test_fates_of_generals_go_into_the_settlement_hr_gen_01():
    leaders = (
        BattleLeader("fraser", "Simon Fraser", "crown"),
        BattleLeader("poor", "Enoch Poor", "rebel"),
    )
    file = BattleFile("Hubbardton", "crown", "rebel", (), leaders=leaders)
    outcome = BattleOutcome(
        "crown", 6, (), generals=(GeneralOutcome("fraser", "killed"), GeneralOutcome("poor", "left_table"))
    )
    settlement = settlement_of(file, outcome, "d0/x/1")
    assert settlement.generals == (GeneralLoss("fraser", "Simon Fraser", "crown", "killed"),)
    stored = json.loads(json.dumps(asdict(settlement)))
    assert settlement_from_json(stored) == settlement
    del stored["generals"]
    assert settlement_from_json(stored).generals == ()  # as it was stored before generals were told


def test_a_battle_is_opened_with_ground_and_generals_frozen(saratoga):
    world = world_load(saratoga)
    pair = meeting(world, "advanced_corps", "poors_brigade", cover="fortified")
    opened = battle_open(campaign=saratoga, world=world, contact=pair)
    opened.refresh_from_db()
    file = decode_battle(opened.inputs["file"])
    assert file.ground is not None and file.leaders
    seed = ground_seed(dice_for(saratoga, 0, 1), pair)
    officers = officers_with(saratoga, world, pair)
    assert file == battle_file(world, pair, ruleset="awi", seed=seed, officers=officers)
