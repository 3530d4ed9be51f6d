"""The worth of a charge to a commander, by the chances of the rules (VBW-MOR-05, VBW-HIT, VBW-SAV)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.bases import front_x, front_y
from battles.rulesets.volley_bayonet.combat import band_morale, is_foot, is_gun
from battles.rulesets.volley_bayonet.cover import behind_works
from battles.rulesets.volley_bayonet.records import D_HORSE, FORMED, GUNS, HORSE, ROAD_MARCH, ROUTED, SKIRMISH
from battles.rulesets.volley_bayonet.states import is_disordered
from battles.rulesets.volley_bayonet.tables import NATIVE_SHOCK_AT

#: What it is worth that the enemy runs before a blow, and what it costs to be the one who does.
SCARED, REPELLED = 1.5, 1.0
#: Shares of dice that hit: by musket or sword, and by shock.
BLOW, SHOCK_BLOW = 1.0 / 6.0, 2.0 / 6.0
#: What counts for a routed enemy, who is gone when beaten.
FINISHED = 0.6


@jit
def find_pass_chance(nerve: Any) -> Any:
    """Chance to pass a check at that modified morale (VBW-MOR-05)."""
    return min(max(nerve, 0), 6) / 6.0


@jit
def from_behind(g: Any, i: Any, j: Any) -> Any:
    """True when a charge of stand i from where it is would count as in flank or rear (VBW-DEF-05)."""
    u, t = g.u[i], g.u[j]
    if t.form != FORMED or t.inside >= 0:
        return False
    dx, dy = u.x - front_x(g, t), u.y - front_y(g, t)
    return dx * SIN[t.face] + dy * COS[t.face] < 0.0


@jit
def nerve_to_charge(g: Any, i: Any, j: Any, behind: Any) -> Any:
    """Modified morale with which stand i would charge stand j, from behind or not, as far as can be told."""
    u, t = g.u[i], g.u[j]
    nerve = band_morale(g, u)
    if is_disordered(u):
        nerve -= 1
    if t.form == SKIRMISH:
        nerve += 1
    if t.form == ROAD_MARCH or behind:
        nerve += 1
    elif is_gun(t) and t.form == FORMED and t.state != ROUTED:
        nerve -= 1
    if u.class_ == HORSE and t.class_ == HORSE and u.weight < t.weight and g.o.weight == 1:
        nerve -= 1
    return nerve


@jit
def nerve_to_stand(g: Any, i: Any, j: Any, behind: Any, works: Any) -> Any:
    """Modified morale with which stand j would receive it, from behind or not, at works or not."""
    u, t = g.u[i], g.u[j]
    nerve = band_morale(g, t)
    if is_disordered(t):
        nerve -= 1
    if t.state == ROUTED:
        nerve -= 3
    if behind or t.form == ROAD_MARCH:
        nerve -= 2
    if is_foot(t) and u.class_ == HORSE:
        nerve -= 1
    if u.form == SKIRMISH:
        nerve += 1
    if works:
        nerve += 1
    return nerve


@jit
def estimate_melee_hits(g: Any, u: Any, t: Any, attacks: Any) -> Any:
    """Hits of a stand's melee dice that are not saved, on the average."""
    dice = g.t.dice[u.dice_row, u.stationary, 1]
    if u.form == ROAD_MARCH or u.guns_gone == 1:
        dice = 0
    share = (7.0 - g.t.melee_hit[u.weapon]) / 6.0 if u.class_ == GUNS else BLOW
    shock = u.shock == 1 or (u.native == 1 and band_morale(g, u) >= NATIVE_SHOCK_AT)
    if attacks == 1 and (shock or (u.dice_row == D_HORSE and is_disordered(t))):
        share = SHOCK_BLOW
    if is_disordered(u):
        share *= 0.5
    if t.inside >= 0:
        share *= 0.5
    return dice * share


@jit
def charge_worth(g: Any, i: Any, j: Any) -> Any:
    """The worth of a charge of stand i on stand j, in SP won less SP lost."""
    u, t = g.u[i], g.u[j]
    works = g.works_n > 0 and (is_foot(t) or is_gun(t)) and behind_works(g, t, u.x, u.y)
    behind = from_behind(g, i, j)
    mine, theirs = (
        find_pass_chance(nerve_to_charge(g, i, j, behind)),
        find_pass_chance(nerve_to_stand(g, i, j, behind, works)),
    )
    own = estimate_melee_hits(g, u, t, 1)
    fight = own - estimate_melee_hits(g, t, u, 0)
    if works:
        fight -= 0.5 * own
    if t.state == ROUTED:
        fight += FINISHED
    scared = SCARED if is_disordered(t) else 0.6 * SCARED
    lost = REPELLED if is_disordered(u) else 0.5 * REPELLED
    return mine * ((1.0 - theirs) * scared + theirs * fight) - (1.0 - mine) * lost
