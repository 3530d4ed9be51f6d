"""The worth of a charge to a commander, by the modifiers of the table and the fire it must pass."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import is_behind_front
from battles.rulesets.regimental.charging import charge_modifier, is_mounted, may_use_steel, ratio_of
from battles.rulesets.regimental.command import is_led
from battles.rulesets.regimental.contact import height_at
from battles.rulesets.regimental.cover import is_favorable, is_fortified
from battles.rulesets.regimental.fire import cover_modifier, halving_factor, halvings_of, may_fire, points_at
from battles.rulesets.regimental.records import BROKEN, GUNS, NO_COVER, UNLIMBERED, WAGONS
from battles.rulesets.regimental.states import count_bearing_stands, is_troops

#: What a point of closing fire takes off a charge's worth, and how much it takes at most.
PER_POINT, MOST_FIRE = 0.22, 2.6
#: What a train or guns that cannot get away are worth more.
PRIZE = 1.0
#: Inches of closing fire.
CLOSING = 1.0


@jit
def closing_fire(g: Any, i: Any, j: Any) -> Any:
    """The cost to the charge of unit i of the fire of unit j."""
    t = g.u[j]
    if not may_fire(g, t) or is_behind_front(t, g.u[i].x, g.u[i].y):
        return 0.0
    stands = count_bearing_stands(t) if t.class_ == GUNS else t.stands * halving_factor(g, halvings_of(t))
    points = points_at(g, t.weapon, CLOSING) * stands
    return min(MOST_FIRE, PER_POINT * points + PER_POINT * cover_modifier(g, g.u[i], NO_COVER))


@jit
def charge_worth(g: Any, i: Any, j: Any) -> Any:
    """The worth of a charge of unit i on unit j: the expected difference, less the closing fire."""
    u, t = g.u[i], g.u[j]
    if t.class_ == WAGONS:
        return PRIZE
    own = u.stands
    theirs = t.stands if is_troops(t) else 0
    flank = 1 if is_behind_front(t, u.x, u.y) and t.inside < 0 else 0
    horse = 1 if is_mounted(u) else 0
    steel = 1 if may_use_steel(u) else 0
    attack = charge_modifier(g, i, ratio_of(own, theirs), 0, steel, horse, 0, 1 if is_led(g, i) else 0)
    ground = 0
    if is_fortified(g, t, u.x, u.y):
        ground = 2
    elif is_favorable(g, t, u.x, u.y, height_at(g, u.x, u.y)):
        ground = 1
    led = 1 if is_led(g, j) else 0
    defence = charge_modifier(g, j, ratio_of(theirs, own), ground, 0, 0, flank, led)
    worth = attack - defence - closing_fire(g, i, j)
    if t.class_ == GUNS and t.form == UNLIMBERED:
        worth += PRIZE
    return worth - 1.0 if t.order_ == BROKEN else worth
