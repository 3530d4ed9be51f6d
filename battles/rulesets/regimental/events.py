"""Kinds of events in a battle of these rules, with the rule of each. No numba here.

A kind that means the same as in other rulesets has their name, so that accounts and replays know it.
"""

from battles.engine import events

#: Every kind of event. The position is the code kernels record.
KINDS: tuple[tuple[str, str], ...] = (
    ("arrives", "REG-GEN-02"),
    ("maneuver", "REG-MAN-01"),
    ("recovers", "REG-MAN-07"),
    ("shaken", "REG-UNI-02"),
    ("routs", "REG-UNI-02"),
    ("rout_move", "REG-MAN-05"),
    ("retire", "REG-MAN-06"),
    ("move", "REG-MOV-01"),
    ("turn", "REG-TRP-01"),
    ("by_flank", "REG-TRP-01"),
    ("passes_lines", "REG-TRP-03"),
    ("change_formation", "REG-TRP-01"),
    ("limber", "REG-GUN-01"),
    ("deploy", "REG-GUN-01"),
    ("hauled", "REG-GUN-01"),
    ("rallies_guns", "REG-GUN-01"),
    ("replenishes", "REG-FIR-10"),
    ("enters_building", "REG-UNI-04"),
    ("leaves_building", "REG-UNI-04"),
    ("charge", "REG-GEN-02"),
    ("counter_charge", "REG-TRP-05"),
    ("fire", "REG-FIR-01"),
    ("fire_dice", "REG-FIR-01"),
    ("massed", "REG-FIR-09"),
    ("low_on_ammo", "REG-FIR-10"),
    ("charge_checked", "REG-FIR-08"),
    ("sp_lost", "REG-FIR-07"),
    ("silenced", "REG-FIR-07"),
    ("damaged", "REG-FIR-07"),
    ("guns_lost", "REG-DEF-07"),
    ("eliminated", "REG-UNI-02"),
    ("melee_roll", "REG-CHG-01"),
    ("breakthrough", "REG-CHG-11"),
    ("occupy", "REG-CHG-05"),
    ("recalls", "REG-CHG-05"),
    ("general_joins", "REG-CMD-03"),
    ("general_moves", "REG-CMD-03"),
    ("general_die", "REG-LDR-01"),
    ("colonel_die", "REG-LDR-04"),
    ("left_table", "REG-DEF-04"),
    ("marches_off", "REG-DEF-04"),
    ("gun_captured", "REG-DEF-07"),
    ("wagon_captured", "REG-DEF-07"),
    ("battle_ends", "REG-DEF-08"),
    ("breaks_off", "HR-BAT-02"),
)
CODE: dict[str, int] = {name: code for code, (name, _) in enumerate(KINDS)}

#: Results as events show them: those of all rulesets, then of maneuver checks, of fire and of charges, each
#: in the order of the codes in `records`.
RESULTS: tuple[str, ...] = (
    *events.RESULTS,
    "double_quick", "well_handled", "tardy", "falls_back", "panic",
    "rally_with_elan", "rally", "shaken", "wavering", "panic_in_disorder",
    "withering", "telling_charge_checked", "telling_cold_steel", "telling_charge_home",
    "galling", "lively", "desultory",
    "swept", "driven_back", "hard_pressed", "desperate_struggle", "falter", "recoil", "repulsed",
    "horse_killed", "knocked_down",
)  # fmt: skip
RESULT: dict[str, int] = {name: code for code, name in enumerate(RESULTS)}
