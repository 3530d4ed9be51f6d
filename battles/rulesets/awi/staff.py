"""Leaders of a battle file to generals in the state record, and what became of them. No numba here."""

from typing import Any

import numpy as np

from battles.engine.chain import juniors_of
from battles.engine.dtypes import (
    BRIDGE,
    BRIGADIER,
    BUILD,
    CAPTURED,
    COMMANDER,
    DEMOLISH,
    DISABLED,
    DISMANTLE,
    GONE_HOME,
    KILLED,
    SENIOR,
    WAITING,
)
from battles.engine.reading import structure_name
from battles.files.schema import (
    BattleFile,
    BattleLeader,
    BattleUnit,
    GeneralFate,
    GeneralOutcome,
    GeneralRank,
    StructureOutcome,
    Work,
)

RANKS: dict[GeneralRank, int] = {"brigadier": BRIGADIER, "senior": SENIOR, "commander_in_chief": COMMANDER}
FATES: dict[int, GeneralFate] = {DISABLED: "disabled", KILLED: "killed", CAPTURED: "captured"}
TASKS: dict[Work, int] = {"build": BUILD, "dismantle": DISMANTLE, "demolish": DEMOLISH}
#: Inches behind the middle of his troops at which a free general starts, and from the table's edge.
BEHIND, EDGE = 8.0, 1.0


def leaders_write(
    g: Any, battle: BattleFile, units: list[BattleUnit], sides: tuple[str, str], options: dict[str, Any]
) -> None:
    """Write the generals, in the file's order, once the units are drawn up (AWI-T-GEN-01 to 03)."""
    g.generals_n = len(battle.leaders)
    place_of = {unit.id: i for i, unit in enumerate(units)}
    for k, leader in enumerate(battle.leaders):
        s = g.generals[k]
        s.side, s.rank = sides.index(leader.side), RANKS[leader.rank]
        s.unit, s.superior, s.rate = -1, -1, options["general_move"]
        for i in _list_own_units(battle, leader, units):
            g.u[i].brigade = k
    for k, leader in enumerate(battle.leaders):
        for junior in _list_juniors(battle, leader):
            g.generals[junior].superior = k
    for k, leader in enumerate(battle.leaders):
        _post_general(g, k, leader, place_of)


def _list_own_units(battle: BattleFile, leader: BattleLeader, units: list[BattleUnit]) -> list[int]:
    """Places of a leader's own units: those he is said to command, else the formation of his name."""
    if leader.rank == "commander_in_chief":
        return []
    if leader.commands:
        return [i for i, unit in enumerate(units) if unit.id in leader.commands]
    return [
        i
        for i, unit in enumerate(units)
        if unit.side == leader.side and unit.formation == leader.id and leader.rank == "brigadier"
    ]


def _list_juniors(battle: BattleFile, leader: BattleLeader) -> list[int]:
    """Places of the brigadiers under a senior."""
    if leader.rank != "senior":
        return []
    juniors = juniors_of(battle, leader)
    return [k for k, other in enumerate(battle.leaders) if other.id in juniors]


def _list_chain_units(g: Any, k: int) -> list[int]:
    """Places of the units in a general's chain of command, those of his side if there is none."""
    s = g.generals[k]
    own = np.flatnonzero(g.u["side"][: g.n] == s.side).tolist()
    brigades, superiors = g.u["brigade"].tolist(), g.generals["superior"].tolist()
    under = [i for i in own if brigades[i] == k or (brigades[i] >= 0 and superiors[brigades[i]] == k)]
    return own if s.rank == COMMANDER or not under else under


def _post_general(g: Any, k: int, leader: BattleLeader, place_of: dict[str, int]) -> None:
    """Set a general where he is told to be, else with a brigade's middle unit, else behind his troops."""
    s = g.generals[k]
    if leader.with_unit in place_of:
        s.unit = place_of[leader.with_unit]
    elif leader.x is not None and leader.y is not None:
        s.x, s.y = leader.x, leader.y
    else:
        _find_place(g, k)
    if s.unit >= 0:
        s.x, s.y, s.due = g.u[s.unit].x, g.u[s.unit].y, g.u[s.unit].due


def _find_place(g: Any, k: int) -> None:
    s = g.generals[k]
    chain = _list_chain_units(g, k)
    there = [i for i in chain if g.u[i].place != WAITING]
    if not there:
        s.unit = min(chain, key=lambda i: int(g.u[i].due), default=-1)
        return
    x = sum(float(g.u[i].x) for i in there) / len(there)
    y = sum(float(g.u[i].y) for i in there) / len(there)
    if s.rank == BRIGADIER:
        s.unit = min(there, key=lambda i: (g.u[i].x - x) ** 2 + (g.u[i].y - y) ** 2)
    else:
        back = -BEHIND if s.side == 0 else BEHIND
        s.x = min(max(x, EDGE), g.width - EDGE)
        s.y = min(max(y + back, EDGE), g.depth - EDGE)


def tasks_write(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Tell units the engineering they are to do, on the nearest piece of the structure they are sent to.

    Of a bridge every piece will do, since it is cut with any (AWI-T-FOR-01).
    """
    features = battle.ground.features if battle.ground is not None else ()
    for i, unit in enumerate(units):
        if unit.task is None:
            continue
        u = g.u[i]
        pieces = [
            k
            for k in range(g.structures_n)
            if g.structures[k].feature >= 0 and features[g.structures[k].feature].id == unit.task.at
        ]
        if pieces:
            u.task, u.task_size = TASKS[unit.task.work], unit.task.charges
            u.task_at = min(pieces, key=lambda k: _measure_distance2(g, k, u))


def _measure_distance2(g: Any, k: int, u: Any) -> float:
    """Squared inches from a unit to the middle of a structure's nearest piece."""
    spots = [
        ((float(w.x0) + float(w.x1)) / 2.0, (float(w.y0) + float(w.y1)) / 2.0)
        for w in g.works[: g.works_n]
        if w.structure == k
    ] or [(float(g.structures[k].x), float(g.structures[k].y))]
    return min((x - float(u.x)) ** 2 + (y - float(u.y)) ** 2 for x, y in spots)


def build_general_outcomes(state: Any, battle: BattleFile) -> tuple[GeneralOutcome, ...]:
    """The fates of all generals, in the file's order."""
    rows = state["generals"][0][: len(battle.leaders)]
    return tuple(
        GeneralOutcome(leader.id, general_fate(int(row["fate"]), int(row["wounds"])))
        for leader, row in zip(battle.leaders, rows, strict=True)
    )


def general_fate(fate: int, wounds: int) -> GeneralFate:
    """A fate and wounds of the state record in words; a wound is told before having left the table."""
    if fate in FATES:
        return FATES[fate]
    if wounds:
        return "wounded"
    return "left_table" if fate == GONE_HOME else "present"


def build_structure_outcomes(state: Any, battle: BattleFile) -> tuple[StructureOutcome, ...]:
    """SP of every structure of the ground at the start and the end.

    A work of several pieces has the sum of them; a bridge is as strong as its weakest piece.
    """
    g = state[0]
    pieces: dict[int, list[Any]] = {}
    for k in range(g.structures_n):
        if g.structures[k].feature >= 0:
            pieces.setdefault(int(g.structures[k].feature), []).append(g.structures[k])
    return tuple(
        StructureOutcome(
            structure_name(battle, feature),
            _combine_strength(own[0].kind_ == BRIDGE, [int(s.sp_start) for s in own]),
            _combine_strength(own[0].kind_ == BRIDGE, [int(s.sp) for s in own]),
        )
        for feature, own in sorted(pieces.items())
    )


def _combine_strength(bridge: bool, points: list[int]) -> int:
    return min(points) if bridge else sum(points)
