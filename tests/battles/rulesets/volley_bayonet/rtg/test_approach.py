"""Brigades on their way to the enemy, through villages and round what bars."""

import pytest

from battles.engine.wayfinding import HAS_WAY, NO_NEED
from battles.rulesets.volley_bayonet import approach, commander
from battles.rulesets.volley_bayonet.rtg.tables import TOWN_ROOM, VILLAGE_ROOM
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field


@pytest.mark.parametrize(("room", "bars"), [(TOWN_ROOM, True), (VILLAGE_ROOM, False)])
def test_a_way_leads_through_villages_and_round_towns_RTG_TER_22(room: int, bars: bool) -> None:
    g = field(Stand(x=30.0, y=20.0), Stand(1, x=30.0, y=60.0))
    block = g.structures[build(g, 30.0, 30.0)]
    block.capacity, block.sp = room, 3
    prices = approach.prices_for(g, 0)
    assert (prices[30, 30] == 0.0) == bars
    assert (prices[30, 32] > 1.0) == bars, "beside it"


def test_who_stands_in_a_village_goes_on_RTG_TER_22() -> None:
    g = field(Stand(x=30.0, y=30.0), Stand(1, x=30.0, y=60.0))
    village = g.structures[build(g, 30.0, 30.0)]
    village.capacity, village.sp = VILLAGE_ROOM, 3
    g.u[0].stuck, g.u[0].asked_in = 9, g.turn
    approach.goes_by_way(g, 0, 30.0, 60.0, 2.0)
    assert g.u[0].has_way == NO_NEED


def test_a_brigade_on_its_way_is_not_turned_to_an_enemy_it_does_not_see_HR_BAT_02(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    g = field(Stand(x=30.0, y=20.0, face=90), Stand(1, x=30.0, y=24.0))
    u, asked = g.u[0], []
    monkeypatch.setattr(commander, "can_see", lambda *_: False)
    monkeypatch.setattr(commander, "presses_on", lambda *_: asked.append(1) or 1.0)
    monkeypatch.setattr(commander, "close_to", lambda *_: 1.0)
    goes_up = getattr(commander.goes_up, "py_func", commander.goes_up)
    u.has_way = HAS_WAY
    goes_up(g, 0, 1, 2.0)
    assert asked == []
    u.has_way = NO_NEED
    goes_up(g, 0, 1, 2.0)
    assert asked == [1]
