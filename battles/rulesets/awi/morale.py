"""Basic morale, loss of strength, and the tests of shaken and routing units in step A."""

from typing import Any

from battles.engine.bases import (
    centre_gap2,
    half_depth,
    half_width,
    is_clear_of_units,
    is_effective,
    is_standing,
)
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    COLUMN,
    DEPLOYED,
    ELIMINATED,
    LIMBERED,
    LINE,
    ON_TABLE,
    ROUTING,
    SHAKEN,
    STEADY,
    SURRENDERED,
)
from battles.engine.geometry import find_bearing
from battles.engine.ground import can_stand
from battles.engine.recording import (
    R_CARRY_ON,
    R_KEEP_ROUTING,
    R_NONE,
    R_RALLIED,
    R_RETIRE,
    R_ROUT,
    R_STAND,
    R_SURRENDERED,
    REMOVED,
    ROUT_TEST,
    SHAKEN_TEST,
    SP_LOST,
    SURRENDER_TEST,
    TURN,
    note_event,
    note_plain,
)
from battles.rulesets.awi.crossing import in_open
from battles.rulesets.awi.generals import capture_generals_with, test_bonus


@jit
def basic_morale(u: Any) -> Any:
    """Basic morale: SP at this moment plus the type's modifier (AWI-T-MOR-01)."""
    return u.sp + u.morale


@jit
def quality_modifier(g: Any, u: Any) -> Any:
    """Optional modifier of shaken and rout tests (AWI-T-MOR-06)."""
    if g.o.shaken_quality >= 1 and u.militia == 1:
        return -1
    if g.o.shaken_quality == 2 and u.grenadier == 1 and u.european == 1:
        return 1
    return 0


@jit
def shaken_result(total: Any) -> Any:
    """The result for a shaken unit on this total (AWI-T-MOR-03)."""
    if total <= 1:
        return R_ROUT
    return R_RETIRE if total <= 3 else R_CARRY_ON


@jit
def rout_result(total: Any) -> Any:
    """The result for a routing unit on this total (AWI-T-MOR-05); 1 or less also costs an SP."""
    return R_RALLIED if total >= 5 else R_KEEP_ROUTING


@jit
def deduct_strength(g: Any, i: Any, points: Any) -> None:
    """Take SP off a unit; at 0 it is removed at once (AWI-T-STR-03)."""
    u = g.u[i]
    taken = points if points < u.sp else u.sp
    u.sp -= taken
    u.lost += taken
    u.highland_charge = 0  # a loss ends it (AWI-T-V45-08)
    note_event(g, SP_LOST, i, -1, 0, 0, 0, taken, R_NONE)
    if u.sp <= 0:
        u.place = ELIMINATED
        note_plain(g, REMOVED, i, -1)


@jit
def take_prisoner(g: Any, i: Any) -> None:
    """Remove a unit as captured with the SP it has left."""
    u = g.u[i]
    u.captured += u.sp
    u.sp = 0
    u.place = SURRENDERED
    capture_generals_with(g, i)


@jit
def surrender_test(g: Any, i: Any, by: Any) -> Any:
    """Roll for surrender (AWI-T-SUR-01); True when the unit lays down its arms."""
    die = roll_d6(g)
    gone = die >= g.u[i].surrender_on
    note_event(g, SURRENDER_TEST, i, by, die, 0, 0, die, R_SURRENDERED if gone else R_STAND)
    if gone:
        take_prisoner(g, i)
    return gone


@jit
def nearest_enemy(g: Any, i: Any) -> Any:
    """The nearest enemy that does not rout, by centres; failing that any enemy; -1 for none."""
    best, best_gap = -1, 1.0e18
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or not is_standing(g.u[j]):
            continue
        distance = centre_gap2(g, i, j)
        if not is_effective(g.u[j]):
            distance += 1.0e9
        if distance < best_gap:
            best, best_gap = j, distance
    return best


@jit
def has_just_routed(g: Any, u: Any) -> Any:
    """True for a unit that routed in the enemy's last charges or melees (AWI-T-SEQ-02)."""
    return u.mood == ROUTING and u.rout_turn == g.player_turn - 1


@jit
def test_shaken(g: Any, i: Any) -> None:
    """Step A for a shaken unit (AWI-T-MOR-03); it is never shaken afterwards."""
    u = g.u[i]
    modifier = quality_modifier(g, u) + test_bonus(g, i)
    die = roll_d6(g)
    result = shaken_result(die + modifier)
    note_event(g, SHAKEN_TEST, i, -1, die, 0, modifier, die + modifier, result)
    u.mood = STEADY
    if result == R_RETIRE:
        u.busy = 1
        if g.o.irregulars_rout == 1 and (u.militia == 1 or u.indian == 1) and in_open(g, i):
            u.mood, u.rout_turn = ROUTING, -1
        else:
            u.retires = 1
    elif result == R_ROUT:
        u.busy, u.mood, u.rout_turn = 1, ROUTING, -1
        deduct_strength(g, i, 1)


@jit
def test_routing(g: Any, i: Any) -> None:
    """Step A for a routing unit (AWI-T-MOR-05). One that rallies reforms, shaken, and stands."""
    u = g.u[i]
    modifier = quality_modifier(g, u) + test_bonus(g, i)
    die = roll_d6(g)
    total = die + modifier
    result = rout_result(total)
    note_event(g, ROUT_TEST, i, -1, die, 0, modifier, total, result)
    u.busy = 1
    if result == R_RALLIED:
        u.mood = SHAKEN
        form = u.form
        if u.gun == 0 and u.wagon == 0:
            u.form = LINE
        j = nearest_enemy(g, i)
        face = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y) if j >= 0 else u.face
        width, depth = half_width(u), half_depth(u)
        if (
            u.inside < 0
            and is_clear_of_units(g, i, u.x, u.y, face, width, depth, -1)
            and can_stand(g, i, u.x, u.y, face, width, depth)
        ):
            u.face = face
            note_plain(g, TURN, i, -1)
        else:
            u.form = form
    elif total <= 1:
        deduct_strength(g, i, 1)


@jit
def step_a(g: Any) -> None:
    """A: test every shaken and routing unit of the moving side (AWI-T-SEQ-01)."""
    g.step = 1
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.place != ON_TABLE:
            continue
        u.busy, u.retires = 0, 0
        if u.mood != STEADY:
            u.digging = 0
        if has_just_routed(g, u) or u.immobile == 1:
            u.busy = 1
        elif u.mood == SHAKEN:
            test_shaken(g, i)
        elif u.mood == ROUTING:
            test_routing(g, i)


@jit
def move_rate(u: Any) -> Any:
    """Inches a unit may move in its present formation (AWI-T-MOV-01, AWI-T-MOV-02)."""
    return u.rate_column if u.form == COLUMN or u.form == LIMBERED else u.rate_line


@jit
def is_deployed(u: Any) -> Any:
    """A gun ready to fire: unlimbered, with its crew."""
    return u.gun == 1 and u.form == DEPLOYED and u.gun_left == 0
