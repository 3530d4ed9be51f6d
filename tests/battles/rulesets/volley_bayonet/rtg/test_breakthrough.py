"""Following up a rout in the Morale phase."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.breakthrough import charges_on, takes_ground
from battles.rulesets.volley_bayonet.rtg.breakthrough import morale_and_breakthroughs
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field


def test_one_of_those_in_contact_takes_the_ground_of_who_routs_RTG_MOR_16_RTG_ROU_02() -> None:
    g = field(
        Stand(x=28.4, y=20.0, morale=6), Stand(x=31.6, y=20.0, morale=6),
        Stand(1, y=21.52, state=r.DISORDERED, morale=3), dice=(1, 1, 6),
    )  # fmt: skip
    g.mover = 0
    for i in range(2):
        u = g.u[i]
        u.charges, u.charged, u.edge, u.from_x, u.from_y, u.home = 2, 1, r.FRONT, u.x, 10.0, 180
    g.u[2].home = 0
    morale_and_breakthroughs(g)
    assert g.u[2].state == r.ROUTED and g.u[2].y > 30.0
    assert [float(g.u[i].y) > 20.0 for i in range(2)] == [True, False]
    assert [int(g.u[i].charges) for i in range(2)] == [-1, -1]


def test_a_cavalry_brigade_goes_on_at_another_by_half_a_move_RTG_ROU_02() -> None:
    g = field(
        Stand(kind="linear_cavalry", weight="light", y=20.0, morale=6),
        Stand(1, y=21.52, state=r.DISORDERED, morale=3), Stand(1, y=26.0, state=r.DISORDERED, morale=3),
        dice=(1, 6, 1, 1),
    )  # fmt: skip
    g.mover = 0
    u = g.u[0]
    u.charges, u.charged, u.edge, u.from_x, u.from_y, u.home = 1, 1, r.FRONT, 30.0, 10.0, 180
    g.u[1].home = g.u[2].home = 0
    morale_and_breakthroughs(g)
    assert g.u[1].state == r.ROUTED
    assert (u.charges, u.breaks) == (2, 1)


@pytest.mark.parametrize(("away", "reached"), [(9.9, True), (10.3, False)])
def test_a_breakthrough_goes_half_a_move_RTG_ROU_02(away: float, reached: bool) -> None:
    near = 20.0 + 2 * 0.75 + away
    g = field(
        Stand(kind="linear_cavalry", weight="heavy", morale=6),
        Stand(1, y=60.0, x=90.0, state=r.ROUTED),
        Stand(1, y=near, state=r.DISORDERED, morale=3, sp=1),
    )
    g.mover, u = 0, g.u[0]
    assert u.rate == 20.0
    u.charges, u.charged = 1, 1
    assert bool(charges_on(g, 0)) is reached


@pytest.mark.parametrize(("before", "state"), [(0, r.GOOD), (1, r.DISORDERED)])
def test_a_second_breakthrough_in_a_turn_costs_order_RTG_ROU_02(before: int, state: int) -> None:
    g = field(
        Stand(kind="linear_cavalry", weight="light", morale=6),
        Stand(1, y=60.0, x=90.0, state=r.ROUTED),
        Stand(1, y=26.0, state=r.DISORDERED, morale=3, sp=1),
    )
    g.mover, u = 0, g.u[0]
    u.charges, u.charged, u.breaks = 1, 1, before
    assert charges_on(g, 0)
    assert (u.breaks, u.state) == (before + 1, state)


def test_who_takes_ground_goes_the_depth_of_the_base_that_left_it_RTG_MOR_16() -> None:
    g = field(Stand(), Stand(1, y=50.0, state=r.ROUTED))
    g.u[0].charges, g.u[0].charged = 1, 1
    takes_ground(g, 0)
    assert g.u[0].y == pytest.approx(20.0 + 1.5)
