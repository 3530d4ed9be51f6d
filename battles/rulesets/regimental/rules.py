"""The Regimental rules as the registry names them. No numba here."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental.event_text import TELLING
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.options import OPTIONS, SCOPE, options_resolve
from battles.rulesets.regimental.printed_sheets import RegimentalSheetTerms
from battles.rulesets.regimental.strength import convert_strengths
from battles.rulesets.regimental.tables import GROUND
from battles.rulesets.rules import RulesetRules
from battles.strength_conversion import ConvertedStrength

#: The rows of the terrain table that woods of a battle file are (REG-DEF-09).
WOODS = {"open_woods": "orchards", "dense_woods": "woods_forest"}


def find_sight_in_woods(wood: str) -> float:
    """Inches of the file one sees in or through woods (REG-TER-01)."""
    return float(GROUND[WOODS[wood]].visibility or 0) / INCH


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches of the file from which a unit in woods is seen, whoever it is."""
    return find_sight_in_woods(wood)


def seen_through(unit: BattleUnit, wood: str) -> float:
    """Inches of woods that are looked through: as far as within them."""
    return find_sight_in_woods(wood)


def list_known_traits(options: Mapping[str, Any]) -> tuple[str, ...]:
    """An empty tuple: traits have no meaning under these rules."""
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


def convert_battle_strengths(battle: BattleFile) -> tuple[ConvertedStrength, ...]:
    """The converted strengths of a battle's units under its options."""
    return convert_strengths(battle, options_resolve(battle.options))


RULES = RulesetRules(
    options=OPTIONS,
    scope=SCOPE,
    traits=list_known_traits,
    traits_faults=traits_faults,
    seen_in_woods=seen_in_woods,
    seen_through=seen_through,
    sheets=RegimentalSheetTerms(),
    telling=TELLING,
    muster=convert_battle_strengths,
)
