"""Formations: who may use which, and changing them (REG-UNI-04, REG-SPC, REG-TRP-01, 02, 04)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import can_stand_at
from battles.rulesets.regimental.cover import is_rough_here
from battles.rulesets.regimental.recording import CHANGE_FORMATION, DEPLOY, LIMBER, note_event, note_plain
from battles.rulesets.regimental.records import (
    DISMOUNTED,
    EXTENDED,
    FIELD_COLUMN,
    FOOT,
    GARRISON,
    GUNS,
    HESSIAN,
    HORSE,
    INDIAN,
    LIMBERED,
    LINE,
    MARCH_COLUMN,
    MASS,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    RAW,
    UNLIMBERED,
    WAGONS,
)
from battles.rulesets.regimental.states import disorder_troops, ranks
from battles.rulesets.regimental.tables import CONTINENTAL_COLUMN


@jit
def may_form(g: Any, u: Any, form: Any) -> Any:
    """True when a unit may be in a formation at all: arm, nation and year (REG-UNI-04, REG-SPC-01 to 05)."""
    if u.class_ == WAGONS:
        return form == LIMBERED
    if u.class_ == GUNS:
        return form in (LIMBERED, UNLIMBERED)
    if form in (LIMBERED, UNLIMBERED):
        return False
    if u.class_ == HORSE:
        return form in (LINE, FIELD_COLUMN, EXTENDED, MARCH_COLUMN, DISMOUNTED)
    if form == DISMOUNTED:
        return False
    if u.nation == INDIAN:
        return form in (EXTENDED, MARCH_COLUMN, MASS)
    if form == EXTENDED and u.nation == HESSIAN and u.marksmen == 0:
        return False
    if form == LINE and u.marksmen == 1:
        return False
    if form == FIELD_COLUMN:
        if u.militia == 1:
            return False
        if u.continental == 1 and g.o.year < CONTINENTAL_COLUMN:
            return False
    return form != GARRISON or u.class_ == FOOT


@jit
def may_change_to(form: Any, may: Any) -> Any:
    """True for a formation a maneuver of that kind can end in (REG-TRP-01, REG-TRP-04)."""
    if may == MAY_BE_WELL:
        return True
    return may == MAY_BE_TARDY and form in (LINE, EXTENDED, MASS, GARRISON)


@jit
def halves_of(u: Any, form: Any) -> Any:
    """(half width, half depth) of a unit's rectangle in a formation."""
    _, deep, places = ranks(u.stands, form)
    return places * u.front * 0.5, deep * u.depth_ * 0.5


@jit
def change_formation(g: Any, i: Any, form: Any) -> Any:
    """Troops change formation where they stand; False without room for it (REG-TRP-01, REG-TRP-02).

    Raw troops are disordered by it on broken or rough ground.
    """
    u = g.u[i]
    wide, deep = halves_of(u, form)
    if not may_form(g, u, form) or not can_stand_at(g, i, u.x, u.y, u.face, wide, deep):
        return False
    u.form, u.half_width, u.half_depth = form, wide, deep
    u.reach = (wide * wide + deep * deep) ** 0.5
    note_event(g, CHANGE_FORMATION, i, -1, 0, 0, form, 0, 0)
    if u.rating == RAW and is_rough_here(g, u):
        disorder_troops(g, i)
    return True


@jit
def toggle_limber(g: Any, i: Any) -> None:
    """Guns limber or unlimber: the ground they take is the same (REG-GUN-01, REG-DEF-01)."""
    u = g.u[i]
    if u.form == LIMBERED:
        u.form = UNLIMBERED
        note_plain(g, DEPLOY, i, -1)
    else:
        u.form = LIMBERED
        note_plain(g, LIMBER, i, -1)
