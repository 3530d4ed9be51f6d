"""The ground of a battle file in the record: kinds, costs, blocks, works, water, crests."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dtypes import (
    BRIDGE,
    BUILDING,
    BY_BRIDGE,
    BY_FORD,
    FENCE,
    FIELDWORK,
    REDOUBT,
    STOCKADE,
    STREAM,
    WALL,
)
from battles.errors import BattleFileError
from battles.files.schema import BattleGround, Feature
from battles.ground.shapes import is_inside_polygon
from battles.rulesets.volley_bayonet import marching
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.grounds import (
    INCH,
    MOST_CLEAR,
    cells_clear,
    cover_write,
    ground_write,
    middle_of,
)
from battles.rulesets.volley_bayonet.tables import GOING, KINDS, YARDS_PER_INCH
from tests.battles.forces import battle
from tests.battles.rulesets.volley_bayonet.books import RULES
from tests.battles.test_raster import box

EXAMPLES = 20 if is_interpreted() else 60
#: A square of the file from 30 to 60 inches, 20 to 40 here, and a spot in it.
SQUARE, IN_IT = box(30, 15, 60, 45), (45.0, 30.0)


def written(
    *features: Feature, width: float = 96.0, depth: float = 60.0, size: r.VolleyBayonetRecordSize = r.SMALL
) -> Any:
    g = r.make_blank_state(size)[0]
    ground_write(g, battle((), (), ground=BattleGround(width, depth, features)), size)
    return g


def going(g: Any, x: float, y: float) -> Any:
    """What the ground is at a spot of the file."""
    return g.going[g.ground[int(y * INCH / g.cell), int(x * INCH / g.cell)]]


def numbers(kind: str) -> list[float]:
    return [0.0 if cost is None else float(cost) for cost in GOING[kind].costs]


def test_inches_of_the_file_are_two_thirds_VBW_GEN_03() -> None:
    assert pytest.approx(50 / 3) == INCH * YARDS_PER_INCH
    g = written()
    assert (g.width, g.depth) == (pytest.approx(64), pytest.approx(40))
    assert (g.cell, g.columns, g.goings_n) == (1.0, 64, 1)
    assert list(g.going[0].costs) == [1.0] * len(KINDS)


@pytest.mark.parametrize(
    ("feature", "kind", "table"),
    [
        ("dense_woods", r.FOREST, "forest"),
        ("open_woods", r.WOODS, "woods"),
        ("swamp", r.SWAMP, "swamp"),
        ("rough", r.BROKEN, "broken"),
        ("crops", r.CROPS, "crops"),
        ("marsh", r.MARSH, "open"),
        ("water", r.WATER, "water"),
    ],
)
def test_areas_are_what_they_are_called_and_cost_it_VBW_TER_01_03_06_08_12_14_to_16_30(
    feature: Any, kind: int, table: str
) -> None:
    g = written(Feature(feature, SQUARE))
    there, beside = going(g, *IN_IT), going(g, 10, 10)
    assert (there.kind_, beside.kind_) == (kind, r.OPEN)
    assert list(there.costs) == numbers(table)
    assert list(there.disorders) == [int(troops in GOING[table].disorders) for troops in KINDS]
    assert list(beside.costs) == numbers("open")
    assert (going(g, 30.8, 30), going(g, 29.2, 30)) == (there, beside), "two thirds of the file's inches"


@pytest.mark.parametrize("wood", ["open_woods", "dense_woods"])
@pytest.mark.parametrize("rough", ["rough", "crops", "swamp"])
def test_of_overlapping_ground_the_dearest_counts_VBW_DEF_20(wood: Any, rough: Any) -> None:
    g = written(Feature(rough, SQUARE), Feature(wood, SQUARE))
    names = {"open_woods": "woods", "dense_woods": "forest", "rough": "broken"}
    one, two = (GOING[names.get(name, name)] for name in (wood, rough))
    for k, troops in enumerate(KINDS):
        costs = (one.costs[k], two.costs[k])
        dearest = 0.0 if None in costs else max(cost for cost in costs if cost)
        assert going(g, *IN_IT).costs[k] == dearest, "neither their sum nor their product"
        assert going(g, *IN_IT).disorders[k] == int(troops in one.disorders + two.disorders)


def test_heights_are_contours_and_cost_nothing_by_the_inch_VBW_TER_24_VBW_DEF_16() -> None:
    g = written(
        Feature("hill", SQUARE, height=2, grade="steep"),
        Feature("hill", box(70, 15, 80, 45), height=3, grade="impassable"),
    )
    assert (going(g, *IN_IT).height, going(g, 10, 10).height) == (2, 0)
    assert list(going(g, *IN_IT).costs) == numbers("open")
    assert list(going(g, 75, 30).costs) == [0.0] * len(KINDS), "what the file calls impassable"


def test_a_field_is_trodden_down_whole_and_no_other_VBW_TER_13() -> None:
    g = written(Feature("crops", SQUARE), Feature("crops", box(66, 15, 90, 45)))
    marching.tread_down(g, IN_IT[0] * INCH, IN_IT[1] * INCH)
    for x in (32, 45, 58):
        assert going(g, x, 30).kind_ == r.OPEN
    assert going(g, 75, 30).kind_ == r.CROPS
    assert g.ground_changed == 1


def test_a_marsh_gone_over_is_marsh_still_VBW_TER_10() -> None:
    g = written(Feature("marsh", SQUARE))
    fresh = int(g.ground[20, 30])
    marching.tread_marsh(g, 30.5, 20.5)
    trodden = int(g.ground[20, 30])
    assert (g.going[fresh].fallen, g.going[trodden].fallen) == (trodden, trodden)
    assert trodden != fresh and g.going[trodden].kind_ == r.MARSH
    assert g.ground[20, 31] == fresh, "but there alone"


RIVER = Feature("river", ((0, 30), (96, 30)))


def test_rivers_are_crossed_at_bridges_and_fords_alone_VBW_TER_30() -> None:
    way = {"bridge": Feature("bridge", ((48, 30),)), "ford": Feature("ford", ((24, 30),))}
    g = written(RIVER, *way.values(), Feature("road", ((72, 0), (72, 60))))
    assert list(going(g, 60, 30).costs) == [0.0] * len(KINDS)
    for x in (48, 24):
        there = going(g, x, 30)
        assert (there.kind_, list(there.costs)) == (r.OPEN, numbers("open"))
    assert [going(g, x, 30).water for x in (60, 48, 24)] == [1, 2, 3]
    assert (going(g, 72, 10).road, going(g, 72, 30).road) == (1, 0), "no road goes through a river"


def test_ways_over_water_have_their_place_VBW_TER_35_37() -> None:
    g = written(RIVER, Feature("bridge", ((48, 30),)), Feature("ford", ((24, 30),)))
    found = [(int(e.kind_), round(float(e.x), 3), round(float(e.y), 3)) for e in g.gates[: g.gates_n]]
    assert found == [(BY_BRIDGE, 32.0, 20.0), (BY_FORD, 16.0, 20.0)]
    assert g.gates[0].half_length * 2.0 >= 6.0 * INCH, "from bank to bank"
    # a ford through a river is crossed as a stream is
    lines = [w for w in g.works[: g.works_n] if w.kind_ == STREAM]
    assert len(lines) == 1
    assert lines[0].low_x < 16.0 < lines[0].high_x and lines[0].gate == -1


def test_a_stream_names_its_bridge_VBW_TER_31_35() -> None:
    g = written(Feature("stream", ((0, 30), (96, 30))), Feature("bridge", ((48, 30),)))
    lines = sorted((round(float(w.low_x), 2), int(w.gate)) for w in g.works[: g.works_n])
    assert [gate for _, gate in lines] == [-1, 0, -1]
    assert lines[1][0] == pytest.approx(47 * INCH, abs=0.01)
    assert going(g, 60, 30).kind_ == r.OPEN, "a stream is a line and no ground"


@pytest.mark.parametrize(
    ("kind", "code"),
    [("fence", FENCE), ("wall", WALL), ("fieldwork", FIELDWORK), ("stockade", STOCKADE)],
)
def test_lines_are_fences_or_works_VBW_TER_19_46(kind: Any, code: int) -> None:
    g = written(Feature(kind, ((30, 24), (33, 24))))
    w = g.works[0]
    assert (g.works_n, w.kind_) == (1, code)
    assert (w.x0, w.y0, w.x1, w.y1) == pytest.approx((20, 16, 22, 16))
    redoubt = written(Feature("redoubt", SQUARE))
    assert [int(w.kind_) for w in redoubt.works[: redoubt.works_n]] == [REDOUBT] * 4


@pytest.mark.parametrize("size", ["small", "large"])
def test_blocks_have_the_sizes_and_the_room_of_the_rules_VBW_TER_39_40(size: Any) -> None:
    village, town = RULES["VBW-TER-40"]["table"], RULES["VBW-TER-39"]["table"]
    wide, deep = (village["village_block"] if size == "small" else town["town_block"])["size_in"]
    room = {
        "small": village["village_block"]["capacity_detachments"],
        "large": 2 * town["town_block"]["capacity_infantry_stands"],
    }[size]
    fence, house = (
        Feature("fence", ((3, 3), (9, 3))),
        Feature("building", ((60, 30),), size=size, heading=450),
    )
    g = written(fence, house)
    e = g.structures[0]
    assert (e.kind_, e.feature, g.buildings_n, g.structures_n) == (BUILDING, 1, 1, 2)
    assert (2 * e.half_width, 2 * e.half_depth, e.capacity) == (wide, deep, room)
    assert (e.x, e.y, e.face) == (pytest.approx(40), pytest.approx(20), 90)


def test_bridges_are_no_blocks_VBW_TER_42() -> None:
    g = written(Feature("stream", ((0, 30), (96, 30))), Feature("bridge", ((48, 30),)))
    assert g.buildings_n == 0
    assert {int(e.kind_) for e in g.structures[: g.structures_n]} == {BRIDGE}


def crests(g: Any) -> list[tuple[float, float, int]]:
    return [(round(float(e.x), 2), round(float(e.y), 2), int(e.height)) for e in g.summits[: g.summits_n]]


def hill(x: float, y: float, half: float, height: int) -> Feature:
    return Feature("hill", box(x - half, y - half, x + half, y + half), height=height)


def test_a_crest_runs_through_the_middle_of_the_topmost_contour_VBW_TER_27() -> None:
    assert crests(written(hill(48, 30, 12, 1), hill(48, 30, 6, 2))) == [(32, 20, 2)]
    assert crests(written(hill(48, 30, 12, 1), hill(57, 30, 2, 2))) == [(38, 20, 2)], "at one end of it"
    assert crests(written(hill(48, 30, 12, 1), hill(39, 30, 2, 2), hill(57, 30, 2, 2))) == [
        (26, 20, 2),
        (38, 20, 2),
    ], "two tops of one hill"
    assert crests(written(hill(24, 30, 6, 1), hill(72, 30, 6, 2))) == [(16, 20, 1), (48, 20, 2)]


def test_more_tops_than_the_record_holds_are_left_out() -> None:
    many = [hill(3.0 + 7 * (n % 12), 4.0 + 8 * (n // 12), 2, 1) for n in range(r.SUMMITS + 4)]
    assert written(*many).summits_n == r.SUMMITS


whole = st.integers(0, 40)


@given(st.tuples(whole, whole, st.integers(1, 20), st.integers(1, 20)), st.integers(1, 19))
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_middle_of_an_area_is_its_centroid(frame: tuple[int, int, int, int], cut: int) -> None:
    x, y, wide, deep = frame
    middle = (x + wide / 2, y + deep / 2)
    assert middle_of(Feature("hill", box(x, y, x + wide, y + deep))) == pytest.approx(middle)
    triangle = ((x, y), (x + wide, y), (x, y + deep))
    assert middle_of(Feature("hill", triangle)) == pytest.approx((x + wide / 3, y + deep / 3))
    assert is_inside_polygon(triangle, middle_of(Feature("hill", triangle)))
    # an L is its two oblongs, each with its weight
    arm = ((x, y), (x + wide + cut, y), (x + wide + cut, y + 1), (x + wide, y + 1), (x + wide, y + deep + 1))
    found = middle_of(Feature("hill", (*arm, (x, y + deep + 1))))
    parts = [(wide * (deep + 1), x + wide / 2, y + (deep + 1) / 2), (cut, x + wide + cut / 2, y + 0.5)]
    total = sum(area for area, _, _ in parts)
    assert found == pytest.approx(
        (sum(a * px for a, px, _ in parts) / total, sum(a * py for a, _, py in parts) / total)
    )


def test_an_area_without_extent_has_its_first_corner() -> None:
    assert middle_of(Feature("hill", ((3, 4), (5, 4), (9, 4)))) == (3, 4)


@pytest.mark.parametrize(
    ("cover", "kind"), [("none", None), ("soft", FENCE), ("hard", FIELDWORK), ("fortified", FIELDWORK)]
)
def test_the_work_a_file_without_a_ground_asks_for_VBW_TER_46(cover: str, kind: int | None) -> None:
    g = written()
    cover_write(g, 20.0, 40.0, 29.0, cover)
    assert [int(w.kind_) for w in g.works[: g.works_n]] == ([] if kind is None else [kind])
    assert all((w.low_x, w.high_x, w.y0, w.y1) == (20, 40, 29, 29) for w in g.works[: g.works_n])


@pytest.mark.parametrize(("width", "depth"), [(168.1, 60), (168.9, 96.7), (500, 300), (1000, 999.9)])
def test_a_table_larger_than_the_layout_has_larger_cells(width: float, depth: float) -> None:
    far = box(width - 10, depth - 10, width + 20, depth + 20)
    for size in (r.SMALL, r.LARGE):
        g = written(Feature("dense_woods", far), width=width, depth=depth, size=size)
        assert g.columns <= size.columns and g.rows <= size.rows
        assert g.columns * g.cell == pytest.approx(g.width, abs=g.cell)
        assert g.going[g.ground[g.rows - 1, g.columns - 1]].kind_ == r.FOREST
        assert g.going[g.ground[0, 0]].kind_ == r.OPEN


def test_the_ground_is_the_same_in_both_layouts() -> None:
    small, large = (written(Feature("swamp", SQUARE), RIVER, size=size) for size in (r.SMALL, r.LARGE))
    rows, columns = int(small.rows), int(small.columns)
    assert (small.ground[:rows, :columns] == large.ground[:rows, :columns]).all()


def test_more_kinds_of_ground_than_codes_are_refused() -> None:
    grades: tuple[Any, ...] = ("level", "gentle", "steep")
    many = [
        Feature("hill", box(2 * n, 0, 2 * n + 3, 40), height=n + 1, grade=grades[n % 3]) for n in range(40)
    ]
    across = ("open_woods", "dense_woods", "crops", "rough", "marsh", "swamp")
    areas = [Feature(kind, box(0, 5 * n, 96, 5 * n + 3)) for n, kind in enumerate(across)]
    with pytest.raises(BattleFileError, match="different combinations") as refused:
        written(*many, *areas)
    assert refused.value.field == "ground.features"


def test_of_every_cell_it_is_known_how_far_off_anything_grows_VBW_TER_05() -> None:
    grown = np.zeros((9, 70), dtype=bool)
    grown[2, 3] = grown[8, 5] = True
    clear = cells_clear(grown)
    rows, columns = np.indices(grown.shape)
    near = [np.maximum(abs(rows - row), abs(columns - column)) for row, column in ((2, 3), (8, 5))]
    assert (clear == np.minimum(np.minimum(*near), MOST_CLEAR)).all()
    assert not cells_clear(np.ones((2, 2), dtype=bool)).any()
