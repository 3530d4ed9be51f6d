"""Charges on the table: who can be reached, and the move into contact (REG-GEN-02, REG-CHG, REG-TRP-05)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import COS, SIN, find_bearing, turn_between
from battles.engine.ground import code_at
from battles.engine.ways import is_off
from battles.rulesets.regimental.bases import LITTLE, ahead_of, can_stand_in_form, far_apart, nearest_spot
from battles.rulesets.regimental.charging import is_mounted, may_use_steel
from battles.rulesets.regimental.moving import (
    count_crossed_lines,
    going_at,
    measure_walk,
    move_allowance,
    wheel_cost,
)
from battles.rulesets.regimental.recording import CHARGE, COUNTER_CHARGE, MOVE, note_inches, note_plain
from battles.rulesets.regimental.records import (
    BROKEN,
    GARRISON,
    GOOD,
    MARCH_COLUMN,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    NOTHING,
    ON_OPEN,
    ON_ROAD,
    ON_TABLE,
)
from battles.rulesets.regimental.sight import can_see
from battles.rulesets.regimental.states import is_troops
from battles.rulesets.regimental.tables import WHEEL

#: Inches left between units in contact, lest they overlap by a rounding; by which a charge may fall short.
APART, SHORT = 0.02, 0.06
#: Inches between the spots of a charge looked at for open ground.
STRIDE = 0.5
#: Share of a move in which one charges, by what a unit may still do.
TARDY_SHARE, WELL_SHARE = 0.5, 1.0


@jit
def may_charge(u: Any) -> Any:
    """True for troops that may charge now: not broken, nor in column of march or a building (REG-UNI-02)."""
    if u.place != ON_TABLE or not is_troops(u) or u.order_ == BROKEN or u.may < MAY_BE_TARDY:
        return False
    return u.form not in (MARCH_COLUMN, GARRISON) and u.inside < 0


@jit
def charge_allowance(g: Any, u: Any) -> Any:
    """Inches a unit may charge: its move if well handled, half of it if tardy (REG-TRP-01, REG-TRP-04)."""
    return move_allowance(g, u, WELL_SHARE if u.may == MAY_BE_WELL else TARDY_SHARE)


@jit
def face_for(g: Any, i: Any, j: Any) -> Any:
    """Heading from unit i's centre to the nearest point of unit j."""
    u = g.u[i]
    x, y = nearest_spot(g.u[j], u.x, u.y)
    return find_bearing(x - u.x, y - u.y)


@jit
def is_barred(g: Any, i: Any, j: Any, heading: Any, inches: Any) -> Any:
    """True when another unit or a building lies before unit j on so many inches along a heading."""
    u, t = g.u[i], g.u[j]
    for k in range(g.n):
        b = g.u[k]
        if b.place != ON_TABLE or k in (j, i):
            continue
        if b.inside >= 0 and b.inside == t.inside:
            continue
        dx, dy, most = b.x - u.x, b.y - u.y, inches + u.reach + b.reach
        if dx * dx + dy * dy > most * most:
            continue
        before = ahead_of(u, heading, -0.01, b.x, b.y, b.face, b.half_width, b.half_depth)
        if before >= 0.0 and before < inches - LITTLE:
            return True
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or k == t.inside:
            continue
        before = ahead_of(u, heading, -0.01, e.x, e.y, e.face, e.half_width, e.half_depth)
        if before >= 0.0 and before < inches:
            return True
    return False


@jit
def find_charge_way(g: Any, i: Any, j: Any, left: Any) -> Any:
    """(heading, inches) of unit i's charge on unit j with so much of the allowance; (-1, 0.0) when it cannot.

    It wheels at the start, up to 45 degrees, and goes straight on until it touches.
    """
    u, t = g.u[i], g.u[j]
    if t.place != ON_TABLE or far_apart(g, i, j, left):
        return -1, 0.0
    heading = face_for(g, i, j)
    turn = abs(turn_between(u.face, heading))
    spent = wheel_cost(u, heading)
    if turn > WHEEL or spent > left or not can_stand_in_form(g, i, u.x, u.y, heading):
        return -1, 0.0
    face, u.face = u.face, heading
    found = -1
    inches = ahead_of(u, heading, 0.0, t.x, t.y, t.face, t.half_width, t.half_depth)
    if inches >= 0.0 and inches - APART <= left - spent + LITTLE:
        way = inches - APART if inches > APART else 0.0
        x, y = u.x + SIN[heading] * way, u.y + COS[heading] * way
        if (
            not is_barred(g, i, j, heading, inches)
            and not is_off(g, x, y)
            and can_stand_in_form(g, i, x, y, heading)
        ):
            gone, _ = measure_walk(g, i, heading, way, left - spent, 1)
            if gone >= way - SHORT and can_see(g, i, j):
                found = heading
    u.face = face
    return found, inches


@jit
def has_rough_way(g: Any, i: Any, heading: Any, inches: Any) -> Any:
    """True when a charge goes over broken or rough ground, or over a line (REG-CHG-02, REG-CHG-04)."""
    u = g.u[i]
    if g.goings_n <= 1 and g.works_n == 0:
        return False
    s, c = SIN[heading], COS[heading]
    x, y = u.x + s * inches, u.y + c * inches
    if g.works_n > 0:
        fences, creeks, works = count_crossed_lines(g, u.x, u.y, x + s * u.half_depth, y + c * u.half_depth)
        if fences + creeks + works > 0:
            return True
    steps = int(inches / STRIDE) + 1
    for k in range(steps + 1):
        way = inches * k / steps
        going = going_at(g, u, u.x + s * way, u.y + c * way)
        if going != ON_OPEN and going != ON_ROAD:
            return True
    return False


@jit
def charge_along(g: Any, i: Any, j: Any, heading: Any, inches: Any) -> None:
    """Move unit i into contact with unit j as `find_charge_way` has found it."""
    u = g.u[i]
    u.from_x, u.from_y = u.x, u.y
    u.face = heading
    rough = has_rough_way(g, i, heading, inches)
    u.over_rough, u.over_open = int(rough), int(not rough)
    way = inches - APART if inches > APART else 0.0
    u.x, u.y = u.x + SIN[heading] * way, u.y + COS[heading] * way
    u.charges, u.moved = j, 1
    g.quiet = 0
    note_inches(g, MOVE, i, way)


@jit
def declare_charge(g: Any, i: Any, j: Any, heading: Any, inches: Any, steel: Any) -> None:
    """Unit i declares its charge on unit j and makes it, with cold steel if it has any (REG-CHG-03)."""
    u = g.u[i]
    note_plain(g, CHARGE, i, j)
    u.cold_steel = 1 if steel == 1 and may_use_steel(u) else 0
    charge_along(g, i, j, heading, inches)
    u.may = NOTHING


@jit
def may_countercharge(g: Any, i: Any, j: Any) -> Any:
    """True for horse in good order charged by horse: its hasty maneuver (REG-TRP-05)."""
    u, t = g.u[i], g.u[j]
    return is_mounted(u) and is_mounted(t) and t.order_ == GOOD and t.charges < 0 and t.inside < 0


@jit
def countercharge(g: Any, i: Any, j: Any) -> Any:
    """Horse j goes to meet the charge of horse i halfway; both count as charging (REG-TRP-05).

    False when it is not ready or has no way to it.
    """
    u, t = g.u[i], g.u[j]
    if not may_countercharge(g, i, j):
        return False
    left = move_allowance(g, t, 1.0)
    heading, inches = find_charge_way(g, j, i, left)
    if heading < 0:
        return False
    meet = 0.5 * inches
    x, y = t.x + SIN[heading] * meet, t.y + COS[heading] * meet
    if not can_stand_in_form(g, j, x, y, heading):
        return False
    note_plain(g, COUNTER_CHARGE, j, i)
    rough = has_rough_way(g, j, heading, meet)
    t.x, t.y, t.face = x, y, heading
    t.over_rough, t.over_open, t.countercharges = int(rough), int(not rough), 1
    note_inches(g, MOVE, j, meet)
    return u.place == ON_TABLE


@jit
def height_at(g: Any, x: Any, y: Any) -> Any:
    """Contours above the plain at a spot."""
    return g.going[code_at(g, x, y)].height if g.hills == 1 else 0
