"""Campaign points and strength points, and what battles cost (AWI-C-STR-01 and 02, AWI-C-BAT-01 to 03)."""

POINTS_PER_SP = 20
BASIC_POINTS = 100
MAXIMUM_POINTS = 120

POINTS_PER_SP_LOST = 5  # AWI-C-BAT-01
POINTS_FOR_ZERO = 10  # AWI-C-BAT-02
POINTS_PER_SP_CAPTURED = 10  # AWI-C-BAT-03


def strength_points(points: int) -> int:
    """SP a unit of `points` campaign points fights with: points / 20, halves up (AWI-C-STR-02).

    Whole numbers only: Python's `round` sends halves to even and would make 50 points 2 SP.
    Raises ValueError for negative points, which no unit can have.
    """
    if points < 0:
        raise ValueError(f"A unit cannot have {points} campaign points; the least is 0.")
    return (points + POINTS_PER_SP // 2) // POINTS_PER_SP
