"""Permission to charge, obstacles in a charge's way, and pivots (VBW-MOV-04, VBW-MOV-07, VBW-DEF-11)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.bases import half_depth, half_width
from battles.rulesets.volley_bayonet.combat import is_gun
from battles.rulesets.volley_bayonet.exhaustion import is_exhausted
from battles.rulesets.volley_bayonet.morale import fence_holds
from battles.rulesets.volley_bayonet.records import FORMED, GOOD, HORSE, ROUTED, SKIRMISH, TRANSPORT
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order, is_standing


@jit
def may_charge(g: Any, i: Any) -> Any:
    """True for a stand that may move into contact at all (VBW-DEF-11).

    Not routed, limbered or in road march, nor unlimbered guns; in command; of no exhausted brigade
    (VBW-COL-02). Skirmishers do not choose to (VBW-STD-05, VBW-STD-11), but Native Americans, who form
    for it, if their check lets them (VBW-MOV-24).
    """
    u = g.u[i]
    if not is_standing(u) or u.state == ROUTED or u.in_command == 0 or is_exhausted(g, u):
        return False
    if u.class_ == TRANSPORT or is_gun(u) or u.guns_gone == 1:
        return False
    return u.form == FORMED or (u.form == SKIRMISH and (u.native == 1 or is_horse_of_brigades(g, u)))


@jit
def is_horse_of_brigades(g: Any, u: Any) -> Any:
    """Cavalry of Road to Glory: its skirmishers charge some (RTG-CHG-02)."""
    return g.o.grand == 1 and u.class_ == HORSE


@jit
def try_fence(g: Any, i: Any) -> Any:
    """A mounted stand that has come over a fence or hedge into contact tests for its order (VBW-TER-20).

    Before the check for melee, and not when it is disordered already (VBW-TER-23). True when it tested.
    """
    u = g.u[i]
    if u.class_ != HORSE or u.over_fence == 0 or u.state != GOOD:
        return False
    if not fence_holds(g, i):
        change_order(g, i, INCIDENTAL)
    return True


@jit
def may_advance(u: Any, attacked: Any) -> Any:
    """True for winners who may take the ground: attackers who fought, and horse (VBW-MEL-12, 13)."""
    return attacked == 1 or u.class_ == HORSE


@jit
def find_pivot_centre(g: Any, i: Any, face: Any, right: Any) -> Any:
    """(x, y) of a stand's centre when it turns to a heading on its right or left front corner.

    An about-face of exactly 180 degrees is made in place (VBW-MOV-04).
    """
    u = g.u[i]
    if (face - u.face) % 360 == 180:
        return u.x, u.y
    aside = half_width(g, u) if right == 1 else -half_width(g, u)
    ahead = half_depth(g, u)
    s, c = SIN[u.face], COS[u.face]
    corner_x, corner_y = u.x + aside * c + ahead * s, u.y - aside * s + ahead * c
    s, c = SIN[face], COS[face]
    return corner_x - aside * c - ahead * s, corner_y + aside * s - ahead * c
