"""Parts of a ruleset that need no numba: options, checks, sight, sheets, words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.choices import RuleOption, chosen_faults, chosen_resolve
from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit, GeneralFate
from battles.printing.sheet_types import BrigadeTerms, Figures, SheetTerms, UnitTerms
from battles.replay.event_text import Telling
from battles.strength_conversion import ConvertedStrength

#: What may become of generals.
FATES: tuple[GeneralFate, ...] = ("killed", "captured", "disabled", "wounded")


def _every_fate(options: Mapping[str, Any]) -> tuple[GeneralFate, ...]:
    return FATES


@dataclass(frozen=True, slots=True)
class RulesetRules:
    """One ruleset. An option there is not is refused under `scope`.

    `traits` are those that mean something under its options, `traits_faults` yields what of a battle's
    cannot be. `muster` says how units stand where strength is counted otherwise than in the file, None
    where it is not, and `pooled` the cards of units that stand as one, by the first of each, None where
    none do. `brigades` are those that tire, None where none does; `endings` says when a battle is over
    where units stand as one, None where the sheets do. Both speak of a part of a fight, or all of it, and
    take the whole file after it, by which its units stand. `fates` are what may become of
    generals under its options, `captures` whether troops may be taken with the SP they have left.
    `seen_in_woods` is from how many inches of the file troops in open or dense woods are seen,
    `seen_through` how many inches of such woods before them hide them.
    """

    options: Mapping[str, RuleOption]
    scope: str
    traits: Callable[[Mapping[str, Any]], tuple[str, ...]]
    traits_faults: Callable[[BattleFile, dict[str, Any]], Iterator[BattleFileError]]
    seen_in_woods: Callable[[BattleUnit, str], float]
    seen_through: Callable[[BattleUnit, str], float]
    sheets: SheetTerms
    telling: Telling
    muster: Callable[[BattleFile], tuple[ConvertedStrength, ...]] | None = None
    pooled: Callable[[BattleFile], Mapping[str, UnitTerms]] | None = None
    brigades: Callable[[BattleFile, BattleFile], tuple[BrigadeTerms, ...]] | None = None
    endings: Callable[[BattleFile, Figures, BattleFile], tuple[str, ...]] | None = None
    fates: Callable[[Mapping[str, Any]], tuple[GeneralFate, ...]] = _every_fate
    captures: bool = True

    def options_resolve(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options with the chosen ones set; raises BattleFileError for what cannot be chosen."""
        return chosen_resolve(chosen, self.options, self.scope)

    def options_faults(self, chosen: Mapping[str, Any]) -> Iterator[BattleFileError]:
        """Options and choices there are not."""
        return chosen_faults(chosen, self.options, self.scope)
