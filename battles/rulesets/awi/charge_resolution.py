"""Charges carried through: chargers move, those hit stop, and cavalry charges again (AWI-T-SEQ-01 F to K)."""

from typing import Any

from battles.engine.bases import half_depth, half_width, inside_table, is_clear_of_units
from battles.engine.compile import jit
from battles.engine.dtypes import (
    ON_TABLE,
    ROUTING,
)
from battles.engine.geometry import COS, SIN
from battles.engine.ground import can_stand
from battles.engine.recording import (
    CONTACT,
    FIRE_AT_SECOND_CHARGE,
    OCCUPY,
    STEP_I,
    note_plain,
    step_begins,
)
from battles.rulesets.awi.charge_declaration import (
    CLEARANCE,
    ahead_of,
    declare_charges,
    ground_ahead,
    is_touching,
    may_charge,
    room_ahead,
    test_charged_units,
)
from battles.rulesets.awi.charge_modifiers import charge_reach, charger_of
from battles.rulesets.awi.fire import fire_modifier, shoot
from battles.rulesets.awi.melee import (
    step_j,
)
from battles.rulesets.awi.retreat import capture_prizes, swept_free
from battles.rulesets.awi.sighting import can_fire, fire_range


@jit
def may_stop(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when unit i, facing as it does, may stand at (x, y)."""
    u = g.u[i]
    width, depth = half_width(u), half_depth(u)
    return is_clear_of_units(g, i, x, y, u.face, width, depth, -1) and can_stand(
        g, i, x, y, u.face, width, depth
    )


@jit
def occupy_ground(g: Any, i: Any) -> None:
    """Go to the ground the target left, or as far ahead as there is room (AWI-T-CHG-10)."""
    u = g.u[i]
    if g.o.stay_put == 1:
        return
    x, y = u.old_x, u.old_y
    if not may_stop(g, i, x, y):
        step = u.reach - CLEARANCE
        # the table's edge is the end of the room
        while step > 0.0 and not inside_table(g, u.x + SIN[u.face] * step, u.y + COS[u.face] * step):
            step -= 0.25
        if step <= 0.0:
            return
        x, y = u.x + SIN[u.face] * step, u.y + COS[u.face] * step
        if not may_stop(g, i, x, y) or not swept_free(g, i, u.face, step):
            return
    u.x, u.y = x, y
    note_plain(g, OCCUPY, i, -1)


@jit
def move_chargers(g: Any) -> None:
    """I: chargers go into contact, or take the ground of those who ran (AWI-T-CHG-10).

    One whose way is barred since it declared goes as far as it can and does not fight. Who is in a
    building is met at its wall.
    """
    step_begins(g, STEP_I)
    for i in range(g.n):
        u = g.u[i]
        if u.charges < 0 or u.place != ON_TABLE:
            continue
        t = g.u[u.charges]
        stands = t.place == ON_TABLE and t.mood != ROUTING
        inches = -1.0
        if t.place == ON_TABLE:
            inches = ahead_of(g, i, u.charges)
        if inches >= 0.0 and inches <= charge_reach(u) + 1.0e-6:
            step = room_ahead(g, i, inches) - CLEARANCE
            if step > 0.0:
                step = ground_ahead(g, i, step)
                u.x, u.y = u.x + SIN[u.face] * step, u.y + COS[u.face] * step
            # only those who touch fight (AWI-T-MEL-01)
            if stands and is_touching(g, i, u.charges):
                u.contact = 1
                note_plain(g, CONTACT, i, u.charges)
            elif step > 0.0:
                note_plain(g, OCCUPY, i, -1)
        else:
            occupy_ground(g, i)
        if not stands:
            u.won = 1
    capture_prizes(g)


@jit
def fire_at_second_charge(g: Any) -> None:
    """The target of a second charge fires first if it had no target in step E (AWI-T-CAV-01)."""
    for j in range(g.n):
        t = g.u[j]
        if t.side == g.mover or t.had_target == 1 or not can_fire(t):
            continue
        i = charger_of(g, j)
        if i < 0:
            continue
        inches = fire_range(g, j, i)
        if inches < 0.0:
            continue
        modifier = fire_modifier(g, j, i, inches)
        if modifier == -99:
            continue
        t.had_target = 1
        shoot(g, j, i, modifier, FIRE_AT_SECOND_CHARGE)
        if not may_charge(g.u[i]):
            g.u[i].charges = -1


@jit
def run_charge_steps(g: Any) -> None:
    """F to J, and K: the same once more for cavalry that charged with success (AWI-T-SEQ-01)."""
    for second in range(2):
        if declare_charges(g, second) == 0:
            return
        g.quiet = 0
        if second == 1:
            fire_at_second_charge(g)
        test_charged_units(g)
        move_chargers(g)
        step_j(g)
        capture_prizes(g)
