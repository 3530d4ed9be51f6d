"""The Army Commander with a stand that loses men."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import chief
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, ahead_of, field


@pytest.mark.parametrize("die", range(1, 7))
def test_he_is_killed_on_a_6_and_is_with_nobody_then_RTG_MIS_01(die: int) -> None:
    g = field(Stand(), leaders=(Leader(0, CHIEF, 0.0, 0.0),), dice=(die,))
    g.leaders[0].x, g.leaders[0].y = ahead_of(g, 0, 0.0)
    assert chief.chief_with(g, 0) == 0
    assert bool(chief.risk_chief(g, 0, 0)) is (die == 6)
    assert g.leaders[0].state == (r.FALLEN if die == 6 else r.COMMANDS)
    assert chief.chief_with(g, 0) == (chief.NOBODY if die == 6 else 0)
