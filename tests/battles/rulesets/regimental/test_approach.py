"""How a unit gets somewhere when nothing but works lies in its way."""

import pytest

from battles.engine.dtypes import FIELDWORK
from battles.engine.wayfinding import HAS_WAY, NO_NEED, PATIENCE
from battles.rulesets.regimental import approach
from battles.rulesets.regimental import records as r
from tests.battles.rulesets.regimental.forces import Unit, draw_line, field


@pytest.mark.parametrize(("piece", "way"), [(Unit(gun="light gun"), HAS_WAY), (Unit(), NO_NEED)])
def test_works_alone_are_gone_round_by_who_cannot_scale_them_REG_TRP_01(piece: Unit, way: int) -> None:
    g = field(piece, Unit(1, y=60.0))
    draw_line(g, FIELDWORK, 26.0, right=60.0)
    assert (g.goings_n, g.buildings_n) == (1, 0)
    u = g.u[0]
    u.may, u.stuck, u.least_left, u.asked_in = r.MAY_BE_WELL, PATIENCE, 0.0, g.turn
    approach.goes_by_way(g, 0, 30.0, 50.0, 2.0)
    assert u.has_way == way
    assert bool(u.via_x > 60.0) is (way == HAS_WAY)
