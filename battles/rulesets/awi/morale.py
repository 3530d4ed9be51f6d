"""Basic morale, loss of strength, shaken and rout tests, rout moves and surrender."""

from typing import Any

from battles.engine.bases import (
    HALF,
    centre_gap2,
    effective,
    fits,
    gap,
    half_depth,
    half_width,
    home_heading,
    inside_table,
    obstacle_share,
    standing,
)
from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.dtypes import (
    COLUMN,
    DEPLOYED,
    ELIMINATED,
    LEFT_TABLE,
    LIMBERED,
    LINE,
    ON_TABLE,
    ROUTING,
    SHAKEN,
    STEADY,
    SURRENDERED,
)
from battles.engine.geometry import COS, SIN, bearing, crossing, overlap, turn_between
from battles.engine.recording import (
    ELIMINATED as E_ELIMINATED,
)
from battles.engine.recording import (
    GUN_CAPTURED,
    R_CARRY_ON,
    R_KEEP_ROUTING,
    R_NONE,
    R_RALLIED,
    R_RETIRE,
    R_ROUT,
    R_STAND,
    R_SURRENDERED,
    RETIRE,
    ROUT_MOVE,
    ROUT_TEST,
    SHAKEN_TEST,
    SP_LOST,
    SURRENDER_TEST,
    WAGON_CAPTURED,
    note,
    note_plain,
)
from battles.engine.recording import (
    LEFT_TABLE as E_LEFT_TABLE,
)

#: Inches within which bases touch.
TOUCH = 0.1


@jit
def basic_morale(u: Any) -> Any:
    """Basic morale: SP at this moment plus the type's modifier (AWI-T-MOR-01)."""
    return u.sp + u.morale


@jit
def quality(g: Any, u: Any) -> Any:
    """Optional modifier of shaken and rout tests (AWI-T-MOR-06)."""
    if g.o.shaken_quality >= 1 and u.militia == 1:
        return -1
    if g.o.shaken_quality == 2 and u.grenadier == 1 and u.european == 1:
        return 1
    return 0


@jit
def shaken_result(total: Any) -> Any:
    """What a shaken unit does on this total (AWI-T-MOR-03)."""
    if total <= 1:
        return R_ROUT
    return R_RETIRE if total <= 3 else R_CARRY_ON


@jit
def rout_result(total: Any) -> Any:
    """What a routing unit does on this total (AWI-T-MOR-05); 1 or less also costs an SP."""
    return R_RALLIED if total >= 5 else R_KEEP_ROUTING


@jit
def lose_sp(g: Any, i: Any, points: Any) -> None:
    """Take SP off a unit; at 0 it is removed at once (AWI-T-STR-03)."""
    u = g.u[i]
    taken = points if points < u.sp else u.sp
    u.sp -= taken
    u.lost += taken
    note(g, SP_LOST, i, -1, 0, 0, 0, taken, R_NONE)
    if u.sp <= 0:
        u.place = ELIMINATED
        note_plain(g, E_ELIMINATED, i, -1)


@jit
def take_prisoner(g: Any, i: Any) -> None:
    """Remove a unit as captured with the SP it has left."""
    u = g.u[i]
    u.captured += u.sp
    u.sp = 0
    u.place = SURRENDERED


@jit
def surrender_test(g: Any, i: Any, by: Any) -> Any:
    """Roll for surrender (AWI-T-SUR-01); True when the unit lays down its arms."""
    die = d6(g)
    gone = die >= g.u[i].surrender_on
    note(g, SURRENDER_TEST, i, by, die, 0, 0, die, R_SURRENDERED if gone else R_STAND)
    if gone:
        take_prisoner(g, i)
    return gone


@jit
def nearest_enemy(g: Any, i: Any) -> Any:
    """The nearest enemy that does not rout, by centres; failing that any enemy; -1 for none."""
    best, best_gap = -1, 1.0e18
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or not standing(g.u[j]):
            continue
        distance = centre_gap2(g, i, j)
        if not effective(g.u[j]):
            distance += 1.0e9
        if distance < best_gap:
            best, best_gap = j, distance
    return best


@jit
def swept_free(g: Any, i: Any, heading: Any, distance: Any) -> Any:
    """True when unit i can go that far along the heading without riding over an enemy."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    half = distance / 2.0
    width, depth = half_width(u), half_depth(u)
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - u.x - hx * half, b.y - u.y - hy * half
        if dx * dx + dy * dy > (half + 4.0) * (half + 4.0):
            continue
        if overlap(
            u.x + hx * half,
            u.y + hy * half,
            heading,
            width,
            depth + half,
            b.x,
            b.y,
            b.face,
            half_width(b),
            half_depth(b),
        ) and not overlap(u.x, u.y, heading, width, depth, b.x, b.y, b.face, half_width(b), half_depth(b)):
            return False
    return True


@jit
def distance_home(g: Any, i: Any, y: Any) -> Any:
    """Inches from `y` to the own table edge of unit i."""
    return y if g.u[i].side == 0 else g.depth - y


@jit
def obstacle_cost(g: Any, i: Any, heading: Any, distance: Any, rate: Any) -> Any:
    """Inches of the allowance spent on works crossed on the way (AWI-T-TER-02)."""
    u = g.u[i]
    cost = 0.0
    for k in range(g.works_n):
        w = g.works[k]
        if (
            crossing(
                u.x, u.y, u.x + SIN[heading] * distance, u.y + COS[heading] * distance, w.x0, w.y0, w.x1, w.y1
            )
            >= 0.0
        ):
            cost += obstacle_share(u) * rate
    return cost


@jit
def shift(g: Any, i: Any, heading: Any, distance: Any, face: Any, home: Any) -> Any:
    """Move unit i as far along the heading as the ground allows, at most `distance` inches.

    Friends are passed through freely, enemies stop it, and it must not end on another unit. With
    `home` it may go over its own table edge and is then lost to the battle. Returns inches moved.
    """
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    if home == 1:
        inward = distance_home(g, i, u.y)
        pace = hy if u.side == 1 else -hy
        if pace > 0.0 and pace * distance >= inward and swept_free(g, i, heading, inward / pace):
            u.place = LEFT_TABLE
            note_plain(g, E_LEFT_TABLE, i, -1)
            return distance
    width, depth = half_width(u), half_depth(u)
    left = distance
    while left > 0.05:
        x, y = u.x + hx * left, u.y + hy * left
        if (
            inside_table(g, x, y)
            and swept_free(g, i, heading, left)
            and fits(g, i, x, y, face, width, depth, -1)
        ):
            u.x, u.y, u.face = x, y, face
            return left
        left -= 0.5
    return 0.0


@jit
def cover_ahead(g: Any, i: Any, heading: Any) -> Any:
    """Inches along the heading to the nearest friendly cover: behind a friend or the own edge."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    pace = hy if u.side == 1 else -hy
    best = 1.0e9
    if pace > 0.0:
        best = distance_home(g, i, u.y) / pace
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != u.side or not effective(b):
            continue
        dx, dy = b.x - u.x, b.y - u.y
        along = dx * hx + dy * hy
        if along > 0.0 and abs(dx * hy - dy * hx) <= 2.0 and along + 3.5 < best:
            best = along + 3.5
    return best


@jit
def rout_heading(g: Any, i: Any, away: Any) -> Any:
    """(heading, inches) of the rout move within 45 degrees of `away`; 0 inches when boxed in.

    The heading that reaches friendly cover soonest is taken; one that ends nearer a visible enemy
    than it began is dropped (AWI-T-ROU-01).
    """
    u = g.u[i]
    best, best_distance, best_score = away, 0.0, 1.0e18
    for k in range(7):
        offset = ((k + 1) // 2) * 15
        heading = (away + (offset if k % 2 == 1 else -offset)) % 360
        distance = u.rate_rout
        cover = cover_ahead(g, i, heading)
        if cover < distance:
            distance = cover
        distance -= obstacle_cost(g, i, heading, distance, u.rate_rout)
        if distance < 0.5:
            distance = 0.5
        x, y = u.x + SIN[heading] * distance, u.y + COS[heading] * distance
        nearer = False
        for j in range(g.n):
            b = g.u[j]
            if b.side == u.side or not effective(b):
                continue
            ex, ey = b.x - x, b.y - y
            if ex * ex + ey * ey < centre_gap2(g, i, j) - 1.0e-9:
                nearer = True
                break
        if nearer or not swept_free(g, i, heading, distance):
            continue
        score = 0.05 * offset + (cover if cover <= u.rate_rout else 1000.0 + distance_home(g, i, y))
        if score < best_score:
            best, best_distance, best_score = heading, distance, score
    return best, best_distance


@jit
def rout_move(g: Any, i: Any, away: Any) -> None:
    """Run (AWI-T-ROU-01). A wagon never moves again (AWI-T-MOV-12); gunners leave their gun."""
    u = g.u[i]
    if u.wagon == 1:
        u.immobile = 1
        return
    if u.gun == 1 and u.gun_left == 0:
        u.gun_left, u.gun_x, u.gun_y = 1, u.x, u.y
    heading, distance = rout_heading(g, i, away)
    moved = 0.0
    if distance > 0.0:
        moved = shift(g, i, heading, distance, heading, 1)
    if u.place == ON_TABLE and moved == 0.0 and u.sp > 0:
        u.face = away if fits(g, i, u.x, u.y, away, half_width(u), half_depth(u), -1) else u.face
    note(g, ROUT_MOVE, i, -1, 0, 0, 0, int(moved * 100.0), R_NONE)


@jit
def rout(g: Any, i: Any, away: Any, points: Any, rear: Any, by: Any) -> None:
    """Rout a unit: SP first, then surrender if it was taken in rear, then the run (AWI-T-CHG-06)."""
    u = g.u[i]
    if points > 0:
        lose_sp(g, i, points)
    if u.place != ON_TABLE:
        return
    if rear == 1 and surrender_test(g, i, by):
        return
    u.mood = ROUTING
    # a rout in the enemy's turn is not followed by a test or a move in the own next turn
    u.rout_turn = g.player_turn if u.side != g.mover else -1
    u.busy = 1
    rout_move(g, i, away)


@jit
def away_from(g: Any, i: Any, j: Any) -> Any:
    """Heading straight away from unit j; home when there is no unit j."""
    if j < 0:
        return home_heading(g, i)
    return bearing(g.u[i].x - g.u[j].x, g.u[i].y - g.u[j].y)


@jit
def just_routed(g: Any, u: Any) -> Any:
    """Routed in the enemy's last charges or melees (AWI-T-SEQ-02)."""
    return u.mood == ROUTING and u.rout_turn == g.player_turn - 1


@jit
def test_shaken(g: Any, i: Any) -> None:
    """Step A for a shaken unit (AWI-T-MOR-03); it is never shaken afterwards."""
    u = g.u[i]
    modifier = quality(g, u)
    die = d6(g)
    result = shaken_result(die + modifier)
    note(g, SHAKEN_TEST, i, -1, die, 0, modifier, die + modifier, result)
    u.mood = STEADY
    if result == R_RETIRE:
        u.busy = 1
        if g.o.irregulars_rout == 1 and (u.militia == 1 or u.indian == 1):
            u.mood, u.rout_turn = ROUTING, -1
        else:
            u.retires = 1
    elif result == R_ROUT:
        u.busy, u.mood, u.rout_turn = 1, ROUTING, -1
        lose_sp(g, i, 1)


@jit
def test_routing(g: Any, i: Any) -> None:
    """Step A for a routing unit (AWI-T-MOR-05). One that rallies reforms, shaken, and stands."""
    u = g.u[i]
    modifier = quality(g, u)
    die = d6(g)
    total = die + modifier
    result = rout_result(total)
    note(g, ROUT_TEST, i, -1, die, 0, modifier, total, result)
    u.busy = 1
    if result == R_RALLIED:
        u.mood = SHAKEN
        form = u.form
        if u.gun == 0 and u.wagon == 0:
            u.form = LINE
        j = nearest_enemy(g, i)
        face = bearing(g.u[j].x - u.x, g.u[j].y - u.y) if j >= 0 else u.face
        if fits(g, i, u.x, u.y, face, half_width(u), half_depth(u), -1):
            u.face = face
        else:
            u.form = form
    elif total <= 1:
        lose_sp(g, i, 1)


@jit
def step_a(g: Any) -> None:
    """A: test every shaken and routing unit of the moving side (AWI-T-SEQ-01)."""
    g.step = 1
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.place != ON_TABLE:
            continue
        u.busy, u.retires = 0, 0
        if just_routed(g, u) or u.immobile == 1:
            u.busy = 1
        elif u.mood == SHAKEN:
            test_shaken(g, i)
        elif u.mood == ROUTING:
            test_routing(g, i)


@jit
def hemmed_in(g: Any, i: Any) -> Any:
    """Within 6 inches of an enemy and unable to move (AWI-T-SUR-01, case c)."""
    close = False
    for j in range(g.n):
        if g.u[j].side != g.u[i].side and effective(g.u[j]) and centre_gap2(g, i, j) < 110.0:
            close = close or gap(g, i, j) <= 6.0
    if not close:
        return False
    _, distance = rout_heading(g, i, away_from(g, i, nearest_enemy(g, i)))
    return distance == 0.0


@jit
def rate(u: Any) -> Any:
    """Inches a unit may move in its present formation (AWI-T-MOV-01, AWI-T-MOV-02)."""
    return u.rate_column if u.form == COLUMN or u.form == LIMBERED else u.rate_line


@jit
def retire(g: Any, i: Any) -> None:
    """Retire a full move from the nearest enemy and homewards (AWI-T-MOR-04)."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    home = home_heading(g, i)
    heading = away_from(g, i, j)
    turn = turn_between(home, heading)
    if turn > 90:
        heading = (home + 90) % 360
    elif turn < -90:
        heading = (home + 270) % 360
    face = bearing(g.u[j].x - u.x, g.u[j].y - u.y) if j >= 0 else u.face
    distance = rate(u)
    distance -= obstacle_cost(g, i, heading, distance, distance)
    moved = shift(g, i, heading, distance, face, 1)
    note(g, RETIRE, i, j, 0, 0, 0, int(moved * 100.0), R_NONE)


@jit
def step_b(g: Any) -> None:
    """B: compulsory retreats and routs of the moving side."""
    g.step = 2
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.place != ON_TABLE:
            continue
        if u.mood == ROUTING and not just_routed(g, u):
            if u.immobile == 0 and hemmed_in(g, i) and surrender_test(g, i, -1):
                continue
            rout_move(g, i, away_from(g, i, nearest_enemy(g, i)))
        elif u.retires == 1:
            retire(g, i)


@jit
def touches_prize(u: Any, b: Any) -> Any:
    """True when unit b touches the gun that u's crew has left, or the wagon u itself."""
    x, y, width, depth = u.gun_x, u.gun_y, HALF, HALF
    if u.gun_left == 0:
        x, y, width, depth = u.x, u.y, half_width(u), half_depth(u)
    return overlap(
        b.x, b.y, b.face, half_width(b) + TOUCH, half_depth(b) + TOUCH, x, y, u.face, width, depth
    )  # fmt: skip


@jit
def captures(g: Any) -> None:
    """Take abandoned guns and immobile wagons that an enemy unit touches (AWI-T-MOV-02, MOV-12)."""
    for i in range(g.n):
        u = g.u[i]
        if u.place != ON_TABLE or (u.gun_left == 0 and u.immobile == 0):
            continue
        for j in range(g.n):
            b = g.u[j]
            if b.side == u.side or not effective(b) or b.gun == 1:
                continue
            if touches_prize(u, b):
                take_prisoner(g, i)
                note_plain(g, GUN_CAPTURED if u.gun_left == 1 else WAGON_CAPTURED, i, j)
                break


@jit
def is_deployed(u: Any) -> Any:
    """A gun ready to fire: unlimbered, with its crew."""
    return u.gun == 1 and u.form == DEPLOYED and u.gun_left == 0
