"""The local commander: what stands do under each plan."""

from typing import Any

import pytest

from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.rulesets.volley_bayonet import allowance, bases, commander
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.allowance import begin_turn
from battles.rulesets.volley_bayonet.sight import can_see
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, field, paint


def moved(plan: int, *stands: Stand, boldness: float = -9.0, **plans: Any) -> Any:
    """The record after the movement step of side 0 under a plan."""
    g = field(*stands)
    g.plan[:] = plan, HOLD
    p = g.plans[0]
    p.kind_, p.boldness = plan, boldness
    for name, value in plans.items():
        setattr(p, name, value)
    for u in g.u[: g.n]:
        u.spot_x, u.spot_y = u.x, u.y
    g.mover = 0
    commander.run_movement_step(g)
    return g


def test_an_attacker_goes_up_to_where_he_can_fire() -> None:
    for plan in (ASSAULT, ADVANCE):
        g = moved(plan, Stand(y=20.0), Stand(1, y=36.0))
        assert bases.measure_gap(g, 0, 1) == pytest.approx(7.4, abs=0.2)
        assert (g.u[0].charged, g.u[1].y) == (0, 36.0)


def test_an_attacker_goes_on_until_he_sees_whom_woods_hide_VBW_MOV_07_VBW_TER_07() -> None:
    g = field(Stand(y=20.0), Stand(1, y=29.5))
    paint(g, "woods", y=(24, 28))
    g.plan[:] = ASSAULT, HOLD
    g.plans[0].boldness = -9.0
    assert bases.measure_gap(g, 0, 1) < 8.1 and not can_see(g, 0, 1)
    commander.run_movement_step(g)
    assert can_see(g, 0, 1)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(2.0, abs=0.1), (
        "at the edge of the woods, and no nearer"
    )


def test_who_is_bold_charges_but_not_under_a_plan_that_only_advances() -> None:
    for plan, charged in ((ASSAULT, 1), (HOLD, 1), (ADVANCE, 0), (WITHDRAW, 0)):
        g = moved(plan, Stand(y=20.0), Stand(1, y=28.0, state=r.DISORDERED), boldness=9.0)
        assert g.u[0].charged == charged


def test_a_holder_stands_and_goes_stationary_VBW_MOV_25_VBW_MOV_26() -> None:
    g = moved(HOLD, Stand(y=20.0), Stand(1, y=40.0))
    assert (g.u[0].y, g.u[0].stationary, g.u[0].moved) == (20.0, 1, 0)


def test_who_is_disordered_recovers_first_VBW_MOV_09_VBW_MOV_26() -> None:
    g = moved(ASSAULT, Stand(y=20.0, state=r.DISORDERED), Stand(1, y=60.0))
    assert (g.u[0].state, g.u[0].recovered, g.u[0].stationary) == (r.GOOD, 1, 0)
    touching = moved(HOLD, Stand(y=20.0, state=r.DISORDERED), Stand(1, y=21.52))
    assert touching.u[0].state == r.DISORDERED


def test_who_delays_falls_back_from_who_comes_near() -> None:
    for y, back in ((28.0, True), (40.0, False)):
        g = moved(DELAY, Stand(y=20.0), Stand(1, y=y))
        assert bool(g.u[0].y < 20.0) is back
        assert g.u[0].face == 0


def test_who_withdraws_leaves_by_his_own_edge() -> None:
    g = moved(WITHDRAW, Stand(y=10.0, face=180), Stand(1, y=40.0))
    assert (g.u[0].place, g.u[0].lost) == (r.GONE, 0)


def test_a_plan_becomes_another_after_its_time() -> None:
    for until, after in ((1, WITHDRAW), (3, HOLD)):
        g = field(Stand(y=20.0), Stand(1, y=60.0))
        g.turn, g.plan[0] = 2, HOLD
        g.plans[0].until, g.plans[0].then_ = until, WITHDRAW
        commander.run_movement_step(g)
        assert g.plan[0] == after


def test_the_weight_goes_round_the_flank_that_is_named() -> None:
    for flank, way in ((-1, -1.0), (1, 1.0)):
        g = field(Stand(x=50.0, y=20.0), Stand(1, x=50.0, y=45.0))
        g.plans[0].flank = flank
        assert commander.flank_direction(g, 0) == way
    assert commander.line_end(g, 0) == (50.0, 45.0)
    g.plan[0], g.plans[0].boldness, g.u[0].outflanks = TURN_FLANK, -9.0, 1
    commander.run_movement_step(g)
    assert g.u[0].x > 50.0


def test_routed_stands_do_not_move_of_their_own_VBW_DEF_17() -> None:
    g = moved(ASSAULT, Stand(y=20.0, state=r.ROUTED), Stand(1, y=40.0))
    assert (g.u[0].y, g.u[0].moved, g.u[0].charged) == (20.0, 0, 0)


def test_those_in_front_move_first_so_that_nobody_is_in_the_way() -> None:
    g = field(Stand(y=10.0), Stand(y=20.0), Stand(1, y=60.0))
    assert commander.sort_moves(g) == 2
    assert list(g.order[:2]) == [1, 0]
    g.plan[0] = WITHDRAW
    commander.sort_moves(g)
    assert list(g.order[:2]) == [0, 1]


def test_a_reserve_waits_until_the_enemy_is_near() -> None:
    for y, kept in ((60.0, 1), (28.0, 0)):
        g = field(Stand(y=20.0), Stand(x=40.0, y=22.0), Stand(1, y=y))
        g.u[0].reserve = 1
        assert bool(commander.stays_back(g, 0, bases.measure_gap(g, 0, 2))) is bool(kept)
        assert g.u[0].reserve == kept


def test_who_breaks_contact_goes_as_far_as_it_has_to_VBW_DEF_10() -> None:
    g = field(Stand(y=20.0), Stand(1, y=21.5), Stand(y=17.6))
    allowance.begin_turn(g, g.u[0])
    commander.breaks_contact(g, 0)
    assert g.u[0].y <= 19.0


@pytest.mark.parametrize(("enemy_y", "goes_in"), [(60.0, True), (34.0, False)])
def test_a_holder_goes_into_a_block_by_him_while_there_is_time_VBW_TER_41(
    enemy_y: float, goes_in: bool
) -> None:
    g = field(Stand(y=20.0), Stand(1, y=enemy_y))
    k = build(g, 30.0, 24.0)
    allowance.begin_turn(g, g.u[0])
    assert commander.garrison_building(g, 0) == goes_in
    assert g.u[0].inside == (k if goes_in else -1)
    assert g.u[0].state == (r.DISORDERED if goes_in else r.GOOD)


@pytest.mark.parametrize("tired", [False, True])
def test_spent_stands_are_not_sent_at_the_enemy_when_an_assault_presses_HR_BAT_02(tired: bool) -> None:
    g = field(Stand(y=20.0, sp=3), Stand(1, x=60.0, y=60.0))
    g.plan[:] = ASSAULT, HOLD
    g.idle, g.quiet = g.t.quiet_turns, 2
    u = g.u[0]
    u.sp = 1 if tired else 3
    begin_turn(g, u)
    commander.gets_free(g, 0)
    assert bool((u.x, u.y) == (30.0, 20.0)) is tired


@pytest.mark.parametrize("tired", [False, True])
def test_spent_stands_do_not_charge_at_any_price_when_an_assault_presses_HR_BAT_02(
    tired: bool,
) -> None:
    g = field(Stand(y=20.0, sp=3), Stand(1, y=28.0, sp=3))
    g.plan[:] = ASSAULT, HOLD
    g.idle, g.quiet, g.plans[0].boldness = g.t.quiet_turns, 2, -9.0
    g.u[0].sp = 1 if tired else 3
    assert bool(commander.find_charge_threshold(g, 0) == commander.SENT_IN) is not tired


def test_an_attack_that_came_to_a_stand_goes_back_HR_BAT_02() -> None:
    g = field(Stand(y=30.0), Stand(1, y=60.0))
    g.plan[:] = ASSAULT, HOLD
    g.turn, g.turns = 1, 12
    assert not commander.order_attack_back(g, 0), "who stands at the spot fought for stays there"
    assert commander.order_attack_back(g, 1)
    g.turn, g.mover = 2, 0
    commander.run_movement_step(g)
    assert g.u[0].y < 30.0
    g.u[0].y = commander.OFF_EDGE
    commander.run_movement_step(g)
    assert g.u[0].y == commander.OFF_EDGE, "it does not leave the table"
    g.u[0].state = r.DISORDERED
    assert not commander.can_go_on(g, 0)
