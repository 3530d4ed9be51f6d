"""Where troops come on, own edges, and the way by bridges and fords."""

from typing import Any

import pytest

from battles.engine.dtypes import BY_BRIDGE, BY_FORD
from battles.engine.ways import (
    BEFORE,
    FARTHEST,
    best_gate,
    entry_spot,
    from_own_edge,
    heading_over,
    is_off,
    leg_by_gate,
)
from tests.battles.engine.small import Piece, record


def river(*xs: float) -> Any:
    """A record with ways over a river along the middle of the table, all fords but the first."""
    g = record()
    for k, x in enumerate(xs):
        e = g.gates[k]
        e.kind_, e.structure = BY_FORD if k else BY_BRIDGE, -1
        e.x, e.y, e.heading, e.half_width, e.half_length = x, 20.0, 0, 1.0, 3.0
        g.gates_n = k + 1
    return g


@pytest.mark.parametrize(
    ("x", "y", "off"), [(0.0, 0.0, False), (60.0, 40.0, False), (-0.1, 5, True), (5, 40.1, True)]
)
def test_a_centre_may_be_on_the_edge_and_not_beyond(x: float, y: float, off: bool) -> None:
    assert is_off(record(), x, y) == off


def test_the_own_edge_is_where_home_lies() -> None:
    g = record(Piece(0, y=4.0), Piece(1, y=31.0))
    assert [from_own_edge(g, g.u[i]) for i in range(2)] == [4.0, 9.0]


@pytest.mark.parametrize(
    ("x", "y", "along"), [(30.0, 0.5, (1.0, 0.0)), (30.0, 39.0, (1.0, 0.0)), (0.5, 20.0, (0.0, 1.0))]
)
def test_who_finds_his_entry_taken_tries_both_sides_along_that_edge(
    x: float, y: float, along: tuple[float, float]
) -> None:
    g = record(Piece(x=x, y=y))
    found = [entry_spot(g, g.u[0], k, 2.0) for k in range(5)]
    steps = (0.0, 2.0, -2.0, 4.0, -4.0)
    assert found == [(x + step * along[0], y + step * along[1]) for step in steps]
    assert entry_spot(g, g.u[0], 1, -2.0) == entry_spot(g, g.u[0], 2, 2.0), "the other side first"


def test_the_gate_of_the_shortest_way_is_taken_and_none_that_is_cut() -> None:
    g = river(10.0, 28.0, 50.0)
    assert best_gate(g, 30.0, 5.0, 30.0, 35.0)[0] == 1
    assert best_gate(g, 48.0, 5.0, 55.0, 35.0)[0] == 2
    bridge = g.gates[0]
    bridge.structure, bridge.pieces = 0, 1
    g.structures[0].sp = 1
    assert best_gate(g, 10.0, 5.0, 10.0, 35.0) == (0, 30.0)
    g.structures[0].sp = 0
    assert best_gate(g, 10.0, 5.0, 10.0, 35.0)[0] == 1
    assert best_gate(record(), 10.0, 5.0, 10.0, 35.0)[0] == -1


def test_one_goes_over_towards_where_one_wants_to_be() -> None:
    g = river(30.0)
    assert (heading_over(g, 0, 30.0, 35.0), heading_over(g, 0, 30.0, 5.0)) == (0, 180)


def test_the_way_leads_before_the_near_end_and_then_straight_over() -> None:
    g = river(30.0)
    heading, inches = leg_by_gate(g, 10.0, 15.0, 30.0, 35.0)
    assert (heading, inches) == (90, 20.0), "to the spot before it"
    assert 20.0 - 3.0 - BEFORE == 15.0
    assert leg_by_gate(g, 29.5, 14.6, 30.0, 35.0) == (0, FARTHEST)
    assert leg_by_gate(g, 30.0, 21.0, 30.0, 35.0) == (0, FARTHEST), "half over one goes on"
    assert leg_by_gate(g, 30.0, 26.0, 30.0, 5.0) == (180, FARTHEST)
