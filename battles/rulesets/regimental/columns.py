"""Columns: who marches in one, and when it forms what fights (REG-UNI-04, REG-TRP-01, REG-TRP-04)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.formations import change_formation, may_change_to, may_form
from battles.rulesets.regimental.records import (
    EXTENDED,
    FIELD_COLUMN,
    FOOT,
    GOOD,
    INDIAN,
    LINE,
    MARCH_COLUMN,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    NOTHING,
    RAW,
)

#: Inches to the enemy at which a column forms line, beyond a charge of foot, and where it stops for that.
FORM_AT, COLUMN_STOPS = 15.0, 14.5
#: Inches to the enemy from which a line forms field column to go up: what it gains on the way, and by being
#: handled the better (REG-MAN-03), is more than the two half moves that the changes take.
COLUMN_FROM = 48.0
#: Inches to the enemy from which those who come on come in column: they need to change but once.
COMES_FROM = 40.0
#: Inches from its spot at which a unit is there.
AT_SPOT = 1.5


@jit
def wants_line(u: Any) -> Any:
    """The formation a unit fights in."""
    if u.nation == INDIAN or u.marksmen == 1:
        return EXTENDED
    return LINE


@jit
def is_column(u: Any) -> Any:
    """True for troops in field column or column of march."""
    return u.form in (FIELD_COLUMN, MARCH_COLUMN)


@jit
def try_formation_change(g: Any, i: Any, form: Any) -> Any:
    """Change a unit's formation if it may; True when done. A well-handled one keeps half a move (REG-
    TRP-01).
    """
    u = g.u[i]
    if not may_form(g, u, form) or not may_change_to(form, u.may) or not change_formation(g, i, form):
        return False
    # half a move is what tardy troops have too
    u.may = MAY_BE_TARDY if u.may == MAY_BE_WELL else NOTHING
    return True


@jit
def forms_up(g: Any, i: Any, distance: Any, stays: Any) -> Any:
    """Form a column up before the enemy reaches it, or where it `stays` (REG-TRP-01, REG-TRP-04)."""
    u = g.u[i]
    if not is_column(u):
        return False
    dx, dy = u.spot_x - u.x, u.spot_y - u.y
    there = stays and dx * dx + dy * dy <= AT_SPOT * AT_SPOT
    return (distance <= FORM_AT or there) and try_formation_change(g, i, wants_line(u))


@jit
def takes_column(g: Any, i: Any, distance: Any) -> Any:
    """Foot in line with a long way to go forms field column for it (REG-UNI-04)."""
    u = g.u[i]
    if distance < COLUMN_FROM or u.class_ != FOOT or u.form != LINE or u.inside >= 0:
        return False
    if u.may != MAY_BE_WELL or u.order_ != GOOD or u.rating == RAW:
        return False
    return try_formation_change(g, i, FIELD_COLUMN)


@jit
def stops_at(u: Any, distance: Any, stop: Any) -> Any:
    """Inches to the enemy at which a unit stops: a column where it can still be formed into line."""
    return max(stop, COLUMN_STOPS) if is_column(u) and distance > FORM_AT else stop
