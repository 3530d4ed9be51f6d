"""Golden days: who meets whom, where and at which minute, and what comes of it.

A road is marched at 12 miles in 600 minutes from 4 o'clock (minute 240): a mile in 50 minutes.
"""

from dataclasses import replace
from typing import Any

from campaign.rules.map.atlas import Place, Route
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, UnitStatus, World
from rosters.domain.vocabulary import GunClass, TroopType
from tests.factories.little_wars import (
    MILE,
    completed,
    day_dice,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)
from tests.factories.scripted_dice import ScriptedDice

ROAD = "albany--bennington--road"
SUPPLY = {"crown": ("albany",), "rebel": ("castleton",)}


def two_columns(
    burgoyne: str | Position = "albany",
    gates: str | Position = "bennington",
    *,
    extra: tuple[Route, ...] = (),
    places: tuple[Place, ...] = (),
    **facts: Any,
) -> World:
    """Albany -10- Bennington -6- Castleton in a row: Burgoyne (3 battalions) and Gates (2)."""
    return little_world(
        (place("albany"), place("bennington"), place("castleton"), *places),
        (way("albany", "bennington", 10), way("bennington", "castleton", 6), *extra),
        {"burgoyne": ("crown", burgoyne, 3), "gates": ("rebel", gates, 2)},
        holders={"albany": "crown", "bennington": "rebel", "castleton": "rebel"},
        supply=SUPPLY,
        **facts,
    )


def test_head_on_on_a_road() -> None:
    """HR-CON-01: 10 miles apart and both marching, they meet half way after 250 minutes."""
    world = two_columns()
    given = orders(Order("burgoyne", ("bennington",), stance="attack"), Order("gates", ("albany",)))
    contact = pending(world, given, day_dice(world))
    assert (contact.key, contact.route, contact.place) == (f"d0/{ROAD}/1", ROAD, "")
    assert (contact.minute, contact.ends, contact.turns) == (490, 850, 36)
    assert contact.yards == 5 * MILE
    assert (contact.attacker, contact.defender) == ("crown", "rebel")
    assert [(each.formation, each.minute) for each in contact.participants] == [
        ("burgoyne", 490),
        ("gates", 490),
    ]
    assert (contact.sp_of("crown"), contact.sp_of("rebel")) == (15, 10)
    assert contact.cover == "none"


def test_two_columns_swapping_places_do_not_pass_each_other() -> None:
    """HR-CON-01: after a draw both stay on the road, a yard apart; they fight again at dawn (HR-CON-04)."""
    world = two_columns()
    given = orders(Order("burgoyne", ("bennington",)), Order("gates", ("albany",)))
    contact = pending(world, given, day_dice(world))
    morning = completed(world, given, day_dice(world), held_by(contact, "")).world
    burgoyne, gates = (morning.formations[key].position for key in ("burgoyne", "gates"))
    assert burgoyne == Position("", ROAD, "albany", "bennington", 5 * MILE - 1)
    assert gates == Position("", ROAD, "bennington", "albany", 5 * MILE - 1)
    again = pending(morning, {}, day_dice(morning))
    assert (again.key, again.minute) == (f"d1/{ROAD}/1", 240)


def test_a_column_overtakes_another_on_the_same_road() -> None:
    """HR-CON-01: Burgoyne on normal march, 2 miles behind Gates's wagons, which make 9 miles a day."""
    here = Position("", ROAD, "albany", "bennington", 2 * MILE)
    world = two_columns(gates=here)
    slow = world.units["gates_1"]
    heavy = replace(slow, troop_type=TroopType.AMERICAN_ARTILLERY, gun_class=GunClass.HEAVY)
    world = replace(world, units={**world.units, "gates_1": heavy})
    given = orders(Order("burgoyne", ("bennington",)), Order("gates", ("castleton",)))
    contact = pending(world, given, day_dice(world))
    assert (contact.minute, contact.yards, contact.attacker) == (640, 8 * MILE, "crown")


def test_road_and_river_side_by_side_do_not_meet() -> None:
    """Two routes between the same places are different routes: the columns change places unseen."""
    river = way("albany", "bennington", 10, "river")
    ports = (place("albany", port="river"), place("bennington", port="river"))
    world = two_columns(places=ports, extra=(river,))
    road = Position("", ROAD, "bennington", "albany", 4 * MILE)  # too far to turn back for boats
    gates = replace(world.formations["gates"], position=road)
    world = replace(world, formations={**world.formations, "gates": gates})
    given = orders(Order("burgoyne", ("bennington",)), Order("gates", ("albany",)))
    done = completed(world, given, day_dice(world))
    assert not told(done.events, "contact")
    assert done.world.formations["burgoyne"].position == Position(place="bennington")
    assert done.world.formations["gates"].position == Position(place="albany")
    assert done.world.holders == {"albany": "rebel", "bennington": "crown", "castleton": "rebel"}


def test_three_columns_meet() -> None:
    """HR-CON-01: a third column comes up behind the enemy and takes part from its arrival on."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton")),
        (way("albany", "bennington", 10), way("bennington", "castleton", 2)),
        {
            "burgoyne": ("crown", "albany", 2),
            "gates": ("rebel", "bennington", 3),
            "fraser": ("crown", "castleton", 1),
        },
        supply={"crown": ("albany",), "rebel": ("bennington",)},
    )
    given = orders(
        Order("burgoyne", ("bennington",)), Order("gates", ("albany",)), Order("fraser", ("albany",))
    )
    contact = pending(world, given, day_dice(world))
    assert contact.yards == 5 * MILE
    came = {each.formation: each.minute for each in contact.participants}
    assert came == {"burgoyne": 490, "gates": 490, "fraser": 240 + 7 * 50}
    assert {fighter.arrives for fighter in contact.units if fighter.unit == "fraser_1"} == {10}
    # Gates stands between two enemies: beaten, he is cut off (HR-SUR-01)
    done = completed(world, given, day_dice(world), held_by(contact, "crown"))
    assert {done.world.units[f"gates_{n}"].status for n in (1, 2, 3)} == {UnitStatus.SURRENDERED}
    assert done.world.ended


def test_a_column_arrives_during_a_battle() -> None:
    """HR-CON-09: Riedesel is ordered to Bennington and comes up at turn 20; Warner was not ordered."""
    world = little_world(
        (place("albany"), place("bennington", "fieldworks"), place("castleton"), place("dorset")),
        (way("albany", "bennington", 4), way("bennington", "castleton", 8), way("bennington", "dorset", 4)),
        {
            "burgoyne": ("crown", "albany", 3),
            "gates": ("rebel", "bennington", 2),
            "riedesel": ("crown", "castleton", 1),
            "warner": ("rebel", "dorset", 1),
        },
        holders={"bennington": "rebel", "dorset": "rebel"},
    )
    given = orders(Order("burgoyne", ("bennington",)), Order("riedesel", ("bennington",)))
    dice = {"HR-WEA-02": [3] * 4, "HR-CON-09/d0/bennington/1/warner": [4, 4]}
    contact = pending(world, given, ScriptedDice(dice))
    came = {each.formation: each.minute for each in contact.participants}
    assert came == {"burgoyne": 440, "gates": 440, "riedesel": 640, "warner": 640}
    assert contact.cover == "soft"
    late = {fighter.unit: fighter.arrives for fighter in contact.units}
    assert (late["burgoyne_1"], late["riedesel_1"], late["warner_1"]) == (0, 20, 20)
    stays = ScriptedDice({**dice, "HR-WEA-02": [3], "HR-CON-09/d0/bennington/1/warner": [3]})
    without = pending(world, given, stays)
    assert {each.formation for each in without.participants} == {"burgoyne", "gates", "riedesel"}


def test_a_beaten_force_with_no_way_out_surrenders() -> None:
    """HR-SUR-01: Gates's only other road leads to a post of the enemy (HR-RET-03 switched off)."""
    world = two_columns(settings=RuleSettings(block_retreat_parts=0))
    world = replace(world, holders={**world.holders, "castleton": "crown"})
    given = orders(Order("burgoyne", ("bennington",)))
    contact = pending(world, given, day_dice(world))
    done = completed(world, given, day_dice(world), held_by(contact, "crown", {"gates_1": 2}))
    lost = [(each.unit, each.before, each.after) for each in told(done.events, "unit_surrendered")]
    assert lost == [("gates_1", 90, 0), ("gates_2", 100, 0)]
    assert done.world.holders["bennington"] == "crown"
    assert done.world.formations["gates"].position is None


def test_a_beaten_force_falls_back_towards_its_supply() -> None:
    """HR-RET-01: eight miles, past Castleton no farther than the road goes; no dice, no march."""
    world = two_columns()
    given = orders(Order("burgoyne", ("bennington",)))
    contact = pending(world, given, day_dice(world))
    assert (contact.minute, contact.attacker) == (740, "crown")
    done = completed(world, given, day_dice(world), held_by(contact, "crown"))
    assert done.world.formations["gates"].position == Position(place="castleton")
    assert done.world.formations["gates"].marched == 0
    assert not told(done.events, "forced_march")
    (retreat,) = told(done.events, "retreat")
    assert (retreat.sides, retreat.rolls, retreat.rule) == (("rebel",), (), "HR-RET-01")
    assert done.world.holders["bennington"] == "crown"


def test_one_unit_fights_two_battles_on_one_day() -> None:
    """AWI-C-BAT-04: 120 points lose 2 SP to the first enemy: 110 for good, 100 in the second battle."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton"), place("dorset")),
        (way("albany", "bennington", 2), way("bennington", "castleton", 2), way("castleton", "dorset", 9)),
        {
            "baum": ("crown", "bennington", 2),
            "breymann": ("crown", "castleton", 2),
            "stark": ("rebel", "albany", 1),
        },
        holders={"bennington": "crown", "castleton": "crown", "dorset": "crown"},
        supply={"crown": ("dorset",), "rebel": ("albany",)},
    )
    strong = replace(world.units["stark_1"], points=120)
    stays = replace(world.formations["breymann"], garrison=True)
    world = replace(
        world,
        units={**world.units, "stark_1": strong},
        formations={**world.formations, "breymann": stays},
    )
    given = orders(Order("stark", ("castleton",)))
    first = pending(world, given, day_dice(world))
    assert (first.minute, first.place) == (340, "bennington")
    assert [(each.points, each.sp) for each in first.units if each.unit == "stark_1"] == [(120, 6)]
    won = held_by(first, "rebel", {"stark_1": 2})
    second = pending(world, given, day_dice(world), won)
    assert (second.key, second.minute) == ("d0/castleton/1", 800)
    assert [(each.points, each.sp) for each in second.units if each.unit == "stark_1"] == [(100, 5)]
    done = completed(world, given, day_dice(world), won, held_by(second, "crown", {"stark_1": 1}))
    points = [(each.before, each.after) for each in told(done.events, "battle_loss")]
    assert points == [(120, 110), (110, 105)]
    assert done.world.units["stark_1"].points == 105
