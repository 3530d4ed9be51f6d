"""Drawing up: every unit's stands side by side on free ground, its side's lines, garrisons. No numba here.

Stands have a broader front here than a battle file's bases (VBW-STD-12), so who is told where to stand gets
the free ground nearest to it. Inches are those of these rules.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from battles.engine import deployment
from battles.engine.deployment import (
    LINE_GAP,
    MARGIN,
    clamp_line_y,
    face_of,
    first_line,
    homes_write,
    iter_abreast,
    lines_of,
    rotate_for_side,
)
from battles.files.schema import BattleFile, BattleUnit
from battles.ground.features import facing_of
from battles.ground.shapes import Rectangle
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

#: Inches between stands of a line, and from the front of the first line to the work before it.
BETWEEN, WORK_AHEAD = 0.05, 0.25
#: Inches from a line to its front: guns, whose bases are deeper, stand further back in it.
LINE_FRONT = 0.75

#: Columns of the terrain tables by class, formed and in skirmish order (`allowance.ground_column` in play).
COLUMNS = {
    INFANTRY: (FAST_FOOT, FAST_FOOT),
    DETACHMENT: (FAST_FOOT, FOOT_SKIRMISHERS),
    GUNS: (ROLLING, ROLLING),
    HORSE: (RIDERS, RIDER_SKIRMISHERS),
    TRANSPORT: (WHEELS, WHEELS),
}


class VolleyBayonetPost(NamedTuple):
    """A unit to be drawn up: its place among those that fight and in the file, its stands' rows."""

    unit: BattleUnit
    file_index: int
    side: int
    rows: tuple[int, ...]


class VolleyBayonetDeploymentTable(deployment.DeploymentTable):
    """The positions taken on the table while a battle is drawn up."""

    no_room, from_friends = "VBW-DEF-21", BETWEEN

    def halves(self, i: int) -> tuple[float, float]:
        """Half the front and depth of stand i's base."""
        u, form = self.g.u[i], int(self.g.u[i].form == SKIRMISH)
        return float(self.g.t.half_width[u.class_, form]), float(self.g.t.half_depth[u.class_, form])

    def base(self, i: int) -> Rectangle:
        """The base of stand i where it stands."""
        u = self.g.u[i]
        return Rectangle(float(u.x), float(u.y), int(u.face), *self.halves(i))

    def front(self, post: VolleyBayonetPost) -> float:
        """Inches a unit takes in a line."""
        return sum(2.0 * self.halves(i)[0] + BETWEEN for i in post.rows)

    def is_barred(self, i: int, going: Any) -> bool:
        """True on ground that a stand may not enter as it is formed."""
        return bool(going.costs[self._column(i)] == 0.0)

    def _column(self, i: int) -> int:
        u = self.g.u[i]
        return COLUMNS[int(u.class_)][int(u.form == SKIRMISH)]

    def put(self, i: int, where: Rectangle) -> None:
        """Set a stand down; ground that disorders has done so already (VBW-TER-02, VBW-TER-15)."""
        super().put(i, where)
        u = self.g.u[i]
        if u.state == GOOD and self.going_at(where.x, where.y).disorders[self._column(i)]:
            u.state = DISORDERED


def draw_up(g: Any, battle: BattleFile, posts: list[VolleyBayonetPost]) -> None:
    """Set all stands down whose unit is there from the start, and say where the others come on.

    Raises BattleFileError when there is no room.
    """
    table = VolleyBayonetDeploymentTable(g)
    for post in posts:
        for i in post.rows:
            g.u[i].place = WAITING
    for post in posts:
        if post.unit.inside and post.unit.arrives == 0:
            _place_garrison(g, battle, post, table)
    for post in posts:
        if post.unit.x is not None and post.unit.arrives == 0 and not post.unit.inside:
            x, y = float(post.unit.x) * INCH, float(post.unit.y or 0.0) * INCH
            _set_down(post, x, y, facing_of(battle, post.unit), table)
    for side in (0, 1):
        own = [p for p in posts if p.side == side and p.unit.x is None and not p.unit.inside]
        line = _deploy_lines(g, [p for p in own if p.unit.arrives == 0], side, table)
        if side == 1 and battle.ground is None and line:
            corners = [corner for i in line for corner in table.base(i).corners()]
            xs, y = [x for x, _ in corners], min(y for _, y in corners) - WORK_AHEAD
            cover_write(g, min(xs), max(xs), y, battle.cover)
        _set_entry_points(g, [p for p in own if p.unit.arrives > 0], side, table)
    for post in posts:
        if post.unit.arrives > 0 and post.unit.x is not None and post.unit.y is not None:
            _set_row(g, table, post, post.unit.x * INCH, post.unit.y * INCH, facing_of(battle, post.unit))
    homes_write(g)


def _place_garrison(
    g: Any, battle: BattleFile, post: VolleyBayonetPost, table: VolleyBayonetDeploymentTable
) -> None:
    """Foot in its block as far as there is room (VBW-TER-39), whose base it then has; the rest beside it."""
    features = battle.ground.features if battle.ground is not None else ()
    k = next(k for k in range(g.buildings_n) if features[int(g.structures[k].feature)].id == post.unit.inside)
    house = g.structures[k]
    room = int(house.capacity)
    held = sum(_room_of(g, j) for j in range(g.n) if g.u[j].inside == k and g.u[j].place == ON_TABLE)
    rest = []
    for i in post.rows:
        u = g.u[i]
        if held + _room_of(g, i) > room:
            rest.append(i)
            continue
        held += _room_of(g, i)
        u.inside, u.place, u.x, u.y, u.face = k, ON_TABLE, house.x, house.y, house.face
    _set_down(post._replace(rows=tuple(rest)), float(house.x), float(house.y), 180 * post.side, table)


def _room_of(g: Any, i: int) -> int:
    return int(g.t.room) if g.u[i].class_ == INFANTRY else 1


def _set_down(
    post: VolleyBayonetPost, x: float, y: float, face: int, table: VolleyBayonetDeploymentTable
) -> None:
    """Stands of a unit in a row about a spot, each on the nearest free ground."""
    for i, where in _iter_row_bases(table, post.rows, x, y, face):
        table.set_down(post, i, where)


def _iter_row_bases(
    table: VolleyBayonetDeploymentTable, rows: tuple[int, ...], x: float, y: float, face: int
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


def _set_row(
    g: Any, table: VolleyBayonetDeploymentTable, post: VolleyBayonetPost, x: float, y: float, face: int
) -> None:
    """Place a unit that comes later where it enters, whoever stands there then."""
    for i, where in _iter_row_bases(table, post.rows, x, y, face):
        u = g.u[i]
        u.x = min(max(where.x, MARGIN), float(g.width) - MARGIN)
        u.y = min(max(where.y, MARGIN), float(g.depth) - MARGIN)
        u.face = face


def _find_deployment_rank(g: Any, post: VolleyBayonetPost) -> int:
    """Order in which units are drawn up: foot and guns, then horse, then transport."""
    class_ = g.u[post.rows[0]].class_
    return 2 if class_ == TRANSPORT else 1 if class_ == HORSE else 0


def _deploy_lines(
    g: Any, own: list[VolleyBayonetPost], side: int, table: VolleyBayonetDeploymentTable
) -> list[int]:
    """Draw up a side in lines, its reserve behind; returns the stands of the first line."""
    own = sorted(own, key=lambda post: (_find_deployment_rank(g, post), post.unit.formation, post.rows[0]))
    rows = lines_of(g, own, table.front)
    first = first_line(g, side, WORK_AHEAD, LINE_FRONT)
    for line, row in enumerate(rows):
        for post, along in iter_abreast(g, row, table.front):
            ahead = first - line * LINE_GAP + LINE_FRONT - table.halves(post.rows[0])[1]
            x, y = rotate_for_side(g, side, along, ahead)
            _set_down(post, x, clamp_line_y(g, y), face_of(post, side), table)
    return [i for post in rows[0] for i in post.rows] if rows else []


def _set_entry_points(
    g: Any, coming: list[VolleyBayonetPost], side: int, table: VolleyBayonetDeploymentTable
) -> None:
    """Set entry points for units that come later: side by side about the middle of their own edge."""
    for post, along in iter_abreast(g, coming, table.front):
        _set_row(g, table, post, *rotate_for_side(g, side, along, MARGIN), 180 * side)
