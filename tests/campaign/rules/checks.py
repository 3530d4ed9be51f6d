"""The players of the AWI-C worked checks of checks-awi.yaml, by what a check gives."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from campaign.rules.contact.casualties import (
    UnitLoss,
    battle_losses,
    forced_march_distribution,
    forced_march_loss,
    forced_march_rule,
    percent_over,
    points_for_battle,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.attrition import ATTRITION, roll_enlistments, weekly_distribution
from campaign.rules.returns.militia import militia_change, return_militia, roll_militia
from campaign.rules.returns.places_of_arrival import RAISED, choose_place
from campaign.rules.returns.pools import Downgrade, apply_downgrade, cap_unit_points, raise_units
from campaign.rules.returns.replacements import BalancingMove, LoyalistFill, send_replacements
from campaign.rules.returns.week import WeekChoices, close_week, verify_choices
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import UnitStatus
from rosters.domain.strength import strength_points
from tests.campaign.rules.weeks import book, unit, week_world
from tests.factories.scripted_dice import ScriptedDice
from tests.worked_checks.read_whole import set_up
from tests.worked_checks.registry import CheckFamily, Player

Facts = dict[str, Any]
CHECKS = [
    check
    for check in yaml.safe_load((Path(__file__).parents[2] / "checks-awi.yaml").read_text())["checks"]
    if any(rule.startswith("AWI-C-") for rule in check["rules"])
]


def conversion(given: Facts) -> Facts:
    points = given["points"]
    return {
        "sp": [strength_points(one) for one in points]
        if isinstance(points, list)
        else strength_points(points)
    }


def battle(given: Facts) -> Facts:
    captured, lost = given["sp_captured"], given["sp_lost"]
    start = strength_points(given["points"])
    loss = UnitLoss("unit", start, lost, captured)
    assert (loss.sp_left == 0 and captured == 0) is given["reduced_to_zero"]
    after, _ = battle_losses(unit("continental", "unit", given["points"]), loss, RuleSettings())
    return {"points": after.points, "sp_next_day": strength_points(after.points)}


def same_day(given: Facts) -> Facts:
    one, lost = unit("continental", "unit", given["points"]), 0
    answers: Facts = {}
    for name, following in (("first", "second"), ("second", "third")):
        if sp_lost := given.get(f"sp_lost_{name}_battle"):
            lost += sp_lost
            one, _ = battle_losses(one, UnitLoss("unit", 6, sp_lost), RuleSettings())
            fights = points_for_battle(one.points, lost)
            answers |= {
                f"{following}_battle_points": fights,
                f"{following}_battle_sp": strength_points(fights),
            }
    return answers | {"permanent": one.points, "next_day_sp": strength_points(one.points)}


def enlistment_odds(given: Facts) -> Facts:
    set_up(given, unit="Continental or Loyalist, one week")
    odds = weekly_distribution(RuleSettings(**given.get("options", {})))
    return {"distribution": odds, "mean": sum(change * chance for change, chance in odds.items())}


def enlistment(given: Facts) -> Facts:
    attrition = given.get("attrition_die") or ATTRITION.index(given["attrition"]) + 1
    recruit = given.get("recruit_die") or {15: 6}[given["recruits"]]
    names = {"AWI-C-ATT-01": [attrition], "AWI-C-ATT-02": [recruit]}
    if "eliminated" in given:
        set_up(given, eliminated="Continental line")
    one = unit("continental", "unit", 0 if "eliminated" in given else given["points"])
    pools = {"american/line": given["pool"]} if "pool" in given else {}
    week = book(week_world([one], pools=pools), names)
    roll_enlistments(week)
    cap_unit_points(week)
    pool = week.pools.get("american/line", 0)
    return {"points": week.units["unit"].points, "pool": pool, "to_pool": pool}


def militia_mean(given: Facts) -> Facts:
    set_up(given, going_home_counts_as_losing_all=True)
    changes = [-given["points"], *(militia_change(die) for die in range(2, 7))]
    return {"mean_change": Fraction(sum(changes), 6)}


def militia_odds(given: Facts) -> Facts:
    faces = [militia_return({**given, "die": die})["returning"] > 0 for die in range(1, 7)]
    return {"p_return": Fraction(sum(faces), 6)}


def militia_return(given: Facts) -> Facts:
    absent = [
        unit("militia", f"levy {number}", status=UnitStatus.ABSENT) for number in range(given["absent_units"])
    ]
    week = book(week_world(absent), {"AWI-C-MIL-03": [given["die"]], "AWI-C-POL-05": [1] * 9})
    return_militia(week, {})
    return {"returning": sum(one.status is UnitStatus.PRESENT for one in week.units.values())}


def militia_roll(given: Facts) -> Facts:
    week = book(week_world([unit("militia", "levy", given["points"])]), [given["die"]])
    roll_militia(week)
    cap_unit_points(week)
    return {"points": week.units["levy"].points, "to_militia_pool": week.pools["american/militia"]}


def home_and_back(given: Facts) -> Facts:
    set_up(given, dice="militia 1, return die 1, only absent unit")
    script = {"AWI-C-MIL-01": [1], "AWI-C-MIL-03": [1], "AWI-C-POL-05": [1]}
    week = book(week_world([unit("militia", "levy", given["points"])]), script)
    roll_militia(week)
    absent = sum(one.status is UnitStatus.ABSENT for one in week.units.values())
    return_militia(week, {})
    levy = week.units["levy"]
    returned = levy.status is UnitStatus.PRESENT
    return {"absent_before_return": absent, "returned": returned, "points": levy.points}


def stays_at_home_weeks(given: Facts) -> Facts:
    set_up(given, unit="one militia unit")
    stays = sum(_militia_stays(die) for die in range(1, 7))
    return {"p_never_goes_home": Fraction(stays, 6) ** given["weeks"]}


def _militia_stays(die: int) -> bool:
    week = book(week_world([unit("militia", "levy")]), [die])
    roll_militia(week)
    return week.units["levy"].status is UnitStatus.PRESENT


def _replacement_points(die: int) -> int:
    week = book(week_world([unit("british", "9th")]), [die])
    send_replacements(week)
    return week.units["9th"].points - 100


def replacement_odds(given: Facts) -> Facts:
    if "wait" in given:
        set_up(given, wait="weeks until first reinforcement")
    gains = [_replacement_points(die) for die in range(1, 7)]
    chance = Fraction(sum(gain > 0 for gain in gains), 6)
    return {
        "p_reinforced": chance,
        "mean_points_per_unit": Fraction(sum(gains), 6),
        "p_at_least_once": 1 - (1 - chance) ** given.get("weeks", 1),
        "mean_weeks": 1 / chance,
    }


def replacement_nations(given: Facts) -> Facts:
    set_up(given, weeks=1)
    reinforced = [die for die in range(1, 7) if _replacement_points(die)]
    throws = [
        [die in reinforced for die in dice]
        for dice in product(range(1, 7), repeat=len(given["nationalities"]))
    ]
    return {
        "p_any": Fraction(sum(map(any, throws)), len(throws)),
        "p_all": Fraction(sum(map(all, throws)), len(throws)),
    }


def replacements(given: Facts) -> Facts:
    set_up(given, nationality="British")
    units = [unit("british", f"unit {number}", points) for number, points in enumerate(given["units"])]
    shares = []
    for one in units:  # each by itself shows its own share for the pool
        week = book(week_world([one]), [given["die"]])
        send_replacements(week)
        cap_unit_points(week)
        shares.append(week.pools.get("british/line", 0))
    together = book(week_world(units), [given["die"]])
    send_replacements(together)
    cap_unit_points(together)
    assert together.pools["british/line"] == sum(shares)
    return {"units": [one.points for one in together.units.values()], "to_pools": shares}


def loyalist_fill(given: Facts) -> Facts:
    world = week_world(
        [unit("british", "9th", given["british"]), unit("loyalist", "jessup", given["loyalist"])],
        recruitment="off",
    )
    choices = WeekChoices(fills=(LoyalistFill("jessup", "9th", given["moved"]),))
    after = close_week(world, choices, ScriptedDice([])).world.units
    return {"british": after["9th"].points, "loyalist": after["jessup"].points}


def gain_over_the_cap(given: Facts) -> Facts:
    week = book(week_world([unit("british", "9th", given["points"])]), [])
    week.change(week.units["9th"], given["gain"], "replacements", "AWI-C-EUR-01")
    cap_unit_points(week)
    return {"points": week.units["9th"].points, "to_pool": week.pools["british/line"]}


def balancing(given: Facts) -> Facts:
    first, second = given["regiment"]
    moved = second - given["to"][1]
    elsewhere = "burgoyne" if given["same_location"] else "riedesel"
    units = [
        unit("british", "9th a", first, regiment="9th"),
        unit("british", "9th b", second, regiment="9th", formation=elsewhere),
    ]
    move = WeekChoices(balancing=(BalancingMove("9th b", "9th a", moved),))
    return {"legal": _legal(lambda: verify_choices(week_world(units), move))}


def _legal(act: Callable[[], object]) -> bool:
    try:
        act()
    except RuleViolation:
        return False
    return True


def new_units(given: Facts) -> Facts:
    lost = [unit("continental", f"lost {one}", 0) for one in range(given.get("eliminated_units", 0))]
    known = [unit("continental", "known"), *lost]
    week = book(week_world(known, pools={"american/line": given["pool"] + given.get("added", 0)}), [1] * 9)
    raise_units(week, (), {})
    rebuilt = [week.units[one.id] for one in lost if week.units[one.id].status is UnitStatus.PRESENT]
    return {
        "new_units": len(week.units) - len(known),
        "recreated_eliminated": len(rebuilt),
        "points": rebuilt[0].points if rebuilt else None,
        "pool_left": week.pools["american/line"],
    }


def downgrade(given: Facts) -> Facts:
    pools = {"american/line": given["line_pool"], "american/militia": given["militia_pool"]}
    week = book(week_world([unit("militia", "levy")], pools=pools), [1])
    apply_downgrade(week, Downgrade("american/line", "american/militia", given["downgrade"]))
    answers = {"line_pool": week.pools["american/line"], "militia_pool": week.pools["american/militia"]}
    raise_units(week, (), {})
    new = len(week.units) - 1
    return answers | {"new_militia_units": new, "militia_pool_after": week.pools["american/militia"]}


def downgrade_direction(given: Facts) -> Facts:
    move = Downgrade(f"american/{given['from']}", f"american/{given['to']}", 10)
    world = week_world([], pools={move.source: 50})
    return {"legal": _legal(lambda: verify_choices(world, WeekChoices(downgrades=(move,))))}


def german_pools(given: Facts) -> Facts:
    pools = {unit("german", name, regiment=name).pool for name in given["nations"]}
    assert pools == {"german/line"}
    return {"pools": "one German pool per type"}


#: Extra miles, in the words of the checks, in hundredths of a day's march.
EXTRA = {"up to 50%": 50, "51-100%": 100}


def march_odds(given: Facts) -> Facts:
    odds = forced_march_distribution(
        EXTRA[given["extra"]], "militia" in given["unit"], "adverse weather" in given["unit"]
    )
    return {"distribution": odds, "mean_loss": sum(loss * chance for loss, chance in odds.items())}


def march_table(given: Facts) -> Facts:
    percent = percent_over(given["normal_miles"], given["marched"])
    legal = _legal(lambda: forced_march_rule(percent))
    return {"legal": legal, "table": forced_march_rule(percent) if legal else None}


def march_roll(given: Facts) -> Facts:
    percent = EXTRA[given["extra"]]
    adverse = {"adverse": True, "fair": False}[given["weather"]]
    marching, dice = unit(given["unit"], "levy"), ScriptedDice([given["die"]])
    _, (event,) = forced_march_loss(marching, percent, adverse, dice, 0)
    modified = min(6, event.rolls[0].value + sum(value for _, value in event.modifiers))
    assert event.before is not None and event.after is not None
    return {"modified_die": modified, "loss": event.before - event.after}


def muster_odds(given: Facts) -> Facts:
    places = ("albany", "bennington", "saratoga", "stillwater")[: given["muster_places"]]
    held = dict.fromkeys(places[: given["enemy_held"]], "crown")
    world = week_world([unit("militia", "levy")], holders=held, musters={"american": places})
    free = len(places) - len(held)
    found = [choose_place(book(world, [die]), world.units["levy"], {}, RAISED) for die in range(1, free + 1)]
    assert sorted(place for place, _ in found) == sorted(set(places) - set(held))
    assert all(roll.sides == free for _, rolls in found for roll in rolls)
    return {"p_each_free_place": Fraction(1, free)}


def exact(value: Any) -> Any:
    """Fractions as the file writes them: reduced, as strings."""
    if isinstance(value, dict):
        return {key: exact(one) for key, one in value.items()}
    return str(value) if isinstance(value, Fraction) else value


def compare(solve: Callable[[Facts], Facts]) -> Callable[[Facts, Facts], None]:
    """A player that compares what a function answers; what it does not answer stays unread."""

    def play(given: Facts, expect: Facts) -> None:
        answers = exact(solve(given))
        for word in expect.keys() & answers.keys():
            came, expected = answers[word], expect[word]
            assert came == (str(expected) if isinstance(came, str) else expected)

    play.__name__ = solve.__name__
    return play


#: The first whose words are all given plays the check.
PLAYERS = tuple(
    Player(compare(solve), given=words)
    for words, solve in (
        ("sp_lost reduced_to_zero", battle),
        ("sp_lost_first_battle", same_day),
        ("attrition_die recruit_die", enlistment),
        ("attrition recruits", enlistment),
        ("going_home_counts_as_losing_all", militia_mean),
        ("absent_units die", militia_return),
        ("absent_units", militia_odds),
        ("dice points", home_and_back),
        ("nationality die", replacements),
        ("points die", militia_roll),
        ("weeks unit", stays_at_home_weeks),
        ("nationalities", replacement_nations),
        ("weeks", replacement_odds),
        ("wait", replacement_odds),
        ("british loyalist", loyalist_fill),
        ("points gain", gain_over_the_cap),
        ("regiment", balancing),
        ("downgrade", downgrade),
        ("from to", downgrade_direction),
        ("pool", new_units),
        ("nations", german_pools),
        ("extra die", march_roll),
        ("extra", march_odds),
        ("normal_miles", march_table),
        ("muster_places", muster_odds),
        ("unit", enlistment_odds),
        ("points", conversion),
    )
)
FAMILY = CheckFamily("campaign rules", ("AWI-C-",), PLAYERS, tuple(CHECKS))
