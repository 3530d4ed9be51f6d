"""The end of a battle, as every ruleset sees it."""

import pytest

from battles.engine.dtypes import BROKEN, GOES_ON, LEFT_TABLE, NOTHING_LEFT, ON_TABLE, WAITING
from battles.engine.ending import (
    count_losses,
    has_units_to_come,
    is_at_objective,
    judge_battle,
    reaches_share,
    withdraw_side,
)
from tests.battles.engine.small import Piece, record


def test_losses_are_killed_and_captured_of_one_side() -> None:
    g = record(Piece(lost=2), Piece(1, lost=5, captured=1), Piece(captured=3, place=LEFT_TABLE))
    assert (count_losses(g, 0), count_losses(g, 1)) == (5, 6)


@pytest.mark.parametrize(
    ("lost", "start", "percent", "breaks"),
    [(4, 10, 50, False), (5, 10, 50, True), (1, 3, 33, True), (1, 3, 34, False), (0, 0, 20, False)],
)
def test_a_side_breaks_off_at_its_share_of_losses(lost: int, start: int, percent: int, breaks: bool) -> None:
    assert reaches_share(lost, start, percent) == breaks


@pytest.mark.parametrize(
    ("broken", "there", "told"),
    [
        ((False, False), (True, True), (GOES_ON, -1)),
        ((True, False), (True, True), (BROKEN, 1)),
        ((False, True), (True, True), (BROKEN, 0)),
        ((True, True), (True, True), (BROKEN, -1)),
        ((True, False), (True, False), (BROKEN, -1)),
        ((False, False), (False, True), (NOTHING_LEFT, 1)),
        ((False, False), (True, False), (NOTHING_LEFT, 0)),
        ((False, False), (False, False), (NOTHING_LEFT, -1)),
    ],
)
def test_who_is_broken_or_gone_leaves_the_field_to_the_other(
    broken: tuple[bool, bool], there: tuple[bool, bool], told: tuple[int, int]
) -> None:
    assert judge_battle(*broken, *there) == told


def test_who_withdraws_takes_along_those_who_were_to_come_and_nobody_else() -> None:
    g = record(Piece(), Piece(place=WAITING, due=4), Piece(place=7), Piece(1))
    withdraw_side(g, 0, LEFT_TABLE)
    assert [int(g.u[i].place) for i in range(4)] == [LEFT_TABLE, LEFT_TABLE, 7, ON_TABLE]


def test_who_is_due_after_the_day_does_not_come() -> None:
    assert not has_units_to_come(record(Piece()))
    assert has_units_to_come(record(Piece(), Piece(1, place=WAITING, due=12)))
    assert not has_units_to_come(record(Piece(), Piece(1, place=WAITING, due=13)))


def test_the_spot_fought_for_is_held_from_its_distance_included() -> None:
    g = record(Piece(x=30.0, y=16.0))
    g.objective_x, g.objective_y = 30.0, 10.0
    assert is_at_objective(g, g.u[0], 6.0)
    assert not is_at_objective(g, g.u[0], 5.9)
