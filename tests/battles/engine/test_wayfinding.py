"""Finding a way round ground that bars: legs that lead somewhere, and how often a way is looked for."""

from typing import Any

import numpy as np
import pytest

from battles.engine.wayfinding import (
    FAR,
    HAS_WAY,
    LOOKS_AGAIN,
    NO_NEED,
    NO_WAY_THERE,
    PATIENCE,
    TOO_TIGHT,
    find_way,
    looks_for_way,
    no_nearer,
    remaining_leg,
    take_way,
)
from tests.battles.engine.small import Piece, record

#: Where everybody wants to go.
SPOT_X, SPOT_Y = 30.5, 30.5


def open_prices(g: Any) -> Any:
    """Every cell of the small table at the price of open ground."""
    return np.ones((g.rows, g.columns))


def lake(g: Any, *, left: int, low: int, right: int, high: int) -> Any:
    """Prices with a lake over these cells."""
    prices = open_prices(g)
    prices[low : high + 1, left : right + 1] = 0.0
    return prices


def test_the_first_leg_of_a_way_over_open_ground_is_the_whole_of_it() -> None:
    g = record(Piece(x=30.5, y=10.5))
    assert find_way(g, open_prices(g), g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert (g.u[0].via_left, remaining_leg(g.u[0])) == (0.0, pytest.approx(19.0, abs=1.1))


def test_a_unit_at_the_corner_of_a_lake_takes_the_first_step_of_its_way() -> None:
    """It stands in the corner of its cell, from where every straight way lies over ground that is dear."""
    g = record(Piece(x=30.95, y=10.05))
    prices = np.zeros((g.rows, g.columns))
    for step in range(6):
        prices[10 + step, 30 + step] = 1.0
        prices[10 + step, 31 + step] = prices[11 + step, 30 + step] = TOO_TIGHT
    u = g.u[0]
    assert find_way(g, prices, u, 35.5, 15.5, 1.0, 0.5)
    assert (u.via_x, u.via_y) == (31.5, 11.5)
    assert u.via_left > 4.0


def test_a_way_to_within_reach_of_a_spot_leads_nearer_than_where_a_unit_stands() -> None:
    g = record(Piece(x=30.5, y=27.5))
    prices = lake(g, left=20, low=29, right=40, high=29)
    u = g.u[0]
    take_way(g, prices, u, SPOT_X, SPOT_Y, 3.0, 0.5)
    assert u.has_way == HAS_WAY
    assert remaining_leg(u) > 0.1


def test_who_is_where_it_is_sent_needs_no_way() -> None:
    g = record(Piece(x=30.5, y=30.3))
    take_way(g, open_prices(g), g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert g.u[0].has_way == NO_NEED


def test_who_is_within_a_cell_of_a_barred_spot_is_given_no_leg_of_no_length() -> None:
    g = record(Piece(x=30.5, y=29.6))
    prices = open_prices(g)
    prices[30, 30] = 0.0
    take_way(g, prices, g.u[0], SPOT_X, SPOT_Y, 1.0, 0.5)
    assert g.u[0].has_way == NO_NEED or remaining_leg(g.u[0]) > 0.1


def turns_until_it_looks(g: Any) -> int:
    """Game turns in which unit 0 is asked, standing where it is, before it looks for a way again."""
    for turn in range(1, 30):
        g.turn += 1
        if looks_for_way(g, g.u[0], SPOT_X, SPOT_Y):
            return turn
    return -1


def test_who_has_found_no_way_looks_again_only_after_some_moves() -> None:
    g = record(Piece(x=30.5, y=10.5))
    u, prices = g.u[0], lake(g, left=0, low=20, right=59, high=22)
    u.least_left = FAR
    assert turns_until_it_looks(g) == PATIENCE + 1
    take_way(g, prices, u, SPOT_X, SPOT_Y, 1.0, 0.5)
    assert u.has_way == NO_WAY_THERE
    assert turns_until_it_looks(g) == LOOKS_AGAIN + PATIENCE


def test_who_has_found_no_way_and_comes_nearer_all_the_same_is_not_stuck() -> None:
    g = record(Piece(x=30.5, y=10.5))
    u, prices = g.u[0], lake(g, left=0, low=20, right=59, high=22)
    take_way(g, prices, u, SPOT_X, SPOT_Y, 1.0, 0.5)
    g.turn, u.y = g.turn + 1, 12.5
    assert not no_nearer(g, u, SPOT_X, SPOT_Y)
    assert u.stuck == 0
