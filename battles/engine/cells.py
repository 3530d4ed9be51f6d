"""The ground of a table cell by cell: combinations of ground, and where each lies. No numba here.

What a cell's centre lies on it is, save that roads, bridges and fords have every cell they touch, so
that a column finds its way.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.engine.dtypes import BY_BRIDGE
from battles.engine.survey import GroundSpot, Survey
from battles.files.schema import BattleGround, Feature, Point
from battles.ground.features import RIVER_WIDTH, ROAD_WIDTH, find_building_base
from battles.ground.shapes import ON_EDGE, Rectangle, list_edges

Cells = NDArray[np.int64]
Marks = NDArray[np.bool_]

GRADES = {"level": 0, "gentle": 1, "steep": 2, "impassable": 3}
#: Numbers of rough areas of a spot, the worse the higher; another ruleset may tell them further apart.
ROUGH = {"rough": 1, "crops": 1, "swamp": 2, "marsh": 2}
WOODS = {"open_woods": 1, "dense_woods": 2}
#: Half a cell's diagonal in cells: what lies nearer than this to its centre touches it.
TOUCH = 0.7072
#: Greatest number of each part of a spot, and one more, by which a combination is packed in a number.
PARTS = GroundSpot(height=64, grade=4, rough=5, wood=3, road=5, water=4, rubble=2)


class Grid:
    """Centres of a table's cells, and what of them a shape covers."""

    def __init__(self, rows: int, columns: int, cell: float) -> None:
        self.cell = cell
        self.xs = ((np.arange(columns) + 0.5) * cell)[None, :]
        self.ys = ((np.arange(rows) + 0.5) * cell)[:, None]
        self.shape = (rows, columns)

    def make_marks(self) -> Marks:
        return np.zeros(self.shape, dtype=np.bool_)

    def _window(self, points: Any, margin: float) -> tuple[slice, slice]:
        """Rows and columns of the cells within so many inches of the points' frame."""
        spans = []
        for axis in (1, 0):
            values = [p[axis] for p in points]
            low = int((min(values) - margin) // self.cell)
            high = int((max(values) + margin) // self.cell) + 1
            spans.append(slice(max(0, low), max(0, high)))
        return spans[0], spans[1]

    def mark_near(self, course: Any, inches: float) -> Marks:
        """Cells whose centre lies within so many inches of a course."""
        marks = self.make_marks()
        for p, q in pairwise(course):
            rows, columns = self._window((p, q), inches)
            marks[rows, columns] |= self._gap2(p, q, rows, columns) <= (inches + ON_EDGE) ** 2
        return marks

    def _gap2(self, p: Point, q: Point, rows: slice, columns: slice) -> Any:
        xs, ys = self.xs[:, columns], self.ys[rows]
        dx, dy = q[0] - p[0], q[1] - p[1]
        length2 = dx * dx + dy * dy
        share: Any = 0.0
        if length2:
            share = np.clip(((xs - p[0]) * dx + (ys - p[1]) * dy) / length2, 0.0, 1.0)
        return (xs - p[0] - share * dx) ** 2 + (ys - p[1] - share * dy) ** 2

    def mark_polygon(self, corners: Any) -> Marks:
        """Cells whose centre lies in a polygon or on its edge."""
        marks = self.make_marks()
        rows, columns = self._window(corners, ON_EDGE)
        part = marks[rows, columns]
        on_edge = np.zeros_like(part)
        xs, ys = self.xs[:, columns], self.ys[rows]
        for p, q in list_edges(corners):
            on_edge |= self._gap2(p, q, rows, columns) <= ON_EDGE**2
            if p[1] != q[1]:
                part ^= ((p[1] > ys) != (q[1] > ys)) & (
                    xs < p[0] + (q[0] - p[0]) * (ys - p[1]) / (q[1] - p[1])
                )
        part |= on_edge
        return marks

    def mark_rectangle(self, rectangle: Rectangle, margin: float = 0.0) -> Marks:
        """Cells whose centre lies in a rectangle made larger by a margin on all sides."""
        s, c = rectangle.axes()
        dx, dy = self.xs - rectangle.x, self.ys - rectangle.y
        across = np.abs(dx * c - dy * s) <= rectangle.half_width + margin + ON_EDGE
        return np.asarray(across & (np.abs(dx * s + dy * c) <= rectangle.half_depth + margin + ON_EDGE))


class Lie(NamedTuple):
    """The lie of a table: each cell's place among `spots`, the combinations there are, open ground first.

    `built` are the places of those on which some building stands.
    """

    cells: Cells
    spots: list[GroundSpot]
    built: set[int]


def lie_of(
    ground: BattleGround, found: Survey, shape: tuple[int, int], cell: float, rough: Mapping[str, int] = ROUGH
) -> Lie:
    """The lie of a table of so many rows and columns; a cell's side is in inches, `rough` numbers rough
    areas.
    """
    grid = Grid(*shape, cell)
    packed = _pack_layers(_build_layers(grid, ground, found, rough))
    built = grid.make_marks()
    for feature in ground.features:
        if feature.kind == "building":
            built |= grid.mark_rectangle(find_building_base(feature))
    numbers = np.union1d(packed, [0])
    cells = np.searchsorted(numbers, packed)
    return Lie(
        cells, [_unpack_spot(int(number)) for number in numbers], set(np.unique(cells[built]).tolist())
    )


def _build_layers(
    grid: Grid, ground: BattleGround, found: Survey, rough: Mapping[str, int]
) -> dict[str, Cells]:
    """The parts of `GroundSpot` cell by cell."""
    layers = {name: np.zeros(grid.shape, dtype=np.int64) for name in GroundSpot._fields}
    touch = TOUCH * grid.cell
    for feature in ground.features:
        _layer_write(layers, grid, feature, touch, rough)
    water = layers["water"]
    for gate in found.gates:
        water[grid.mark_rectangle(gate.ground, touch) & (water > 0)] = 2 if gate.kind == BY_BRIDGE else 3
    return layers


def _layer_write(
    layers: dict[str, Cells], grid: Grid, feature: Feature, touch: float, rough: Mapping[str, int]
) -> None:
    kind, points = feature.kind, feature.points
    if kind in rough:
        layers["rough"][:] = np.maximum(layers["rough"], grid.mark_polygon(points) * rough[kind])
    elif kind in WOODS:
        layers["wood"][:] = np.maximum(layers["wood"], grid.mark_polygon(points) * WOODS[kind])
    elif kind == "hill":
        marks = grid.mark_polygon(points)
        layers["height"][marks], layers["grade"][marks] = feature.height, GRADES[feature.grade]
    elif kind == "water":
        layers["water"][grid.mark_polygon(points)] = 1
    elif kind == "river":
        layers["water"][grid.mark_near(points, RIVER_WIDTH / 2.0)] = 1
    elif kind == "road":
        layers["road"][grid.mark_near(points, ROAD_WIDTH / 2.0 + touch)] = 1 + GRADES[feature.road_grade]


def _pack_layers(layers: dict[str, Cells]) -> Cells:
    total = np.zeros_like(layers["height"])
    for name, most in PARTS._asdict().items():
        total = total * most + layers[name]
    return total


def _unpack_spot(number: int) -> GroundSpot:
    values = []
    for most in reversed(PARTS):
        number, value = divmod(number, most)
        values.append(value)
    return GroundSpot(*reversed(values))
