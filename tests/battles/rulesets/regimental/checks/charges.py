"""Worked checks of the charge table, fallen leaders, movement and victory points (REG-CHG, LDR, MOV, VP)."""

from battles.engine.dtypes import WALL
from battles.rulesets.regimental import charging, leaders
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.charge_step import defence_modifier
from battles.rulesets.regimental.figures import RATE_ROWS
from battles.rulesets.regimental.ratings import WORTH
from battles.rulesets.regimental.tables import RATES
from battles.rulesets.regimental.victory import victory_points
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import set_up
from tests.battles.rulesets.regimental.checks.common import Facts, agree, chances, mean
from tests.battles.rulesets.regimental.forces import Unit, draw_line, field

NAMES = ("swept", "driven_back", "hard_pressed", "desperate_struggle", "falter", "recoil", "repulsed")
FATES = (
    "none",
    "dismounted_one_turn",
    "removed_one_turn",
    "maneuver_minus_1_rest_of_battle",
    "removed_from_battle",
    "removed_from_game",
    "captured",
)
GROUNDS = {"open": r.ON_OPEN, "broken": r.ON_BROKEN, "rough": r.ON_ROUGH, "road": r.ON_ROAD}


def check_chances(given: Facts, expect: Facts) -> None:
    """All results at a difference of modifiers, and the stands both sides lose by the first roll."""
    set_up(given, defender="good-order infantry, not outflanked, not beaten by cavalry")
    lead = given["modifier_difference_attacker_minus_defender"]
    agree(
        expect["probabilities"],
        chances(lambda one, two: NAMES[int(charging.charge_result(one - two + lead))]),
    )
    lost = expect["mean_stands_lost_first_roll"]

    def of_defender(one: int, two: int) -> int:
        difference = one - two + lead
        return int(charging.stands_of_defender(charging.charge_result(difference), difference))

    def of_attacker(one: int, two: int) -> int:
        difference = one - two + lead
        return int(charging.stands_of_attacker(charging.charge_result(difference), difference))

    assert (str(mean(of_defender)), str(mean(of_attacker))) == (lost["defender"], lost["attacker"])


def check_loss(given: Facts, expect: Facts) -> None:
    """Stands lost when swept or repulsed."""
    difference = given["difference"]
    result = charging.charge_result(difference)
    assert NAMES[int(result)] == expect["result"]
    if "defender_stands_lost" in expect:
        assert charging.stands_of_defender(result, difference) == expect["defender_stands_lost"]
    else:
        assert charging.stands_of_attacker(result, difference) == expect["attacker_stands_lost"]


def check_charge_modifier(given: Facts, expect: Facts) -> None:
    """Modifiers of a unit in a charge combat."""
    if given["unit"] == "raw worn militia behind a stone fence, outnumbered 3:1, disordered":
        # eight of eleven stands are worn; 24 charge them over a wall
        g = field(
            Unit(0, y=20.0, stands=24),
            Unit(1, y=21.0, stands=8, start=11, rating=r.RAW, militia=True, order=r.DISORDERED),
        )
        draw_line(g, WALL, 20.6)
        g.u[0].charges = 1
        assert defence_modifier(g, 0, 1, 0, 1) == expect["modifier"]
        return
    set_up(given, unit="veteran fresh cavalry charging over open ground, breakthrough charge, cold steel")
    set_up(expect, note="cold steel and breakthrough share one line")
    g = field(Unit(class_=r.HORSE, rating=r.VETERAN, stands=4))
    # fresh horse over open ground, in a breakthrough: that and cold steel, which it has not, are one line
    assert charging.charge_modifier(g, 0, 1, charging.PLAIN, 1, 1, 0, 0) == expect["modifier"]


def check_leader(given: Facts, expect: Facts) -> None:
    """What two dice do to a leader with a unit that was overrun."""
    one, two = given["dice"]
    overrun = int(given["attached_to_swept_or_repulsed_unit"])
    assert FATES[int(leaders.find_leader_fate(one, two, overrun))] == expect["result"]


def check_rate(given: Facts, expect: Facts) -> None:
    """A rate of the table as kernels have it."""
    row = RATE_ROWS.index(RATES[given["arm"]][given["formation"]])
    quick = int(given["rate"] == "double_quick")
    assert field(Unit()).t.rate[row, GROUNDS[given["ground"]], quick] == expect["inches"]


def check_victory(given: Facts, expect: Facts) -> None:
    """What the Americans score for stands of the British."""
    kinds = {
        "line_infantry": TroopType.BRITISH_LINE,
        "grenadiers": TroopType.BRITISH_GRENADIERS,
        "artillery": TroopType.EUROPEAN_ARTILLERY,
    }
    units = [
        Unit(1, x=10.0 * k, stands=8, start=8 + count, worth=WORTH[kinds[name]])
        for k, (name, count) in enumerate(given["american_destroys"].items())
    ]
    assert victory_points(field(Unit(), *units), 0) == expect["american_vp"]
