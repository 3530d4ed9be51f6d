"""Options of the Volley & Bayonet rules, all scales: every ruling that may be read otherwise.

The defaults are those of wing scale; another scale declares what differs (`RulesetScale.switches`).
"""

from battles.engine.choices import RuleOption

OFF_ON = ("off", "on")
_FOUR, _TWO = {"fire": 4, "melee": 4}, {"fire": 2, "melee": 2}

#: In the order of the catalogue's rules.
OPTIONS: dict[str, RuleOption] = {
    "first_player": RuleOption("crown", ("crown", "rebel"), "VBW-SEQ-01"),
    "cards": RuleOption("off", OFF_ON, "VBW-SEQ-01"),
    "unit_commander_radius_in": RuleOption(3, (3, 6), "VBW-CMD-01"),
    "contact_tolerance_in": RuleOption(0.1, (0.1, 0.25), "VBW-CMD-08"),
    "poorly_trained_rate": RuleOption("by_label", ("by_label", 12), "VBW-MOV-01"),
    "max_facing_changes_per_phase": RuleOption(2, (2, 9), "VBW-MOV-03"),
    "mounted_skirmish_order": RuleOption("on", OFF_ON, "VBW-MOV-20"),
    "may_break_up": RuleOption("labelled_sk", ("labelled_sk", "organised_in_detachments"), "VBW-MOV-22"),
    "raw_militia_permanently_disordered": RuleOption("on", OFF_ON, "VBW-ABL-08"),
    "rallied_may_fight": RuleOption("on", OFF_ON, "VBW-RLY-04"),
    "rear_contact_counts_as_flank_for_defender": RuleOption("on", OFF_ON, "VBW-MOR-15"),
    "routed_also_counts_disordered_modifier": RuleOption("on", OFF_ON, "VBW-MOR-17"),
    "cavalry_weight": RuleOption("on", OFF_ON, "VBW-MOR-18"),
    "native_band_morale_drop": RuleOption("on", OFF_ON, "VBW-NAT-02"),
    "native_shock": RuleOption("on", OFF_ON, "VBW-NAT-03"),
    "poorly_trained_stationary_dice": RuleOption(_FOUR, (_FOUR, _TWO), "VBW-COM-03"),
    "battalion_return_fire": RuleOption("on", OFF_ON, "VBW-RTF-01"),
    "save_succeeds_on": RuleOption(4, (3, 4, 5), "VBW-SAV-01"),
    "woods_save_terrains": RuleOption(
        "forest_thicket_woods", ("forest_thicket_woods", "woods_only"), "VBW-SAV-03"
    ),
    "buildings_save": RuleOption("on", OFF_ON, "VBW-SAV-04"),
    "tie_after_rolloff": RuleOption("reroll", ("reroll", "defender_wins"), "VBW-MEL-03"),
    "no_elites": RuleOption("on", OFF_ON, "VBW-MEL-03"),
    "driven_back_friends": RuleOption("on", OFF_ON, "VBW-MEL-06"),
    "winner_may_advance": RuleOption("on", OFF_ON, "VBW-MEL-12"),
    "exhaustion_rounding": RuleOption("nearest_half_up", ("nearest_half_up", "up", "down"), "VBW-EXH-01"),
    "exhaustion_trigger": RuleOption("losses_ge_level", ("losses_ge_level", "losses_gt_level"), "VBW-EXH-02"),
    "year": RuleOption(1777, tuple(range(1775, 1784)), "VBW-RAT-04"),
    "continental_army_reform_year": RuleOption(1778, (1778, 1779), "VBW-RAT-04"),
    "players_per_side": RuleOption(1, (1, 2, 3), "VBW-CRD-03"),
    "hand_size": RuleOption("by_players", ("by_players", 2), "VBW-CRD-03"),
    "front_arc_half_angle_beyond_corner_deg": RuleOption(45, (30, 45, 60), "VBW-DEF-04"),
    "support_fire_counts_for_melee_result": RuleOption("on", OFF_ON, "VBW-DEF-09"),
    "attached_army_commander_dies": RuleOption("off", OFF_ON, "VBW-DEF-13"),
}
