"""The Regimental rules as the registry names them. No numba here."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.muster import muster
from battles.rulesets.regimental.options import OPTIONS, SCOPE, options_resolve
from battles.rulesets.regimental.paper import Paper
from battles.rulesets.regimental.tables import GROUND
from battles.rulesets.regimental.telling import TELLING
from battles.rulesets.rules import Rules
from battles.strength_conversion import Mustered

#: The rows of the terrain table that woods of a battle file are (REG-DEF-09).
WOODS = {"open_woods": "orchards", "dense_woods": "woods_forest"}


def seen(wood: str) -> float:
    """Inches of the file one sees in or through woods (REG-TER-01)."""
    return float(GROUND[WOODS[wood]].visibility or 0) / INCH


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches of the file from which a unit in woods is seen, whoever it is."""
    return seen(wood)


def seen_through(unit: BattleUnit, wood: str) -> float:
    """Inches of woods that are looked through: as far as within them."""
    return seen(wood)


def traits_known(options: Mapping[str, Any]) -> tuple[str, ...]:
    """None mean anything here."""
    return ()


def traits_faults(battle: BattleFile, options: dict[str, Any]) -> Iterator[BattleFileError]:
    """Traits of units, which these rules do not know."""
    for k, unit in enumerate(battle.units):
        for trait in sorted(unit.traits):
            yield BattleFileError(
                SCOPE,
                f"{unit.name} has {trait}, which these rules do not know; leave it out.",
                f"units[{k}].traits",
            )


def mustered(battle: BattleFile) -> tuple[Mustered, ...]:
    """How the units of a battle stand under its options."""
    return muster(battle, options_resolve(battle.options))


RULES = Rules(
    options=OPTIONS,
    scope=SCOPE,
    traits=traits_known,
    traits_faults=traits_faults,
    seen_in_woods=seen_in_woods,
    seen_through=seen_through,
    sheets=Paper(),
    telling=TELLING,
    muster=mustered,
)
