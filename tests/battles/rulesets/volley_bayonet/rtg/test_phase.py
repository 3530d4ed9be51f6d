"""A player turn: who loses touch, commanders in harm's way, what happens in each phase."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import phase
from battles.rulesets.volley_bayonet.rtg.combats import BURNT
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, DIVISION_COMMANDER
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, build, field, throw


@pytest.mark.parametrize(
    ("apart", "moved", "state"), [(0.0, 1, r.GOOD), (2.0, 1, r.DISORDERED), (2.0, 0, r.GOOD)]
)
def test_who_moves_out_of_touch_has_moved_out_of_command_RTG_CMD_02(
    apart: float, moved: int, state: int
) -> None:
    g = field(Stand(division=0), Stand(x=33.05 + apart, division=0))
    g.mover = 0
    g.u[1].leans, g.u[1].moved, g.u[0].leans = 0, moved, -1
    phase.loses_touch(g)
    assert (g.u[0].state, g.u[1].state) == (r.GOOD, state)


def test_a_lone_commander_who_is_met_goes_to_his_men_however_far_RTG_MIS_03() -> None:
    g = field(
        Stand(1, x=30.0, y=20.0), Stand(x=90.0, y=50.0, division=0),
        leaders=(Leader(0, DIVISION_COMMANDER, 30.0, 20.0, 0),),
    )  # fmt: skip
    phase.get_away(g)
    assert (g.leaders[0].x, g.leaders[0].y) == (90.0, 50.0)
    g.leaders[0].x, g.leaders[0].y = 30.0, 20.0
    g.u[1].place = r.GONE
    phase.get_away(g)
    assert g.leaders[0].state == r.LOST


def test_phases_follow_each_other_and_rally_comes_after_movement_RTG_GEN_02_RTG_RAL_02() -> None:
    g = field(
        Stand(state=r.ROUTED, division=0), Stand(1, y=60.0),
        leaders=(Leader(0, CHIEF, 30.0, 18.0),),
    )  # fmt: skip
    g.mover = 0
    g.leaders[0].rate = g.t.commanders
    phase.brigades_phase(g)
    assert g.step == 6
    assert (g.u[0].state, g.u[0].rallied, g.u[0].moved) == (r.PERMANENT, 1, 0)


@pytest.mark.parametrize("crown_second", [0, 1])
def test_a_fire_is_rolled_for_once_in_a_game_turn_RTG_TER_24(crown_second: int) -> None:
    g = field(Stand(), Stand(1, y=60.0))
    village = build(g, 60.0, 28.0)
    g.structures[village].capacity, g.lit[village] = 1, 2
    g.crown, g.o.crown_second, g.turn = 0, crown_second, 4
    throw(g, 4, 5)
    for side in (crown_second, 1 - crown_second):
        g.mover = side
        phase.brigades_phase(g)
    assert (g.cursor, g.lit[village]) == (1, 2), "one die in the turn, and it burns on"
    g.turn, g.mover = 5, crown_second
    phase.brigades_phase(g)
    assert g.lit[village] == BURNT
