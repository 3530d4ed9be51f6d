"""Worked checks of movement, facing and routs."""

from fractions import Fraction

from battles.engine import bases
from battles.engine.dtypes import COLUMN, LINE
from battles.rulesets.awi import facing, movement, path, retreat
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.checks.common import D6, LINE_FOOT, TYPE_OF_CLASS, Facts, one, set_up
from tests.battles.forces import Stand, table


def check_rates(given: Facts, expect: Facts) -> None:
    if given["unit"] in TYPE_OF_CLASS:
        u = one(TYPE_OF_CLASS[given["unit"]]).u[0]
        names = ("line", "column", "rout")
    else:
        u = one(TroopType.AMERICAN_ARTILLERY, gun_class=GunClass(given["unit"])).u[0]
        names = ("deployed", "limbered", "rout")
    found = dict(zip(names, (u.rate_line, u.rate_column, u.rate_rout), strict=True))
    assert {name: expect[name] for name in names} == found


def check_falling_back(given: Facts, expect: Facts) -> None:
    assert (given["formation"], given["action"]) == ("line", "retire facing enemy")
    assert path.backward_allowance(one(TYPE_OF_CLASS[given["unit"]]).u[0]) == expect["inches"]


def check_wheel(given: Facts, expect: Facts) -> None:
    set_up(given, scale="25mm")
    abreast = {"line": 2, "column": 1}[given["formation"]]
    cost = movement.wheel_cost(abreast * bases.BASE, given["wheel_degrees"])
    assert round(cost, 2) == expect["cost_inches_2dp"]


def check_pivot(given: Facts, expect: Facts) -> None:
    g = one(LINE_FOOT)
    assert movement.turn_on_spot(g, 0, (int(g.u[0].face) + given["turn_degrees"]) % 360)
    expected = movement.move_rate(g.u[0]) if expect["cost"] == "whole move" else expect["cost"]
    assert g.u[0].spent == expected


def check_wagon(given: Facts, expect: Facts) -> None:
    set_up(given, event="rout")
    g = one(TYPE_OF_CLASS[given["unit"]])
    retreat.rout(g, 0, 180, 1, 0, 1)
    assert (g.u[0].y - 20, bool(g.u[0].immobile)) == (expect["moves"], expect["immobilised_for_battle"])


def check_change_to_line(given: Facts, expect: Facts) -> None:
    set_up(given, change="column to line")
    g = one(TYPE_OF_CLASS[given["unit"]], form=COLUMN)
    left = movement.change_formation(g, 0, LINE)
    assert (left + movement.CHANGE_COST == given["longest_base_path"]) == expect["legal"]


ENEMIES = {
    "infantry": LINE_FOOT,
    "cavalry": TroopType.EUROPEAN_LIGHT_CAVALRY,
    "deployed gun": TroopType.EUROPEAN_ARTILLERY,
}


def check_facing(given: Facts, expect: Facts) -> None:
    if "gun" in given:
        g = one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass(given["gun"]), options=given["options"])
        assert g.o.guns_dice_to_turn == 1
        turns = Fraction(sum(die >= g.u[0].turn_on for die in D6), 6)
        assert turns == Fraction(expect["p_turns"])
    elif "turn_degrees" in given:
        # a line turned half about lies where it lay: half a base forward a friend is under its turned corner
        set_up(given, after_turn_overlaps_friend=True)
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(0, LINE_FOOT, 48, 21.0), Stand(1, LINE_FOOT, 55, 20))
        assert movement.turn_to(g, 0, given["turn_degrees"]) == expect["legal"]
        g.u[1].y = 25
        assert movement.turn_to(g, 0, given["turn_degrees"]), "without the friend it may"
    else:
        enemy = ENEMIES[given["enemy_ahead"]]
        g = table(
            Stand(0, LINE_FOOT, 48, 20), Stand(1, enemy, 48, 30, face=180), options=given.get("options", {})
        )
        g.u[1].y = 20 + bases.HALF + given["inches"] + bases.half_depth(g.u[1])
        assert (not facing.is_pinned(g, 0)) == expect["may_turn"]


def check_one_inch(given: Facts, expect: Facts) -> None:
    set_up(given, step="C")
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=180))
    y = 25 - 2 * bases.HALF - given["gap_to_enemy_inches"]
    assert bases.clear_of_enemy(g, 0, 48.0, y, 0) == expect["legal"]


def check_rout_move(given: Facts, expect: Facts) -> None:
    if "friendly_edge_at" in given:
        g = table(
            Stand(0, TYPE_OF_CLASS[given["unit"]], 48, given["friendly_edge_at"]),
            Stand(1, LINE_FOOT, 48, 40, face=180),
        )
        assert g.u[0].rate_rout == given["rout_inches"]
        retreat.rout_move(g, 0, 180)
        assert (not bases.is_standing(g.u[0])) == expect["leaves_table"]
        assert (g.u[0].sp == 5) == expect["sp_kept"]
    else:
        set_up(given, move_would_end_nearer_visible_enemy=True)
        set_up(expect, legal=False)
        g = table(
            Stand(0, TYPE_OF_CLASS[given["unit"]], 48, 30),
            Stand(1, LINE_FOOT, 48, 34, face=180),
            Stand(1, LINE_FOOT, 48, 16, face=0),
        )
        retreat.rout_move(g, 0, 180)
        from_second = ((g.u[0].x - 48) ** 2 + (g.u[0].y - 16) ** 2) ** 0.5
        assert from_second >= 14, "it may not end nearer the second enemy than it began"


def check_abandoned_gun(given: Facts, expect: Facts) -> None:
    set_up(given, abandoned_gun="touched by enemy unit")
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, TroopType.AMERICAN_ARTILLERY, 48, 50, 180))
    g.u[1].gun_left, g.u[1].gun_x, g.u[1].gun_y = 1, 48, 29
    retreat.capture_prizes(g)
    assert (g.u[1].captured == 5, int(g.cursor)) == (expect["captured"], expect["dice"])
