"""What a commander does with his units under each plan."""

from typing import Any

import pytest

from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.regimental import commander, worth
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.bases import measure_gap
from battles.rulesets.regimental.sight import can_see
from battles.rulesets.regimental.states import find_condition
from battles.rulesets.regimental.tables import QUIET_TURNS
from tests.battles.rulesets.regimental.forces import Unit, build, entrench, field, paint, told


def moved(unit: Unit, enemy: Unit, plan: int, *, may: int = r.MAY_BE_WELL, **more: int) -> Any:
    """The record after one unit's charge or move."""
    g = field(unit, enemy)
    g.plan[0] = plan
    g.u[0].may = may
    for name, value in more.items():
        setattr(g.u[0], name, value)
    if not commander.charge_best_target(g, 0):
        commander.move_unit(g, 0)
    return g


FAR = Unit(1, y=50.0)


def test_an_attacker_goes_up_to_musket_shot() -> None:
    assert moved(Unit(), FAR, ASSAULT).u[0].y == 30.0
    g = moved(Unit(y=40.0), Unit(1, y=46.0, rating=r.ELITE), ADVANCE)
    assert g.u[1].y - g.u[0].y - 0.5 == pytest.approx(3.5, abs=0.05)


def test_an_attacker_feels_his_way_on_towards_whom_a_ridge_hides_REG_FIR_01_REG_TER_01() -> None:
    g = field(Unit(), Unit(1, y=24.4, rating=r.ELITE))
    paint(g, "hill", y=(21, 24))
    g.plan[0], g.plans[0].boldness = ADVANCE, 0.0
    before = float(measure_gap(g, 0, 1))
    assert before < g.t.longest[g.u[0].weapon] and not can_see(g, 0, 1)
    for _ in range(3):
        g.u[0].may = r.MAY_BE_WELL
        commander.move_unit(g, 0)
    assert can_see(g, 0, 1)


def test_a_good_charge_is_made_and_a_bad_one_is_not() -> None:
    weak = Unit(1, y=26.0, rating=r.RAW, stands=2, start=8, order=r.DISORDERED)
    assert moved(Unit(rating=r.ELITE), weak, ASSAULT).u[0].charges == 1
    strong = Unit(1, y=26.0, rating=r.ELITE)
    assert moved(Unit(rating=r.RAW), strong, ASSAULT).u[0].charges == -1
    assert moved(Unit(rating=r.ELITE), weak, ADVANCE).u[0].charges == -1


def test_a_holder_stays_and_faces_the_enemy() -> None:
    g = moved(Unit(face=120), FAR, HOLD)
    assert (g.u[0].y, g.u[0].face) == (20.0, 0)


def test_a_holder_goes_into_a_house_close_by_while_there_is_time_REG_UNI_04() -> None:
    for enemy, inside in ((50.0, 0), (30.0, -1)):
        g = field(Unit(y=17.5), Unit(1, y=enemy))
        build(g, 30, 20)
        g.plan[0], g.u[0].may = HOLD, r.MAY_BE_WELL
        commander.move_unit(g, 0)
        assert g.u[0].inside == inside


def test_who_delays_falls_back_before_he_is_reached() -> None:
    g = moved(Unit(), Unit(1, y=33.0), DELAY)
    assert (g.u[0].y, g.u[0].face) == (15.0, 180)
    assert moved(Unit(), FAR, DELAY).u[0].y == 20.0
    # too late to turn his back
    g = moved(Unit(face=180), Unit(1, y=26.0, rating=r.ELITE), DELAY)
    assert (g.u[0].y, g.u[0].face) == (20.0, 0)


def test_who_delays_does_not_show_his_back_where_he_cannot_get_away_REG_TRP_04() -> None:
    """A tardy unit could only face about, and at the own edge there is nowhere to go."""
    g = moved(Unit(), Unit(1, y=33.0), DELAY, may=r.MAY_BE_TARDY)
    assert (g.u[0].y, g.u[0].face) == (20.0, 0)
    assert moved(Unit(face=180), Unit(1, y=33.0), DELAY, may=r.MAY_BE_TARDY).u[0].y < 20.0
    g = moved(Unit(y=2.5), Unit(1, y=15.5), DELAY)
    assert (g.u[0].y, g.u[0].face) == (2.5, 0)


def test_who_withdraws_goes_home_and_off() -> None:
    g = moved(Unit(y=12.0), FAR, WITHDRAW)
    assert g.u[0].y == 7.0
    assert moved(Unit(y=0.5, face=180), FAR, WITHDRAW).u[0].place == r.LEFT


def test_the_weight_goes_round_the_flank_and_the_others_pin() -> None:
    g = field(Unit(), FAR)
    g.plans[0].flank, g.plan[0] = 1, TURN_FLANK
    g.u[0].outflanks, g.u[0].may = 1, r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert g.u[0].x > 30.5
    pins = moved(Unit(y=41.0), FAR, TURN_FLANK)
    assert pins.u[0].y == 41.0


@pytest.mark.parametrize("form", [r.MARCH_COLUMN, r.FIELD_COLUMN])
def test_a_column_stops_out_of_reach_and_forms_line_there_REG_TRP_01_REG_TRP_04(form: int) -> None:
    assert moved(Unit(form=form), FAR, ASSAULT).u[0].form == form
    stopped = moved(Unit(form=form), Unit(1, y=44.0), ASSAULT)
    assert stopped.u[0].form == form and measure_gap(stopped, 0, 1) == pytest.approx(14.5)
    # well handled it has half a move left, tardy it has none
    formed = moved(Unit(form=form), Unit(1, y=36.0), ASSAULT)
    assert (formed.u[0].form, formed.u[0].y) == (r.LINE, 25.0)
    tardy = moved(Unit(form=form), Unit(1, y=36.0), ASSAULT, may=r.MAY_BE_TARDY)
    assert (tardy.u[0].form, tardy.u[0].y) == (r.LINE, 20.0)


def test_a_column_that_holds_forms_line_on_its_spot_REG_TRP_01() -> None:
    assert moved(Unit(form=r.FIELD_COLUMN), FAR, HOLD).u[0].form == r.LINE
    assert moved(Unit(form=r.FIELD_COLUMN), FAR, HOLD, spot_y=26.0).u[0].form == r.FIELD_COLUMN


@pytest.mark.parametrize(
    ("unit", "enemy", "form"),
    [
        (Unit(y=2.0), 55.0, r.FIELD_COLUMN),
        (Unit(y=2.0), 50.0, r.LINE),
        (Unit(y=2.0, rating=r.RAW), 55.0, r.LINE),
        (Unit(y=2.0, militia=True), 55.0, r.LINE),
    ],
)
def test_a_line_with_a_long_way_to_go_forms_column_for_it_REG_UNI_04(
    unit: Unit, enemy: float, form: int
) -> None:
    g = moved(unit, Unit(1, y=enemy), ASSAULT)
    assert g.u[0].form == form
    assert g.u[0].y == pytest.approx(8.0 if form == r.FIELD_COLUMN else 12.0)


def test_a_line_goes_through_a_friend_who_stays_where_he_is_REG_TRP_03() -> None:
    for stays, y in ((0, 25.0), (1, 20.45)):
        g = field(Unit(y=20.0), FAR, Unit(y=21.0))
        g.plan[0], g.u[0].may, g.u[2].moved = ASSAULT, r.MAY_BE_WELL, stays
        commander.move_unit(g, 0)
        assert g.u[0].y == pytest.approx(y), stays
    g = field(Unit(y=20.0), FAR, Unit(y=21.0, order=r.DISORDERED))
    g.plan[0], g.u[0].may = ASSAULT, r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert g.u[0].order_ == r.GOOD and told(g)[0] != "passes_lines"


def test_a_fresh_line_relieves_one_that_has_suffered_REG_TRP_03() -> None:
    for lost, told_ in ((3, ["passes_lines", "move"]), (0, [])):
        g = field(Unit(y=39.95), Unit(1, y=45.0), Unit(y=40.5, stands=8 - lost, start=8))
        g.plan[0], g.u[0].may = ASSAULT, r.MAY_BE_WELL
        commander.move_unit(g, 0)
        assert told(g) == told_
        assert (g.u[0].y > g.u[2].y + 0.5) == bool(lost)
        assert g.u[0].about_faced == g.u[2].about_faced == int(lost > 0)


def test_a_holder_goes_to_a_spot_beside_it_by_the_flank_REG_TRP_01() -> None:
    g = moved(Unit(), FAR, HOLD, spot_x=34.0)
    assert (g.u[0].x, g.u[0].face, g.u[0].about_faced) == (34.0, 0, 1)
    assert told(g) == ["by_flank"]
    # too far for half a move, and not for tardy troops
    assert moved(Unit(), FAR, HOLD, spot_x=37.0).u[0].face == 90
    assert moved(Unit(), FAR, HOLD, spot_x=34.0, may=r.MAY_BE_TARDY).u[0].face == 45


def test_who_is_low_on_ammunition_sees_to_it_REG_TRP_01_REG_FIR_10() -> None:
    assert moved(Unit(), Unit(1, y=30.0), HOLD, low=1).u[0].low == 0
    assert moved(Unit(), Unit(1, y=23.5), HOLD, low=1).u[0].low == 1
    assert moved(Unit(), Unit(1, y=30.0), HOLD, low=1, may=r.MAY_BE_TARDY).u[0].low == 1


def test_a_reserve_waits_until_it_is_needed() -> None:
    g = field(Unit(), FAR, Unit(x=40))
    g.plan[0], g.u[0].reserve, g.u[0].may = ASSAULT, 1, r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert (g.u[0].y, g.u[0].reserve) == (20.0, 1)
    g.u[2].order_, g.u[0].may = r.DISORDERED, r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert g.u[0].reserve == 0 and g.u[0].y > 20.0


def test_the_foremost_moves_first_and_who_leaves_last() -> None:
    g = field(Unit(y=10), FAR, Unit(y=30), Unit(y=20))
    for plan, expected in ((ASSAULT, [2, 3, 0]), (WITHDRAW, [0, 3, 2])):
        g.plan[0] = plan
        g.order[:3] = [0, 2, 3]
        commander.sort_group_moves(g, 3)
        assert g.order[:3].tolist() == expected


def test_what_a_charge_is_worth_falls_with_ground_and_fire_REG_CHG_02() -> None:
    g = field(Unit(), Unit(1, y=26.0))
    plain = worth.charge_worth(g, 0, 1)
    paint(g, "woods", y=(25, 64))
    in_woods = worth.charge_worth(g, 0, 1)
    assert in_woods < plain
    g = field(Unit(), Unit(1, y=26.0))
    entrench(g, 25.5)
    assert worth.charge_worth(g, 0, 1) < in_woods
    flank = field(Unit(), Unit(1, y=26.0, face=0))
    assert worth.charge_worth(flank, 0, 1) > plain + 2


def test_boldness_lowers_what_a_charge_must_be_worth() -> None:
    g = field(Unit(), FAR)
    least = commander.find_charge_threshold(g, 0, 1)
    g.plans[0].boldness = 0.2
    assert commander.find_charge_threshold(g, 0, 1) == least - 2.0


@pytest.mark.parametrize("stands", [8, 1])
def test_spent_units_are_not_sent_at_the_enemy_when_an_assault_presses_HR_BAT_02(stands: int) -> None:
    g = field(Unit(stands=stands, start=8), Unit(1, x=60.0, y=50.0))
    g.plan[:] = ASSAULT, HOLD
    g.idle, g.quiet, g.u[0].may, g.plans[0].boldness = QUIET_TURNS, 2, r.MAY_BE_WELL, -9.0
    u = g.u[0]
    u.spot_x, u.spot_y = u.x, u.y
    tired = find_condition(g, u) == r.SPENT
    assert tired is (stands == 1)
    commander.gets_free(g, 0)
    assert bool((u.x, u.y) == (30.0, 20.0)) is tired
    assert bool(commander.find_charge_threshold(g, 0, 1) == commander.SENT_IN) is not tired


def test_who_is_wedged_in_beside_a_house_marches_out_by_the_flank_HR_BAT_02_REG_TRP_01() -> None:
    """It faces a house, a friend stands at its back, and there is no room to wheel."""
    g = field(
        Unit(x=29.05, y=23.6, face=284, stands=3),
        Unit(x=29.46, y=22.68, face=306, stands=5),
        Unit(1, x=31.0, y=40.0),
    )
    build(g, 27.4, 24.8)
    e = g.structures[0]
    e.half_width = e.half_depth = 1.3
    g.plan[:] = ASSAULT, HOLD
    g.idle, g.quiet, g.u[0].may = QUIET_TURNS, 2, r.MAY_BE_WELL
    commander.gets_free(g, 0)
    u = g.u[0]
    assert (u.face, u.moved) == (284, 1)
    assert u.y > 26.0


def test_who_is_wedged_in_marches_by_the_flank_to_where_its_way_leads_HR_BAT_02_REG_TRP_01() -> None:
    """A house stands right before its front; the enemy is to its left, the way round to the right."""
    g = field(Unit(x=31.04, y=12.11, face=359, stands=6), Unit(1, x=28.7, y=30.0))
    build(g, 31.1, 13.7)
    e = g.structures[0]
    e.half_width, e.half_depth = 0.66, 1.31
    g.plan[:] = ASSAULT, HOLD
    g.idle, g.quiet = QUIET_TURNS, 2
    u = g.u[0]
    u.may, u.has_way, u.via_x, u.via_y = r.MAY_BE_WELL, HAS_WAY, 33.5, 13.5
    commander.gets_free(g, 0)
    assert (u.face, u.moved) == (359, 1)
    assert u.x > 33.5


def test_an_attack_that_came_to_a_stand_goes_back_HR_BAT_02() -> None:
    g = field(Unit(y=40.0), Unit(1, y=60.0))
    g.plan[:] = ASSAULT, HOLD
    g.turn = 1
    assert not commander.order_attack_back(g, 0), "who stands at the spot fought for stays there"
    assert commander.order_attack_back(g, 1)
    g.turn, g.mover = 2, 0
    g.u[0].may = r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert g.u[0].y < 40.0
    g.u[0].y, g.u[0].may = 10.0, r.MAY_BE_WELL
    commander.move_unit(g, 0)
    assert g.u[0].y == 10.0, "near its own edge it stays"
    g.u[0].order_ = r.DISORDERED
    assert not commander.can_go_on(g, 0)
