"""The morale step: who checks, all checks on the states at its start, what becomes of them (VBW-DEF-12)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.bases import is_touching
from battles.rulesets.volley_bayonet.charging import try_fence
from battles.rulesets.volley_bayonet.danger import commands_zone, depth_of_zone, is_screened
from battles.rulesets.volley_bayonet.forced import FROM_CHECK, STEP, flees_from, off_table, rout_moves
from battles.rulesets.volley_bayonet.morale import (
    AT_SKIRMISHERS,
    charged_flags,
    charger_flags,
    nerve_of,
    roll_check,
    threat_flags,
)
from battles.rulesets.volley_bayonet.moving import ends_free
from battles.rulesets.volley_bayonet.recording import CHARGE_HALTS, FORMS_TO_FIGHT, note_plain
from battles.rulesets.volley_bayonet.records import FORMED, GOOD, HORSE, SKIRMISH
from battles.rulesets.volley_bayonet.sight import can_see
from battles.rulesets.volley_bayonet.states import FAIL_MORALE, change_order, is_standing, remove_stand

#: What a check of this step came to: not due, passed, failed.
NOT_DUE, PASSED, FAILED = 0, 1, 2
#: Share of its way by which a charge that stops half way stops shorter while somebody stands there.
SHORTER_BY = 0.05


@jit
def has_met(g: Any, i: Any, j: Any) -> Any:
    """True when stand i has charged and touches stand j, its target or another (VBW-DEF-08)."""
    a = g.u[i]
    if a.charges < 0 or a.charged == 0 or a.side == g.u[j].side:
        return False
    return is_standing(a) and is_standing(g.u[j]) and is_touching(g, i, j)


@jit
def melee_flags(g: Any, i: Any) -> Any:
    """(circumstances, 1 or 0 for being due, the enemy who calls it) of stand i's check for melee.

    Of several enemies each counts, but the +1 against skirmishers only when none is formed (VBW-MOR-14).
    """
    u = g.u[i]
    flags, due, by, formed = 0, 0, -1, False
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        if (u.charges < 0 and g.u[j].charges < 0) or g.u[j].side == u.side or not is_standing(g.u[j]):
            continue
        if has_met(g, i, j):
            flags |= charger_flags(g, i, j)
        elif has_met(g, j, i):
            flags |= charged_flags(g, i, j)
        else:
            continue
        due = 1
        formed = formed or g.u[j].form != SKIRMISH
        if by < 0 or u.charges == j:
            by = j
    if formed:
        flags &= ~AT_SKIRMISHERS
    return flags, due, by


@jit
def guns_ready(g: Any) -> Any:
    """Fill the order with the guns of both sides that have a danger zone; how many (VBW-MOR-02)."""
    count = 0
    for k in range(g.n):
        if commands_zone(g.u[k]):
            g.order[count] = k
            count += 1
    return count


@jit
def gun_that_threatens(g: Any, i: Any, guns: Any) -> Any:
    """The nearest of so many guns of the order in whose danger zone stand i is and that sees it, or -1.

    However many bear there is one check (VBW-MOR-02).
    """
    best, nearest = -1, 1.0e9
    for m in range(guns):
        k = g.order[m]
        if g.u[k].side == g.u[i].side:
            continue
        inches = depth_of_zone(g, k, i)
        if inches < 0.0 or inches >= nearest or is_screened(g, k, i) or not can_see(g, k, i):
            continue
        best, nearest = k, inches
    return best


@jit
def prepare_check(g: Any, i: Any, guns: Any, charges: Any) -> Any:
    """Set the modified morale of a stand that must check, for all reasons at once; its enemy, or -1.

    `guns` are those of the order (`guns_ready`), `charges` how many stands charge.
    One check a step with every modifier that applies, about to melee or in a danger zone (VBW-MOR-03).
    """
    if not is_standing(g.u[i]):
        return -1
    flags, due, by = 0, 0, -1
    if charges > 0:
        flags, due, by = melee_flags(g, i)
    gun = gun_that_threatens(g, i, guns)
    if gun >= 0:
        flags |= threat_flags(g, i, gun)
        if due == 0:
            by = gun
    if by >= 0:
        g.u[i].nerve = nerve_of(g, i, flags)
    return by


@jit
def stop_half_way(g: Any, i: Any) -> None:
    """A Native American charge that fails stops half way, in skirmish order, and may fire (VBW-NAT-01).

    Whatever its order there is neither disorder nor rout, and its target is not meleed by it. Where
    somebody stands half way, it stops short of him; where friends have moved up to where it began, it goes
    back behind them, and is lost beyond the table's edge (VBW-DEF-14, VBW-DEF-21).
    """
    u = g.u[i]
    u.form, u.charges, u.charged = SKIRMISH, -1, 0
    dx, dy = u.x - u.from_x, u.y - u.from_y
    share = 0.5
    while share > 0.0 and not ends_free(g, i, u.from_x + dx * share, u.from_y + dy * share):
        share = max(share - SHORTER_BY, 0.0)
    u.x, u.y = u.from_x + dx * share, u.from_y + dy * share
    while not ends_free(g, i, u.x, u.y) and not off_table(g, u.x, u.y):
        u.x, u.y = u.x - SIN[u.face] * STEP, u.y - COS[u.face] * STEP
    note_plain(g, CHARGE_HALTS, i, -1)
    if off_table(g, u.x, u.y):
        remove_stand(g, i)


@jit
def is_ridden_down(g: Any, i: Any) -> Any:
    """True for a Native American stand with a marker that charging horse touches (VBW-NAT-04)."""
    u = g.u[i]
    if u.native == 0 or u.state == GOOD or not is_standing(u):
        return False
    riders = 0
    for k in range(g.n):
        if g.u[k].class_ == HORSE and has_met(g, k, i):
            riders += 1
    return riders > 0


@jit
def begin_step(g: Any) -> None:
    """Nobody has checked yet."""
    for i in range(g.n):
        g.u[i].checked, g.u[i].caller = NOT_DUE, -1


@jit
def check_all(g: Any) -> Any:
    """Fences, then every check due on the states as they are, then what comes of them; how many checked.

    Who has checked in this step does not check again unless a fresh contact clears `checked`.
    """
    for i in range(g.n):
        if g.u[i].charged == 1 and g.u[i].checked == NOT_DUE and is_standing(g.u[i]):
            try_fence(g, i)
    guns, charges = guns_ready(g), 0
    for i in range(g.n):
        if g.u[i].charges >= 0:
            charges += 1
    for i in range(g.n):
        g.u[i].caller = prepare_check(g, i, guns, charges) if g.u[i].checked == NOT_DUE else -1
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.caller >= 0:
            count += 1
            u.checked = PASSED if roll_check(g, i) else FAILED
    settle_checks(g)
    return count


@jit
def form_to_fight(g: Any, i: Any) -> None:
    """Native Americans in skirmish order form detachments for the melee, for nothing (VBW-MOV-24)."""
    if g.u[i].form != FORMED:
        g.u[i].form = FORMED
        note_plain(g, FORMS_TO_FIGHT, i, -1)


@jit
def settle_checks(g: Any) -> None:
    """Apply all checks together, then remove Native Americans ridden down, then run (VBW-DEF-12).

    Native Americans who pass form for the melee; those who fail do not reach it (VBW-MOV-24).
    """
    for i in range(g.n):
        u = g.u[i]
        if u.caller < 0:
            continue
        if u.native == 1 and u.charged == 1:
            if u.checked == PASSED:
                form_to_fight(g, i)
            else:
                stop_half_way(g, i)
        elif u.checked == FAILED:
            change_order(g, i, FAIL_MORALE)
            flees_from(g, i, g.u[u.caller].x, g.u[u.caller].y, FROM_CHECK)
    for i in range(g.n):
        if is_ridden_down(g, i):
            remove_stand(g, i)
    rout_moves(g)
