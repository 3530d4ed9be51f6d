"""Worked checks of musketry and cannonade (REG-FIR)."""

from fractions import Fraction
from itertools import product
from typing import Any

from battles.engine.dtypes import WALL
from battles.rulesets.regimental import fire
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.fire_step import aim_units, fire_at, hurt_unit, take_effect
from tests.battles.checks.common import set_up
from tests.battles.rulesets.regimental.checks.common import D6, RATINGS, Facts, agree, chances, mean
from tests.battles.rulesets.regimental.forces import GUNS, Unit, draw_line, field, paint, throw

#: Effects in the words of the checks, by code.
NAMES = (
    "withering", "telling_charge_checked", "telling_cold_steel", "telling_charge_home",
    "galling", "lively", "desultory",
)  # fmt: skip


def check_effects(given: Facts, expect: Facts) -> None:
    """All effects at a modifier on a target of that rating, and the stands lost, over both dice."""
    rating, modifier = RATINGS.index(given["target_rating"]), given["modifier_total"]

    def effect(one: int, two: int) -> int:
        return int(fire.effect_on(g, rating, one + two + modifier, True))

    g = field(Unit(), Unit(1, rating=rating, stands=8))
    agree(expect["probabilities"], chances(lambda one, two: NAMES[effect(one, two)]))
    for order, name in ((r.GOOD, "good_order"), (r.DISORDERED, "disordered")):
        lost = mean(
            lambda one, two, order=order: lost_by(rating, order, effect(one, two), one + two + modifier)
        )
        assert str(lost) == expect[f"mean_troop_stands_lost_{name}"]


def lost_by(rating: int, order: int, effect: int, total: int) -> int:
    """Stands that troops of eight lose by an effect."""
    g = field(Unit(), Unit(1, rating=rating, stands=8, order=order))
    hurt_unit(g, 1, effect, total)
    return int(g.u[1].lost)


def check_points(given: Facts, expect: Facts) -> None:
    """The modifier of a number of fire points."""
    points = float(Fraction(given["fire_points"]))
    assert fire.points_modifier(field(Unit()), points) == expect["modifier"]


def check_range(given: Facts, expect: Facts) -> None:
    """Fire points of a stand at a range."""
    g = field(Unit())
    if "gun" in given:
        weapon = GUNS[given["gun"].replace("_", " ").replace("galloper gun", "galloper")][0]
    else:
        weapon = {"musket": r.MUSKET, "rifle": r.RIFLE}[given["weapon"]]
    told = expect["points_per_stand"]
    expected = Fraction(0) if told == "out of range" else Fraction(told)
    assert fire.points_at(g, weapon, float(given["range_in"])) == expected


def situation(case: str) -> Any:
    """The table of a worked example: firers of side 0, their target of side 1."""
    musket = Unit(rating=r.TRAINED, continental=True, x=30, y=20)
    target, firers = Unit(1, x=30, y=23.5), [musket]
    if "disordered" in case:
        firers = [Unit(order=r.DISORDERED)]
    elif "medium gun" in case:
        firers, target = [Unit(gun="medium gun", stands=3)], Unit(1, x=30, y=24.75)
    elif "rifle" in case:
        firers = [Unit(weapon=r.RIFLE, marksmen=True, form=r.EXTENDED, stands=6)]
        target = Unit(1, x=30, y=30.5)
    elif "extended line" in case:
        target = Unit(1, x=30, y=23.5, form=r.EXTENDED)
    elif "march column" in case:
        target = Unit(1, x=30, y=25.25, form=r.MARCH_COLUMN)
    g = field(*firers, target)
    if "low on ammo" in case:
        g.u[0].low = 1
    if "stone fence" in case:
        draw_line(g, WALL, 22.9)
    if "woods" in case:
        paint(g, "woods", y=(23, 64))
    return g


def check_modifiers(given: Facts, expect: Facts) -> None:
    """Points and modifiers of a worked example, by the functions a fire combat uses."""
    g = situation(given["case"])
    points = fire.bears_on(g, 0, 1)
    assert points == Fraction(given["fire_points"])
    keen = points if fire.is_keen(g, 0, 1) else 0.0
    close = fire.in_close_range_of(g, 0, 1)
    others = fire.firer_modifier(g, 0.0, keen, points)
    others += fire.target_modifier(g, 1, fire.is_enfilading(g, 0, 1), close, g.u[0].x, g.u[0].y)
    assert others == given["other_modifiers"]
    assert fire.points_modifier(g, points) + others == expect["total_modifier"]


def check_fallen(given: Facts, expect: Facts) -> None:
    """On which doubles a leader checks when musketry disorders raw troops in good order."""
    set_up(given, target="raw troops in good order", fire="musketry")
    found = []
    for one, two in product(D6, D6):
        g = field(Unit(), Unit(1, rating=r.RAW, y=30.0, colonel=True))
        total = one + two + given["modifier_total"]
        effect = fire.effect_on(g, r.RAW, total, False)
        throw(g, 1, 1)
        take_effect(g, 1, effect, total, one == two, 30.0, 20.0, False)
        if g.cursor:
            found.append([one, two])
    assert found == expect["doubles"]
    assert Fraction(len(found), 36) == Fraction(expect["p_fallen_leader_check"])


def check_ammunition(given: Facts, expect: Facts) -> None:
    """On how many of the throws somebody runs low."""
    set_up(given, dice="any fire combat")
    low = 0
    for dice in product(D6, D6):
        g = field(Unit(), Unit(1, y=23.5), dice=dice)
        aim_units(g, 0, 1)
        fire_at(g, 0, 1)
        low += int(g.u[0].low)
    assert Fraction(low, 36) == Fraction(expect["p_low_on_ammo"])


def check_charge_under_fire(given: Facts, expect: Facts) -> None:
    """What a total does to a charging unit, with cold steel or without."""
    rating = RATINGS.index(given["target"].split()[1])
    g = field(Unit(rating=rating, y=20.0), Unit(1, y=20.6))
    u = g.u[0]
    u.charges, u.cold_steel = 1, int(given["cold_steel"])
    effect = fire.effect_on(g, rating, given["total"], False)
    assert NAMES[effect] == expect["row"]
    take_effect(g, 0, effect, given["total"], False, 30.0, 20.6, False)
    assert u.lost == expect["stands_lost"]
    assert ("home" if u.charges == 1 else "checked") == expect["charge"]
    if expect["charge"] == "checked":
        assert u.y == 18.0


def check_fifteen(given: Facts, expect: Facts) -> None:
    """A withering fire of 15 on troops or on a battery."""
    guns = "battery" in given["target"]
    g = field(Unit(), Unit(1, gun="medium gun", stands=4) if guns else Unit(1))
    effect = fire.effect_on(g, r.TRAINED, given["total"], True)
    hurt_unit(g, 1, effect, given["total"])
    u = g.u[1]
    if guns:
        assert (u.lost, u.silent + u.silent_damaged) == (expect["wrecked"], expect["silenced"])
    else:
        assert (NAMES[effect], u.lost) == (expect["row"], expect["stands_lost"])
