"""The quick reference of these rules, made from the code's own tables. No numba here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.engine.choices import format_choice
from battles.printing.sheet_types import ReferenceTable
from battles.rulesets.volley_bayonet.deck import CARDS, WHOSE
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.tables import (
    BASES,
    FENCE,
    GOING,
    KINDS,
    MARSH,
    SUPERIOR_RADIUS,
    StandDice,
)

MINUS = "\u2212"
STEPS = (
    ("1. Command", "who is in command of the side whose phase it is"),
    ("2. Moves", "its stands and commanders"),
    ("3. Rally", "its routed stands that a superior touches"),
    ("4. Morale", "checks of both sides, then breakthroughs"),
    ("5. Order", "it says in what order combats are fought"),
    ("6. Combats", "fire with its return, melees"),
    ("7. Collapse", "exhausted brigades of both sides"),
)
MODIFIERS = {
    "stationary_infantry_or_artillery_defending_higher_ground": "stationary foot or guns on higher ground",
    "infantry_or_artillery_defending_works": "foot or guns at works",
    "superior_commander_not_uc_attached_to_unit": "a superior with the unit",
    "meleeing_skirmishers": "about to melee skirmishers",
    "meleeing_enemy_in_flank_or_rear": "about to melee a flank or rear",
    "attacking_units_in_road_march": "attacking who is in road march",
    "stand_is_disordered": "disordered",
    "cavalry_meleeing_heavier_cavalry": "horse against heavier horse",
    "meleeing_artillery_from_front": "at guns from their front",
    "unsupported_artillery_being_meleed": "guns without support, meleed",
    "infantry_meleed_by_mounted": "foot meleed by horse",
    "meleed_from_flank": "meleed from flank or rear",
    "meleed_while_in_road_march": "meleed in road march",
    "meleed_while_already_routed": "meleed while routed",
}
WEAPONS = {
    "musket": "musket",
    "rifle": "rifle",
    "native_american": "Native Americans",
    "light_3_4lb": "light guns, 3 and 4 lb",
    "field_6_9lb": "field guns, 6 and 9 lb",
    "field_howitzer_5_5_6in": "howitzers, 5\u00bd and 6 in",
    "heavy_12lb": "heavy guns, 12 lb",
}
#: Who fires back, by the choice of VBW-RTF-01 and VBD-ABS-03.
RETURNED = {
    "on": "Who is shot at fires back, and those of his unit with him who touch.",
    "off": "Only who is shot at fires back.",
}
#: Ground of the table; swamp is as forest, and crops cost nothing.
SHOWN = ("forest", "woods", "broken", "camp")
#: What of a routed stand that is meleed, by the choice of VBW-MOR-17.
_ROUTED = "routed_also_counts_disordered_modifier"
ROUTED_TOO = {"on": "The routed are disordered too.", "off": "The routed are not counted as disordered too."}
RESULTS = (
    ("in good order", "disordered; a melee lost: back half a move"),
    ("disordered", "routs: 1 SP lost, a whole move away"),
    ("permanently disordered", "routs"),
    ("routed", "removed"),
)


def format_signed(value: int) -> str:
    """A number with its sign."""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value else "0"


def _format_key(key: str) -> str:
    return key.replace("_", " ")


def reference_of(scale: RulesetScale, options: Mapping[str, Any]) -> tuple[ReferenceTable, ...]:
    """The tables a player looks up, in the order of a phase, under these options."""
    p, told = scale.prefix, modifiers_of(options)
    made = [
        ReferenceTable("A side's phase", (f"{p}-SEQ-03",), STEPS),
        ReferenceTable(
            "Command", (f"{p}-CMD-01",),
            (
                ("a superior", f"reaches {SUPERIOR_RADIUS:g} inches: brigade, wing, army commander"),
                ("unit commander", f"reaches {options['unit_commander_radius_in']} inches"),
                ("out of command", "half a move, disordered by it, no nearer to the enemy, no recovery"),
            ),
        ),
        ReferenceTable(
            "Moves, inches", (f"{p}-MOV-01",),
            _list_rate_rows(scale, options),
            note="Road march: three times along a road, twice across country; half a turn to come out of it.",
        ),
        _build_ground_table(p, options),
        _build_dice_table(scale, options),
        _build_ranges_table(scale, options),
        ReferenceTable(
            "Saves, each a die", (f"{p}-SAV-01",),
            tuple((name, f"{options['save_succeeds_on']}+") for name in saves_of(options)),
        ),
        ReferenceTable(
            "Morale: die of at most", (f"{p}-MOR-05",),
            tuple(
                (told[key], format_signed(value)) for key, value in scale.tables.morale.items() if key in told
            ),
            note=f"Added to the morale of the label. {ROUTED_TOO[options[_ROUTED]]}",
        ),
        ReferenceTable("Check failed or melee lost", ("VBW-DEF-01",), RESULTS),
        ReferenceTable(
            "Bases, inches", ("VBW-STD-12",),
            tuple(
                (_format_key(key), f"{front:g} by {depth:g}")
                for key, (front, depth) in BASES.items()
                if key != "mounted_skirmisher" or _may_skirmish(options)
            ),
        ),
    ]  # fmt: skip
    if options["cards"] == "on":
        made.append(_build_cards_table())
    chosen = [
        (_format_key(key), format_choice(options[key]))
        for key, option in scale.options.items()
        if options[key] != option.default
    ]
    if chosen:
        made.append(ReferenceTable("Chosen for this battle", (scale.scope,), tuple(chosen)))
    return tuple(made)


def modifiers_of(options: Mapping[str, Any]) -> dict[str, str]:
    """The modifiers of morale that are played with, in words (VBW-MOR-15, VBW-MOR-18)."""
    told = dict(MODIFIERS)
    if options["cavalry_weight"] == "off":
        del told["cavalry_meleeing_heavier_cavalry"]
    if options["rear_contact_counts_as_flank_for_defender"] == "off":
        told["meleed_from_flank"] = "meleed from flank"
    return told


def saves_of(options: Mapping[str, Any]) -> list[str]:
    """Rows of what gives a save, as far as these options allow it (VBW-SAV-02 to 08)."""
    wood = "forest, thicket or woods" if options["woods_save_terrains"] == "forest_thicket_woods" else "woods"
    told = ["skirmish order, against fire", f"foot in {wood}, against small arms"]
    if options["buildings_save"] == "on":
        told.append("foot in a block, not against fire of heavy guns")
    return [
        *told,
        "foot and guns at works",
        "guns, against guns at long range, not heavy ones",
        "who shoots or strikes is disordered",
        "horse that goes back 6 inches a hit, against fire",
    ]


def dice_of(scale: RulesetScale, options: Mapping[str, Any]) -> dict[str, StandDice]:
    """Dice of a stand by what it is; those of the stationary poorly trained are chosen (VBW-COM-03)."""
    still = options["poorly_trained_stationary_dice"]
    poor = replace(scale.tables.dice["poorly_trained"], stationary=(still["fire"], still["melee"]))
    return dict(scale.tables.dice) | {"poorly_trained": poor}


def _may_skirmish(options: Mapping[str, Any]) -> bool:
    """True when horse may go into skirmish order (VBW-MOV-20)."""
    return bool(options["mounted_skirmish_order"] == "on")


def _list_rate_rows(scale: RulesetScale, options: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    rows = [(_format_key(key), str(rate)) for key, rate in scale.tables.rates.items()]
    if options["poorly_trained_rate"] != "by_label":
        rows.insert(2, ("poorly trained infantry", str(options["poorly_trained_rate"])))
    return tuple(rows)


def _build_ground_table(prefix: str, options: Mapping[str, Any]) -> ReferenceTable:
    """Inches of allowance for an inch by troops, a star where the ground disorders, and for a fence."""
    left_out = ("commanders",) if _may_skirmish(options) else ("commanders", "horse_skirmishers")
    rows = []
    for k, kind in enumerate(KINDS):
        if kind in left_out:
            continue
        costs = [(GOING[name].costs[k], kind in GOING[name].disorders) for name in SHOWN]
        cells = ["no" if cost is None else f"{cost:g}{'*' * disordered}" for cost, disordered in costs]
        rows.append((_format_key(kind), *cells, f"{FENCE[k]:g}"))
    dice = "; ".join(
        f"{'up to ' + str(most) if most < 10 else 'more'}: {cost}{', disordered' if disorders else ''}"
        for most, cost, disorders in MARSH
    )
    return ReferenceTable(
        "Ground, inches for an inch", (f"{prefix}-TER-01",), tuple(rows), ("", *SHOWN, "fence"),
        "* disordered. Thicket and swamp as forest; tree line and hedge as fence, which is inches to cross. "
        f"Marsh: a die, +1 for guns, +1 where it is trodden; {dice}. Stream, ford, works: half a turn.",
    )  # fmt: skip


def _format_dice(value: int, still: int) -> str:
    """Dice of a stand, and in brackets those of one that is stationary where they are others."""
    return f"{value} ({still})" if still != value else str(value)


def _build_dice_table(scale: RulesetScale, options: Mapping[str, Any]) -> ReferenceTable:
    rows = []
    for key, dice in dice_of(scale, options).items():
        fire, melee = dice.stationary or (dice.fire, dice.melee)
        rows.append((_format_key(key), _format_dice(dice.fire, fire), _format_dice(dice.melee, melee)))
    return ReferenceTable(
        "Dice of a stand (stationary)", (f"{scale.prefix}-COM-02",), tuple(rows), ("", "fire", "melee")
    )


def _build_ranges_table(scale: RulesetScale, options: Mapping[str, Any]) -> ReferenceTable:
    """Ranges in inches with the least score that hits."""
    tables = scale.tables
    rows = [
        (WEAPONS[key], "", f"{arm.long:g}: {arm.long_hit}+", f"{arm.melee_hit}+")
        for key, arm in tables.small_arms.items()
    ]
    rows += [
        (
            WEAPONS[key],
            f"{gun.short:g}: {gun.short_hit}+",
            f"{gun.long:g}: {gun.long_hit}+",
            f"{gun.short_hit}+",
        )
        for key, gun in tables.guns.items()
    ]
    return ReferenceTable(
        "Ranges and hits", (f"{scale.prefix}-HIT-01", f"{scale.prefix}-HIT-02"), tuple(rows),
        ("", "short", "long", "melee"),
        "Sharpshooters need 1 less in fire, shock troops 1 less when they charge. "
        f"{RETURNED[options['battalion_return_fire']]}",
    )  # fmt: skip


def _build_cards_table() -> ReferenceTable:
    """The deck: each card once, with whose it is and how many there are."""
    rows = tuple((card.title, WHOSE[card.kind], str(card.copies)) for card in CARDS)
    return ReferenceTable("Fog of war cards", ("VBW-CRD-10",), rows, ("", "whose", "copies"))
