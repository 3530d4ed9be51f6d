"""The quick reference of the AWI rules, made from the catalogue's and the code's tables. No numba here."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from battles.engine.choices import format_choice
from battles.files.schema import BattleFile
from battles.printing.sheet_types import Figures, ReferenceTable
from battles.rulesets.awi import tables, terrain
from battles.rulesets.awi.options import HOUSE_OPTIONS, OPTIONS, options_resolve
from battles.rulesets.awi.words import MINUS, format_distance, format_share, format_signed
from rosters.domain.vocabulary import Arm, FormationOrder, GunClass

Row = tuple[str, ...]
#: What the catalogue's keys are called on paper, where they are not words already.
_WORDS = {
    "european_grenadiers": "European grenadiers",
    "other_european_regulars": "other European regulars, guns and horse too",
    "american_regular_rifles": "American rifles",
    "militia": "militia (poor militia)",
    "indians": "native warriors",
    "wagons_and_the_like": "wagons",
    "all_others": "all others",
    "british_close_order_infantry": "firer British close order foot (no provincials)",
    "militia_or_indians": "firer militia or natives",
    "firer_3_or_4_sp": "firer of 3 or 4 SP",
    "firer_1_or_2_sp": "firer of 1 or 2 SP",
    "rifle_short": "rifles, short",
    "rifle_medium": "rifles, medium",
    "gun_short_canister": "guns, short: canister (no friends in its fan)",
    "gun_medium": "guns, medium",
    "gun_long": "guns, long",
    "target_solid_cover": "target fortified (structure of 9 SP or more)",
    "target_woods_or_soft_cover": "target in woods or soft cover (2 to 4 SP)",
    "target_hard_cover_or_building": "target in hard cover (5 to 8 SP)",
    "non_cavalry_charged_by_cavalry": "no cavalry, charged by cavalry",
    "open_order_foot_or_artillery_charged_by_close_order": "open order foot or guns, charged by close order",
    "behind_obstacle_or_in_building": "behind an obstacle or in a building",
    "cavalry_charged_only_by_non_cavalry": "cavalry, charged by no cavalry",
    "close_order_charged_only_by_open_order_foot_or_artillery": "close order, charged by open order alone",
    "in_fortification": "in a fortification (9 SP or more; instead)",
    "unit_is_cavalry": "cavalry",
    "indian_unit": "native warriors",
    "european_regulars": "European regulars",
    "open_order_or_artillery": "open order foot, guns, wagons",
    "charging_over_obstacle": "charging over an obstacle *",
    "charging_building": "charging a building *",
    "charging_fortification": "charging a fortification *",
    "overlapping_enemy": "in line against a single enemy in column",
    "two_or_more_bases_deep_not_light": "charging in column, not open order",
    "infantry": "foot",
    "mounted": "horse",
    "dead": "killed",
}
_STEPS = {"moving": "mover", "firing": "other side", "both": "both"}
_CLASSES = ("close order foot", "open order foot", "horse", "wheels")


@cache
def _load_rule_tables() -> dict[str, Any]:
    """The catalogue's tables by the rule they stand under."""
    text = (Path(__file__).parent / "catalogue.yaml").read_text(encoding="utf-8")
    return {rule["id"]: rule.get("table", {}) for rule in yaml.safe_load(text)["rules"]}


def reference(battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
    """The tables a player looks up, in the order of a game turn, for the options of this battle."""
    options = options_resolve(battle.options)
    made = (
        _build_turn_table(figures),
        _build_morale_table(options),
        _build_tests_table(),
        _build_moves_table(options, figures),
        _build_going_table(options),
        _build_crossing_table(),
        _build_ranges_table(options, figures),
        _build_fire_table(options),
        _build_charge_table(figures),
        _build_melee_table(options),
        _build_melee_results_table(figures),
        _build_generals_table(),
        _build_structures_table(),
        _build_woods_table(options, figures),
    )
    chosen = _find_options_table(battle)
    return (*made, chosen) if chosen is not None else made


def _format_key(key: str) -> str:
    return _WORDS.get(key, key.replace("_", " "))


def _build_signed_rows(values: Mapping[str, int]) -> tuple[Row, ...]:
    return tuple((_format_key(key), format_signed(value)) for key, value in values.items())


def _build_turn_table(figures: Figures) -> ReferenceTable:
    steps = _load_rule_tables()["AWI-T-SEQ-01"]["steps"]
    rows = tuple((f"{letter}. {step['does']}", _STEPS[step["actor"]]) for letter, step in steps.items())
    gap = format_distance(steps["C"]["min_gap_inches"], figures)
    return ReferenceTable(
        "A side's turn",
        ("AWI-T-SEQ-01",),
        rows,
        note=f"Only the other side fires. Step C keeps {gap} from enemies.",
    )


def _build_morale_table(options: Mapping[str, Any]) -> ReferenceTable:
    values = dict(_load_rule_tables()["AWI-T-MOR-01"])
    values["militia"] = options["militia_morale"]
    rows = [(_format_key(key), format_signed(value)) for key, value in values.items()]
    rows[list(values).index("militia")] = (
        _format_key("militia"),
        f"{format_signed(options['militia_morale'])} ({format_signed(tables.POOR_MILITIA_MORALE)})",
    )
    return ReferenceTable("Basic morale: SP now and", ("AWI-T-MOR-01", "AWI-T-MOR-02"), tuple(rows))


def _build_tests_table() -> ReferenceTable:
    """The tests of step A: shaken and routing troops on one die."""
    shaken, routing = _load_rule_tables()["AWI-T-MOR-03"], _load_rule_tables()["AWI-T-MOR-05"]
    rows = [(f"shaken, {_format_bound(roll)}", what) for roll, what in shaken["results"].items()]
    rows += [(f"routing, {_format_bound(roll)}", what) for roll, what in routing["results"].items()]
    added = ", ".join(
        f"{format_signed(value)} with a {_format_key(who)}" for who, value in shaken["modifiers"].items()
    )
    return ReferenceTable(
        "Step A: 1d6", ("AWI-T-MOR-03", "AWI-T-MOR-05"), tuple(rows), note=f"{added} general."
    )


def _format_bound(roll: str) -> str:
    if roll.startswith("<="):
        return f"{roll[2:]} or less"
    return f"{roll[2:]} or more" if roll.startswith(">=") else roll.replace("-", " to ")


def _build_moves_table(options: Mapping[str, Any], figures: Figures) -> ReferenceTable:
    def inches(*values: float) -> Row:
        return tuple(format_distance(Fraction(value), figures, unit=False) for value in values)

    names = {
        (Arm.FOOT, FormationOrder.CLOSE): "close order foot",
        (Arm.FOOT, FormationOrder.OPEN): "open order foot",
    }
    rows: list[Row] = [
        (names.get(key, "light horse"), *inches(rates.line, rates.column, rates.rout))
        for key, rates in tables.TROOP_RATES.items()
    ]
    guns = dict(tables.GUN_RATES)
    guns[GunClass.HOWITZER] = tables.GUN_RATES[GunClass(options["howitzer_move_class"])]
    for gun, rates in guns.items():
        rows.append(
            (f"{gun} guns" if gun in _SIZES else str(gun), *inches(rates.line, rates.column, rates.rout))
        )
    rows.append(("wagons", "", *inches(options["wagon_move"]), "none"))
    rows.append(("generals", *inches(options["general_move"]), "", ""))
    back, passing = _load_rule_tables()["AWI-T-MOV-07"], _load_rule_tables()["AWI-T-MOV-10"]
    less = ", ".join(
        f"{_format_key(arm)} {format_distance(value, figures, unit=False)}" for arm, value in back.items()
    )
    over = ", ".join(
        f"{_format_key(arm)} {format_distance(value, figures, unit=False)}" for arm, value in passing.items()
    )
    return ReferenceTable(
        "Moves in inches",
        ("AWI-T-MOV-01", "AWI-T-MOV-02", "AWI-T-MOV-04"),
        tuple(rows),
        ("", "line / by hand", "column / limbered", "rout"),
        f"Back, facing the enemy: less {less}. Through friends: less {over}. Turning more than 45 degrees, "
        "limbering and unlimbering take the whole move (AWI-T-MOV-06 to 10).",
    )


_SIZES = (GunClass.LIGHT, GunClass.MEDIUM, GunClass.HEAVY)


def _build_going_table(options: Mapping[str, Any]) -> ReferenceTable:
    rows = {
        "broken ground, crops": terrain.ROUGH_GROUND,
        "swamp": terrain.SWAMP,
        "gentle slope": terrain.GENTLE_SLOPE,
        "steep slope": terrain.STEEP_SLOPE,
        "open woods": (*terrain.OPEN_WOODS[:3], Fraction(options["wheeled_open_woods"])),
        "thick woods": terrain.DENSE_WOODS,
    }
    told = tuple(
        (name, *(format_share(None if factor is None else str(factor)) for factor in factors))
        for name, factors in rows.items()
    )
    return ReferenceTable(
        "Share of a move on",
        ("AWI-T-TER-01", "AWI-T-TER-05"),
        told,
        ("", *_CLASSES),
        "On two kinds at once the shares multiply. Thick woods on a steep slope: open order foot alone. "
        "A road in column is open ground (AWI-T-TER-03, 04, 09).",
    )


def _build_crossing_table() -> ReferenceTable:
    table = _load_rule_tables()["AWI-T-TER-02"]
    rows = tuple(
        (_format_key(key), *(format_share(table[key][column]) for column in table["columns"]))
        for key in table
        if key != "columns"
    )
    return ReferenceTable(
        "Moves it takes to",
        ("AWI-T-TER-02",),
        rows,
        ("", *_CLASSES),
        "Rivers only by bridge, in column, or by ford.",
    )


def _build_ranges_table(options: Mapping[str, Any], figures: Figures) -> ReferenceTable:
    known = {"musket": tables.MUSKET, "rifle": tables.RIFLE} | {
        f"{gun} gun" if gun in _SIZES else str(gun): ranges for gun, ranges in tables.GUN_RANGES.items()
    }
    rows = []
    for name, ranges in known.items():
        long = options["galloper_long_max"] if name == "galloper" else ranges.long
        cells = [
            format_distance(Fraction(value), figures, unit=False) if value else ""
            for value in (ranges.short,)
        ]
        medium = format_distance(Fraction(ranges.medium), figures, unit=False) if ranges.medium else ""
        if ranges.medium_from > ranges.short:
            medium = f"{format_distance(Fraction(ranges.medium_from), figures, unit=False)} to {medium}"
        cells += [medium, format_distance(Fraction(long), figures, unit=False) if long else ""]
        rows.append((name, *cells))
    return ReferenceTable(
        "Ranges in inches",
        ("AWI-T-FIR-04", "AWI-T-FIR-05", "AWI-T-FIR-06", "AWI-T-FIR-07"),
        tuple(rows),
        ("", "short", "medium", "long"),
        "Straight ahead of a base or up to 45 degrees aside, at a base wholly seen. Cavalry does not fire.",
    )


def _build_fire_table(options: Mapping[str, Any]) -> ReferenceTable:
    table = _load_rule_tables()["AWI-T-FIR-08"]
    rows = list(_build_signed_rows(table["factors"]))
    if options["rain_on_muskets"]:
        rows.append(
            ("muskets and rifles, in this rain (HR-WEA-04)", format_signed(options["rain_on_muskets"]))
        )
    return ReferenceTable(
        "Step E, fire: 2d6 and",
        ("AWI-T-FIR-08", "AWI-T-FIR-12"),
        tuple(rows),
        note=f"{table['hit_on']} or more: the target loses 1 SP. More than its basic morale, as it then "
        "is: it is shaken. Of cover the best counts.",
    )


def _build_charge_table(figures: Figures) -> ReferenceTable:
    reach = _load_rule_tables()["AWI-T-CHG-01"]["reach"]
    far = ", ".join(
        f"{_format_key(arm)} {format_distance(value, figures, unit=False)}" for arm, value in reach.items()
    )
    return ReferenceTable(
        "Steps F and G, charged: 1d6 and",
        ("AWI-T-CHG-01", "AWI-T-CHG-03"),
        _build_signed_rows(_load_rule_tables()["AWI-T-CHG-03"]),
        note=f"Its basic morale or more: it routs and loses 1 SP. Below 0: it may counter-charge. Else it "
        f"stands. Reach in inches: {far}.",
    )


def _build_melee_table(options: Mapping[str, Any]) -> ReferenceTable:
    table = _load_rule_tables()["AWI-T-MEL-02"]
    columns = list(table["columns"])
    swapped = options["melee_obstacle_columns"] != "as_printed"
    rows = []
    for key, values in table.items():
        if key == "columns":
            continue
        order = columns
        if swapped and key.startswith("charging_") and key != "charging_uphill":
            order = [columns[1], columns[0], *columns[2:]]
        rows.append(
            (_format_key(key), *("" if values[one] is None else format_signed(values[one]) for one in order))
        )
    return ReferenceTable(
        "Step J, melee: 1d6 and",
        ("AWI-T-MEL-02", "AWI-T-MEL-07"),
        tuple(rows),
        ("", "horse", "foot", "guns"),
        "SP do not count. * The worst of these alone, for who charges.",
    )


def _build_melee_results_table(figures: Figures) -> ReferenceTable:
    table, works = _load_rule_tables()["AWI-T-MEL-08"], _load_rule_tables()["AWI-T-MEL-09"]
    level, one, two = (table[f"difference_{key}"] for key in ("0", "1", "2_plus"))

    def retires(found: Mapping[str, Any]) -> str:
        inches = format_distance(found["retire_inches"], figures)
        return f"retires {inches}, {found['sp_lost']} SP lost, {found['state']}"

    rows = (
        ("level", f"both retire {format_distance(level['both_retire_inches'], figures)}"),
        ("by 1", f"loser {retires(one)}"),
        ("by 2 or more", f"loser routs, {two['sp_lost']} SP lost"),
        (
            "the same, charging works, a house or over an obstacle",
            f"loser {retires(works)}",
        ),
    )
    surrender = _load_rule_tables()["AWI-T-SUR-01"]
    return ReferenceTable(
        "Melee lost",
        ("AWI-T-MEL-08", "AWI-T-MEL-09", "AWI-T-SUR-01"),
        rows,
        note=f"Who routs when charged in the rear, or is charged while routing, surrenders on "
        f"{surrender['foot']} or more (horse {surrender['mounted']}).",
    )


def _build_generals_table() -> ReferenceTable:
    fire, melee = _load_rule_tables()["AWI-T-GEN-04"], _load_rule_tables()["AWI-T-GEN-05"]
    heads = {
        "SP lost to fire": fire,
        "unit routs in melee": melee["routs"],
        "other loss in melee": melee["other_loss"],
    }
    fates = ("none", "light_wound", "captured", "dead")

    def span(bounds: list[int] | None) -> str:
        return (
            ""
            if bounds is None
            else str(bounds[0])
            if bounds[0] == bounds[1]
            else f"{bounds[0]} to {bounds[1]}"
        )

    rows = tuple((name, *(span(risks.get(fate)) for fate in fates)) for name, risks in heads.items())
    return ReferenceTable(
        "General with a unit: 2d6",
        ("AWI-T-GEN-04", "AWI-T-GEN-05"),
        rows,
        ("", *(_format_key(fate) for fate in fates)),
        "Wounded once he moves at half speed; twice, he is out.",
    )


def _build_structures_table() -> ReferenceTable:
    sizes = {
        "bridge": "bridge, every 100 mm",
        "small": "house, 50 by 100 mm",
        "large": "house, 100 by 100 mm",
    }
    rows: list[Row] = [
        (f"{material} {sizes[kind]}".replace("wood ", "wooden "), str(sp))
        for (kind, material), sp in terrain.STRENGTHS.items()
    ]
    each = {"redoubt": "redoubt", "fence": "rail fence", "wall": "stone wall"}
    rows += [
        (each.get(kind, f"{kind}, every 100 mm"), str(sp)) for kind, sp in terrain.STRENGTH_BY_KIND.items()
    ]
    cover = ", ".join(
        f"{sp.replace('-', ' to ').replace('9+', '9 or more')} SP {format_signed(factor)}"
        for sp, factor in _load_rule_tables()["AWI-T-FOR-03"].items()
    )
    return ReferenceTable(
        "Works and houses, SP",
        ("AWI-T-FOR-01", "AWI-T-FOR-03"),
        tuple(rows),
        note=f"Cover by SP left: {cover}. Only ball harms them, 1 SP on 7 or more.",
    )


def _build_woods_table(options: Mapping[str, Any], figures: Figures) -> ReferenceTable:
    other = options["woods_detection_other"]
    badly = ("any", "any") if other == "unlimited" else (other["dense"], other["open"])
    names = ("all others", "open order foot", "rangers, native warriors")
    seen = [badly, *zip(tables.DENSE_SEEN[1:], tables.OPEN_SEEN[1:], strict=True)]
    rows = tuple(
        (
            name,
            *(
                one if isinstance(one, str) else format_distance(Fraction(one), figures, unit=False)
                for one in pair
            ),
        )
        for name, pair in zip(names, seen, strict=True)
    )
    return ReferenceTable(
        "Seen in woods within, inches",
        ("AWI-T-TER-07",),
        rows,
        ("", "thick", "open"),
        "Who fires or charges is seen.",
    )


def _find_options_table(battle: BattleFile) -> ReferenceTable | None:
    """Options of this battle that are not as usual."""
    known = OPTIONS | HOUSE_OPTIONS
    other = {name: value for name, value in battle.options.items() if value != known[name].default}
    rows = tuple(
        (name.replace("_", " "), format_choice(value).replace("_", " ").replace("-", MINUS))
        for name, value in other.items()
    )
    rules = tuple(dict.fromkeys(known[name].rule for name in other))
    return ReferenceTable("Options of this battle", rules, rows) if rows else None
