"""A small fight of Saratoga's first days: three battalions of Fraser's against two of Poor's."""

from battles.files.schema import BattleFile, BattleUnit
from battles.ground.landscape import ground_generate
from campaign.rules.world.world import World, present_units


def five_battalions(world: World) -> BattleFile:
    """Its battle file, before Ticonderoga, each battalion with 4 SP."""
    units = present_units(world)
    fighters = [*units["advanced_corps"][:3], *units["poors_brigade"][:2]]
    return BattleFile(
        title="Battle of Ticonderoga",
        attacker="crown",
        defender="rebel",
        cover="hard",
        ground=ground_generate(terrain="hill", kind="town", shore=True, seed=1777),
        units=tuple(
            BattleUnit(
                id=unit.id,
                name=unit.name,
                side=unit.side,
                troop_type=unit.troop_type,
                sp=4,
                formation=unit.formation,
            )
            for unit in fighters
        ),
    )
