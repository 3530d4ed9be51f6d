"""Kinds of event in a battle of these rules, each with its rule. No numba here.

A kind that means the same as in other rulesets has their name, so that accounts and replays know it.
"""

from battles.engine import events

#: Every kind of event. The position is the code kernels record.
KINDS: tuple[tuple[str, str], ...] = (
    ("arrives", "VBW-SEQ-03"),
    ("move", "VBW-MOV-01"),
    ("fall_back", "VBW-MOV-06"),
    ("turn", "VBW-MOV-02"),
    ("change_formation", "VBW-MOV-12"),
    ("recovers", "VBW-MOV-09"),
    ("enters_building", "VBW-TER-41"),
    ("leaves_building", "VBW-TER-41"),
    ("marsh_die", "VBW-TER-09"),
    ("charge", "VBW-MOV-07"),
    ("fence_die", "VBW-TER-21"),
    ("morale_check", "VBW-MOR-05"),
    ("shaken", "VBW-DEF-01"),
    ("routs", "VBW-MOR-07"),
    ("rout_move", "VBW-MOR-07"),
    ("retire", "VBW-MEL-05"),
    ("rout_test", "VBW-RLY-02"),
    ("breakthrough", "VBW-BRK-01"),
    ("occupy", "VBW-MEL-12"),
    ("fire", "VBW-COM-01"),
    ("hit_die", "VBW-HIT-01"),
    ("save_die", "VBW-SAV-01"),
    ("sp_lost", "VBW-DEF-02"),
    ("eliminated", "VBW-DEF-02"),
    ("melee_roll", "VBW-DEF-08"),
    ("melee_draw", "VBW-MEL-02"),
    ("melee_lost", "VBW-MEL-04"),
    ("melee_routed", "VBW-MEL-09"),
    ("roll_off", "VBW-MEL-03"),
    ("exhausted", "VBW-EXH-02"),
    ("collapse_die", "VBW-COL-05"),
    ("collapses", "VBW-COL-06"),
    ("marches_off", "VBW-DEF-14"),
    ("gun_captured", "VBW-DEF-22"),
    ("card_drawn", "VBW-CRD-07"),
    ("card", "VBW-CRD-05"),
    ("card_die", "VBW-CRD-05"),
    ("general_moves", "VBW-MOV-01"),
    ("general_captured", "VBW-DEF-13"),
    ("general_die", "VBW-DEF-13"),
    ("battle_ends", "VBW-DEF-23"),
    # of Road to Glory alone, which has rules of its own for every kind (`rtg/events.py`)
    ("burning_die", "VBW-TER-39"),
    ("fire_out_die", "VBW-TER-39"),
    # of troops who change what they are on the table
    ("breaks_up", "VBW-MOV-22"),
    ("detaches", "VBW-MOV-22"),
    ("joins", "VBW-MOV-23"),
    ("forms_stand", "VBW-MOV-23"),
    ("skirmishes", "VBW-MOV-20"),
    ("closes_up", "VBW-MOV-21"),
    ("mounts", "VBW-MOV-19"),
    ("dismounts", "VBW-MOV-19"),
    # of those who go where others make them
    ("driven_back", "VBW-MEL-06"),
    ("charge_halts", "VBW-NAT-01"),
    # of skirmishers who fight hand to hand
    ("forms_to_fight", "VBW-MOV-24"),
    ("breaks_off", "HR-BAT-02"),
)
CODE: dict[str, int] = {name: code for code, (name, _) in enumerate(KINDS)}

#: Results as events show them: those of all rulesets, then our own.
RESULTS: tuple[str, ...] = (*events.RESULTS, "passes", "fails")
RESULT: dict[str, int] = {name: code for code, name in enumerate(RESULTS)}
