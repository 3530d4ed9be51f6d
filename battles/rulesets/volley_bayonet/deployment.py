"""Drawing up: every unit's stands side by side on free ground, its side's lines, garrisons. No numba here.

Stands have a broader front here than a battle file's bases (VBW-STD-12), so who is told where to stand gets
the free ground nearest to it. Inches are those of these rules.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from battles.engine.dtypes import BUILDING, FIELDWORK, REDOUBT, STOCKADE
from battles.errors import BattleFileError
from battles.features import facing_of
from battles.rulesets.volley_bayonet.grounds import INCH, cover_write
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    DISORDERED,
    FAST_FOOT,
    FOOT_SKIRMISHERS,
    GOOD,
    GUNS,
    HORSE,
    INFANTRY,
    ON_TABLE,
    RIDER_SKIRMISHERS,
    RIDERS,
    ROLLING,
    SKIRMISH,
    TRANSPORT,
    WAITING,
    WHEELS,
)
from battles.rulesets.volley_bayonet.tables import BLOCKS, ROOM_OF_STAND
from battles.scenario import BattleFile, BattleUnit
from battles.shapes import Rectangle, overlap

#: Inches from the own edge to the first line at most, between lines, from the table's edge, between stands.
FIRST_LINE, LINE_GAP, MARGIN, BETWEEN = 10.0, 3.0, 1.5, 0.05
#: Inches kept from an enemy's stand, and from the front of the first line to the work before it.
FROM_ENEMIES, WORK_AHEAD = 1.0, 0.25
#: Inches from a line to its front: guns, whose bases are deeper, stand further back in it.
LINE_FRONT = 0.75
#: Inches between the spots looked at for a free place, and how many of them to the right and ahead.
STEP, STEPS_RIGHT, STEPS_AHEAD = 0.75, 60, 40
STEPS = sorted(
    (
        (STEP * right, STEP * ahead)
        for right in range(-STEPS_RIGHT, STEPS_RIGHT + 1)
        for ahead in range(-STEPS_AHEAD, STEPS_AHEAD + 1)
    ),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)
#: Share of a side's front that its first line takes when it needs more than one.
FIRST_SHARE = 0.65


#: Columns of the terrain tables by class, formed and in skirmish order (`allowance.ground_column` in play).
COLUMNS = {
    INFANTRY: (FAST_FOOT, FAST_FOOT),
    DETACHMENT: (FAST_FOOT, FOOT_SKIRMISHERS),
    GUNS: (ROLLING, ROLLING),
    HORSE: (RIDERS, RIDER_SKIRMISHERS),
    TRANSPORT: (WHEELS, WHEELS),
}


class Post(NamedTuple):
    """A unit to be drawn up: its place among those that fight and in the file, its stands' rows."""

    unit: BattleUnit
    listed: int
    side: int
    rows: tuple[int, ...]


class Table:
    """What stands where while a battle is drawn up."""

    def __init__(self, g: Any) -> None:
        self.g = g
        self.taken: list[tuple[Rectangle, int]] = []
        rows = [g.structures[k] for k in range(g.structures_n)]
        self.houses = [
            Rectangle(float(s.x), float(s.y), int(s.face), float(s.half_width), float(s.half_depth))
            for s in rows
            if s.kind_ == BUILDING
        ]

    def halves(self, i: int) -> tuple[float, float]:
        """Half the front and depth of stand i's base."""
        u, form = self.g.u[i], int(self.g.u[i].form == SKIRMISH)
        return float(self.g.t.half_width[u.class_, form]), float(self.g.t.half_depth[u.class_, form])

    def base(self, i: int) -> Rectangle:
        """The base of stand i where it stands."""
        u = self.g.u[i]
        return Rectangle(float(u.x), float(u.y), int(u.face), *self.halves(i))

    def is_free(self, i: int, where: Rectangle) -> bool:
        """True when stand i may stand there: on the table, on ground open to it, on nobody."""
        g, side = self.g, int(self.g.u[i].side)
        if not all(0.0 <= x <= g.width and 0.0 <= y <= g.depth for x, y in where.corners()):
            return False
        if any(_near(where, house) and overlap(where, house) for house in self.houses):
            return False
        for other, whose in self.taken:
            if not _near(where, other):
                continue
            more = BETWEEN if whose == side else FROM_ENEMIES
            wide, deep = other.half_width + more, other.half_depth + more
            if overlap(where, other._replace(half_width=wide, half_depth=deep)):
                return False
        return not self._barred(i, where)

    def _barred(self, i: int, where: Rectangle) -> bool:
        g = self.g
        if g.goings_n <= 1:
            return False
        return any(self._going_at(x, y).costs[self._column(i)] == 0.0 for x, y in where.spots())

    def _column(self, i: int) -> int:
        u = self.g.u[i]
        return COLUMNS[int(u.class_)][int(u.form == SKIRMISH)]

    def _going_at(self, x: float, y: float) -> Any:
        g = self.g
        across = min(max(int(x * g.cells_per_inch), 0), int(g.columns) - 1)
        up = min(max(int(y * g.cells_per_inch), 0), int(g.rows) - 1)
        return g.going[int(g.ground[up, across])]

    def put(self, i: int, where: Rectangle) -> None:
        """Set a stand down; ground that disorders has done so already (VBW-TER-02, VBW-TER-15)."""
        u = self.g.u[i]
        u.x, u.y, u.face, u.place = where.x, where.y, int(where.heading), ON_TABLE
        if u.state == GOOD and self._going_at(where.x, where.y).disorders[self._column(i)]:
            u.state = DISORDERED
        self.taken.append((where, int(u.side)))


def _near(one: Rectangle, two: Rectangle) -> bool:
    reach = one.half_width + one.half_depth + two.half_width + two.half_depth + FROM_ENEMIES
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 < reach * reach


def draw_up(g: Any, battle: BattleFile, posts: list[Post]) -> None:
    """Set all stands down whose unit is there from the start, and say where the others come on.

    Raises BattleFileError when there is no room.
    """
    table = Table(g)
    for post in posts:
        for i in post.rows:
            g.u[i].place = WAITING
    for post in posts:
        if post.unit.inside and post.unit.arrives == 0:
            _garrison(g, battle, post, table)
    for post in posts:
        if post.unit.x is not None and post.unit.arrives == 0 and not post.unit.inside:
            _place_as_told(g, battle, post, table)
    for side in (0, 1):
        own = [p for p in posts if p.side == side and p.unit.x is None and not p.unit.inside]
        line = _lines(g, [p for p in own if p.unit.arrives == 0], side, table)
        if side == 1 and battle.ground is None and line:
            corners = [corner for i in line for corner in table.base(i).corners()]
            xs, y = [x for x, _ in corners], min(y for _, y in corners) - WORK_AHEAD
            cover_write(g, min(xs), max(xs), y, battle.cover)
        _entries(g, [p for p in own if p.unit.arrives > 0], side)
    for post in posts:
        if post.unit.arrives > 0 and post.unit.x is not None and post.unit.y is not None:
            _set_row(g, table, post, post.unit.x * INCH, post.unit.y * INCH, facing_of(battle, post.unit))
    for i in range(g.n):
        u = g.u[i]
        u.home = 180 if u.side == 0 else 0
        u.spot_x, u.spot_y = u.x, u.y
        u.from_x, u.from_y = u.x, u.y


def _garrison(g: Any, battle: BattleFile, post: Post, table: Table) -> None:
    """Foot in its block as far as there is room (VBW-TER-39), whose base it then has; the rest beside it."""
    features = battle.ground.features if battle.ground is not None else ()
    k = next(k for k in range(g.buildings_n) if features[int(g.structures[k].feature)].id == post.unit.inside)
    house = g.structures[k]
    room = BLOCKS[features[int(house.feature)].size]
    held = sum(_room_of(g, j) for j in range(g.n) if g.u[j].inside == k and g.u[j].place == ON_TABLE)
    rest = []
    for i in post.rows:
        u = g.u[i]
        if held + _room_of(g, i) > room:
            rest.append(i)
            continue
        held += _room_of(g, i)
        u.inside, u.place, u.x, u.y, u.face = k, ON_TABLE, house.x, house.y, house.face
    _set_down(g, post._replace(rows=tuple(rest)), float(house.x), float(house.y), 180 * post.side, table)


def _room_of(g: Any, i: int) -> int:
    return ROOM_OF_STAND if g.u[i].class_ == INFANTRY else 1


def _place_as_told(g: Any, battle: BattleFile, post: Post, table: Table) -> None:
    x, y = float(post.unit.x or 0.0) * INCH, float(post.unit.y or 0.0) * INCH
    _set_down(g, post, x, y, facing_of(battle, post.unit), table)


def _set_down(g: Any, post: Post, x: float, y: float, face: int, table: Table) -> None:
    """Stands of a unit in a row about a spot, each on the nearest free ground.

    Raises BattleFileError when there is none.
    """
    for i, where in _row(table, post.rows, x, y, face):
        found = next((spot for step in STEPS if table.is_free(i, spot := _moved(where, step))), None)
        if found is None:
            raise BattleFileError(
                "VBW-DEF-21",
                f"There is no room to draw up {post.unit.name}; make the table larger or the forces smaller.",
                f"units[{post.listed}]",
            )
        table.put(i, found)


def _moved(where: Rectangle, step: tuple[float, float]) -> Rectangle:
    x, y = where.spot(*step)
    return where._replace(x=x, y=y)


def _row(
    table: Table, rows: tuple[int, ...], x: float, y: float, face: int
) -> Iterator[tuple[int, Rectangle]]:
    """Stands side by side, the first to the right, about a spot.

    What is left between them is a touch still (VBW-CMD-08), and no overlap by a rounding (VBW-DEF-21).
    """
    halves = [table.halves(i) for i in rows]
    right = sum(wide for wide, _ in halves) + BETWEEN * (len(rows) - 1) / 2.0
    middle = Rectangle(x, y, face, 0.0, 0.0)
    for i, (wide, deep) in zip(rows, halves, strict=True):
        spot = middle.spot(right - wide, 0.0)
        right -= 2.0 * wide + BETWEEN
        yield i, Rectangle(*spot, face, wide, deep)


def _set_row(g: Any, table: Table, post: Post, x: float, y: float, face: int) -> None:
    """Where a unit that comes later is set down, whoever then stands there."""
    for i, where in _row(table, post.rows, x, y, face):
        u = g.u[i]
        u.x = min(max(where.x, MARGIN), float(g.width) - MARGIN)
        u.y = min(max(where.y, MARGIN), float(g.depth) - MARGIN)
        u.face = face


def _rank(g: Any, post: Post) -> int:
    """Order in which units are drawn up: foot and guns, then horse, then transport."""
    class_ = g.u[post.rows[0]].class_
    return 2 if class_ == TRANSPORT else 1 if class_ == HORSE else 0


def _front(table: Table, post: Post) -> float:
    return sum(2.0 * table.halves(i)[0] + BETWEEN for i in post.rows)


def _lines(g: Any, own: list[Post], side: int, table: Table) -> list[int]:
    """Draw up a side in lines, its reserve behind; returns the stands of the first line."""
    own = sorted(own, key=lambda post: (_rank(g, post), post.unit.formation, post.rows[0]))
    kept = [post for post in own if post.unit.reserve]
    most = float(g.width) - 4.0 * MARGIN
    rows = _split([post for post in own if not post.unit.reserve], most, table)
    rows += _split(kept, most, table)
    first = min(_behind_works(g, side), FIRST_LINE, float(g.depth) / 4.0)
    for line, row in enumerate(rows):
        left = -sum(_front(table, post) for post in row) / 2.0
        for post in row:
            front = _front(table, post)
            ahead = first - line * LINE_GAP + LINE_FRONT - table.halves(post.rows[0])[1]
            x, y = _turned(g, side, float(g.width) / 2.0 + left + front / 2.0, ahead)
            face = post.unit.facing if post.unit.facing is not None else 180 * side
            y = min(max(y, MARGIN), float(g.depth) - MARGIN)
            _set_down(g, post, x, y, face % 360, table)
            left += front
    return [i for post in rows[0] for i in post.rows] if rows else []


def _split(own: list[Post], most: float, table: Table) -> list[list[Post]]:
    """Units in lines of at most so many inches; of two lines or more the first is the longest."""
    total = sum(_front(table, post) for post in own)
    limit = max(most * FIRST_SHARE, total * FIRST_SHARE) if total > most * FIRST_SHARE else most
    limit = min(limit, most)
    rows: list[list[Post]] = []
    used = most + 1.0
    for post in own:
        front = _front(table, post)
        if used + front > (limit if len(rows) == 1 else most):
            rows.append([])
            used = 0.0
        rows[-1].append(post)
        used += front
    return rows


def _behind_works(g: Any, side: int) -> float:
    """Inches from the own edge to the foremost line behind the works of a side's half."""
    ends = [
        float(y if side == 0 else g.depth - y)
        for w in g.works[: g.works_n]
        if w.kind_ in (FIELDWORK, STOCKADE, REDOUBT)
        for y in (w.low_y, w.high_y)
    ]
    near = [y - WORK_AHEAD - LINE_FRONT for y in ends if y < g.depth / 2.0]
    return max(min(near), MARGIN) if near else float(g.depth)


def _turned(g: Any, side: int, x: float, y: float) -> tuple[float, float]:
    return (x, y) if side == 0 else (float(g.width) - x, float(g.depth) - y)


def _entries(g: Any, coming: list[Post], side: int) -> None:
    """Where those who come later enter: side by side about the middle of their own edge."""
    table = Table(g)
    total = sum(_front(table, post) for post in coming)
    left = -total / 2.0
    for post in coming:
        front = _front(table, post)
        x, y = _turned(g, side, float(g.width) / 2.0 + left + front / 2.0, MARGIN)
        _set_row(g, table, post, x, y, 180 * side)
        left += front
