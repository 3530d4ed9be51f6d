"""Drawing up: every unit on free ground, its side's lines, garrisons. No numba here.

Units may have a broader front here than in a battle file (REG-DEF-01), so who is told where to stand gets the
free ground nearest to it. Inches are those of these rules.
"""

from typing import Any, NamedTuple

from battles.engine.dtypes import BUILDING, FIELDWORK, REDOUBT, STOCKADE
from battles.errors import BattleFileError
from battles.features import facing_of
from battles.rulesets.regimental.grounds import INCH, cover_write
from battles.rulesets.regimental.records import (
    BARRED,
    GARRISON,
    GUNS,
    HORSE,
    ON_TABLE,
    WAGONS,
    WAITING,
)
from battles.scenario import BattleFile, BattleUnit
from battles.shapes import Rectangle, overlap

#: Inches from the own edge to the first line at most, between lines, from the table's edge, between units.
FIRST_LINE, LINE_GAP, MARGIN, BETWEEN = 10.0, 3.0, 1.5, 0.35
#: Inches kept from an enemy's unit, from a friend's, and from the front of the first line to its work.
FROM_ENEMIES, FROM_FRIENDS, WORK_AHEAD = 1.0, 0.06, 0.3
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


class Post(NamedTuple):
    """A unit to be drawn up: its place in the record and in the file."""

    unit: BattleUnit
    row: int
    listed: int
    side: int


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

    def at(self, i: int, x: float, y: float, face: int) -> Rectangle:
        """The rectangle of unit i at a spot."""
        u = self.g.u[i]
        return Rectangle(x, y, face, float(u.half_width), float(u.half_depth))

    def is_free(self, i: int, where: Rectangle) -> bool:
        """True when unit i may stand there: on the table, on ground open to it, on nobody."""
        g, side = self.g, int(self.g.u[i].side)
        if not all(0.0 <= x <= g.width and 0.0 <= y <= g.depth for x, y in where.corners()):
            return False
        if any(_near(where, house) and overlap(where, house) for house in self.houses):
            return False
        for other, whose in self.taken:
            if not _near(where, other):
                continue
            more = FROM_FRIENDS if whose == side else FROM_ENEMIES
            wide, deep = other.half_width + more, other.half_depth + more
            if overlap(where, other._replace(half_width=wide, half_depth=deep)):
                return False
        return not self._barred(i, where)

    def _barred(self, i: int, where: Rectangle) -> bool:
        g = self.g
        if g.goings_n <= 1:
            return False
        return any(self._going_at(x, y) == BARRED for x, y in where.spots())

    def _going_at(self, x: float, y: float) -> int:
        g = self.g
        across = min(max(int(x * g.cells_per_inch), 0), int(g.columns) - 1)
        up = min(max(int(y * g.cells_per_inch), 0), int(g.rows) - 1)
        return int(g.going[int(g.ground[up, across])].going)

    def put(self, i: int, where: Rectangle) -> None:
        """Set a unit down."""
        u = self.g.u[i]
        u.x, u.y, u.face, u.place = where.x, where.y, int(where.heading) % 360, ON_TABLE
        self.taken.append((where, int(u.side)))


def _near(one: Rectangle, two: Rectangle) -> bool:
    reach = one.half_width + one.half_depth + two.half_width + two.half_depth + FROM_ENEMIES
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 < reach * reach


def draw_up(g: Any, battle: BattleFile, posts: list[Post]) -> None:
    """Set all units down that are there from the start, and say where the others come on.

    Raises BattleFileError when there is no room.
    """
    table = Table(g)
    for post in posts:
        g.u[post.row].place = WAITING
    for post in posts:
        if post.unit.inside and post.unit.arrives == 0:
            _garrison(g, battle, post, table)
    for post in posts:
        if post.unit.x is not None and post.unit.arrives == 0 and not post.unit.inside:
            x, y = float(post.unit.x) * INCH, float(post.unit.y or 0.0) * INCH
            _set_down(post, x, y, facing_of(battle, post.unit), table)
    for side in (0, 1):
        own = [p for p in posts if p.side == side and p.unit.x is None and not p.unit.inside]
        line = _lines(g, [p for p in own if p.unit.arrives == 0], side, table)
        if side == 1 and battle.ground is None and line:
            corners = [corner for p in line for corner in _here(table, p).corners()]
            xs, y = [x for x, _ in corners], min(y for _, y in corners) - WORK_AHEAD
            cover_write(g, min(xs), max(xs), y, battle.cover)
        _entries(g, [p for p in own if p.unit.arrives > 0], side, table)
    for post in posts:
        if post.unit.arrives > 0 and post.unit.x is not None and post.unit.y is not None:
            x, y = post.unit.x * INCH, post.unit.y * INCH
            _set_entry(g, post, x, y, facing_of(battle, post.unit))
    for post in posts:
        u = g.u[post.row]
        u.home = 180 if post.side == 0 else 0
        u.spot_x, u.spot_y, u.from_x, u.from_y = u.x, u.y, u.x, u.y


def _here(table: Table, post: Post) -> Rectangle:
    u = table.g.u[post.row]
    return table.at(post.row, float(u.x), float(u.y), int(u.face))


def _garrison(g: Any, battle: BattleFile, post: Post, table: Table) -> None:
    """Foot in its building while there is room (REG-UNI-04); who finds none is beside it."""
    features = battle.ground.features if battle.ground is not None else ()
    k = next(k for k in range(g.buildings_n) if features[int(g.structures[k].feature)].id == post.unit.inside)
    house, u = g.structures[k], g.u[post.row]
    held = sum(1 for i in range(g.n) if g.u[i].inside == k and g.u[i].place == ON_TABLE)
    if held < int(house.capacity) and u.class_ not in (HORSE, GUNS, WAGONS):
        u.inside, u.form, u.place = k, GARRISON, ON_TABLE
        u.x, u.y, u.face = house.x, house.y, house.face
        u.half_width, u.half_depth = house.half_width, house.half_depth
        u.reach = float(u.half_width * u.half_width + u.half_depth * u.half_depth) ** 0.5
        return
    _set_down(post, float(house.x), float(house.y), 180 * post.side, table)


def _set_down(post: Post, x: float, y: float, face: int, table: Table) -> None:
    """A unit on the free ground nearest to a spot.

    Raises BattleFileError when there is none.
    """
    where = table.at(post.row, x, y, face)
    found = next((spot for step in STEPS if table.is_free(post.row, spot := _moved(where, step))), None)
    if found is None:
        raise BattleFileError(
            "REG-DEF-05",
            f"There is no room to draw up {post.unit.name}; make the table larger or the forces smaller.",
            f"units[{post.listed}]",
        )
    table.put(post.row, found)


def _moved(where: Rectangle, step: tuple[float, float]) -> Rectangle:
    x, y = where.spot(*step)
    return where._replace(x=x, y=y)


def _set_entry(g: Any, post: Post, x: float, y: float, face: int) -> None:
    """Where a unit that comes later is set down, whoever then stands there."""
    u = g.u[post.row]
    wide = max(MARGIN, float(u.half_width))
    deep = max(MARGIN, float(u.half_depth))
    u.x = min(max(x, wide), max(wide, float(g.width) - wide))
    u.y = min(max(y, deep), max(deep, float(g.depth) - deep))
    u.face = face % 360


def _rank(g: Any, post: Post) -> int:
    """Order in which units are drawn up: foot and guns, then horse, then trains."""
    class_ = g.u[post.row].class_
    return 2 if class_ == WAGONS else 1 if class_ == HORSE else 0


def _front(g: Any, post: Post) -> float:
    return 2.0 * float(g.u[post.row].half_width) + BETWEEN


def _lines(g: Any, own: list[Post], side: int, table: Table) -> list[Post]:
    """Draw up a side in lines, its reserve behind; returns the units of the first line."""
    own = sorted(own, key=lambda post: (_rank(g, post), post.unit.formation, post.row))
    kept = [post for post in own if post.unit.reserve]
    most = float(g.width) - 4.0 * MARGIN
    rows = _split(g, [post for post in own if not post.unit.reserve], most)
    rows += _split(g, kept, most)
    first = min(_behind_works(g, side), FIRST_LINE, float(g.depth) / 4.0)
    for line, row in enumerate(rows):
        left = -sum(_front(g, post) for post in row) / 2.0
        for post in row:
            front = _front(g, post)
            x, y = _turned(g, side, float(g.width) / 2.0 + left + front / 2.0, first - line * LINE_GAP)
            face = post.unit.facing if post.unit.facing is not None else 180 * side
            y = min(max(y, MARGIN), float(g.depth) - MARGIN)
            _set_down(post, x, y, face % 360, table)
            left += front
    return rows[0] if rows else []


def _split(g: Any, own: list[Post], most: float) -> list[list[Post]]:
    """Units in lines of at most so many inches; of two lines or more the first is the longest."""
    total = sum(_front(g, post) for post in own)
    limit = max(most * FIRST_SHARE, total * FIRST_SHARE) if total > most * FIRST_SHARE else most
    limit = min(limit, most)
    rows: list[list[Post]] = []
    used = most + 1.0
    for post in own:
        front = _front(g, post)
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
    near = [y - WORK_AHEAD - STEP for y in ends if y < g.depth / 2.0]
    return max(min(near), MARGIN) if near else float(g.depth)


def _turned(g: Any, side: int, x: float, y: float) -> tuple[float, float]:
    return (x, y) if side == 0 else (float(g.width) - x, float(g.depth) - y)


def _entries(g: Any, coming: list[Post], side: int, table: Table) -> None:
    """Where those who come later enter: side by side about the middle of their own edge."""
    total = sum(_front(g, post) for post in coming)
    left = -total / 2.0
    for post in coming:
        front = _front(g, post)
        x, y = _turned(g, side, float(g.width) / 2.0 + left + front / 2.0, MARGIN)
        _set_entry(g, post, x, y, 180 * side)
        left += front
