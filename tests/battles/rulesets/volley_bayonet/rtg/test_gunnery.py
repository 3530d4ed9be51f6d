"""Guns that limber, and who steps back from a contact."""

from battles.engine.dtypes import ASSAULT, HOLD
from battles.rulesets.volley_bayonet.allowance import begin_turn
from battles.rulesets.volley_bayonet.bases import measure_gap
from battles.rulesets.volley_bayonet.recording import FALL_BACK
from battles.rulesets.volley_bayonet.rtg import gunnery
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

GUN = Stand(kind="artillery_battalion", gun="field_guns", y=20.0)


def test_an_attacker_s_guns_limber_go_up_and_unlimber_in_the_next_turn_RTG_MOV_04_05() -> None:
    g = field(GUN, Stand(1, y=45.0))
    u = g.u[0]
    u.rate, u.rate_horse = 2.0, u.rate
    g.plan[0] = ASSAULT
    gunnery.serve_battery(g, 0, 1, measure_gap(g, 0, 1))
    assert (u.limbered, u.limbers, u.rate) == (1, 1, 16.0)
    assert u.y == 36.0
    begin_turn(g, u)
    gunnery.serve_battery(g, 0, 1, measure_gap(g, 0, 1))
    assert (u.limbered, u.rate) == (0, 2.0)
    assert measure_gap(g, 0, 1) <= g.t.short[u.weapon]


def test_guns_that_bear_or_hold_stay_in_action() -> None:
    g = field(GUN, Stand(1, y=29.0))
    g.plan[0] = ASSAULT
    gunnery.serve_battery(g, 0, 1, measure_gap(g, 0, 1))
    assert (g.u[0].limbered, g.u[0].moved) == (0, 0)
    g = field(GUN, Stand(1, y=50.0))
    g.plan[0] = HOLD
    gunnery.serve_battery(g, 0, 1, measure_gap(g, 0, 1))
    assert (g.u[0].limbered, g.u[0].moved) == (0, 0)


def test_stepping_back_an_inch_is_no_move_RTG_CHG_09() -> None:
    g = field(Stand(stationary=True), Stand(1, y=21.52))
    assert gunnery.step_back_from_contact(g, 0)
    assert (g.u[0].y, g.u[0].stationary, g.u[0].moved) == (19.0, 1, 0)
    assert [(row.what, row.y) for row in g.events[: g.events_n]] == [(FALL_BACK, 19.0)]
    held = field(Stand(), Stand(1, y=21.52), Stand(y=18.0))
    assert not gunnery.step_back_from_contact(held, 0)
    assert held.u[0].y == 20.0
