"""Options of the AWI tactical rules as typed settings, checked against their choices."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.engine.choices import RuleOption, chosen_faults, chosen_resolve
from battles.errors import BattleFileError

_OFF_ON = ("off", "on")
_DETECTION = ({"dense": 4, "open": 12}, {"dense": 2, "open": 6}, "unlimited")
_GRASSHOPPER = ({"deployed": 3, "rout": 12}, {"deployed": 6, "rout": 12}, {"deployed": 21, "rout": 21})

#: Every tactical option of the catalogue, in its order.
OPTIONS: dict[str, RuleOption] = {
    "scale": RuleOption("25mm", ("25mm", "15mm"), "AWI-T-SCA-02"),
    "variant": RuleOption("none", ("none", "ireland_1798", "jacobite_1745"), "AWI-T-V98-01"),
    "militia_morale": RuleOption(-1, (-1, -2), "AWI-T-MOR-02"),
    "shaken_quality_modifiers": RuleOption(
        "off", ("off", "militia_minus_1", "militia_minus_1_grenadier_plus_1"), "AWI-T-MOR-06"
    ),
    "irregulars_rout_instead_of_retire": RuleOption("off", _OFF_ON, "AWI-T-MOR-04"),
    "cumulative_shaken_to_rout": RuleOption("off", ("off", 2, 3), "AWI-T-MOR-07"),
    "randomised_effectiveness": RuleOption("off", _OFF_ON, "AWI-T-OPT-01"),
    "road_bonus": RuleOption("off", _OFF_ON, "AWI-T-MOV-11"),
    "grasshopper_moves": RuleOption(_GRASSHOPPER[0], _GRASSHOPPER, "AWI-T-MOV-03"),
    "howitzer_move_class": RuleOption("medium", ("light", "medium", "heavy"), "AWI-T-MOV-04"),
    "wagon_move": RuleOption(6, (3, 6, 9), "AWI-T-MOV-04"),
    "general_move": RuleOption(18, (15, 18), "AWI-T-GEN-03"),
    "wheeled_open_woods": RuleOption("2/3", ("2/3", "1/3"), "AWI-T-TER-01"),
    "ford_cost": RuleOption("as_stream", ("as_stream", "free"), "AWI-T-TER-09"),
    "woods_detection_other": RuleOption(_DETECTION[0], _DETECTION, "AWI-T-TER-07"),
    "facing_pin_distance": RuleOption("charge_reach", ("charge_reach", "flat_6"), "AWI-T-FAC-01"),
    "artillery_facing": RuleOption("free", ("free", "dice"), "AWI-T-FAC-03"),
    "fire_declaration": RuleOption(
        "declare_all_then_by_target", ("declare_all_then_by_target", "one_at_a_time"), "AWI-T-FIR-03"
    ),
    "fire_morale_strength": RuleOption("after_loss", ("after_loss", "before_loss"), "AWI-T-FIR-12"),
    "galloper_long_max": RuleOption(21, (21, 27), "AWI-T-FIR-06"),
    "short_range_ball_factor": RuleOption(0, (0, -1), "AWI-T-FIR-09"),
    "long_range_extra_minus": RuleOption(0, (0, -1), "AWI-T-FIR-13"),
    "building_cover": RuleOption("by_strength", ("by_strength", "flat_minus_2"), "AWI-T-FOR-03"),
    "fortification_class": RuleOption("by_strength", ("by_strength", "by_kind"), "AWI-T-FOR-04"),
    "evade": RuleOption("none", ("none", "open_order_foot_and_cavalry"), "AWI-T-CHG-09"),
    "charger_when_target_goes": RuleOption(
        "advance_to_vacated_ground", ("advance_to_vacated_ground", "stay_put"), "AWI-T-CHG-10"
    ),
    "melee_obstacle_columns": RuleOption(
        "as_printed", ("as_printed", "cavalry_infantry_swapped"), "AWI-T-MEL-03"
    ),
    "column_bonus": RuleOption("attacker_only", ("attacker_only", "either"), "AWI-T-MEL-06"),
    "repulse_instead_of_rout": RuleOption(
        "charging_side_only", ("charging_side_only", "either_side_at_obstacle"), "AWI-T-MEL-09"
    ),
    "highland_fire": RuleOption(
        "musket_minus_2", ("musket_minus_2", "none", "attached_light_infantry"), "AWI-T-V45-06"
    ),
    "dragoon_rout_45": RuleOption(18, (18, 21), "AWI-T-V45-11"),
}
#: Options of ours, which the catalogue of the published rules does not know (HR).
HOUSE_OPTIONS: dict[str, RuleOption] = {"rain_on_muskets": RuleOption(0, (0, -1, -2), "HR-WEA-04")}

SCOPE = "AWI-T-SCA-01"


def options_resolve(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """All options with the chosen ones set.

    Raises BattleFileError for options or choices that are not in the catalogue's list.
    """
    return chosen_resolve(chosen, OPTIONS | HOUSE_OPTIONS, SCOPE)


def options_faults(chosen: Mapping[str, Any]) -> Iterator[BattleFileError]:
    """Options and choices that are not in the catalogue's list."""
    return chosen_faults(chosen, OPTIONS | HOUSE_OPTIONS, SCOPE)
