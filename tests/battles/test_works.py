"""Works and buildings: cover, what charges must cross, and what is left when they have been shot away."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.bases import BASE, HALF
from battles.engine.dtypes import (
    BUILDING,
    DENSE_WOODS,
    FENCE,
    FIELDWORK,
    OPEN_WOODS,
    OVER_BUILDING,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
    REDOUBT,
    STOCKADE,
    STREAM,
    WALL,
)
from battles.engine.raster import raster_write, structure_add, work_add
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import sighting, works
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, kinds, table
from tests.battles.grounds import field_work, house, inside, woods

LINE_FOOT = TroopType.CONTINENTAL_LINE
FOUND = (48.0, 20.0)


def behind(kind: int, sp: int, *, ahead: float = 0.5) -> Any:
    """A Congress battalion behind a work of that SP, `ahead` inches before its front; Crown to the south."""
    g = table(Stand(0, LINE_FOOT, *FOUND), Stand(1, LINE_FOOT, 48, 30, face=180))
    field_work(g, kind, sp, y=30 - HALF - ahead)
    return g


def cover(g: Any, i: int = 1) -> int:
    return int(works.shelter_factor(g, *FOUND, i))


@pytest.mark.parametrize(
    ("sp", "factor"),
    [(0, 0), (1, 0), (2, -1), (4, -1), (5, -2), (8, -2), (9, -3), (12, -3)],
)
def test_cover_by_structure_sp_AWI_T_FIR_11_FOR_03(sp: int, factor: int) -> None:
    assert works.cover_factor(sp) == factor
    g = behind(FIELDWORK, sp)
    assert cover(g) == factor
    inside(g, 1, house(g, 48, 32, sp=sp))
    g.works_n = 0
    assert cover(g) == factor


@pytest.mark.parametrize(("kind", "sp", "factor"), [(FENCE, 3, -1), (WALL, 6, -2), (STREAM, 0, 0)])
def test_fences_are_soft_walls_hard_and_streams_no_cover_AWI_T_TER_11(
    kind: int, sp: int, factor: int
) -> None:
    g = behind(kind, sp)
    assert cover(g) == factor
    assert works.find_barrier(g, *FOUND, 1) == OVER_OBSTACLE, "all three are obstacles"


@pytest.mark.parametrize(("ahead", "factor"), [(0.0, -2), (0.99, -2), (1.1, 0), (-0.5, -2)])
def test_a_work_covers_within_an_inch_AWI_T_TER_11(ahead: float, factor: int) -> None:
    g = behind(FIELDWORK, 6, ahead=ahead)
    assert cover(g) == factor
    assert works.find_barrier(g, *FOUND, 1) == (OVER_OBSTACLE if factor else OVER_NOTHING)


def test_a_work_far_along_the_line_covers_nobody_AWI_T_TER_11() -> None:
    g = table(Stand(0, LINE_FOOT, *FOUND), Stand(1, LINE_FOOT, 48, 30, face=180))
    work_add(g, FIELDWORK, 47.9, 20.0, 48.1, 24.0, structure_add(g, FIELDWORK, 6, 6))
    assert works.shelter_factor(g, 48.0, 20.0, 1) == 0, "its line runs by, but it ends six inches off"


def test_a_work_does_not_cover_from_behind_AWI_T_TER_11() -> None:
    g = behind(FIELDWORK, 6)
    assert works.shelter_factor(g, 48.0, 40.0, 1) == 0
    assert works.find_barrier(g, 48.0, 40.0, 1) == OVER_NOTHING


@pytest.mark.parametrize("wood", [OPEN_WOODS, DENSE_WOODS])
def test_woods_are_soft_cover_and_only_the_best_cover_counts_AWI_T_TER_06_FIR_11(wood: int) -> None:
    for sp, factor in ((1, -1), (3, -1), (6, -2), (10, -3)):
        g = behind(FIELDWORK, sp)
        woods(g, wood, 28.0, 40.0)
        assert cover(g) == factor


def test_buildings_may_all_count_as_hard_cover_AWI_T_FOR_03() -> None:
    g = behind(FIELDWORK, 10)
    inside(g, 1, house(g, 48, 32, sp=4))
    assert cover(g) == -1
    g.o.building_flat = 1
    assert cover(g) == -2
    g.u[1].inside = -1
    g.u[1].y = 30
    assert cover(g) == -3, "works go by their strength all the same"


@pytest.mark.parametrize(
    ("kind", "sp", "by_strength", "by_kind"),
    [
        (REDOUBT, 10, True, True),
        (REDOUBT, 8, False, True),
        (FIELDWORK, 6, False, True),
        (STOCKADE, 8, False, True),
        (BUILDING, 12, True, False),
        (BUILDING, 8, False, False),
        (FENCE, 3, False, False),
    ],
)
def test_what_counts_as_a_fortification_AWI_T_FOR_04(
    kind: int, sp: int, by_strength: bool, by_kind: bool
) -> None:
    g = table(Stand(0, LINE_FOOT, *FOUND))
    assert bool(works.is_fortification(g, kind, sp)) == by_strength
    g.o.works_by_kind = 1
    assert bool(works.is_fortification(g, kind, sp)) == by_kind


@pytest.mark.parametrize(("sp", "over"), [(4, OVER_BUILDING), (12, OVER_WORKS)])
def test_who_charges_a_building_charges_over_it_AWI_T_FOR_04_TER_10(sp: int, over: int) -> None:
    g = behind(FENCE, 3)
    inside(g, 1, house(g, 48, 32, sp=sp))
    assert works.find_barrier(g, *FOUND, 1) == over


@pytest.mark.parametrize(("setting", "over"), [("by_kind", OVER_WORKS), ("by_strength", OVER_OBSTACLE)])
def test_a_fortification_counts_before_a_stronger_wall_AWI_T_FOR_04_MEL_07(setting: str, over: int) -> None:
    g = table(
        Stand(0, LINE_FOOT, *FOUND), Stand(1, LINE_FOOT, 48, 30, face=180),
        options={"fortification_class": setting},
    )  # fmt: skip
    field_work(g, FIELDWORK, 3, y=30 - HALF - 0.3)
    field_work(g, WALL, 6, y=30 - HALF - 0.6)
    assert works.find_barrier(g, *FOUND, 1) == over
    assert works.shelter_factor(g, *FOUND, 1) == -2, "against fire the best cover counts, by SP"


def test_cover_falls_as_works_are_shot_away_until_nothing_bars_the_way_AWI_T_FOR_03() -> None:
    g = behind(REDOUBT, 10)
    seen = []
    for _ in range(11):
        seen.append((cover(g), works.find_barrier(g, *FOUND, 1)))
        works.hit_structure(g, 0)
    assert seen[0] == (-3, OVER_WORKS)
    assert [factor for factor, _ in seen] == [-3, -3, -2, -2, -2, -2, -1, -1, -1, 0, 0]
    assert seen[9] == (0, OVER_OBSTACLE)
    assert seen[10] == (0, OVER_NOTHING)
    assert kinds(g).count("structure_hit") == 10
    assert kinds(g).count("structure_falls") == 1, "what is down cannot be hit again"


def test_a_fallen_building_is_rubble_and_its_men_stand_in_the_open_AWI_T_FOR_02() -> None:
    houses = tuple(Feature("building", ((x, 32.0),), sp=sp) for x, sp in ((48.0, 1), (60.0, 4)))
    stands = (Stand(0, LINE_FOOT, *FOUND), Stand(1, LINE_FOOT, 48, 32), Stand(1, LINE_FOOT, 60, 32))
    g = table(*stands)
    raster_write(g, BattleGround(96.0, 60.0, houses), terrain_for(options_resolve({})))
    inside(g, 1, 0)
    inside(g, 2, 1)
    works.hit_structure(g, 0)
    assert (g.u[1].inside, g.u[2].inside) == (-1, 1)
    assert (g.u[1].x, g.u[1].y) == (48, 32)
    assert cover(g) == -1, "rubble is soft cover"
    assert works.find_barrier(g, *FOUND, 1) == OVER_NOTHING
    assert g.ground_changed == 1


def test_a_bridge_gives_no_cover_AWI_T_FOR_03() -> None:
    g = behind(FENCE, 1)
    k = house(g, 48, 30, sp=6)
    g.structures[k].kind_ = 7
    assert cover(g) == 0


def test_a_ball_strikes_what_shelters_its_target_AWI_T_FOR_02() -> None:
    g = behind(FIELDWORK, 6)
    s, x, y, width, depth = works.find_shelter(g, *FOUND, 1)
    assert (s, x, width, depth) == (0, 48, 0, 0)
    assert y == pytest.approx(30 - HALF - 0.5)
    k = house(g, 48, 32)
    inside(g, 1, k)
    assert works.find_shelter(g, *FOUND, 1) == (k, 48, 32, 50 / 25.4, 25 / 25.4)
    for kind, sp in ((FENCE, 3), (WALL, 6), (STREAM, 0)):
        assert works.find_shelter(behind(kind, sp), *FOUND, 1)[0] == -1


@given(sp=st.integers(0, 12), hits=st.integers(0, 14))
def test_structures_never_have_less_than_no_sp_AWI_T_FOR_03(sp: int, hits: int) -> None:
    g = table(Stand(0, LINE_FOOT, *FOUND))
    structure_add(g, STOCKADE, sp, sp)
    for _ in range(hits):
        works.hit_structure(g, 0)
    assert g.structures[0].sp == max(0, sp - hits)


def test_sight_goes_over_works_AWI_T_FIR_02() -> None:
    g = behind(REDOUBT, 10)
    g.u[0].y = 30 - BASE - 4
    assert sighting.fire_range(g, 0, 1) == pytest.approx(4.0)
