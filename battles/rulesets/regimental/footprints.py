"""Stands abreast and deep in each formation (REG-UNI-04, REG-SPC-06). No numba here.

Kernels use the very same function, compiled (`states.ranks`).
"""

from typing import Any

from battles.rulesets.regimental.records import DISMOUNTED, EXTENDED, FIELD_COLUMN, MARCH_COLUMN, MASS


def ranks_of(stands: Any, form: Any) -> Any:
    """(stands abreast, stands deep, places abreast) of a number of stands (REG-UNI-04, REG-SPC-06)."""
    if form == FIELD_COLUMN:
        wide = 2 if stands > 1 else 1
        return wide, (stands + wide - 1) // wide, wide
    if form == MARCH_COLUMN:
        return 1, stands, 1
    if form == MASS:
        wide = 1
        while wide * wide < stands:
            wide += 1
        return wide, (stands + wide - 1) // wide, wide
    if form in (EXTENDED, DISMOUNTED):
        return stands, 1, 2 * stands - 1
    return stands, 1, stands


def halves_write(u: Any) -> None:
    """Write the rectangle of a unit in no building, as `states.write_footprint` does in play (REG-DEF-01)."""
    _, deep, places = ranks_of(int(u.stands), int(u.form))
    u.half_width, u.half_depth = places * u.front * 0.5, deep * u.depth_ * 0.5
    u.reach = float(u.half_width * u.half_width + u.half_depth * u.half_depth) ** 0.5
