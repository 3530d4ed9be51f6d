"""What a change of facing costs brigades when a commander orders it."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.facing import NEVER, change_facing, turn_share
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

FOOT = Stand()
HORSE = Stand(kind="linear_cavalry")
GUN = Stand(kind="artillery_battalion", gun="field_guns")
POOR = Stand(traits=("poorly_trained",))


@pytest.mark.parametrize(
    ("stand", "shares"),
    [(FOOT, (0.0, 0.5, 0.5)), (HORSE, (0.5, 0.5)), (GUN, (0.5, 0.5)), (POOR, (0.5,))],
)
def test_commanders_pay_for_facing_by_the_move_RTG_MOV_03(stand: Stand, shares: tuple[float, ...]) -> None:
    g = field(stand)
    u = g.u[0]
    for share in shares:
        before = u.left
        assert change_facing(g, 0)
        assert before - u.left == share
        assert u.state == r.GOOD
    if stand is not POOR:
        assert not change_facing(g, 0), "nobody gives his order for it"
    limbered = field(Stand(kind="artillery_battalion", gun="field_guns", limbered=True))
    assert all(change_facing(limbered, 0) for _ in range(5)) and limbered.u[0].left == 1.0


def test_before_a_charge_one_turns_once_RTG_CHG_01() -> None:
    for stand, share in ((FOOT, 0.0), (HORSE, 0.5), (POOR, 0.5)):
        g = field(stand)
        assert turn_share(g, g.u[0]) == share
    g = field(FOOT)
    change_facing(g, 0)
    assert turn_share(g, g.u[0]) == NEVER
