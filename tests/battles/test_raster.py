"""Ground as cells, structures, works and ways over water, against slow and plain reckoning."""

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dtypes import (
    ALIKE,
    BITS,
    BRIDGE,
    BUILDING,
    BY_BRIDGE,
    BY_FORD,
    FENCE,
    FULL,
    IN_COLUMN,
    LARGE,
    MANY,
    NEAR_WORK,
    REDOUBT,
    SMALL,
    STREAM,
    WALL,
    WORKLESS,
    WORKS_AFTER,
    WORKS_BEFORE,
    make_blank_state,
)
from battles.engine.raster import even_write, raster_write, work_add
from battles.engine.survey import survey_ground
from battles.errors import BattleFileError
from battles.files.ground_checks import crosses_itself
from battles.files.schema import BattleGround, Feature, Point
from battles.ground.features import PIECE
from battles.ground.shapes import is_inside_polygon
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from tests.battles.grounds import is_near_course

EXAMPLES = 30 if is_interpreted() else 60
TERRAIN = terrain_for(options_resolve({}))
FREE = terrain_for(options_resolve({"ford_cost": "free"}))


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[Point, ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def written(*features: Feature, terrain: Any = TERRAIN, width: float = 40.0, depth: float = 30.0) -> Any:
    g = make_blank_state(SMALL)[0]
    raster_write(g, BattleGround(width, depth, features), terrain)
    return g


def going(g: Any, x: float, y: float) -> Any:
    return g.going[g.ground[int(y / g.cell), int(x / g.cell)]]


def costs(g: Any, x: float, y: float) -> list[float]:
    return [round(float(cost), 4) for cost in g.cost[g.ground[int(y / g.cell), int(x / g.cell)]]]


quarters = st.integers(-8, 168).map(lambda n: n / 4.0)
points = st.tuples(quarters, quarters)
polygons = (
    st.lists(points, min_size=3, max_size=6, unique=True)
    .map(tuple)
    .filter(lambda corners: not crosses_itself(corners))
)
courses = st.lists(points, min_size=2, max_size=4, unique=True).map(tuple)
KINDS = ("rough", "swamp", "open_woods", "dense_woods", "water")
areas = st.builds(Feature, st.sampled_from(KINDS), polygons)
hills = st.builds(
    Feature, st.just("hill"), polygons, height=st.integers(1, 3), grade=st.sampled_from(("gentle", "steep"))
)
rivers = st.builds(Feature, st.just("river"), courses)
grounds = st.lists(st.one_of(areas, hills, rivers), max_size=5).map(tuple)


@given(grounds)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_cell_is_what_its_centre_lies_on_AWI_T_TER_06(features: tuple[Feature, ...]) -> None:
    g = written(*features)
    for row in range(0, 30, 3):
        for column in range(0, 40, 3):
            spot = (column + 0.5, row + 0.5)
            on = [
                f for f in features
                if (
                    is_near_course(f.points, spot, 3.0)
                    if f.kind == "river"
                    else is_inside_polygon(f.points, spot)
                )
            ]  # fmt: skip
            there = going(g, *spot)
            kinds = {f.kind for f in on}
            wood = 2 if "dense_woods" in kinds else int("open_woods" in kinds)
            raised = [f.height for f in on if f.kind == "hill"]
            assert there.wood == wood
            assert there.water == int(bool(kinds & {"river", "water"}))
            assert there.height == (raised[-1] if raised else 0)


@given(grounds, st.integers(0, IN_COLUMN))
@settings(max_examples=EXAMPLES, deadline=None)
def test_going_is_the_same_as_far_as_a_cell_says(features: tuple[Feature, ...], kind: int) -> None:
    road = Feature("road", ((12.0, 0.0), (20.0, 30.0)))
    g = written(*features, road)
    even_write(g)
    alike = g.known >> ALIKE + kind * BITS & FULL
    column_of_costs = slice(None) if kind == IN_COLUMN else kind
    for row in range(0, 30, 3):
        for column in range(0, 40, 3):
            far = int(alike[row, column])
            cells = g.ground[
                max(0, row - far) : row + far + 1, max(0, column - far) : min(column + far + 1, 40)
            ]
            here = g.ground[row, column]
            for code in {int(code) for code in cells[: 30 - max(0, row - far)].flat}:
                assert (g.cost[code, column_of_costs] == g.cost[here, column_of_costs]).all()
                assert kind < IN_COLUMN or g.going[code].road == g.going[here].road
    assert (alike[:30, :40] > 0).any()


spots = st.tuples(st.floats(1.0, 39.0), st.floats(1.0, 29.0))


@given(st.lists(st.tuples(spots, spots), min_size=1, max_size=5), spots)
@settings(max_examples=EXAMPLES, deadline=None)
def test_cells_know_which_works_are_near_and_which_are_not(
    lines: list[tuple[Point, Point]], spot: Point
) -> None:
    g = written()
    for start, end in lines:
        work_add(g, WALL, *start, *end, -1)
    even_write(g)
    gaps = [
        max(w.low_x - spot[0], spot[0] - w.high_x, w.low_y - spot[1], spot[1] - w.high_y)
        for w in g.works[: g.works_n]
    ]
    known = int(g.known[int(spot[1]), int(spot[0])])
    before, after = known >> WORKS_BEFORE & MANY, known >> WORKS_AFTER & MANY
    listed = range(before, len(lines) - after)
    assert all(k in listed for k, inches in enumerate(gaps) if inches <= NEAR_WORK)
    assert (known >> WORKLESS & FULL) - 1 <= max(0.0, min(gaps))


@given(grounds)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_mirrored_ground_is_mirrored(features: tuple[Feature, ...]) -> None:
    one = written(*features)
    turned = [replace(f, points=tuple((40.0 - x, 30.0 - y) for x, y in f.points)) for f in features]
    two = written(*turned)
    assert (one.ground[:30, :40] == two.ground[:30, :40][::-1, ::-1]).all()
    assert (one.cost == two.cost).all()


def test_open_ground_is_plain_and_nothing_is_looked_up() -> None:
    g = written()
    assert (g.plain, g.woods, g.hills, g.bars.sum(), g.goings_n) == (1, 0, 0, 0, 1)
    g = written(Feature("open_woods", box(5, 5, 9, 9)))
    assert (g.plain, g.woods, g.hills, g.bars.sum()) == (0, 1, 0, 0)
    g = written(Feature("hill", box(5, 5, 9, 9), grade="level"))
    assert (g.plain, g.hills) == (0, 1)
    g = written(Feature("swamp", box(5, 5, 9, 9)))
    assert list(g.bars) == [0, 0, 1, 1]


def test_the_last_hill_named_counts_so_a_top_is_level_AWI_T_TER_04() -> None:
    slope = Feature("hill", box(5, 5, 20, 20), height=1, grade="steep")
    g = written(slope, Feature("hill", box(10, 10, 15, 15), height=2, grade="level"))
    assert costs(g, 12, 12)[:4] == [1, 1, 1, 1]
    assert costs(g, 7, 7)[:4] == [3, 1.5, 3, 0]
    assert (going(g, 12, 12).height, going(g, 7, 7).height, going(g, 7, 7).slope) == (2, 1, 2)


def test_a_road_is_two_inches_wide_and_helps_columns_only_AWI_T_TER_09() -> None:
    wood = Feature("dense_woods", box(0, 0, 40, 30))
    g = written(wood, Feature("road", ((0, 15), (40, 15))))
    assert costs(g, 20, 15.5) == [3, 1.5, 0, 0, 1, 1, 1, 1]
    assert costs(g, 20, 18.5) == [3, 1.5, 0, 0, 3, 1.5, 0, 0]
    g = written(
        Feature("hill", box(0, 0, 40, 30), grade="steep"),
        Feature("road", ((0, 15), (40, 15)), road_grade="gentle"),
    )
    assert costs(g, 20, 15.5) == [3, 1.5, 3, 0, 1.5, 1, 1.5, 3]


def test_a_stream_is_a_line_with_no_water_cells_AWI_T_TER_08() -> None:
    g = written(Feature("stream", ((0, 10), (20, 12), (40, 10))))
    assert [int(w.kind_) for w in g.works[: g.works_n]] == [STREAM, STREAM]
    assert g.plain == 1
    assert g.works[0].structure == -1


def test_a_river_bars_all_but_at_bridge_and_ford_AWI_T_TER_08_TER_09() -> None:
    river = Feature("river", ((0, 15), (40, 15)))
    g = written(river, Feature("bridge", ((10, 15),)), Feature("ford", ((30, 15),)))
    assert costs(g, 20.5, 15.5) == [0] * 8
    assert costs(g, 20.5, 18.5) == [1] * 8
    assert costs(g, 10.5, 15.5) == [0, 0, 0, 0, 1, 1, 1, 1]
    assert costs(g, 30.5, 15.5) == [1] * 8
    assert list(g.bars) == [1] * 4
    bridge, ford = g.gates[0], g.gates[1]
    assert (bridge.kind_, ford.kind_) == (BY_BRIDGE, BY_FORD)
    assert bridge.half_length == pytest.approx(3.0, abs=0.3)
    # a river of 6 inches is two pieces of 100 mm, each with its own SP
    assert (bridge.structure, bridge.pieces, ford.structure) == (0, 2, -1)
    assert [(int(s.kind_), int(s.sp)) for s in g.structures[:2]] == [(BRIDGE, 3)] * 2
    # the ford costs what a stream costs, unless it is free
    assert [(int(w.kind_), float(w.y0)) for w in g.works[: g.works_n]] == [(STREAM, pytest.approx(15.0))]
    g = written(river, Feature("ford", ((30, 15),)), terrain=FREE)
    assert g.works_n == 0


def test_a_way_over_reaches_both_banks_wherever_its_point_is() -> None:
    g = written(Feature("water", box(0, 8, 40, 20)), Feature("bridge", ((10, 10),), heading=180))
    gate = g.gates[0]
    assert (gate.y, gate.half_length) == (pytest.approx(14.0, abs=0.2), pytest.approx(6.2, abs=0.3))
    assert costs(g, 10.5, 8.5)[4] == costs(g, 10.5, 19.5)[4] == 1


def test_a_stream_under_a_bridge_and_at_a_free_ford_AWI_T_TER_09() -> None:
    stream = Feature("stream", ((0, 15), (40, 15)))
    both = (stream, Feature("bridge", ((10, 15),)), Feature("ford", ((30, 15),)))
    g = written(*both)
    pieces = sorted((float(w.x0), float(w.x1), int(w.gate)) for w in g.works[: g.works_n])
    assert pieces == [(0, 9, -1), (9, 11, 0), (11, 40, -1)]
    g = written(*both, terrain=FREE)
    pieces = sorted((float(w.x0), float(w.x1), int(w.gate)) for w in g.works[: g.works_n])
    assert pieces == [(0, 9, -1), (9, 11, 0), (11, 28, -1), (32, 40, -1)]


@pytest.mark.parametrize(("kind", "sp"), [("fieldwork", 6), ("stockade", 8)])
def test_works_are_cut_in_pieces_of_100_mm_with_their_own_sp_AWI_T_FOR_01(kind: Any, sp: int) -> None:
    g = written(Feature(kind, ((4, 4), (14, 4), (14, 14)), id="lines"))
    # 20 inches are five pieces of 100 mm, and the one round the corner is two straight works
    assert (g.structures_n, g.works_n) == (5, 6)
    assert [int(s.sp) for s in g.structures[:5]] == [sp] * 5
    assert [int(w.structure) for w in g.works[:6]] == [0, 1, 2, 2, 3, 4]
    total = sum(abs(w.x1 - w.x0) + abs(w.y1 - w.y0) for w in g.works[:6])
    assert total == pytest.approx(20.0)
    assert g.structures[0].feature == 0
    assert g.structures[0].solid == 1


def test_a_redoubt_is_one_structure_and_closes_unless_its_gorge_is_open_AWI_T_FOR_01() -> None:
    corners = box(4, 4, 14, 14)
    g = written(Feature("redoubt", corners))
    assert (g.structures_n, g.works_n, int(g.structures[0].kind_), int(g.structures[0].sp)) == (
        1,
        4,
        REDOUBT,
        10,
    )
    assert written(Feature("redoubt", corners, open_gorge=True)).works_n == 3


def test_fences_and_walls_are_cover_and_no_target_AWI_T_TER_11_FOR_02() -> None:
    g = written(Feature("fence", ((4, 4), (14, 4))), Feature("wall", ((4, 8), (14, 8))))
    rows = [(int(s.kind_), int(s.sp), int(s.solid)) for s in g.structures[:2]]
    assert rows == [(FENCE, 3, 0), (WALL, 6, 0)]


def test_a_road_goes_through_a_fence_by_a_gap() -> None:
    fence = Feature("fence", ((4, 4), (14, 4)))
    g = written(fence, Feature("road", ((9, 0), (9, 30))))
    spans = [(float(w.x0), float(w.x1)) for w in g.works[: g.works_n]]
    assert spans == [(4, pytest.approx(8)), (pytest.approx(10), 14)]


@pytest.mark.parametrize(
    ("size", "material", "sp", "capacity", "halves"),
    [
        ("small", "wood", 4, 1, (50, 25)),
        ("small", "stone", 8, 1, (50, 25)),
        ("large", "wood", 6, 2, (50, 50)),
        ("large", "stone", 12, 2, (50, 50)),
    ],
)
def test_buildings_AWI_T_TER_10_FOR_01(size: Any, material: Any, sp: int, capacity: int, halves: Any) -> None:
    g = written(
        Feature("fence", ((4, 4), (14, 4))),
        Feature("building", ((20, 15),), size=size, material=material, heading=400),
    )
    s = g.structures[0]  # buildings come first
    assert (s.kind_, s.sp, s.capacity, s.feature, s.face) == (BUILDING, sp, capacity, 1, 40)
    assert (round(s.half_width * 25.4), round(s.half_depth * 25.4)) == halves
    assert (g.buildings_n, g.structures_n, g.structures[1].feature) == (1, 2, 0)


def test_a_structure_may_start_damaged() -> None:
    g = written(Feature("fieldwork", ((4, 4), (14, 4)), sp=2))
    assert [(int(s.sp), int(s.sp_full), int(s.sp_start)) for s in g.structures[:2]] == [(2, 6, 2)] * 2


def test_shapes_may_reach_over_the_edge_and_a_large_table_has_larger_cells() -> None:
    wood = Feature("dense_woods", box(-50, -50, 400, 50))
    g = written(wood, Feature("river", ((-20, 90), (400, 90))), width=320.0, depth=100.0)
    assert g.cell == 2.0
    assert (g.columns, g.rows) == (160, 50)
    assert going(g, 319, 49).wood == 2
    assert going(g, 319, 51).wood == 0
    assert going(g, 1, 90.5).water == 1


@pytest.mark.parametrize("width", [160.1, 161.0, 163.7, 320.3])
def test_a_table_wider_than_the_layout_has_no_column_too_many(width: float) -> None:
    g = written(Feature("rough", box(1, 1, 5, 5)), width=width, depth=60.0)
    assert g.columns <= g.ground.shape[1] and g.columns * g.cell >= width - 1.0e-6


def test_what_does_not_fit_the_small_layout_fits_the_large() -> None:
    many = tuple(Feature("building", ((10 + n, 10),)) for n in range(SMALL.structures + 1))
    found = survey_ground(BattleGround(96, 60, many), TERRAIN)
    assert not found.fits(SMALL)
    assert found.fits(LARGE)


def test_more_kinds_of_ground_than_codes_are_refused() -> None:
    kinds = ("rough", "swamp", "open_woods", "dense_woods")
    layers = [Feature(kind, box(0, 10 * n, 40, 10 * n + 5)) for n, kind in enumerate(kinds[:2])]
    layers += [Feature(kind, box(10 * n, 0, 10 * n + 5, 30)) for n, kind in enumerate(kinds[2:])]
    layers += [Feature("hill", box(n, 0, n + 1, 30), height=n) for n in range(40)]
    layers += [Feature("hill", box(0, n, 40, n + 1), height=n, grade="steep") for n in range(1, 30, 2)]
    many = [Feature("hill", box(n % 40, n // 40, n % 40 + 1, n // 40 + 1), height=n % 60, grade=g)
            for n, g in ((n, ("level", "gentle", "steep")[n % 3]) for n in range(1200))]  # fmt: skip
    with pytest.raises(BattleFileError, match="different combinations"):
        written(*many, *layers[:4])


def test_a_table_is_written_quickly() -> None:
    features = [
        Feature("dense_woods", tuple((10 * n + x, 20 + y) for x, y in box(0, 0, 9, 9))) for n in range(9)
    ]
    features += [Feature("hill", box(n, 0, n + 30, 40)) for n in range(0, 60, 6)]
    features += [Feature("river", ((0, 50), (30, 45), (60, 55), (96, 50))), Feature("bridge", ((30, 45),))]
    features += [Feature("road", ((30, 0), (30, 60)))]
    best = 1.0
    for _ in range(3):
        g = make_blank_state(SMALL)[0]
        started = time.thread_time()  # of the processor's: others have it between
        raster_write(g, BattleGround(96, 60, tuple(features)), TERRAIN)
        best = min(best, time.thread_time() - started)
    assert best < 0.1  # 20 ms on an idle machine
    assert pytest.approx(3.937, abs=0.001) == PIECE
