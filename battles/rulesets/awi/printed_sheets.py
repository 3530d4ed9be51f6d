"""The AWI rules on paper: a unit's card, a general's, and how a battle ends. No numba here."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.ground.names import join_names
from battles.printing.sheet_types import CardTerms, Figures, TableTerms, Track, UnitTerms
from battles.rulesets.awi import figures as own
from battles.rulesets.awi import tables, variants
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.reference import reference as reference
from battles.rulesets.awi.words import MINUS, format_distance, format_signed
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, TroopType, Weapon

_KINDS = {
    TroopType.BRITISH_LINE: "British line",
    TroopType.BRITISH_GRENADIERS: "British grenadiers",
    TroopType.BRITISH_LIGHT_INFANTRY: "British light infantry",
    TroopType.EUROPEAN_LINE: "European line",
    TroopType.EUROPEAN_GRENADIERS: "European grenadiers",
    TroopType.JAEGERS: "Jaegers",
    TroopType.CONTINENTAL_LINE: "Continental line",
    TroopType.CONTINENTAL_LIGHT: "Continental light infantry",
    TroopType.LOYALIST_LINE: "Loyalist line",
    TroopType.RANGERS: "Rangers",
    TroopType.AMERICAN_REGULAR_RIFLES: "American rifles",
    TroopType.MILITIA: "Militia",
    TroopType.INDIANS: "Native warriors",
    TroopType.EUROPEAN_LIGHT_CAVALRY: "European light horse",
    TroopType.AMERICAN_LIGHT_CAVALRY: "American light horse",
    TroopType.EUROPEAN_ARTILLERY: "European guns",
    TroopType.AMERICAN_ARTILLERY: "American guns",
    TroopType.WAGON: "Wagon",
}
_RANKS = {"brigadier": "Brigadier", "senior": "Senior general", "commander_in_chief": "Commander in chief"}
#: What a general adds to the tests of the unit he is with (AWI-T-MOR-03, AWI-T-MOR-05).
_BONUS = {"brigadier": 1, "senior": 2, "commander_in_chief": 2}
#: Millimetres of a unit in line (AWI-T-UNI-01).
_LINE = (90.0, 45.0)


def unit_terms(unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
    """A unit's card: basic morale and fire for every SP it may have left, moves, ranges, melee."""
    chosen = options_resolve(options)
    facts = TYPES[unit.troop_type]
    left = range(unit.sp, 0, -1)
    tracks = [
        Track("Morale", tuple(str(sp + own.morale_of(unit, chosen)).replace("-", MINUS) for sp in left))
    ]
    if own.ranges_of(unit, chosen) is not None:
        fire = _find_fire_factor(unit, chosen)
        tracks.append(Track("Fire", tuple(format_signed(fire + tables.strength_fire(sp)) for sp in left)))
    told = [
        ("Moves", _describe_moves(unit, chosen, figures)),
        ("Fires", _describe_fire(unit, chosen, figures)),
    ]
    if facts.arm is not Arm.WHEELED:
        told.append(("Charges", f"within {format_distance(tables.REACH[facts.arm], figures)}"))
    melee = 0 if variants.is_highland(unit) else tables.own_melee(unit.troop_type)
    told += [("Melee", format_signed(melee)), ("Surrenders on", f"{tables.SURRENDER_ON[facts.arm]} or more")]
    return UnitTerms(kind(unit, options), _describe_arm(unit), (("SP", unit.sp),), tuple(tracks), tuple(told))


def leader_terms(leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
    """A general's card: what he adds, how he moves, how far his fall is felt (AWI-T-GEN)."""
    chosen = options_resolve(options)
    move, radius = format_distance(chosen["general_move"], figures), format_distance(tables.CHAIN, figures)
    facts = (
        ("With a unit", f"{format_signed(_BONUS[leader.rank])} to its tests of shaken and routing troops"),
        ("Alone", f"moves {move}, half when wounded"),
        ("If killed or taken", f"his units within {radius} are shaken"),
    )
    return UnitTerms(_RANKS[leader.rank], "general", (("Wounded", 1), ("out", 1)), facts=facts)


def endings(battle: BattleFile, figures: Figures) -> tuple[str, ...]:
    """Sentences on when a battle is over, and who then holds the field, as the engine plays it."""
    told = [_describe_break_point(battle, side) for side in (battle.attacker, battle.defender)]
    told.append("A side with nobody left on the table, and nobody still to come, has lost the field too.")
    undecided = f"the day ends, or {tables.QUIET_TURNS} turns go by without a shot, a charge or ground gained"
    if battle.objective is None:
        told.append(f"Otherwise, when {undecided}, neither side holds the field.")
    else:
        near = format_distance(Fraction(tables.AT_OBJECTIVE), figures)
        told.append(
            f"Otherwise, when {undecided}, the field is his who alone has unbroken troops within {near} of "
            "the spot fought for, marked on the map; if neither has, nobody's."
        )
    return tuple(told)


def cards(battle: BattleFile) -> tuple[CardTerms, ...]:
    """An empty deck: these rules have no cards."""
    return ()


def table(battle: BattleFile, figures: Figures) -> TableTerms:
    """The layout of the battle: all shrinks with the figures (AWI-T-SCA-02, AWI-T-UNI-01)."""
    inch = float(tables.SCALES[figures])
    size = figures.replace("mm", " mm figures")
    return TableTerms(
        inch=inch,
        distances=f"for {size}",
        base=(_LINE[0] * inch, _LINE[1] * inch),
        based=f"a unit in line of {size}",
        moves_as="close order foot in column",
        first_move="each side rolls a die, the higher has it; again when they are level",
        late="in column at the middle",
    )


def _describe_break_point(battle: BattleFile, side: str) -> str:
    """A sentence on the SP a side loses before it breaks off; wagons are not counted."""
    present = sum(
        unit.sp for unit in battle.units if unit.side == side and unit.troop_type is not TroopType.WAGON
    )
    percent = battle.break_points.get(side, battle.break_percent)
    points, name = -(-present * percent // 100), battle.side_name(side)
    return (
        f"{name[:1].upper()}{name[1:]}, {present} SP in all without wagons, breaks off when {points} SP are "
        f"lost or captured ({percent} %), and the other side holds the field."
    )


def kind(unit: BattleUnit, options: Mapping[str, Any]) -> str:
    """The kind of troops of a unit: Continental line; European guns, medium."""
    words = [_KINDS[unit.troop_type]]
    if unit.gun_class is not GunClass.NONE:
        words.append(f"{unit.gun_class}")
    if unit.poor_militia:
        words.append("poor")
    return ", ".join([*words, *unit.traits])


def _describe_arm(unit: BattleUnit) -> str:
    """Close order foot, open order foot, horse, artillery or train."""
    facts = TYPES[unit.troop_type]
    if facts.arm is Arm.MOUNTED:
        return "horse"
    if facts.arm is Arm.WHEELED:
        return "train" if unit.troop_type is TroopType.WAGON else "artillery"
    return "open order foot" if facts.order is FormationOrder.OPEN else "close order foot"


def _find_fire_factor(unit: BattleUnit, options: dict[str, Any]) -> int:
    """Factor of fire that hangs on the type and the day alone."""
    fire = 0 if variants.is_highland(unit) else tables.FIRE.get(unit.troop_type, 0)
    if TYPES[unit.troop_type].weapon in (Weapon.MUSKET, Weapon.RIFLE):
        fire += int(options["rain_on_muskets"])
    return fire


def _describe_moves(unit: BattleUnit, options: dict[str, Any], figures: Figures) -> str:
    rates = own.rates_of(unit, options)

    def inches(value: float) -> str:
        return format_distance(Fraction(value), figures, unit=False)

    if unit.troop_type is TroopType.WAGON:
        return f"{inches(rates.column)}; never again once it routs"
    if TYPES[unit.troop_type].arm is Arm.WHEELED:
        moved = f"limbered {inches(rates.column)}, by hand {inches(rates.line)}"
        return f"{moved}, crew in rout {inches(rates.rout)}"
    return f"line {inches(rates.line)}, column {inches(rates.column)}, rout {inches(rates.rout)}"


def _describe_fire(unit: BattleUnit, options: dict[str, Any], figures: Figures) -> str:
    """Weapon, and the bands it reaches with their factors."""
    ranges = own.ranges_of(unit, options)
    if ranges is None:
        return "not at all"
    factors = own.factors_of(unit, options)
    gun = TYPES[unit.troop_type].weapon is Weapon.GUN
    bands: list[str] = []
    for far, factor, near in zip(
        (ranges.short, ranges.medium, ranges.long),
        factors,
        (0.0, ranges.medium_from, ranges.medium),
        strict=True,
    ):
        if far:
            gap = (
                f"{format_distance(Fraction(near), figures, unit=False)} to "
                if near > ranges.short and not bands[1:]
                else ""
            )
            words = "canister " if gun and not bands else ""
            mark = f" ({words}{format_signed(factor)})" if factor or words else ""
            bands.append(f"{gap}{format_distance(Fraction(far), figures, unit=False)}{mark}")
    weapon = "ball and canister" if gun else str(TYPES[unit.troop_type].weapon)
    return f"{weapon} to {join_names(bands)}"
