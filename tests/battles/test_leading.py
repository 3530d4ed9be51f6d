"""How generals ride: their moves, what slows them, over water and past the enemy (AWI-T-GEN-03)."""

from typing import Any

import pytest

from battles.engine.events import decode_events
from battles.engine.raster import raster_write, structure_add, work_add
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import generals, leading
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, leader, table

LINE_FOOT = TroopType.CONTINENTAL_LINE
FRASER = leader("Fraser", commands=("unit 0", "unit 1", "unit 2"), with_unit="unit 0")


def field(**more: Any) -> Any:
    """Three Crown battalions under Fraser, the last 40 inches away, and one of Congress far off."""
    crown = [Stand(0, LINE_FOOT, x, 20) for x in (30, 36, 76)]
    return table(*crown, Stand(1, LINE_FOOT, 48, 50, face=180), leaders=(FRASER,), **more)


def test_he_rides_18_inches_half_that_when_wounded_AWI_T_GEN_03() -> None:
    g = field()
    assert leading.move_general(g, 0, 70.0, 20.0)
    assert (g.generals[0].unit, g.generals[0].x, g.generals[0].y) == (-1, 48.0, 20.0)
    generals.wound_general(g, 0)
    leading.move_general(g, 0, 70.0, 20.0)
    assert g.generals[0].x == 57.0


def test_the_general_move_is_an_option_AWI_T_GEN_03() -> None:
    g = field(options={"general_move": 15})
    leading.move_general(g, 0, 70.0, 20.0)
    assert g.generals[0].x == 45.0


def test_he_joins_a_unit_he_can_reach_AWI_T_GEN_03() -> None:
    g = field()
    assert leading.join_unit(g, 0, 1)
    assert g.generals[0].unit == 1
    assert generals.test_bonus(g, 1) == 1
    assert not leading.join_unit(g, 0, 2), "forty inches are too far"
    assert not leading.join_unit(g, 0, 3), "and that is the enemy"
    event = decode_events(g.events[: g.events_n], (CROWN, CONGRESS), ("a", "b", "c", "d"), ("Fraser",))[0]
    assert (event.kind, event.actor, event.target) == ("general_joins", "b", "Fraser")


def test_mounted_costs_slow_him_AWI_T_GEN_03() -> None:
    g = field()
    g.plain, g.cost[0, :] = 0, 2.0
    leading.move_general(g, 0, 70.0, 20.0)
    assert g.generals[0].x == pytest.approx(39.0, abs=0.5)
    g.cost[0, :] = 0.0
    assert not leading.move_general(g, 0, 70.0, 20.0), "where horse cannot go he cannot"


def test_a_work_costs_him_a_whole_move_AWI_T_TER_02() -> None:
    g = field()
    work_add(g, 0, 40.0, 10.0, 40.0, 30.0, structure_add(g, 0, 3, 3))
    leading.move_general(g, 0, 60.0, 20.0)
    assert 39.0 < g.generals[0].x < 40.0
    leading.move_general(g, 0, 60.0, 20.0)
    assert 40.0 < g.generals[0].x < 41.0
    leading.move_general(g, 0, 60.0, 20.0)
    assert g.generals[0].x > 57.0


@pytest.mark.parametrize(("gate", "turns"), [("bridge", 2), ("ford", 3)])
def test_he_rides_over_water_by_bridge_or_ford_AWI_T_TER_08_TER_09(gate: Any, turns: int) -> None:
    g = field()
    river = (Feature("river", ((0.0, 30.0), (96.0, 30.0))), Feature(gate, ((36.0, 30.0),)))
    raster_write(g, BattleGround(features=river), terrain_for(options_resolve({})))
    g.u[3].x, g.u[3].y = 90.0, 50.0
    for _ in range(turns):
        assert generals.place_of(g, 0)[1] < 40.0
        assert leading.move_general(g, 0, 30.0, 40.0)
        x, y = generals.place_of(g, 0)
        assert not 26.5 < y < 33.5 or abs(x - 36.0) < 1.0, "in the water"
    assert generals.place_of(g, 0) == (30.0, 40.0)


def test_he_does_not_ride_over_a_bridge_that_is_held_AWI_T_SEQ_03() -> None:
    g = field()
    river = (Feature("river", ((0.0, 30.0), (96.0, 30.0))), Feature("bridge", ((36.0, 30.0),)))
    raster_write(g, BattleGround(features=river), terrain_for(options_resolve({})))
    g.u[3].x, g.u[3].y = 36.0, 36.0
    for _ in range(4):
        leading.move_general(g, 0, 30.0, 40.0)
    assert generals.place_of(g, 0)[1] < 27.0


def test_he_does_not_ride_through_the_enemy_AWI_T_SEQ_03() -> None:
    g = field()
    g.u[3].x, g.u[3].y = 42.0, 20.0
    assert not leading.move_general(g, 0, 60.0, 20.0)
