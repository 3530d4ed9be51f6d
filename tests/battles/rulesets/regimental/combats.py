"""A charge in contact, and its combat, for tests of what comes of it."""

from typing import Any

from battles.rulesets.regimental import charge_step
from tests.battles.rulesets.regimental.forces import Unit, field, throw

CHARGER, TARGET = Unit(), Unit(1, y=20.52)


def met(unit: Unit = CHARGER, target: Unit = TARGET, *others: Unit, **more: Any) -> Any:
    """A charge in contact, declared from four inches off."""
    g = field(unit, target, *others, **more)
    u = g.u[0]
    u.charges, u.from_x, u.from_y, u.over_open = 1, u.x, u.y - 4.0, 1
    return g


def fought(g: Any, attack: int, defence: int, second: int = 0) -> int:
    """The result of a combat with these dice, after which who has to breaks through or carries the ground."""
    throw(g, attack, defence)
    result = int(charge_step.fight_charge(g, 1, second))
    charge_step.make_breakthroughs(g)
    return result
