"""Drawing up: the ground, where units stand on it at the start and where others enter. No numba here."""

from typing import Any, NamedTuple

import numpy as np

from battles.engine.deployment import from_edge_to_works, rotate_for_side
from battles.engine.dtypes import (
    ADVANCE,
    ASSAULT,
    BUILDING,
    COLUMN,
    DEPLOYED,
    FENCE,
    FIELDWORK,
    FOOT,
    LARGE,
    LIMBERED,
    LINE,
    ON_TABLE,
    REDOUBT,
    SMALL,
    TURN_FLANK,
    WAITING,
    WHEELED,
    AwiRecordSize,
)
from battles.engine.raster import structure_add, work_add
from battles.engine.survey import survey_ground
from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit
from battles.ground.features import EDGE_X, SLOT, facing_of, find_footprint
from battles.ground.shapes import Rectangle, find_clip_span, has_overlap
from battles.rulesets.awi import tables
from battles.rulesets.awi.grounds import ground_write
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import TYPES, Arm, TroopType

#: Inches from the own edge to the first line, and the gap between lines.
FIRST_LINE, LINE_GAP = 15.0, 4.5
#: Inches from a defender's centre to the work before it: half a base and half an inch.
WORK_AHEAD = 0.886 + 0.5
#: Inches from the edge at which those who arrive are set down, and that all others keep from it.
ENTRY, MARGIN = 2.0, 2.0
#: Inches kept from friends and enemies (AWI-T-SEQ-03) when a place is looked for.
FROM_FRIENDS, FROM_ENEMIES = 0.1, 1.0
#: Inches a unit told where to stand may be moved when the cells bar what the shapes allow.
NUDGE = 2.5
#: Steps of an inch from the place wanted, nearest first and the same for both sides turned round.
STEPS = sorted(
    ((right, ahead) for right in range(-48, 49) for ahead in range(-30, 31)),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)
#: Postures and the formations they are.
POSTURES = {"line": LINE, "column": COLUMN, "limbered": LIMBERED, "deployed": DEPLOYED}
PLANS_THAT_ATTACK = (ASSAULT, TURN_FLANK, ADVANCE)


class AwiPost(NamedTuple):
    """A unit to be drawn up: its place in the record and in the battle file, its side, what it is."""

    i: int
    file_index: int
    side: int
    unit: BattleUnit


def size_for(battle: BattleFile) -> AwiRecordSize:
    """The smaller layout that holds the battle.

    Raises BattleFileError when more stands on the ground than the larger one holds.
    """
    size = SMALL
    if len(battle.units) > SMALL.units or len(battle.leaders) > SMALL.generals:
        size = LARGE
    if battle.ground is None:
        return size
    found = survey_ground(battle.ground, terrain_for(options_resolve(battle.options)))
    for room in (SMALL, LARGE):
        if found.fits(room):
            return LARGE if LARGE in (size, room) else SMALL
    raise BattleFileError(
        "AWI-T-FOR-01",
        f"The ground has {len(found.structures)} structures, {len(found.works)} straight works and "
        f"{len(found.gates)} bridges and fords; the most is {LARGE.structures - 1}, {LARGE.works - 1} and "
        f"{LARGE.gates}. Leave some out.",
        "ground.features",
    )


def draw_up(g: Any, battle: BattleFile) -> None:
    """Write the ground and draw both sides up on it.

    Those told where to stand stand there, garrisons in their buildings. The others stand in lines
    facing the enemy's edge, formation beside formation, centred; where the ground bars a place, on the
    nearest free one. The defender's work (`cover`) runs before his first line.
    """
    ground_write(g, battle, size_for(battle))
    posts = posts_of(battle)
    for post in posts:
        g.u[post.i].place = WAITING
        g.u[post.i].form = _choose_form(g, post)
    table = AwiDeploymentTable(g)
    for post in posts:
        if post.unit.inside and battle.ground is not None:
            _place_garrison(g, battle, post, table)
    for post in posts:
        if post.unit.x is not None and post.unit.arrives == 0 and not post.unit.inside:
            _place_at_file_spot(g, battle, post, table)
    first_line: list[int] = []
    for side in (0, 1):
        own = [p for p in posts if p.side == side and p.unit.x is None and not p.unit.inside]
        line = _deploy_lines(g, [p for p in own if p.unit.arrives == 0], side, table)
        first_line = line if side == 1 else first_line
        _set_entry_points(g, [p for p in own if p.unit.arrives > 0], side)
    for post in posts:
        if post.unit.arrives > 0:
            _set_file_entry_point(g, battle, post)
    _work_write(g, first_line, battle.cover)


def posts_of(battle: BattleFile) -> list[AwiPost]:
    """All units that come to the table, in the order of the record."""
    listed = [(n, unit) for n, unit in enumerate(battle.units) if unit.sp > 0]
    return [AwiPost(i, n, int(unit.side != battle.attacker), unit) for i, (n, unit) in enumerate(listed)]


def _choose_form(g: Any, post: AwiPost) -> int:
    """Formation a unit is drawn up in, as told or as usual (AWI-T-UNI-02)."""
    unit, u = post.unit, g.u[post.i]
    if unit.posture:
        return POSTURES[unit.posture]
    if u.arm != WHEELED:
        return LINE if unit.arrives == 0 else COLUMN
    ready = u.gun == 1 and unit.arrives == 0
    return DEPLOYED if ready and (g.plan[u.side] not in PLANS_THAT_ATTACK or u.long_max >= 36.0) else LIMBERED


class AwiDeploymentTable:
    """The places already taken while a battle is deployed, and tests of room for one more."""

    def __init__(self, g: Any) -> None:
        self.g = g
        self.plain = bool(g.plain == 1 and g.structures_n == 0 and g.works_n == 0)
        # read once: a field of a record costs more than a sum
        self.cell, self.rows, self.columns = float(g.cell), int(g.rows), int(g.columns)
        self.ground, self.cost, self.open = np.asarray(g.ground), np.asarray(g.cost), int(g.plain) == 1
        self.taken: list[tuple[Rectangle, int]] = []
        rows = [g.structures[k] for k in range(g.structures_n)]
        self.houses = [
            Rectangle(float(s.x), float(s.y), int(s.face), float(s.half_width), float(s.half_depth))
            for s in rows
            if s.kind_ == BUILDING and s.sp > 0
        ]
        self.lines = [
            ((float(w.x0), float(w.y0)), (float(w.x1), float(w.y1)))
            for w in g.works[: g.works_n]
            if w.structure < 0 or rows[int(w.structure)].sp > 0
        ]

    def is_barred(self, i: int, where: Rectangle) -> bool:
        """True when the ground or a building bars a rectangle to unit i (AWI-T-TER-01)."""
        u = self.g.u[i]
        if any(_may_touch(where, house) and has_overlap(where, house) for house in self.houses):
            return True
        if self.open:
            return False
        column = int(u.going) + (4 if u.form in (COLUMN, LIMBERED) else 0)
        for x, y in where.spots():
            across = min(max(int(x / self.cell), 0), self.columns - 1)
            up = min(max(int(y / self.cell), 0), self.rows - 1)
            if self.cost[self.ground[up, across], column] == 0.0:
                return True
        return False

    def is_free(self, i: int, where: Rectangle, side: int) -> bool:
        """True when nobody stands there or an inch from it if an enemy."""
        for other, whose in self.taken:
            if _may_touch(where, other):
                more = FROM_FRIENDS if whose == side else FROM_ENEMIES
                wide = other._replace(half_width=other.half_width + more, half_depth=other.half_depth + more)
                if has_overlap(where, wide):
                    return False
        return True

    def is_cut_by_work(self, where: Rectangle) -> bool:
        """True when a work or stream runs through a rectangle."""
        reach = where.half_width + where.half_depth
        low_x, high_x, low_y, high_y = where.x - reach, where.x + reach, where.y - reach, where.y + reach
        return any(
            find_clip_span(p, q, where) is not None
            for p, q in self.lines
            if (p[0] >= low_x or q[0] >= low_x)
            and (p[0] <= high_x or q[0] <= high_x)
            and (p[1] >= low_y or q[1] >= low_y)
            and (p[1] <= high_y or q[1] <= high_y)
        )


def _may_touch(one: Rectangle, two: Rectangle) -> bool:
    """True when two footprints may touch at all."""
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 < 49.0


def _place_unit(g: Any, i: int, where: Rectangle, table: AwiDeploymentTable) -> None:
    u = g.u[i]
    u.x, u.y, u.face = where.x, where.y, int(where.heading)
    u.post_x, u.post_y = where.x, where.y
    u.place = ON_TABLE
    table.taken.append((where, int(u.side)))


def _place_garrison(g: Any, battle: BattleFile, post: AwiPost, table: AwiDeploymentTable) -> None:
    """Put a unit in its building: in the middle of a small one, in one half of a large (AWI-T-TER-10)."""
    features = battle.ground.features if battle.ground is not None else ()
    s = next(k for k in range(g.buildings_n) if features[int(g.structures[k].feature)].id == post.unit.inside)
    house, u = g.structures[s], g.u[post.i]
    held = sum(int(g.u[k].inside) == s and g.u[k].place == ON_TABLE for k in range(g.n))
    ahead = 0.0 if house.capacity == 1 else (0.5 - held) * float(house.half_depth)
    box = Rectangle(float(house.x), float(house.y), int(house.face), 0.0, 0.0)
    u.form, u.inside = LINE, s
    _place_unit(g, post.i, find_footprint(post.unit, *box.spot(0.0, ahead), int(house.face)), table)


def _place_at_file_spot(g: Any, battle: BattleFile, post: AwiPost, table: AwiDeploymentTable) -> None:
    """Place a unit at the spot of the file, or a step aside where the cells bar what the shapes allow.

    Raises BattleFileError when its kind of troops may not stand there.
    """
    unit = post.unit
    x, y = float(unit.x or 0.0), float(unit.y or 0.0)
    wanted = find_footprint(unit, x, y, facing_of(battle, unit))
    for step in (q for right, ahead in STEPS if (q := (right / 4.0, ahead / 4.0))):
        if step[0] ** 2 + step[1] ** 2 > NUDGE**2:
            break
        where = wanted._replace(x=x + step[0], y=y + step[1])
        if not table.is_barred(post.i, where) and (
            step == (0.0, 0.0) or table.is_free(post.i, where, post.side)
        ):
            _place_unit(g, post.i, where, table)
            return
    raise BattleFileError(
        "AWI-T-TER-01",
        f"{unit.name} cannot stand at {x:g}, {y:g}: that ground is closed to its kind of troops.",
        f"units[{post.file_index}].x",
    )


def _find_deployment_rank(unit: BattleUnit) -> int:
    """Order in which units are drawn up: foot and guns first, then horse, wagons last."""
    if unit.troop_type is TroopType.WAGON:
        return 2
    return 1 if TYPES[unit.troop_type].arm is Arm.MOUNTED else 0


def _count_slots(g: Any) -> int:
    return max(1, int((g.width - 8.0) // SLOT))


def _find_first_line(g: Any) -> float:
    """Inches from the own edge to the first line; less on a shallow table."""
    return min(FIRST_LINE, float(g.depth) / 4.0)


def _deploy_lines(g: Any, own: list[AwiPost], side: int, table: AwiDeploymentTable) -> list[int]:
    """Draw up a side's units in lines, the first the longest, then the reserve behind all of them.

    Returns those of the first line.
    """
    own = sorted(own, key=lambda post: (_find_deployment_rank(post.unit), post.unit.formation, post.i))
    kept = [post for post in own if post.unit.reserve]
    own = [post for post in own if not post.unit.reserve]
    slots = _count_slots(g)
    first = max(1, min(slots, -(-2 * len(own) // 3))) if len(own) > 6 else max(1, min(slots, len(own)))
    rows = [own[:first]] + [own[n : n + slots] for n in range(first, len(own), slots)]
    rows = rows if own else []
    homes = [_find_first_line(g) - line * LINE_GAP for line in range(len(rows))]
    behind = min(homes[-1] if own else _find_first_line(g) + LINE_GAP, _nearest_post(g, side))
    reserves = [kept[n : n + slots] for n in range(0, len(kept), slots)]
    homes += [max(behind - (line + 1) * LINE_GAP, MARGIN) for line in range(len(reserves))]
    rows += reserves
    for home, row in zip(homes, rows, strict=True):
        for place, post in enumerate(row):
            offset = (place - (len(row) - 1) / 2.0) * SLOT
            x, y = rotate_for_side(g, side, g.width / 2.0 + offset, home)
            _place_near(g, post, find_footprint(post.unit, x, y, _find_heading(post, side)), table)
    return [post.i for post in rows[0]] if rows else []


def _nearest_post(g: Any, side: int) -> float:
    """Inches from the own edge to the works of a side's half and to its foot told where to stand."""
    depth = float(g.depth)
    posts = [float(u.y) for u in g.u[: g.n] if u.side == side and u.place == ON_TABLE and u.arm == FOOT]
    homes = from_edge_to_works(g, side) + [y if side == 0 else depth - y for y in posts]
    return min((home for home in homes if home < depth / 2.0), default=depth)


def _find_heading(post: AwiPost, side: int) -> int:
    return 180 * side if post.unit.facing is None else post.unit.facing % 360


def _place_near(g: Any, post: AwiPost, wanted: Rectangle, table: AwiDeploymentTable) -> None:
    """Put a unit at a place or the nearest free one on its own half of the table.

    Raises BattleFileError when there is none.
    """
    if table.plain and table.is_free(post.i, wanted, post.side) and _on_half(g, wanted, post.side):
        _place_unit(g, post.i, wanted, table)
        return
    turn = 1 if post.side == 0 else -1
    for works_count in (True, False):
        for right, ahead in STEPS:
            where = wanted._replace(x=wanted.x + turn * right, y=wanted.y + turn * ahead)
            if not _on_half(g, where, post.side) or not table.is_free(post.i, where, post.side):
                continue
            if not table.is_barred(post.i, where) and not (works_count and table.is_cut_by_work(where)):
                _place_unit(g, post.i, where, table)
                return
    raise BattleFileError(
        "AWI-T-UNI-01",
        f"There is no room to draw up {post.unit.name}; make the table larger, or say where it stands.",
        f"units[{post.file_index}]",
    )


def _on_half(g: Any, where: Rectangle, side: int) -> bool:
    """True for a place on the side's half of the table, clear of the edges."""
    _, y = rotate_for_side(g, side, where.x, where.y)
    width, depth = float(g.width), float(g.depth)
    return MARGIN <= where.x <= width - MARGIN and MARGIN - 0.5 <= y <= depth / 2.0 - MARGIN


def _set_entry_points(g: Any, coming: list[AwiPost], side: int) -> None:
    """Places on the own edge, side by side, where those to come enter."""
    slots = _count_slots(g)
    for place, post in enumerate(coming):
        offset = (place % slots - (min(len(coming), slots) - 1) / 2.0) * SLOT
        u = g.u[post.i]
        u.x, u.y = rotate_for_side(g, side, g.width / 2.0 + offset, ENTRY)
        u.post_x, u.post_y = rotate_for_side(g, side, g.width / 2.0 + offset, _find_first_line(g))
        u.face = _find_heading(post, side)


def _set_file_entry_point(g: Any, battle: BattleFile, post: AwiPost) -> None:
    """Set the entry of a unit whose entry the file gives, and send it there."""
    unit, u = post.unit, g.u[post.i]
    if unit.x is None or unit.y is None:
        return
    u.x = min(max(unit.x, EDGE_X), float(g.width) - EDGE_X)
    u.y = min(max(unit.y, ENTRY), float(g.depth) - ENTRY)
    u.post_x, u.post_y = u.x, u.y
    u.face = facing_of(battle, unit)


def _work_write(g: Any, first_line: list[int], cover: str) -> None:
    sp = tables.COVER_SP[cover]
    kind = {"soft": FENCE, "hard": FIELDWORK, "fortified": REDOUBT}.get(cover, FENCE)
    if sp == 0 or not first_line:
        return
    left = min(float(g.u[i].x) for i in first_line) - SLOT / 2.0
    right = max(float(g.u[i].x) for i in first_line) + SLOT / 2.0
    y = g.depth - _find_first_line(g) - WORK_AHEAD
    work_add(g, kind, left, y, right, y, structure_add(g, kind, sp, sp))
