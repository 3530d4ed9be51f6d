"""What the example offers without numba: options, paper, words (docs/add-a-ruleset.md, step 6)."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.engine.choices import RuleOption
from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.printing.sheet_types import CardTerms, Figures, ReferenceTable, TableTerms, UnitTerms
from battles.replay.event_text import Telling
from battles.rulesets.rules import RulesetRules

OPTIONS = {"hits_on": RuleOption(6, (5, 6), "EXA-FIR-01")}


class Paper:
    """The example on paper (`terms.SheetTerms`)."""

    def table(self, battle: BattleFile, figures: Figures) -> TableTerms:
        return TableTerms(
            inch=1.0,
            distances="inches that nothing is measured in",
            base=(90.0, 20.0),
            based="a unit",
            moves_as="nobody",
            first_move=f"{battle.side_name(battle.attacker)} throws first in every turn",
            late="anywhere",
        )

    def kind(self, unit: BattleUnit, options: Mapping[str, Any]) -> str:
        return unit.troop_type.replace("_", " ")

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        return UnitTerms(
            self.kind(unit, options), "", (("SP", unit.sp),), facts=(("Throws", "a die a turn"),)
        )

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        return UnitTerms(leader.rank.replace("_", " "), "general", facts=(("Does", "nothing"),))

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        hits_on = RULES.options_resolve(battle.options)["hits_on"]
        return (ReferenceTable("A hit", ("EXA-FIR-01",), (("a die of", f"{hits_on} or more"),)),)

    def cards(self, battle: BattleFile) -> tuple[CardTerms, ...]:
        return ()

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        return (f"A side breaks when {battle.break_percent} % of its strength points are lost.",)


def no_traits(options: Mapping[str, Any]) -> tuple[str, ...]:
    """None mean anything here."""
    return ()


def traits_faults(battle: BattleFile, options: dict[str, Any]) -> Iterator[BattleFileError]:
    """Traits of units, which the example does not know."""
    for k, unit in enumerate(battle.units):
        if unit.traits:
            message = (
                f"{unit.name} has {', '.join(unit.traits)}, which these rules do not know; leave it out."
            )
            yield BattleFileError("EXA-SEQ-01", message, f"units[{k}].traits")


def seen(unit: BattleUnit, wood: str) -> float:
    """Woods hide nobody."""
    return 96.0


RULES = RulesetRules(
    options=OPTIONS,
    scope="EXA-SEQ-01",
    traits=no_traits,
    traits_faults=traits_faults,
    seen_in_woods=seen,
    seen_through=seen,
    sheets=Paper(),
    telling=Telling(steps={"A": "fire"}),
    fates=lambda options: (),
    captures=False,
)
