"""A commander's guns: limber and go up, unlimber, lay them, rally them (REG-GUN-01 to 03)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, TURN_FLANK, WITHDRAW
from battles.engine.geometry import find_bearing, turn_between
from battles.rulesets.regimental.approach import close_to, go_to_spot
from battles.rulesets.regimental.bases import far_apart, measure_gap, nearest_enemy
from battles.rulesets.regimental.fire import bears_on, line_to, points_at
from battles.rulesets.regimental.formations import toggle_limber
from battles.rulesets.regimental.moving import hand_haul, turns_to
from battles.rulesets.regimental.recording import (
    HAULED,
    RALLIES_GUNS,
    REPLENISHES,
    TURN,
    note_inches,
    note_plain,
)
from battles.rulesets.regimental.records import (
    FIXED,
    LIGHT,
    LIMBERED,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    NOTHING,
    ON_TABLE,
    UNLIMBERED,
)
from battles.rulesets.regimental.states import count_bearing_stands, rally_guns

#: Inches to the enemy within which guns come into action, and beyond which an attacker's limber and go on.
IN_ACTION, TOO_FAR = 16.0, 26.0
#: Headings from its front to which a piece is hauled by hand, the first best.
HAULS = (0, 45, 315, 90, 270)
#: Degrees from the front within which nothing is gained by laying guns anew.
LAID = 40
#: Inches from its spot at which a battery is there.
SPOT = 2.0


@jit
def has_target(g: Any, i: Any) -> Any:
    """True when an enemy is in range, arc and sight of unit i."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        if t.side == u.side or t.place != ON_TABLE or far_apart(g, i, j, g.t.longest[u.weapon]):
            continue
        if bears_on(g, i, j) > 0.0 and line_to(g, i, j):
            return True
    return False


@jit
def bring_into_action(g: Any, i: Any) -> None:
    """Guns come into action; a well-handled light battery fires at once (REG-GUN-01)."""
    u = g.u[i]
    toggle_limber(g, i)
    if u.carriage == LIGHT and u.may == MAY_BE_WELL and count_bearing_stands(u) > 0:
        u.fires = 1
    u.may = NOTHING


@jit
def lay_guns(g: Any, i: Any, j: Any) -> None:
    """Guns pivot towards an enemy; a well-handled light battery fires too (REG-GUN-01, REG-GUN-02)."""
    u, t = g.u[i], g.u[j]
    heading = find_bearing(t.x - u.x, t.y - u.y)
    if heading != u.face and turns_to(g, i, heading):
        note_plain(g, TURN, i, -1)
        if u.carriage == LIGHT and u.may == MAY_BE_WELL:
            u.fires = 1
        u.may = NOTHING


@jit
def goes_up(g: Any, i: Any, j: Any, plan: Any) -> None:
    """An attacker's limbered guns go up, a defender's to their spot; a light battery unlimbers there."""
    u = g.u[i]
    light, well = u.carriage == LIGHT, u.may == MAY_BE_WELL
    if plan in (ASSAULT, TURN_FLANK, ADVANCE):
        close_to(g, i, j, IN_ACTION - 2.0)
    else:
        go_to_spot(g, i, u.spot_x, u.spot_y, SPOT)
    u.may = NOTHING
    if light and well and measure_gap(g, i, j) <= IN_ACTION:
        toggle_limber(g, i)


@jit
def serve_guns(g: Any, i: Any, plan: Any) -> None:
    """Make a battery's maneuver (REG-GUN-01, REG-GUN-02)."""
    u = g.u[i]
    if u.may not in (MAY_BE_TARDY, MAY_BE_WELL):
        return
    j = nearest_enemy(g, i)
    if j < 0 and plan != WITHDRAW:
        return
    if u.silent + u.silent_damaged > 0 and u.may == MAY_BE_WELL and 2 * count_bearing_stands(u) <= u.stands:
        rally_guns(u)
        note_plain(g, RALLIES_GUNS, i, -1)
        u.may = NOTHING
        return
    if plan == WITHDRAW:
        limber_to_leave(g, i)
        return
    distance = measure_gap(g, i, j)
    if u.form == LIMBERED:
        spot_x, spot_y = u.spot_x - u.x, u.spot_y - u.y
        there = spot_x * spot_x + spot_y * spot_y <= SPOT * SPOT and plan not in (
            ASSAULT,
            TURN_FLANK,
            ADVANCE,
        )
        if distance <= IN_ACTION or (there and distance <= g.t.longest[u.weapon]):
            heading = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
            turns_to(g, i, heading)
            bring_into_action(g, i)
        else:
            goes_up(g, i, j, plan)
        return
    in_action(g, i, j, distance, plan)


@jit
def haul_gun(g: Any, i: Any) -> Any:
    """A light piece with nobody to fire at is drawn by hand to where it has; True when it is (REG-GUN-01).

    To limber, go and unlimber takes it two turns.
    """
    u = g.u[i]
    if u.may != MAY_BE_WELL or u.carriage != LIGHT or count_bearing_stands(u) == 0:
        return False
    x, y = u.x, u.y
    for aside in HAULS:
        inches = hand_haul(g, i, (u.face + aside) % 360)
        if inches > 0.0 and has_target(g, i):
            u.moved, u.may = 1, NOTHING
            note_inches(g, HAULED, i, inches)
            return True
        u.x, u.y = x, y
    return False


@jit
def in_action(g: Any, i: Any, j: Any, distance: Any, plan: Any) -> None:
    """Unlimbered guns fire, or replenish, pivot, or limber to go on."""
    u = g.u[i]
    if count_bearing_stands(u) > 0 and has_target(g, i):
        u.fires, u.may = 1, NOTHING
        return
    if u.low > 0 and u.may == MAY_BE_WELL:
        u.low, u.may = 0, NOTHING
        note_plain(g, REPLENISHES, i, -1)
        return
    heading = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    if abs(turn_between(u.face, heading)) > LAID and points_at(g, u.weapon, distance) > 0.0:
        lay_guns(g, i, j)
    elif haul_gun(g, i):
        return
    elif plan in (ASSAULT, TURN_FLANK, ADVANCE) and distance > TOO_FAR and u.carriage != FIXED:
        toggle_limber(g, i)
        u.may = NOTHING


@jit
def limber_to_leave(g: Any, i: Any) -> None:
    """Guns of a side that withdraws limber; limbered ones are left to march off."""
    u = g.u[i]
    if u.form == UNLIMBERED and u.carriage != FIXED:
        toggle_limber(g, i)
        u.may = NOTHING
