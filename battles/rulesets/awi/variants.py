"""Effects of the variants on a unit, on the host: pikes of 1798, clans and dragoons of 1745."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError, refuse_all
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.awi import tables
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, TroopType

#: The variant in which a trait means something, and the rule.
_VARIANT_OF = {
    "pikes": ("ireland_1798", "AWI-T-V98-01"),
    "highlanders": ("jacobite_1745", "AWI-T-V45-01"),
}


def is_highland(unit: BattleUnit) -> bool:
    """True for a clan regiment, which is a horde (AWI-T-V45-01)."""
    return "highlanders" in unit.traits


def is_unarmed(unit: BattleUnit, options: dict[str, Any]) -> bool:
    """True for a unit without firearms: pikes, and Highlanders by option (AWI-T-V98-01, AWI-T-V45-06)."""
    return "pikes" in unit.traits or (is_highland(unit) and options["highland_fire"] != "musket_minus_2")


def is_dragoon(unit: BattleUnit, options: dict[str, Any]) -> bool:
    """True for British cavalry of the Forty-Five (AWI-T-V45-11)."""
    return options["variant"] == "jacobite_1745" and unit.troop_type is TroopType.EUROPEAN_LIGHT_CAVALRY


def dragoon_rates(options: dict[str, Any]) -> tables.Rates:
    """Inches a move of British dragoons (AWI-T-V45-11)."""
    return tables.Rates(tables.DRAGOON_LINE, tables.DRAGOON_COLUMN, options["dragoon_rout_45"])


def horde_write(u: Any) -> None:
    """Our ruling: a clan regiment is no regulars, grenadiers or militia of any kind (AWI-T-V45-01)."""
    u.european = u.grenadier = u.militia = u.fire = u.british_close = 0


def list_known_traits(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The traits that mean something in the variant played."""
    return tuple(trait for trait, (variant, _) in _VARIANT_OF.items() if variant == options["variant"])


def traits_verify(battle: BattleFile, options: dict[str, Any]) -> None:
    """Raise BattleFileError for traits that cannot be."""
    refuse_all(traits_faults(battle, options))


def traits_faults(battle: BattleFile, options: dict[str, Any]) -> Iterator[BattleFileError]:
    """Traits that the variant played does not know or the unit cannot have."""
    for k, unit in enumerate(battle.units):
        for trait in unit.traits:
            if trait not in _VARIANT_OF:
                yield BattleFileError(
                    "AWI-T-V98-01",
                    f"There is no trait “{trait}”; a unit may have {' or '.join(_VARIANT_OF)}.",
                    f"units[{k}].traits",
                )
                continue
            variant, rule = _VARIANT_OF[trait]
            if options["variant"] != variant:
                yield BattleFileError(
                    rule,
                    f"{unit.name} has {trait}, which only the variant {variant} knows; "
                    f"set the option variant to {variant} or leave them out.",
                    f"units[{k}].traits",
                )
            facts = TYPES[unit.troop_type]
            if facts.arm is not Arm.FOOT or facts.order is not FormationOrder.CLOSE:
                yield BattleFileError(
                    rule, f"{unit.name} is no close order foot and cannot have {trait}.", f"units[{k}].traits"
                )
