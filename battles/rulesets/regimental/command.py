"""Leaders: how far they command, who is in command, attaching and replacing (REG-CMD)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import LITTLE, far_apart, measure_gap, nearest_spot, spot_gap
from battles.rulesets.regimental.records import (
    AWAY,
    BRIGADIER,
    IN_COMMAND,
    LEADS,
    MARCH_COLUMN,
    ON_TABLE,
    OUT_OF_COMMAND,
    PROVISIONAL,
)
from battles.rulesets.regimental.sight import ground_open, through_dense
from battles.rulesets.regimental.tables import COMMAND_RADIUS, SHORT_RADIUS

#: Inches between units of one line of march (REG-CMD-01).
CONTIGUOUS = 0.5


@jit
def is_here(g: Any, k: Any) -> Any:
    """True for a leader on the table who leads."""
    e = g.leaders[k]
    return e.state == LEADS and e.due <= g.turn


@jit
def leader_x(g: Any, k: Any) -> Any:
    """A leader's x in inches: with his unit, or on his own spot."""
    e = g.leaders[k]
    return g.u[e.unit].x if e.unit >= 0 else e.x


@jit
def leader_y(g: Any, k: Any) -> Any:
    """A leader's y in inches."""
    e = g.leaders[k]
    return g.u[e.unit].y if e.unit >= 0 else e.y


@jit
def is_dismounted(g: Any, k: Any) -> Any:
    """True for a leader whose horse was killed (REG-LDR-01)."""
    return g.leaders[k].walks_until >= g.turn


@jit
def in_radius(g: Any, k: Any, i: Any) -> Any:
    """True when leader k commands unit i by where both are (REG-CMD-01).

    8 inches in sight; 4 when the line goes through dense woods, in poor light, when he is attached or
    on foot. The unit he is with is always in command, and so is all of its line of march.
    """
    e, u = g.leaders[k], g.u[i]
    if e.unit == i or (e.unit >= 0 and in_line_of_march(g, e.unit, i)):
        return True
    x, y = leader_x(g, k), leader_y(g, k)
    dx, dy, most = u.x - x, u.y - y, COMMAND_RADIUS + u.reach
    if e.unit >= 0:
        most += g.u[e.unit].reach
    if dx * dx + dy * dy > most * most:
        return False
    inches = measure_gap(g, e.unit, i) if e.unit >= 0 else spot_gap(g, i, x, y)
    short = e.unit >= 0 or g.o.poor_light == 1 or is_dismounted(g, k)
    limit = SHORT_RADIUS if short else COMMAND_RADIUS
    if inches > limit + 1.0e-9:
        return False
    if g.growth == 0 and g.hills == 0 and g.buildings_n == 0:
        return True
    qx, qy = nearest_spot(u, x, y)
    inside = g.u[e.unit].inside if e.unit >= 0 else -1
    if not ground_open(g, x, y, qx, qy, inside, u.inside):
        return False
    return inches <= SHORT_RADIUS + 1.0e-9 or not through_dense(g, x, y, qx, qy)


@jit
def in_line_of_march(g: Any, head: Any, i: Any) -> Any:
    """True for a unit of the contiguous line of march to which a leader is attached (REG-CMD-01)."""
    u = g.u[i]
    if u.form != MARCH_COLUMN or g.u[head].form != MARCH_COLUMN:
        return False
    g.queue[0] = head
    count, done = 1, 0
    while done < count:
        a = g.queue[done]
        done += 1
        for j in range(g.first[u.side], g.past[u.side]):
            b = g.u[j]
            if b.side != u.side or b.form != MARCH_COLUMN or b.place != ON_TABLE:
                continue
            if far_apart(g, a, j, CONTIGUOUS) or measure_gap(g, a, j) > CONTIGUOUS + LITTLE:
                continue
            if j == i:
                return True
            known = False
            for k in range(count):
                known = known or g.queue[k] == j
            if not known:
                g.queue[count] = j
                count += 1
    return False


@jit
def command_status(g: Any, i: Any) -> Any:
    """IN_COMMAND, PROVISIONAL or OUT_OF_COMMAND of unit i (REG-CMD-02).

    Militia is always provisional (REG-SPC-03).
    """
    u = g.u[i]
    if u.militia == 1:
        return PROVISIONAL
    own = g.brigades[u.brigade].leader if u.brigade >= 0 else -1
    if own >= 0 and is_here(g, own) and in_radius(g, own, i):
        return IN_COMMAND
    for k in range(g.leaders_n):
        if k != own and g.leaders[k].side == u.side and is_here(g, k) and in_radius(g, k, i):
            return PROVISIONAL
    return OUT_OF_COMMAND


@jit
def is_led(g: Any, i: Any) -> Any:
    """True when a leader who counts is attached to unit i, or its brave colonel is with it (REG-LDR-04).

    A colonel who leads a brigade for one who fell gives nothing by being there (REG-CMD-03).
    """
    u = g.u[i]
    if u.colonel == 1 and u.colonel_back <= g.turn:
        return True
    for k in range(g.leaders_n):
        if g.leaders[k].unit == i and g.leaders[k].colonel == 0 and is_here(g, k):
            return True
    return False


@jit
def wounds_of(g: Any, i: Any) -> Any:
    """1 when a wounded leader leads unit i's brigade or is with it: -1 to its maneuver (REG-LDR-01)."""
    u = g.u[i]
    for k in range(g.leaders_n):
        e = g.leaders[k]
        his = e.unit == i or (u.brigade >= 0 and g.brigades[u.brigade].leader == k)
        if his and e.wounded == 1 and is_here(g, k):
            return 1
    return 0


@jit
def attach_leader(g: Any, k: Any, i: Any) -> None:
    """A leader joins a unit, or with -1 leaves the one he is with (REG-CMD-03)."""
    e = g.leaders[k]
    if i < 0 and e.unit >= 0:
        e.x, e.y = g.u[e.unit].x, g.u[e.unit].y
    e.unit = i


@jit
def replace_fallen_leaders(g: Any, side: Any) -> None:
    """Leaders who are away come back in their turn; a colonel takes a lost one's place (REG-CMD-03)."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side != side or e.state == LEADS:
            continue
        if e.state == AWAY:
            if e.back <= g.turn:
                e.state = LEADS
                start_with_his_men(g, k)
        elif g.o.replaced == 1 and e.rank == BRIGADIER:
            if e.colonel == 0:
                e.fate = e.state
            e.state, e.colonel, e.wounded, e.walks_until = LEADS, 1, 0, -1
            start_with_his_men(g, k)


@jit
def start_with_his_men(g: Any, k: Any) -> None:
    """A leader comes back beside the first unit of his brigade, or of his side."""
    e = g.leaders[k]
    e.unit = -1
    for i in range(g.first[e.side], g.past[e.side]):
        u = g.u[i]
        if u.side == e.side and u.place == ON_TABLE and (e.brigade < 0 or u.brigade == e.brigade):
            e.x, e.y = u.x, u.y
            return
