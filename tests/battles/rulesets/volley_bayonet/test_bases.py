"""Stands as rectangles: quick refusals never refuse what exact measures allow."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.rulesets.volley_bayonet import approach, bases, formations
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Stand, field

KINDS: Any = st.sampled_from(("FI", "Fd", "LC", "wheels"))
POSES = st.tuples(
    KINDS, st.floats(-6.0, 6.0), st.floats(-6.0, 6.0), st.integers(0, 359), st.sampled_from(range(3))
)


def pair(one: Any, other: Any) -> Any:
    """Two stands of two sides near each other, each of a kind, a spot, a heading and a form."""
    stands = [
        Stand(side, kind=kind, x=40.0 + x, y=30.0 + y, face=face, form=form, sp=2)
        for side, (kind, x, y, face, form) in enumerate((one, other))
    ]
    return field(*stands)


@given(one=POSES, other=POSES, inches=st.floats(0.0, 12.0))
def test_who_is_far_apart_by_centres_is_so_by_edges_vbw_def_03(one: Any, other: Any, inches: float) -> None:
    g = pair(one, other)
    apart = bases.measure_gap(g, 0, 1)
    assert not (bases.far_apart(g, 0, 1, inches) and apart <= inches)
    assert bool(bases.in_reach(g, 0, 1, inches)) is bool(apart <= inches)
    assert bool(bases.is_touching(g, 0, 1)) is bool(apart <= g.o.contact + 1.0e-9)


@given(one=POSES, other=POSES)
def test_a_base_that_overlaps_another_never_fits_vbw_def_21(one: Any, other: Any) -> None:
    g = pair((one[0], *one[1:4], r.FORMED), (other[0], *other[1:4], r.FORMED))
    u = g.u[0]
    fits = bool(bases.can_stand_at(g, 0, float(u.x), float(u.y), int(u.face)))
    assert fits or bases.measure_gap(g, 0, 1) == 0.0
    assert not fits or bases.measure_gap(g, 0, 1) > 0.0 or bases.is_touching(g, 0, 1)


@given(one=POSES, other=POSES)
def test_the_arc_holds_whatever_its_nine_points_hold_vbw_def_04(one: Any, other: Any) -> None:
    g = pair((one[0], *one[1:4], r.FORMED), other)
    a, b = g.u[0], g.u[1]
    s, c = bases.SIN[a.face], bases.COS[a.face]
    w, h = bases.half_width(g, b), bases.half_depth(g, b)
    held = False
    for right in (-w, 0.0, w):
        for front in (-h, 0.0, h):
            x = b.x + right * bases.COS[b.face] + front * bases.SIN[b.face] - a.x
            y = b.y - right * bases.SIN[b.face] + front * bases.COS[b.face] - a.y
            aside = abs(x * c - y * s) - bases.half_width(g, a)
            before = x * s + y * c - bases.half_depth(g, a)
            held = held or bool(before >= -1.0e-9 and aside <= before * g.o.arc_slope + 1.0e-9)
    assert bool(bases.in_arc(g, 0, 1)) is held


def test_a_stand_broken_off_is_looked_for_too_vbw_mov_22() -> None:
    g = field(Stand(abilities=("SK",), sp=4), Stand(1, x=60.0, y=60.0))
    # the row of the half has been among those of its side from the start
    assert (list(g.first), list(g.past)) == ([0, 1], [3, 2])
    assert approach.nearest_enemy(g, 1) == 0
    new = formations.break_into_detachments(g, 0)
    assert new == 2 and list(g.past) == [3, 2]
    g.u[0].place = r.GONE
    assert approach.nearest_enemy(g, 1) == new


@pytest.mark.parametrize("side", [0, 1])
def test_a_side_without_stands_is_looked_for_in_vain(side: int) -> None:
    g = field(Stand(side))
    assert approach.nearest_enemy(g, 0) == -1
