"""A small record of no ruleset's, of the engine's own fields: what every ruleset has is tried on it."""

from typing import Any, NamedTuple

import numpy as np

from battles.engine.dtypes import ON_TABLE, PROGRESS
from battles.engine.records import COURSE, ORDERS, last_fields, table_fields
from battles.engine.rows import row_of

#: What a unit is here.
FOOT, HORSE, GUNS, TRAIN = 0, 1, 2, 3
UNIT = np.dtype(
    [
        *((name, "i8") for name in ("side", "place", "face", "home", "due", "class_", "inside", "reserve")),
        *((name, "i8") for name in ("outflanks", "lost", "captured")),
        *((name, "f8") for name in ("x", "y", "spot_x", "spot_y", "from_x", "from_y")),
        *((name, "f8") for name in ("half_width", "half_depth")),
        *PROGRESS,
    ]
)
LEADER = np.dtype(
    [(name, "i8") for name in ("side", "named", "state", "due", "back")] + [("x", "f8"), ("y", "f8")]
)
#: Ground of which one kind bars everybody.
GOING = np.dtype([("barred", "i8")])


class Room(NamedTuple):
    """Capacities of a small record."""

    units: int = 12
    leaders: int = 4
    dice: int = 64
    events: int = 64
    structures: int = 8
    works: int = 8
    gates: int = 4
    rows: int = 40
    columns: int = 60


class Piece(NamedTuple):
    """A unit by its side and centre."""

    side: int = 0
    x: float = 30.0
    y: float = 10.0
    class_: int = FOOT
    place: int = ON_TABLE
    due: int = 0
    lost: int = 0
    captured: int = 0


def blank(size: Room) -> Any:
    """A zeroed state as an array of one record."""
    fields = [
        *COURSE,
        ("u", UNIT, (size.units,)),
        ("leaders", LEADER, (size.leaders,)),
        *ORDERS,
        *table_fields(size, GOING),
        *last_fields(size),
    ]
    return np.zeros(1, dtype=np.dtype(fields)).view(np.recarray)


def state(*pieces: Piece, turns: int = 12) -> Any:
    """A state with these units on an open table of 60 by 40 inches; each has a base of 2 inches by 1."""
    made = blank(Room())
    g = made[0]
    g.width, g.depth, g.cell, g.cells_per_inch, g.rows, g.columns = 60.0, 40.0, 1.0, 1.0, 40, 60
    g.goings_n, g.n, g.turns, g.holder = 1, len(pieces), turns, -1
    for i, one in enumerate(pieces):
        u = g.u[i]
        u.side, u.x, u.y, u.class_, u.place = one.side, one.x, one.y, one.class_, one.place
        u.due, u.lost, u.captured, u.inside = one.due, one.lost, one.captured, -1
        u.face, u.home = 180 * one.side, 180 - 180 * one.side
        u.half_width, u.half_depth = 1.0, 0.5
    return made


def record(*pieces: Piece, **more: Any) -> Any:
    """The record itself, as kernels are given it."""
    return state(*pieces, **more)[0]


def row(*pieces: Piece, **more: Any) -> Any:
    """The record as it is drawn up."""
    return row_of(state(*pieces, **more))
