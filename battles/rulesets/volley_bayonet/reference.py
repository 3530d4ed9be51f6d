"""The quick reference of these rules, made from the code's own tables. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.engine.choices import shown
from battles.rulesets.volley_bayonet.deck import CARDS, CROWN, REBEL
from battles.rulesets.volley_bayonet.scales import Scale
from battles.rulesets.volley_bayonet.tables import (
    BASES,
    FENCE,
    GOING,
    KINDS,
    MARSH,
    SUPERIOR_RADIUS,
)
from battles.terms import ReferenceTable

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
RESULTS = (
    ("in good order", "disordered; a melee lost: back half a move"),
    ("disordered", "routs: 1 SP lost, a whole move away"),
    ("permanently disordered", "routs"),
    ("routed", "removed"),
)
SAVES = (
    "skirmish order, against fire",
    "foot in woods, against small arms",
    "foot in a block, not against heavy guns",
    "foot and guns at works",
    "guns, against guns at long range",
    "who shoots or strikes is disordered",
    "horse that goes back 6 inches a hit",
)


def signed(value: int) -> str:
    """A number with its sign."""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value else "0"


def _said(key: str) -> str:
    return key.replace("_", " ")


def reference_of(scale: Scale, options: Mapping[str, Any]) -> tuple[ReferenceTable, ...]:
    """What a player looks up, in the order of a phase, under these options."""
    p = scale.prefix
    made = [
        ReferenceTable("A side's phase", (f"{p}-SEQ-03",), STEPS),
        ReferenceTable(
            "Command", (f"{p}-CMD-01",),
            (
                ("brigade, wing, army commander", f"{SUPERIOR_RADIUS:g} inches"),
                ("unit commander", f"{options['unit_commander_radius_in']} inches"),
                ("out of command", "half a move, disordered by it, no nearer to the enemy, no recovery"),
            ),
        ),
        ReferenceTable(
            "Moves, inches", (f"{p}-MOV-01",),
            tuple((_said(key), str(rate)) for key, rate in scale.tables.rates.items()),
            note="Road march: three times along a road, twice across country; half a turn to come out of it.",
        ),
        _going(p),
        _dice(scale),
        _ranges(scale),
        ReferenceTable(
            "Saves, each a die", (f"{p}-SAV-01",),
            tuple((name, f"{options['save_succeeds_on']}+") for name in SAVES),
        ),
        ReferenceTable(
            "Morale: die of at most", (f"{p}-MOR-05",),
            tuple((MODIFIERS[key], signed(value)) for key, value in scale.tables.morale.items()),
            note="Added to the morale of the label.",
        ),
        ReferenceTable("Check failed or melee lost", ("VBW-DEF-01",), RESULTS),
        ReferenceTable(
            "Bases, inches", ("VBW-STD-12",),
            tuple((_said(key), f"{front:g} by {depth:g}") for key, (front, depth) in BASES.items()),
        ),
    ]  # fmt: skip
    if options["cards"] == "on":
        made.append(_cards())
    chosen = [
        (_said(key), shown(options[key]))
        for key, option in scale.options.items()
        if options[key] != option.default
    ]
    if chosen:
        made.append(ReferenceTable("Chosen for this battle", (scale.scope,), tuple(chosen)))
    return tuple(made)


def _going(prefix: str) -> ReferenceTable:
    """Inches of allowance for an inch, a star where the ground disorders."""
    shown_kinds = [k for k, kind in enumerate(KINDS) if kind != "commanders"]
    rows = []
    for name, going in GOING.items():
        if name in ("open", "water"):
            continue
        cells = []
        for k in shown_kinds:
            cost = going.costs[k]
            star = "*" if KINDS[k] in going.disorders else ""
            cells.append("no" if cost is None else f"{cost:g}{star}")
        rows.append((name, *cells))
    rows.append(("fence, hedge", *(f"{FENCE[k]:g} in." for k in shown_kinds)))
    dice = "; ".join(
        f"{'up to ' + str(most) if most < 10 else 'more'}: {cost}{', disordered' if disorders else ''}"
        for most, cost, disorders in MARSH
    )
    return ReferenceTable(
        "Ground, inches for an inch", (f"{prefix}-TER-01",), tuple(rows),
        ("", *(_said(KINDS[k]) for k in shown_kinds)),
        f"* disordered. Marsh: a die, +1 for guns, +1 where it is trodden; {dice}. "
        "Stream, ford, works: half a turn.",
    )  # fmt: skip


def _told(value: int, still: int) -> str:
    """Dice of a stand, and in brackets those of one that is stationary where they are others."""
    return f"{value} ({still})" if still != value else str(value)


def _dice(scale: Scale) -> ReferenceTable:
    rows = []
    for key, dice in scale.tables.dice.items():
        fire, melee = dice.stationary or (dice.fire, dice.melee)
        rows.append((_said(key), _told(dice.fire, fire), _told(dice.melee, melee)))
    return ReferenceTable(
        "Dice of a stand (stationary)", (f"{scale.prefix}-COM-02",), tuple(rows), ("", "fire", "melee")
    )


def _ranges(scale: Scale) -> ReferenceTable:
    """Ranges in inches with the least score that hits."""
    tables = scale.tables
    rows = [
        (_said(key), "", f"{arm.long:g}: {arm.long_hit}+", f"{arm.melee_hit}+")
        for key, arm in tables.small_arms.items()
    ]
    rows += [
        (
            _said(key),
            f"{gun.short:g}: {gun.short_hit}+",
            f"{gun.long:g}: {gun.long_hit}+",
            f"{gun.short_hit}+",
        )
        for key, gun in tables.guns.items()
    ]
    return ReferenceTable(
        "Ranges and hits", (f"{scale.prefix}-HIT-01", f"{scale.prefix}-HIT-02"), tuple(rows),
        ("", "short", "long", "melee"),
    )  # fmt: skip


def _cards() -> ReferenceTable:
    """The deck: each card once, with whose it is and how many there are."""
    whose = {CROWN: "Crown", REBEL: "Rebels"}
    rows = tuple((card.title, whose.get(card.kind, "both"), str(card.copies)) for card in CARDS)
    return ReferenceTable("Fog of war cards", ("VBW-CRD-10",), rows, ("", "whose", "copies"))
