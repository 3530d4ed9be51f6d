"""Options and tables of the rules, written into a state record as numbers. No numba here."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.tables import (
    CANNON,
    CANNON_COLUMNS,
    CHARGE,
    CONDITION,
    EFFECTS,
    FIRE,
    GROUND,
    LESS_THAN_ONE,
    MANEUVER,
    POINTS,
    RATES,
    RATING,
    RATINGS,
    SMALL_ARMS,
    Rate,
)

#: Rows of the table of rates in the order of their codes (`records.R_LINE` and after).
RATE_ROWS: tuple[Rate, ...] = tuple(row for arm in RATES.values() for row in arm.values())
#: Weapons of guns in the order of their codes.
FIRST_GUN = r.SIEGE_GUN
#: Range columns there is room for.
COLUMNS = 6


def options_write(o: Any, options: Mapping[str, Any]) -> None:
    """Write the options of a battle as numbers (see `records.OPTIONS`)."""

    def on(name: str) -> int:
        return int(options[name] == "on")

    o.defender_first = int(options["first_player"] == "defender")
    o.together = int(options["fire_order"] == "together")
    worn, spent = Fraction(options["worn_at"]), Fraction(options["spent_at"])
    o.worn_top, o.worn_bottom = worn.numerator, worn.denominator
    o.spent_top, o.spent_bottom = spent.numerator, spent.denominator
    o.dense_only, o.poor_light = int(options["woods_counted_dense"] == "dense_only"), on("poor_light")
    o.replaced, o.rolls_once = on("leaders_replaced"), on("brigade_rolls_once")
    o.batteries_fresh, o.multiply = on("batteries_count_fresh"), on("halvings_multiply")
    o.lines_add = on("target_lines_add")
    o.buck_and_ball = int(options["buck_and_ball"] == "american")
    o.massed_only = int(options["massed_target"] == "massed_only")
    o.position_adds = on("ground_and_position_add")
    o.must_break_through = on("breakthrough_mandatory_on_swept")
    o.leaders_for_both = int(options["leaders_score_for"] == "both")
    o.year = options["year"]


def small_arms(options: Mapping[str, Any]) -> dict[int, list[tuple[float, Fraction]]]:
    """Fire points of muskets and rifles up to so many inches, with the ranges chosen (REG-FIR-02)."""
    musket, rifle = SMALL_ARMS["musket"], SMALL_ARMS["rifle"]
    reaches = (options["rifle_full_in"], options["rifle_max_in"])
    return {
        r.MUSKET: [(options["musket_max_in"], musket[0][1])],
        r.RIFLE: [(inches, row[1]) for inches, row in zip(reaches, rifle, strict=True)],
    }


def tables_write(t: Any, options: Mapping[str, Any]) -> None:
    """Write the tables as arrays (see `records.TABLES`)."""
    for k, row in enumerate(RATE_ROWS):
        for ground, pair in enumerate((row.open, row.broken, row.rough, row.road)):
            t.rate[k, ground] = pair or (0, 0)
    t.rating[:] = [RATING[name] for name in RATINGS]
    t.condition[:] = list(CONDITION.values())
    t.maneuver[:], t.fire[:], t.charge[:] = (
        list(MANEUVER.values()),
        list(FIRE.values()),
        list(CHARGE.values()),
    )
    for weapon, steps in small_arms(options).items():
        for k in range(COLUMNS):
            inches, points = steps[k] if k < len(steps) else (steps[-1][0], Fraction(0))
            t.reach[weapon, k], t.points[weapon, k] = inches, float(points)
        t.longest[weapon] = steps[-1][0]
    for gun, points_by_range in enumerate(CANNON.values()):
        weapon = FIRST_GUN + gun
        t.reach[weapon] = (options["canister_max_in"], *CANNON_COLUMNS[1:])
        t.points[weapon] = points_by_range
        t.longest[weapon] = max(
            reach for reach, worth in zip(CANNON_COLUMNS, points_by_range, strict=True) if worth
        )
    for k, (least, modifier) in enumerate(POINTS):
        t.step[k], t.step_worth[k] = least, modifier
    t.effect[:] = r.DESULTORY
    for rating in range(len(RATINGS)):
        for total in range(t.effect.shape[1]):
            t.effect[rating, total] = effect_of(rating, total)
    for growth, name in ((r.ORCHARD, "orchards"), (r.WOODS, "woods_forest")):
        t.seen[growth] = GROUND[name].visibility


def effect_of(rating: int, total: int) -> int:
    """The row of the fire table for a target's rating and a total (REG-FIR-07)."""
    for code, least in enumerate(EFFECTS.values()):
        needed = least[rating]
        if needed is not None and total >= needed:
            return code
    return r.DESULTORY


#: What kernels need besides: the modifier below the first step of fire points.
BELOW_STEPS = LESS_THAN_ONE
