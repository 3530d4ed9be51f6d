"""What a charge strikes: zones, circumstances, chances."""

import pytest

from battles.engine.dtypes import OVER_NOTHING, OVER_WORKS
from battles.rulesets.awi import charged, melee
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import AHEAD, Stand, pair, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(("face", "zone"), [(180, charged.FRONT), (90, charged.FLANK), (0, charged.REAR)])
def test_zone_that_most_of_the_charger_strikes_AWI_T_CHG_04(face: int, zone: int) -> None:
    assert charged.zone_of(pair(LINE_FOOT, face=face), 0, 1) == zone


def test_every_charger_must_cross_the_obstacle_AWI_T_TER_11_FOR_04() -> None:
    g = table(Stand(0, LINE_FOOT, 46, 28), Stand(0, LINE_FOOT, 50, 28), Stand(1, LINE_FOOT, 48, AHEAD, 180))
    for i, over in ((0, OVER_WORKS), (1, OVER_WORKS)):
        g.u[i].charges, g.u[i].over = 2, over
    assert charged.circumstances(g, 2) & melee.FORTIFIED
    g.u[1].over = OVER_NOTHING
    assert not charged.circumstances(g, 2) & (melee.FORTIFIED | melee.OBSTACLE)


def test_value_of_a_charge_is_the_exact_chance_AWI_T_CHG_03_MEL_08() -> None:
    # British line, +1, on Continentals of basic morale 5: they run on 5 and 6, else the dice decide
    fought = 0.0
    for one in range(1, 7):
        for two in range(1, 7):
            lead = 1 + one - two
            fought += (0.0 if lead == 0 else 0.5 if abs(lead) == 1 else 1.0) * (1 if lead > 0 else -1) / 36
    value = charged.charge_value(pair(T.BRITISH_LINE), 0, 1, charged.FRONT, 0)
    assert value == pytest.approx(2 / 6 + 4 / 6 * fought)
