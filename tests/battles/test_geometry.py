"""Rectangles, headings and strips against slow and plain reckoning."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from battles.engine import geometry
from battles.engine.compile import is_interpreted

EXAMPLES = 100 if is_interpreted() else 400
inches = st.floats(-12, 12)
degrees = st.integers(0, 359)
half = st.sampled_from((0.886, 1.772))


def corners(x: float, y: float, d: int, w: float, h: float) -> list[tuple[float, float]]:
    s, c = math.sin(math.radians(d)), math.cos(math.radians(d))
    return [(x + u * c + v * s, y - u * s + v * c) for u, v in ((w, h), (-w, h), (-w, -h), (w, -h))]


def segment_distance(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.dist(p, (a[0] + t * dx, a[1] + t * dy))


def slow_gap(one: tuple, two: tuple) -> float:
    """Least distance of any corner of one to any edge of the other."""
    best = math.inf
    for a, b in ((one, two), (two, one)):
        edges = corners(*b)
        for p in corners(*a):
            for k in range(4):
                best = min(best, segment_distance(p, edges[k], edges[(k + 1) % 4]))
    return best


@given(degrees)
def test_the_table_of_sines_is_the_sine(d: int) -> None:
    assert geometry.SIN[d] == pytest.approx(math.sin(math.radians(d)), abs=1e-15)
    assert geometry.COS[d] == pytest.approx(math.cos(math.radians(d)), abs=1e-15)
    assert geometry.SIN[d] == -geometry.SIN[(d + 180) % 360]


@given(inches, inches)
@settings(max_examples=EXAMPLES)
def test_bearing_is_the_nearest_whole_degree(dx: float, dy: float) -> None:
    assume(math.hypot(dx, dy) > 1e-6)
    exact = math.degrees(math.atan2(dx, dy)) % 360
    found = geometry.find_bearing(dx, dy)
    assert 0 <= found < 360
    assert min(abs(found - exact), 360 - abs(found - exact)) <= 0.5 + 1e-9


@given(degrees, degrees)
def test_turn_between_is_the_short_way_round(start: int, end: int) -> None:
    turn = geometry.turn_between(start, end)
    assert -180 < turn <= 180
    assert (start + turn) % 360 == end


@given(inches, inches, degrees, half, half, degrees, half, half)
@settings(max_examples=EXAMPLES)
def test_gap_between_rectangles(x, y, d, w, h, other, ow, oh) -> None:
    one, two = (0.0, 0.0, other, ow, oh), (x, y, d, w, h)
    found = geometry.rectangle_gap(*one, *two)
    if geometry.is_overlapping(*one, *two):
        assert found == 0
    else:
        assert found == pytest.approx(slow_gap(one, two), abs=1e-9)
    assert found == pytest.approx(geometry.rectangle_gap(*two, *one), abs=1e-9)


@given(inches, inches, degrees, half, half)
@settings(max_examples=EXAMPLES)
def test_overlap_is_a_point_in_both(x, y, d, w, h) -> None:
    one, two = (0.0, 0.0, 0, 1.772, 0.886), (x, y, d, w, h)
    s, c = geometry.SIN[d], geometry.COS[d]
    steps = [k / 9 for k in range(-8, 9)]  # well inside, so that rounding at an edge does not matter
    inside = any(
        geometry.point_gap2(x + u * w * c + v * h * s, y - u * w * s + v * h * c, *one) == 0
        for u in steps
        for v in steps
    )
    if inside:
        assert geometry.is_overlapping(*one, *two)


@given(inches, st.floats(2, 10), degrees, half, half)
@settings(max_examples=EXAMPLES)
def test_strip_finds_what_rays_find(x, y, d, w, h) -> None:
    ahead, left, right = geometry.clip_to_strip(0.0, 0.0, 0, 1.772, x, y, d, w, h)
    hits = [
        u
        for u in [k * 1.772 / 40 for k in range(-39, 40)]
        if geometry.ray_hits(u, -3.0, u, 20.0, x, y, d, w, h)
    ]
    if ahead < 0:
        assert not hits or y < 3.5
    elif hits:
        assert left - 0.05 <= min(hits)
        assert max(hits) <= right + 0.05
        assert not geometry.ray_hits((left + right) / 2, 0.0, (left + right) / 2, ahead - 1e-6, x, y, d, w, h)


@pytest.mark.parametrize(("far", "share"), [(10.0, 0.5), (5.0, 1.0), (4.0, -1.0)])
def test_crossing_of_a_work(far: float, share: float) -> None:
    assert geometry.find_crossing(0.0, 0.0, 0.0, far, -3.0, 5.0, 3.0, 5.0) == share
    assert geometry.find_crossing(9.0, 0.0, 9.0, far, -3.0, 5.0, 3.0, 5.0) == -1


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.floats(-9, 9), st.floats(-4, 12), st.integers(0, 359), st.integers(0, 359))
def test_a_fan_holds_what_some_spot_of_is_in_it(x: float, y: float, face: int, turned: int) -> None:
    # the fan at the origin, turned; spots of the rectangle looked at a twentieth of an inch apart
    w, h, half, reach = 1.8, 0.9, 0.9, 6.0
    s, c = geometry.SIN[turned], geometry.COS[turned]
    bs, bc = geometry.SIN[face], geometry.COS[face]
    found = math.inf
    for i in range(-36, 37):
        for j in range(-18, 19):
            u, v = w * i / 36, h * j / 18
            p, q = x + u * bc + v * bs, y - u * bs + v * bc
            beyond = math.dist((max(abs(p) - half, 0.0), q), (0.0, 0.0)) - reach
            found = min(found, max(-q, abs(p) - q - half, beyond))
    assume(abs(found) > 0.1)
    held = geometry.fan_holds(
        0.0, 0.0, turned, half, reach, x * c + y * s, y * c - x * s, (face + turned) % 360, w, h
    )
    assert bool(held) == (found < 0)
