"""Brigades over the ground of a battle file: streams, bridges, works, woods, marsh, hills, roads."""

from typing import Any

import pytest

from battles.files.schema import Feature
from battles.rulesets.volley_bayonet import allowance, formations, marching
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.approach import close_to
from battles.rulesets.volley_bayonet.bases import half_depth, measure_gap
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.ground import column_of
from battles.rulesets.volley_bayonet.rtg.impact import may_charge_at
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.rtg.tables import RTG_TABLES
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field, in_file, lay

FOOT, HORSE, GUNS, SKIRMISHER, RIDER = (
    "linear_infantry", "cavalry_brigade", "artillery_battery", "infantry_skirmisher", "cavalry_skirmisher",
)  # fmt: skip
#: Where all go from, straight up the table: the middle of the front.
X, Y = 16.0, 5.0
#: Inches by which a leg is looked at.
STRIDE = RTG_TABLES.distances["stride"]
BAND = in_file((8.0, 6.0), (24.0, 6.0), (24.0, 8.0), (8.0, 8.0))
ROAD = Feature("road", in_file((X, 0.0), (X, 20.0)), "road")


def on(*features: Feature, dice: tuple[int, ...] = (), **stand: Any) -> Any:
    """One stand in a fresh turn before such ground."""
    g = field(Stand(**{"limbered": True, **stand}), dice=dice)
    lay(g, *features)
    u = g.u[0]
    u.x, u.y = X, Y - float(half_depth(g, u))
    allowance.begin_turn(g, u)
    return g


def walked(g: Any, inches: float) -> tuple[float, float, int]:
    """Inches it goes, what is left of its move, and its state."""
    gone = float(marching.walk_straight(g, 0, 0, inches))
    u = g.u[0]
    return round(gone, 6), round(float(allowance.reach_of(g, u, 1.0, 0)), 6), int(u.state)


def stream(y: float) -> Feature:
    return Feature("stream", in_file((0.0, y), (31.0, y)), f"stream {y}")


@pytest.mark.parametrize(("kind", "rate"), [(FOOT, 16.0), (HORSE, 24.0), (SKIRMISHER, 16.0)])
def test_the_second_stream_of_a_move_disorders_RTG_TER_17(kind: Kind, rate: float) -> None:
    assert walked(on(stream(5.55), kind=kind), 1.0) == (1.0, rate / 2 - 1.0, r.GOOD)
    g = on(stream(5.05), stream(5.3), kind=kind)
    assert walked(g, 0.25) == (0.25, rate / 2 - 0.25, r.GOOD)
    assert walked(g, 0.25) == (0.0, rate / 2 - 0.25, r.GOOD), "too little is left for the second"
    g.u[0].left = 1.0
    assert walked(g, 0.25) == (0.25, rate / 2 - 0.25, r.DISORDERED)


def test_a_bridge_is_free_in_march_column_and_costs_half_a_move_else_RTG_TER_01() -> None:
    lie = stream(5.55), Feature("bridge", in_file((X, 5.55)), "bridge", heading=0)
    assert walked(on(*lie), 2.0) == (2.0, 6.0, r.GOOD)
    g = on(*lie, form=r.ROAD_MARCH)
    assert walked(g, 2.0) == (2.0, 30.0, r.GOOD)


def test_who_cannot_pay_half_a_move_for_a_bridge_is_disordered_RTG_TER_01() -> None:
    g = on(stream(5.55), Feature("bridge", in_file((X, 5.55)), "bridge", heading=0))
    allowance.begin_turn(g, g.u[0])
    g.u[0].left = 0.5
    assert marching.walk_straight(g, 0, 0, 2.0) == pytest.approx(2.0)
    assert (float(g.u[0].left * g.u[0].rate), int(g.u[0].state)) == (pytest.approx(6.0), r.DISORDERED)


@pytest.mark.parametrize("kind", [FOOT, HORSE, SKIRMISHER, RIDER, GUNS])
def test_works_disorder_horse_alone_and_cost_nobody_RTG_TER_04(kind: Kind) -> None:
    works = Feature("fieldwork", in_file((8.0, 5.55), (24.0, 5.55)), "works")
    g = on(works, kind=kind)
    gone, left, state = walked(g, 1.0)
    assert (gone, left) == (1.0, pytest.approx(float(g.u[0].rate) - 1.0))
    effects = t.MOVES["field_works"][column_of(g.u[0])]
    assert state == (r.DISORDERED if effects & t.ENTERING else r.GOOD)


@pytest.mark.parametrize("kind", [FOOT, HORSE, SKIRMISHER, RIDER, GUNS])
@pytest.mark.parametrize("ground", ["forest", "orchard", "broken", "crops", "swamp", "river"])
def test_areas_cost_and_disorder_by_the_card_RTG_TER_00_02_03_05_13_14_18(kind: Kind, ground: str) -> None:
    words: dict[str, Any] = {
        "forest": "dense_woods", "orchard": "open_woods", "broken": "rough", "river": "water",
    }  # fmt: skip
    g = on(Feature(words.get(ground, ground), BAND, "it"), kind=kind)
    u = g.u[0]
    effects, rate = t.MOVES[ground][column_of(u)], float(u.rate)
    gone, left, state = walked(g, 2.0)
    if effects & t.PROHIBITED:
        assert (gone, state) == (pytest.approx(1.0, abs=STRIDE), r.GOOD)
        return
    cost = 2.0 if effects & t.TWICE else 1.0
    assert (gone, left) == (2.0, pytest.approx(rate - 1.0 - cost, abs=STRIDE))
    assert state == (r.DISORDERED if effects & t.INSIDE else r.GOOD)
    code = code_at(g, X, 7.0)
    if effects & t.INSIDE:
        assert not formations.recover_order(g, 0, code, False), "as long as it is inside"


@pytest.mark.parametrize("kind", [HORSE, GUNS, FOOT])
def test_on_a_road_columns_and_limbered_guns_ignore_the_ground_RTG_TER_15_RTG_TER_10(kind: Kind) -> None:
    g = on(ROAD, Feature("dense_woods", BAND, "wood"), kind=kind)
    if kind != GUNS:
        assert formations.enter_road_march(g, 0)
        g.u[0].y = Y - float(half_depth(g, g.u[0]))
    before = float(g.u[0].left)
    assert walked(g, 2.0)[::2] == (2.0, r.GOOD)
    along = 2.0 / (float(g.u[0].rate) * (1.0 if kind == GUNS else 3.0))
    assert before - float(g.u[0].left) == pytest.approx(along)


@pytest.mark.parametrize("kind", [FOOT, HORSE, SKIRMISHER, RIDER, GUNS])
@pytest.mark.parametrize("contours", [1, 2, -1, -2])
def test_hills_by_the_card_RTG_TER_10(kind: Kind, contours: int) -> None:
    g = field(Stand(kind=kind, limbered=True))
    u = g.u[0]
    effects = t.HILLS[abs(contours) - 1][column_of(u)]
    if effects & t.UPHILL and contours < 0:
        effects = 0
    share = float(allowance.contour_share(u, 0, contours, 0))
    assert share == (2.0 if effects & t.PROHIBITED else 0.5 if effects & t.HALF_MOVE else 0.0)
    if kind == GUNS:
        assert allowance.contour_share(u, 0, contours, 1) == 0.0, "on a road they go as they like"


@pytest.mark.parametrize("kind", [FOOT, HORSE])
def test_a_second_contour_disorders_RTG_TER_10(kind: Kind) -> None:
    hill = Feature("hill", BAND, "hill", height=2)
    g = on(hill, kind=kind)
    rate = float(g.u[0].rate)
    assert walked(g, 1.5) == (1.5, pytest.approx(rate / 2 - 1.5), r.DISORDERED)


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("trodden", [0, 1, 2])
def test_marsh_is_diced_for_by_who_cannot_skirmish_on_foot_RTG_TER_11(die: int, trodden: int) -> None:
    effects = {1: 0, 2: 0, 3: t.TWICE, 4: t.TWICE}
    for kind, more in ((FOOT, 0), (GUNS, 1), (RIDER, 0)):
        g = field(Stand(kind=kind), dice=(die,))
        row = effects.get(die + more + trodden, t.FOURFOLD | t.INSIDE)
        assert row in {row for _, row in t.MARSH_ROWS}
        cost = {0: 1.0, t.TWICE: 2.0}.get(row, 4.0)
        assert allowance.enter_marsh(g, 0, trodden) == cost
        assert (int(g.u[0].state) == r.DISORDERED) is (cost == 4.0)
    g = field(Stand(kind=SKIRMISHER), dice=(die,))
    assert allowance.enter_marsh(g, 0, trodden) == 1.0 and g.cursor == 0


@pytest.mark.parametrize(("kind", "state"), [(FOOT, r.DISORDERED), (SKIRMISHER, r.GOOD)])
def test_a_town_disorders_the_formed_who_come_in_or_go_out_RTG_TER_19(kind: Kind, state: int) -> None:
    g = field(Stand(kind=kind))
    assert allowance.enter_block(g, 0) and g.u[0].state == state


def test_who_may_not_charge_closes_to_an_inch_RTG_CHG_03_RTG_MOV_08() -> None:
    g = field(Stand(), Stand(1, HORSE, y=26.0))
    allowance.begin_turn(g, g.u[0])
    assert not may_charge_at(g, 0, 1)
    assert close_to(g, 0, 1, measure_gap(g, 0, 1), 0.0) > 0.0
    kept = table("RTG-CHG-03")["min_gap_in"]
    assert kept == table("RTG-MOV-08")["min_gap_in"] and measure_gap(g, 0, 1) == pytest.approx(kept, abs=0.1)
    assert measure_gap(g, 0, 1) >= kept
