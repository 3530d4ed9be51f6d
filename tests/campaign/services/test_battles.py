"""Settling battles: three sources, one way in, and no figure that cannot be."""

import json
from dataclasses import asdict, replace
from datetime import date

import pytest

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError
from battles.files import battle_thaw
from battles.scenario import BattleFile, BattleLeader, BattleOutcome, GeneralOutcome
from battles.verification import battle_verify
from campaign.models import Battle, Campaign
from campaign.rules.contact import COVER, Contact, Fighter, Participant
from campaign.rules.errors import RuleViolation
from campaign.rules.generals import GeneralLoss
from campaign.rules.world import World
from campaign.services.battle_files import (
    WORKS,
    Officer,
    battle_file,
    ground_seed,
    officers_with,
    season_of,
    settlement_of,
)
from campaign.services.battles import (
    BATTLE_DICE,
    TableResult,
    battle_open,
    battle_settle_by_engine,
    battle_settle_by_table,
    battle_settle_by_word,
    may_amend,
    settlement_from_json,
)
from campaign.services.dice import dice_for
from campaign.state import world_load

pytestmark = pytest.mark.django_db


def unit(key: str, side: str, troop_type: str, sp: int) -> dict[str, object]:
    return {
        "id": key, "name": key.replace("_", " "), "side": side, "troop_type": troop_type, "sp": sp,
        "gun_class": "none", "poor_militia": False, "formation": side, "arrives": 0,
    }  # fmt: skip


@pytest.fixture
def battle(saratoga) -> Battle:
    return Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/bennington/1", minute=900, place="bennington",
        attacker="rebel", defender="crown",
        inputs={
            "contact": {},
            "file": {
                "title": "Battle of Bennington", "attacker": "rebel", "defender": "crown",
                "units": [
                    unit("stark_1", "rebel", "militia", 5),
                    unit("stark_2", "rebel", "militia", 5),
                    unit("warner", "rebel", "continental_line", 2),
                    unit("dragoons", "crown", "european_line", 5),
                    unit("queens_rangers", "crown", "militia", 3),
                ],
                "cover": "soft", "options": {},
                "plans": {"rebel": {"kind": "assault"}, "crown": {"kind": "hold"}},
                "turns": 36, "break_percent": 50, "ruleset": "awi",
            },
        },
    )  # fmt: skip


def losses(battle: Battle) -> dict[str, tuple[int, int, str]]:
    return {
        loss.unit: (loss.sp_lost, loss.sp_captured, loss.fate)
        for loss in settlement_from_json(battle.settlement).losses
    }


def test_a_table_result_is_kept_unit_by_unit(battle, burgoyne):
    settled = battle_settle_by_table(
        battle=battle,
        results={
            "dragoons": TableResult(3, 2),
            "queens_rangers": TableResult(1, destroyed=True),
            "stark_1": TableResult(1),
        },
        field_held_by="rebel",
        totals={"crown": 8, "rebel": 1},
        actor=burgoyne,
    )  # fmt: skip
    assert losses(settled) == {
        "dragoons": (3, 2, "surrendered"),
        "queens_rangers": (3, 0, "eliminated"),
        "stark_1": (1, 0, "present"),
        "stark_2": (0, 0, "present"),
        "warner": (0, 0, "present"),
    }
    assert (settled.state, settled.source, settled.settled_by) == ("settled", "table", burgoyne)


@pytest.mark.parametrize(
    ("results", "totals", "holder", "sentence"),
    [
        ({"dragoons": TableResult(6)}, {}, "rebel", "came with 5 SP and cannot lose 6"),
        ({"dragoons": TableResult(3, 3)}, {}, "rebel", "cannot lose 6"),
        ({"dragoons": TableResult(-1)}, {}, "rebel", "fewer than 0"),
        ({"morgan": TableResult(1)}, {}, "rebel", "morgan was not in this battle"),
        ({"dragoons": TableResult(2)}, {"crown": 3}, "rebel", "lost 2 SP together, the total says 3"),
        ({}, {}, "french", "held by United States, Crown or neither"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_and_nothing_written(battle, results, totals, holder, sentence):
    with pytest.raises(RuleViolation, match=sentence):
        battle_settle_by_table(
            battle=battle, results=results, totals=totals, field_held_by=holder, actor=None
        )
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING
    assert battle.settlement is None


def test_the_same_result_twice_is_once_and_another_is_refused(battle):
    first = battle_settle_by_table(battle=battle, results={}, field_held_by="", actor=None)
    assert battle_settle_by_table(battle=battle, results={}, field_held_by="", actor=None) == first
    with pytest.raises(RuleViolation, match="settled already"):
        battle_settle_by_table(
            battle=battle, results={"warner": TableResult(1)}, field_held_by="", actor=None
        )


def test_the_umpires_word_spreads_losses_by_largest_remainder(battle, carleton):
    settled = battle_settle_by_word(
        battle=battle, field_held_by="crown", percent_lost={"rebel": 25, "crown": 0}, actor=carleton
    )
    lost = losses(settled)
    assert sum(lost[key][0] for key in ("stark_1", "stark_2", "warner")) == 3  # a quarter of 12
    assert lost["dragoons"] == (0, 0, "present")


def test_the_umpire_mends_what_people_entered_until_the_day_is_played(battle, carleton, saratoga):
    """HR-CON-12"""
    battle_settle_by_table(battle=battle, results={}, field_held_by="crown", actor=None)
    mended = battle_settle_by_table(
        battle=battle,
        results={"warner": TableResult(1)},
        field_held_by="rebel",
        actor=carleton,
        amend=True,
    )
    assert losses(mended)["warner"] == (1, 0, "present")
    assert may_amend(mended)
    Campaign.objects.filter(pk=saratoga.pk).update(day=1)
    with pytest.raises(RuleViolation, match="until the day is played"):
        battle_settle_by_table(battle=battle, results={}, field_held_by="", actor=carleton, amend=True)


def test_what_the_engine_fought_stands(battle, carleton):
    """HR-CON-12"""
    battle_settle_by_engine(battle=battle, actor=None)
    with pytest.raises(RuleViolation, match="settled already"):
        battle_settle_by_word(
            battle=battle, field_held_by="crown", percent_lost={"crown": 1}, actor=carleton, amend=True
        )


@pytest.mark.parametrize(
    ("stances", "plans"),
    [
        (("attack", "give_battle"), ("assault", "hold")),
        (("give_battle", "give_battle"), ("assault", "hold")),
        (("attack", "attack"), ("assault", "assault")),
        (("attack", "delay"), ("assault", "delay")),
        (("give_battle", "avoid"), ("assault", "withdraw")),
    ],
)
def test_stances_become_plans_hr_bat_05(saratoga, stances, plans):
    world = world_load(saratoga)
    contact = Contact(
        key="d0/bennington/1", minute=900, ends=1200, place="bennington", route="", yards=0,
        attacker="rebel", defender="crown",
        participants=(
            Participant("a", "rebel", 900, stances[0]),
            Participant("b", "crown", 900, stances[1]),
            Participant("c", "crown", 960, "avoid"),
        ),
        units=(), cover="none", weather="fair", terrain="farmland",
    )  # fmt: skip
    file = battle_file(world, contact, ruleset="awi")
    assert (file.plans["rebel"].kind, file.plans["crown"].kind) == plans
    assert file.side_names["rebel"] == "United States"


@pytest.mark.parametrize("percent", [-1, 101])
def test_the_umpires_word_stays_within_what_was_there(battle, percent):
    with pytest.raises(RuleViolation, match="0 to 100"):
        battle_settle_by_word(battle=battle, field_held_by="", percent_lost={"crown": percent}, actor=None)


@pytest.mark.parametrize(
    "error",
    [BattleFileError("AWI-T-UNI-01", "There is no room.", "units[0]"), EngineError("The run is void.")],
)
def test_what_the_engine_cannot_fight_is_refused_with_a_sentence(battle, carleton, monkeypatch, error):
    def fight(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("battles.rulesets.registry.fight", fight)
    with pytest.raises(RuleViolation) as refused:
        battle_settle_by_engine(battle=battle, actor=carleton)
    assert str(error) in refused.value.message
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING


def test_the_engine_settles_the_same_battle_the_same_way(battle, saratoga):
    again = Battle.objects.get(pk=battle.pk)
    first = battle_settle_by_engine(battle=battle, actor=None)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.WAITING, settlement=None)
    second = battle_settle_by_engine(battle=again, actor=None)
    assert first.settlement == second.settlement
    assert first.account and first.account == second.account
    starts = {row["id"]: row["sp"] for row in battle.inputs["file"]["units"]}
    for loss in settlement_from_json(first.settlement).losses:
        assert loss.sp_start == starts[loss.unit]
        assert 0 <= loss.sp_lost + loss.sp_captured <= loss.sp_start


# --- ground and generals of a contact ---


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
    Officer("fraser", "Simon Fraser", "crown", "brigade"),
    Officer("powell", "Henry Watson Powell", "crown", "brigade"),
    Officer("phillips", "William Phillips", "crown", "wing"),
    Officer("st_leger", "Barry St Leger", "crown", "army commander"),
    Officer("poor", "Enoch Poor", "rebel", "brigade"),
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


@pytest.mark.parametrize(
    ("day", "season"),
    [((1777, 1, 1), "winter"), ((1777, 3, 1), "spring"), ((1777, 8, 31), "summer"), ((1777, 9, 1), "autumn")],
)
def test_seasons(day, season):
    assert season_of(date(*day)) == season


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
    file = battle_thaw(opened.inputs["file"])
    assert file.ground is not None and file.leaders
    seed = ground_seed(dice_for(saratoga, 0, 1), pair)
    officers = officers_with(saratoga, world, pair)
    assert file == battle_file(world, pair, ruleset="awi", seed=seed, officers=officers)
