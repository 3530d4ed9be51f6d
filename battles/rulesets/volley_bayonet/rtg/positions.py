"""A battle as its stands on the table of these rules. No numba here."""

from dataclasses import replace

from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.volley_bayonet.positions import stand_id, stand_names
from battles.rulesets.volley_bayonet.rtg.brigades import list_pool_units, name_of
from battles.rulesets.volley_bayonet.rtg.scale import FixedScale
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool, pool_brigades


def build_table_file(battle: BattleFile, scale: FixedScale) -> BattleFile:
    """The battle with a unit for every stand, in the order of the record; leaders are with a pool's first."""
    pools = pool_brigades(battle, scale.options_resolve(battle.options))
    units = [stand for pool in pools for stand in list_pool_stands(battle, pool)]
    first = {
        name: stand_id(list_pool_units(battle, pool)[0], 1, len(pool.stands))
        for pool in pools
        for name in (*pool.units, *pool.guns)
    }
    leaders = tuple(
        replace(leader, with_unit=first.get(leader.with_unit, ""), commands=()) for leader in battle.leaders
    )
    return replace(battle, units=tuple(units), leaders=leaders)


def list_pool_stands(battle: BattleFile, pool: BrigadePool) -> list[BattleUnit]:
    """The stands of a pool as units, by the name of its first unit."""
    own, count = list_pool_units(battle, pool), len(pool.stands)
    first, name = own[0], name_of(own)
    names = stand_names(first, count)
    return [
        replace(
            first,
            id=stand_id(first, n, count),
            name=name if count == 1 else f"{name} ({called})",
            sp=sp,
            x=None,
            y=None,
            inside="",
            task=None,
        )
        for n, (sp, called) in enumerate(zip(pool.stands, names, strict=True), 1)
    ]
