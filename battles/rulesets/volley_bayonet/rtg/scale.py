"""Road to Glory: a stand is a brigade, an inch a hundred yards and a turn an hour (RTG-GEN-01)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.engine.choices import RuleOption, chosen_resolve
from battles.rulesets.volley_bayonet.rtg.options import BY_YEAR, FIXED, SWITCHES
from battles.rulesets.volley_bayonet.rtg.tables import RTG_TABLES
from battles.rulesets.volley_bayonet.scales import RulesetScale


@dataclass(frozen=True, slots=True)
class FixedScale(RulesetScale):
    """A scale that leaves some of the core's options open to nobody; those have the values of `fixed`."""

    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, RuleOption]:
        """The options there are to choose, in the order of the rules, with this scale's defaults."""
        return {**self.switches, **BY_YEAR}

    def options_resolve(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options, the fixed ones too; raises BattleFileError for what cannot be chosen."""
        return {**self.fixed, **chosen_resolve(chosen, self.options, self.scope)}


ROAD_TO_GLORY = FixedScale(
    "vb_rtg",
    "Volley & Bayonet: Road to Glory",
    "RTG",
    switches=SWITCHES,
    tables=RTG_TABLES,
    fixed=FIXED,
)
