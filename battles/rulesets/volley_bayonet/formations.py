"""Formations: road march, skirmish order, the saddle, detachments, standing still (VBW-MOV-09 to 27)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.allowance import (
    HALF,
    LITTLE,
    begins_to_move,
    ground_column,
    spend,
)
from battles.rulesets.volley_bayonet.bases import touch
from battles.rulesets.volley_bayonet.recording import CHANGE_FORMATION, RECOVERS, note_plain
from battles.rulesets.volley_bayonet.records import (
    D_DETACHMENT,
    D_HORSE,
    D_POOR,
    D_REGULAR,
    DETACHMENT,
    DISORDERED,
    FORMED,
    GONE,
    GUNS,
    HORSE,
    INFANTRY,
    ROAD_MARCH,
    ROUTED,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.rtg.moving import is_unlimbered
from battles.rulesets.volley_bayonet.states import RECOVER, change, stands

#: Inches from the middle of a stand to that of each half.
HALF_STAND = 0.75


@jit
def may_stand_here(g: Any, i: Any, code: Any) -> Any:
    """True where a stand may go stationary or recover: not in ground that disorders it (VBW-TER-02, 18)."""
    return g.going[code].disorders[ground_column(g.u[i])] == 0


@jit
def recover(g: Any, i: Any, code: Any, touched: Any) -> Any:
    """Recover from temporary disorder for half a turn; True when done (VBW-MOV-09, VBW-CMD-13).

    In command, not touching an enemy, on ground that allows it; red stays (VBW-MOV-10). Whether it is
    at the start or the end of the move is the caller's to see to.
    """
    u = g.u[i]
    if u.state != DISORDERED or u.in_command == 0 or touched or not may_stand_here(g, i, code):
        return False
    if u.left + LITTLE < HALF:
        return False
    spend(u, HALF)
    change(g, i, RECOVER)
    u.recovered, u.stationary = 1, 0
    note_plain(g, RECOVERS, i, -1)
    return True


@jit
def enter_road_march(g: Any, i: Any) -> Any:
    """Go into road march, which is free (VBW-MOV-12); for guns it is limbering (VBW-MOV-18).

    Guns of a brigade's scale are limbered first (RTG-MOV-06).
    """
    u = g.u[i]
    if u.form == ROAD_MARCH or u.guns_gone == 1 or (g.o.grand == 1 and is_unlimbered(u)):
        return False
    begins_to_move(g, i)
    u.form = ROAD_MARCH
    note_plain(g, CHANGE_FORMATION, i, -1)
    return True


@jit
def leave_road_march(g: Any, i: Any, touched: Any) -> Any:
    """Come out of road march for half a turn, with one facing change for nothing (VBW-MOV-12 to 14).

    Not while the enemy is touched.
    """
    u = g.u[i]
    if u.form != ROAD_MARCH or touched or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.form, u.left_march, u.free_turn = FORMED, 1, 1
    note_plain(g, CHANGE_FORMATION, i, -1)
    return True


@jit
def may_skirmish(g: Any, u: Any) -> Any:
    """True for detachments, and for horse where the rules have it (VBW-MOV-20, VBD-MOV-17)."""
    return u.class_ == DETACHMENT or (u.class_ == HORSE and g.o.mounted_skirmish == 1)


@jit
def enter_skirmish(g: Any, i: Any) -> Any:
    """Take skirmish order for nothing (VBW-MOV-20)."""
    u = g.u[i]
    if u.form != FORMED or not may_skirmish(g, u):
        return False
    u.form = SKIRMISH
    return True


@jit
def leave_skirmish(g: Any, i: Any) -> Any:
    """Form again for half a turn (VBW-MOV-21)."""
    u = g.u[i]
    if u.form != SKIRMISH or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.form = FORMED
    return True


@jit
def dismount(g: Any, i: Any) -> Any:
    """Get off for half a turn: a detachment from then on, at its rate on foot (VBW-MOV-19, VBW-STD-10)."""
    u = g.u[i]
    if u.class_ != HORSE or u.rate_foot <= 0.0 or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.class_, u.rate, u.dice_row = DETACHMENT, u.rate_foot, D_DETACHMENT
    return True


@jit
def mount(g: Any, i: Any) -> Any:
    """Get on again for half a turn (VBW-MOV-19)."""
    u = g.u[i]
    if u.class_ != DETACHMENT or u.rate_horse <= 0.0 or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.class_, u.rate, u.dice_row = HORSE, u.rate_horse, D_HORSE
    return True


@jit
def go_stationary(g: Any, i: Any, code: Any, exhausted: Any) -> Any:
    """Stand still to fight better, at the end of the side's moves; True when it does (VBW-MOV-25 to 27).

    Formed infantry and guns in command that have neither moved, recovered, rallied nor come out of road
    march, in ground that allows it, and not of an exhausted brigade (VBW-COL-03).
    """
    u = g.u[i]
    if u.class_ != INFANTRY and (u.class_ != GUNS or u.guns_gone == 1 or u.limbered == 1):
        return False
    if u.form != FORMED or u.state == ROUTED or u.in_command == 0 or exhausted:
        return False
    if u.moved == 1 or u.recovered == 1 or u.left_march == 1 or u.rallied == 1:
        return False
    if not may_stand_here(g, i, code):
        return False
    u.stationary = 1
    return True


@jit
def can_break_up(g: Any, u: Any) -> Any:
    """True for an infantry stand that may become detachments (VBW-MOV-22, VBD-MOV-19).

    By its label; at division level every unit organised in detachments.
    """
    able = u.in_detachments if g.o.break_up_any == 1 else u.breaks_up
    return u.class_ == INFANTRY and u.form == FORMED and able == 1


@jit
def to_detachment(u: Any, sp: Any) -> None:
    """Make a half stand of it, with its labels, morale and order."""
    u.class_, u.dice_row, u.stationary, u.sp = DETACHMENT, D_DETACHMENT, 0, sp


@jit
def break_up(g: Any, i: Any) -> Any:
    """Break an infantry stand into detachments for nothing; the new stand, or -1 (VBW-MOV-22).

    Two, with the SP shared as evenly as goes and the larger part to the right; one of a stand of 1 SP.
    """
    u = g.u[i]
    if not can_break_up(g, u) or (u.sp > 1 and g.n >= g.u.shape[0]):
        return -1
    sp, k = u.sp, g.n
    if sp == 1:
        to_detachment(u, 1)
        return i
    # field by field: a whole record is copied by no two modes alike
    new = g.u[k]
    copy_stand(u, new)
    g.n += 1
    g.past[u.side] = g.n
    new.lost = new.captured = 0
    to_detachment(u, (sp + 1) // 2)
    to_detachment(new, sp // 2)
    s, c = SIN[u.face], COS[u.face]
    new.x, new.y = u.x - c * HALF_STAND, u.y + s * HALF_STAND
    u.x, u.y = u.x + c * HALF_STAND, u.y - s * HALF_STAND
    return k


@jit
def copy_stand(u: Any, new: Any) -> None:
    """Write all that a stand is into another's record."""
    new.side, new.battalion, new.brigade, new.wing = u.side, u.battalion, u.brigade, u.wing
    new.class_, new.weapon, new.dice_row = u.class_, u.weapon, u.dice_row
    new.poorly_trained, new.militia, new.sharpshooter = u.poorly_trained, u.militia, u.sharpshooter
    new.breaks_up, new.in_detachments, new.shock = u.breaks_up, u.in_detachments, u.shock
    new.no_elites, new.weight, new.rides, new.native = u.no_elites, u.weight, u.rides, u.native
    new.slow, new.pack, new.morale, new.markers = u.slow, u.pack, u.morale, u.markers
    new.rate, new.rate_foot, new.rate_horse, new.home = u.rate, u.rate_foot, u.rate_horse, u.home
    new.sp_start, new.sp, new.lost, new.captured = 0, u.sp, 0, 0
    new.state, new.place, new.due, new.form = u.state, u.place, u.due, u.form
    new.x, new.y, new.face, new.stationary = u.x, u.y, u.face, u.stationary
    new.guns_gone, new.inside, new.in_marsh = 0, u.inside, u.in_marsh
    new.in_command, new.left, new.facings, new.moved = u.in_command, u.left, u.facings, u.moved
    new.turned, new.recovered, new.left_march = u.turned, u.recovered, u.left_march
    new.free_turn, new.rallied, new.charged, new.charges = u.free_turn, u.rallied, 0, -1
    new.edge, new.from_x, new.from_y, new.over_stream, new.over_fence = 0, u.x, u.y, 0, 0
    new.nerve, new.checked, new.fought, new.hits, new.runs, new.away = u.nerve, u.checked, u.fought, 0, 0, 0
    new.caller = new.aims = new.leans = new.gun_row = -1
    new.rolled = new.hurt = new.breaks = new.fired = 0
    new.from_height = u.from_height
    new.reserve, new.outflanks, new.spot_x, new.spot_y = u.reserve, u.outflanks, u.spot_x, u.spot_y


@jit
def form_up(g: Any, i: Any, j: Any) -> Any:
    """Two touching detachments of one unit that has SK form a stand, for half a turn each (VBW-MOV-23).

    Both formed and not moved yet; SP add up and the worse order is kept. True when done.
    """
    u, b = g.u[i], g.u[j]
    able = u.in_detachments if g.o.break_up_any == 1 else u.breaks_up
    if i == j or able == 0 or u.battalion != b.battalion or not stands(u) or not stands(b):
        return False
    if u.class_ != DETACHMENT or b.class_ != DETACHMENT or u.form != FORMED or b.form != FORMED:
        return False
    if u.moved == 1 or b.moved == 1 or u.left + LITTLE < HALF or b.left + LITTLE < HALF:
        return False
    if not touch(g, i, j):
        return False
    begins_to_move(g, i)
    begins_to_move(g, j)
    spend(u, HALF)
    u.x, u.y = (u.x + b.x) / 2.0, (u.y + b.y) / 2.0
    u.class_, u.dice_row = INFANTRY, D_POOR if u.poorly_trained == 1 else D_REGULAR
    u.sp += b.sp
    u.state = b.state if b.state > u.state else u.state
    b.sp, b.place = 0, GONE
    return True
