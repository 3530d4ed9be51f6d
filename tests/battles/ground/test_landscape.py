"""Grounds from the map: like the country, the same for a seed, fair, with a way across (HR-BAT-06)."""

import math
from collections import deque
from typing import get_args

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import unary_union

from battles.engine.dtypes import ON_TABLE, SMALL
from battles.files.checks import battle_verify
from battles.files.ground_checks import crosses_itself
from battles.files.schema import AREAS, BattleGround, Feature
from battles.ground.countries import BUILDINGS, COUNTRIES, Crossing, Season
from battles.ground.drawing import ground_svg
from battles.ground.features import find_building_base
from battles.ground.landscape import ground_generate
from battles.ground.names import describe_ground, ground_caption
from battles.ground.sketch import (
    MOST_STRUCTURES,
    MOST_WORKS,
    RIVER_HALF,
    ZONE,
    GroundSketch,
    corners_of,
    count_structures,
)
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.fighting import prepare_state
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force
from tests.battles.grounds import FORTIFICATIONS

KINDS = (*BUILDINGS, "highway", "road", "track", "trail", "river", "lake", "sea", "portage")
LINE = TroopType.CONTINENTAL_LINE
ALL_ARMS = [LINE] * 8 + [
    TroopType.RANGERS, TroopType.MILITIA, TroopType.AMERICAN_LIGHT_CAVALRY, TroopType.AMERICAN_ARTILLERY
]  # fmt: skip

grounds = st.builds(
    ground_generate,
    terrain=st.sampled_from(sorted(COUNTRIES)),
    kind=st.sampled_from(KINDS),
    crossing=st.sampled_from(get_args(Crossing)),
    fortification=st.sampled_from(FORTIFICATIONS),
    season=st.sampled_from(get_args(Season)),
    wet=st.booleans(),
    seed=st.integers(0, 2**64 - 1),
    width=st.sampled_from((96.0, 96.0, 130.0)),
    front=st.sampled_from((12.0, 36.0, 60.0)),
)


def shapes(ground: BattleGround, *kinds: str) -> list[shapely.Geometry]:
    """Areas as they lie, rivers as broad as they are."""
    found = []
    for one in ground.features:
        if one.kind in kinds:
            area = one.kind in AREAS
            found.append(Polygon(one.points) if area else LineString(one.points).buffer(RIVER_HALF))
    return found


def barred(ground: BattleGround, *, wheels: bool) -> np.ndarray:
    """Inches of the table (row, column) that bar foot, or wheels, which may go by the road."""
    bars = shapes(ground, "water", "river")
    bars += [Polygon(one.points) for one in ground.features if one.grade == "impassable"]
    if wheels:
        bars += shapes(ground, "dense_woods", "swamp", "marsh")
        bars += [Polygon(one.points) for one in ground.features if one.grade == "steep"]
    gates = [
        box(x - 1, y - 4, x + 1, y + 4)
        for one in ground.features
        if one.kind in ("bridge", "ford")
        for x, y in one.points
    ]
    roads = [LineString(one.points).buffer(1.0) for one in ground.features if one.kind == "road"]
    free = unary_union([*gates, *(roads if wheels else [])])
    x, y = np.meshgrid(np.arange(ground.width) + 0.5, np.arange(ground.depth) + 0.5)
    shut = shapely.contains_xy(unary_union(bars), x, y)
    return shut & ~shapely.contains_xy(free, x, y)


def crossed(shut: np.ndarray) -> bool:
    """Whether a way leads from the near edge to the far one."""
    rows, columns = shut.shape
    seen = shut.copy()
    todo = deque((0, column) for column in range(columns) if not shut[0, column])
    while todo:
        row, column = todo.popleft()
        if row == rows - 1:
            return True
        for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if 0 <= r < rows and 0 <= c < columns and not seen[r, c]:
                seen[r, c] = True
                todo.append((r, c))
    return False


@settings(max_examples=30)
@given(grounds)
def test_shapes_are_sound_within_the_table_and_few(ground):
    for one in ground.features:
        assert all(0 <= x <= ground.width and 0 <= y <= ground.depth for x, y in one.points)
        if one.kind in AREAS:
            assert len(one.points) >= 3 and Polygon(one.points).is_valid
        elif one.kind in ("bridge", "ford", "building"):
            assert len(one.points) == 1
        else:
            assert len(one.points) >= 2 and LineString(one.points).is_simple
    assert len({one.id for one in ground.features}) == len(ground.features)
    structures, works = count_structures(ground.features)
    assert structures <= MOST_STRUCTURES and works <= MOST_WORKS
    assert sum(one.kind in ("bridge", "ford") for one in ground.features) <= 3


def test_a_wood_that_rounding_folds_along_the_edge_is_laid_without_the_fold_AWI_T_TER_01():
    sketch = GroundSketch(59280, 96.0, 60.0)  # of sixty thousand woods beside an edge the one that folds
    sketch.begin("x")
    radius = sketch.between(4.0, 8.0)
    spot = (sketch.between(radius * 0.6, 96.0 - radius * 0.6), sketch.between(0.0, 1.0))
    sketch.lay("open_woods", corners_of(sketch.blob(spot, radius)))
    [wood] = sketch.features
    assert not crosses_itself(wood.points) and Polygon(wood.points).is_valid
    assert {(37.2, 3.2), (39.0, 4.3), (42.5, 4.1), (44.8, 3.0), (45.9, 0.7), (45.7, 0.0)} < set(wood.points)


@pytest.mark.parametrize(
    "corners", [[(1.0, 1.0), (9.0, 1.0), (5.0, 1.04)], [(1.0, 1.0), (1.02, 1.0), (1.0, 1.03)]]
)
def test_an_area_of_which_rounding_leaves_nothing_is_not_laid_AWI_T_TER_01(corners):
    sketch = GroundSketch(1, 96.0, 60.0)
    sketch.lay("marsh", corners)
    assert sketch.features == []


@settings(max_examples=30)
@given(grounds)
def test_a_way_leads_across_and_no_zone_is_barred(ground):
    rows = int(ZONE) - 2
    for wheels, least in ((False, 0.85), (True, 0.7)):
        shut = barred(ground, wheels=wheels)
        assert crossed(shut)
        for zone in (shut[:rows], shut[-rows:]):
            assert 1.0 - zone.mean() >= least


@settings(max_examples=30)
@given(grounds)
def test_roads_meet_water_at_bridges_and_fords_only_AWI_T_TER_09(ground):
    gates = [Point(one.points[0]) for one in ground.features if one.kind in ("bridge", "ford")]
    for road in (LineString(one.points) for one in ground.features if one.kind == "road"):
        for water in (one for one in ground.features if one.kind in ("stream", "river")):
            meeting = road.intersection(LineString(water.points))
            for spot in getattr(meeting, "geoms", [meeting]):
                assert spot.is_empty or min(spot.distance(gate) for gate in gates) < 0.2
        for shore in shapes(ground, "water"):
            assert not road.intersects(shore)


@settings(max_examples=30)
@given(grounds)
def test_buildings_stand_clear_of_each_other_of_water_and_of_the_road(ground):
    plots = [Polygon(find_building_base(one).corners()) for one in ground.features if one.kind == "building"]
    wet = shapes(ground, "water", "river")
    wet += [LineString(one.points).buffer(1.0) for one in ground.features if one.kind in ("stream", "road")]
    for number, plot in enumerate(plots):
        assert plot.bounds[1] >= ZONE and plot.bounds[3] <= ground.depth - 15.0
        assert not any(plot.intersects(other) for other in (*plots[number + 1 :], *wet))


@settings(max_examples=30)
@given(grounds)
def test_twelve_against_twelve_are_drawn_up_on_it_near_where_they_would_stand(ground):
    """HR-BAT-04, in the small state record."""
    file = battle(force(CROWN, *ALL_ARMS), force(CONGRESS, *ALL_ARMS), ground=ground)
    battle_verify(file)
    size = size_for(file)
    assert size == SMALL
    g = prepare_state(file, size)[0]
    assert g.n == 24
    for unit in g.u[: g.n]:
        assert unit.place == ON_TABLE
        assert unit.y <= ground.depth / 2 - 6.0 if unit.side == 0 else unit.y >= ground.depth / 2 + 6.0


@settings(max_examples=30)
@given(st.integers(0, 2**64 - 1), st.sampled_from(sorted(COUNTRIES)))
def test_a_seed_gives_one_ground_and_one_drawing(seed, terrain):
    first, again = (ground_generate(terrain=terrain, kind="road", seed=seed) for _ in range(2))
    assert first == again
    assert ground_svg(first) == ground_svg(again)
    assert first != ground_generate(terrain=terrain, kind="road", seed=seed ^ 1)


@settings(max_examples=30)
@given(st.integers(0, 2**64 - 1), st.sampled_from(sorted(COUNTRIES)), st.sampled_from(("none", "ford")))
def test_rain_changes_nothing_but_fords_and_low_ground(seed, terrain, crossing):
    """HR-BAT-06"""
    made = {"terrain": terrain, "kind": "road", "crossing": crossing, "seed": seed}
    dry, wet = (ground_generate(wet=wet, **made).features for wet in (False, True))
    rained_on = ("ford", "road", "marsh")
    assert [one for one in dry if one.kind not in rained_on] == [
        one for one in wet if one.kind not in rained_on
    ]
    marshes = [[one for one in side if one.kind == "marsh"] for side in (dry, wet)]
    assert marshes[1][: len(marshes[0])] == marshes[0]


@settings(max_examples=30)
@given(st.integers(0, 2**64 - 1), st.sampled_from(sorted(COUNTRIES)))
def test_the_season_moves_no_fence_nor_wood(seed, terrain):
    """HR-BAT-06"""
    summer, winter = (
        ground_generate(terrain=terrain, kind="road", season=season, seed=seed).features
        for season in ("summer", "winter")
    )
    assert [one for one in summer if one.kind != "crops"] == list(winter)


@settings(max_examples=30)
@given(st.integers(0, 2**64 - 1), st.sampled_from(("forest", "marsh", "wooded")))
def test_streams_end_at_the_lake(seed, terrain):
    ground = ground_generate(terrain=terrain, kind="lake", crossing="bridge", seed=seed)
    for lake in shapes(ground, "water"):
        for one in ground.features:
            if one.kind in ("stream", "river"):
                assert LineString(one.points).intersection(lake).length < 0.5
            elif one.kind == "rough":
                assert Polygon(one.points).intersection(lake).area < 1.0


def share(terrain: str, *kinds: str) -> float:
    """Mean share of the table that pieces of these kinds cover."""
    total = 0.0
    for seed in range(12):
        ground = ground_generate(terrain=terrain, kind="road", seed=seed)
        total += unary_union(shapes(ground, *kinds)).area / (ground.width * ground.depth)
    return total / 12


def test_the_country_looks_like_its_terrain():
    woods = {terrain: share(terrain, "open_woods", "dense_woods") for terrain in COUNTRIES}
    assert woods["forest"] > 0.3 > woods["wooded"] > woods["farmland"] > woods["open"]
    assert share("marsh", "marsh", "swamp") > 0.04 > share("farmland", "marsh", "swamp")
    assert share("mountain", "hill") > share("farmland", "hill")


def kinds_of(ground: BattleGround) -> list[str]:
    return [one.kind for one in ground.features]


@pytest.mark.parametrize("seed", range(8))
def test_works_by_the_place_before_the_defenders_line_AWI_T_FOR_01(seed):
    def works(fortification: str) -> list[str]:
        ground = ground_generate(terrain="hill", kind="fort", fortification=fortification, seed=seed)
        lines = [one for one in ground.features if one.kind in ("fieldwork", "stockade", "redoubt")]
        for one in lines:
            assert min(y for _, y in one.points) == pytest.approx(43.6)
        return sorted(one.kind for one in lines)

    assert works("none") == []
    assert set(works("fieldworks")) == {"fieldwork"}
    assert set(works("stockade")) == {"stockade"}
    assert works("fort") == ["redoubt", "stockade"]
    assert works("fortress") == ["redoubt", "redoubt"]


@pytest.mark.parametrize("seed", range(8))
def test_crossings_shores_towns_and_rain(seed):
    def made(**more: object) -> list[str]:
        return kinds_of(ground_generate(**{"terrain": "farmland", "kind": "road", "seed": seed, **more}))

    assert "bridge" in made(crossing="bridge")
    forded = made(crossing="ford")
    assert "ford" in forded and "stream" in forded
    drowned = made(crossing="ford", wet=True)
    assert "ford" not in drowned and "stream" in drowned and drowned.count("road") == 2
    assert "marsh" in drowned
    for shore in (made(crossing="ferry"), made(kind="lake"), made(shore=True)):
        assert "water" in shore
    assert made(kind="town").count("building") >= 4
    assert made(kind="village").count("building") >= 2
    assert "crops" not in made(season="winter")


def test_caption_and_account_say_the_same_of_the_ground_and_a_hill_counts_once():
    square = ((40.0, 20.0), (60.0, 20.0), (60.0, 40.0), (40.0, 40.0))
    top = ((45.0, 25.0), (55.0, 25.0), (55.0, 35.0), (45.0, 35.0))
    ground = BattleGround(
        features=(
            Feature("hill", square, name="Round Hill"),
            Feature("hill", top, height=2, grade="level"),
            Feature("water", ((0.0, 0.0), (5.0, 0.0), (0.0, 60.0))),
            Feature("fence", ((10.0, 10.0), (20.0, 10.0))),
            Feature("fence", ((10.0, 12.0), (20.0, 12.0))),
            Feature("open_woods", top),
        )
    )
    lies = "Round Hill, open water, two rail fences and an open wood."
    assert describe_ground(ground) == f"On the ground lay {lies}"
    assert ground_caption(ground) == f"A table 96 by 60 inches: {lies}"
    assert describe_ground(None) == describe_ground(BattleGround()) == ""


def test_the_map_may_use_words_unknown_here():
    ground = ground_generate(terrain="steppe", kind="caravanserai", fortification="none", seed=1)
    assert math.isclose(ground.width, 96.0) and ground.features
