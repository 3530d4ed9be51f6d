"""Options of the Regimental rules: every ruling that may be read otherwise, with the ruling as default."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.engine.choices import RuleOption, chosen_faults, chosen_resolve
from battles.errors import BattleFileError

OFF_ON = ("off", "on")
#: The rule that says what the game is: an option that does not exist is refused under it.
SCOPE = "REG-GEN-01"

#: In the order of the catalogue's rules.
OPTIONS: dict[str, RuleOption] = {
    "first_player": RuleOption("attacker", ("attacker", "defender"), "REG-GEN-02"),
    "fire_order": RuleOption("defensive_first", ("defensive_first", "together"), "REG-GEN-02"),
    "worn_at": RuleOption("3/4", ("3/4", "2/3"), "REG-UNI-03"),
    "spent_at": RuleOption("1/2", ("1/2", "1/3"), "REG-UNI-03"),
    "woods_counted_dense": RuleOption("all", ("all", "dense_only"), "REG-CMD-01"),
    "poor_light": RuleOption("off", OFF_ON, "REG-CMD-01"),
    "leaders_replaced": RuleOption("on", OFF_ON, "REG-CMD-03"),
    "brigade_rolls_once": RuleOption("on", OFF_ON, "REG-MAN-02"),
    "batteries_count_fresh": RuleOption("on", OFF_ON, "REG-MAN-03"),
    "musket_max_in": RuleOption(4, (4, 8), "REG-FIR-02"),
    "rifle_full_in": RuleOption(8, (4, 8), "REG-FIR-02"),
    "rifle_max_in": RuleOption(12, (8, 12), "REG-FIR-02"),
    "canister_max_in": RuleOption(4, (4, 8), "REG-FIR-03"),
    "halvings_multiply": RuleOption("on", OFF_ON, "REG-FIR-04"),
    "target_lines_add": RuleOption("on", OFF_ON, "REG-FIR-06"),
    "buck_and_ball": RuleOption("american", ("american", "nobody"), "REG-FIR-06"),
    "massed_target": RuleOption("every_fire", ("every_fire", "massed_only"), "REG-FIR-09"),
    "ground_and_position_add": RuleOption("off", OFF_ON, "REG-CHG-02"),
    "breakthrough_mandatory_on_swept": RuleOption("on", OFF_ON, "REG-CHG-11"),
    "brave_colonels": RuleOption("elite", ("nobody", "elite", "one_a_brigade"), "REG-LDR-04"),
    "leaders_score_for": RuleOption("both", ("both", "british"), "REG-VP-01"),
    "year": RuleOption(1777, tuple(range(1775, 1784)), "REG-SPC-04"),
}


def options_resolve(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """All options with the chosen ones set; raises BattleFileError for what cannot be chosen."""
    return chosen_resolve(chosen, OPTIONS, SCOPE)


def options_faults(chosen: Mapping[str, Any]) -> Iterator[BattleFileError]:
    """Options and choices there are not."""
    return chosen_faults(chosen, OPTIONS, SCOPE)
