"""The quick reference of these rules, made from the code's own tables. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.engine.choices import format_choice
from battles.printing.sheet_types import ReferenceTable
from battles.rulesets.regimental.figures import small_arms
from battles.rulesets.regimental.options import OPTIONS, SCOPE
from battles.rulesets.regimental.records import MUSKET, RIFLE
from battles.rulesets.regimental.tables import (
    BASES,
    CANNON,
    CANNON_COLUMNS,
    CHARGE,
    COMMAND_RADIUS,
    EFFECTS,
    FILE_GROUND,
    FIRE,
    GROUND,
    LESS_THAN_ONE,
    MANEUVER,
    POINTS,
    RATES,
    RATINGS,
    SHORT_RADIUS,
)

MINUS = "\u2212"
PHASES = (
    ("1. Maneuver", "leaders; brigade by brigade the check, charges, moves; detached leaders"),
    ("2. Fire", "the other side's defensive fire, then its own"),
    ("3. Charges", "charge combats, breakthroughs, their combats"),
)
RESULTS = (
    ("6 or more", "double quick", "good order, well handled"),
    ("0 to 5", "well handled", "good order, tardy"),
    (f"{MINUS}1 to {MINUS}5", "tardy; doubles: fall back", "good order, out of close range; doubles: waver"),
    (f"{MINUS}6 or less", "panic: run broken, guns silenced", "panic: run, lose the dice's difference"),
)
CHARGES = (
    ("6 or more", "defender swept: 2 stands and more, runs; attacker breaks through"),
    ("3 to 5", "defender driven back: 1 stand, disordered; attacker carries the position"),
    ("1, 2", "defender hard pressed: disordered, 2 inches back"),
    ("0", "both lose a stand and order; again without steel"),
    (f"{MINUS}1, {MINUS}2", "attacker falters: disordered, 2 inches back"),
    (f"{MINUS}3 to {MINUS}5", "attacker recoils: 1 stand, disordered, out of close range"),
    (f"{MINUS}6 or less", "attacker repulsed: 2 stands and more, runs"),
)
EFFECT_WORDS = {
    "withering": "2 stands, disordered, charge checked; a gun wrecked, the rest silenced",
    "telling_charge_checked": "1 stand, disordered, charge checked; a gun damaged",
    "telling_cold_steel": "the same, but cold steel comes home",
    "telling_charge_home": "the same, and the charge comes home",
    "galling": "disordered, or 1 stand; a gun silenced",
    "lively": "if guns have half the points or more: disordered; a gun silenced",
}
#: Lines of the modifier tables that name several things.
LINE_WORDS = {
    "fresh_troops_or_artillery_battery": "fresh troops, or a battery",
    "field_or_march_column_garrison_limbered_gun_or_linear_cover": (
        "field or march column, garrison, limbered gun or linear cover"
    ),
    "gun_target_limbered_enfiladed_or_in_close_range": "at guns limbered, enfiladed or in close range",
    "troop_target_field_column_mass_cavalry_marched_by_flank_about_faced_passage_of_lines_or_broken": (
        "at troops in field column or mass, cavalry, or troops marched by the flank, about faced, "
        "in passage of lines or broken"
    ),
    "troop_target_march_column_or_enfiladed": "at troops in march column or enfiladed",
    "firing_buck_and_ball_in_a_charge_or_marksmen": "firing buck and ball in a charge, or marksmen",
    "outflanked_broken_march_column_or_limbered_guns": "outflanked, broken, march column or limbered guns",
    "cavalry_charge_over_open_ground_not_mounted_infantry": (
        "cavalry charging over open ground, not mounted infantry"
    ),
}
LEADERS = (
    ("12, 11", "dead"),
    ("10", "out of the battle"),
    ("9", f"{MINUS}1 to maneuver"),
    ("8", "away for a turn"),
    ("7", "on foot for a turn"),
)


def format_signed(value: int) -> str:
    """A number with its sign."""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value else "0"


def _format_key(key: str) -> str:
    return LINE_WORDS.get(key) or key.replace("_", " ")


def reference_of(options: Mapping[str, Any]) -> tuple[ReferenceTable, ...]:
    """The tables a player looks up, in the order of a turn, under these options."""
    made = [
        ReferenceTable("A side's turn", ("REG-GEN-02",), PHASES),
        ReferenceTable(
            "Command", ("REG-CMD-01", "REG-CMD-02"),
            (
                ("leader on his own", f"{COMMAND_RADIUS:g} inches in sight"),
                ("attached, on foot, through woods", f"{SHORT_RADIUS:g} inches"),
                ("another leader's reach", "provisional command; militia always"),
            ),
        ),
        _build_modifiers_table("Maneuver: coloured less white die", ("REG-MAN-03",), MANEUVER),
        ReferenceTable(
            "Maneuver results", ("REG-MAN-05", "REG-MAN-07"), RESULTS, ("", "good order, guns", "others"),
            "Who is out of close range (4 inches) or fortified holds instead of falling back.",
        ),
        _build_rates_table(),
        _build_ranges_table(options),
        ReferenceTable(
            "Fire points", ("REG-FIR-05",),
            _list_point_rows(),
            note="Half when disordered, low on ammunition, in mass, or from a damaged gun.",
        ),
        _build_modifiers_table("Fire: two dice", ("REG-FIR-06",), FIRE),
        _build_effects_table(),
        _build_modifiers_table("Charge: a die each", ("REG-CHG-02",), CHARGE),
        ReferenceTable("Charge results", ("REG-CHG-04", "REG-CHG-10"), CHARGES),
        ReferenceTable(
            "Fallen leaders: two dice", ("REG-LDR-01",), LEADERS,
            note="7 to 10 with a 6, in a unit swept or repulsed: taken.",
        ),
        _build_ground_table(),
        ReferenceTable(
            "Stands, inches", ("REG-DEF-01",),
            tuple((_format_key(key), f"{front:g} by {depth:g}") for key, (front, depth) in BASES.items()),
        ),
    ]  # fmt: skip
    chosen = [
        (_format_key(key), format_choice(options[key]))
        for key, option in OPTIONS.items()
        if options[key] != option.default
    ]
    if chosen:
        made.append(ReferenceTable("Chosen for this battle", (SCOPE,), tuple(chosen)))
    return tuple(made)


def _build_modifiers_table(title: str, rules: tuple[str, ...], table: Mapping[str, int]) -> ReferenceTable:
    return ReferenceTable(
        title, rules, tuple((_format_key(key), format_signed(value)) for key, value in table.items())
    )


def _list_point_rows() -> tuple[tuple[str, str], ...]:
    """Modifiers by fire points."""
    steps = ((f"from {least}", format_signed(modifier)) for least, modifier in POINTS)
    return (("less than 1", format_signed(LESS_THAN_ONE)), *steps)


def _build_rates_table() -> ReferenceTable:
    """Full moves and, behind a stroke, the double quick."""
    rows = []
    for arm, formations in RATES.items():
        for name, rate in formations.items():
            cells = [rate.open, rate.broken, rate.rough, rate.road]
            told = ["no" if pair is None else _format_pair(pair) for pair in cells]
            rows.append((f"{arm}, {_format_key(name)}", *told))
    return ReferenceTable(
        "Moves, inches / double quick", ("REG-MOV-01",), tuple(rows), ("", "open", "broken", "rough", "road")
    )


def _format_pair(pair: tuple[int, int]) -> str:
    return f"{pair[0]}" if pair[0] == pair[1] else f"{pair[0]} / {pair[1]}"


def _build_ranges_table(options: Mapping[str, Any]) -> ReferenceTable:
    """Fire points of a stand by range."""
    arms = small_arms(options)
    rows = [
        (name, "; ".join(f"{points} to {inches:g}" for inches, points in arms[code]))
        for name, code in (("musket", MUSKET), ("rifle", RIFLE))
    ]
    columns = (options["canister_max_in"], *CANNON_COLUMNS[1:])
    for gun, points in CANNON.items():
        told = [f"{worth} to {inches:g}" for inches, worth in zip(columns, points, strict=True) if worth]
        rows.append((_format_key(gun), "; ".join(told)))
    return ReferenceTable("Fire points of a stand, inches", ("REG-FIR-02", "REG-FIR-03"), tuple(rows))


def _build_effects_table() -> ReferenceTable:
    """The totals from which each effect comes, by the target's rating."""
    rows = [
        (_format_key(name), *("no" if one is None else f"{one}" for one in least), EFFECT_WORDS[name])
        for name, least in EFFECTS.items()
    ]
    return ReferenceTable(
        "Effects of fire, from", ("REG-FIR-07",), tuple(rows), ("", *RATINGS, ""),
        "15 or more takes one stand more. Double six: low on ammunition. Doubles that disorder: a leader "
        "checks.",
    )  # fmt: skip


def _build_ground_table() -> ReferenceTable:
    """Cover, sight and movement by what a battle file's ground is here."""
    rows = []
    for name, here in FILE_GROUND.items():
        if here in GROUND:
            row = GROUND[here]
            sight = "all" if row.visibility is None else f"{row.visibility}"
            rows.append((_format_key(name), row.cover, "yes" if row.heart else "no", sight, row.movement))
    return ReferenceTable(
        "Ground", ("REG-TER-01", "REG-DEF-09"), tuple(rows),
        ("", "cover", "favours who is charged", "seen, inches", "movement"),
        "Works fortify. A fence or wall in the way makes the whole move one on broken ground.",
    )  # fmt: skip
