"""Following up a rout in the Morale phase."""

from battles.rulesets.volley_bayonet import records as r
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
