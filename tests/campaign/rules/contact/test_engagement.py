"""One die to get away, and whose orders lapse when enemies stop face to face (HR-CON-02 to -06)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Stance, UnitStatus, World
from rosters.domain.vocabulary import TroopType
from tests.factories.little_wars import completed, little_world, orders, pending, place, told, way
from tests.factories.scripted_dice import ScriptedDice

LEAVE = Order("gates", ("castleton",), stance="avoid")


def walloomsac(burgoyne: str = "albany", *, dark: int = 1200, ford: bool = False, wet: int = 0) -> World:
    """Albany -4- Bennington -6- Castleton, the last by road or ford: Burgoyne (3) and Gates (2)."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton")),
        (
            way("albany", "bennington", 4),
            way("bennington", "castleton", 6, crossing="ford" if ford else "none"),
        ),
        {"burgoyne": ("crown", burgoyne, 3), "gates": ("rebel", "bennington", 2)},
        holders={"albany": "crown", "bennington": "rebel", "castleton": "rebel"},
        supply={"crown": ("albany",), "rebel": ("castleton",)},
        settings=RuleSettings(dark=dark),
        weather="rain" if wet else "fair",
    )
    return replace(world, wet_days=wet)


def script(dice: Mapping[str, Sequence[int]] | None = None) -> ScriptedDice:
    return ScriptedDice({"HR-WEA-02": [6, 6], **(dice or {})})


def test_hr_con_02_who_is_caught_marching_off_at_dawn_has_no_second_die() -> None:
    """Gates avoids battle and is ordered away; the die of HR-CON-04 is his one die for the contact."""
    given = orders(LEAVE, Order("burgoyne", stance="attack"))
    contact = pending(walloomsac("bennington"), given, script({"HR-CON-04": [2]}))
    assert (contact.key, contact.minute, contact.attacker) == ("d0/bennington/1", 240, "crown")


def test_hr_con_06_a_train_that_is_caught_marching_off_at_dawn_is_taken() -> None:
    world = walloomsac("bennington")
    wagons = {
        key: replace(unit, troop_type=TroopType.WAGON, points=0) if unit.side == "rebel" else unit
        for key, unit in world.units.items()
    }
    given = orders(LEAVE, Order("burgoyne", stance="attack"))
    done = completed(replace(world, units=wagons), given, script({"HR-CON-04": [2]}))
    assert [event.rule for event in told(done.events, "escape")] == ["HR-CON-04"]
    assert not told(done.events, "flight")
    assert done.world.units["gates_1"].status is UnitStatus.SURRENDERED


def test_hr_con_05_at_dusk_who_came_up_loses_his_orders_and_who_stood_keeps_them() -> None:
    """Gates waits for a ford to fall, ordered to Castleton, when Burgoyne comes up at dusk."""
    world = walloomsac(dark=460, ford=True, wet=3)
    given = orders(
        Order("burgoyne", ("bennington", "albany")), Order("gates", ("castleton",), stance="delay")
    )
    done = completed(world, given, script())
    assert told(done.events, "march_held_up")
    assert told(done.events, "contact_at_dusk")
    assert done.world.formations["burgoyne"].order is None
    assert done.world.formations["gates"].order == given["gates"]


@pytest.mark.parametrize("stance", ["delay", "avoid"])
def test_hr_con_03_at_a_stand_off_who_stood_keeps_his_orders(stance: Stance) -> None:
    """Neither wants battle, and the weaker, whose only way back is a ford in flood, cannot give way."""
    world = walloomsac(ford=True, wet=3)
    given = orders(
        Order("burgoyne", ("bennington",), stance="delay"), Order("gates", ("castleton",), stance=stance)
    )
    done = completed(world, given, script())
    assert told(done.events, "stand_off")
    assert done.world.formations["burgoyne"].order == Order("burgoyne", stance="delay")
    assert done.world.formations["gates"].order == given["gates"]
