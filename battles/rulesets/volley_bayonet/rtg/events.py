"""Kinds of event in a battle of brigades: the core's kinds, each under a rule of this card. No numba."""

from battles.rulesets.volley_bayonet import events

#: The rule of the card for each kind; cards and what only battalions do never happen.
RULES: dict[str, str] = {
    "arrives": "RTG-GEN-02",
    "move": "RTG-MOV-01",
    "fall_back": "RTG-MOV-09",
    "turn": "RTG-MOV-03",
    "change_formation": "RTG-MOV-06",
    "recovers": "RTG-CMD-06",
    "enters_building": "RTG-TER-20",
    "leaves_building": "RTG-TER-19",
    "marsh_die": "RTG-TER-11",
    "charge": "RTG-CHG-01",
    "morale_check": "RTG-MOR-02",
    "shaken": "RTG-MOR-14",
    "routs": "RTG-ROU-01",
    "rout_move": "RTG-ROU-01",
    "retire": "RTG-CBT-02",
    "rout_test": "RTG-RAL-01",
    "breakthrough": "RTG-ROU-02",
    "occupy": "RTG-CBT-02",
    "fire": "RTG-CBT-01",
    "hit_die": "RTG-CBT-10",
    "save_die": "RTG-SAV-01",
    "sp_lost": "RTG-CBT-03",
    "eliminated": "RTG-CBT-03",
    "melee_roll": "RTG-CBT-01",
    "melee_draw": "RTG-MEL-01",
    "melee_lost": "RTG-MEL-01",
    "melee_routed": "RTG-CBT-02",
    "roll_off": "RTG-MEL-02",
    "exhausted": "RTG-EXH-01",
    "collapse_die": "RTG-EXH-03",
    "collapses": "RTG-EXH-04",
    "marches_off": "RTG-MOV-01",
    "gun_captured": "RTG-ROU-01",  # removed when they rout; never recorded
    "general_moves": "RTG-MOV-02",
    "general_captured": "RTG-MIS-03",
    "general_die": "RTG-MIS-01",
    "battle_ends": "RTG-GEN-02",
    "breaks_off": "HR-BAT-02",
    "burning_die": "RTG-TER-24",
    "fire_out_die": "RTG-TER-24",
}
#: Every kind of the core in its order, so that kernels record them alike.
KINDS: tuple[tuple[str, str], ...] = tuple((name, RULES.get(name, "RTG-GEN-01")) for name, _ in events.KINDS)
