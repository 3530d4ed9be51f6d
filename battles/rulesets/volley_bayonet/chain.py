"""Brigades and commanders of a battle file (VBW-CMD-02, VBW-ORG-03 to 14, VBW-EXH-01). No numba here.

A battle file's brigadiers lead brigades, its seniors wings, its commander in chief the army. Who has no
brigadier stands under a nameless one with the others of his formation, or with up to three others of his
side: nobody could be in command else. Batteries without one have none (VBW-CMD-07). A side of several
brigades that nobody leads has a nameless army commander, and so has one of batteries alone.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from battles.engine.chain import Brigade, juniors_of, list_leaderless_brigades, list_led_brigades
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    BRIGADE_COMMANDER,
    GUNS,
    TRANSPORT,
    UNIT_COMMANDER,
    WING_COMMANDER,
)
from battles.rulesets.volley_bayonet.tables import ScaleTables


def brigades_of(battle: BattleFile, units: list[BattleUnit], guns: set[int]) -> list[Brigade]:
    """All brigades of both sides; `guns` are the places of batteries and transport."""
    found = list_led_brigades(battle, units)
    taken = guns.union(*(brigade.units for brigade in found))
    for side, name in enumerate((battle.attacker, battle.defender)):
        rest = [k for k, unit in enumerate(units) if unit.side == name and k not in taken]
        found += list_leaderless_brigades(side, rest, units)
    return found


def chain_write(
    g: Any, battle: BattleFile, units: list[BattleUnit], led: list[bool], tables: ScaleTables, rounding: str
) -> None:
    """Write brigades and commanders of stands that are drawn up; `led` are units with a commander."""
    sides = (battle.attacker, battle.defender)
    stands = [[i for i in range(g.n) if g.u[i].battalion == k] for k in range(len(units))]
    guns = {k for k, own in enumerate(stands) if g.u[own[0]].class_ in (GUNS, TRANSPORT)}
    brigades = brigades_of(battle, units, guns)
    places: dict[str, int] = {}
    for n, leader in enumerate(battle.leaders):
        if leader.rank != "brigadier":
            rank = WING_COMMANDER if leader.rank == "senior" else ARMY_COMMANDER
            places[leader.id] = _add_leader(g, sides.index(leader.side), rank, named=n)
    for b, brigade in enumerate(brigades):
        k = _add_leader(g, brigade.side, BRIGADE_COMMANDER, named=brigade.leader)
        g.leaders[k].brigade = b
        if brigade.leader >= 0:
            places[battle.leaders[brigade.leader].id] = k
        _brigade_write(g, b, k, [i for unit in brigade.units for i in stands[unit]], tables, rounding)
    for leader in battle.leaders:
        if leader.rank == "senior":
            _wing_write(g, places[leader.id], {places[junior] for junior in juniors_of(battle, leader)})
    for side in range(2):
        chiefs = [k for k in range(g.leaders_n) if g.leaders[k].side == side]
        there = any(unit.side == sides[side] for unit in units)
        if there and len(chiefs) != 1 and all(g.leaders[k].rank == BRIGADE_COMMANDER for k in chiefs):
            _add_leader(g, side, ARMY_COMMANDER)
    for unit, own in enumerate(stands):
        if led[unit]:
            k = _add_leader(g, int(g.u[own[0]].side), UNIT_COMMANDER)
            g.leaders[k].battalion, g.leaders[k].brigade = unit, int(g.u[own[0]].brigade)


def _add_leader(g: Any, side: int, rank: int, *, named: int = -1) -> int:
    k = int(g.leaders_n)
    e = g.leaders[k]
    e.side, e.rank, e.named = side, rank, named
    e.battalion = e.brigade = e.superior = e.hit_in = -1
    e.rate, e.left = g.t.commanders, 1.0
    g.leaders_n = k + 1
    return k


def _brigade_write(g: Any, b: int, k: int, own: list[int], tables: ScaleTables, rounding: str) -> None:
    e = g.brigades[b]
    e.side, e.commander = g.leaders[k].side, k
    for i in own:
        g.u[i].brigade = b
        g.battalions[g.u[i].battalion].brigade = b
    e.sp_start = sum(int(g.u[i].sp) for i in own)
    if e.sp_start:
        fighting = [(int(g.u[i].sp), int(g.u[i].morale)) for i in own]
        e.level = find_exhaustion_level(fighting, tables.exhaustion_per_morale, rounding)
    g.brigades_n = b + 1


def find_exhaustion_level(stands: Iterable[tuple[int, int]], per_morale: Fraction, rounding: str) -> int:
    """SP a brigade may lose before it is exhausted, of the (SP, morale) of its stands (VBW-EXH-01).

    The exact products are added up and rounded once; at least 1.
    """
    exact = sum((sp * morale * per_morale for sp, morale in stands), Fraction(0))
    if rounding == "up":
        level = ceil(exact)
    else:
        level = floor(exact if rounding == "down" else exact + Fraction(1, 2))
    return max(1, level)


def _wing_write(g: Any, k: int, juniors: set[int]) -> None:
    for junior in juniors:
        g.leaders[junior].superior = k
    for i in range(g.n):
        b = int(g.u[i].brigade)
        if b >= 0 and int(g.brigades[b].commander) in juniors:
            g.u[i].wing = k
