"""Drawing up under rules whose bases differ from a battle file's. No numba here.

A unit may have a broader front on such a table than in the file, so who is told where to stand gets the free
ground nearest to it, and the others stand in lines. Inches are those of the rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from battles.engine.dtypes import BUILDING, ON_TABLE
from battles.engine.posting import WORKS
from battles.errors import BattleFileError
from battles.files.schema import BattleUnit
from battles.ground.shapes import Rectangle, has_overlap

#: Inches from the own edge to the first line at most, between lines, and from the table's edge.
FIRST_LINE, LINE_GAP, MARGIN = 10.0, 3.0, 1.5
#: Inches kept from an enemy's unit.
FROM_ENEMIES = 1.0
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


class DeploymentPost(Protocol):
    """A unit to deploy, with its place in the file."""

    @property
    def unit(self) -> BattleUnit: ...
    @property
    def file_index(self) -> int: ...


P = TypeVar("P", bound=DeploymentPost)


class DeploymentTable(ABC):
    """The places already taken while a battle is deployed.

    `no_room` is the rule under which a battle is refused, `from_friends` the inches kept from friends.
    """

    no_room: str
    from_friends: float

    def __init__(self, g: Any) -> None:
        self.g = g
        self.taken: list[tuple[Rectangle, int]] = []
        rows = [g.structures[k] for k in range(g.structures_n)]
        self.houses = [
            Rectangle(float(s.x), float(s.y), int(s.face), float(s.half_width), float(s.half_depth))
            for s in rows
            if s.kind_ == BUILDING
        ]

    @abstractmethod
    def is_barred(self, i: int, going: Any) -> bool:
        """True when ground of that row of `going` bars piece i of the record."""

    def is_free(self, i: int, where: Rectangle) -> bool:
        """True when piece i may stand there: on the table, on ground open to it, on nobody."""
        g, side = self.g, int(self.g.u[i].side)
        if not all(0.0 <= x <= g.width and 0.0 <= y <= g.depth for x, y in where.corners()):
            return False
        if any(_may_touch(where, house) and has_overlap(where, house) for house in self.houses):
            return False
        for other, whose in self.taken:
            if not _may_touch(where, other):
                continue
            more = self.from_friends if whose == side else FROM_ENEMIES
            wide, deep = other.half_width + more, other.half_depth + more
            if has_overlap(where, other._replace(half_width=wide, half_depth=deep)):
                return False
        return g.goings_n <= 1 or not any(self.is_barred(i, self.going_at(x, y)) for x, y in where.spots())

    def going_at(self, x: float, y: float) -> Any:
        """The row of `going` for the ground at a spot."""
        g = self.g
        across = min(max(int(x * g.cells_per_inch), 0), int(g.columns) - 1)
        up = min(max(int(y * g.cells_per_inch), 0), int(g.rows) - 1)
        return g.going[int(g.ground[up, across])]

    def put(self, i: int, where: Rectangle) -> None:
        """Place a piece at a rectangle."""
        u = self.g.u[i]
        u.x, u.y, u.face, u.place = where.x, where.y, int(where.heading) % 360, ON_TABLE
        self.taken.append((where, int(u.side)))

    def set_down(self, post: DeploymentPost, i: int, where: Rectangle) -> None:
        """Set a piece of a unit down on the free ground nearest to a place.

        Raises BattleFileError when there is none.
        """
        found = next((spot for step in STEPS if self.is_free(i, spot := _shift_rectangle(where, step))), None)
        if found is None:
            raise BattleFileError(
                self.no_room,
                f"There is no room to draw up {post.unit.name}; make the table larger or the forces smaller.",
                f"units[{post.file_index}]",
            )
        self.put(i, found)


def _may_touch(one: Rectangle, two: Rectangle) -> bool:
    reach = one.half_width + one.half_depth + two.half_width + two.half_depth + FROM_ENEMIES
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 < reach * reach


def _shift_rectangle(where: Rectangle, step: tuple[float, float]) -> Rectangle:
    x, y = where.spot(*step)
    return where._replace(x=x, y=y)


def lines_of(g: Any, own: Sequence[P], front: Callable[[P], float]) -> list[list[P]]:
    """A side's units in the lines it is drawn up in, its reserve behind; `front` tells inches of each."""
    most = float(g.width) - 4.0 * MARGIN
    ahead = [post for post in own if not post.unit.reserve]
    kept = [post for post in own if post.unit.reserve]
    return _split_into_lines(ahead, most, front) + _split_into_lines(kept, most, front)


def _split_into_lines(own: Sequence[P], most: float, front: Callable[[P], float]) -> list[list[P]]:
    """Units in lines of at most so many inches; of two lines or more the first is the longest."""
    total = sum(front(post) for post in own)
    limit = max(most * FIRST_SHARE, total * FIRST_SHARE) if total > most * FIRST_SHARE else most
    limit = min(limit, most)
    rows: list[list[P]] = []
    used = most + 1.0
    for post in own:
        inches = front(post)
        if used + inches > (limit if len(rows) == 1 else most):
            rows.append([])
            used = 0.0
        rows[-1].append(post)
        used += inches
    return rows


def iter_abreast(g: Any, row: Sequence[P], front: Callable[[P], float]) -> Iterator[tuple[P, float]]:
    """Units side by side about the middle of the table, each with its x as the attacker sees it."""
    left = -sum(front(post) for post in row) / 2.0
    for post in row:
        inches = front(post)
        yield post, float(g.width) / 2.0 + left + inches / 2.0
        left += inches


def first_line(g: Any, side: int, ahead: float, front: float) -> float:
    """Inches from the own edge to a side's first line, behind the works of its half if there are any.

    Such a line keeps `ahead` inches to the work from its front, which is `front` inches before it.
    """
    ends = from_edge_to_works(g, side)
    near = [y - ahead - front for y in ends if y < g.depth / 2.0]
    behind = max(min(near), MARGIN) if near else float(g.depth)
    return min(behind, FIRST_LINE, float(g.depth) / 4.0)


def from_edge_to_works(g: Any, side: int) -> list[float]:
    """Inches from a side's own edge to both ends of all works."""
    return [
        float(y if side == 0 else g.depth - y)
        for w in g.works[: g.works_n]
        if w.kind_ in WORKS
        for y in (w.low_y, w.high_y)
    ]


def rotate_for_side(g: Any, side: int, x: float, y: float) -> tuple[float, float]:
    """A spot given from the attacker's view, rotated for the defender."""
    return (float(x), float(y)) if side == 0 else (float(g.width - x), float(g.depth - y))


def clamp_line_y(g: Any, y: float) -> float:
    """A line's inches along y, kept from the near and the far edge."""
    return min(max(y, MARGIN), float(g.depth) - MARGIN)


def face_of(post: DeploymentPost, side: int) -> int:
    """The heading a unit drawn up in line has: as it is told, else towards the enemy's edge."""
    return 180 * side if post.unit.facing is None else post.unit.facing % 360


def homes_write(g: Any) -> None:
    """Write where the home of every piece lies, and that its spot and last stand are where it is."""
    for i in range(g.n):
        u = g.u[i]
        u.home = 180 if u.side == 0 else 0
        u.spot_x, u.spot_y, u.from_x, u.from_y = u.x, u.y, u.x, u.y


def sides_write(g: Any) -> None:
    """Write from where to where each side's pieces are in the record: looks for enemies pass over friends."""
    for side in range(2):
        own = [i for i in range(g.n) if g.u[i].side == side]
        g.first[side], g.past[side] = (own[0], own[-1] + 1) if own else (0, 0)
