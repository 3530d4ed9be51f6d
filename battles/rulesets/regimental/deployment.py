"""Drawing up: every unit on free ground, its side's lines, garrisons. No numba here.

Units may have a broader front here than in a battle file (REG-DEF-01), so who is told where to stand gets the
free ground nearest to it. Inches are those of these rules.
"""

from typing import Any, NamedTuple

from battles.engine import deployment
from battles.engine.deployment import (
    LINE_GAP,
    MARGIN,
    STEP,
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
from battles.rulesets.regimental.grounds import INCH, cover_write
from battles.rulesets.regimental.records import BARRED, GARRISON, GUNS, HORSE, ON_TABLE, WAGONS, WAITING

#: Inches between units of a line, and from the front of the first line to the work before it.
BETWEEN, WORK_AHEAD = 0.35, 0.3


class RegimentalPost(NamedTuple):
    """A unit to be drawn up: its place in the record and in the file."""

    unit: BattleUnit
    row: int
    file_index: int
    side: int


class RegimentalDeploymentTable(deployment.DeploymentTable):
    """The places already taken while a battle is deployed."""

    no_room, from_friends = "REG-DEF-05", 0.06

    def at(self, i: int, x: float, y: float, face: int) -> Rectangle:
        """The rectangle of unit i at a spot."""
        u = self.g.u[i]
        return Rectangle(x, y, face, float(u.half_width), float(u.half_depth))

    def front(self, post: RegimentalPost) -> float:
        """Inches a unit takes in a line."""
        return 2.0 * float(self.g.u[post.row].half_width) + BETWEEN

    def is_barred(self, i: int, going: Any) -> bool:
        """True on ground that is closed to everybody (REG-TER-01)."""
        return int(going.going) == BARRED


def draw_up(g: Any, battle: BattleFile, posts: list[RegimentalPost]) -> None:
    """Set all units down that are there from the start, and say where the others come on.

    Raises BattleFileError when there is no room.
    """
    table = RegimentalDeploymentTable(g)
    for post in posts:
        g.u[post.row].place = WAITING
    for post in posts:
        if post.unit.inside and post.unit.arrives == 0:
            _place_garrison(g, battle, post, table)
    for post in posts:
        if post.unit.x is not None and post.unit.arrives == 0 and not post.unit.inside:
            x, y = float(post.unit.x) * INCH, float(post.unit.y or 0.0) * INCH
            _set_down(post, x, y, facing_of(battle, post.unit), table)
    for side in (0, 1):
        own = [p for p in posts if p.side == side and p.unit.x is None and not p.unit.inside]
        line = _deploy_line_posts(g, [p for p in own if p.unit.arrives == 0], side, table)
        if side == 1 and battle.ground is None and line:
            corners = [corner for p in line for corner in _find_footprint(table, p).corners()]
            xs, y = [x for x, _ in corners], min(y for _, y in corners) - WORK_AHEAD
            cover_write(g, min(xs), max(xs), y, battle.cover)
        _set_entry_points(g, [p for p in own if p.unit.arrives > 0], side, table)
    for post in posts:
        if post.unit.arrives > 0 and post.unit.x is not None and post.unit.y is not None:
            x, y = post.unit.x * INCH, post.unit.y * INCH
            _set_entry(g, post, x, y, facing_of(battle, post.unit))
    homes_write(g)


def _find_footprint(table: RegimentalDeploymentTable, post: RegimentalPost) -> Rectangle:
    u = table.g.u[post.row]
    return table.at(post.row, float(u.x), float(u.y), int(u.face))


def _place_garrison(
    g: Any, battle: BattleFile, post: RegimentalPost, table: RegimentalDeploymentTable
) -> None:
    """Place foot in its building while there is room (REG-UNI-04), else beside it."""
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


def _set_down(post: RegimentalPost, x: float, y: float, face: int, table: RegimentalDeploymentTable) -> None:
    """A unit on the free ground nearest to a spot."""
    table.set_down(post, post.row, table.at(post.row, x, y, face))


def _set_entry(g: Any, post: RegimentalPost, x: float, y: float, face: int) -> None:
    """Set the place where a unit that comes later enters, whoever stands there then."""
    u = g.u[post.row]
    wide = max(MARGIN, float(u.half_width))
    deep = max(MARGIN, float(u.half_depth))
    u.x = min(max(x, wide), max(wide, float(g.width) - wide))
    u.y = min(max(y, deep), max(deep, float(g.depth) - deep))
    u.face = face % 360


def _find_deployment_rank(g: Any, post: RegimentalPost) -> int:
    """Order in which units are drawn up: foot and guns, then horse, then trains."""
    class_ = g.u[post.row].class_
    return 2 if class_ == WAGONS else 1 if class_ == HORSE else 0


def _deploy_line_posts(
    g: Any, own: list[RegimentalPost], side: int, table: RegimentalDeploymentTable
) -> list[RegimentalPost]:
    """Draw up a side in lines, its reserve behind; returns the units of the first line."""
    own = sorted(own, key=lambda post: (_find_deployment_rank(g, post), post.unit.formation, post.row))
    rows = lines_of(g, own, table.front)
    first = first_line(g, side, WORK_AHEAD, STEP)
    for line, row in enumerate(rows):
        for post, along in iter_abreast(g, row, table.front):
            x, y = rotate_for_side(g, side, along, first - line * LINE_GAP)
            _set_down(post, x, clamp_line_y(g, y), face_of(post, side), table)
    return rows[0] if rows else []


def _set_entry_points(
    g: Any, coming: list[RegimentalPost], side: int, table: RegimentalDeploymentTable
) -> None:
    """Set the entries of units that come later, side by side about the middle of their own edge."""
    for post, along in iter_abreast(g, coming, table.front):
        _set_entry(g, post, *rotate_for_side(g, side, along, MARGIN), 180 * side)
