"""Legs over the ground: what they cost, what they do to order, and what they do to the ground."""

from typing import Any

import pytest

from battles.engine.dtypes import BY_BRIDGE, BY_FORD, FENCE, FIELDWORK, REDOUBT, STOCKADE, STREAM, WALL
from battles.files.schema import BattleFile, BattleGround, Feature
from battles.rulesets.volley_bayonet import allowance, cards, marching
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.grounds import ground_write
from tests.battles.rulesets.volley_bayonet.forces import (
    GROUNDS,
    Stand,
    draw_line,
    entrench,
    field,
    make_way,
    paint,
    raise_ground,
)

SKIRMISHERS: Any = {"abilities": ("detachments",), "form": r.SKIRMISH}


def walked(g: Any, inches: float, i: int = 0) -> tuple[float, float, int]:
    """Inches that stand i goes up the table in a fresh turn, what is left of it, and its state."""
    allowance.begin_turn(g, g.u[i])
    gone = marching.walk_straight(g, i, 0, inches)
    return round(float(gone), 9), round(float(g.u[i].left), 9), int(g.u[i].state)


def stepped(g: Any, start: float, end: float, *, lines: bool = False) -> float:
    """What a step of stand 0 up the table costs it beforehand."""
    codes = code_at(g, 30.0, start), code_at(g, 30.0, end)
    return float(marching.step_share(g, 0, *codes, 30.0, start, 30.0, end, 0, g.works_n if lines else 0, 1.0))


def test_open_ground_costs_what_it_measures_VBW_DEF_19() -> None:
    g = field(Stand(x=30.0, y=20.0))
    assert walked(g, 12.0) == (12.0, 0.25, r.GOOD)
    assert (g.u[0].x, g.u[0].y) == (30.0, 32.0)
    assert walked(g, 20.0)[0] == 16.0, "no further than its turn lasts"


def test_ground_is_paid_for_spot_by_spot_VBW_DEF_19_VBW_TER_01_VBW_TER_02() -> None:
    g = field(Stand(y=19.25))
    paint(g, "forest", y=(22, 24))
    assert walked(g, 8.0) == (8.0, (16 - 8 - 2) / 16, r.DISORDERED)


def test_a_leg_ends_before_ground_that_bars_it_VBW_TER_03() -> None:
    g = field(Stand(kind="LC", y=19.0, sp=2))
    paint(g, "forest", y=(26, 30))
    assert walked(g, 20.0)[0] == 6.0


def test_a_leg_costs_beforehand_what_it_costs_then_VBW_DEF_19() -> None:
    g = field(Stand(y=19.25))
    paint(g, "camp", y=(22, 24))
    draw_line(g, FENCE, 25.3)
    share = marching.walk_share(g, 0, 30.0, 20.0, 0, 8.0, 1.0)
    assert share == pytest.approx(12.0 / 16.0)
    assert walked(g, 8.0)[1] == pytest.approx(1.0 - share)
    assert marching.walk_share(g, 0, 30.0, 20.0, 0, 8.0, 0.7) == marching.NEVER


@pytest.mark.parametrize(
    ("facts", "marsh", "share"),
    [
        ({"kind": "LC", "sp": 2}, 0.0, 2.0 / 24.0),
        ({"kind": "wheels", "sp": 0}, 0.0, 4.0 / 4.0),
        ({}, 4.0, 4.0 / 16.0),
        ({}, 1.0, 1.0 / 16.0),
    ],
)
def test_of_overlapping_ground_the_dearest_counts_VBW_DEF_20(facts: Any, marsh: float, share: float) -> None:
    g = field(Stand(**facts))
    kind = "marsh" if marsh else "woods"
    paint(g, kind)
    g.u[0].in_marsh = marsh
    assert stepped(g, 20.75, 21.75) == pytest.approx(share)


def test_woods_on_rough_ground_cost_the_dearer_of_both_VBW_DEF_20() -> None:
    square = ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (0.0, 40.0))
    features = (Feature("open_woods", square), Feature("rough", square))
    battle = BattleFile(
        "Rough woods", "crown", "congress", (), turns=1, ground=BattleGround(60, 40, features)
    )
    g = field(Stand())
    ground_write(g, battle, r.SMALL._replace(rows=g.ground.shape[0], columns=g.ground.shape[1]))
    costs = [float(cost) for cost in g.going[code_at(g, 20.0, 12.0)].costs]
    assert costs == [1, 2, 1, 2, 2, 2, 2, 4, 1]


def test_lines_add_to_the_ground_they_cross_VBW_DEF_20_VBW_TER_31() -> None:
    g = field(Stand(y=19.25))
    paint(g, "camp")
    draw_line(g, FENCE, 20.3)
    draw_line(g, STREAM, 20.4)
    share = stepped(g, 20.0, 21.0, lines=True)
    assert share == pytest.approx(2.0 / 16.0 + 2.0 / 16.0 + 0.5)


@pytest.mark.parametrize("kind", [FENCE, WALL])
@pytest.mark.parametrize(
    ("facts", "inches"), [({}, 2.0), (SKIRMISHERS, 2.0), ({"kind": "Fd"}, 4.0), ({"kind": "LC"}, 4.0)]
)
def test_fences_cost_inches_VBW_TER_17_VBW_TER_19(kind: int, facts: Any, inches: float) -> None:
    g = field(Stand(y=20.0, **facts))
    start = 20.0 + marching.depth_towards(g, g.u[0], 0)
    draw_line(g, kind, start + 0.75)
    gone, left, state = walked(g, 2.0)
    assert (gone, state) == (2.0, r.GOOD)
    assert left == pytest.approx(1.0 - (2.0 + inches) / g.u[0].rate)


@pytest.mark.parametrize("facts", [{}, SKIRMISHERS, {"kind": "Fd"}, {"kind": "LC"}])
def test_a_stream_takes_half_a_turn_and_two_the_whole_VBW_TER_31(facts: Any) -> None:
    g = field(Stand(y=20.0, **facts))
    g.u[0].rate = 1000.0
    draw_line(g, STREAM, 25.2)
    assert walked(g, 10.0) == (10.0, pytest.approx(0.49), r.GOOD)
    draw_line(g, STREAM, 35.2)
    draw_line(g, STREAM, 37.2)
    assert walked(g, 10.0)[0] < 10.0


def test_who_has_not_half_a_turn_left_stops_at_the_stream_VBW_TER_31() -> None:
    g = field(Stand(y=19.25))
    draw_line(g, STREAM, 29.2)
    gone, left, _ = walked(g, 12.0)
    assert (gone, left) == (9.0, 7.0 / 16.0)


def test_rivers_are_crossed_at_bridges_and_fords_alone_VBW_TER_30() -> None:
    for way, reached in (("water", False), ("bridge", True), ("ford", True)):
        for facts in ({}, SKIRMISHERS, {"kind": "LC"}):
            g = field(Stand(x=30.0, y=18.0, **facts))
            paint(g, "water", y=(22, 25))
            paint(g, way, x=(29, 31), y=(22, 25))
            walked(g, 8.0)
            assert bool(g.u[0].y > 25.0) is reached
            assert reached or g.u[0].y + marching.depth_towards(g, g.u[0], 0) <= 22.0


@pytest.mark.parametrize(
    ("facts", "over"),
    [
        ({"kind": "Fd"}, False),
        ({"kind": "LC"}, False),
        ({"kind": "pack", "sp": 0}, False),
        ({"kind": "wheels", "sp": 0}, False),
        ({}, True),
        (SKIRMISHERS, True),
    ],
)
def test_marshy_banks_stop_guns_horse_and_transport_VBW_TER_33_VBW_CRD_46(facts: Any, over: bool) -> None:
    g = field(Stand(x=30.0, y=19.0, **facts))
    g.u[0].rate = 16.0
    draw_line(g, STREAM, 22.2)
    cards.make_marshy(g, 30.0, 22.0)
    walked(g, 4.0)
    assert bool(g.u[0].y > 22.2) is over
    other = field(Stand(x=30.0, y=19.0, **facts))
    other.u[0].rate, other.crown = 16.0, 1
    draw_line(other, STREAM, 22.2)
    cards.make_marshy(other, 30.0, 22.0)
    walked(other, 4.0)
    assert other.u[0].y > 22.2, "it is marshy to the Crown alone"


@pytest.mark.parametrize("kind", [BY_BRIDGE, BY_FORD])
def test_marshy_banks_stop_nobody_at_a_bridge_or_ford_VBW_TER_33_VBW_TER_37(kind: int) -> None:
    g = field(Stand(kind="LC", x=30.0, y=19.0, sp=2))
    make_way(g, kind, 30.0, 22.2)
    draw_line(g, STREAM, 22.2, gate=0 if kind == BY_BRIDGE else -1)
    cards.make_marshy(g, 30.0, 22.0)
    assert walked(g, 4.0) == (4.0, pytest.approx(0.5 - 4.0 / 24.0), r.GOOD)


@pytest.mark.parametrize(
    ("form", "state", "share"),
    [
        (r.FORMED, r.GOOD, 0.5),
        (r.ROAD_MARCH, r.GOOD, 0.0),
        (r.FORMED, r.DISORDERED, 0.0),
    ],
)
@pytest.mark.parametrize("over", ["river", "stream"])
def test_a_bridge_is_free_in_road_march_else_half_or_order_VBW_TER_35(
    form: int, state: int, share: float, over: str
) -> None:
    g = field(Stand(x=30.0, y=19.25, form=form, state=state))
    if over == "river":
        paint(g, "water", y=(22, 25))
        paint(g, "bridge", x=(29, 31), y=(22, 25))
    else:
        draw_line(g, STREAM, 23.2, gate=0)
    pace = 32.0 if form == r.ROAD_MARCH else 16.0
    assert walked(g, 8.0) == (8.0, 1.0 - share - 8.0 / pace, state)


@pytest.mark.parametrize("over", ["river", "stream"])
@pytest.mark.parametrize(
    ("left", "gone", "rest", "state"),
    [(1.0, 8.0, 0.0, r.GOOD), (0.75, 4.0, 0.0, r.GOOD), (0.5, 8.0, 0.0, r.DISORDERED)],
)
def test_who_cannot_pay_half_for_a_bridge_is_disordered_VBW_TER_35(
    left: float, gone: float, rest: float, state: int, over: str
) -> None:
    # its front is an inch from the bridge; out of command half its turn is all it has
    g = field(Stand(x=30.0, y=20.25))
    if over == "river":
        paint(g, "water", y=(22, 25))
        paint(g, "bridge", x=(29, 31), y=(22, 25))
    else:
        draw_line(g, STREAM, 22.2, gate=0)
    allowance.begin_turn(g, g.u[0])
    g.u[0].left = left
    assert round(float(marching.walk_straight(g, 0, 0, 8.0)), 9) == gone
    assert (round(float(g.u[0].left), 9), int(g.u[0].state)) == (rest, state)
    assert g.u[0].over_stream == 1


def test_a_charge_over_a_bridge_is_reckoned_with_the_owners_choice_VBW_TER_35() -> None:
    g = field(Stand(x=30.0, y=20.25))
    draw_line(g, STREAM, 22.2, gate=0)
    assert marching.walk_share(g, 0, 30.0, 21.0, 0, 8.0, 1.0) == pytest.approx(1.0)
    assert marching.walk_share(g, 0, 30.0, 21.0, 0, 8.0, 0.5) == pytest.approx(0.5), "disordered, not stopped"
    assert marching.walk_share(g, 0, 30.0, 21.0, 0, 8.0, 0.7) == marching.NEVER


def test_a_ford_takes_what_a_stream_takes_VBW_TER_37() -> None:
    g = field(Stand(x=30.0, y=19.25))
    paint(g, "water", y=(22, 25))
    paint(g, "ford", x=(29, 31), y=(22, 25))
    draw_line(g, STREAM, 23.7)
    assert walked(g, 8.0)[:2] == (8.0, 0.0)


@pytest.mark.parametrize("kind", [FIELDWORK, STOCKADE, REDOUBT])
@pytest.mark.parametrize("facts", [{}, SKIRMISHERS, {"kind": "SI"}])
def test_foot_crosses_works_for_half_a_turn_and_its_order_VBW_TER_46_VBW_TER_47(
    kind: int, facts: Any
) -> None:
    g = field(Stand(y=19.25, **facts))
    draw_line(g, kind, 22.2)
    _, left, state = walked(g, 3.0)
    assert state == r.DISORDERED
    assert left == pytest.approx(0.5 - 3.0 / g.u[0].rate)


@pytest.mark.parametrize("kind", ["Fd", "LC", "MI", "wheels"])
def test_guns_and_horse_stop_at_works_VBW_TER_48(kind: Any) -> None:
    g = field(Stand(kind=kind, y=19.0))
    g.u[0].rate = 16.0
    entrench(g, 22.2)
    walked(g, 6.0)
    assert g.u[0].y + marching.depth_towards(g, g.u[0], 0) <= 22.2
    assert g.u[0].state == r.GOOD


def test_guns_go_through_works_where_a_road_is_drawn_VBW_TER_48_VBW_TER_28() -> None:
    g = field(Stand(kind="Fd", y=19.0, form=r.ROAD_MARCH))
    g.going[r.OPEN].road = 1
    entrench(g, 22.2)
    assert walked(g, 6.0) == (6.0, 0.75, r.GOOD)


@pytest.mark.parametrize("ground", ["forest", "swamp", "marsh", "broken", "camp", "water"])
def test_a_march_on_a_road_ignores_all_it_goes_through_VBW_TER_28(ground: str) -> None:
    g = field(Stand(kind="LC", y=19.25, form=r.ROAD_MARCH, sp=2))
    paint(g, ground)
    draw_line(g, STREAM, 21.2)
    draw_line(g, FENCE, 22.2)
    entrench(g, 23.2)
    g.going[GROUNDS[ground]].road = 1
    assert walked(g, 36.0) == (36.0, 0.5, r.GOOD)
    assert (g.cursor, g.u[0].over_stream) == (0, 0)


def test_off_the_road_or_out_of_column_a_road_spares_nothing_VBW_TER_28() -> None:
    g = field(Stand(y=19.0))
    paint(g, "forest", y=(20, 40))
    g.going[r.FOREST].road = 1
    assert walked(g, 4.0) == (4.0, 0.5, r.DISORDERED)


@pytest.mark.parametrize(
    ("facts", "flat"),
    [({}, True), ({"kind": "LC", "sp": 2}, True), ({"kind": "Fd"}, True), (SKIRMISHERS, False)],
)
def test_crops_are_trodden_down_field_by_field_VBW_TER_13(facts: Any, flat: bool) -> None:
    g = field(Stand(x=30.0, y=20.0, **facts))
    paint(g, "crops", x=(20, 60), y=(23, 30))
    paint(g, "forest", x=(36, 38), y=(23, 30))
    g.fields[23:30, 20:40] = 1
    g.fields[23:30, 40:60] = 2
    assert walked(g, 4.0)[0] == 4.0
    assert bool(g.ground[25, 22] == r.OPEN) is flat, "all of the field"
    assert g.ground[25, 50] == r.CROPS, "and no other"
    assert g.ground[25, 37] == r.FOREST
    assert bool(g.ground_changed) is flat


def test_who_stays_out_of_the_crops_leaves_them_VBW_TER_13() -> None:
    g = field(Stand(x=30.0, y=19.25))
    paint(g, "crops", y=(24, 30))
    g.fields[24:30, :] = 1
    walked(g, 3.5)
    assert (g.ground[25, 30], g.ground_changed) == (r.CROPS, 0)


def test_a_marsh_is_diced_for_once_and_trodden_for_the_next_VBW_TER_09_10_11() -> None:
    g = field(Stand(x=30.0, y=19.25), Stand(x=30.0, y=15.0), Stand(x=50.0, y=19.25), dice=(2, 2, 2))
    paint(g, "marsh", y=(22, 26))
    assert walked(g, 8.0) == (8.0, 0.5, r.GOOD)
    assert (g.cursor, g.u[0].in_marsh) == (1, 0.0)
    assert walked(g, 10.0, 1)[0] == 10.0
    assert (g.cursor, g.u[1].in_marsh) == (2, 2.0), "a 2 counts as 3 where others went"
    walked(g, 4.0, 2)
    assert (g.cursor, g.u[2].in_marsh) == (3, 1.0), "and as 2 elsewhere"


def test_bad_marsh_holds_up_and_disorders_VBW_TER_09() -> None:
    g = field(Stand(y=19.25), dice=(6,))
    paint(g, "marsh", y=(22, 40))
    assert walked(g, 16.0) == (5.0, 1.0 - 1.5 / 16 - 3.5 * 4 / 16, r.DISORDERED)


def test_foot_skirmishers_ignore_marsh_VBW_TER_08() -> None:
    g = field(Stand(y=19.25, **SKIRMISHERS))
    paint(g, "marsh", y=(22, 40))
    assert walked(g, 16.0) == (16.0, 0.0, r.GOOD)
    assert g.cursor == 0


@pytest.mark.parametrize(
    ("facts", "height", "left", "state"),
    [
        ({}, 1, 0.75, r.GOOD),
        ({}, 2, 0.25, r.DISORDERED),
        (SKIRMISHERS, 2, 0.75, r.GOOD),
        ({"kind": "Fd"}, 1, 0.25, r.GOOD),
    ],
)
def test_contours_are_counted_from_where_the_move_began_VBW_TER_24_VBW_TER_25(
    facts: Any, height: int, left: float, state: int
) -> None:
    g = field(Stand(y=19.25, **facts))
    g.u[0].rate = 16.0
    for k in range(height):
        raise_ground(g, 20 + k, k + 1, y=(22 + k, 30))
    assert walked(g, 4.0) == (4.0, left, state)


def test_guns_cannot_climb_two_contours_off_the_road_VBW_TER_25_VBW_TER_26() -> None:
    for road, over in ((0, False), (1, True)):
        g = field(Stand(kind="Lt", y=18.0))
        for k in range(2):
            raise_ground(g, 20 + k, k + 1, y=(22 + 2 * k, 30))
            g.going[20 + k].road = road
        walked(g, 8.0)
        assert bool(g.u[0].y > 24.0) is over


def test_a_card_takes_a_unit_over_rough_ground_for_nothing_VBW_CRD_31() -> None:
    g = field(Stand(kind="SI", y=19.25))
    paint(g, "broken")
    g.battalions[0].free_ground = 1
    assert walked(g, 6.0)[1] == 0.5
