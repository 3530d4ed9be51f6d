"""By which way a beaten force falls back (HR-RET-01)."""

import pytest

from campaign.rules.world.world import Order, Position
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
ONWARD = Position("", "bennington--castleton--road", "bennington", "castleton", 8 * MILE)
BACK = Position("", ROAD, "bennington", "albany", 8 * MILE)


@pytest.mark.parametrize(
    ("winner", "beaten", "falls_back"), [("rebel", "fraser", ONWARD), ("crown", "poor", BACK)]
)
def test_hr_ret_01_no_way_back_through_the_enemy_who_came_up_behind(
    winner: str, beaten: str, falls_back: Position
) -> None:
    """Both came by one road to Bennington, Poor a thousand yards behind Fraser."""
    world = little_world(
        tuple(place(name) for name in ("albany", "bennington", "castleton")),
        (way("albany", "bennington", 20), way("bennington", "castleton", 20)),
        {
            "fraser": ("crown", Position("", ROAD, "albany", "bennington", 18 * MILE), 2),
            "poor": ("rebel", Position("", ROAD, "albany", "bennington", 18 * MILE - 1000), 2),
        },
        supply={"crown": ("albany",), "rebel": ("albany",)},
    )
    given = orders(Order("fraser", ("bennington",)), Order("poor", ("bennington",)))
    contact = pending(world, given, day_dice(world))
    assert (contact.place, contact.attacker) == ("bennington", "rebel")
    done = completed(world, given, day_dice(world), held_by(contact, winner))
    assert done.world.formations[beaten].position == falls_back


def test_hr_ret_03_who_is_brushed_aside_by_two_columns_gives_way_once() -> None:
    """Both Crown columns get away by Bennington, where a guard of one battalion cannot stop them."""
    world = little_world(
        tuple(place(name) for name in ("albany", "bennington", "castleton", "dorset")),
        (way("albany", "bennington", 4), way("bennington", "castleton", 4), way("albany", "dorset", 4)),
        {
            "acland": ("crown", "albany", 3),
            "balcarres": ("crown", "albany", 3),
            "guard": ("rebel", "bennington", 1),
            "gates": ("rebel", "dorset", 6),
        },
        holders={"albany": "crown", "bennington": "rebel", "castleton": "rebel", "dorset": "rebel"},
        supply={"crown": ("bennington",), "rebel": ("castleton",)},
    )
    given = orders(
        Order("acland", stance="avoid"),
        Order("balcarres", stance="avoid"),
        Order("gates", ("albany",), stance="attack"),
    )
    done = completed(world, given, ScriptedDice({"HR-WEA-02": [6], "HR-CON-02": [6]}))
    fallen_back = [event.formation for event in told(done.events, "retreat")]
    assert fallen_back == ["guard", "acland", "balcarres"]
    assert done.world.formations["guard"].position == Position(place="castleton")


@pytest.mark.parametrize("winner", ["rebel", "crown"])
def test_hr_ret_03_the_victor_is_not_in_the_way_of_who_falls_back_from_him(winner: str) -> None:
    """They meet between Bennington and Albany; the beaten falls back past the next place, up the road."""
    world = little_world(
        tuple(place(name) for name in ("castleton", "bennington", "albany", "dorset")),
        (way("castleton", "bennington", 20), way("bennington", "albany", 8), way("albany", "dorset", 20)),
        {"burgoyne": ("crown", "bennington", 5), "gates": ("rebel", "albany", 5)},
        supply={"crown": ("castleton",), "rebel": ("dorset",)},
    )
    given = orders(
        Order("burgoyne", ("albany",), stance="attack"), Order("gates", ("bennington",), stance="attack")
    )
    contact = pending(world, given, day_dice(world))
    done = completed(world, given, day_dice(world), held_by(contact, winner))
    beaten = "burgoyne" if winner == "rebel" else "gates"
    assert [event.formation for event in told(done.events, "retreat")] == [beaten]
    at = done.world.formations[beaten].position
    assert at is not None and at.route == (
        "castleton--bennington--road" if beaten == "burgoyne" else "albany--dorset--road"
    )


@pytest.mark.parametrize(("mile", "gives_way"), [(6, True), (10, False)])
def test_hr_ret_03_who_stands_beyond_a_retreat_is_not_in_its_way(mile: int, gives_way: bool) -> None:
    """A picket too weak to bar the road to Castleton, which Burgoyne falls back upon for eight miles."""
    road = "bennington--castleton--road"
    world = little_world(
        tuple(place(name) for name in ("albany", "bennington", "castleton", "dorset")),
        (way("albany", "bennington", 4), way("bennington", "castleton", 12), way("castleton", "dorset", 20)),
        {
            "gates": ("rebel", "albany", 6),
            "burgoyne": ("crown", "bennington", 6),
            "picket": ("rebel", Position("", road, "bennington", "castleton", mile * MILE), 1),
        },
        supply={"crown": ("castleton",), "rebel": ("dorset",)},
    )
    given = orders(Order("gates", ("bennington",), stance="attack"))
    contact = pending(world, given, day_dice(world))
    done = completed(world, given, day_dice(world), held_by(contact, "rebel"))
    retreats = {event.formation: event.rule for event in told(done.events, "retreat")}
    assert retreats.pop("burgoyne") == "HR-RET-01"
    assert retreats == ({"picket": "HR-RET-03"} if gives_way else {})
