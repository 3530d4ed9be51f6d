"""Points under rules of their own and SP of the file: there and back (HR-BAT-13)."""

import pytest

from battles.mustering import Mustered, came_back

BACK = (0, 2, 3, 5)
UNIT = Mustered("rangers", sp=5, points=3, stands=(1, 1, 1), brigade=1, back=BACK)


@pytest.mark.parametrize(
    ("lost", "captured", "sp"),
    [(0, 0, (0, 0)), (1, 0, (2, 0)), (0, 1, (0, 2)), (1, 1, (2, 1)), (1, 2, (2, 3)), (0, 3, (0, 5))],
)
def test_lost_and_captured_are_rounded_together_hr_bat_13(
    lost: int, captured: int, sp: tuple[int, int]
) -> None:
    assert UNIT.in_file(lost, captured) == sp == came_back(BACK, lost, captured)
    assert UNIT.on_table(*sp) == (lost, captured)


def test_sp_that_no_points_make_are_the_nearest_points_hr_bat_13() -> None:
    assert UNIT.on_table(1, 0) in {(0, 0), (1, 0)}
    assert UNIT.on_table(4, 1) == (2, 1)
