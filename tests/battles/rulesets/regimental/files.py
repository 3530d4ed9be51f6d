"""Battle files drawn up under these rules, for tests of what is written from them."""

from typing import Any

from battles.files.schema import BattleFile, BattleGround, BattleUnit, Feature
from battles.rulesets.regimental.fighting import prepare_state
from battles.rulesets.regimental.setup import size_for
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle

#: Inches of these rules to an inch of a battle file.
THIRDS = 2.0 / 3.0
FOOT = TroopType.BRITISH_LINE


def file_of(*units: BattleUnit, **more: Any) -> BattleFile:
    """Crown attacks Congress with these units."""
    sides = [tuple(unit for unit in units if unit.side == side) for side in (CROWN, CONGRESS)]
    return battle(sides[0], sides[1], **more)


def drawn_up(*units: BattleUnit, features: tuple[Feature, ...] | None = None, **more: Any) -> Any:
    """The record of a battle as it is drawn up."""
    if features is not None:
        more["ground"] = BattleGround(96, 60, features)
    file = file_of(*units, **more)
    return prepare_state(file, size_for(file))[0]
