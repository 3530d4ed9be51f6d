"""Fire: points of a unit at a target, halvings, modifiers, and the table of effects (REG-FIR-01 to 07)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing, turn_between
from battles.rulesets.regimental.bases import (
    LITTLE,
    far_apart,
    front_x,
    front_y,
    is_within,
    measure_gap,
    nearest_spot,
)
from battles.rulesets.regimental.cover import cover_from
from battles.rulesets.regimental.figures import BELOW_STEPS
from battles.rulesets.regimental.records import (
    BROKEN,
    CHECKED,
    COLD_STEEL,
    DESULTORY,
    DISMOUNTED,
    DISORDERED,
    EXTENDED,
    FIELD_COLUMN,
    FORTIFIED,
    FULL,
    GALLING,
    GUNS,
    HOME,
    HORSE,
    LIMBERED,
    LIVELY,
    MARCH_COLUMN,
    MASS,
    NO_WEAPON,
    ON_TABLE,
    PARTIAL,
    SIEGE_GUN,
    UNLIMBERED,
    WAGONS,
    WITHERING,
)
from battles.rulesets.regimental.sight import ground_open, line_clear
from battles.rulesets.regimental.states import count_bearing_stands, ranks
from battles.rulesets.regimental.tables import CLOSE_RANGE, FIRE

_AT = {name: place for place, name in enumerate(FIRE)}
RAW_FIRING = _AT["raw_troops_or_guns_firing"]
GUN_TARGET = _AT["gun_target_limbered_enfiladed_or_in_close_range"]
TROOP_TARGET = _AT[
    "troop_target_field_column_mass_cavalry_marched_by_flank_about_faced_passage_of_lines_or_broken"
]
COLUMN_TARGET = _AT["troop_target_march_column_or_enfiladed"]
IN_PARTIAL, IN_FULL, IN_WORKS = (
    _AT["target_in_partial_cover_or_extended_line"],
    _AT["target_in_full_cover_or_extended_line_in_partial_cover"],
    _AT["target_fortified"],
)
KEEN = _AT["firing_buck_and_ball_in_a_charge_or_marksmen"]
#: Degrees of the flank within which a unit is enfiladed.
ENFILADE = 45


@jit
def points_at(g: Any, weapon: Any, inches: Any) -> Any:
    """Fire points of one stand at a range, 0.0 beyond its longest (REG-FIR-02, REG-FIR-03)."""
    if inches > g.t.longest[weapon] + LITTLE:
        return 0.0
    for k in range(g.t.reach.shape[1]):
        if inches <= g.t.reach[weapon, k] + LITTLE:
            return g.t.points[weapon, k]
    return 0.0


@jit
def halving_factor(g: Any, times: Any) -> Any:
    """The factor of so many halvings: they multiply, unless the option counts one only (REG-FIR-04)."""
    if times == 0:
        return 1.0
    return 0.5**times if g.o.multiply == 1 else 0.5


@jit
def halvings_of(u: Any) -> Any:
    """Halvings that hold for every stand of troops: disordered, low on ammunition, in mass (REG-FIR-04)."""
    times = 0
    if u.order_ == DISORDERED:
        times += 1
    if u.low > 0:
        times += 1
    if u.form == MASS:
        times += 1
    return times


@jit
def may_fire(g: Any, u: Any) -> Any:
    """True for a unit that can fire at all: not broken, guns unlimbered and not all silenced (REG-UNI-02)."""
    if u.place != ON_TABLE or u.weapon == NO_WEAPON or u.order_ == BROKEN:
        return False
    if u.class_ == GUNS:
        return u.form == UNLIMBERED and count_bearing_stands(u) > 0
    return True


@jit
def gun_share(g: Any, u: Any) -> Any:
    """Gun stands that fire, the damaged and those low on ammunition at half (REG-FIR-04, REG-FIR-10)."""
    sound, damaged = count_bearing_stands(u) - u.damaged, u.damaged
    low_sound = min(u.low, sound)
    low_damaged = min(u.low - low_sound, damaged)
    total = (sound - low_sound) + halving_factor(g, 1) * (low_sound + damaged - low_damaged)
    return total + halving_factor(g, 2) * low_damaged


@jit
def in_arc_of(u: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when q is in the arc, 45 degrees to each side, of a stand with its front at p (REG-FIR-01)."""
    dx, dy = qx - px, qy - py
    if dx * dx + dy * dy < 1.0e-4:
        return True
    s, c = SIN[u.face], COS[u.face]
    return abs(dx * c - dy * s) <= dx * s + dy * c + LITTLE


@jit
def bears_on(g: Any, i: Any, j: Any) -> Any:
    """Fire points of unit i at unit j by arc, range and halvings, sight not asked; 0.0 for none (REG-DEF-03).

    Of a line each stand looks for itself, of columns and masses the first rank fires.
    """
    u, t = g.u[i], g.u[j]
    if far_apart(g, i, j, g.t.longest[u.weapon]):
        return 0.0
    fx, fy = front_x(u), front_y(u)
    if u.class_ == GUNS or u.inside >= 0:
        inches = measure_gap(g, i, j)
        qx, qy = nearest_spot(t, fx, fy)
        if u.inside < 0 and not in_arc_of(u, fx, fy, qx, qy):
            return 0.0
        if u.class_ == GUNS:
            return points_at(g, u.weapon, inches) * gun_share(g, u)
        return points_at(g, u.weapon, inches) * u.stands * halving_factor(g, halvings_of(u))
    if (t.x - fx) * SIN[u.face] + (t.y - fy) * COS[u.face] < -t.reach:
        return 0.0
    points, _ = first_rank(g, i, j)
    return points * halving_factor(g, halvings_of(u))


@jit
def first_rank(g: Any, i: Any, j: Any) -> Any:
    """(points, stands): of the first rank of troops those that have unit j in range and arc (REG-DEF-03)."""
    u, t = g.u[i], g.u[j]
    abreast, _, _ = ranks(u.stands, u.form)
    fx, fy, s, c = front_x(u), front_y(u), SIN[u.face], COS[u.face]
    apart = 2.0 * u.front if u.form in (EXTENDED, DISMOUNTED) else u.front
    total, bearing_stands = 0.0, 0
    for k in range(abreast):
        aside = (k - 0.5 * (abreast - 1)) * apart
        px, py = fx + aside * c, fy - aside * s
        qx, qy = nearest_spot(t, px, py)
        if not in_arc_of(u, px, py, qx, qy):
            continue
        dx, dy = qx - px, qy - py
        points = points_at(g, u.weapon, (dx * dx + dy * dy) ** 0.5)
        if points > 0.0:
            total += points
            bearing_stands += 1
    return total, bearing_stands


@jit
def stands_bearing(g: Any, i: Any, j: Any) -> Any:
    """The number of stands of troops that fire at unit j (REG-FIR-10)."""
    if g.u[i].inside >= 0:
        return g.u[i].stands
    _, count = first_rank(g, i, j)
    return count


@jit
def line_to(g: Any, i: Any, j: Any) -> Any:
    """True when unit i has a clear line to unit j, over the ground and among others (REG-FIR-01)."""
    u, t = g.u[i], g.u[j]
    px, py = (u.x, u.y) if u.inside >= 0 else (front_x(u), front_y(u))
    qx, qy = nearest_spot(t, px, py)
    if not line_clear(g, i, j, px, py, qx, qy):
        return False
    if g.hills == 0 and g.growth == 0 and g.buildings_n == 0:
        return True
    return ground_open(g, px, py, qx, qy, u.inside, t.inside)


@jit
def points_modifier(g: Any, points: Any) -> Any:
    """Modifier of the dice by all fire points: the highest step not above them (REG-FIR-05)."""
    found = BELOW_STEPS
    for k in range(g.t.step.shape[0]):
        if points + LITTLE >= g.t.step[k]:
            found = g.t.step_worth[k]
    return found


@jit
def is_enfilading(g: Any, i: Any, j: Any) -> Any:
    """True when unit i's fire comes along the line of unit j, within 45 degrees of its flank (REG-FIR-06)."""
    u, t = g.u[i], g.u[j]
    if t.inside >= 0:
        return False
    side = abs(turn_between(t.face, find_bearing(u.x - t.x, u.y - t.y)))
    return side > 90 - ENFILADE and side < 90 + ENFILADE


@jit
def is_keen(g: Any, i: Any, j: Any) -> Any:
    """True for marksmen, and for buck and ball in or against a charge (REG-FIR-06, REG-SPC-02)."""
    u, t = g.u[i], g.u[j]
    if u.marksmen == 1:
        return True
    return u.buck_and_ball == 1 and (t.charges >= 0 or u.charges == j)


@jit
def target_modifier(g: Any, j: Any, enfiladed: Any, close: Any, from_x: Any, from_y: Any) -> Any:
    """Modifiers of the target, shot at from a spot: what it is, how it stands, its cover (REG-FIR-06)."""
    t, m = g.u[j], g.t.fire
    total = 0
    if t.class_ == GUNS:
        if t.form == LIMBERED or enfiladed or close:
            total += m[GUN_TARGET]
    elif t.class_ != WAGONS:
        one = (
            t.form in (FIELD_COLUMN, MASS)
            or (t.class_ == HORSE and t.form != DISMOUNTED)
            or t.about_faced == 1
            or t.order_ == BROKEN
        )
        two = t.form == MARCH_COLUMN or enfiladed
        if two:
            total += m[COLUMN_TARGET]
        if one and (not two or g.o.lines_add == 1):
            total += m[TROOP_TARGET]
    return total + cover_modifier(g, t, cover_from(g, t, from_x, from_y))


@jit
def cover_modifier(g: Any, t: Any, cover: Any) -> Any:
    """The best of the cover lines for a target, whose extended line is a cover of its own (REG-FIR-06)."""
    m = g.t.fire
    spread = t.form in (EXTENDED, DISMOUNTED)
    if cover == FORTIFIED:
        return m[IN_WORKS]
    if cover == FULL or (spread and cover == PARTIAL):
        return m[IN_FULL]
    return m[IN_PARTIAL] if spread or cover == PARTIAL else 0


@jit
def firer_modifier(g: Any, raw: Any, keen: Any, points: Any) -> Any:
    """Modifiers of the firers, when half or more of the points are theirs (REG-FIR-01, REG-FIR-06)."""
    total = 0
    if points > 0.0 and 2.0 * raw >= points - LITTLE and raw > 0.0:
        total += g.t.fire[RAW_FIRING]
    if points > 0.0 and 2.0 * keen >= points - LITTLE and keen > 0.0:
        total += g.t.fire[KEEN]
    return total


@jit
def effect_on(g: Any, rating: Any, total: Any, cannonade: Any) -> Any:
    """The row of the fire table; lively fire is nothing unless guns have half the points (REG-FIR-07)."""
    row = min(max(total, 0), g.t.effect.shape[1] - 1)
    effect = g.t.effect[rating, row]
    return DESULTORY if effect == LIVELY and not cannonade else effect


@jit
def next_lower_effect(effect: Any) -> Any:
    """The next lower effect, all rows of telling fire being one (REG-FIR-09)."""
    if effect == WITHERING:
        return HOME
    if effect in (CHECKED, COLD_STEEL, HOME):
        return GALLING
    return LIVELY if effect == GALLING else DESULTORY


@jit
def checks_charge(effect: Any, cold_steel: Any) -> Any:
    """True when an effect stops a charging target (REG-FIR-07, REG-FIR-08, REG-CHG-03)."""
    if effect in (WITHERING, CHECKED):
        return True
    return effect == COLD_STEEL and cold_steel == 0


@jit
def is_cannon(u: Any) -> Any:
    """True for a weapon that is a gun."""
    return u.weapon >= SIEGE_GUN


@jit
def in_close_range_of(g: Any, i: Any, j: Any) -> Any:
    """True when two units are within 4 inches of each other (REG-GEN-03)."""
    return is_within(g, i, j, CLOSE_RANGE)
