"""Options of Road to Glory: rulings of its own, and what of the core's options it fixes.

`SWITCHES` are all it leaves open: those of the core with this system's default and rule, and its own.
`FIXED` are options of the core that its card answers or has no use for; nobody may choose them.
"""

from typing import Any

from battles.engine.choices import RuleOption
from battles.rulesets.volley_bayonet.options import OFF_ON, OPTIONS

#: In the order of the catalogue's rules.
SWITCHES: dict[str, RuleOption] = {
    "first_player": RuleOption("crown", ("crown", "rebel"), "RTG-GEN-02"),
    "senior_commanders_put_in_command": RuleOption("off", OFF_ON, "RTG-CMD-01"),
    "contact_tolerance_in": RuleOption(0.1, (0.1, 0.25), "RTG-CMD-02"),
    "front_arc_half_angle_beyond_corner_deg": RuleOption(45, (30, 45, 60), "RTG-MOR-01"),
    "auto_pass_fail": RuleOption("off", OFF_ON, "RTG-MOR-02"),
    "routed_also_counts_disordered_modifier": RuleOption("on", OFF_ON, "RTG-MOR-03"),
    "rear_contact_counts_as_flank_for_defender": RuleOption("on", OFF_ON, "RTG-MOR-08"),
    "cavalry_shock": RuleOption("off", OFF_ON, "RTG-CBT-17"),
    "battery_close_to_hit": RuleOption(6, (6, 4), "RTG-CBT-20"),
    "dedicated_gun_die_for_linear": RuleOption("on", OFF_ON, "RTG-CBT-22"),
    "save_succeeds_on": RuleOption(4, (3, 4, 5), "RTG-SAV-01"),
    "raw_militia_permanently_disordered": RuleOption("on", OFF_ON, "RTG-SAV-02"),
    "saves_stack": RuleOption("on", OFF_ON, "RTG-SAV-07"),
    "support_fire_counts_for_melee_result": RuleOption("off", OFF_ON, "RTG-MEL-01"),
    "exhaustion_rounding": RuleOption("nearest_half_up", ("nearest_half_up", "up", "down"), "RTG-EXH-01"),
    "field_artillery_harms_fort": RuleOption("off", OFF_ON, "RTG-TER-07"),
}
#: The year rates the troops, as at wing scale, because the card has no ratings (RTG-GEN-04).
BY_YEAR: dict[str, RuleOption] = {name: OPTIONS[name] for name in ("year", "continental_army_reform_year")}
#: What the card settles, or does without: cards, commanders of units, detachments, Native American bands.
FIXED: dict[str, Any] = {
    "cards": "off",
    "unit_commander_radius_in": 3,
    "poorly_trained_rate": "by_label",
    # what they cost bounds them (RTG-MOV-03)
    "max_facing_changes_per_phase": 9,
    "mounted_skirmish_order": "off",
    "may_break_up": "labelled_sk",
    "rallied_may_fight": "off",  # RTG-RAL-02
    "cavalry_weight": "on",  # RTG-MOR-13
    "native_band_morale_drop": "off",
    "native_shock": "off",
    "poorly_trained_stationary_dice": OPTIONS["poorly_trained_stationary_dice"].default,
    "battalion_return_fire": "off",  # RTG-CBT-01
    "woods_save_terrains": "forest_thicket_woods",
    "buildings_save": "off",  # RTG-TER-23 has what buildings do
    "tie_after_rolloff": "reroll",  # RTG-MEL-02
    "no_elites": "off",  # RTG-MEL-03 has its own
    "driven_back_friends": "off",  # RTG-ROU-02
    "winner_may_advance": "on",  # RTG-CBT-02
    "exhaustion_trigger": "losses_ge_level",  # RTG-EXH-01
    "players_per_side": 1,
    "hand_size": "by_players",
    "attached_army_commander_dies": "on",  # RTG-MIS-01
}
