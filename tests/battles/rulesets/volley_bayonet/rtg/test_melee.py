"""Who wins a melee, what is added to a drawn one, and guns with support."""

import pytest

from battles.rulesets.volley_bayonet import melee as core
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import melee
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.states import lose_strength
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

FOOT, STILL, NO_ELITES = Stand(), Stand(stationary=True), Stand(traits=("no_elites",))
HORSE, LANCERS = Stand(kind="cavalry_brigade"), Stand(kind="cavalry_brigade", traits=("lancers",))
GUNS = Stand(kind="artillery_battery")


def test_fewer_casualties_win_and_who_has_lost_all_has_lost_RTG_MEL_01() -> None:
    assert core.find_winner(2, 1, 9, 9) == core.ATTACKER_WINS
    assert core.find_winner(1, 2, 9, 9) == core.DEFENDER_WINS
    assert core.find_winner(0, 0, 9, 9) == core.ROLL_OFF
    assert core.find_winner(2, 3, 9, 2) == core.ATTACKER_WINS


@pytest.mark.parametrize(
    ("own", "enemy", "secure", "supported", "sum_"),
    [
        (FOOT, NO_ELITES, 0, 0, 2),
        (NO_ELITES, FOOT, 0, 0, 0),
        (NO_ELITES, NO_ELITES, 0, 0, 2),
        (Stand(kind="infantry_skirmisher"), NO_ELITES, 0, 0, 2),
        (FOOT, HORSE, 0, 0, -2),
        (FOOT, HORSE, 1, 0, 2),
        (STILL, HORSE, 1, 0, 2),
        (STILL, HORSE, 0, 0, 0),
        (STILL, LANCERS, 0, 0, -2),
        (FOOT, LANCERS, 1, 0, 0),
        (GUNS, FOOT, 0, 1, 1),
        (GUNS, FOOT, 0, 0, 0),
        (GUNS, HORSE, 0, 1, -2),
        (HORSE, FOOT, 0, 0, 0),
        (HORSE, NO_ELITES, 0, 0, 0),
    ],
)
def test_modifiers_of_a_draw_RTG_MEL_03(
    own: Stand, enemy: Stand, secure: int, supported: int, sum_: int
) -> None:
    g = field(own, enemy)
    g.u[0].secure = secure
    assert melee.tie_modifier(g.u[0], g.u[1], supported) == sum_


def test_equal_totals_are_rolled_again_RTG_MEL_02() -> None:
    g = field(FOOT, dice=(3, 3, 5, 2))
    assert table("RTG-MEL-02")["reroll_ties"]
    assert core.roll_off(g, 5, 5) == core.ATTACKER_WINS
    assert g.cursor == 4


@pytest.mark.parametrize(
    ("kind", "x", "y", "face", "state", "supports"),
    [
        ("linear_infantry", 32.25, 20.0, 0, r.GOOD, True),
        ("linear_infantry", 27.75, 20.0, 40, r.GOOD, True),
        ("infantry_brigade", 30.0, 17.0, 0, r.GOOD, True),
        ("linear_infantry", 32.25, 20.0, 90, r.GOOD, False),
        ("linear_infantry", 32.25, 20.0, 0, r.DISORDERED, False),
        ("linear_infantry", 30.0, 22.25, 0, r.GOOD, False),
        ("infantry_skirmisher", 31.5, 20.0, 0, r.GOOD, False),
        ("cavalry_brigade", 33.0, 20.0, 0, r.GOOD, False),
        ("linear_infantry", 33.0, 20.0, 0, r.GOOD, False),
    ],
)
def test_a_brigade_of_foot_at_their_side_or_back_supports_guns_RTG_MEL_04(
    kind: Kind, x: float, y: float, face: int, state: int, supports: bool
) -> None:
    g = field(GUNS, Stand(kind=kind, x=x, y=y, face=face, state=state))
    assert bool(melee.is_supported(g, 0)) is supports
    g.u[1].side = 1
    assert not melee.is_supported(g, 0)


def test_a_hit_takes_a_point_and_the_last_one_the_stand_RTG_CBT_03() -> None:
    g = field(Stand(sp=2))
    assert lose_strength(g, 0, 1) == 1 and g.u[0].sp == 1
    assert lose_strength(g, 0, 3) == 1 and g.u[0].place == r.GONE
