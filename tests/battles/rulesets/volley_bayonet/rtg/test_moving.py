"""Facing, limbers, march column, standing still, streams, bridges and hills."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import dice, moving
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.rtg.terrain import FIELD_WORKS, FOREST, OPEN, TOWN
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

GUNS: Kind = "artillery_battalion"


def test_the_routed_and_the_rallied_do_not_move_RTG_MOV_01_RTG_RAL_02() -> None:
    g = field(Stand(state=r.ROUTED), Stand(), Stand())
    g.u[1].rallied = 1
    assert [bool(moving.may_move(g.u[i])) for i in range(3)] == [False, False, True]
    assert not moving.enter_column(g, 0)


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
    assert not moving.go_stationary(g.u[1], False), "it has unlimbered in this turn"
    assert dice.own_fire_dice(g, g.u[1], 4.0) == 1


def test_out_of_command_neither_limbers_RTG_CMD_04() -> None:
    g = field(Stand(kind=GUNS))
    g.u[0].in_command = 0
    assert not moving.change_limbers(g, 0, OPEN)


def test_unlimbered_guns_are_pushed_two_inches_and_do_not_march_RTG_MOV_05() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, limbered=True, traits=("horse_artillery",)))
    assert moving.reach_of(g.u[0], 1.0, 0) == table("RTG-MOV-05")["move"]
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert moving.reach_of(g.u[0], 1.0, 0) == table("RTG-MOV-05")["move"] - table("RTG-MOV-05")["facing_cost"]
    assert not moving.enter_column(g, 0)
    assert moving.reach_of(g.u[1], 1.0, 0) == 24.0
    assert moving.enter_column(g, 1)


def test_march_column_is_entered_first_and_left_for_half_a_move_RTG_MOV_06() -> None:
    g = field(Stand(), Stand(kind="cavalry_skirmisher"))
    u = g.u[0]
    assert moving.enter_column(g, 0) and u.left == 1.0
    assert moving.reach_of(u, 1.0, 1) == 48.0
    assert moving.share_of(u, 24.0, 1.0, 1) == 0.5 and moving.share_of(u, 16.0, 1.0, 0) == 0.5
    assert moving.reach_of(u, 2.0, 0) == 16.0, "over ground at double cost"
    assert not moving.leave_column(g, 0, True), "touching an enemy"
    assert moving.leave_column(g, 0, False)
    assert (u.form, u.left) == (r.FORMED, 0.5)
    assert moving.change_facing(g, 0, moving.BY_MOVE) and u.left == 0.5, "a free facing with it"
    assert not moving.enter_column(g, 0), "only at the start of a move"
    assert not moving.go_stationary(u, False)
    assert moving.enter_column(g, 1) and moving.leave_column(g, 1, False)
    assert g.u[1].form == r.SKIRMISH


def test_a_column_melees_and_does_not_fire_RTG_MOV_06() -> None:
    g = field(Stand(form=r.ROAD_MARCH, traits=("dedicated_gun",)))
    u = g.u[0]
    assert dice.own_fire_dice(g, u, 1.0) == dice.gun_fire_dice(g, u, 1.0) == 0
    assert dice.melee_dice(g, u, 1) == 4


def test_out_of_command_half_the_move_then_disordered_RTG_CMD_05() -> None:
    g = field(Stand(stationary=True), Stand(kind="cavalry_brigade", state=r.PERMANENT))
    for i in range(2):
        g.u[i].in_command, g.u[i].left = 0, moving.HALF
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert (g.u[0].state, g.u[0].stationary) == (r.GOOD, 0), "the free facing ends standing still"
    assert moving.cross_stream(g, 0, 0) and g.u[0].state == r.DISORDERED
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
    assert bool(moving.go_stationary(g.u[0], False)) is may


def test_what_keeps_from_standing_still_RTG_CMD_04_06_RTG_EXH_02() -> None:
    for change in ("moved", "recovered", "left_march", "rallied"):
        g = field(Stand())
        setattr(g.u[0], change, 1)
        assert not moving.go_stationary(g.u[0], False)
    g = field(Stand())
    assert not moving.go_stationary(g.u[0], True), "of an exhausted division"
    assert moving.change_facing(g, 0, moving.BY_MOVE)
    assert moving.go_stationary(g.u[0], False), "one free change of facing does not spoil it"
    g.u[0].in_command = g.u[0].stationary = 0
    assert not moving.go_stationary(g.u[0], False)


def test_recovering_costs_half_a_move_and_red_stays_RTG_CMD_06_RTG_TER_00() -> None:
    g = field(
        Stand(state=r.DISORDERED), Stand(state=r.PERMANENT), Stand(0, "cavalry_brigade", state=r.DISORDERED)
    )
    assert not moving.recover(g, 0, OPEN, True), "touching an enemy"
    assert moving.recover(g, 0, OPEN, False)
    assert (g.u[0].state, g.u[0].left) == (r.GOOD, 0.5)
    assert not moving.recover(g, 1, OPEN, False)
    assert not moving.recover(g, 2, FOREST, False), "it is disordered as long as it is inside"
    g.u[2].in_command = 0
    assert not moving.recover(g, 2, OPEN, False)


def test_streams_RTG_TER_17_RTG_TER_15() -> None:
    g = field(Stand(), Stand(form=r.ROAD_MARCH), Stand(kind=GUNS, limbered=True))
    assert moving.cross_stream(g, 0, 0) and (g.u[0].left, g.u[0].state) == (0.5, r.GOOD)
    assert moving.cross_stream(g, 0, 0) and (g.u[0].left, g.u[0].state) == (0.0, r.DISORDERED)
    assert not moving.cross_stream(g, 0, 0)
    for i in (1, 2):
        assert moving.cross_stream(g, i, 1) and g.u[i].left == 1.0, "a road has its bridge"


def test_guns_do_not_unlimber_in_forest_RTG_TER_05() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, limbered=True))
    assert moving.change_limbers(g, 0, FOREST)
    assert not moving.change_limbers(g, 1, FOREST)


@pytest.mark.parametrize(
    ("kind", "crosses"),
    [
        ("linear_infantry", True),
        ("infantry_skirmisher", True),
        ("cavalry_skirmisher", True),
        ("cavalry_brigade", False),
        (GUNS, False),
    ],
)
def test_marshy_streams_take_half_a_move_order_and_gun_RTG_TER_12_RTG_CBT_22(
    kind: Kind, crosses: bool
) -> None:
    g = field(Stand(kind=kind, traits=("dedicated_gun",)))
    assert bool(moving.cross_marshy_stream(g, 0)) is crosses
    if crosses:
        assert (g.u[0].left, g.u[0].state) == (0.5, r.DISORDERED)
        assert g.u[0].dedicated == (0 if kind == "linear_infantry" else 1)


@pytest.mark.parametrize(
    ("kind", "ground", "comes", "goes"),
    [
        ("linear_infantry", TOWN, r.DISORDERED, r.DISORDERED),
        ("infantry_skirmisher", TOWN, r.GOOD, r.GOOD),
        ("cavalry_brigade", FIELD_WORKS, r.DISORDERED, r.DISORDERED),
        ("cavalry_brigade", FOREST, r.DISORDERED, r.GOOD),
        ("linear_infantry", FOREST, r.GOOD, r.GOOD),
    ],
)
def test_disordered_coming_in_and_going_out_RTG_TER_00_04_05_19(
    kind: Kind, ground: int, comes: int, goes: int
) -> None:
    g = field(Stand(kind=kind), Stand(kind=kind), Stand(kind=kind, form=r.ROAD_MARCH))
    moving.enter_ground(g, 0, ground, 0)
    moving.leave_ground(g, 1, ground, 0)
    moving.enter_ground(g, 2, ground, 1)
    assert [int(g.u[i].state) for i in range(3)] == [comes, goes, r.GOOD]


def test_bridges_RTG_TER_01() -> None:
    g = field(Stand(form=r.ROAD_MARCH), Stand(), Stand())
    assert moving.cross_bridge(g, 0, moving.BY_MOVE) and (g.u[0].left, g.u[0].state) == (1.0, r.GOOD)
    assert moving.cross_bridge(g, 1, moving.BY_MOVE) and (g.u[1].left, g.u[1].state) == (0.5, r.GOOD)
    assert moving.cross_bridge(g, 2, moving.BY_ORDER) and (g.u[2].left, g.u[2].state) == (1.0, r.DISORDERED)
    g.u[1].left = 0.25
    assert not moving.cross_bridge(g, 1, moving.BY_MOVE)


@pytest.mark.parametrize(
    ("stand", "contours", "left", "state"),
    [
        (Stand(), 1, 1.0, r.GOOD),
        (Stand(), 2, 0.5, r.DISORDERED),
        (Stand(), -2, 0.5, r.DISORDERED),
        (Stand(kind="cavalry_brigade"), 2, 0.5, r.DISORDERED),
        (Stand(kind="infantry_skirmisher"), 2, 1.0, r.GOOD),
        (Stand(kind="cavalry_skirmisher"), 2, 1.0, r.GOOD),
        (Stand(kind=GUNS, limbered=True), 1, 0.5, r.GOOD),
        (Stand(kind=GUNS, limbered=True), -1, 1.0, r.GOOD),
        (Stand(kind=GUNS, limbered=True), 2, None, r.GOOD),
        (Stand(kind=GUNS, limbered=True), -2, None, r.GOOD),
    ],
)
def test_hills_RTG_TER_10(stand: Stand, contours: int, left: float | None, state: int) -> None:
    g = field(stand)
    assert bool(moving.climb(g, 0, contours, 0)) is (left is not None)
    if left is not None:
        assert (g.u[0].left, g.u[0].state) == (left, state)


def test_guns_on_a_road_ignore_hills_RTG_TER_10_RTG_TER_15() -> None:
    g = field(Stand(kind=GUNS, limbered=True))
    assert moving.climb(g, 0, 2, 1) and g.u[0].left == 1.0
