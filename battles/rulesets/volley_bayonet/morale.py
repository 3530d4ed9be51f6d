"""Modified morale and the check (VBW-MOR)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.bases import (
    faces_alike,
    front_x,
    front_y,
    half_depth,
    half_width,
    is_touching,
    leader_within,
)
from battles.rulesets.volley_bayonet.combat import band_morale, is_foot, is_gun
from battles.rulesets.volley_bayonet.cover import behind_works, height_of
from battles.rulesets.volley_bayonet.recording import (
    CHECK,
    FENCE_DIE,
    R_FAILS,
    R_PASSES,
    note_die,
    note_event,
)
from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    BRIGADE_COMMANDER,
    COMMANDS,
    FLANK,
    FORMED,
    FRONT,
    GOOD,
    HORSE,
    REAR,
    ROAD_MARCH,
    ROUTED,
    SKIRMISH,
    WING_COMMANDER,
)
from battles.rulesets.volley_bayonet.states import is_disordered, is_standing

#: Entries of the table of modifiers as bits, in its order (VBW-MOR-10).
HIGHER, WORKS, SUPERIOR, AT_SKIRMISHERS, IN_THEIR_FLANK, AT_MARCHERS = 1, 2, 4, 8, 16, 32
DISORDER, AT_HEAVIER, AT_GUNS, UNSUPPORTED, BY_HORSE, FROM_FLANK = 64, 128, 256, 512, 1024, 2048
MARCHING, ROUTED_ALREADY = 4096, 8192
#: How many there are.
ENTRIES = 14


@jit
def sum_modifiers(g: Any, flags: Any) -> Any:
    """Sum of the entries that apply; all add up (VBW-MOR-10)."""
    total = 0
    for k in range(ENTRIES):
        if (flags >> k) & 1 == 1:
            total += g.t.morale[k]
    return total


@jit
def is_passing_die(die: Any, nerve: Any) -> Any:
    """True on a die of at most the modified morale; nothing is automatic (VBW-MOR-05)."""
    return die <= nerve


@jit
def order_flags(g: Any, u: Any) -> Any:
    """The -1 of a stand that is not in good order, once whatever its markers (VBW-MOR-17).

    A routed stand takes it besides the -3 unless the option says otherwise.
    """
    if not is_disordered(u) or (u.state == ROUTED and g.o.routed_disordered == 0):
        return 0
    return DISORDER


@jit
def is_above(g: Any, k: Any, u: Any) -> Any:
    """True when commander k is a superior of a stand in its chain, no unit commander (VBW-CMD-03 to 05)."""
    e = g.leaders[k]
    if e.side != u.side or e.state != COMMANDS:
        return False
    if e.rank == BRIGADE_COMMANDER:
        return e.brigade >= 0 and e.brigade == u.brigade
    return e.rank == ARMY_COMMANDER or (e.rank == WING_COMMANDER and u.wing == k)


@jit
def has_superior(g: Any, i: Any) -> Any:
    """True when a superior is attached to the unit where stand i stands (VBW-MOR-13).

    He touches a stand of it, and this one is linked with that by touching stands of the unit.
    """
    u = g.u[i]
    count = 0
    for j in range(g.n):
        b = g.u[j]
        if b.battalion != u.battalion or not is_standing(b):
            continue
        for k in range(g.leaders_n):
            if is_above(g, k, b) and leader_within(g, k, j, g.o.contact):
                g.queue[count] = j
                count += 1
                break
    return is_linked(g, i, count)


@jit
def is_linked(g: Any, i: Any, count: Any) -> Any:
    """True when stand i is one of the first `count` stands of the queue or joined to one by its unit.

    The queue is filled up with all stands that are (VBW-CMD-08).
    """
    u = g.u[i]
    done = 0
    while done < count:
        if g.queue[done] == i:
            return True
        for j in range(g.n):
            b = g.u[j]
            if b.battalion != u.battalion or not is_standing(b):
                continue
            known = False
            for k in range(count):
                known = known or g.queue[k] == j
            if not known and is_touching(g, g.queue[done], j):
                g.queue[count] = j
                count += 1
        done += 1
    return False


@jit
def is_supported(g: Any, i: Any) -> Any:
    """True when formed foot in good order touches a gun's side or rear and faces its way (VBW-DEF-15)."""
    u = g.u[i]
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != u.side or not is_standing(b) or not is_foot(b):
            continue
        if b.form != FORMED or b.state != GOOD or not faces_alike(u, b) or not is_touching(g, i, j):
            continue
        if edge_towards(g, i, b.x, b.y) != FRONT:
            return True
    return False


@jit
def edge_towards(g: Any, i: Any, x: Any, y: Any) -> Any:
    """The edge of stand i's base that looks at a spot: FRONT, FLANK or REAR."""
    u = g.u[i]
    s, c = SIN[u.face], COS[u.face]
    aside = abs((x - u.x) * c - (y - u.y) * s) - half_width(g, u)
    ahead = (x - u.x) * s + (y - u.y) * c
    before = abs(ahead) - half_depth(g, u)
    if aside > before:
        return FLANK
    return FRONT if ahead >= 0.0 else REAR


@jit
def find_edge_of_contact(g: Any, i: Any, j: Any) -> Any:
    """The edge of stand j that a charge of stand i from where it began counts as meeting (VBW-DEF-05).

    Side or rear only when its own front began behind the line through the target's. Skirmishers, who is in a
    building, and stands in road march have no flank.
    """
    a, t = g.u[i], g.u[j]
    if t.form != FORMED or t.inside >= 0:
        return FRONT
    ahead = half_depth(g, a)
    dx = a.from_x + SIN[a.face] * ahead - front_x(g, t)
    dy = a.from_y + COS[a.face] * ahead - front_y(g, t)
    if dx * SIN[t.face] + dy * COS[t.face] >= 0.0:
        return FRONT
    return edge_towards(g, j, front_x(g, a), front_y(g, a))


@jit
def charger_flags(g: Any, i: Any, j: Any) -> Any:
    """Circumstances of stand i that charges stand j."""
    a, t = g.u[i], g.u[j]
    flags = 0
    if t.form == SKIRMISH:
        flags |= AT_SKIRMISHERS
    if a.edge != FRONT:
        flags |= IN_THEIR_FLANK
    if t.form == ROAD_MARCH:
        flags |= AT_MARCHERS
    if is_gun(t) and a.edge == FRONT and t.form == FORMED and t.state != ROUTED:
        flags |= AT_GUNS
    return flags | weight_flag(g, a, t)


@jit
def weight_flag(g: Any, u: Any, enemy: Any) -> Any:
    """The -1 of cavalry against heavier cavalry, charging or charged (VBW-MOR-18, VBD-MOR-05)."""
    if g.o.weight == 0 or u.class_ != HORSE or enemy.class_ != HORSE:
        return 0
    return AT_HEAVIER if u.weight < enemy.weight else 0


@jit
def charged_flags(g: Any, j: Any, i: Any) -> Any:
    """Circumstances of stand j that stand i charges."""
    t, a = g.u[j], g.u[i]
    flags = threat_flags(g, j, i)
    if a.form == SKIRMISH:
        flags |= AT_SKIRMISHERS
    if a.edge == FLANK or (a.edge == REAR and g.o.rear_is_flank == 1):
        flags |= FROM_FLANK
    if t.form == ROAD_MARCH:
        flags |= MARCHING
    if t.state == ROUTED:
        flags |= ROUTED_ALREADY
    if is_gun(t) and not is_supported(g, j):
        flags |= UNSUPPORTED
    if is_foot(t) and a.class_ == HORSE:
        flags |= BY_HORSE
    return flags | weight_flag(g, t, a)


@jit
def threat_flags(g: Any, j: Any, i: Any) -> Any:
    """The flags that help stand j against charger or gun i: height and works (VBW-MOR-11, VBW-MOR-12).

    A charger's contour and side of the works are those where his charge began: in contact the two fronts are
    on one (ours). A gun's are those it stands at (VBW-DEF-16).
    """
    t, a = g.u[j], g.u[i]
    flags = 0
    if not is_foot(t) and not is_gun(t):
        return flags
    if t.stationary == 1 and height_of(g, t) > (a.from_height if a.charged == 1 else height_of(g, a)):
        flags |= HIGHER
    x, y = (a.from_x, a.from_y) if a.charged == 1 else (front_x(g, a), front_y(g, a))
    if behind_works(g, t, x, y):
        flags |= WORKS
    return flags


@jit
def nerve_of(g: Any, i: Any, flags: Any) -> Any:
    """Modified morale of a stand under these circumstances, its own order and superiors added."""
    flags |= order_flags(g, g.u[i])
    if has_superior(g, i):
        flags |= SUPERIOR
    return band_morale(g, g.u[i]) + sum_modifiers(g, flags)


@jit
def roll_check(g: Any, i: Any) -> Any:
    """The check of a stand whose modified morale is set; True when it passes (VBW-MOR-05).

    Cards change the die, and let a unit roll failed checks again (VBW-CRD-21 to 28, 41 to 49).
    """
    u = g.u[i]
    b = g.battalions[u.battalion]
    return roll_stand_check(g, i, b.die + b.step_die) or (
        b.again == 1 and roll_stand_check(g, i, b.die + b.step_die)
    )


@jit
def roll_stand_check(g: Any, i: Any, more: Any) -> Any:
    """One die of a check with what cards add to it; True when it passes. Its morale is recorded."""
    u = g.u[i]
    die = roll_d6(g)
    good = is_passing_die(die + more, u.nerve)
    note_event(g, CHECK, i, u.caller, die, 0, more, u.nerve, R_PASSES if good else R_FAILS)
    return good


@jit
def fence_holds(g: Any, i: Any) -> Any:
    """A mounted stand's test at a fence on its way into melee (VBW-TER-20 to 22); True in order."""
    u = g.u[i]
    die = roll_d6(g)
    good = die + u.poorly_trained < band_morale(g, u)
    note_die(g, FENCE_DIE, i, -1, die, band_morale(g, u), good)
    return good
