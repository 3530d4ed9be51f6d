"""Movement of a unit to a goal: headings, ways round, gates over water, the way home."""

import math
from typing import Any

from battles.engine.bases import HALF, half_depth, half_width, home_heading, inside_table, measure_gap_up_to
from battles.engine.compile import jit
from battles.engine.dtypes import COLUMN, DEPLOYED, LINE, WHEELED
from battles.engine.geometry import COS, SIN, find_bearing, ray_hits, turn_between
from battles.engine.ground import code_at, pace_at
from battles.engine.progress import is_pressing
from battles.engine.wayfinding import (
    HAS_WAY,
    TOO_TIGHT,
    bar_buildings,
    blank_prices,
    looks_for_way,
    price_narrows,
    remaining_leg,
    take_way,
)
from battles.engine.ways import best_gate, heading_over
from battles.rulesets.awi.buildings import is_building
from battles.rulesets.awi.crossing import ROAD_BONUS, is_in_column_form
from battles.rulesets.awi.facing import is_facing
from battles.rulesets.awi.garrison import leave_towards
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.movement import (
    change_formation,
    fall_back_facing,
    find_straight_inches,
    limber,
    march_off,
    move_on,
    turn_on_spot,
    turn_to,
    wheel,
)
from battles.rulesets.awi.tables import QUIET_TURNS

#: Inches between the spots of a way that are looked at for water and other barred ground.
LOOK = 2.0
#: Share of what it wants that a unit must gain straight on for the way to be open.
OPEN_WAY = 0.7
#: Inches of a way that are looked along for buildings, and from which a building can be in it.
HOUSE_AHEAD, NEAR_HOUSE = 9.0, 14.0
#: Inches from a building's centre of a spot that lies in it.
AT_HOUSE = 1.0
#: Water of a cell under a bridge; inches to the middle of a base from where a unit is at it.
BRIDGED, AT_SPOT = 2, 2.0
#: Inches by which a way round may be longer for no other to be looked for.
LITTLE_LONGER = 4.0


@jit
def heading_to(g: Any, i: Any, j: Any) -> Any:
    """Heading from unit i to unit j."""
    return find_bearing(g.u[j].x - g.u[i].x, g.u[j].y - g.u[i].y)


@jit
def best_heading(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """The heading within a free pivot that brings a unit furthest towards `heading`; -1 for none.

    The straight way is taken when it is open, however slow its ground; only then are others tried.
    """
    u = g.u[i]
    old = u.face
    enough = OPEN_WAY * want
    if g.works_n > 0:
        enough *= OPEN_WAY
    if g.plain == 0:
        pace = pace_at(g, u, u.x, u.y)
        if pace > 1.0:
            enough /= pace
    best, best_gain = -1, 0.2
    for k in range(5):
        offset = ((k + 1) // 2) * 22
        face = (heading + (offset if k % 2 == 1 else -offset)) % 360
        turned = turn_between(old, face)
        if turned > 45:
            face = (old + 45) % 360
        elif turned < -45:
            face = (old + 315) % 360
        if turn_to(g, i, face):
            gain = find_straight_inches(g, i, face, want) * COS[(face - heading) % 360]
            u.face = old
            if gain > best_gain:
                best, best_gain = face, gain
            if k == 0 and gain >= enough:
                break
    return best


@jit
def step_towards(g: Any, i: Any, heading: Any, want: Any) -> None:
    """Go up to `want` inches along a heading, turning as the rules allow.

    Who wants his whole move takes the road's bonus too, where there is one (AWI-T-MOV-11).
    """
    if g.o.road_bonus == 1 and want >= move_rate(g.u[i]) - 1.0e-9:
        want += ROAD_BONUS
    off = turn_between(g.u[i].face, heading)
    if abs(off) > 60:
        if not turn_on_spot(g, i, heading):
            wheel(g, i, off)
        return
    face = best_heading(g, i, heading, want)
    if face >= 0:
        move_on(g, i, face, want)
    elif abs(off) > 15:
        wheel(g, i, off)


@jit
def column_of(u: Any) -> Any:
    """Place in the costs of the ground of a unit in its present formation."""
    return u.going + 4 if is_in_column_form(u) else u.going


@jit
def is_way_barred(g: Any, column: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when ground that bars a column of the costs lies on the straight way from p to q."""
    if g.plain == 1 or g.bars[column % 4] == 0:
        return False
    dx, dy = qx - px, qy - py
    steps = int(math.sqrt(dx * dx + dy * dy) / LOOK) + 1
    for k in range(1, steps + 1):
        share = k / (steps + 1)
        if g.cost[code_at(g, px + dx * share, py + dy * share), column] == 0.0:
            return True
    return False


@jit
def house_ahead(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when a building stands in unit i's way to a spot within the next moves.

    One it touches is in the way only if the way leads towards it.
    """
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    length = math.sqrt(dx * dx + dy * dy)
    if length > HOUSE_AHEAD:
        dx, dy = dx * HOUSE_AHEAD / length, dy * HOUSE_AHEAD / length
    for s in range(g.buildings_n):
        b = g.structures[s]
        bx, by = b.x - u.x, b.y - u.y
        ex, ey = b.x - x, b.y - y
        if ex * ex + ey * ey < AT_HOUSE * AT_HOUSE:
            continue  # that is where it goes
        if bx * bx + by * by > NEAR_HOUSE * NEAR_HOUSE or not is_building(g, s) or bx * dx + by * dy <= 0.0:
            continue
        wide, deep = b.half_width + HALF, b.half_depth + HALF
        if ray_hits(u.x, u.y, u.x + dx, u.y + dy, b.x, b.y, b.face, wide, deep):
            return True
    return False


@jit
def is_barred(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when ground that bars unit i, or a building, lies on its straight way to a spot."""
    u = g.u[i]
    if g.buildings_n > 0 and house_ahead(g, i, x, y):
        return True
    return is_way_barred(g, column_of(u), u.x, u.y, x, y)


@jit
def way_round(g: Any, i: Any, x: Any, y: Any) -> Any:
    """(heading, inches of the first leg, of the whole) of the shortest way round in two straight legs.

    The whole is 1.0e18 when there is none.
    """
    u = g.u[i]
    straight = find_bearing(x - u.x, y - u.y)
    good = math.sqrt((x - u.x) * (x - u.x) + (y - u.y) * (y - u.y)) + LITTLE_LONGER
    heading, leg, shortest = straight, 0.0, 1.0e18
    for k in range(2, 10):
        offset = (k // 2) * 25
        turned = (straight + (offset if k % 2 == 1 else -offset)) % 360
        for m in range(1, 5):
            inches = 8.0 * m
            wx, wy = u.x + SIN[turned] * inches, u.y + COS[turned] * inches
            if not inside_table(g, wx, wy) or house_ahead(g, i, wx, wy):
                break
            if is_way_barred(g, column_of(u), u.x, u.y, wx, wy):
                break
            whole = inches + math.sqrt((x - wx) * (x - wx) + (y - wy) * (y - wy))
            if whole < shortest and not is_way_barred(g, column_of(u), wx, wy, x, y):
                heading, leg, shortest = turned, inches, whole
        if shortest <= good:
            break
    return heading, leg, shortest


@jit
def cross_gate(g: Any, i: Any, k: Any, x: Any, y: Any) -> None:
    """Go by gate k towards a spot: to its near end, in column, then straight over."""
    u, t = g.u[i], g.gates[k]
    over = heading_over(g, k, x, y)
    # the spot before the near end from which the unit goes over
    stand = t.half_length + 3.0
    sx, sy = t.x - stand * SIN[over], t.y - stand * COS[over]
    dx, dy = sx - u.x, sy - u.y
    allowance = move_rate(u)
    tx, ty = t.x - u.x, t.y - u.y
    along = tx * SIN[over] + ty * COS[over]
    aside = tx * COS[over] - ty * SIN[over]
    if abs(aside) <= t.half_width and along <= stand + 4.0:
        if u.arm != WHEELED and u.form == LINE and change_formation(g, i, COLUMN) >= 0.0:
            return
        step_towards(g, i, over, allowance)
        return
    distance = math.sqrt(dx * dx + dy * dy)
    step_towards(g, i, find_bearing(dx, dy), distance if distance < allowance else allowance)


@jit
def prices_for(g: Any, i: Any) -> Any:
    """1.0 for each cell of the table that unit i can go over, more in narrows; bridges it takes in column."""
    u = g.u[i]
    prices, column = blank_prices(g), column_of(u)
    for row in range(g.rows):
        for k in range(g.columns):
            code = g.ground[row, k]
            if g.cost[code, column] > 0.0 or g.going[code].water == BRIDGED:
                prices[row, k] = 1.0
    price_narrows(g, prices, half_width(u), TOO_TIGHT)
    bar_buildings(g, prices, u.inside, half_width(u))
    return prices


@jit
def needs_column(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """True for a line whose way is too narrow for its next inches, when an assault presses."""
    u = g.u[i]
    if u.form != LINE or u.arm == WHEELED or not is_pressing(g, u.side, QUIET_TURNS):
        return False
    old = u.face
    if abs(turn_between(old, heading)) > 45 or not turn_to(g, i, heading):
        return False
    gone = find_straight_inches(g, i, heading, want)
    u.face = old
    return gone < OPEN_WAY * want


@jit
def goes_by_way(g: Any, i: Any, x: Any, y: Any, near: Any, allowance: Any) -> Any:
    """A unit that has come no nearer to a spot for some turns goes by the way it finds; True when it does."""
    u = g.u[i]
    if (g.plain == 1 or g.bars[u.going] == 0) and g.buildings_n == 0:
        return False
    if looks_for_way(g, u, x, y):
        take_way(g, prices_for(g, i), u, x, y, near, half_depth(u))
    if u.has_way != HAS_WAY:
        return False
    if is_way_barred(g, column_of(u), u.x, u.y, u.via_x, u.via_y):
        k, _ = best_gate(g, u.x, u.y, u.via_x, u.via_y)
        if k < 0:
            return False
        cross_gate(g, i, k, u.via_x, u.via_y)
        return True
    heading, inches = find_bearing(u.via_x - u.x, u.via_y - u.y), min(remaining_leg(u), allowance)
    if not needs_column(g, i, heading, inches) or change_formation(g, i, COLUMN) < 0.0:
        step_towards(g, i, heading, inches)
    return True


@jit
def go_round(g: Any, i: Any, x: Any, y: Any, allowance: Any) -> Any:
    """Take the shortest way round ground that bars the straight way to a spot; False when none does."""
    if not is_barred(g, i, x, y):
        return False
    heading, leg, whole = way_round(g, i, x, y)
    k, over = best_gate(g, g.u[i].x, g.u[i].y, x, y)
    if k >= 0 and over < whole:
        cross_gate(g, i, k, x, y)
        return True
    if leg > 0.0:
        step_towards(g, i, heading, leg if leg < allowance else allowance)
    return leg > 0.0


@jit
def head_for_spot(g: Any, i: Any, x: Any, y: Any, stop: Any, allowance: Any) -> None:
    """Go towards a spot until `stop` inches from it, round what bars the way."""
    if goes_by_way(g, i, x, y, stop + AT_SPOT, allowance) or go_round(g, i, x, y, allowance):
        return
    dx, dy = x - g.u[i].x, y - g.u[i].y
    want = math.sqrt(dx * dx + dy * dy) - stop
    if want > 0.5:
        step_towards(g, i, find_bearing(dx, dy), want if want < allowance else allowance)


@jit
def approach_unit(g: Any, i: Any, j: Any, stop: Any, allowance: Any) -> None:
    """Go towards unit j until `stop` inches from it, turning as the rules allow."""
    u, t = g.u[i], g.u[j]
    want = measure_gap_up_to(g, i, j, stop + allowance + 0.5) - stop
    if want > 0.1 and (
        goes_by_way(g, i, t.x, t.y, stop + AT_SPOT, allowance) or go_round(g, i, t.x, t.y, allowance)
    ):
        return
    heading = heading_to(g, i, j)
    if want > allowance:
        want = allowance
    if want > 0.1 or abs(turn_between(u.face, heading)) > 60:
        step_towards(g, i, heading, want)
    elif abs(turn_between(u.face, heading)) >= 5:
        turn_on_spot(g, i, heading)


@jit
def face_enemy(g: Any, i: Any, j: Any) -> None:
    """Stand, turned to the enemy."""
    if not is_facing(g, i, j):
        turn_on_spot(g, i, heading_to(g, i, j))


@jit
def go_home(g: Any, i: Any) -> None:
    """March off the table by the own edge."""
    u = g.u[i]
    if u.form == DEPLOYED and u.gun_left == 0:
        limber(g, i)
        return
    if march_off(g, i):
        return
    home = home_heading(g, i)
    if u.inside >= 0:
        leave_towards(g, i, home)
        return
    edge = 0.0 if u.side == 0 else g.depth
    if go_round(g, i, u.x, edge, move_rate(u)):
        return
    if abs(turn_between(u.face, home)) > 45:
        if not turn_on_spot(g, i, home):
            fall_back_facing(g, i, move_rate(u))
        return
    face = best_heading(g, i, home, move_rate(u))
    if face >= 0:
        move_on(g, i, face, move_rate(u))
