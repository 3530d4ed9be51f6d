"""A battle file as its brigades: a unit for every pool of the muster, as these rules see it. No numba here.

Who is drawn up is drawn up by this file, whose inches are such that the core's own hold (`OF_WING`). A pool
stands where its units do on the average, comes on when half its strength is there, and is in reserve or in
a building if most of it is. A senior of the file commands a division; a side without one is led by its first
brigadier. Other brigadiers stand with their brigades and are no pieces of their own.
"""

from collections.abc import Sequence
from dataclasses import replace

from battles.engine.chain import brigades_led, juniors_of
from battles.files.schema import BattleFile, BattleUnit, Plan, Point
from battles.rulesets.volley_bayonet.rtg.grounds import OF_WING
from battles.rulesets.volley_bayonet.rtg.muster import Pool
from battles.strength_conversion import half_there, pooled_name


def units_of(battle: BattleFile, pool: Pool) -> list[BattleUnit]:
    """The units of a pool, without those that are its dedicated gun."""
    named = {unit.id: unit for unit in battle.units}
    return [named[name] for name in pool.units]


def brigaded(battle: BattleFile, pools: Sequence[Pool]) -> BattleFile:
    """The battle with a unit for every pool, where it is on the table of these rules."""
    return replace(
        battle,
        units=tuple(_brigade(battle, pool) for pool in pools),
        leaders=tuple(
            replace(one, x=_scaled(one.x), y=_scaled(one.y), with_unit=_with(one.with_unit, pools))
            for one in battle.leaders
        ),
        plans={side: _plan(plan) for side, plan in battle.plans.items()},
        objective=_spot(battle.objective),
    )


def _brigade(battle: BattleFile, pool: Pool) -> BattleUnit:
    own = units_of(battle, pool)
    whole = sum(unit.sp for unit in own)
    first = own[0]
    arrives = half_there((unit.arrives, unit.sp) for unit in own)
    placed = [unit for unit in own if unit.x is not None and unit.y is not None and unit.arrives <= arrives]
    inside = next((name for name in {unit.inside for unit in own} if name and _most(own, name, whole)), "")
    x = y = None
    if placed:
        weight = sum(unit.sp for unit in placed)
        x = OF_WING * sum(unit.sp * float(unit.x or 0.0) for unit in placed) / weight
        y = OF_WING * sum(unit.sp * float(unit.y or 0.0) for unit in placed) / weight
    return replace(
        first,
        name=name_of(own),
        sp=pool.points,
        formation=f"division {pool.division}",
        arrives=arrives,
        x=x,
        y=y,
        facing=next((unit.facing for unit in placed), None),
        inside=inside,
        reserve=2 * sum(unit.sp for unit in own if unit.reserve) > whole,
        task=None,
    )


def name_of(own: Sequence[BattleUnit]) -> str:
    """What a brigade is called: by its first unit, and how many more there are."""
    return pooled_name(own[0].name, len(own))


def _most(own: Sequence[BattleUnit], inside: str, whole: int) -> bool:
    return 2 * sum(unit.sp for unit in own if unit.inside == inside) > whole


def _scaled(inches: float | None) -> float | None:
    return None if inches is None else inches * OF_WING


def _spot(spot: Point | None) -> Point | None:
    return None if spot is None else (spot[0] * OF_WING, spot[1] * OF_WING)


def _plan(plan: Plan) -> Plan:
    return replace(plan, goal=_spot(plan.goal))


def _with(unit: str, pools: Sequence[Pool]) -> str:
    """The pool's unit for one of its units, "" for none."""
    return next((pool.units[0] for pool in pools if unit and unit in pool.units), "")


def commander_of(battle: BattleFile, pools: Sequence[Pool]) -> int:
    """The place among the file's leaders of who commands the division of these pools, -1 for nobody named.

    The senior it is under, if he is there; else the first of its brigadiers whom no senior leads. Weak
    brigades of other divisions that joined it bring no commander.
    """
    ids = [leader.id for leader in battle.leaders]
    if pools[0].led_by in ids:
        return ids.index(pools[0].led_by)
    names = {name for pool in pools for name in (*pool.units, *pool.guns)}
    seniors = [leader for leader in battle.leaders if leader.rank == "senior"]
    under = {name for senior in seniors for name in juniors_of(battle, senior)}
    fighting = [unit for unit in battle.units if unit.sp > 0]
    return min(
        (
            brigade.leader
            for brigade in brigades_led(battle, fighting)
            if any(fighting[k].id in names for k in brigade.units) and ids[brigade.leader] not in under
        ),
        default=-1,
    )
