"""Formations: road march, skirmish order, the saddle, detachments, standing still (VBW-MOV-09 to 27)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.allowance import (
    HALF,
    LITTLE,
    begins_to_move,
    ground_column,
    spend_turn_share,
)
from battles.rulesets.volley_bayonet.bases import can_stand_at, is_touching
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.forced import near_enemy, off_table, on_block
from battles.rulesets.volley_bayonet.marching import lines_ahead
from battles.rulesets.volley_bayonet.recording import (
    BREAKS_UP,
    CHANGE_FORMATION,
    CLOSES_UP,
    DETACHES,
    DISMOUNTS,
    FORMS_STAND,
    JOINS,
    MOUNTS,
    R_NONE,
    RECOVERS,
    SKIRMISHES,
    note_event,
    note_plain,
)
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
    ON_TABLE,
    RIDERS,
    ROAD_MARCH,
    ROUTED,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.rtg.moving import is_unlimbered
from battles.rulesets.volley_bayonet.states import RECOVER, change_order, is_standing

#: Inches from the middle of a stand to that of each half.
HALF_STAND = 0.75
#: Inches between the middles of two halves that are beside each other, and so few that they are no gap.
CLOSE_BY, A_HAIR = 4.0, 0.02


@jit
def may_stand_here(g: Any, i: Any, code: Any) -> Any:
    """True where a stand may go stationary or recover: not in ground that disorders it (VBW-TER-02, 18)."""
    return g.going[code].disorders[ground_column(g.u[i])] == 0


@jit
def recover_order(g: Any, i: Any, code: Any, touched: Any) -> Any:
    """Recover from temporary disorder for half a turn; True when done (VBW-MOV-09, VBW-CMD-13).

    In command, not touching an enemy, on ground that allows it; red stays (VBW-MOV-10). Whether it is
    at the start or the end of the move is the caller's to see to.
    """
    u = g.u[i]
    if u.state != DISORDERED or u.in_command == 0 or touched or not may_stand_here(g, i, code):
        return False
    if u.left + LITTLE < HALF:
        return False
    spend_turn_share(u, HALF)
    change_order(g, i, RECOVER)
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
    spend_turn_share(u, HALF)
    u.form, u.left_march, u.free_turn = FORMED, 1, 1
    note_plain(g, CHANGE_FORMATION, i, -1)
    return True


@jit
def may_skirmish(g: Any, u: Any) -> Any:
    """True for detachments, and for horse where the rules have it (VBW-MOV-20, VBD-MOV-17)."""
    return u.class_ == DETACHMENT or (u.class_ == HORSE and g.o.mounted_skirmish == 1)


@jit
def has_room(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when stand i's base, as it is now, may be set down at a spot: on nobody and near no enemy."""
    if off_table(g, x, y) or on_block(g, x, y) or not can_stand_at(g, i, x, y, g.u[i].face):
        return False
    return not near_enemy(g, i, x, y, g.u[i].face)


@jit
def set_aside(g: Any, i: Any, inches: Any) -> Any:
    """Set a base that has changed down so far to its right, on the same ground; True when it fits."""
    u = g.u[i]
    x, y = u.x + COS[u.face] * inches, u.y - SIN[u.face] * inches
    if code_at(g, x, y) != code_at(g, u.x, u.y) or lines_ahead(g, u.x, u.y, x, y):
        return False
    if not has_room(g, i, x, y):
        return False
    u.x, u.y = x, y
    return True


@jit
def side_of_half(g: Any, i: Any) -> Any:
    """1.0 when the other half of stand i's stand is close on its right, -1.0 on its left, 0.0 elsewhere."""
    u = g.u[i]
    if u.partner < 0 or not is_standing(g.u[u.partner]):
        return 0.0
    b = g.u[u.partner]
    dx, dy = b.x - u.x, b.y - u.y
    if dx * dx + dy * dy > CLOSE_BY * CLOSE_BY:
        return 0.0
    return 1.0 if dx * COS[u.face] - dy * SIN[u.face] >= 0.0 else -1.0


@jit
def enter_skirmish(g: Any, i: Any) -> Any:
    """Take skirmish order for nothing, where there is room for its base (VBW-MOV-20, VBW-STD-12).

    The base is set where the stand is, or aside by half of what it grows: from the other half first, so
    that both halves of a stand may skirmish beside each other.
    """
    u = g.u[i]
    if u.form != FORMED or u.inside >= 0 or not may_skirmish(g, u):
        return False
    grows = g.t.half_width[u.class_, SKIRMISH] - g.t.half_width[u.class_, FORMED] + A_HAIR
    away = -side_of_half(g, i)
    u.form = SKIRMISH
    for k in range(3):
        aside = away * (1 - k) if away != 0.0 else ((k + 1) // 2) * (3.0 - 2.0 * k)
        if set_aside(g, i, aside * grows):
            note_plain(g, SKIRMISHES, i, -1)
            return True
    u.form = FORMED
    return False


@jit
def leave_skirmish(g: Any, i: Any) -> Any:
    """Form again for half a turn, beside the other half of its stand if that is close by (VBW-MOV-21)."""
    u = g.u[i]
    if u.form != SKIRMISH or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend_turn_share(u, HALF)
    u.form = FORMED
    to_half = side_of_half(g, i)
    if to_half != 0.0:
        set_aside(g, i, to_half * (g.t.half_width[u.class_, SKIRMISH] - g.t.half_width[u.class_, FORMED]))
    note_plain(g, CLOSES_UP, i, -1)
    return True


@jit
def dismount(g: Any, i: Any) -> Any:
    """Get off for half a turn: a detachment from then on, at its rate on foot (VBW-MOV-19, VBW-STD-10)."""
    u = g.u[i]
    if u.class_ != HORSE or u.form != FORMED or u.rate_foot <= 0.0 or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend_turn_share(u, HALF)
    u.class_, u.rate, u.dice_row = DETACHMENT, u.rate_foot, D_DETACHMENT
    note_plain(g, DISMOUNTS, i, -1)
    return True


@jit
def mount(g: Any, i: Any) -> Any:
    """Get on again for half a turn, where horse may be and has room (VBW-MOV-19, VBW-ORG-13)."""
    u = g.u[i]
    if u.class_ != DETACHMENT or u.form != FORMED or u.rate_horse <= 0.0 or u.left + LITTLE < HALF:
        return False
    if u.inside >= 0 or g.going[code_at(g, u.x, u.y)].costs[RIDERS] == 0.0:
        return False
    u.class_ = HORSE
    if not has_room(g, i, u.x, u.y):
        u.class_ = DETACHMENT
        return False
    begins_to_move(g, i)
    spend_turn_share(u, HALF)
    u.rate, u.dice_row = u.rate_horse, D_HORSE
    note_plain(g, MOUNTS, i, -1)
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
def break_into_detachments(g: Any, i: Any) -> Any:
    """Break an infantry stand into detachments for nothing; the other half, or -1 (VBW-MOV-22).

    Two, with the SP shared as evenly as goes and the larger part to the right; one of a stand of 1 SP. The
    other half has had a row of the record since the battle was drawn up (`partner`, `spare`). Neither half
    may be beyond the table's edge (VBW-DEF-14).
    """
    u = g.u[i]
    if not can_break_up(g, u) or u.inside >= 0:
        return -1
    sp, k = u.sp, u.partner
    s, c = SIN[u.face] * HALF_STAND, COS[u.face] * HALF_STAND
    if sp > 1 and (k < 0 or g.u[k].spare == 0):
        return -1
    if sp > 1 and (off_table(g, u.x - c, u.y + s) or off_table(g, u.x + c, u.y - s)):
        return -1
    note_event(g, BREAKS_UP, i, -1, 0, 0, 0, sp // 2, R_NONE)
    if sp == 1:
        to_detachment(u, 1)
        return i
    # field by field: a whole record is copied by no two modes alike
    new = g.u[k]
    copy_stand(u, new)
    u.waits = new.waits = 0
    new.spare = 0
    to_detachment(u, (sp + 1) // 2)
    to_detachment(new, sp // 2)
    new.sp_start += new.sp
    u.sp_start -= new.sp
    new.x, new.y = u.x - c, u.y + s
    u.x, u.y = u.x + c, u.y - s
    new.spot_x, new.spot_y = u.spot_x - c, u.spot_y + s
    u.spot_x, u.spot_y = u.spot_x + c, u.spot_y - s
    note_event(g, DETACHES, k, i, 0, 0, 0, new.sp, R_NONE)
    return k


@jit
def copy_stand(u: Any, new: Any) -> None:
    """Write all that a stand is and does into another's record, but for its SP and what it has lost."""
    new.side, new.battalion, new.brigade, new.wing = u.side, u.battalion, u.brigade, u.wing
    new.class_, new.weapon, new.dice_row = u.class_, u.weapon, u.dice_row
    new.poorly_trained, new.militia, new.sharpshooter = u.poorly_trained, u.militia, u.sharpshooter
    new.breaks_up, new.in_detachments, new.shock = u.breaks_up, u.in_detachments, u.shock
    new.no_elites, new.weight, new.rides, new.native = u.no_elites, u.weight, u.rides, u.native
    new.slow, new.pack, new.morale, new.markers = u.slow, u.pack, u.morale, u.markers
    new.rate, new.rate_foot, new.rate_horse, new.home = u.rate, u.rate_foot, u.rate_horse, u.home
    new.state, new.place, new.due, new.form = u.state, u.place, u.due, u.form
    new.x, new.y, new.face, new.stationary = u.x, u.y, u.face, u.stationary
    new.guns_gone, new.inside, new.in_marsh, new.fired = 0, u.inside, u.in_marsh, u.fired
    new.in_command, new.left, new.facings, new.moved = u.in_command, u.left, u.facings, u.moved
    new.turned, new.recovered, new.left_march = u.turned, u.recovered, u.left_march
    new.free_turn, new.rallied, new.charged, new.charges = u.free_turn, u.rallied, 0, -1
    new.edge, new.from_x, new.from_y, new.over_stream, new.over_fence = 0, u.x, u.y, 0, 0
    new.nerve, new.checked, new.fought, new.hits, new.runs, new.away = u.nerve, u.checked, u.fought, 0, 0, 0
    new.caller = new.aims = new.leans = new.gun_row = -1
    new.rolled = new.hurt = new.breaks = 0
    new.from_height = u.from_height
    new.reserve, new.outflanks, new.spot_x, new.spot_y = u.reserve, u.outflanks, u.spot_x, u.spot_y


@jit
def may_form_up(g: Any, i: Any, j: Any) -> Any:
    """True for two touching detachments of one unit that may form a stand now (VBW-MOV-23, VBD-MOV-19)."""
    u, b = g.u[i], g.u[j]
    able = u.in_detachments if g.o.break_up_any == 1 else u.breaks_up
    if i == j or able == 0 or u.battalion != b.battalion or not is_standing(u) or not is_standing(b):
        return False
    if u.class_ != DETACHMENT or b.class_ != DETACHMENT or u.form != FORMED or b.form != FORMED:
        return False
    if u.inside >= 0 or b.inside >= 0 or u.state == ROUTED or b.state == ROUTED:
        return False
    if u.moved == 1 or b.moved == 1 or u.left + LITTLE < HALF or b.left + LITTLE < HALF:
        return False
    return is_touching(g, i, j)


@jit
def form_up(g: Any, i: Any, j: Any) -> Any:
    """Two touching detachments of one unit that has SK form a stand, for half a turn each (VBW-MOV-23).

    Both formed and not moved yet; SP add up and the worse order is kept. True when done. The row of the
    second is kept for when it breaks up again.
    """
    if not may_form_up(g, i, j):
        return False
    u, b = g.u[i], g.u[j]
    x, y = u.x, u.y
    u.class_, u.x, u.y, b.place = INFANTRY, (u.x + b.x) / 2.0, (u.y + b.y) / 2.0, GONE
    if not has_room(g, i, u.x, u.y):
        u.class_, u.x, u.y, b.place = DETACHMENT, x, y, ON_TABLE
        return False
    b.place = ON_TABLE
    begins_to_move(g, i)
    begins_to_move(g, j)
    spend_turn_share(u, HALF)
    u.dice_row = D_POOR if u.poorly_trained == 1 else D_REGULAR
    u.state = b.state if b.state > u.state else u.state
    u.spot_x, u.spot_y = (u.spot_x + b.spot_x) / 2.0, (u.spot_y + b.spot_y) / 2.0
    note_event(g, JOINS, j, i, 0, 0, 0, b.sp, R_NONE)
    note_event(g, FORMS_STAND, i, j, 0, 0, 0, b.sp, R_NONE)
    u.sp, u.sp_start = u.sp + b.sp, u.sp_start + b.sp
    b.sp, b.sp_start = 0, b.sp_start - b.sp
    b.place, b.spare = GONE, 1
    become_partners(g, i, j)
    return True


@jit
def become_partners(g: Any, i: Any, j: Any) -> None:
    """Stands i and j are halves of one stand now, and those who were their halves of another."""
    a, b = g.u[i].partner, g.u[j].partner
    if a == j:
        return
    g.u[i].partner, g.u[j].partner = j, i
    if a >= 0:
        g.u[a].partner = b
    if b >= 0:
        g.u[b].partner = a
