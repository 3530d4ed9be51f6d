"""Who wins a melee, and drawn ones, beyond what the worked checks play."""

import pytest

from battles.rulesets.volley_bayonet import melee
from tests.battles.rulesets.volley_bayonet.forces import Stand, field


@pytest.mark.parametrize(
    ("hits", "sp", "result"),
    [
        ((2, 1), (3, 3), melee.ATTACKER_WINS),
        ((1, 2), (3, 3), melee.DEFENDER_WINS),
        ((1, 2), (3, 1), melee.ATTACKER_WINS),
        ((5, 3), (3, 6), melee.DEFENDER_WINS),
        ((1, 3), (3, 1), melee.NOBODY),
        ((0, 0), (3, 3), melee.ROLL_OFF),
    ],
)
def test_hits_decide_unless_a_side_is_gone_VBW_MEL_01_VBW_MEL_02_VBD_MEL_01_VBD_MEL_02(
    hits: tuple[int, int], sp: tuple[int, int], result: int
) -> None:
    assert melee.find_winner(*hits, *sp) == result


def test_equal_totals_are_rolled_again_or_fall_to_the_defender_VBW_MEL_03_VBD_MEL_03() -> None:
    for choice, nerves, result, dice in (("reroll", (5, 4), 1, 4), ("defender_wins", (5, 4), -1, 2)):
        g = field(Stand(), options={"tie_after_rolloff": choice}, dice=(3, 4, 6, 2))
        assert melee.roll_off(g, *nerves) == result
        assert g.cursor == dice


def test_no_elites_take_one_off_at_wing_scale_alone_VBW_ABL_05_VBD_MEL_03() -> None:
    for scale, nerve in (("vb_wing", 4), ("vb_division", 5)):
        g = field(Stand(abilities=("NE",)), scale=scale)
        g.u[0].nerve = 5
        assert melee.tie_nerve(g, g.u[0]) == nerve
