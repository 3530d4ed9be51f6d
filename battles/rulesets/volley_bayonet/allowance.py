"""Spending a stand's turn, by shares of the turn (VBW-MOV, VBW-TER, VBW-DEF-19)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.volley_bayonet.cover import height_of
from battles.rulesets.volley_bayonet.recording import MARSH_DIE, R_NONE, note_event
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FAST_FOOT,
    FOOT_SKIRMISHERS,
    GUNS,
    HORSE,
    INFANTRY,
    PACK,
    RIDER_SKIRMISHERS,
    RIDERS,
    ROAD_MARCH,
    ROLLING,
    ROUTED,
    SKIRMISH,
    SLOW_FOOT,
    TRANSPORT,
    WHEELS,
)
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order
from battles.rulesets.volley_bayonet.tables import (
    COUNTRY_MULTIPLE,
    MARSH,
    MARSH_GUNS,
    MARSH_TRODDEN,
    ROAD_MULTIPLE,
)

#: Half of a whole turn, out of command too; what is as good as nothing.
HALF, LITTLE = 0.5, 1.0e-9
#: Degrees to either side of its facing at which a stand moves freely (VBW-MOV-06).
OBLIQUE = 45


@jit
def ground_column(u: Any) -> Any:
    """Column of the terrain tables a stand moves by."""
    if u.class_ == HORSE:
        return RIDER_SKIRMISHERS if u.form == SKIRMISH else RIDERS
    if u.class_ == TRANSPORT:
        return PACK if u.pack == 1 else WHEELS
    if u.class_ == GUNS and u.guns_gone == 0:
        return ROLLING
    if u.form == SKIRMISH:
        return FOOT_SKIRMISHERS
    return SLOW_FOOT if u.slow == 1 or u.class_ == GUNS else FAST_FOOT


@jit
def begin_turn(g: Any, u: Any) -> None:
    """A stand's turn begins: the whole of it, or half out of command (VBW-CMD-10)."""
    u.left = 1.0 if u.in_command == 1 else HALF
    u.facings = u.moved = u.turned = u.recovered = u.left_march = u.free_turn = u.rallied = 0
    u.charged = u.over_stream = u.over_fence = u.breaks = u.limbers = u.streams = 0
    u.charges, u.edge = -1, 0
    u.from_x, u.from_y, u.from_height = u.x, u.y, height_of(g, u)


@jit
def find_march_factor(u: Any, on_road: Any) -> Any:
    """By what road march multiplies the move (VBW-MOV-11)."""
    if u.form != ROAD_MARCH:
        return 1.0
    return ROAD_MULTIPLE if on_road == 1 else COUNTRY_MULTIPLE


@jit
def find_turn_inches(g: Any, u: Any) -> Any:
    """Inches of a whole turn, with what a card has given or taken, never below 0 (VBW-CRD-17, 18)."""
    inches = u.rate + g.battalions[u.battalion].going
    return inches if inches > 0.0 else 0.0


@jit
def share_of(g: Any, u: Any, inches: Any, factor: Any, on_road: Any) -> Any:
    """Share of a turn that so many inches take over ground of that factor (VBW-DEF-19)."""
    whole = find_turn_inches(g, u) * find_march_factor(u, on_road)
    return inches * factor / whole if whole > 0.0 else 2.0


@jit
def reach_of(g: Any, u: Any, factor: Any, on_road: Any) -> Any:
    """Inches it can still go over ground of that factor."""
    return u.left * find_turn_inches(g, u) * find_march_factor(u, on_road) / factor if factor > 0.0 else 0.0


@jit
def spend_turn_share(u: Any, share: Any) -> Any:
    """Take a share of the turn; False, and nothing is taken, when too little is left."""
    if share > u.left + LITTLE:
        return False
    u.left -= share
    if u.left < LITTLE:
        u.left = 0.0
    return True


@jit
def begins_to_move(g: Any, i: Any) -> None:
    """Mark a stand as moved: no longer stationary, and disordered when out of command (VBW-CMD-11).

    The marker goes on as it starts, so that it cannot be recovered in that phase.
    """
    u = g.u[i]
    if u.moved == 1:
        return
    u.moved, u.stationary = 1, 0
    if u.in_command == 0 and u.state != ROUTED:
        change_order(g, i, INCIDENTAL)


@jit
def pay_for_leg(g: Any, i: Any, inches: Any, factor: Any, on_road: Any) -> Any:
    """Pay for a leg; False when it is too long for what is left. Where it leads is the caller's."""
    u = g.u[i]
    if factor <= 0.0 or share_of(g, u, inches, factor, on_road) > u.left + LITTLE:
        return False
    begins_to_move(g, i)
    return spend_turn_share(u, share_of(g, u, inches, factor, on_road))


@jit
def keeps_road(u: Any, road: Any) -> Any:
    """True for who is free of all a road runs through: in road march, and guns on their limbers.

    The latter are of Road to Glory alone (VBW-TER-28, RTG-TER-15).
    """
    return road == 1 and (u.form == ROAD_MARCH or u.limbered == 1)


@jit
def enter_block(g: Any, i: Any) -> Any:
    """Infantry is disordered as it goes into a block or out (VBW-TER-41); nobody else may (VBW-TER-42).

    Skirmishers of Road to Glory are not (RTG-TER-19).
    """
    u = g.u[i]
    if u.class_ != INFANTRY and u.class_ != DETACHMENT:
        return False
    begins_to_move(g, i)
    if g.o.grand == 0 or u.class_ == INFANTRY:
        change_order(g, i, INCIDENTAL)
    return True


@jit
def enter_ground(g: Any, i: Any, code: Any) -> None:
    """Ground that disorders a stand does so as it enters, not on a road through it (VBW-TER-02, 15, 28)."""
    u = g.u[i]
    if keeps_road(u, g.going[code].road):
        return
    if g.going[code].disorders[ground_column(u)] == 1:
        change_order(g, i, INCIDENTAL)


@jit
def contour_share(u: Any, before: Any, after: Any, on_road: Any) -> Any:
    """Share of the turn it takes to come from one contour to another, counted from where the move began.

    Skirmishers ignore hills. Other foot and horse pay half a turn for each contour beyond the first. Guns
    and transport pay half a turn to climb one, nothing down one, and cannot do two (2.0); on a road they
    go as they like (VBW-TER-24 to 26).
    """
    if u.form == SKIRMISH or before == after:
        return 0.0
    far, farther = abs(before), abs(after)
    if u.class_ == TRANSPORT or (u.class_ == GUNS and u.guns_gone == 0):
        if on_road == 1:
            return 0.0
        if farther > 1:
            return 2.0
        return HALF if after == 1 and before < 1 else 0.0
    beyond = (farther if farther > 1 else 1) - (far if far > 1 else 1)
    return HALF * beyond if beyond > 0 else 0.0


@jit
def marsh_die(u: Any, trodden: Any) -> Any:
    """The modifier of a stand's die at a marsh (VBW-TER-10)."""
    bonus = MARSH_GUNS if u.class_ == GUNS and u.guns_gone == 0 else 0
    return bonus + MARSH_TRODDEN * trodden


@jit
def marsh_row(total: Any) -> Any:
    """Row of the table of marsh for a die with its modifiers (VBW-TER-09)."""
    for k in range(2):
        if total <= MARSH[k][0]:
            return k
    return 2


@jit
def enter_marsh(g: Any, i: Any, trodden: Any) -> Any:
    """A stand rolls as it goes into a marsh; returns the cost of an inch, which holds until it is out.

    Foot skirmishers ignore it (VBW-TER-08, VBW-TER-09, VBW-TER-11).
    """
    u = g.u[i]
    u.in_marsh = 1.0
    if u.form != SKIRMISH or u.class_ == HORSE:
        die = roll_d6(g)
        row = marsh_row(die + marsh_die(u, trodden))
        note_event(g, MARSH_DIE, i, -1, die, 0, marsh_die(u, trodden), die + marsh_die(u, trodden), R_NONE)
        u.in_marsh = float(MARSH[row][1])
        if MARSH[row][2]:
            change_order(g, i, INCIDENTAL)
    return u.in_marsh


@jit
def change_facing(g: Any, i: Any) -> Any:
    """Pay for a facing change of up to 180 degrees; False when it may not be made (VBW-MOV-02, 03, 08).

    The first is free and the second costs half a turn. The poorly trained pay for the first, and the
    second disorders them. Who has come out of road march has one more for nothing (VBW-MOV-14). The
    free one of a stand in command does not count as moving (VBW-MOV-27).
    """
    u = g.u[i]
    if u.free_turn == 1:
        u.free_turn = 0
        return True
    if u.facings >= g.o.facings or (u.poorly_trained == 1 and u.facings == 0 and u.left + LITTLE < HALF):
        return False
    if u.poorly_trained == 0 and u.facings >= 1 and u.left + LITTLE < HALF:
        return False
    if u.poorly_trained == 0 and u.facings == 0 and u.in_command == 1:
        u.turned = 1
    else:
        begins_to_move(g, i)
    if (u.poorly_trained == 1) == (u.facings == 0):
        spend_turn_share(u, HALF)
    elif u.poorly_trained == 1:
        change_order(g, i, INCIDENTAL)
    u.facings += 1
    return True
