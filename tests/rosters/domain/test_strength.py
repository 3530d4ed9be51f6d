"""AWI-C-STR-01 and AWI-C-STR-02: campaign points to strength points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.domain.strength import MAXIMUM_POINTS, POINTS_PER_SP, strength_points


@pytest.mark.parametrize(
    ("points", "sp"),
    [
        (0, 0),
        (9, 0),
        (10, 1),
        (29, 1),
        (30, 2),
        (50, 3),
        (69, 3),
        (70, 4),
        (89, 4),
        (90, 5),
        (109, 5),
        (110, 6),
    ],
)
def test_halves_go_up_awi_c_str_02(points, sp):
    assert strength_points(points) == sp


@given(st.integers(min_value=0, max_value=MAXIMUM_POINTS))
def test_never_more_than_half_a_point_out_awi_c_str_02(points):
    assert abs(strength_points(points) * POINTS_PER_SP - points) <= POINTS_PER_SP // 2


def test_negative_points_are_refused():
    with pytest.raises(ValueError, match="-5"):
        strength_points(-5)
