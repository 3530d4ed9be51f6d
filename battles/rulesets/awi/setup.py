"""Battle file to state record and back: figures from the tables, drawing up, the outcome."""

from typing import Any

from battles.engine.dtypes import (
    ARTILLERY,
    CLOSE,
    CLOSE_FOOT,
    ELIMINATED,
    FOOT,
    HIDES,
    HIDES_BADLY,
    HORSE,
    IRELAND_1798,
    JACOBITE_1745,
    LEFT_TABLE,
    LIMBERED,
    LINE,
    MOUNTED,
    NO_VARIANT,
    OPEN,
    OPEN_FOOT,
    SURRENDERED,
    WHEELED,
    WHEELS,
    make_blank_state,
)
from battles.engine.posting import orders_write
from battles.engine.raster import even_write
from battles.engine.reading import field_holder
from battles.engine.rows import row_of
from battles.files.checks import battle_verify
from battles.files.schema import BattleFile, BattleOutcome, BattleUnit, Fate, UnitOutcome
from battles.rulesets.awi import tables, variants
from battles.rulesets.awi.deployment import draw_up, size_for
from battles.rulesets.awi.figures import factors_of, morale_of, ranges_of, rates_of
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.roles import roles_write
from battles.rulesets.awi.staff import (
    build_general_outcomes,
    build_structure_outcomes,
    leaders_write,
    tasks_write,
)
from battles.rulesets.awi.variants import traits_verify
from battles.strength_conversion import fighting_units
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, TroopType, Weapon

VARIANT_CODES = {"none": NO_VARIANT, "ireland_1798": IRELAND_1798, "jacobite_1745": JACOBITE_1745}
FATES: dict[int, Fate] = {ELIMINATED: "eliminated", SURRENDERED: "surrendered", LEFT_TABLE: "left_table"}
_ARMS = {Arm.FOOT: FOOT, Arm.MOUNTED: MOUNTED, Arm.WHEELED: WHEELED}
_ORDERS = {FormationOrder.CLOSE: CLOSE, FormationOrder.OPEN: OPEN, FormationOrder.ARTILLERY: ARTILLERY}


def state_write(state: Any, battle: BattleFile) -> None:
    """Write a whole battle into a zeroed state record.

    Raises BattleFileError when the battle cannot be fought.
    """
    battle_verify(battle)
    options = options_resolve(battle.options)
    traits_verify(battle, options)
    g = row_of(state)
    sides = (battle.attacker, battle.defender)
    orders_write(g, battle)
    _options_write(g.o, options)
    units = fighting_units(battle)
    g.n = len(units)
    for i, unit in enumerate(units):
        _unit_write(g.u[i], unit, sides.index(unit.side), options)
        if unit.troop_type is not TroopType.WAGON:
            g.sp_start[sides.index(unit.side)] += unit.sp
    draw_up(g, battle)
    roles_write(g)
    leaders_write(g, battle, units, sides, options)
    tasks_write(g, battle, units)
    even_write(g)


def posts_verify(battle: BattleFile) -> None:
    """Raise BattleFileError when the battle cannot be drawn up: ground closed to troops, or no room."""
    state_write(make_blank_state(size_for(battle)), battle)


def _options_write(o: Any, options: dict[str, Any]) -> None:
    quality = ("off", "militia_minus_1", "militia_minus_1_grenadier_plus_1")
    o.shaken_quality = quality.index(options["shaken_quality_modifiers"])
    o.irregulars_rout = int(options["irregulars_rout_instead_of_retire"] == "on")
    shakes = options["cumulative_shaken_to_rout"]
    o.shakes_to_rout = 0 if shakes == "off" else shakes
    o.pin_flat_6 = int(options["facing_pin_distance"] == "flat_6")
    o.guns_dice_to_turn = int(options["artillery_facing"] == "dice")
    o.one_at_a_time = int(options["fire_declaration"] == "one_at_a_time")
    o.before_loss = int(options["fire_morale_strength"] == "before_loss")
    o.ball_factor = options["short_range_ball_factor"]
    o.evade = int(options["evade"] != "none")
    o.stay_put = int(options["charger_when_target_goes"] == "stay_put")
    o.swap_obstacle_columns = int(options["melee_obstacle_columns"] != "as_printed")
    o.column_either = int(options["column_bonus"] == "either")
    o.repulse_either = int(options["repulse_instead_of_rout"] == "either_side_at_obstacle")
    o.randomised = int(options["randomised_effectiveness"] == "on")
    o.road_bonus = int(options["road_bonus"] == "on")
    o.ford_free = int(options["ford_cost"] == "free")
    o.building_flat = int(options["building_cover"] == "flat_minus_2")
    o.works_by_kind = int(options["fortification_class"] == "by_kind")
    o.variant = VARIANT_CODES[options["variant"]]
    o.metric = int(options["scale"] == "15mm")
    o.dense_seen[:] = tables.DENSE_SEEN
    o.open_seen[:] = tables.OPEN_SEEN
    seen = options["woods_detection_other"]
    if seen == "unlimited":
        o.dense_seen[HIDES_BADLY] = o.open_seen[HIDES_BADLY] = tables.UNLIMITED
    else:
        o.dense_seen[HIDES_BADLY], o.open_seen[HIDES_BADLY] = seen["dense"], seen["open"]


def _unit_write(u: Any, unit: BattleUnit, side: int, options: dict[str, Any]) -> None:
    facts = TYPES[unit.troop_type]
    u.side = side
    u.arm, u.order_ = _ARMS[facts.arm], _ORDERS[facts.order]
    u.european, u.grenadier = int(facts.european_regular), int(facts.grenadier)
    u.militia = int(unit.troop_type is TroopType.MILITIA)
    u.indian = int(unit.troop_type is TroopType.INDIANS)
    u.wagon = int(unit.troop_type is TroopType.WAGON)
    u.gun = int(facts.weapon is Weapon.GUN)
    u.howitzer = int(unit.gun_class is GunClass.HOWITZER)
    u.morale = morale_of(unit, options)
    u.fire = tables.FIRE.get(unit.troop_type, 0)
    u.surrender_on = tables.SURRENDER_ON[facts.arm]
    u.turn_on = tables.TURN_ON.get(unit.gun_class, 0)
    u.due = unit.arrives
    rates = rates_of(unit, options)
    u.rate_line, u.rate_column, u.rate_rout = rates.line, rates.column, rates.rout
    ranges = ranges_of(unit, options)
    u.short_max = -1.0
    if ranges is not None:
        u.shoots = 1
        u.short_max, u.medium_min = ranges.short, ranges.medium_from
        u.medium_max, u.long_max = ranges.medium, ranges.long
        u.short_factor, u.medium_factor, u.long_factor = factors_of(unit, options)
    u.sp_start = u.sp = unit.sp
    u.form = LIMBERED if facts.arm is Arm.WHEELED else LINE
    u.charges = u.target = u.target2 = u.at_structure = -1
    u.rout_turn = u.inside = u.owes_at = u.brigade = u.task_at = -1
    u.going = going_of(unit)
    u.hides = tables.HIDES.get(unit.troop_type, HIDES if facts.order is FormationOrder.OPEN else HIDES_BADLY)
    u.british_close = int(unit.troop_type in (TroopType.BRITISH_LINE, TroopType.BRITISH_GRENADIERS))
    u.pikes, u.highland = int("pikes" in unit.traits), int("highlanders" in unit.traits)
    if u.highland == 1:
        variants.horde_write(u)
    if facts.weapon in (Weapon.MUSKET, Weapon.RIFLE):
        u.fire += options["rain_on_muskets"]  # HR-WEA-04
    u.reserve = int(unit.reserve)
    if unit.troop_type is TroopType.WAGON:
        u.tools, u.powder = 1, tables.CHARGES_PER_WAGON


def going_of(unit: BattleUnit) -> int:
    """Column of the terrain tables a unit marches by (AWI-T-TER-01, AWI-T-MOV-03)."""
    facts = TYPES[unit.troop_type]
    if unit.gun_class is GunClass.GRASSHOPPER:
        return CLOSE_FOOT
    if facts.arm is Arm.MOUNTED:
        return HORSE
    if facts.arm is Arm.WHEELED:
        return WHEELS
    return OPEN_FOOT if facts.order is FormationOrder.OPEN else CLOSE_FOOT


def build_outcome(state: Any, battle: BattleFile, seed: int, version: str) -> BattleOutcome:
    """The outcome of a battle from its record. Units without SP never came to the table."""
    fought = fighting_units(battle)
    rows = state["u"][0][: len(fought)]
    columns = [rows[name].tolist() for name in ("sp_start", "lost", "captured", "place")]
    results = {
        unit.id: UnitOutcome(unit.id, start, lost, captured, FATES.get(place, "present"))
        for unit, start, lost, captured, place in zip(fought, *columns, strict=True)
    }
    return BattleOutcome(
        field_held_by=field_holder(state, battle),
        turns=int(state["turn"][0]),
        units=tuple(results.get(unit.id, UnitOutcome(unit.id, 0, 0, 0)) for unit in battle.units),
        ruleset=battle.ruleset,
        engine_version=version,
        seed=seed,
        generals=build_general_outcomes(state, battle),
        structures=build_structure_outcomes(state, battle),
    )
