"""Who marches to the sound of the guns, and by which way (HR-CON-09)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.contact.contact import Contact
from campaign.rules.map.atlas import Route
from campaign.rules.world.world import Order, World
from rosters.domain.vocabulary import TroopType
from tests.factories.little_wars import little_world, orders, pending, place, way
from tests.factories.scripted_dice import ScriptedDice

ATTACK = orders(Order("burgoyne", ("bennington",), stance="attack"))


def near_bennington(*routes: Route, wet: int = 0, **warner: Any) -> World:
    """Albany -2- Bennington, where Gates stands, and Dorset near it, where Warner has no orders."""
    world = little_world(
        tuple(place(name) for name in ("albany", "bennington", "castleton", "dorset")),
        (way("albany", "bennington", 2), *routes),
        {
            "burgoyne": ("crown", "albany", 3),
            "gates": ("rebel", "bennington", 2),
            "warner": ("rebel", "dorset", 1),
        },
        holders={"bennington": "rebel", "dorset": "rebel"},
        weather="rain" if wet else "fair",
    )
    units = {**world.units, "warner_1": replace(world.units["warner_1"], **warner)}
    return replace(world, units=units, wet_days=wet)


def battle(world: World, *dice: int) -> Contact:
    script: dict[str, Sequence[int]] = {"HR-WEA-02": [6]}
    if dice:
        script["HR-CON-09/d0/bennington/1/warner"] = dice
    return pending(world, ATTACK, ScriptedDice(script))


def came(contact: Contact) -> dict[str, int]:
    return {each.formation: each.minute - contact.minute for each in contact.participants}


DIRECT = way("bennington", "dorset", 2)
TRAIL = way("bennington", "dorset", 2, "trail", wheeled=False)
FORD = way("bennington", "dorset", 2, crossing="ford")
ROUND = (way("bennington", "castleton", 2), way("castleton", "dorset", 3))


def test_hr_con_09_a_friend_at_hand_comes_on_a_four() -> None:
    assert came(battle(near_bennington(DIRECT), 4)) == {"burgoyne": 0, "gates": 0, "warner": 100}
    assert came(battle(near_bennington(DIRECT), 3)) == {"burgoyne": 0, "gates": 0}


def test_hr_for_03_units_that_hold_a_place_for_good_do_not_march_to_the_guns() -> None:
    assert came(battle(near_bennington(DIRECT, static=True))) == {"burgoyne": 0, "gates": 0}


@pytest.mark.parametrize(
    ("short", "wet", "facts"),
    [
        (TRAIL, 0, {"troop_type": TroopType.AMERICAN_ARTILLERY}),
        (FORD, 3, {}),
        (way("bennington", "dorset", 2, "river"), 0, {}),
    ],
    ids=["HR-MAR-02 guns on a trail", "HR-MAR-07 a ford in flood", "HR-WAT-01 no boats"],
)
def test_hr_con_09_helpers_go_round_by_a_way_they_can_take(
    short: Route, wet: int, facts: dict[str, Any]
) -> None:
    """The short way is closed to Warner; he comes by Castleton, 5 miles, or not at all."""
    contact = battle(near_bennington(short, *ROUND, wet=wet, **facts), 6)
    assert came(contact)["warner"] > 100
    without = battle(near_bennington(short, wet=wet, **facts))
    assert set(came(without)) == {"burgoyne", "gates"}


def test_hr_con_09_on_foot_the_trail_is_the_nearest_way() -> None:
    by_trail = came(battle(near_bennington(TRAIL, *ROUND), 6))["warner"]
    by_road = came(battle(near_bennington(*ROUND), 6))["warner"]
    assert by_trail < by_road == 250
