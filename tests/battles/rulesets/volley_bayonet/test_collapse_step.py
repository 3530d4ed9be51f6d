"""The collapse step: brigades of both sides tire, roll, and run."""

from typing import Any

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.collapse_step import collapse_step
from tests.battles.rulesets.volley_bayonet.forces import Stand, field, paint, throw


def tired(*dice: int, lost: int = 5, hits: int = 1, state: int = r.DISORDERED) -> Any:
    """A brigade of two stands, level 5, with an enemy before it; the record before the step."""
    own = [Stand(x=30.0, y=30.0, brigade=0, sp=3, state=state), Stand(x=60.0, y=30.0, brigade=0, sp=3)]
    g = field(*own, Stand(1, x=30.0, y=40.0, brigade=1))
    g.brigades[0].level, g.brigades[0].lost, g.brigades[0].hits = 5, lost, hits
    throw(g, *dice)
    return g


def test_hits_of_the_step_in_which_it_tires_count_VBW_COL_04_VBD_COL_01() -> None:
    g = tired(1)
    assert collapse_step(g) == 1
    assert (g.brigades[0].exhausted, g.brigades[0].collapsed) == (1, 1)


def test_above_the_hits_it_holds_VBW_COL_05_VBD_COL_02() -> None:
    g = tired(2)
    assert collapse_step(g) == 0
    assert (g.brigades[0].exhausted, g.u[0].state, g.u[1].state) == (1, r.DISORDERED, r.GOOD)


def test_a_fresh_brigade_rolls_nothing_VBW_COL_04() -> None:
    g = tired(1, lost=4)
    assert collapse_step(g) == 0 and g.cursor == 0


def test_both_sides_brigades_are_looked_at_VBW_SEQ_06() -> None:
    g = tired(6, 1)
    g.brigades[1].level = g.brigades[1].lost = 2
    g.brigades[1].hits = 1
    assert collapse_step(g) == 1
    assert [b.collapsed for b in g.brigades[:2]] == [0, 1]


def test_the_disordered_run_from_the_nearest_enemy_in_sight_else_home_VBW_COL_06_VBD_COL_03() -> None:
    g = tired(1)
    g.u[2].x, g.u[2].y = 40.0, 30.0
    collapse_step(g)
    assert (g.u[0].x, g.u[0].y, g.u[0].state, g.u[0].sp) == (14.0, 30.0, r.ROUTED, 2)
    assert g.u[1].state == r.PERMANENT
    blind = tired(1)
    blind.u[2].x, blind.u[2].y = 50.0, 30.0
    paint(blind, "forest", x=(38, 44))
    collapse_step(blind)
    assert (blind.u[0].x, blind.u[0].y) == (30.0, 14.0)


def test_losses_of_that_rout_may_tire_another_brigade_which_rolls_next_time_VBW_EXH_02() -> None:
    g = tired(1, 1)
    g.u[0].sp = 1
    collapse_step(g)
    assert (g.u[0].place, g.brigades[0].lost) == (r.GONE, 6)
    assert collapse_step(g) == 0, "a brigade collapses once"
