"""What a commander does with guns (REG-GUN-01, REG-GUN-02, REG-GUN-03, REG-UNI-02)."""

from typing import Any

import pytest

from battles.engine.dtypes import ASSAULT, HOLD, WITHDRAW
from battles.rulesets.regimental import gunnery
from battles.rulesets.regimental import records as r
from tests.battles.rulesets.regimental.forces import Unit, field, told


def served(unit: Unit, enemy: float, *, may: int = r.MAY_BE_WELL, plan: int = ASSAULT, **more: int) -> Any:
    """A battery that has been served with an enemy so many inches up the table."""
    g = field(unit, Unit(1, y=20.0 + enemy))
    for name, value in more.items():
        setattr(g.u[0], name, value)
    g.u[0].may = may
    gunnery.serve_guns(g, 0, plan)
    return g.u[0]


GUN, LIGHT = Unit(gun="medium gun", stands=2), Unit(gun="light gun", stands=2)
LIMBERED = Unit(gun="medium gun", stands=2, form=r.LIMBERED)
LIGHT_LIMBERED = Unit(gun="light gun", stands=2, form=r.LIMBERED)


@pytest.mark.parametrize("may", [r.MAY_BE_TARDY, r.MAY_BE_WELL])
def test_guns_that_bear_fire_REG_GUN_01_REG_GUN_02_REG_GUN_03(may: int) -> None:
    u = served(GUN, 15.0, may=may)
    assert (u.fires, u.may, u.form) == (1, r.NOTHING, r.UNLIMBERED)


def test_guns_unlimber_and_only_light_ones_fire_at_once_REG_GUN_01() -> None:
    assert (served(LIMBERED, 12.0).form, served(LIMBERED, 12.0).fires) == (r.UNLIMBERED, 0)
    assert (served(LIGHT_LIMBERED, 12.0).form, served(LIGHT_LIMBERED, 12.0).fires) == (r.UNLIMBERED, 1)
    assert served(LIGHT_LIMBERED, 12.0, may=r.MAY_BE_TARDY).fires == 0


def test_limbered_guns_go_up_and_light_ones_unlimber_there_REG_GUN_01_REG_GUN_02() -> None:
    u = served(LIMBERED, 30.0)
    assert (u.y, u.form, u.fires) == (28.0, r.LIMBERED, 0)
    assert served(LIMBERED, 30.0, may=r.MAY_BE_TARDY).y == 28.0
    assert served(LIGHT_LIMBERED, 23.0).form == r.UNLIMBERED


def test_guns_are_laid_anew_and_light_ones_fire_too_REG_GUN_01() -> None:
    turned = Unit(gun="medium gun", stands=1, face=90)
    assert (served(turned, 15.0).face, served(turned, 15.0).fires) == (0, 0)
    light = Unit(gun="light gun", stands=1, face=90)
    assert (served(light, 15.0).face, served(light, 15.0).fires) == (0, 1)
    assert served(light, 15.0, may=r.MAY_BE_TARDY).fires == 0


def test_silenced_guns_rally_by_a_well_handled_maneuver_REG_GUN_01_REG_UNI_02() -> None:
    u = served(GUN, 15.0, silent=1, silent_damaged=1)
    assert (u.silent, u.silent_damaged, u.damaged, u.fires) == (0, 0, 1, 0)
    assert served(GUN, 15.0, silent=2, may=r.MAY_BE_TARDY).silent == 2


def test_guns_replenish_when_nothing_is_in_range_REG_GUN_01_REG_FIR_10() -> None:
    assert served(GUN, 40.0, plan=HOLD, low=1).low == 0
    assert served(GUN, 15.0, plan=HOLD, low=1).low == 1


def test_guns_of_a_side_that_withdraws_limber_first_REG_GUN_01() -> None:
    assert served(GUN, 15.0, plan=WITHDRAW).form == r.LIMBERED
    assert served(Unit(gun="emplaced gun", stands=1), 15.0, plan=WITHDRAW).form == r.UNLIMBERED


def test_an_attackers_guns_limber_when_all_is_far_REG_GUN_02() -> None:
    assert served(GUN, 40.0).form == r.LIMBERED
    assert served(GUN, 40.0, plan=HOLD).form == r.UNLIMBERED


@pytest.mark.parametrize(
    ("gun", "may", "inches"),
    [
        ("light gun", r.MAY_BE_WELL, 2.0),
        ("galloper", r.MAY_BE_WELL, 4.0),
        ("light gun", r.MAY_BE_TARDY, 0.0),
        ("medium gun", r.MAY_BE_WELL, 0.0),
    ],
)
def test_light_pieces_are_hauled_to_where_they_bear_REG_GUN_01(gun: str, may: int, inches: float) -> None:
    """A friend stands before the piece: it is drawn to one side of him."""
    g = field(Unit(gun=gun, stands=1), Unit(1, y=36.0, stands=2), Unit(y=22.0, stands=3))
    assert not gunnery.has_target(g, 0)
    g.u[0].may = may
    gunnery.serve_guns(g, 0, HOLD)
    gone = ((g.u[0].x - 30.0) ** 2 + (g.u[0].y - 20.0) ** 2) ** 0.5
    assert gone == pytest.approx(inches, abs=0.01)
    assert (g.u[0].form, g.u[0].face) == (r.UNLIMBERED, 0)
    assert ("hauled" in told(g)) == bool(inches) == bool(gunnery.has_target(g, 0))
