"""Orders to guns that limber, and to stands that touch an enemy (RTG-MOV-04, 05, RTG-CHG-09)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, TURN_FLANK
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.approach import close_to, look_at
from battles.rulesets.volley_bayonet.bases import measure_gap
from battles.rulesets.volley_bayonet.combat import find_longest_range
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.forced import near_enemy
from battles.rulesets.volley_bayonet.formations import leave_road_march
from battles.rulesets.volley_bayonet.moving import ends_free
from battles.rulesets.volley_bayonet.recording import CHANGE_FORMATION, FALL_BACK, note_inches, note_plain
from battles.rulesets.volley_bayonet.records import GUNS, ROAD_MARCH
from battles.rulesets.volley_bayonet.rtg.charging import go_back
from battles.rulesets.volley_bayonet.rtg.moving import change_limbers
from battles.rulesets.volley_bayonet.rtg.tables import GAP_KEPT


@jit
def turn_limbers(g: Any, i: Any) -> Any:
    """Limber or unlimber where it stands, if it may; True when done (RTG-MOV-04)."""
    u = g.u[i]
    done = change_limbers(g, i, g.going[code_at(g, u.x, u.y)].terrain)
    if done:
        note_plain(g, CHANGE_FORMATION, i, -1)
    return done


@jit
def limbers_up(g: Any, i: Any) -> None:
    """Guns that are to go off are limbered."""
    u = g.u[i]
    if u.class_ == GUNS and u.guns_gone == 0 and u.limbered == 0:
        turn_limbers(g, i)


@jit
def serve_battery(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Guns go up on their limbers until they bear, an attacker's to close range, and stay in action there."""
    u = g.u[i]
    attacks = g.plan[u.side] in (ASSAULT, TURN_FLANK, ADVANCE)
    reach = find_longest_range(g, u) - g.t.in_range
    stop = g.t.short[u.weapon] - g.t.guns_short if attacks else reach
    if u.form == ROAD_MARCH and distance <= g.t.march_to:
        leave_road_march(g, i, False)
    if u.limbered == 0 and attacks and distance > reach:
        turn_limbers(g, i)
    if u.limbered == 1 and distance > stop:
        close_to(g, i, j, distance, g.t.march_to if u.form == ROAD_MARCH else stop)
        distance = measure_gap(g, i, j)
    if u.form == ROAD_MARCH:
        return
    look_at(g, i, j)
    if u.limbered == 1 and distance <= find_longest_range(g, u):
        turn_limbers(g, i)


@jit
def step_back_from_contact(g: Any, i: Any) -> Any:
    """Leave a contact by going back an inch, which is no move (RTG-CHG-09); False when there is no room."""
    u = g.u[i]
    if u.inside >= 0:
        return False
    x, y = u.x - SIN[u.face] * GAP_KEPT, u.y - COS[u.face] * GAP_KEPT
    off = x < 0.0 or y < 0.0 or x > g.width or y > g.depth
    if off or not ends_free(g, i, x, y) or near_enemy(g, i, x, y, u.face):
        return False
    go_back(u)
    note_inches(g, FALL_BACK, i, GAP_KEPT)
    return True
