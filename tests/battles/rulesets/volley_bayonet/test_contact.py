"""Charges: straight at the target, what they cost, what they come over, whom they reach."""

from typing import Any

import pytest

from battles.engine.dtypes import BY_BRIDGE, BY_FORD, FENCE, STREAM
from battles.rulesets.volley_bayonet import allowance, bases, contact, morale_step, states
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.recording import MOVE
from tests.battles.rulesets.volley_bayonet.forces import (
    Stand,
    build,
    draw_line,
    entrench,
    field,
    make_way,
    paint,
)


def charged(*others: Stand, target: Any = None, **facts: Any) -> tuple[Any, bool]:
    """Stand 0 charges stand 1, ten inches ahead of it; the record and whether it came to it."""
    g = field(Stand(0, **({"y": 20.0} | facts)), Stand(1, **({"y": 30.0} | (target or {}))), *others)
    return g, bool(contact.make_charge(g, 0, 1))


def test_a_charge_goes_straight_on_into_contact_VBW_MOV_07() -> None:
    g, reached = charged()
    u = g.u[0]
    assert reached and bases.is_touching(g, 0, 1)
    assert (u.x, u.face, u.charged, u.charges, u.facings) == (30.0, 0, 1, 1, 0)
    assert (u.from_x, u.from_y, u.edge) == (30.0, 20.0, r.FRONT)
    assert u.left == pytest.approx(1.0 - 8.5 / 16.0, abs=0.01)
    assert morale_step.has_met(g, 0, 1)


def test_a_charge_out_of_reach_is_not_begun_VBW_MOV_07() -> None:
    g, reached = charged(kind="SI", target={"y": 34.0})
    assert not reached
    assert (g.u[0].y, g.u[0].moved, g.u[0].charged, g.u[0].left) == (20.0, 0, 0, 1.0)


def test_it_may_face_at_its_start_alone_VBW_MOV_07() -> None:
    g, reached = charged(target={"x": 38.0, "face": 270})
    assert reached and bases.is_touching(g, 0, 1)
    assert (g.u[0].facings, g.u[0].moved) == (1, 1)
    turned = field(Stand(y=20.0), Stand(1, x=36.0, y=24.0, face=270))
    allowance.change_facing(turned, 0)
    assert not contact.make_charge(turned, 0, 1), "no second facing change"
    ahead = field(Stand(y=20.0), Stand(1, y=30.0))
    allowance.change_facing(ahead, 0)
    assert contact.make_charge(ahead, 0, 1), "straight on it needs none"


def test_the_poorly_trained_pay_for_facing_VBW_MOV_07_VBW_MOV_08() -> None:
    for x, reached in ((44.0, False), (36.0, True)):
        g = field(Stand(y=20.0, abilities=("PT",)), Stand(1, x=x, y=24.0, face=270))
        assert bool(contact.make_charge(g, 0, 1)) is reached
    assert g.u[0].left < 0.5


def test_the_turn_that_leaving_road_march_gives_is_free_VBW_MOV_14_VBW_MOV_17() -> None:
    g = field(Stand(y=20.0, abilities=("PT",)), Stand(1, x=36.0, y=24.0, face=270))
    g.u[0].free_turn = 1
    assert contact.make_charge(g, 0, 1)
    assert (g.u[0].free_turn, g.u[0].facings) == (0, 0)


def test_the_target_must_be_in_sight_VBW_MOV_07() -> None:
    for ground, reached in (("open", True), ("woods", False)):
        g = field(Stand(y=20.0), Stand(1, y=28.0))
        paint(g, ground, y=(23, 25))
        assert bool(contact.make_charge(g, 0, 1)) is reached


def test_another_enemy_or_a_block_in_the_way_bars_the_charge_VBW_MOV_07() -> None:
    assert not charged(Stand(1, y=26.0))[1]
    g = field(Stand(y=20.0), Stand(1, y=32.0))
    g.u[0].rate = 24.0
    build(g, 30.0, 26.0)
    assert contact.is_barred(g, 0, 1, contact.inches_to(g, 0, 1))
    assert not contact.make_charge(g, 0, 1)


def test_friends_do_not_bar_it_but_there_must_be_room_VBW_MOV_05_VBW_DEF_21() -> None:
    g, reached = charged(Stand(y=24.0))
    assert reached and g.u[2].state == r.GOOD
    assert not charged(Stand(y=28.0))[1]


@pytest.mark.parametrize(
    "facts",
    [{"form": r.ROAD_MARCH}, {"kind": "Fd"}, {"state": r.ROUTED}],
)
def test_who_may_not_charge_does_not_VBW_DEF_11(facts: Any) -> None:
    g, reached = charged(**facts)
    assert not reached and g.u[0].y == 20.0


def test_ground_on_the_line_costs_what_it_costs_VBW_MOV_07() -> None:
    for ground, reached in (("open", True), ("camp", False)):
        g = field(Stand(y=20.0), Stand(1, y=32.0))
        paint(g, ground)
        assert bool(contact.make_charge(g, 0, 1)) is reached


@pytest.mark.parametrize(("line", "reached"), [(None, True), (STREAM, False)])
def test_so_do_streams_VBW_MOV_07_VBW_TER_31(line: int | None, reached: bool) -> None:
    g = field(Stand(y=20.0), Stand(1, y=30.5))
    if line is not None:
        draw_line(g, line, 24.2)
    assert bool(contact.make_charge(g, 0, 1)) is reached


def test_a_charge_counts_a_marsh_at_its_worst_VBW_TER_09() -> None:
    for y, reached in ((24.0, True), (30.0, False)):
        g = field(Stand(y=20.0), Stand(1, y=y), dice=(1,))
        paint(g, "marsh")
        assert bool(contact.make_charge(g, 0, 1)) is reached


def test_foot_that_charges_over_works_is_disordered_VBW_TER_46_VBW_TER_47() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0))
    entrench(g, 24.8)
    assert contact.make_charge(g, 0, 1)
    assert g.u[0].state == r.DISORDERED
    assert g.u[0].left == pytest.approx(0.5 - 4.5 / 16.0, abs=0.01)


@pytest.mark.parametrize("kind", ["LC", "MC"])
def test_horse_does_not_charge_over_works_VBW_TER_48(kind: Any) -> None:
    g = field(Stand(kind=kind, y=20.0), Stand(1, y=26.0))
    entrench(g, 24.8)
    assert not contact.make_charge(g, 0, 1)


@pytest.mark.parametrize(("kind", "over"), [("LC", 1), ("FI", 0)])
def test_horse_that_came_over_a_fence_must_test_VBW_TER_20(kind: Any, over: int) -> None:
    g = field(Stand(kind=kind, y=20.0), Stand(1, y=26.0))
    draw_line(g, FENCE, 22.2)
    assert contact.make_charge(g, 0, 1)
    assert g.u[0].over_fence == over


def over_stream(target: Any, *, x: float = 30.0) -> Any:
    """Stand 0 has charged stand 1 over a stream at 24.2 inches; the record."""
    g = field(Stand(y=21.0), Stand(1, **({"x": x, "y": 26.0} | target)))
    draw_line(g, STREAM, 24.2)
    assert contact.make_charge(g, 0, 1)
    return g


@pytest.mark.parametrize(
    ("target", "counts"),
    [
        ({}, True),
        ({"state": r.DISORDERED}, True),
        ({"y": 28.0}, False),
        ({"face": 0}, False),
        ({"face": 90}, False),
    ],
)
def test_an_attack_over_a_defended_stream_is_made_in_disorder_VBW_TER_32(target: Any, counts: bool) -> None:
    g = over_stream(target)
    u = g.u[0]
    assert bool(states.is_disordered(u)) is counts
    assert u.state == r.GOOD, "without a marker"
    assert states.state_now(u) == (r.DISORDERED if counts else r.GOOD)


def test_a_bank_is_defended_against_who_comes_over_it_VBW_TER_32() -> None:
    g = over_stream({})
    assert contact.defends_bank(g, 0, 1)
    g.u[0].from_y = 40.0
    assert not contact.defends_bank(g, 0, 1), "not against who comes from behind"


def test_what_happens_to_it_is_what_happens_to_the_disordered_VBW_TER_32() -> None:
    for target, after in (({}, r.ROUTED), ({"y": 28.0}, r.DISORDERED)):
        g = over_stream(target)
        assert states.change_order(g, 0, states.FAIL_MORALE) == after


def test_without_a_stream_nobody_defends_one_VBW_TER_32() -> None:
    g, reached = charged()
    assert reached and not states.is_disordered(g.u[0])


@pytest.mark.parametrize("kind", [BY_BRIDGE, BY_FORD])
@pytest.mark.parametrize(("target", "counts"), [({}, True), ({"y": 29.0}, False), ({"face": 0}, False)])
def test_bridges_and_fords_of_a_river_are_defended_like_a_stream_VBW_TER_36_VBW_TER_37(
    kind: int, target: Any, counts: bool
) -> None:
    g = field(Stand(kind="LC", y=19.0, sp=2), Stand(1, **({"y": 27.0} | target)))
    paint(g, "water", y=(22, 25))
    paint(g, "bridge" if kind == BY_BRIDGE else "ford", x=(29, 31), y=(22, 25))
    make_way(g, kind, 30.0, 23.5)
    if kind == BY_FORD:
        draw_line(g, STREAM, 23.6)
    assert contact.make_charge(g, 0, 1)
    assert g.u[0].left == pytest.approx(0.5 - (g.u[1].y - 19.0 - 1.5) / 24.0, abs=0.01)
    assert bool(states.is_disordered(g.u[0])) is counts


def test_the_bridge_of_a_stream_is_defended_as_well_VBW_TER_36() -> None:
    g = field(Stand(y=21.0), Stand(1, y=26.0))
    make_way(g, BY_BRIDGE, 30.0, 24.2)
    draw_line(g, STREAM, 24.2, gate=0)
    assert contact.make_charge(g, 0, 1)
    assert states.is_disordered(g.u[0])


def test_who_touches_the_enemy_already_charges_again_without_a_move_VBW_DEF_10() -> None:
    g = field(Stand(y=20.0), Stand(1, y=21.52))
    assert contact.make_charge(g, 0, 1)
    u = g.u[0]
    assert (u.charged, u.charges, u.left) == (1, 1, 1.0)
    assert u.y == pytest.approx(20.0, abs=0.02)
    assert morale_step.has_met(g, 0, 1)


def test_a_charge_held_up_by_the_ground_leaves_nothing_behind_VBW_TER_32() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0))
    draw_line(g, STREAM, 22.2)
    g.u[0].left = 0.55
    assert not contact.charge_by(g, 0, 1, 0)
    assert (g.u[0].charged, g.u[0].over_stream, g.u[0].over_fence) == (0, 0, 0)
    last = g.events[g.events_n - 1]
    assert (last.what, last.y, last.total) == (MOVE, g.u[0].y, 100 * (g.u[0].y - 20.0))


def test_no_charge_ends_beyond_the_tables_edge_VBW_DEF_14() -> None:
    g = field(Stand(y=62.0), Stand(1, y=10.0))
    assert contact.ends_in_contact(g, 0, 1.0)
    assert not contact.ends_in_contact(g, 0, 5.0)
