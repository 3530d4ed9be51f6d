"""The words in which battles of these rules are told: kinds of our own, and what we call otherwise."""

from battles.replay.event_text import FIGURES, Telling
from battles.rulesets.regimental.positions import build_table_file, find_base_size

STEPS = {
    "-": "before any move",
    "A": "maneuver",
    "B": "musketry and cannonade",
    "C": "charges",
}
LINES = {
    "maneuver": "{a} check their maneuver",
    "recovers": "{a} recover their order",
    "shaken": "{a} fall into disorder",
    "routs": "{a} break",
    "rout_move": "{a} run {n} inches",
    "retire": "{a} retire {n} inches",
    "by_flank": "{a} march {n} inches by the flank",
    "passes_lines": "{a} pass through {t}",
    "hauled": "{a} are drawn {n} inches by hand",
    "rallies_guns": "{a} bring their silenced guns back into action",
    "replenishes": "{a} replenish their ammunition",
    "leaves_building": "{a} come out of {t}",
    "charge": "{a} charge {t}",
    "counter_charge": "{a} go to meet {t}",
    "fire_dice": "fire at {t}",
    "massed": "{a}, massed behind {t}, suffer too",
    "low_on_ammo": "{a} run low on ammunition",
    "charge_checked": "the charge of {a} is checked",
    "sp_lost": "{a} lose stands: {n}",
    "silenced": "{a} have gun stands silenced: {n}",
    "damaged": "{a} have a gun stand damaged",
    "guns_lost": "{a} lose gun stands to the enemy: {n}",
    "melee_roll": "{a} close with {t}",
    "breakthrough": "{a} break through to {t}",
    "occupy": "{a} carry the position",
    "recalls": "{a} recall",
    "general_die": "{t}, with {a}, in danger",
    "colonel_die": "the colonel of {a} in danger",
    "gun_captured": "the guns of {a} are taken",
    "wagon_captured": "{a} are taken",
}
SAYINGS = {
    "shaken": {"": "{a} fell into disorder"},
    "routs": {"": "{a} broke and ran"},
    "passes_lines": {"": "{a} passed through the ranks of {t}"},
    "charge_checked": {"": "{a} were checked in their charge"},
    "low_on_ammo": {"": "{a} began to run short of cartridges"},
    "silenced": {"": "{a} were silenced"},
    "damaged": {"": "{a} had a gun dismounted"},
    "breakthrough": {"": "{a} broke through to {t}"},
    "occupy": {"": "{a} carried the position"},
    "gun_captured": {"": "the guns of {a} were taken", "named": "{a} were taken"},
    "wagon_captured": {"": "{a} were taken"},
    "melee_roll": {
        "swept": "{a} swept {t} from the field",
        "driven_back": "{a} drove {t} back",
        "hard_pressed": "{a} pressed {t} hard",
        "falter": "{a} faltered before {t}",
        "recoil": "{a} recoiled from {t}",
        "repulsed": "{a} were repulsed by {t}",
    },
    "general_die": {
        "killed": "{t} fell at the head of {a}",
        "captured": "{t} was taken with {a}",
        "disabled": "{t} was badly wounded at the head of {a}",
        "wounded": "{t} was wounded at the head of {a}",
        "knocked_down": "{t} was thrown to the ground beside {a}",
        "horse_killed": "{t} had his horse shot under him beside {a}",
    },
    "colonel_die": {
        "killed": "the colonel of {a} fell",
        "captured": "the colonel of {a} was taken",
        "disabled": "the colonel of {a} was carried off",
    },
    "marches_off": {"": "{a} marched off the field"},
}
UNTOLD = frozenset(
    {
        "maneuver", "recovers", "rallies_guns", "replenishes", "fire_dice", "massed", "guns_lost", "recalls",
        "by_flank", "hauled",
    }
)  # fmt: skip
#: Kinds that say less than another of the same unit in the same turn.
IMPLIED = {"shaken": "routs", "silenced": "gun_captured"}
#: What came of dice, by kind and result.
RESULTS = {
    "": {
        "double_quick": "they go at the double quick",
        "well_handled": "well handled",
        "tardy": "tardy",
        "falls_back": "they fall back",
        "panic": "they panic",
        "rally_with_elan": "they rally with elan",
        "rally": "they rally",
        "shaken": "they are shaken, and in order",
        "wavering": "they waver",
        "panic_in_disorder": "they panic",
        "withering": "withering fire",
        "telling_charge_checked": "telling fire, which checks any charge",
        "telling_cold_steel": "telling fire, which checks all but cold steel",
        "telling_charge_home": "telling fire",
        "galling": "galling fire",
        "lively": "lively fire",
        "desultory": "desultory fire",
        "swept": "swept from the field",
        "driven_back": "driven back",
        "hard_pressed": "hard pressed",
        "desperate_struggle": "a desperate struggle",
        "falter": "the attack falters",
        "recoil": "the attack recoils",
        "repulsed": "the attack is repulsed",
        "none": "unhurt",
        "horse_killed": "his horse is killed",
        "knocked_down": "he is knocked down",
        "wounded": "a flesh wound",
        "disabled": "grievously wounded",
        "killed": "he is killed",
        "captured": "he is taken",
    },
    "fire": {"hit": "", "miss": ""},
}
#: Kinds that belong to the act before them.
FOLLOWS = frozenset(
    {
        "fire_dice", "massed", "low_on_ammo", "charge_checked", "sp_lost", "silenced", "damaged", "guns_lost",
        "retire", "rout_move", "occupy", "recalls", "breakthrough", "general_die", "colonel_die",
    }
)  # fmt: skip
JOINT = {"maneuver": "Maneuver checks"}
BY_ROLLS = frozenset({"shaken", "routs", "charge_checked", "low_on_ammo"})

#: A turn is ten minutes (REG-GEN-01), a piece a unit whose strength is told in stands.
TELLING = Telling(
    steps=STEPS,
    lines=LINES,
    sayings=SAYINGS,
    untold=UNTOLD,
    implied=IMPLIED,
    wavers=frozenset({"shaken", "routs", "eliminated", "charge_checked"}),
    stopped="were stopped by the fire of {t}",
    results=RESULTS,
    figures=dict.fromkeys(("by_flank", "hauled"), FIGURES["move"]),
    compared=frozenset({"maneuver", "melee_roll"}),
    by_rolls=BY_ROLLS,
    follows=FOLLOWS,
    joint=JOINT,
    moods=("in good order", "disordered", "broken", "gone"),
    base=find_base_size,
    pieces=build_table_file,
)
