"""Fields that records of several rulesets have, for the kernels and for who draws a battle up. No numba here.

A ruleset puts its own record together from them, what a battle changes first (`running.spans_of`), and adds
its units, leaders, options and tables. The AWI record, whose order is its own, is in `dtypes.py`.
"""

from typing import Any

from numpy.typing import DTypeLike

from battles.engine.dtypes import EVENT, GATE, GOINGS, STRUCTURE, WORK
from battles.engine.orders import PLAN
from battles.engine.survey import Room

Fields = list[tuple[Any, ...]]

#: How a battle goes: the beginning of a record.
COURSE: Fields = [
    ("n", "i8"),
    ("turn", "i8"),
    ("mover", "i8"),
    ("step", "i8"),
    ("error", "i8"),
    ("ending", "i8"),
    ("holder", "i8"),
    ("cursor", "i8"),
    ("recording", "i8"),
    ("events_n", "i8"),
    ("dice_n", "i8"),
    ("brigades_n", "i8"),
    ("leaders_n", "i8"),
    ("quiet", "i8"),  # game turns since the last shot or charge
    ("idle", "i8"),  # of these, those since anybody under orders to go forward gained ground
    ("gained", "i8"),  # somebody has gained ground in this game turn
    ("broken_off", "i8"),  # attacks that came to a stand and fell back to come on again
    ("back_until", "i8"),  # the last game turn in which they fall back
    ("ground_changed", "i8"),  # the cells must be written again before the next run
    ("plan", "i8", (2,)),  # the kind of plan now in force
    ("first", "i8", (2,)),  # each side's units are from here
    ("past", "i8", (2,)),  # to before here, perhaps with the other side's among them
]
#: What both sides are ordered to do.
ORDERS: Fields = [
    ("turns", "i8"),
    ("plans", PLAN, (2,)),
    ("break_at", "i8", (2,)),  # percent of its strength at which a side breaks off
    ("objective", "i8"),
    ("objective_x", "f8"),
    ("objective_y", "f8"),
]


def table_fields(size: Room, going: DTypeLike) -> Fields:
    """The table and what stands on it; `going` is what the ground of a cell is."""
    return [
        ("width", "f8"),
        ("depth", "f8"),
        ("structures_n", "i8"),
        ("buildings_n", "i8"),
        ("structures", STRUCTURE, (size.structures,)),
        ("works_n", "i8"),
        ("works", WORK, (size.works,)),
        ("gates_n", "i8"),
        ("gates", GATE, (size.gates,)),
        ("cell", "f8"),
        ("cells_per_inch", "f8"),
        ("rows", "i8"),
        ("columns", "i8"),
        ("going", going, (GOINGS,)),
        ("goings_n", "i8"),
        ("growth", "i8"),  # 1 where something grows that hides
        ("ground", "i8", (size.rows, size.columns)),
    ]


def last_fields(size: Room) -> Fields:
    """Fields at the end of a record, which are written before they are read."""
    return [("dice", "i8", (size.dice,)), ("events", EVENT, (size.events,))]
