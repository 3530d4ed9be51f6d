"""Brigades and leaders of a battle file: who leads whom. No numba here.

Of the units that no brigadier leads, guns without a formation form brigades of their own, under a nameless
brigadier as the others (REG-CMD-03).
"""

from typing import Any

from battles.engine.chain import Brigade, juniors_of, list_leaderless_brigades, list_led_brigades
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental.records import BRIGADIER, COMMANDER, GUNS, SENIOR, WAGONS
from rosters.domain.vocabulary import TYPES, Arm


def brigades_of(battle: BattleFile, units: list[BattleUnit]) -> list[Brigade]:
    """All brigades of both sides."""
    found = list_led_brigades(battle, units)
    taken = {k for brigade in found for k in brigade.units}
    for side, name in enumerate((battle.attacker, battle.defender)):
        rest = [k for k, unit in enumerate(units) if unit.side == name and k not in taken]
        loose = [k for k in rest if not units[k].formation and is_wheeled(units[k])]
        found += list_leaderless_brigades(side, [k for k in rest if k not in loose], units)
        found += list_leaderless_brigades(side, loose, units)
    return found


def is_wheeled(unit: BattleUnit) -> bool:
    """True for batteries and trains."""
    return TYPES[unit.troop_type].arm is Arm.WHEELED


def chain_write(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Write brigades and leaders of units that stand in the record in the same order."""
    sides = (battle.attacker, battle.defender)
    places: dict[str, int] = {}
    for n, leader in enumerate(battle.leaders):
        if leader.rank != "brigadier":
            rank = SENIOR if leader.rank == "senior" else COMMANDER
            places[leader.id] = _add_leader(g, sides.index(leader.side), rank, named=n)
    for b, brigade in enumerate(brigades_of(battle, units)):
        k = _add_leader(g, brigade.side, BRIGADIER, named=brigade.leader)
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


def _add_leader(g: Any, side: int, rank: int, *, named: int = -1) -> int:
    k = int(g.leaders_n)
    e = g.leaders[k]
    e.side, e.rank, e.named = side, rank, named
    e.brigade = e.superior = e.unit = e.walks_until = -1
    g.leaders_n = k + 1
    return k
