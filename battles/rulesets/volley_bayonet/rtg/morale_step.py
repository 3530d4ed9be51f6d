"""The Morale phase: who checks and why, all checks on the states at its start, then the drops (RTG-MOR)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing
from battles.rulesets.volley_bayonet.forced import FROM_CHECK
from battles.rulesets.volley_bayonet.morale import AT_SKIRMISHERS, FROM_FLANK
from battles.rulesets.volley_bayonet.records import FLANK, FRONT, GUNS
from battles.rulesets.volley_bayonet.rtg.bases import half_depth, is_skirmisher, is_touching
from battles.rulesets.volley_bayonet.rtg.chief import NOBODY, chief_with
from battles.rulesets.volley_bayonet.rtg.ground import is_higher, kind_towards
from battles.rulesets.volley_bayonet.rtg.melee import is_supported
from battles.rulesets.volley_bayonet.rtg.morale import (
    THIN_FLANKED,
    charged_flags,
    charger_flags,
    defence_flags,
    flank_flag,
    nerve_of,
    roll_check,
)
from battles.rulesets.volley_bayonet.rtg.rout import drop_order
from battles.rulesets.volley_bayonet.rtg.security import is_asked, note_security
from battles.rulesets.volley_bayonet.rtg.zone import has_zone, zone_depth
from battles.rulesets.volley_bayonet.sight import can_see
from battles.rulesets.volley_bayonet.states import FAIL_MORALE, is_standing

#: What a check of this phase came to, and no enemy.
NOT_DUE, PASSED, FAILED, NO_ENEMY = 0, 1, 2, -1
#: Inches from its centre to the middle of its enemies within which they are on all sides of a stand.
ABOUT = 0.25


@jit
def has_met(g: Any, i: Any, j: Any) -> Any:
    """True when stand i has charged and touches stand j, its target or another."""
    a = g.u[i]
    if a.charges < 0 or a.charged == 0 or a.side == g.u[j].side:
        return False
    return is_standing(a) and is_standing(g.u[j]) and is_touching(g, i, j)


@jit
def shelter_flags(g: Any, u: Any, x: Any, y: Any) -> Any:
    """The flags of higher ground, works and buildings for a stand against an enemy from a spot."""
    return defence_flags(u, 1 if is_higher(g, u, x, y) else 0, kind_towards(g, u, x, y))


@jit
def contact_flags(g: Any, i: Any) -> Any:
    """(circumstances, the enemy who calls the check or NO_ENEMY) of all melees of stand i (RTG-MOR-03).

    The +1 against skirmishers only when no other enemy is among them (RTG-MOR-11).
    """
    u = g.u[i]
    flags, by, others = 0, NO_ENEMY, False
    supported = 1 if u.class_ == GUNS and is_supported(g, i) else 0
    for j in range(g.n):
        b = g.u[j]
        if has_met(g, i, j):
            flags |= charger_flags(u, b, u.edge)
        elif has_met(g, j, i):
            flags |= charged_flags(g, u, b, b.edge, supported) | shelter_flags(g, u, b.from_x, b.from_y)
        else:
            continue
        others = others or not is_skirmisher(b)
        if by == NO_ENEMY or u.charges == j:
            by = j
    if others:
        flags &= ~AT_SKIRMISHERS
    return flags, by


@jit
def edge_fired_at(g: Any, u: Any, x: Any, y: Any) -> Any:
    """FLANK for fire from behind the line of a stand's front edge, else FRONT (RTG-MOR-08).

    Skirmishers and who holds a block have no flank, as at wing scale (VBW-DEF-05).
    """
    ahead = (x - u.x) * SIN[u.face] + (y - u.y) * COS[u.face]
    no_flank = u.inside >= 0 or is_skirmisher(u)
    return FRONT if no_flank or ahead >= half_depth(g, u) else FLANK


@jit
def zone_flags(g: Any, i: Any) -> Any:
    """(circumstances, the nearest gun or NO_ENEMY) of the close zones stand i is in (RTG-MOR-01)."""
    u = g.u[i]
    flags, by, nearest = 0, NO_ENEMY, 0.0
    for k in range(g.n):
        a = g.u[k]
        if a.side == u.side or not has_zone(a):
            continue
        inches = zone_depth(g, k, i)
        if inches < 0.0 or not can_see(g, k, i):
            continue
        flags |= shelter_flags(g, u, a.x, a.y) | flank_flag(g, u, edge_fired_at(g, u, a.x, a.y), 0)
        if by == NO_ENEMY or inches < nearest:
            by, nearest = k, inches
    return flags, by


@jit
def prepare_check(g: Any, i: Any) -> Any:
    """Set the modified morale of a stand that must check, for all reasons at once; its enemy, or NO_ENEMY.

    The heavier penalty of a line or column stands in place of the flank's (RTG-MOR-09).
    """
    if not is_standing(g.u[i]):
        return NO_ENEMY
    flags, by = contact_flags(g, i)
    more, gun = zone_flags(g, i)
    flags |= more
    if flags & THIN_FLANKED != 0:
        flags &= ~FROM_FLANK
    if by == NO_ENEMY:
        by = gun
    if by != NO_ENEMY:
        g.u[i].nerve = nerve_of(g, g.u[i], flags, 1 if chief_with(g, i) != NOBODY else 0)
    return by


@jit
def away_from_all(g: Any, i: Any) -> Any:
    """The heading on which stand i would run from its check (RTG-ROU-01).

    From the middle of all enemies it melees; from him who calls the check where there is none, or where
    they are all about it.
    """
    u = g.u[i]
    x, y, count = 0.0, 0.0, 0
    for j in range(g.n):
        if has_met(g, i, j) or has_met(g, j, i):
            x, y, count = x + g.u[j].x, y + g.u[j].y, count + 1
    if count > 0:
        dx, dy = u.x - x / count, u.y - y / count
        if dx * dx + dy * dy > ABOUT * ABOUT:
            return find_bearing(dx, dy)
    return find_bearing(u.x - g.u[u.caller].x, u.y - g.u[u.caller].y)


@jit
def begin_checks(g: Any) -> None:
    """Nobody has checked yet in this phase."""
    for i in range(g.n):
        g.u[i].checked, g.u[i].caller = NOT_DUE, NO_ENEMY


@jit
def check_all(g: Any) -> Any:
    """Every check that is due and not made yet, then every drop at once; how many checked (RTG-MOR-01, 02).

    Who routs owes its move, away from the enemies about it when it checked.
    """
    if is_asked(g):
        note_security(g)
    count = 0
    for i in range(g.n):
        g.u[i].caller = prepare_check(g, i) if g.u[i].checked == NOT_DUE else NO_ENEMY
    for i in range(g.n):
        u = g.u[i]
        if u.caller != NO_ENEMY:
            u.checked = PASSED if roll_check(g, i) else FAILED
            u.away = away_from_all(g, i)
            count += 1
    for i in range(g.n):
        u = g.u[i]
        if u.caller != NO_ENEMY and u.checked == FAILED:
            drop_order(g, i, FAIL_MORALE)
            if u.runs > 0:
                u.runs = FROM_CHECK
    return count
