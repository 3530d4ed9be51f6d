"""A scale of Volley & Bayonet as the registry names it. No numba here."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit, GeneralFate
from battles.rulesets.rules import RulesetRules
from battles.rulesets.volley_bayonet.event_text import telling_of
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.printed_sheets import VolleyBayonetSheetTerms
from battles.rulesets.volley_bayonet.ratings import may_break_up, may_ride
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.strength import convert_strengths
from battles.rulesets.volley_bayonet.tables import SEEN_IN_FOREST, SEEN_IN_WOODS
from battles.strength_conversion import ConvertedStrength

#: Traits that mean something here: Highlanders have a card of their own (VBW-CRD-32), light troops in stands
#: break up (VBW-ORG-10), and foot may be mounted infantry (VBW-ORG-13).
TRAITS = ("highlanders", "breaks_up", "mounted")
#: Inches of the file of woods that hide who is behind them: at the edge one is seen (VBW-TER-05, 07).
EDGE = 1.5


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches of the file from which a unit is seen in open woods or in forest (VBW-TER-07, VBW-TER-05)."""
    return (SEEN_IN_FOREST if wood == "dense_woods" else SEEN_IN_WOODS) / INCH


def seen_through(unit: BattleUnit, wood: str) -> float:
    """Inches of woods that are looked through: none but the edge (VBW-TER-05)."""
    return EDGE


def list_known_traits(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The same whatever the options."""
    return TRAITS


def _find_trait_conflict(unit: BattleUnit) -> tuple[str, str] | None:
    """The rule and a sentence where a unit's traits do not fit its troops or each other."""
    if "breaks_up" in unit.traits and not may_break_up(unit):
        return (
            "VBW-ORG-10",
            f"{unit.name} has breaks_up, but only light troops that serve in detachments may break up: light "
            "infantry, rangers, jaegers and regular rifles. Leave it out.",
        )
    if "mounted" in unit.traits and not may_ride(unit):
        return (
            "VBW-ORG-13",
            f"{unit.name} has mounted, but only infantry, militia and riflemen may be mounted infantry. "
            "Leave it out.",
        )
    if {"breaks_up", "mounted"} <= set(unit.traits):
        return (
            "VBW-ORG-13",
            f"{unit.name} has both breaks_up and mounted, but mounted infantry gets off as detachments. "
            "Leave one of them out.",
        )
    return None


def rules_of(scale: RulesetScale) -> RulesetRules:
    """The part of a scale that works without numba."""

    def traits_faults(battle: BattleFile, options: dict[str, Any]) -> Iterator[BattleFileError]:
        for k, unit in enumerate(battle.units):
            for trait in sorted(set(unit.traits) - set(TRAITS)):
                yield BattleFileError(
                    scale.scope,
                    f"{unit.name} has {trait}, which these rules do not know; leave it out. "
                    f"A unit may have {' or '.join(TRAITS)}.",
                    f"units[{k}].traits",
                )
            if fault := _find_trait_conflict(unit):
                yield BattleFileError(*fault, f"units[{k}].traits")

    def fates(options: Mapping[str, Any]) -> tuple[GeneralFate, ...]:
        """Commanders are taken (VBW-DEF-13), and fall where an option lets them."""
        falls = scale.options_resolve(options)["attached_army_commander_dies"] == "on"
        return ("killed", "captured") if falls else ("captured",)

    def convert_file(battle: BattleFile) -> tuple[ConvertedStrength, ...]:
        return convert_strengths(battle, scale.options_resolve(battle.options))

    paper = VolleyBayonetSheetTerms(scale)
    return RulesetRules(
        options=scale.options,
        scope=scale.scope,
        traits=list_known_traits,
        traits_faults=traits_faults,
        seen_in_woods=seen_in_woods,
        seen_through=seen_through,
        sheets=paper,
        telling=telling_of(scale),
        muster=convert_file,
        brigades=paper.brigades,
        fates=fates,
        captures=False,
    )
