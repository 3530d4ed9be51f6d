"""Step B and every run of beaten troops: retreats, routs, capture of what they leave."""

from typing import Any

from battles.engine.bases import (
    HALF,
    HALF_DIAGONAL,
    LITTLE,
    centre_gap2,
    half_depth,
    half_width,
    home_heading,
    inside_table,
    is_clear_of_units,
    is_effective,
    measure_gap,
)
from battles.engine.compile import jit
from battles.engine.dtypes import CLOSE_FOOT, LEFT_TABLE, ON_TABLE, ROUTING
from battles.engine.geometry import COS, SIN, find_bearing, is_overlapping, turn_between
from battles.engine.ground import can_stand
from battles.engine.recording import (
    GUN_CAPTURED,
    LEAVES_TABLE,
    R_NONE,
    RETIRE,
    ROUT_MOVE,
    STEP_G,
    WAGON_CAPTURED,
    note_event,
    note_plain,
)
from battles.rulesets.awi.buildings import (
    ENTER_SHARE,
    exit_heading,
    find_free_slot,
    get_out,
    is_building,
    leave_share,
    put_inside,
)
from battles.rulesets.awi.crossing import ENDLESS, measure_way
from battles.rulesets.awi.generals import leave_with
from battles.rulesets.awi.morale import (
    deduct_strength,
    has_just_routed,
    move_rate,
    nearest_enemy,
    surrender_test,
    take_prisoner,
)
from battles.rulesets.awi.refuge import cover_ahead, distance_home, in_view

#: Inches within which bases touch.
TOUCH = 0.1


@jit
def swept_free(g: Any, i: Any, heading: Any, distance: Any) -> Any:
    """True when unit i can go that far along the heading without meeting an enemy or a building."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    half = distance / 2.0
    width, depth = half_width(u), half_depth(u)
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - u.x - hx * half, b.y - u.y - hy * half
        if abs(dx * hy - dy * hx) > width + HALF_DIAGONAL:
            continue
        if dx * dx + dy * dy > (half + 4.0) * (half + 4.0):
            continue
        if is_overlapping(
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
        ) and not is_overlapping(
            u.x, u.y, heading, width, depth, b.x, b.y, b.face, half_width(b), half_depth(b)
        ):
            return False
    for k in range(g.buildings_n):
        t = g.structures[k]
        if k == u.inside or not is_building(g, k):
            continue
        x, y = u.x + hx * half, u.y + hy * half
        if is_overlapping(x, y, heading, width, depth + half, t.x, t.y, t.face, t.half_width, t.half_depth):
            return False
    return True


@jit
def shift_unit(g: Any, i: Any, heading: Any, distance: Any, face: Any, home: Any) -> Any:
    """Move unit i as far along the heading as the ground bears it, at most `distance` inches.

    What the ground costs is the caller's to take off. Friends are passed through freely, enemies,
    buildings and barred ground stop it, and it must not end on another unit. With `home` it may go
    over its own table edge and is then lost to the battle, which `gone` tells. One in a building comes
    out, as near to the heading as it can, and stops. Returns inches moved.
    """
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    if u.inside >= 0:
        return distance if get_out(g, i, heading) else 0.0
    if home == 1:
        inward = distance_home(g, i, u.y)
        pace = hy if u.side == 1 else -hy
        if pace > 0.0 and pace * distance >= inward:
            out = inward / pace
            inches, _ = measure_way(g, i, heading, out, ENDLESS, 0.0)
            if inches >= out - 1.0e-9 and swept_free(g, i, heading, out):
                u.place = LEFT_TABLE
                return distance
    width, depth = half_width(u), half_depth(u)
    left, _ = measure_way(g, i, heading, distance, ENDLESS, 0.0)
    while left > 0.05:
        x, y = u.x + hx * left, u.y + hy * left
        if (
            inside_table(g, x, y)
            and swept_free(g, i, heading, left)
            and is_clear_of_units(g, i, x, y, face, width, depth, -1)
            and can_stand(g, i, x, y, face, width, depth)
        ):
            u.x, u.y, u.face, u.owes_at = x, y, face, -1
            return left
        left -= 0.5
    return 0.0


@jit
def note_departure(g: Any, i: Any) -> None:
    """Record that a move has just taken a unit off the table; its generals go with it."""
    if g.u[i].place == LEFT_TABLE:
        note_plain(g, LEAVES_TABLE, i, -1)
        leave_with(g, i)


@jit
def nearer_enemy(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when an enemy that unit i can see is nearer to (x, y) than to it now (AWI-T-ROU-01)."""
    u = g.u[i]
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or not is_effective(b):
            continue
        ex, ey = b.x - x, b.y - y
        if ex * ex + ey * ey < centre_gap2(g, i, j) - 1.0e-9 and in_view(g, i, j):
            return True
    return False


@jit
def rout_way(g: Any, i: Any, away: Any, k: Any, left: Any, least: Any) -> Any:
    """(heading, inches, building, score) of the kth heading a rout may take, nearest to `away` first.

    The score is the inches to cover, far more when there is none; 1.0e18 for one that it may not
    take or that cannot score less than `least`. `left` of the rout move pays for ground and works.
    """
    u = g.u[i]
    offset = ((k + 1) // 2) * 15
    heading = (away + (offset if k % 2 == 1 else -offset)) % 360
    cover, building = cover_ahead(g, i, heading)
    if 0.05 * offset + (cover if cover <= left else 1000.0) >= least:
        return heading, 0.0, -1, 1.0e18
    want = cover if cover < left else left
    distance, rest = measure_way(g, i, heading, want, left, u.rate_rout)
    reached = distance >= cover - 1.0e-6
    if building >= 0 and (not reached or rest < ENTER_SHARE * u.rate_rout):
        building, reached = -1, False
    if g.wades >= 0 or (distance < 0.05 and building < 0):
        return heading, 0.0, -1, 1.0e18
    x, y = u.x + SIN[heading] * distance, u.y + COS[heading] * distance
    if nearer_enemy(g, i, x, y) or not swept_free(g, i, heading, distance):
        return heading, 0.0, -1, 1.0e18
    return (
        heading,
        distance,
        building,
        0.05 * offset + (cover if reached else 1000.0 + distance_home(g, i, y)),
    )


@jit
def rout_heading(g: Any, i: Any, away: Any, left: Any) -> Any:
    """(heading, inches, building) of the rout move within 45 degrees of `away`; 0 inches when boxed in.

    The heading that reaches friendly cover soonest is taken; one that ends nearer a visible enemy
    than it began is dropped (AWI-T-ROU-01). The building is one it goes into, else -1.
    """
    best, best_distance, best_building, least = away, 0.0, -1, 1.0e18
    for k in range(7):
        heading, distance, building, score = rout_way(g, i, away, k, left, least)
        if score < least:
            best, best_distance, best_building, least = heading, distance, building, score
    return best, best_distance, best_building


@jit
def leave_gun(u: Any) -> None:
    """A crew that routs leaves its gun and goes on as foot (AWI-T-MOV-02)."""
    if u.gun == 1 and u.gun_left == 0:
        u.gun_left, u.gun_x, u.gun_y = 1, u.x, u.y
        u.gun_going, u.going = u.going, CLOSE_FOOT


@jit
def rout_move(g: Any, i: Any, away: Any) -> None:
    """Run (AWI-T-ROU-01). A wagon never moves again (AWI-T-MOV-12); gunners leave their gun.

    Coming out of a building costs its share of the rout move; so does going into one for cover.
    """
    u = g.u[i]
    if u.wagon == 1:
        u.immobile = 1
        return
    leave_gun(u)
    left, moved = u.rate_rout, 0.0
    if u.inside >= 0:
        left = left - leave_share(u) * left if get_out(g, i, away) else 0.0
    if left > 0.0:
        heading, distance, building = rout_heading(g, i, away, left)
        if distance > 0.0:
            moved = shift_unit(g, i, heading, distance, heading, 1)
        if building >= 0 and u.place == ON_TABLE and moved >= distance - 1.0e-9:
            x, y = find_free_slot(g, i, building)
            if x >= 0.0:
                put_inside(g, i, building, x, y)
        elif u.place == ON_TABLE and moved == 0.0 and u.sp > 0:
            width, depth = half_width(u), half_depth(u)
            if is_clear_of_units(g, i, u.x, u.y, away, width, depth, -1) and can_stand(
                g, i, u.x, u.y, away, width, depth
            ):
                u.face = away
    u.owes_at, u.shown = -1, 0
    note_event(g, ROUT_MOVE, i, -1, 0, 0, 0, int(moved * 100.0), R_NONE)
    note_departure(g, i)


@jit
def rout(g: Any, i: Any, away: Any, points: Any, rear: Any, by: Any) -> None:
    """Rout a unit: SP first, then surrender if it was taken in rear, then the run (AWI-T-CHG-06)."""
    u = g.u[i]
    if points > 0:
        deduct_strength(g, i, points)
    if u.place != ON_TABLE:
        return
    if rear == 1 and surrender_test(g, i, by):
        return
    u.mood = ROUTING
    # a rout by the enemy's charges is not followed by a test or a move in the own next turn (AWI-T-SEQ-02)
    u.rout_turn = g.player_turn if u.side != g.mover and g.step >= STEP_G else -1
    u.busy = 1
    rout_move(g, i, away)


@jit
def away_from(g: Any, i: Any, j: Any) -> Any:
    """Heading straight away from unit j; home when there is no unit j."""
    if j < 0:
        return home_heading(g, i)
    return find_bearing(g.u[i].x - g.u[j].x, g.u[i].y - g.u[j].y)


@jit
def hemmed_in(g: Any, i: Any) -> Any:
    """Within 6 inches of an enemy and unable to move (AWI-T-SUR-01, case c)."""
    close = False
    for j in range(g.n):
        if g.u[j].side != g.u[i].side and is_effective(g.u[j]) and centre_gap2(g, i, j) < 110.0:
            close = close or measure_gap(g, i, j) <= 6.0 + LITTLE
    if not close:
        return False
    away = away_from(g, i, nearest_enemy(g, i))
    if g.u[i].inside >= 0:
        return exit_heading(g, i, away) < 0
    for k in range(7):
        _, _, _, score = rout_way(g, i, away, k, g.u[i].rate_rout, 1.0e18)
        if score < 1.0e18:
            return False
    return True


@jit
def nearest_visible_enemy(g: Any, i: Any) -> Any:
    """The nearest enemy in view that does not rout, by centres; failing that the nearest of all."""
    best, best_gap = -1, 1.0e18
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or not is_effective(g.u[j]):
            continue
        distance = centre_gap2(g, i, j)
        if distance < best_gap and in_view(g, i, j):
            best, best_gap = j, distance
    return best if best >= 0 else nearest_enemy(g, i)


@jit
def retire(g: Any, i: Any) -> None:
    """Retire a full move from the nearest visible enemy and homewards (AWI-T-MOR-04)."""
    u = g.u[i]
    j = nearest_visible_enemy(g, i)
    home = home_heading(g, i)
    heading = away_from(g, i, j)
    turn = turn_between(home, heading)
    if turn > 90:
        heading = (home + 90) % 360
    elif turn < -90:
        heading = (home + 270) % 360
    face = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y) if j >= 0 else u.face
    left, moved = move_rate(u), 0.0
    if u.inside >= 0:
        left = left - leave_share(u) * left if get_out(g, i, heading) else 0.0
    if left > 0.0:
        distance, _ = measure_way(g, i, heading, left, left, move_rate(u))
        if g.wades < 0:
            moved = shift_unit(g, i, heading, distance, face, 1)
    u.owes_at, u.shown = -1, 0
    note_event(g, RETIRE, i, j, 0, 0, 0, int(moved * 100.0), R_NONE)
    note_departure(g, i)


@jit
def step_b(g: Any) -> None:
    """B: compulsory retreats and routs of the moving side."""
    g.step = 2
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.place != ON_TABLE:
            continue
        if u.mood == ROUTING and not has_just_routed(g, u):
            leave_gun(u)
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
    return is_overlapping(
        b.x, b.y, b.face, half_width(b) + TOUCH, half_depth(b) + TOUCH, x, y, u.face, width, depth
    )  # fmt: skip


@jit
def is_prize(u: Any) -> Any:
    """True for a gun whose crew has left it, and perhaps the table, and a wagon that will not move again."""
    if u.place == LEFT_TABLE:
        return u.gun_left == 1
    return u.place == ON_TABLE and (u.gun_left == 1 or u.immobile == 1)


@jit
def capture_prizes(g: Any) -> None:
    """Take abandoned guns and immobile wagons that an enemy unit touches (AWI-T-MOV-02, MOV-12)."""
    for i in range(g.n):
        u = g.u[i]
        if not is_prize(u):
            continue
        for j in range(g.n):
            b = g.u[j]
            if b.side == u.side or not is_effective(b) or b.gun == 1:
                continue
            if touches_prize(u, b):
                take_prisoner(g, i)
                note_plain(g, GUN_CAPTURED if u.gun_left == 1 else WAGON_CAPTURED, i, j)
                break
