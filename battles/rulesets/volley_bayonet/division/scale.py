"""Division level: the core of wing scale (VBD-GEN-01) with these switches thrown and nothing else."""

from battles.engine.choices import RuleOption
from battles.rulesets.volley_bayonet.options import OFF_ON
from battles.rulesets.volley_bayonet.scales import RulesetScale

DIVISION = RulesetScale(
    "vb_division",
    "Volley & Bayonet in the Americas, division level",
    "VBD",
    switches={
        "first_player": RuleOption("crown", ("crown", "rebel"), "VBD-SEQ-05"),
        "cards": RuleOption("on", OFF_ON, "VBD-SEQ-01"),
        "unit_commander_radius_in": RuleOption(6, (3, 6), "VBD-CMD-01"),
        "poorly_trained_rate": RuleOption(12, ("by_label", 12), "VBD-MOV-01"),
        "mounted_skirmish_order": RuleOption("off", OFF_ON, "VBD-MOV-17"),
        "may_break_up": RuleOption(
            "organised_in_detachments", ("labelled_sk", "organised_in_detachments"), "VBD-MOV-19"
        ),
        "raw_militia_permanently_disordered": RuleOption("off", OFF_ON, "VBD-ABL-04"),
        "cavalry_weight": RuleOption("off", OFF_ON, "VBD-MOR-05"),
        "native_band_morale_drop": RuleOption("off", OFF_ON, "VBD-NAT-04"),
        "native_shock": RuleOption("off", OFF_ON, "VBD-NAT-04"),
        "battalion_return_fire": RuleOption("off", OFF_ON, "VBD-ABS-03"),
        "woods_save_terrains": RuleOption("woods_only", ("forest_thicket_woods", "woods_only"), "VBD-SAV-03"),
        "buildings_save": RuleOption("off", OFF_ON, "VBD-ABS-01"),
        "no_elites": RuleOption("off", OFF_ON, "VBD-MEL-03"),
        "driven_back_friends": RuleOption("off", OFF_ON, "VBD-MEL-06"),
        "winner_may_advance": RuleOption("on", OFF_ON, "VBD-MEL-12"),
        "hand_size": RuleOption(2, ("by_players", 2), "VBD-SEQ-02"),
    },
)
