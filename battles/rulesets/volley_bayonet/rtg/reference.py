"""The quick reference of Road to Glory, made from the code's own tables. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.engine.choices import format_choice
from battles.files.schema import BattleFile
from battles.printing.sheet_types import ReferenceTable
from battles.rulesets.volley_bayonet.reference import MINUS, format_signed
from battles.rulesets.volley_bayonet.rtg import tables
from battles.rulesets.volley_bayonet.rtg.scale import FixedScale
from battles.rulesets.volley_bayonet.rtg.terrain import (
    BY_DIE,
    COLUMNS,
    ENTERING,
    FOURFOLD,
    HALF_MOVE,
    INSIDE,
    LEAVING,
    MOVES,
    PROHIBITED,
    TWICE,
)

PHASES = (
    ("1. Command", "who is in command of the side whose turn it is"),
    ("2. Movement", "its stands, charges among them, then its commanders"),
    ("3. Rally", "its routed stands that a Corps or Army Commander touches"),
    (
        "4. Morale",
        "checks of both sides; then, for each stand that routed, one enemy who touched it may follow",
    ),
    ("5. Combat", "it attacks one enemy stand after the other; each answers once"),
    ("6. Exhaustion", "divisions of both sides"),
)
COMMAND = (
    ("brigades", f"within {tables.COMMAND_RADIUS:g} inches of their Division Commander, or touching who is"),
    ("skirmishers", f"within {tables.COMMAND_RADIUS:g} inches of any commander or stand in command"),
    ("out of command", "half a move, disordered by it, no nearer to an enemy in sight, no recovery"),
)
#: Ground that a battle file may have, and what the troops of the columns are called.
SHOWN = ("broken", "forest", "orchard", "marsh", "swamp", "town", "field_works", "stream")
TROOPS = (
    "brigades of foot",
    "brigades of horse",
    "guns",
    "foot skirmishers",
    "horse skirmishers",
    "commanders",
)
ROUTS = (
    ("in good order", "disordered; a melee lost: back half a move"),
    ("disordered", "routs: 1 SP and its dedicated gun lost, a whole move away"),
    ("permanently disordered", "routs"),
    ("routed", "removed"),
)
MOST_OF_DIE = 6
SAVED = (
    "who shoots or strikes is disordered, a foot skirmisher, or a battery that is not stationary",
    "skirmishers with a base's room on both sides, against fire",
    "unlimbered guns, against guns but heavy and siege guns",
    "horse that goes back 6 inches a hit, against fire",
    "by the ground: broken (skirmishers), forest, works",
)


def reference_of(battle: BattleFile, scale: FixedScale) -> tuple[ReferenceTable, ...]:
    """The tables a player looks up, in the order of a turn, under the battle's options."""
    options = scale.options_resolve(battle.options)
    made = [
        ReferenceTable("A side's turn", ("RTG-GEN-02",), PHASES),
        ReferenceTable("Command", ("RTG-CMD-01", "RTG-CMD-02", "RTG-CMD-03"), COMMAND),
        ReferenceTable(
            "Moves, inches", ("RTG-MOV-02",),
            tuple((_format_key(key), str(rate)) for key, rate in tables.RATES.items()),
            note="March column: three times along a road, twice across country; half a move to leave it. "
            "An inch is kept from enemies who are not charged.",
        ),
        _build_ground_table(),
        _build_dice_table(),
        _build_ranges_table(options),
        ReferenceTable(
            "Saves, each a die", ("RTG-SAV-01", "RTG-SAV-07"),
            tuple((name, f"{options['save_succeeds_on']}+") for name in SAVED),
        ),
        ReferenceTable(
            "Morale: die of at most", ("RTG-MOR-02", "RTG-MOR-03"),
            tuple((_format_key(key), format_signed(value)) for key, value in tables.MORALE.items() if value),
            note="Added to the stand's morale. In contact, or in the close range of guns straight ahead.",
        ),
        ReferenceTable("Check failed or melee lost", ("RTG-MOR-14", "RTG-CBT-02"), ROUTS),
        ReferenceTable(
            "A drawn melee: die, morale and", ("RTG-MEL-02", "RTG-MEL-03"),
            tuple((_format_key(key), format_signed(value)) for key, value in tables.TIES.items()),
        ),
        ReferenceTable(
            "Bases, inches", ("RTG-GEN-04",),
            tuple((key, f"{front:g} by {depth:g}") for key, (front, depth) in tables.BASES.items()),
        ),
    ]  # fmt: skip
    chosen = [
        (_format_key(key), format_choice(options[key]))
        for key, option in scale.options.items()
        if options[key] != option.default
    ]
    if chosen:
        made.append(ReferenceTable("Chosen for this battle", (scale.scope,), tuple(chosen)))
    return tuple(made)


def format_score(score: int) -> str:
    """The least score that hits; of a die there is none above 6."""
    return "6" if score == MOST_OF_DIE else f"{score}+"


def _format_key(key: str) -> str:
    return key.replace("_", " ")


def format_cell(effects: int) -> str:
    """The cell of the terrain table for these effects: cost, and a star for disorder."""
    if effects & PROHIBITED:
        return "no"
    if effects & BY_DIE:
        return "die"
    cost = (
        "4"
        if effects & FOURFOLD
        else "2"
        if effects & TWICE
        else "half a move"
        if effects & HALF_MOVE
        else "1"
    )
    return cost + ("*" if effects & (ENTERING | INSIDE | LEAVING) else "")


def _build_ground_table() -> ReferenceTable:
    rows = tuple(
        (TROOPS[column], *(format_cell(MOVES[kind][column]) for kind in SHOWN))
        for column in range(len(COLUMNS))
    )
    return ReferenceTable(
        "Ground, inches for an inch", ("RTG-TER-00",), rows, ("", *(_format_key(kind) for kind in SHOWN)),
        "* disordered. Open woods are orchard, dense woods forest. Marsh: a die, +1 for guns, +1 where it is "
        "trodden; up to 2: 1, up to 4: 2, more: 4, disordered. A second stream in a turn disorders.",
    )  # fmt: skip


def _build_dice_table() -> ReferenceTable:
    rows = []
    for key, dice in tables.DICE.items():
        fire, melee = dice.stationary or (dice.fire, dice.melee)
        rows.append((_format_key(key), _format_dice(dice.fire, fire), _format_dice(dice.melee, melee)))
    return ReferenceTable(
        "Dice of a stand (stationary)", ("RTG-CBT-10",), tuple(rows), ("", "fire", "melee"),
        "A dedicated gun adds one, to 4 inches. They do not fall with SP.",
    )  # fmt: skip


def _format_dice(value: int, still: int) -> str:
    return f"{value} ({still})" if still != value else str(value)


def _build_ranges_table(options: Mapping[str, Any]) -> ReferenceTable:
    rows = [
        (_format_key(key), MINUS, f"{arm.long:g}: {arm.long_hit}+") for key, arm in tables.SMALL_ARMS.items()
    ]
    rows += [
        (_format_key(key), f"{gun.short:g}: {gun.short_hit}+", f"{gun.long:g}: {gun.long_hit}+")
        for key, gun in tables.GUNS.items()
    ]
    return ReferenceTable(
        "Ranges and hits", ("RTG-RNG-01", "RTG-CBT-15"), tuple(rows), ("", "close", "long"),
        f"A battery hits on {format_score(options['battery_close_to_hit'])} at close range "
        "(RTG-CBT-20). Guns hit in "
        "melee as at close range, all others on 6. Sharpshooters need 1 less in fire.",
    )  # fmt: skip
