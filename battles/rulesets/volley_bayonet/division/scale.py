"""Division level: the core of wing scale (VBD-GEN-01) with these switches thrown and nothing else."""

from battles.engine.choices import Option
from battles.rulesets.volley_bayonet.options import OFF_ON
from battles.rulesets.volley_bayonet.scales import Scale

DIVISION = Scale(
    "vb_division",
    "Volley & Bayonet in the Americas, division level",
    "VBD",
    switches={
        "first_player": Option("crown", ("crown", "rebel"), "VBD-SEQ-05"),
        "cards": Option("on", OFF_ON, "VBD-SEQ-01"),
        "unit_commander_radius_in": Option(6, (3, 6), "VBD-CMD-01"),
        "poorly_trained_rate": Option(12, ("by_label", 12), "VBD-MOV-01"),
        "mounted_skirmish_order": Option("off", OFF_ON, "VBD-MOV-17"),
        "may_break_up": Option(
            "organised_in_detachments", ("labelled_sk", "organised_in_detachments"), "VBD-MOV-19"
        ),
        "raw_militia_permanently_disordered": Option("off", OFF_ON, "VBD-ABL-04"),
        "cavalry_weight": Option("off", OFF_ON, "VBD-MOR-05"),
        "native_band_morale_drop": Option("off", OFF_ON, "VBD-NAT-04"),
        "native_shock": Option("off", OFF_ON, "VBD-NAT-04"),
        "battalion_return_fire": Option("off", OFF_ON, "VBD-ABS-03"),
        "woods_save_terrains": Option("woods_only", ("forest_thicket_woods", "woods_only"), "VBD-SAV-03"),
        "buildings_save": Option("off", OFF_ON, "VBD-ABS-01"),
        "no_elites": Option("off", OFF_ON, "VBD-MEL-03"),
        "driven_back_friends": Option("off", OFF_ON, "VBD-MEL-06"),
        "winner_may_advance": Option("on", OFF_ON, "VBD-MEL-12"),
        "hand_size": Option(2, ("by_players", 2), "VBD-SEQ-02"),
    },
)
