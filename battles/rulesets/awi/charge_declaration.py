"""Charges, steps F to I and K (AWI-T-CHG, AWI-T-CAV-01)."""

from typing import Any

from battles.engine.bases import (
    HALF_DIAGONAL,
    centre_gap2,
    front_x,
    front_y,
    half_depth,
    half_width,
    is_clear_of_units,
    measure_gap,
    measure_unit_ahead,
)
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    ASSAULT,
    CLOSE,
    FOOT,
    HOLD,
    MOUNTED,
    ON_TABLE,
    OPEN,
    OVER_NOTHING,
    ROUTING,
    STEADY,
    TURN_FLANK,
    WHEELED,
)
from battles.engine.geometry import COS, SIN, clip_to_strip
from battles.engine.ground import STRIDE, can_stand
from battles.engine.recording import (
    CHARGE,
    CHARGE_TEST,
    COUNTER_CHARGE,
    EVADE,
    R_MAY_COUNTER_CHARGE,
    R_ROUT,
    ROUTS,
    ROUTS_AGAIN,
    STEP_G,
    STEP_H,
    STEP_K,
    note_event,
    note_plain,
    step_begins,
)
from battles.rulesets.awi.buildings import is_building, wall_gap
from battles.rulesets.awi.charge_modifiers import (
    FRONT,
    charge_reach,
    charge_result,
    charge_value,
    charged_modifier,
    charger_of,
    cover_given_up,
    find_charge_circumstances,
    find_charge_threshold,
    find_charge_zone,
    is_uphill,
)
from battles.rulesets.awi.crossing import measure_way
from battles.rulesets.awi.melee import FORTIFIED, IN_FLANK, IN_REAR, OBSTACLE, has_flag
from battles.rulesets.awi.morale import basic_morale, surrender_test
from battles.rulesets.awi.retreat import TOUCH, away_from, rout, shift_unit
from battles.rulesets.awi.works import find_barrier

#: Inches a charger keeps off what it comes up against, so that rounding never makes them overlap.
CLEARANCE = 0.01
#: Inches from a unit's front to the centre of one in a building, beyond those to its wall, at the most.
FROM_BUILDING = 5.5


@jit
def may_charge(u: Any) -> Any:
    """Steady infantry and cavalry that may act (AWI-T-CHG-01, AWI-T-CHG-08).

    Our ruling: a unit in a building must leave it before it can charge (AWI-T-TER-02).
    """
    return u.place == ON_TABLE and u.mood == STEADY and u.arm != WHEELED and u.busy == 0 and u.inside < 0


@jit
def ahead_of(g: Any, i: Any, j: Any) -> Any:
    """Inches straight ahead of unit i to unit j, or to the building that holds it; -1.0 when not there."""
    s = g.u[j].inside
    if s < 0:
        inches, _, _ = measure_unit_ahead(g, i, j)
    else:
        inches = wall_ahead(g, i, s)
    return inches


@jit
def wall_ahead(g: Any, i: Any, s: Any) -> Any:
    """Inches straight ahead of unit i to building s; -1.0 when it is not there."""
    u, b = g.u[i], g.structures[s]
    inches, _, _ = clip_to_strip(
        front_x(u), front_y(u), u.face, half_width(u), b.x, b.y, b.face, b.half_width, b.half_depth
    )
    return inches


@jit
def is_touching(g: Any, i: Any, j: Any) -> Any:
    """True when unit i is in contact with unit j, or with the building that holds it."""
    s = g.u[j].inside
    return (measure_gap(g, i, j) if s < 0 else wall_gap(g, i, s)) <= TOUCH


@jit
def room_ahead(g: Any, i: Any, inches: Any) -> Any:
    """Inches unit i can go straight ahead before it meets a unit or a building, at most `inches`."""
    u = g.u[i]
    hx, hy = SIN[u.face], COS[u.face]
    for k in range(g.n):
        t = g.u[k]
        if k == i or t.place != ON_TABLE or t.inside >= 0 or centre_gap2(g, i, k) > 121.0:
            continue
        dx, dy = t.x - u.x, t.y - u.y
        if abs(dx * hy - dy * hx) > half_width(u) + HALF_DIAGONAL:
            continue
        if dx * hx + dy * hy > half_depth(u) + inches + HALF_DIAGONAL:
            continue
        nearer, _, _ = measure_unit_ahead(g, i, k)
        if nearer >= 0.0 and nearer < inches:
            inches = nearer
    for s in range(g.buildings_n):
        if not is_building(g, s):
            continue
        nearer = wall_ahead(g, i, s)
        if nearer >= 0.0 and nearer < inches:
            inches = nearer
    return inches


@jit
def ground_ahead(g: Any, i: Any, inches: Any) -> Any:
    """Inches unit i can go straight ahead on ground it may enter, at most `inches` (AWI-T-CHG-01)."""
    u = g.u[i]
    if g.bars[u.going] == 0:
        return inches
    steps = int(inches / (g.cell * STRIDE)) + 1
    done = 0.0
    for k in range(1, steps + 1):
        step = inches * k / steps
        x, y = u.x + SIN[u.face] * step, u.y + COS[u.face] * step
        if not can_stand(g, i, x, y, u.face, half_width(u), half_depth(u)):
            break
        done = step
    return done


@jit
def charge_distance(g: Any, i: Any, j: Any) -> Any:
    """Inches straight ahead to unit j if unit i may charge it, or -1.0 (AWI-T-CHG-01).

    Neither slopes nor obstacles shorten the reach, but ground it may not enter bars the way.
    """
    u, t = g.u[i], g.u[j]
    near = charge_reach(u) + (FROM_BUILDING if t.inside >= 0 else 4.0)
    if centre_gap2(g, i, j) > near * near:
        return -1.0
    inches = ahead_of(g, i, j)
    if inches < 0.0 or inches > charge_reach(u) + 1.0e-9 or room_ahead(g, i, inches) < inches - TOUCH / 2.0:
        return -1.0
    way = inches - CLEARANCE if inches > CLEARANCE else 0.0
    return inches if ground_ahead(g, i, way) >= way else -1.0


@jit
def declare_charges(g: Any, second: Any) -> Any:
    """F: each unit of the moving side names at most one target. Returns the number of charges."""
    g.step = 6 if second == 0 else STEP_K
    count = 0
    for i in range(g.n):
        u = g.u[i]
        u.contact, u.counter, u.tested, u.fought, u.charges = 0, 0, 0, 0, -1
        ready = u.side == g.mover and may_charge(u) and (second == 0 or (u.arm == MOUNTED and u.won == 1))
        u.won = 0
        if not ready:
            continue
        # a Highland charge is not to be held (AWI-T-V45-04)
        best, best_value = -1, (-9.0 if u.highland_charge == 1 else find_charge_threshold(g, i))
        far = charge_reach(u) + FROM_BUILDING
        for j in range(g.n):
            t = g.u[j]
            if t.side == u.side or t.place != ON_TABLE or centre_gap2(g, i, j) > far * far:
                continue
            if charge_distance(g, i, j) < 0.0:
                continue
            value = charge_value(
                g, i, j, find_charge_zone(g, i, j), find_barrier(g, front_x(u), front_y(u), j)
            )
            value -= cover_given_up(g, i, j)
            if value >= best_value:
                best, best_value = j, value
        if best < 0:
            continue
        u.charges, u.shown = best, 1
        u.zone = find_charge_zone(g, i, best)
        u.over = find_barrier(g, front_x(u), front_y(u), best)
        u.reach = charge_distance(g, i, best)
        u.old_x, u.old_y = g.u[best].x, g.u[best].y
        count += 1
        note_event(g, CHARGE, i, best, 0, 0, u.zone, int(u.reach * 100.0), 0)
    return count


@jit
def counter_charge(g: Any, j: Any, i: Any) -> None:
    """Meet charger i half way between the fronts, or as near as there is room (AWI-T-CHG-05).

    The way is the charger's own, so that the two meet front to front whatever their headings. A
    unit that has no room to go at all stands.
    """
    u = g.u[j]
    inches, _, _ = measure_unit_ahead(g, i, j)
    heading = (g.u[i].face + 180) % 360
    for part in range(8, 0, -1):
        step = inches / 2.0 * part / 8.0
        x, y = u.x + SIN[heading] * step, u.y + COS[heading] * step
        width, depth = half_width(u), half_depth(u)
        if is_clear_of_units(g, j, x, y, u.face, width, depth, -1) and can_stand(
            g, j, x, y, u.face, width, depth
        ):
            u.x, u.y, u.counter, u.shown = x, y, 1, 1
            note_plain(g, COUNTER_CHARGE, j, i)
            return


@jit
def may_evade(g: Any, j: Any, flags: Any) -> Any:
    """Optional: open order foot and cavalry slip away from slower chargers (AWI-T-CHG-09)."""
    u = g.u[j]
    if g.o.evade == 0 or u.mood != STEADY or u.inside >= 0 or has_flag(flags, IN_FLANK | IN_REAR):
        return False
    if u.arm != MOUNTED and not (u.arm == FOOT and u.order_ == OPEN):
        return False
    for i in range(g.n):
        if g.u[i].charges == j and (g.u[i].arm != FOOT or g.u[i].order_ != CLOSE):
            return False
    return True


@jit
def evade(g: Any, j: Any, i: Any) -> None:
    """Withdraw one line move straight back, as the ground allows, facing as before (AWI-T-CHG-09)."""
    u = g.u[j]
    back = (u.face + 180) % 360
    inches, _ = measure_way(g, j, back, u.rate_line, u.rate_line, u.rate_line)
    if g.wades < 0 and shift_unit(g, j, back, inches, u.face, 0) > 0.0:
        note_plain(g, EVADE, j, i)


@jit
def test_charged_unit(g: Any, j: Any, flags: Any) -> None:
    """G and H for one charged unit: test, then rout, counter-charge or evade (AWI-T-CHG-02, 03)."""
    u = g.u[j]
    i = charger_of(g, j)
    rear = 1 if has_flag(flags, IN_REAR) else 0
    away = away_from(g, j, i)
    u.tested, u.digging = 1, 0
    if u.immobile == 1:
        return  # it is taken on contact, without dice (AWI-T-MEL-10)
    if u.mood == ROUTING:
        if not surrender_test(g, j, i):
            step_begins(g, STEP_H)
            note_plain(g, ROUTS_AGAIN, j, i)
            rout(g, j, away, 1, 0, i)
        return
    modifier = charged_modifier(u, flags)
    die = roll_d6(g)
    result = charge_result(die + modifier, basic_morale(u))
    note_event(g, CHARGE_TEST, j, i, die, 0, modifier, die + modifier, result)
    step_begins(g, STEP_H)
    if result == R_ROUT:
        note_plain(g, ROUTS, j, i)
        rout(g, j, away, 1, rear, i)
    elif (
        result == R_MAY_COUNTER_CHARGE
        and u.arm != WHEELED
        and not has_flag(flags, OBSTACLE | FORTIFIED)
        and g.u[i].over == OVER_NOTHING
        and g.u[i].zone == FRONT
        and g.plan[u.side] in (ASSAULT, HOLD, TURN_FLANK)
        and not is_uphill(g, j, i)  # a commander declines to charge up a slope
    ):
        counter_charge(g, j, i)
    elif may_evade(g, j, flags):
        evade(g, j, i)


@jit
def test_charged_units(g: Any) -> None:
    """G and H: every charged unit once."""
    step_begins(g, STEP_G)
    for j in range(g.n):
        if g.u[j].side == g.mover or g.u[j].place != ON_TABLE:
            continue
        flags = find_charge_circumstances(g, j)
        if flags >= 0:
            test_charged_unit(g, j, flags)
            step_begins(g, STEP_G)
