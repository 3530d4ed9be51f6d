"""Quality of troops for whoever weighs sides against each other, percent (HR-BOT-07)."""

from campaign.rules.world.world import Theatre, Unit
from rosters.domain.vocabulary import TYPES, FormationOrder, TroopType

#: Worth of a strength point, percent of a Continental's, as the tactical rules make it (HR-BOT-07).
EUROPEAN_REGULARS, MILITIA, OPEN_ORDER, WARRIORS, OTHERS = 160, 70, 70, 40, 100


def rate_unit_quality(unit: Unit) -> int:
    """Worth of one of a unit's strength points, percent (HR-BOT-07)."""
    if unit.troop_type is TroopType.INDIANS:
        return WARRIORS
    if unit.is_militia:
        return MILITIA
    if TYPES[unit.troop_type].order is FormationOrder.OPEN:
        return OPEN_ORDER
    return EUROPEAN_REGULARS if TYPES[unit.troop_type].european_regular else OTHERS


def general_quality(theatre: Theatre, side: str) -> int:
    """Quality of a side's troops at large, percent, by the scenario's order of battle (HR-BOT-07).

    Both sides have read that; what has become of those units since is nobody's business.
    """
    units = theatre.order_of_battle.values()
    found = [rate_unit_quality(unit) for unit in units if unit.side == side and not unit.is_train]
    return sum(found) // len(found) if found else OTHERS
