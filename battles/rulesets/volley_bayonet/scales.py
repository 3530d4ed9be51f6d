"""One scale of Volley & Bayonet: its options, its tables, and the beginning of its rule ids."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.engine.choices import RuleOption, chosen_faults, chosen_resolve
from battles.errors import BattleFileError
from battles.rulesets.volley_bayonet.options import OPTIONS
from battles.rulesets.volley_bayonet.tables import WING_TABLES, ScaleTables


@dataclass(frozen=True, slots=True)
class RulesetScale:
    """A published system over the common core.

    `switches` are the options whose default or rule is another one than at wing scale; `prefix` is the
    beginning of its rule ids, `scope` the rule an option that does not exist is refused under.
    """

    id: str
    title: str
    prefix: str
    switches: Mapping[str, RuleOption] = field(default_factory=dict)
    tables: ScaleTables = WING_TABLES

    @property
    def scope(self) -> str:
        """The rule that says what the game is."""
        return f"{self.prefix}-GEN-01"

    @property
    def options(self) -> dict[str, RuleOption]:
        """All options in the order of the rules, with this scale's defaults."""
        return OPTIONS | dict(self.switches)

    def options_resolve(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options with the chosen ones set; raises BattleFileError for what cannot be chosen."""
        return chosen_resolve(chosen, self.options, self.scope)

    def options_faults(self, chosen: Mapping[str, Any]) -> Iterator[BattleFileError]:
        """Options and choices there are not."""
        return chosen_faults(chosen, self.options, self.scope)
