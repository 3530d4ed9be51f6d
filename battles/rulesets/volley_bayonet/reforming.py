"""Break-ups, skirmish order, forming again, and dismounting, as a commander orders them.

Asked only in battles that have any (`changes_form`). Light troops in stands (SK) open out where they fire
and fall back, and where the ground is bad with the enemy in reach of a turn; they form again in the open
when no enemy is near, or for an assault. Mounted infantry rides where it fights, and fights on foot.
"""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.engine.geometry import COS, SIN, find_bearing
from battles.engine.ways import from_own_edge
from battles.rulesets.volley_bayonet.allowance import HALF, LITTLE
from battles.rulesets.volley_bayonet.approach import (
    bars_way,
    fall_back_home,
    find_best_reach,
    look_at,
    nearest_enemy,
    turn_towards,
)
from battles.rulesets.volley_bayonet.bases import (
    gap_to,
    half_depth,
    half_width,
    has_enemy_touching,
    is_touching,
    measure_gap,
)
from battles.rulesets.volley_bayonet.combat import find_longest_range
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.formations import (
    break_into_detachments,
    dismount,
    enter_skirmish,
    form_up,
    leave_skirmish,
    mount,
)
from battles.rulesets.volley_bayonet.moving import go_within, room_ahead
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FORMED,
    HORSE,
    INFANTRY,
    MARSH,
    RIDERS,
    ROUTED,
    SKIRMISH,
    SLOW_FOOT,
    WOODS,
)
from battles.rulesets.volley_bayonet.states import is_standing

#: Inches from the enemy within which light troops open out, and beyond which they form again.
OPENS_AT, CLOSES_AT = 18.0, 27.0
#: Inches from the enemy within which nobody forms for an assault: he would be struck as he does it.
TOO_LATE = 4.0
#: Inches back to where a skirmisher is behind the one he stood beside.
BEHIND = 1.6
#: Inches ahead at which an advance looks for ground to open out in.
LOOKS_AHEAD = 6.0
#: Inches between halves up to which they seek each other, and turns in which they try at the most.
APART, TRIES = 14.0, 4
#: Inches of a gap that is a touch, and steps in which a way to it is reckoned.
NEAR, STEPS = 0.05, 8
#: Inches from the enemy, or from the spot it makes for, beyond which mounted infantry rides.
RIDES_FROM = 22.0
#: Inches from its spot at which it has come there, and from its own edge at which it goes home on foot.
AT_SPOT, NEARLY_HOME = 2.0, 8.0
#: Inches of a way that are looked along for ground where horse cannot go.
BARRED_WITHIN = 12.0


@jit
def is_rough(g: Any, x: Any, y: Any) -> Any:
    """True on woods, and on ground that slows or disorders formed foot (VBW-TER-01 to 16)."""
    e = g.going[code_at(g, x, y)]
    return e.kind_ in (WOODS, MARSH) or e.costs[SLOW_FOOT] > 1.0 or e.disorders[SLOW_FOOT] == 1


@jit
def opens_out(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """True where light troops are better in skirmish order, with enemy j so many inches away."""
    u = g.u[i]
    plan = g.plan[u.side]
    if distance > OPENS_AT or u.reserve == 1:
        return False
    if plan == DELAY:
        return True
    if plan not in (HOLD, ADVANCE):
        return False
    if is_rough(g, u.x, u.y):
        return True
    if plan == HOLD:
        return False
    heading = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    return is_rough(g, u.x + SIN[heading] * LOOKS_AHEAD, u.y + COS[heading] * LOOKS_AHEAD)


@jit
def closes_up(g: Any, i: Any, distance: Any) -> Any:
    """True where light troops form again: in the open, for an assault or with no enemy near."""
    u = g.u[i]
    plan = g.plan[u.side]
    if plan == WITHDRAW or is_rough(g, u.x, u.y):
        return False
    if plan in (ASSAULT, TURN_FLANK):
        return distance > TOO_LATE
    return distance > CLOSES_AT


@jit
def light_troops(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Break up and open out, or form again, before the side's moves (VBW-MOV-20 to 23)."""
    u = g.u[i]
    if opens_out(g, i, j, distance):
        if u.class_ == INFANTRY:
            break_into_detachments(g, i)
        if u.class_ == DETACHMENT:
            enter_skirmish(g, i)
    elif u.class_ == DETACHMENT and u.in_command == 1 and closes_up(g, i, distance):
        if u.form == SKIRMISH:
            leave_skirmish(g, i)
        elif has_mate(g, i):
            form_up(g, i, u.partner)


@jit
def has_mate(g: Any, i: Any) -> Any:
    """True for a half whose other half is there as one, in hand and outside buildings."""
    u = g.u[i]
    if u.breaks_up == 0 or u.class_ != DETACHMENT or u.partner < 0 or u.inside >= 0:
        return False
    b = g.u[u.partner]
    return is_standing(b) and b.class_ == DETACHMENT and b.state != ROUTED and b.inside < 0


@jit
def way_to_touch(g: Any, i: Any, j: Any, heading: Any) -> Any:
    """Inches along a heading until stand i touches stand j, by steps that never come upon it."""
    u, b = g.u[i], g.u[j]
    w, h = half_width(g, u), half_depth(g, u)
    way = 0.0
    for _ in range(STEPS):
        left = gap_to(g, b, u.x + SIN[heading] * way, u.y + COS[heading] * way, u.face, w, h)
        if left <= NEAR:
            break
        way += left - NEAR / 2.0
    return way


@jit
def rejoin_first_half(g: Any, i: Any, distance: Any) -> Any:
    """The second half of a stand that is to form again goes to the first, which waits; True for both.

    They form in a later turn, having touched at its start (VBW-MOV-23). Who has not come together in some
    turns goes on by himself.
    """
    u = g.u[i]
    if u.form != FORMED or not has_mate(g, i) or not closes_up(g, i, distance):
        return False
    k = u.partner
    if u.waits >= TRIES or not closes_up(g, k, distance) or measure_gap(g, i, k) > APART:
        return False
    u.waits += 1
    if i < k or is_touching(g, i, k):
        return True
    heading = find_bearing(g.u[k].x - u.x, g.u[k].y - u.y)
    if not turn_towards(g, i, heading):
        return True
    want = min(way_to_touch(g, i, k, heading), find_best_reach(g, u))
    if want > 0.0 and not bars_way(g, u, heading, want):
        go_within(g, i, heading, room_ahead(g, i, heading, want))
    return True


@jit
def barred_to_horse(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """True when ground that no horse may enter lies on the way to an enemy."""
    u = g.u[i]
    was = u.class_
    u.class_ = HORSE
    heading = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    barred = bars_way(g, u, heading, min(distance, BARRED_WITHIN))
    u.class_ = was
    return barred


@jit
def from_spot(g: Any, u: Any) -> Any:
    """Squared inches of a stand from where its plan wants it."""
    dx, dy = u.spot_x - u.x, u.spot_y - u.y
    return dx * dx + dy * dy


@jit
def gets_off(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """True where mounted infantry is to fight on foot: in its range, or at the spot it is to hold."""
    u = g.u[i]
    plan = g.plan[u.side]
    if plan == WITHDRAW:
        return False
    if plan == DELAY:
        return distance > g.t.delay_at and distance <= RIDES_FROM
    if distance <= find_longest_range(g, u):
        return True
    if plan == HOLD:
        return from_spot(g, u) <= AT_SPOT * AT_SPOT
    return distance <= RIDES_FROM and barred_to_horse(g, i, j, distance)


@jit
def gets_on(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """True where mounted infantry is to ride: home, back from an enemy who comes on, or a long way."""
    u = g.u[i]
    plan = g.plan[u.side]
    e = g.going[code_at(g, u.x, u.y)]
    if e.kind_ == MARSH or e.disorders[RIDERS] == 1:
        return False
    if plan == WITHDRAW:
        return from_own_edge(g, u) > NEARLY_HOME
    if plan == DELAY:
        return distance <= g.t.delay_at
    if u.reserve == 1:
        return False
    if plan == HOLD:
        return distance > RIDES_FROM and from_spot(g, u) > RIDES_FROM * RIDES_FROM
    return distance > RIDES_FROM and not barred_to_horse(g, i, j, distance)


@jit
def mounted_infantry(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Get off or on before the side's moves (VBW-MOV-19, VBW-ORG-13)."""
    u = g.u[i]
    if u.in_command == 0 or u.left + LITTLE < HALF:
        return
    if u.class_ == HORSE:
        if gets_off(g, i, j, distance):
            dismount(g, i)
    elif gets_on(g, i, j, distance):
        mount(g, i)


@jit
def changes_first(g: Any) -> None:
    """Before its moves a side's light troops and mounted infantry become what their moves ask for."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side != g.mover or not is_standing(u) or u.state == ROUTED or u.inside >= 0:
            continue
        if u.breaks_up == 0 and u.rides == 0:
            continue
        j = nearest_enemy(g, i)
        if j < 0 or has_enemy_touching(g, i):
            continue
        if u.rides == 1:
            mounted_infantry(g, i, j, measure_gap(g, i, j))
        else:
            light_troops(g, i, j, measure_gap(g, i, j))


@jit
def makes_room(g: Any, i: Any) -> None:
    """Take skirmish order, a base further back where there is no room for it beside the other half."""
    u = g.u[i]
    if enter_skirmish(g, i) or u.moved == 1 or u.in_command == 0:
        return
    if fall_back_home(g, i, BEHIND) > 0.0:
        u.spot_x, u.spot_y = u.x, u.y
        enter_skirmish(g, i)


@jit
def changes_last(g: Any, i: Any) -> None:
    """Dismount riders if half a turn is left for it; make room for troops that had none to skirmish."""
    u = g.u[i]
    if (u.rides == 0 and u.breaks_up == 0) or not is_standing(u) or u.inside >= 0 or u.form != FORMED:
        return
    j = nearest_enemy(g, i)
    if j < 0 or has_enemy_touching(g, i):
        return
    distance = measure_gap(g, i, j)
    if u.class_ == HORSE:
        if u.in_command == 1 and gets_off(g, i, j, distance):
            dismount(g, i)
    elif u.breaks_up == 1 and u.class_ == DETACHMENT and opens_out(g, i, j, distance):
        makes_room(g, i)


@jit
def waits_to_join(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """True for a half that seeks the other or waits for it, with its face to the enemy."""
    if g.u[i].breaks_up == 0 or not rejoin_first_half(g, i, distance):
        return False
    if g.u[i].moved == 0:
        look_at(g, i, j)
    return True
