"""Whether troops under orders to go forward gain ground."""

from typing import Any

import pytest

from battles.engine.dtypes import ADVANCE, ASSAULT, GOES_ON, HOLD, NO_CONTACT, NO_WAY, TURN_FLANK
from battles.engine.progress import (
    FALLS_BACK,
    MOST_TRIES,
    break_off_attack,
    inches_to_go,
    is_ordered_back,
    is_pressing,
    note_progress,
    nothing_comes_of_it,
    spell_begins,
    turn_begins,
    turn_ends,
)
from battles.engine.wayfinding import FAR, HAS_WAY, NO_NEED, NO_WAY_THERE, take_way
from tests.battles.engine.small import Piece, record
from tests.battles.engine.test_wayfinding import SPOT_X, SPOT_Y, lake


def field() -> Any:
    """Somebody who is to assault, 20 inches from the enemy, in the second turn without a shot."""
    g = record(Piece(x=30.5, y=10.5), Piece(1, x=SPOT_X, y=SPOT_Y))
    g.plan[:] = ASSAULT, HOLD
    turn_begins(g)
    turn_begins(g)
    spell_begins(g, 0, inches_to_go(g, 0, 0.0))
    return g


@pytest.mark.parametrize(("forward", "gained"), [(0.0, 0), (0.05, 0), (0.2, 1), (-1.0, 0)])
def test_only_who_comes_nearer_gains_ground(forward: float, gained: int) -> None:
    g = field()
    g.u[0].y += forward
    note_progress(g, 0, inches_to_go(g, 0, 0.0))
    turn_ends(g)
    assert (g.gained, g.idle) == (gained, 1 - gained)


def test_who_finds_a_way_has_gained_no_ground_by_that_but_gains_it_along_the_way() -> None:
    g = field()
    take_way(g, lake(g, left=20, low=18, right=40, high=22), g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert g.u[0].nearest == FAR
    note_progress(g, 0, inches_to_go(g, 0, 0.0))
    turn_ends(g)
    assert (g.gained, g.idle) == (0, 1)
    assert g.u[0].nearest == inches_to_go(g, 0, 0.0)
    turn_begins(g)
    g.u[0].x += 0.05 * (g.u[0].via_x - g.u[0].x)
    g.u[0].y += 0.05 * (g.u[0].via_y - g.u[0].y)
    note_progress(g, 0, inches_to_go(g, 0, 0.0))
    turn_ends(g)
    assert (g.gained, g.idle) == (1, 0)


def test_who_finds_a_longer_way_gains_ground_from_where_he_is() -> None:
    g = field()
    prices = lake(g, left=20, low=18, right=40, high=22)
    take_way(g, prices, g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    g.u[0].nearest = 5.0
    take_way(g, prices, g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert g.u[0].nearest == 5.0
    g.u[0].via_left -= 2.0
    take_way(g, prices, g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert g.u[0].nearest == FAR


@pytest.mark.parametrize(
    ("idle", "plan", "does"), [(3, ASSAULT, False), (4, ASSAULT, True), (4, HOLD, False)]
)
def test_an_assault_presses_after_half_the_idle_turns(idle: int, plan: int, does: bool) -> None:
    g = field()
    g.idle, g.plan[0] = idle, plan
    assert is_pressing(g, 0, 8) == does


@pytest.mark.parametrize(
    ("ways", "ending"),
    [
        ((NO_WAY_THERE, NO_NEED), NO_WAY),
        ((NO_WAY_THERE, HAS_WAY), NO_CONTACT),
        ((NO_NEED, NO_NEED), NO_CONTACT),
    ],
)
def test_there_is_no_way_only_if_no_attacker_has_one_HR_BAT_02(ways: tuple[int, int], ending: int) -> None:
    g = record(Piece(x=30.5, y=10.5), Piece(x=40.5, y=10.5), Piece(1, x=SPOT_X, y=SPOT_Y))
    g.plan[:] = ASSAULT, HOLD
    g.u[0].has_way, g.u[1].has_way, g.idle, g.turn = *ways, 8, 9
    assert nothing_comes_of_it(g, 8) == ending
    assert nothing_comes_of_it(g, 9) == GOES_ON


def test_an_attack_that_came_to_a_stand_falls_back_some_turns_and_comes_on_again_HR_BAT_02() -> None:
    g = field()
    u = g.u[0]
    g.idle, u.has_way, u.stuck, u.nearest = 8, NO_WAY_THERE, 3, 20.0
    assert break_off_attack(g, 1)
    assert (g.idle, u.has_way, u.stuck, u.least_left) == (0, NO_NEED, 0, FAR)
    for n in range(FALLS_BACK):
        turn_begins(g)
        assert is_ordered_back(g, 0) and not is_ordered_back(g, 1), "who holds stays where he is"
        assert u.nearest == 20.0, n
        turn_ends(g)
        assert g.idle == 0
    assert u.nearest == 0.0, "it gains ground from where it is now"
    turn_begins(g)
    assert not is_ordered_back(g, 0)
    turn_ends(g)
    assert g.idle == 1


@pytest.mark.parametrize(
    ("plan", "goes"), [(ASSAULT, True), (TURN_FLANK, True), (ADVANCE, False), (HOLD, False)]
)
def test_only_those_who_are_to_be_at_grips_are_ordered_back_HR_BAT_02(plan: int, goes: bool) -> None:
    g = field()
    assert break_off_attack(g, 1)
    g.plan[0] = plan
    assert is_ordered_back(g, 0) is goes


def test_an_attack_is_broken_off_so_often_a_day_and_only_while_somebody_could_go_on_HR_BAT_02() -> None:
    g = field()
    assert not break_off_attack(g, 0)
    assert (g.broken_off, g.back_until) == (0, 0)
    assert [bool(break_off_attack(g, 2)) for _ in range(MOST_TRIES + 1)] == [*[True] * MOST_TRIES, False]
