"""Who shoots at whom, and who fires back."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import aiming
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field

GUN = Stand(kind="artillery_battalion", gun="field_guns", y=20.0)


@pytest.mark.parametrize(
    ("aside", "ahead", "seen"),
    [(0.0, 8.0, True), (3.9, 8.0, True), (6.0, 8.0, False), (0.0, -8.0, False), (0.0, 14.0, False)],
)
def test_guns_fire_straight_ahead_within_range_RTG_RNG_02(aside: float, ahead: float, seen: bool) -> None:
    g = field(GUN, Stand(1, x=30.0 + aside, y=20.0 + ahead))
    assert (aiming.shot_inches(g, 0, 1) >= 0.0) == seen


def test_foot_fires_to_two_inches_and_its_gun_to_four_RTG_CBT_22() -> None:
    g = field(Stand(), Stand(1, y=24.5), Stand(traits=("dedicated_gun",), x=40.0), Stand(1, x=40.0, y=24.5))
    assert aiming.shot_inches(g, 0, 1) == aiming.NO_SHOT
    assert aiming.shot_inches(g, 2, 3) == pytest.approx(3.0)
    g.u[2].dedicated = 0
    assert aiming.shot_inches(g, 2, 3) == aiming.NO_SHOT


def test_the_limbered_the_routed_and_columns_do_not_fire_RTG_MOV_06_RTG_ROU_01() -> None:
    g = field(GUN, Stand(1, y=28.0))
    assert aiming.reach_of(g, g.u[0]) == 10.0
    g.u[0].limbered = 1
    assert aiming.reach_of(g, g.u[0]) == 0.0
    g.u[1].state = r.ROUTED
    assert aiming.reach_of(g, g.u[1]) == 0.0
    g.u[1].state, g.u[1].form = r.GOOD, r.ROAD_MARCH
    assert aiming.reach_of(g, g.u[1]) == 0.0


def test_screens_stop_muskets_but_not_guns_RTG_RNG_02() -> None:
    g = field(
        Stand(y=20.0), Stand(1, y=23.2), Stand(1, kind="infantry_skirmisher", y=21.6),
        Stand(kind="artillery_battalion", gun="field_guns", y=15.0),
    )  # fmt: skip
    assert aiming.shot_inches(g, 0, 1) == aiming.NO_SHOT
    assert aiming.shot_inches(g, 0, 2) >= 0.0
    g.u[0].place = r.GONE
    assert aiming.shot_inches(g, 3, 1) >= 0.0


def test_the_nearest_of_who_aims_is_answered_but_not_out_of_stone_RTG_CBT_01_RTG_TER_23() -> None:
    g = field(
        Stand(x=28.0, y=20.0), Stand(x=32.0, y=19.5),
        Stand(1, x=30.0, y=23.0), Stand(1, kind="artillery_battalion", gun="field_guns", x=28.0, y=24.5),
    )  # fmt: skip
    g.mover = 0
    g.u[0].aims = g.u[1].aims = 2
    assert aiming.nearest_attacker(g, 2) == 0
    g.u[0].aims = 3
    assert aiming.nearest_attacker(g, 2) == 1
    assert aiming.nearest_attacker(g, 3) == 0
    k = build(g, 28.0, 20.0)
    g.u[0].inside, g.stone[k] = k, 1
    assert aiming.is_stone(g, g.u[0]) == 1
    # small arms have no effect on it, and guns wait for a turn of their own
    g.u[0].aims = 2
    assert aiming.nearest_attacker(g, 2) == 1
    g.u[0].aims = 3
    assert aiming.nearest_attacker(g, 3) == aiming.NONE


def test_a_shot_is_worth_more_where_fewer_saves_are() -> None:
    g = field(Stand(), Stand(1, y=23.0), Stand(1, kind="infantry_skirmisher", x=40.0, y=23.0))
    assert aiming.shot_worth(g, 0, 1, 1.5) > aiming.shot_worth(g, 0, 2, 1.5) > 0.0
    g.mover = 0
    aiming.aim_stands(g)
    assert g.u[0].aims == 1
