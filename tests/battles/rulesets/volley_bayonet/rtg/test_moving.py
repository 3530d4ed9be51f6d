"""Facing, limbers, march column, standing still, recovery."""

import pytest

from battles.rulesets.volley_bayonet import allowance, formations, marching
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import dice, moving
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.rtg.terrain import FOREST, OPEN
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

GUNS: Kind = "artillery_battalion"


def test_the_routed_and_the_rallied_do_not_move_RTG_MOV_01_RTG_RAL_02() -> None:
    g = field(Stand(state=r.ROUTED), Stand(), Stand())
    g.u[1].rallied = 1
    assert [bool(moving.may_move(g.u[i])) for i in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("stand", "left"),
    [
        (Stand(), [1.0, 0.5, 0.0, None]),
        (Stand(kind="infantry_skirmisher"), [1.0, 0.5, 0.0, None]),
        (Stand(kind="cavalry_brigade"), [0.5, 0.0, None, None]),
        (Stand(kind=GUNS), [0.5, 0.0, None, None]),
        (Stand(kind=GUNS, limbered=True), [1.0, 1.0, 1.0, 1.0]),
    ],
    ids=lambda value: value.kind if isinstance(value, Stand) else "",
)
def test_changes_of_facing_by_the_move_RTG_MOV_03(stand: Stand, left: list[float | None]) -> None:
    """A change that finds too little left is not made."""
    g = field(stand)
    for share in left:
        assert bool(moving.change_facing(g, 0, moving.BY_MOVE)) is (share is not None)
        if share is not None:
            assert g.u[0].left == share
    assert g.u[0].state == r.GOOD


def test_infantry_may_pay_a_second_change_by_its_order_and_others_may_not_RTG_MOV_03() -> None:
    g = field(Stand(), Stand(kind="cavalry_brigade"))
    assert moving.change_facing(g, 0, moving.BY_ORDER) and g.u[0].state == r.GOOD
    assert moving.change_facing(g, 0, moving.BY_ORDER)
    assert (g.u[0].state, g.u[0].left) == (r.DISORDERED, 1.0)
    assert moving.change_facing(g, 1, moving.BY_ORDER)
    assert (g.u[1].state, g.u[1].left) == (r.GOOD, 0.5)


def test_the_poorly_trained_pay_for_the_first_and_the_second_disorders_RTG_MOV_03() -> None:
    g = field(Stand(traits=("poorly_trained",)))
    assert moving.change_facing(g, 0, moving.BY_ORDER)
    assert (g.u[0].left, g.u[0].state) == (0.5, r.GOOD)
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert (g.u[0].left, g.u[0].state) == (0.5, r.DISORDERED)


def test_limbering_is_free_once_a_turn_and_never_again_for_hired_trains_RTG_MOV_04() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, traits=("hired",), limbered=True))
    assert moving.change_limbers(g, 0, OPEN) and (g.u[0].limbered, g.u[0].left) == (1, 1.0)
    assert not moving.change_limbers(g, 0, OPEN), "one of the two a turn"
    assert moving.change_limbers(g, 1, OPEN) and g.u[1].limbered == 0
    g.u[1].limbers = 0
    assert not moving.change_limbers(g, 1, OPEN)
    assert not formations.go_stationary(g, 1, 0, False), "it has unlimbered in this turn"
    assert dice.own_fire_dice(g, g.u[1], 4.0) == 1


def test_out_of_command_neither_limbers_RTG_CMD_04() -> None:
    g = field(Stand(kind=GUNS))
    g.u[0].in_command = 0
    assert not moving.change_limbers(g, 0, OPEN)


def test_unlimbered_guns_are_pushed_two_inches_and_do_not_march_RTG_MOV_05() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, limbered=True, traits=("horse_artillery",)))
    guns, printed = g.u[0], table("RTG-MOV-05")
    guns.rate, guns.rate_horse = float(printed["move"]), guns.rate
    assert allowance.reach_of(g, guns, 1.0, 0) == moving.find_turn_inches(guns) == printed["move"]
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert allowance.reach_of(g, guns, 1.0, 0) == printed["move"] - printed["facing_cost"]
    assert not formations.enter_road_march(g, 0)
    assert allowance.reach_of(g, g.u[1], 1.0, 0) == 24.0
    assert formations.enter_road_march(g, 1)


def test_march_column_is_entered_for_nothing_and_left_for_half_a_move_RTG_MOV_06() -> None:
    g = field(Stand())
    u = g.u[0]
    assert formations.enter_road_march(g, 0) and u.left == 1.0
    assert allowance.reach_of(g, u, 1.0, 1) == 48.0
    assert allowance.share_of(g, u, 24.0, 1.0, 1) == allowance.share_of(g, u, 16.0, 1.0, 0) == 0.5
    assert allowance.reach_of(g, u, 2.0, 0) == 16.0, "over ground at double cost"
    assert not formations.leave_road_march(g, 0, True), "touching an enemy"
    assert formations.leave_road_march(g, 0, False)
    assert (u.form, u.left) == (r.FORMED, 0.5)
    assert moving.change_facing(g, 0, moving.BY_MOVE) and u.left == 0.5, "a free facing with it"
    assert not formations.go_stationary(g, 0, 0, False)


def test_a_column_melees_and_does_not_fire_RTG_MOV_06() -> None:
    g = field(Stand(form=r.ROAD_MARCH, traits=("dedicated_gun",)))
    u = g.u[0]
    assert dice.own_fire_dice(g, u, 1.0) == dice.gun_fire_dice(g, u, 1.0) == 0
    assert dice.melee_dice(g, u, 1) == 4


def test_out_of_command_half_the_move_then_disordered_RTG_CMD_05() -> None:
    g = field(Stand(stationary=True), Stand(kind="cavalry_brigade", state=r.PERMANENT))
    for i in range(2):
        g.u[i].in_command = 0
        allowance.begin_turn(g, g.u[i])
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert (g.u[0].state, g.u[0].stationary) == (r.GOOD, 0), "the free facing ends standing still"
    assert (
        g.u[0].left == 0.5 and marching.walk_straight(g, 0, 0, 20.0) == 8.0 and g.u[0].state == r.DISORDERED
    )
    assert moving.change_facing(g, 1, moving.BY_MOVE)
    assert g.u[1].state == r.PERMANENT


@pytest.mark.parametrize(
    ("stand", "may"),
    [
        (Stand(), True),
        (Stand(kind="infantry_brigade"), True),
        (Stand(kind=GUNS), True),
        (Stand(kind=GUNS, limbered=True), False),
        (Stand(form=r.ROAD_MARCH), False),
        (Stand(kind="infantry_skirmisher"), False),
        (Stand(kind="cavalry_brigade"), False),
        (Stand(kind="firearm_cavalry"), False),
        (Stand(state=r.ROUTED), False),
    ],
    ids=lambda value: value.kind if isinstance(value, Stand) else "",
)
def test_who_becomes_stationary_RTG_CMD_06_RTG_CBT_12_13(stand: Stand, may: bool) -> None:
    g = field(stand)
    assert bool(formations.go_stationary(g, 0, 0, False)) is may


def test_what_keeps_from_standing_still_RTG_CMD_04_06_RTG_EXH_02() -> None:
    for change in ("moved", "recovered", "left_march", "rallied"):
        g = field(Stand())
        setattr(g.u[0], change, 1)
        assert not formations.go_stationary(g, 0, 0, False)
    g = field(Stand())
    assert not formations.go_stationary(g, 0, 0, True), "of an exhausted division"
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert formations.go_stationary(g, 0, 0, False), "one free change of facing does not spoil it"
    g.u[0].in_command = g.u[0].stationary = 0
    assert not formations.go_stationary(g, 0, 0, False)


def test_recovering_costs_half_a_move_and_red_stays_RTG_CMD_06() -> None:
    g = field(Stand(state=r.DISORDERED), Stand(state=r.PERMANENT))
    assert not formations.recover_order(g, 0, 0, True), "touching an enemy"
    assert formations.recover_order(g, 0, 0, False)
    assert (g.u[0].state, g.u[0].left) == (r.GOOD, 0.5)
    assert not formations.recover_order(g, 1, 0, False)
    g = field(Stand(state=r.DISORDERED))
    g.u[0].in_command = 0
    assert not formations.recover_order(g, 0, 0, False)


def test_guns_do_not_unlimber_in_forest_RTG_TER_05() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, limbered=True))
    assert moving.change_limbers(g, 0, FOREST)
    assert not moving.change_limbers(g, 1, FOREST)
