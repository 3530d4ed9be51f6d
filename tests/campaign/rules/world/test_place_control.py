"""Places change hands in one way, and the journal tells of it (HR-CON-13)."""

from dataclasses import replace

import pytest

from campaign.rules.world.world import Order, Position, UnitStatus, World
from rosters.domain.vocabulary import TroopType
from tests.factories.little_wars import (
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


def camps(gates: str | Position = "bennington", burgoyne: str = "bennington", middle: int = 6) -> World:
    """Albany -10- Bennington -middle- Castleton -1- Dorset: Burgoyne (3) and Gates (2)."""
    return little_world(
        tuple(place(name) for name in ("albany", "bennington", "castleton", "dorset")),
        (
            way("albany", "bennington", 10),
            way("bennington", "castleton", middle),
            way("castleton", "dorset", 1),
        ),
        {"burgoyne": ("crown", burgoyne, 3), "gates": ("rebel", gates, 2)},
        holders={"albany": "crown", "bennington": "rebel"},
        supply={"crown": ("albany",), "rebel": ("dorset",)},
    )


def test_hr_con_13_a_place_left_at_dawn_falls_to_the_enemy_who_stands_there() -> None:
    world = camps()
    done = completed(world, orders(Order("gates", ("castleton",))), day_dice(world))
    taken = [(event.minute, event.place, event.data) for event in told(done.events, "place_taken")]
    assert taken[0] == (240, "bennington", {"side": "crown", "from": "rebel"})
    assert done.world.holders["bennington"] == "crown"


def test_hr_con_13_who_slips_away_at_dawn_leaves_the_place_to_the_enemy() -> None:
    world = camps()
    avoids = replace(world.formations["gates"], order=Order("gates", stance="avoid"))
    world = replace(world, formations={**world.formations, "gates": avoids})
    done = completed(world, {}, ScriptedDice({"HR-WEA-02": [6], "HR-CON-02": [6]}))
    assert done.world.holders["bennington"] == "crown"


def test_hr_con_13_a_place_whose_levies_have_gone_home_is_taken_by_night() -> None:
    world = replace(camps(), day=5)
    units = {
        key: replace(unit, departs=2) if unit.side == "rebel" else unit for key, unit in world.units.items()
    }
    away = replace(units["gates_1"], id="away", status=UnitStatus.ABSENT)
    world = replace(world, units={**units, "away": away})
    done = completed(world, {}, ScriptedDice({"HR-WEA-02": [6], "HR-LEV-01": [1, 1]}))
    assert [(each.place, each.minute) for each in told(done.events, "place_taken")] == [("bennington", 1440)]
    assert done.world.holders["bennington"] == "crown"


def test_hr_con_13_wagons_alone_hold_nothing() -> None:
    world = camps(gates="castleton")
    units = {key: replace(unit, troop_type=TroopType.WAGON, points=0) for key, unit in world.units.items()}
    done = completed(replace(world, units=units), {}, day_dice(world))
    assert done.world.holders == world.holders


@pytest.mark.parametrize(("middle", "places"), [(4, ["castleton", "dorset"]), (7, ["castleton", "dorset"])])
def test_hr_con_13_places_passed_and_reached_on_a_retreat_are_taken(middle: int, places: list[str]) -> None:
    """A retreat of two legs: both places were nobody's, and the journal tells of both."""
    world = camps(burgoyne="albany", middle=middle)
    given = orders(Order("burgoyne", ("bennington",), stance="attack"))
    contact = pending(world, given, day_dice(world))
    done = completed(world, given, day_dice(world), held_by(contact, "crown"))
    assert done.world.formations["gates"].position == Position(place="dorset")
    taken = [event for event in told(done.events, "place_taken") if event.data["side"] == "rebel"]
    assert [event.place for event in taken] == places
    assert {event.formation for event in taken} == {"gates"}
    assert {key: done.world.holders[key] for key in places} == dict.fromkeys(places, "rebel")
