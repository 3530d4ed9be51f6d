"""Brigades and leaders of a battle file: who leads whom. No numba here.

A brigade is what a brigadier of the file leads. Units that none leads form brigades by formation, a
few together where the file names none, under a nameless brigadier (REG-CMD-03).
"""

from dataclasses import dataclass, field
from typing import Any

from battles.rulesets.regimental.records import BRIGADIER, COMMANDER, GUNS, SENIOR, WAGONS
from battles.scenario import BattleFile, BattleLeader, BattleUnit
from rosters.domain.vocabulary import TYPES, Arm

#: Most units that one nameless brigadier leads.
UNITS_LED = 4


@dataclass(slots=True)
class Brigade:
    """Units by their places among those that fight; `leader` is a place in the file's list, or -1."""

    side: int
    units: list[int] = field(default_factory=list)
    leader: int = -1


def brigades_of(battle: BattleFile, units: list[BattleUnit]) -> list[Brigade]:
    """All brigades of both sides; guns that nobody leads belong to a formation's, or to one of their own."""
    sides = (battle.attacker, battle.defender)
    found: list[Brigade] = []
    taken: set[int] = set()
    for n, leader in enumerate(battle.leaders):
        if leader.rank == "brigadier":
            own = [k for k in _led_by(leader, units) if k not in taken]
            taken.update(own)
            found.append(Brigade(sides.index(leader.side), own, n))
    for side, name in enumerate(sides):
        rest = [k for k, unit in enumerate(units) if unit.side == name and k not in taken]
        loose = [k for k in rest if not units[k].formation and is_wheeled(units[k])]
        rest = [k for k in rest if k not in loose]
        for formation in dict.fromkeys(units[k].formation for k in rest):
            own = [k for k in rest if units[k].formation == formation]
            most = len(own) if formation else UNITS_LED
            found += [Brigade(side, own[start : start + most]) for start in range(0, len(own), most)]
        found += [
            Brigade(side, loose[start : start + UNITS_LED]) for start in range(0, len(loose), UNITS_LED)
        ]
    return found


def is_wheeled(unit: BattleUnit) -> bool:
    """True for batteries and trains."""
    return TYPES[unit.troop_type].arm is Arm.WHEELED


def _led_by(leader: BattleLeader, units: list[BattleUnit]) -> list[int]:
    own = [k for k, unit in enumerate(units) if unit.side == leader.side]
    if leader.commands:
        return [k for k in own if units[k].id in leader.commands]
    return [k for k in own if units[k].formation == leader.id]


def juniors_of(battle: BattleFile, leader: BattleLeader) -> set[str]:
    """Ids of the brigadiers of a senior; one without a list leads all whom no other leads."""
    others = [other for other in battle.leaders if other.side == leader.side]
    claimed = {junior for other in others if other.rank == "senior" for junior in other.commands}
    brigadiers = {other.id for other in others if other.rank == "brigadier"}
    return brigadiers & set(leader.commands) if leader.commands else brigadiers - claimed


def chain_write(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Write brigades and leaders of units that stand in the record in the same order."""
    sides = (battle.attacker, battle.defender)
    places: dict[str, int] = {}
    for n, leader in enumerate(battle.leaders):
        if leader.rank != "brigadier":
            rank = SENIOR if leader.rank == "senior" else COMMANDER
            places[leader.id] = _add(g, sides.index(leader.side), rank, named=n)
    for b, brigade in enumerate(brigades_of(battle, units)):
        k = _add(g, brigade.side, BRIGADIER, named=brigade.leader)
        g.leaders[k].brigade = b
        if brigade.leader >= 0:
            places[battle.leaders[brigade.leader].id] = k
        e = g.brigades[b]
        e.side, e.leader = brigade.side, k
        for i in brigade.units:
            g.u[i].brigade = b
            if g.u[i].class_ not in (GUNS, WAGONS):
                e.stands_start += int(g.u[i].stands)
        g.brigades_n = b + 1
    for leader in battle.leaders:
        if leader.rank == "senior":
            for junior in juniors_of(battle, leader):
                g.leaders[places[junior]].superior = places[leader.id]


def _add(g: Any, side: int, rank: int, *, named: int = -1) -> int:
    k = int(g.leaders_n)
    e = g.leaders[k]
    e.side, e.rank, e.named = side, rank, named
    e.brigade = e.superior = e.unit = e.walks_until = -1
    g.leaders_n = k + 1
    return k
