"""Commanders on the table: where they ride, what stops them, what harms them."""

from typing import Any

import pytest

from battles.engine.dtypes import BY_FORD, FENCE, STREAM
from battles.rulesets.volley_bayonet import cards, command, leading, moving
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import (
    Leader,
    Stand,
    draw_line,
    entrench,
    field,
    make_way,
    paint,
)


def rider(*stands: Stand, rank: int = r.ARMY_COMMANDER, brigade: int = -1, **more: Any) -> Any:
    """A commander of side 0 at (30, 10) before he rides; the record."""
    return field(*stands, leaders=(Leader(0, rank, 30.0, 10.0, brigade=brigade),), **more)


def ridden(g: Any, y: float) -> float:
    """How far up the table he comes who rides towards that many inches."""
    leading.ride_to(g, 0, 30.0, y)
    return round(float(g.leaders[0].y), 6)


def test_a_commander_rides_twenty_four_inches_VBW_MOV_01() -> None:
    assert ridden(rider(Stand()), 60.0) == pytest.approx(34.0, abs=1.0)
    g = rider(Stand())
    assert leading.ride_to(g, 0, 30.0, 30.0)
    assert g.leaders[0].y == pytest.approx(30.0)


def test_woods_hills_and_broken_ground_do_not_hold_him_up_VBW_TER_06_VBW_TER_16() -> None:
    for ground, y in (("woods", 30.0), ("broken", 30.0), ("marsh", 30.0), ("forest", 22.0), ("water", 10.0)):
        g = rider(Stand())
        paint(g, ground)
        assert ridden(g, 30.0) == pytest.approx(y, abs=1.0)


@pytest.mark.parametrize("kind", [STREAM, FENCE])
def test_lines_take_of_his_turn_what_they_take_VBW_TER_17_VBW_TER_31(kind: int) -> None:
    g = rider(Stand())
    draw_line(g, kind, 15.3)
    ridden(g, 20.0)
    assert g.leaders[0].y == pytest.approx(20.0)
    share = 2.0 / 24.0 if kind == FENCE else 0.5
    assert g.leaders[0].left == pytest.approx(1.0 - 10.0 / 24.0 - share)


def test_he_pays_half_his_turn_for_works_VBW_TER_46() -> None:
    g = rider(Stand())
    entrench(g, 15.3)
    assert ridden(g, 20.0) == 20.0
    assert g.leaders[0].left == pytest.approx(0.5 - 10.0 / 24.0)


def test_at_a_marshy_bank_he_goes_at_the_rate_of_foot_VBW_TER_34() -> None:
    for ford, rate in ((False, 16.0), (True, 24.0)):
        g = rider(Stand())
        draw_line(g, STREAM, 10.6)
        cards.make_marshy(g, 30.0, 10.6)
        if ford:
            make_way(g, BY_FORD, 30.0, 10.6)
        ridden(g, 13.0)
        assert (g.leaders[0].rate, g.leaders[0].y) == (rate, 13.0)


def test_he_rides_into_contact_with_a_routed_stand_and_rallies_it_VBW_SEQ_07_VBW_RLY_02() -> None:
    g = rider(Stand(y=20.0), Stand(x=34.0, y=28.0, state=r.ROUTED, sp=2), Stand(1, y=60.0))
    leading.ride_commanders(g)
    assert command.rally_all(g, 0) == 1
    assert g.u[1].state == r.PERMANENT


@pytest.mark.parametrize(
    ("rank", "brigade", "stand"),
    [
        (r.UNIT_COMMANDER, -1, {}),
        (r.BRIGADE_COMMANDER, 1, {"brigade": 0}),
        (r.BRIGADE_COMMANDER, 0, {"kind": "Fd"}),
        (r.WING_COMMANDER, -1, {"kind": "Fd", "brigade": 0}),
        (r.ARMY_COMMANDER, -1, {"kind": "wheels"}),
        (r.ARMY_COMMANDER, -1, {"side": 1}),
    ],
)
def test_nobody_rides_to_those_he_cannot_rally_VBW_RLY_02_VBW_RLY_06(
    rank: int, brigade: int, stand: Any
) -> None:
    g = rider(Stand(**({"state": r.ROUTED, "y": 25.0} | stand)), rank=rank, brigade=brigade)
    g.leaders[0].battalion = 0
    assert leading.routed_to_rally(g, 0) == -1


def test_guns_of_no_brigade_are_rallied_by_wing_and_army_VBW_RLY_02() -> None:
    for rank in (r.WING_COMMANDER, r.ARMY_COMMANDER):
        g = rider(Stand(kind="Fd", state=r.ROUTED, y=25.0), rank=rank)
        assert leading.routed_to_rally(g, 0) == 0


def test_not_where_the_enemy_is_upon_them_nor_where_another_is() -> None:
    near = (Stand(state=r.ROUTED, y=25.0), Stand(1, y=30.0))
    assert leading.routed_to_rally(rider(*near), 0) == -1
    two = (Leader(0, r.ARMY_COMMANDER, 30.0, 10.0), Leader(0, r.WING_COMMANDER, 30.0, 23.5))
    g = field(Stand(state=r.ROUTED, y=25.0, wing=1), leaders=two)
    assert leading.routed_to_rally(g, 0) == -1


def test_else_he_is_with_the_middle_of_his_men() -> None:
    g = rider(Stand(x=20.0, y=20.0), Stand(x=31.0, y=21.0), Stand(x=42.0, y=20.0))
    leading.ride_commanders(g)
    assert (g.leaders[0].x, g.leaders[0].y) == pytest.approx((31.0, 21.0))


def test_only_the_moving_sides_commanders_ride_VBW_SEQ_03() -> None:
    g = rider(Stand(y=20.0))
    g.mover = 1
    leading.ride_commanders(g)
    assert g.leaders[0].y == 10.0


def test_who_is_out_of_play_stays_VBW_CRD_16() -> None:
    g = rider(Stand(y=20.0))
    cards.out_of_play(g, 0, 2)
    leading.ride_commanders(g)
    assert g.leaders[0].y == 10.0


def harmed(*stands: Stand, out: bool = False) -> Any:
    """A brigadier at (30, 10) whom a stand of the enemy touches; the record after the step."""
    g = rider(Stand(1, x=30.0, y=11.6), *stands, rank=r.BRIGADE_COMMANDER, brigade=0)
    if out:
        cards.out_of_play(g, 0, 2)
    leading.commanders_in_harm(g)
    return g


def test_a_commander_the_enemy_touches_gets_away_to_his_men_VBW_DEF_13() -> None:
    g = harmed(Stand(x=44.0, y=8.0, brigade=0), Stand(x=50.0, y=8.0, brigade=0), Stand(x=35.0, y=8.0))
    assert (g.leaders[0].state, g.leaders[0].x, g.leaders[0].y) == (r.COMMANDS, 44.0, 8.0)


def test_or_is_lost_when_they_are_too_far_VBW_DEF_13() -> None:
    for x, state in ((30.0 + 24.0 + 2.25, r.COMMANDS), (30.0 + 24.0 + 2.3, r.LOST)):
        assert harmed(Stand(x=x, y=10.0, brigade=0)).leaders[0].state == state, "edge to edge"


def test_not_while_a_friend_is_with_him_VBW_DEF_13() -> None:
    g = harmed(Stand(x=30.0, y=8.4), Stand(x=44.0, y=8.0, brigade=0))
    assert (g.leaders[0].state, g.leaders[0].x) == (r.COMMANDS, 30.0)


def test_the_enemy_must_touch_him_VBW_DEF_13() -> None:
    g = rider(Stand(1, x=30.0, y=12.0), rank=r.BRIGADE_COMMANDER, brigade=0)
    leading.commanders_in_harm(g)
    assert g.leaders[0].state == r.COMMANDS


def test_one_whom_a_card_keeps_from_commanding_gets_away_too_VBW_DEF_13() -> None:
    g = harmed(Stand(x=44.0, y=8.0, brigade=0), out=True)
    assert (g.leaders[0].state, g.leaders[0].x) == (r.OUT_OF_PLAY, 44.0)


@pytest.mark.parametrize(
    ("choice", "rank", "hurt", "die", "state"),
    [
        ("on", r.ARMY_COMMANDER, 1, 6, r.FALLEN),
        ("on", r.ARMY_COMMANDER, 1, 5, r.COMMANDS),
        ("on", r.ARMY_COMMANDER, 0, 6, r.COMMANDS),
        ("on", r.BRIGADE_COMMANDER, 1, 6, r.COMMANDS),
        ("off", r.ARMY_COMMANDER, 1, 6, r.COMMANDS),
    ],
)
def test_with_the_option_an_army_commander_dies_with_his_stands_loss_VBW_DEF_13(
    choice: str, rank: int, hurt: int, die: int, state: int
) -> None:
    options = {"attached_army_commander_dies": choice}
    g = rider(Stand(y=11.5, brigade=0), rank=rank, brigade=0, options=options, dice=(die,))
    leading.record_army_commanders(g)
    g.u[0].hurt, g.u[0].y = hurt, 20.0  # it has been driven off him
    leading.commanders_in_harm(g)
    assert g.leaders[0].state == state


def test_commanders_are_no_hindrance_and_may_share_a_spot_VBW_DEF_13_VBW_DEF_21() -> None:
    leaders = (Leader(0, r.ARMY_COMMANDER, 30.0, 24.0), Leader(1, r.ARMY_COMMANDER, 30.0, 25.0))
    g = field(Stand(y=20.0), leaders=leaders)
    assert moving.go_straight(g, 0, 0, 4.0) == 4.0
    assert leading.ride_to(g, 0, 30.0, 25.0)
