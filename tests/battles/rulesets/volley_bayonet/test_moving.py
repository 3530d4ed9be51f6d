"""Moves a commander orders: straight ahead, turning, in and out of blocks."""

import math
from typing import Any

import pytest

from battles.engine.dtypes import FENCE, STREAM
from battles.engine.geometry import find_bearing, turn_between
from battles.rulesets.volley_bayonet import allowance, bases, moving, states
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.sight import comes_nearer
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, draw_line, field, paint

LIGHT: Any = {"abilities": ("detachments",)}


def test_a_stand_passes_through_friends_and_harms_nobody_VBW_MOV_05() -> None:
    g = field(Stand(y=20.0), Stand(y=24.0), Stand(kind="Fd", y=28.0))
    assert moving.go_straight(g, 0, 0, 14.0) == 14.0
    assert (g.u[0].y, g.u[0].state) == (34.0, r.GOOD)
    assert [(u.y, u.state) for u in g.u[1:3]] == [(24.0, r.GOOD), (28.0, r.GOOD)]


@pytest.mark.parametrize("want", [3.0, 4.0, 5.0])
def test_nobody_ends_a_move_on_a_friend_VBW_MOV_05_VBW_DEF_21(want: float) -> None:
    g = field(Stand(y=20.0), Stand(y=24.0))
    gone = moving.go_straight(g, 0, 0, want)
    assert 0.0 < gone <= 2.5
    assert bases.can_stand_at(g, 0, float(g.u[0].x), float(g.u[0].y), 0)


def test_nor_when_the_ground_stops_him_there_VBW_MOV_05() -> None:
    g = field(Stand(y=20.0), Stand(y=28.0))
    paint(g, "camp")
    assert moving.go_straight(g, 0, 0, 12.0) <= 6.5
    assert bases.can_stand_at(g, 0, float(g.u[0].x), float(g.u[0].y), 0)


def test_a_move_without_a_charge_stops_short_of_the_enemy_VBW_MOV_07() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0))
    moving.go_straight(g, 0, 0, 16.0)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(0.25)
    assert moving.go_straight(g, 0, 0, 16.0) == 0.0


def test_who_stops_short_never_touches_VBW_MOV_07_VBW_CMD_08() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0), options={"contact_tolerance_in": 0.25})
    moving.go_straight(g, 0, 0, 16.0)
    assert not bases.is_touching(g, 0, 1)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(0.26)


def test_nor_does_who_turns_or_comes_out_of_a_block_beside_an_enemy_VBW_MOV_07() -> None:
    g = field(Stand(x=30.0, y=20.0), Stand(1, x=32.0, y=22.7))
    assert moving.face_to(g, 0, 45)
    assert bases.measure_gap(g, 0, 1) > 1.0, "on the other corner"
    inside = field(Stand(x=30.0, y=22.0), Stand(1, x=30.0, y=29.4))
    assert moving.go_in(inside, 0, build(inside, 30.0, 25.0))
    assert not moving.leave_block(inside, 0, 0)
    assert inside.u[0].inside == 0


def test_routed_enemies_bar_the_way_as_others_do_VBW_MOV_07() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0, state=r.ROUTED))
    moving.go_straight(g, 0, 0, 16.0)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(0.25)


def test_the_tables_edge_ends_a_move() -> None:
    g = field(Stand(kind="LC", y=60.0))
    moving.go_straight(g, 0, 0, 16.0)
    assert g.u[0].y == 63.25


def test_out_of_command_nobody_goes_towards_an_enemy_in_sight_VBW_CMD_12() -> None:
    for command, gone in ((1, 4.0), (0, 0.0)):
        g = field(Stand(y=20.0), Stand(1, y=40.0))
        g.u[0].in_command = command
        assert moving.go_straight(g, 0, 0, 4.0) == gone
    assert (g.u[0].moved, g.u[0].state) == (0, r.GOOD), "who may not go has not moved"


def test_out_of_command_away_or_out_of_sight_is_allowed_VBW_CMD_12() -> None:
    g = field(Stand(y=20.0), Stand(1, y=40.0))
    g.u[0].in_command = 0
    assert moving.go_straight(g, 0, 180, 4.0) == 4.0
    assert g.u[0].state == r.DISORDERED
    hidden = field(Stand(y=20.0), Stand(1, y=40.0))
    paint(hidden, "forest", y=(30, 33))
    hidden.u[0].in_command = 0
    assert moving.go_straight(hidden, 0, 0, 4.0) == 4.0


def test_out_of_command_nobody_passes_near_an_enemy_either_VBW_CMD_12() -> None:
    g = field(Stand(kind="LC", x=20.0, y=20.0), Stand(1, x=30.0, y=26.0, face=270))
    g.u[0].in_command, g.u[0].face = 0, 90
    assert not comes_nearer(g, 0, 40.0, 20.0, 90), "at its end it would be as far off"
    assert moving.go_straight(g, 0, 90, 20.0) == 0.0


@pytest.mark.parametrize(("command", "centre"), [(1, (30.75, 22.25)), (0, (27.75, 19.25))])
def test_out_of_command_no_corner_is_turned_nearer_to_an_enemy_VBW_CMD_12(
    command: int, centre: tuple[float, float]
) -> None:
    g = field(Stand(y=20.0), Stand(1, x=33.0, y=28.0))
    g.u[0].in_command = command
    allowance.begin_turn(g, g.u[0])
    assert moving.face_to(g, 0, 90)
    assert (float(g.u[0].x), float(g.u[0].y)) == pytest.approx(centre)


@pytest.mark.parametrize("kind", [STREAM, FENCE])
def test_only_a_charge_suffers_from_what_it_came_over_VBW_TER_32_VBW_TER_20(kind: int) -> None:
    g = field(Stand(kind="LC", y=20.0, sp=2), Stand(1, y=40.0))
    draw_line(g, kind, 22.2)
    assert moving.go_straight(g, 0, 0, 6.0) == 6.0
    assert (g.u[0].over_stream, g.u[0].over_fence) == (0, 0)
    assert not states.is_disordered(g.u[0])


def test_a_turn_is_on_the_corner_that_leaves_room_VBW_MOV_04() -> None:
    g = field(Stand(x=30.0, y=20.0))
    assert moving.face_to(g, 0, 90)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == pytest.approx((30.75, 22.25, 90))
    beside = field(Stand(x=30.0, y=20.0), Stand(x=31.5, y=22.0))
    assert moving.face_to(beside, 0, 90)
    assert beside.u[0].x < 30.0, "on the other corner"
    wedged = field(Stand(x=30.0, y=20.0), Stand(x=30.0, y=21.6), Stand(x=26.9, y=19.0))
    assert not moving.face_to(wedged, 0, 90)
    assert (wedged.u[0].face, wedged.u[0].facings) == (0, 0)


def test_a_turn_for_a_spot_leaves_it_before_the_front_and_near_VBW_MOV_04() -> None:
    for x, y in ((30.0, 20.0), (66.0, 20.0), (48.0, 10.0)):
        g = field(Stand(x=48, y=20), Stand(1, y=50))
        before = math.hypot(x - 48, y - 20)
        assert moving.face_for_spot(g, 0, x, y)
        u = g.u[0]
        heading = find_bearing(x - u.x, y - u.y)
        assert abs(turn_between(u.face, heading)) <= allowance.OBLIQUE
        assert math.hypot(x - u.x, y - u.y) <= before  # it turns about where it stands


def test_no_turn_for_a_spot_is_made_where_there_is_no_room_VBW_MOV_04() -> None:
    around = [Stand(x=48 + dx, y=20 + dy) for dx in (-3.1, 0, 3.1) for dy in (-3.1, 0, 3.1) if dx or dy]
    g = field(Stand(x=48, y=20), *around, Stand(1, y=50))
    assert not moving.face_for_spot(g, 0, 30.0, 20.0)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 20, 0)


def test_infantry_is_disordered_as_it_goes_in_and_as_it_comes_out_VBW_TER_41() -> None:
    g = field(Stand(x=30.0, y=22.0))
    k = build(g, 30.0, 25.0)
    assert moving.go_in(g, 0, k)
    u = g.u[0]
    assert (u.inside, u.x, u.y, u.state, u.left) == (k, 30.0, 25.0, r.DISORDERED, 1.0)
    u.state = r.GOOD
    assert moving.leave_block(g, 0, 180)
    assert (u.inside, u.state, u.face, u.left) == (-1, r.DISORDERED, 180, 1.0)
    assert u.y == pytest.approx(25.0 - 2.0 - 0.75, abs=0.1)


@pytest.mark.parametrize("facts", [LIGHT, LIGHT | {"form": r.SKIRMISH}])
def test_so_are_detachments_and_skirmishers_VBW_TER_41(facts: Any) -> None:
    g = field(Stand(x=30.0, y=22.0, **facts))
    assert moving.go_in(g, 0, build(g, 30.0, 25.0))
    assert g.u[0].state == r.DISORDERED


@pytest.mark.parametrize("kind", ["LC", "Fd", "wheels"])
def test_horse_and_guns_neither_occupy_a_block_nor_pass_it_VBW_TER_42(kind: Any) -> None:
    g = field(Stand(kind=kind, x=30.0, y=21.0))
    g.u[0].rate = 24.0
    k = build(g, 30.0, 25.0)
    moving.go_straight(g, 0, 0, 20.0)
    assert g.u[0].y == pytest.approx(23.0 - bases.half_depth(g, g.u[0]), abs=0.1)
    assert not moving.go_in(g, 0, k)
    assert g.u[0].inside == -1


def test_nobody_walks_through_a_block_but_in_and_out_VBW_TER_41() -> None:
    g = field(Stand(x=30.0, y=20.0))
    build(g, 30.0, 26.0)
    moving.go_straight(g, 0, 0, 16.0)
    assert g.u[0].y < 24.0


def test_a_block_holds_what_it_has_room_for_and_no_enemies_VBW_TER_39_VBW_TER_40() -> None:
    g = field(*[Stand(x=30.0, y=22.0) for _ in range(3)], Stand(1, x=30.0, y=22.0))
    k = build(g, 30.0, 25.0)
    assert not moving.go_in(field(Stand(x=30.0, y=10.0)), 0, k), "from afar nobody goes in"
    assert [bool(moving.go_in(g, i, k)) for i in range(3)] == [True, True, False]
    assert not moving.go_in(g, 3, k)
    for i in range(2):
        g.u[i].place = r.GONE
    g.structures[k].capacity = 1
    assert not moving.go_in(g, 2, k), "a stand needs the room of two detachments"


def test_from_block_to_block_by_the_street_in_disorder_VBW_TER_44() -> None:
    g = field(Stand(x=30.0, y=22.0))
    first, second = build(g, 30.0, 25.0), build(g, 36.0, 25.0)
    assert moving.go_in(g, 0, first)
    u = g.u[0]
    u.state = r.GOOD
    assert not moving.go_in(g, 0, second), "not straight from one to the next"
    assert moving.leave_block(g, 0, 180)
    assert u.state == r.DISORDERED
    assert not moving.go_in(g, 0, second), "along the street first"
    u.state = r.GOOD
    assert allowance.change_facing(g, 0) and moving.go_straight(g, 0, 90, 5.0) == 5.0
    assert moving.go_in(g, 0, second)
    assert (u.inside, u.state) == (second, r.DISORDERED)
