"""Divisions that tire and collapse."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import chain, exhaustion
from battles.rulesets.volley_bayonet.states import lose_strength
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field, throw


@pytest.mark.parametrize(("morale", "level"), [(2, 4), (3, 4), (4, 4), (5, 5), (6, 6), (7, 6), (8, 6)])
def test_shares_by_morale_RTG_EXH_01(morale: int, level: int) -> None:
    assert chain.find_exhaustion_level([(10, morale)], "nearest_half_up") == level


@pytest.mark.parametrize(("rounding", "level"), [("nearest_half_up", 3), ("up", 3), ("down", 2)])
def test_rounded_once_RTG_EXH_01(rounding: str, level: int) -> None:
    assert chain.find_exhaustion_level([(5, 5)], rounding) == level
    assert chain.find_exhaustion_level([(1, 4)], "down") == 1


@pytest.mark.parametrize(("lost", "exhausted"), [(1, 0), (2, 1), (3, 1)])
def test_at_its_level_a_division_is_exhausted_and_stands_still_no_more_RTG_EXH_01_02(
    lost: int, exhausted: int
) -> None:
    g = field(Stand(division=0, sp=6, stationary=True), Stand(division=1, stationary=True), dice=(6, 6))
    g.brigades[0].level = g.brigades[1].level = 2
    lose_strength(g, 0, lost)
    exhaustion.exhaustion_phase(g)
    assert [int(g.brigades[b].exhausted) for b in range(2)] == [exhausted, 0]
    assert [int(g.u[i].stationary) for i in range(2)] == [1 - exhausted, 1]


def test_one_that_has_just_become_exhausted_rolls_at_once_RTG_EXH_03() -> None:
    g = field(Stand(division=0, sp=6), dice=(3,))
    g.brigades[0].level = 2
    exhaustion.begin_turn(g)
    lose_strength(g, 0, 3)
    assert exhaustion.count_division_losses(g, 0) == 3
    assert exhaustion.exhaustion_phase(g) == 1
    assert (g.brigades[0].collapsed, g.u[0].state) == (1, r.DISORDERED)


def test_casualties_of_this_player_turn_count_routs_among_them_RTG_EXH_03() -> None:
    g = field(Stand(division=0, sp=6))
    e = g.brigades[0]
    e.level = 1
    lose_strength(g, 0, 4)
    exhaustion.begin_turn(g)
    throw(g, 1)
    assert exhaustion.exhaustion_phase(g) == 0 and g.cursor == 0, "none in this turn, so no die"
    lose_strength(g, 0, 1)
    throw(g, 2)
    assert exhaustion.exhaustion_phase(g) == 0 and g.cursor == 1


def test_collapse_drops_all_a_level_with_all_it_brings_and_comes_once_RTG_EXH_04_RTG_ROU_01() -> None:
    g = field(
        Stand(division=0, sp=5),
        Stand(division=0, sp=5, state=r.DISORDERED),
        Stand(division=0, sp=5, state=r.PERMANENT),
        Stand(division=0, sp=5, state=r.ROUTED),
        Stand(division=1, sp=5),
        dice=(1, 1),
    )
    g.brigades[0].level = 1
    lose_strength(g, 0, 1)
    assert exhaustion.exhaustion_phase(g) == 1
    states = [int(g.u[i].state) for i in range(5)]
    assert states == [r.DISORDERED, r.ROUTED, r.ROUTED, r.REMOVED, r.GOOD]
    assert [int(g.u[i].sp) for i in range(3)] == [4, 4, 4]
    assert [int(g.u[i].runs) for i in range(3)] == [0, 1, 1]
    assert exhaustion.exhaustion_phase(g) == 0
