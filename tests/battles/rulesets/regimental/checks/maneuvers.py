"""Worked checks of the maneuver table (REG-MAN)."""

from battles.rulesets.regimental import maneuver
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.maneuver_step import apply_result
from tests.battles.checks.common import set_up
from tests.battles.rulesets.regimental.checks.common import Facts, agree, chances, mean
from tests.battles.rulesets.regimental.forces import Leader, Unit, field

#: Results in the words of the checks, by code.
NAMES = (
    "double_quick", "well_handled", "tardy", "fall_back", "panic",
    "rally_with_elan", "rally", "shaken", "wavering", "panic",
)  # fmt: skip
ORDERS = {"good_order_or_guns": r.GOOD, "disordered_or_broken": r.DISORDERED}
CODES = {"fall_back": r.FALL_BACK, "panic": r.ROUT, "wavering": r.WAVERING}


def check_table(given: Facts, expect: Facts) -> None:
    """All results of a modifier, and the stands lost by them, through the function that reads the table."""
    # what the result then does by the enemy's distance is played by the examples
    set_up(given, out_of_close_range_or_fortified=False)
    order, modifier = ORDERS[given["state"]], given["modifier_total"]
    u = field(Unit(order=order)).u[0]

    def result(coloured: int, white: int) -> int:
        return int(maneuver.result_of(u, coloured, white, modifier))

    agree(expect["probabilities"], chances(lambda one, two: NAMES[result(one, two)]))
    if "mean_stands_lost" in expect:
        lost = mean(
            lambda one, two: int(maneuver.stands_in_panic(one, two)) if result(one, two) == r.ROUT else 0
        )
        assert str(lost) == expect["mean_stands_lost"]


def check_modifier(given: Facts, expect: Facts) -> None:
    """An elite, fresh unit in good order and command with its leader."""
    set_up(given, unit="elite, fresh, good order, in command, leader attached")
    g = field(Unit(rating=r.ELITE, brigade=0), Unit(1, y=60), leaders=(Leader(brigade=0, unit=0),))
    assert maneuver.maneuver_modifier(g, 0) == expect["modifier_total"]


def check_example(given: Facts, expect: Facts) -> None:
    """What a result does to a unit with an enemy so near."""
    inches = 6.0 if "6 inches" in given["state"] else 3.0
    order = r.BROKEN if "broken" in given["state"] else r.GOOD
    g = field(Unit(order=order), Unit(1, y=20.5 + inches))
    dice = given["dice"]["coloured"], given["dice"]["white"]
    result = maneuver.result_of(g.u[0], *dice, given["modifier_total"])
    assert result == CODES[expect["result"]]
    apply_result(g, 0, result, *dice)
    u = g.u[0]
    if "total" in expect:
        assert dice[0] - dice[1] + given["modifier_total"] == expect["total"]
        assert u.lost == expect["stands_lost"] and u.order_ == r.BROKEN
    elif expect.get("outcome") == "hold position, fire only, not disordered":
        assert (u.y, u.order_, u.may) == (20.0, r.GOOD, r.FIRE_ONLY)
    else:
        # out of close range of an enemy 3 inches ahead, in disorder
        if "outcome" in expect:
            set_up(expect, outcome="retreat out of close range, disordered")
        else:
            set_up(expect, becomes="disordered", moves="out of close range")
        assert u.order_ == r.DISORDERED
        assert 4.0 < g.u[1].y - u.y - 0.5 < 5.0
