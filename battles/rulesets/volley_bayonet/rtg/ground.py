"""What ground does to each kind of troops: cost, order, saves (RTG-TER).

Kinds of ground are numbers of `terrain.KINDS`.
"""

from typing import Any

import numpy as np

from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.dtypes import WALL
from battles.engine.geometry import COS, SIN, crossing
from battles.rulesets.volley_bayonet.cover import AT_WORKS, behind_works, code_at
from battles.rulesets.volley_bayonet.recording import MARSH_DIE, R_NONE, note
from battles.rulesets.volley_bayonet.records import DETACHMENT, GUNS, HORSE, ROAD_MARCH
from battles.rulesets.volley_bayonet.rtg.bases import half_depth, half_width, is_skirmisher
from battles.rulesets.volley_bayonet.rtg.tables import VILLAGE_ROOM
from battles.rulesets.volley_bayonet.rtg.terrain import (
    ARTY,
    BY_BREACH,
    BY_ENTRANCE,
    CAV_BDE,
    CAV_SKIRM,
    FIELD_WORKS,
    FORT,
    FORTRESS,
    FOURFOLD,
    HALF_MOVE,
    HASTY_WORKS,
    HILLS,
    INF_BDE,
    INF_SKIRM,
    INSIDE,
    KINDS,
    MARSH_GUNS,
    MARSH_ROWS,
    MARSH_TRODDEN,
    MOVES,
    NOT_CLOSE_SIEGE,
    NOT_INFANTRY_MELEE,
    NOT_SIEGE,
    PROHIBITED,
    SAVES,
    SAVES_GUNS,
    SAVES_MELEE,
    SAVES_SMALL_ARMS,
    SHELTERS,
    TOWN,
    TWICE,
    UPHILL,
    VILLAGE,
)

#: The tables as arrays: kinds of ground by columns of troops.
EFFECTS = np.array([MOVES[kind] for kind in KINDS])
SAVING = np.array([SAVES[kind] for kind in KINDS])
SHELTER = np.array([int(kind in SHELTERS) for kind in KINDS])
CONTOURS = np.array(HILLS)
MARSH = np.array(MARSH_ROWS)
#: Ways into a fort: over its works, through the entrance in march column, through a breach.
OVER, ENTRANCE, BREACH = 0, 1, 2


@jit
def column_of(u: Any) -> Any:
    """The column of the terrain table a stand goes by (RTG-TER-00)."""
    if u.class_ == HORSE:
        return CAV_SKIRM if is_skirmisher(u) else CAV_BDE
    if u.class_ == GUNS:
        return ARTY
    return INF_SKIRM if u.class_ == DETACHMENT else INF_BDE


@jit
def behind_wall(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when a low wall lies before a stand, towards a spot (RTG-TER-09)."""
    reach = max(half_width(g, u), half_depth(g, u)) + AT_WORKS
    for k in range(g.works_n):
        w = g.works[k]
        if w.kind_ != WALL:
            continue
        share = crossing(u.x, u.y, x, y, w.x0, w.y0, w.x1, w.y1)
        if share < 0.0:
            continue
        dx, dy = (x - u.x) * share, (y - u.y) * share
        if dx * dx + dy * dy <= reach * reach:
            return True
    return False


@jit
def kind_towards(g: Any, u: Any, x: Any, y: Any) -> Any:
    """The ground that counts for a stand against an enemy at a spot: its block, works before it, its own.

    Cells have the numbers of `terrain.KINDS`; what has room for more than one skirmisher is a town.
    """
    if u.inside >= 0:
        return TOWN if g.structures[u.inside].capacity > VILLAGE_ROOM else VILLAGE
    if behind_works(g, u, x, y):
        return FIELD_WORKS
    if behind_wall(g, u, x, y):
        return HASTY_WORKS
    return g.going[code_at(g, u.x, u.y)].terrain


@jit
def is_higher(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when a stand's front stands on a higher contour than a spot (RTG-MOR-04, VBW-DEF-16)."""
    ahead = half_depth(g, u)
    own = code_at(g, u.x + SIN[u.face] * ahead, u.y + COS[u.face] * ahead)
    return g.going[own].height > g.going[code_at(g, x, y)].height


@jit
def by_road(u: Any, on_road: Any) -> Any:
    """True for who ignores the ground a road goes through: artillery, others in march column (RTG-TER-15)."""
    return on_road == 1 and (u.class_ == GUNS or u.form == ROAD_MARCH)


@jit
def has(kind: Any, u: Any, effect: Any) -> Any:
    """True when a kind of ground has an effect on a stand."""
    return EFFECTS[kind, column_of(u)] & effect != 0


@jit
def factor(kind: Any, u: Any, on_road: Any) -> Any:
    """Inches of the move an inch of ground costs, 0.0 where it is prohibited; marsh is diced for."""
    if by_road(u, on_road):
        return 1.0
    effects = EFFECTS[kind, column_of(u)]
    if effects & PROHIBITED != 0:
        return 0.0
    if effects & FOURFOLD != 0:
        return 4.0
    return 2.0 if effects & TWICE != 0 else 1.0


@jit
def may_enter_fort(kind: Any, u: Any, way: Any) -> Any:
    """True when a stand may come into a fort or fortress by a way (RTG-TER-07, RTG-TER-08)."""
    effects = EFFECTS[kind, column_of(u)]
    if effects & BY_BREACH != 0:
        return way == BREACH
    if effects & BY_ENTRANCE != 0:
        return way == ENTRANCE and u.form == ROAD_MARCH
    return True


@jit
def fort_disorders(kind: Any, u: Any, way: Any) -> Any:
    """True when coming in disorders: over the works or by a breach, not by the entrance in column."""
    return kind == FORTRESS or (kind == FORT and not (way == ENTRANCE and u.form == ROAD_MARCH))


@jit
def hill_effects(u: Any, contours: Any) -> Any:
    """Effects of so many contours of a hill in one move, down counted as negative (RTG-TER-10)."""
    if contours == 0:
        return 0
    effects = CONTOURS[0 if abs(contours) == 1 else 1, column_of(u)]
    if effects & UPHILL != 0 and contours < 0:
        return 0
    return effects


@jit
def marsh_die(u: Any, trodden: Any) -> Any:
    """What is added to the die: guns, and each stand that went through there before (RTG-TER-11)."""
    return (MARSH_GUNS if u.class_ == GUNS else 0) + MARSH_TRODDEN * trodden


@jit
def marsh_effects(total: Any) -> Any:
    """Effects of marsh by the die with its modifiers (RTG-TER-11)."""
    for k in range(MARSH.shape[0] - 1):
        if total <= MARSH[k, 0]:
            return MARSH[k, 1]
    return MARSH[MARSH.shape[0] - 1, 1]


@jit
def enter_marsh(g: Any, i: Any, trodden: Any) -> Any:
    """Roll for a stand that enters a marsh; the effects hold until it is out. None for foot skirmishers."""
    u = g.u[i]
    if u.class_ == DETACHMENT:
        return 0
    die, more = d6(g), marsh_die(u, trodden)
    note(g, MARSH_DIE, i, -1, die, 0, more, die + more, R_NONE)
    return marsh_effects(die + more)


@jit
def costs_half(effects: Any) -> Any:
    """True when these effects cost half a move."""
    return effects & HALF_MOVE != 0


@jit
def holds_disorder(kind: Any, u: Any) -> Any:
    """True where a stand is disordered as long as it is inside and may not recover (RTG-TER-00)."""
    return has(kind, u, INSIDE)


@jit
def saved_from_fire(kind: Any, u: Any, small_arms: Any, siege: Any, close: Any) -> Any:
    """1 when ground gives a stand a save from fire, else 0 (RTG-TER-02, 04, 05, 07, 09, 16)."""
    saves = SAVING[kind, column_of(u)]
    if saves & (SAVES_SMALL_ARMS if small_arms else SAVES_GUNS) == 0:
        return 0
    if siege and (saves & NOT_SIEGE != 0 or (saves & NOT_CLOSE_SIEGE != 0 and close)):
        return 0
    return 1


@jit
def saved_from_melee(kind: Any, u: Any, by_infantry: Any) -> Any:
    """1 when ground gives a stand a save from melee, else 0."""
    saves = SAVING[kind, column_of(u)]
    if saves & SAVES_MELEE == 0 or (saves & NOT_INFANTRY_MELEE != 0 and by_infantry):
        return 0
    return 1


@jit
def shelters(kind: Any) -> Any:
    """True where a defender has the modifier of a building or works (RTG-MOR-05)."""
    return SHELTER[kind] == 1
