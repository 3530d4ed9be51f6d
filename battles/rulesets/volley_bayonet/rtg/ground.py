"""Effects of ground on each kind of troops: unlimbering, saves, shelter (RTG-TER).

Kinds of ground are numbers of `terrain.KINDS`. What it costs and disorders is in the record (`grounds.py`).
"""

from typing import Any

import numpy as np

from battles.engine.compile import jit
from battles.engine.dtypes import WALL
from battles.engine.geometry import COS, SIN, find_crossing
from battles.rulesets.volley_bayonet.cover import AT_WORKS, behind_works, code_at
from battles.rulesets.volley_bayonet.records import DETACHMENT, GUNS, HORSE
from battles.rulesets.volley_bayonet.rtg.bases import half_depth, half_width, is_skirmisher
from battles.rulesets.volley_bayonet.rtg.tables import VILLAGE_ROOM
from battles.rulesets.volley_bayonet.rtg.terrain import (
    ARTY,
    CAV_BDE,
    CAV_SKIRM,
    FIELD_WORKS,
    HASTY_WORKS,
    INF_BDE,
    INF_SKIRM,
    KINDS,
    MOVES,
    NOT_CLOSE_SIEGE,
    NOT_INFANTRY_MELEE,
    NOT_SIEGE,
    SAVES,
    SAVES_GUNS,
    SAVES_MELEE,
    SAVES_SMALL_ARMS,
    SHELTERS,
    TOWN,
    VILLAGE,
)

#: The tables as arrays: kinds of ground by columns of troops.
EFFECTS = np.array([MOVES[kind] for kind in KINDS])
SAVING = np.array([SAVES[kind] for kind in KINDS])
SHELTER = np.array([int(kind in SHELTERS) for kind in KINDS])


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
        share = find_crossing(u.x, u.y, x, y, w.x0, w.y0, w.x1, w.y1)
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
def kind_in_melee(g: Any, t: Any, u: Any) -> Any:
    """The ground that counts for stand t struck by stand u in melee (RTG-TER-04).

    Works save who stands at them, not who comes over them.
    """
    if t.charged == 1:
        return g.going[code_at(g, t.x, t.y)].terrain
    return kind_towards(g, t, u.from_x, u.from_y)


@jit
def is_higher(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when a stand's front stands on a higher contour than a spot (RTG-MOR-04, VBW-DEF-16)."""
    ahead = half_depth(g, u)
    own = code_at(g, u.x + SIN[u.face] * ahead, u.y + COS[u.face] * ahead)
    return g.going[own].height > g.going[code_at(g, x, y)].height


@jit
def has_effect(kind: Any, u: Any, effect: Any) -> Any:
    """True when a kind of ground has an effect on a stand."""
    return EFFECTS[kind, column_of(u)] & effect != 0


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
def is_shelter(kind: Any) -> Any:
    """True where a defender has the modifier of a building or works (RTG-MOR-05)."""
    return SHELTER[kind] == 1
