"""A state record read back in the words of its battle file. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.files.schema import BattleFile, GeneralFate, GeneralOutcome


def structure_name(battle: BattleFile, feature: int) -> str:
    """Id of a structure by the place of its feature; what the file leaves without one has its kind and place.

    -1 is the work before the defender's line that a file without a ground asks for.
    """
    if feature < 0 or battle.ground is None:
        return "the defender's work"
    told = battle.ground.features[feature]
    return told.id or f"{told.kind} {feature + 1}"


def structure_names(state: Any, battle: BattleFile) -> tuple[str, ...]:
    """Ids of the structures of a state record, which are their features'."""
    g = state[0]
    return tuple(structure_name(battle, int(g.structures[k].feature)) for k in range(g.structures_n))


def field_holder(state: Any, battle: BattleFile) -> str:
    """The side that holds the field when a battle is over; "" for neither."""
    holder = int(state[0].holder)
    return (battle.attacker, battle.defender)[holder] if holder >= 0 else ""


def build_general_outcomes(
    state: Any, battle: BattleFile, leaders: Any, fates: Mapping[int, GeneralFate]
) -> tuple[GeneralOutcome, ...]:
    """The fates of all generals of the file, in its order.

    `leaders` holds the code of each of the record; those that `fates` does not name are present.
    """
    g = state[0]
    told = {int(g.leaders[k].named): fates[what] for k, what in enumerate(leaders.tolist()) if what in fates}
    return tuple(GeneralOutcome(leader.id, told.get(n, "present")) for n, leader in enumerate(battle.leaders))
