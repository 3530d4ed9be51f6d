"""What commanders of every ruleset do alike."""

import pytest

from battles.engine.commanding import flank_direction, plan_changes
from battles.engine.dtypes import ASSAULT, HOLD
from tests.battles.engine.small import record


@pytest.mark.parametrize(("until", "turn", "plan"), [(0, 9, HOLD), (3, 3, HOLD), (3, 4, ASSAULT)])
def test_a_plan_holds_to_the_end_of_its_last_turn(until: int, turn: int, plan: int) -> None:
    g = record()
    g.turn, g.plan[1] = turn, HOLD
    g.plans[1].until, g.plans[1].then_ = until, ASSAULT
    plan_changes(g, 1)
    assert g.plan[1] == plan
    assert g.plan[0] == 0


def test_left_and_right_are_as_the_own_troops_see_them() -> None:
    g = record()
    ways = {}
    for side in range(2):
        for flank in (-1, 1):
            g.plans[side].flank = flank
            ways[side, flank] = flank_direction(g, side)
    assert ways == {(0, -1): -1.0, (0, 1): 1.0, (1, -1): 1.0, (1, 1): -1.0}
