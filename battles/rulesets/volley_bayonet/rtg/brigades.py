"""A battle file as its brigades: a unit for every pool of the muster, as these rules see it. No numba here.

Who is drawn up is drawn up by this file, whose inches are such that the core's own hold (`OF_WING`). A pool
stands where its units do on the average, comes on when half its strength is there, and is in reserve or in
a building if most of it is. A senior of the file commands a division; a side without one is led by its first
brigadier. Other brigadiers stand with their brigades and are no pieces of their own.
"""

from collections.abc import Sequence
from dataclasses import replace

from battles.engine.chain import juniors_of, list_led_brigades
from battles.files.schema import BattleFile, BattlePlan, BattleUnit, Point
from battles.rulesets.volley_bayonet.rtg.grounds import OF_WING
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool
from battles.strength_conversion import half_there, pooled_name


def list_pool_units(battle: BattleFile, pool: BrigadePool) -> list[BattleUnit]:
    """The units of a pool, without those that are its dedicated gun."""
    named = {unit.id: unit for unit in battle.units}
    return [named[name] for name in pool.units]


def build_brigade_file(battle: BattleFile, pools: Sequence[BrigadePool]) -> BattleFile:
    """The battle with a unit for every pool, where it is on the table of these rules."""
    return replace(
        battle,
        units=tuple(_build_brigade(battle, pool) for pool in pools),
        leaders=tuple(
            replace(
                one,
                x=_scale_inches(one.x),
                y=_scale_inches(one.y),
                with_unit=_find_pool_unit(one.with_unit, pools),
            )
            for one in battle.leaders
        ),
        plans={side: _scale_plan(plan) for side, plan in battle.plans.items()},
        objective=_scale_spot(battle.objective),
    )


def _build_brigade(battle: BattleFile, pool: BrigadePool) -> BattleUnit:
    own = list_pool_units(battle, pool)
    whole = sum(unit.sp for unit in own)
    first = own[0]
    arrives = half_there((unit.arrives, unit.sp) for unit in own)
    placed = [unit for unit in own if unit.x is not None and unit.y is not None and unit.arrives <= arrives]
    inside = next(
        (name for name in {unit.inside for unit in own} if name and _is_mostly_inside(own, name, whole)), ""
    )
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
    """The name of a brigade: its first unit, and how many more there are."""
    return pooled_name(own[0].name, len(own))


def _is_mostly_inside(own: Sequence[BattleUnit], inside: str, whole: int) -> bool:
    return 2 * sum(unit.sp for unit in own if unit.inside == inside) > whole


def _scale_inches(inches: float | None) -> float | None:
    return None if inches is None else inches * OF_WING


def _scale_spot(spot: Point | None) -> Point | None:
    return None if spot is None else (spot[0] * OF_WING, spot[1] * OF_WING)


def _scale_plan(plan: BattlePlan) -> BattlePlan:
    return replace(plan, goal=_scale_spot(plan.goal))


def _find_pool_unit(unit: str, pools: Sequence[BrigadePool]) -> str:
    """The pool's unit for one of its units, "" for none."""
    return next((pool.units[0] for pool in pools if unit and unit in pool.units), "")


def commander_of(battle: BattleFile, pools: Sequence[BrigadePool]) -> int:
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
            for brigade in list_led_brigades(battle, fighting)
            if any(fighting[k].id in names for k in brigade.units) and ids[brigade.leader] not in under
        ),
        default=-1,
    )
