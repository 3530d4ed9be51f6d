"""Who can be fired at: range and fan, units and ground in the way, woods that hide, fire over others."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine import ground
from battles.engine.bases import BASE, HALF, measure_gap
from battles.engine.dtypes import COLUMN, DENSE_WOODS, LIMBERED, OPEN_WOODS, ROUTING, SHAKEN, STEADY
from battles.engine.geometry import rectangle_gap
from battles.engine.raster import raster_write
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import fire, sighting
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import Stand, table
from tests.battles.grounds import hill, house, inside, woods

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
TARGET = Stand(1, LINE_FOOT, 48, 30, face=180)


def gun(gun_class: GunClass = GunClass.HEAVY, y: float = 10) -> Stand:
    return Stand(0, T.EUROPEAN_ARTILLERY, 48, y, gun_class=gun_class)


def sees(g: Any, i: int = 0, j: int = 1) -> bool:
    return bool(sighting.fire_range(g, i, j) >= 0)


@pytest.mark.parametrize(
    ("kind", "form", "mood", "fires"),
    [
        (LINE_FOOT, None, STEADY, True),
        (LINE_FOOT, COLUMN, SHAKEN, True),
        (LINE_FOOT, None, ROUTING, False),
        (T.EUROPEAN_ARTILLERY, None, STEADY, True),
        (T.EUROPEAN_ARTILLERY, LIMBERED, STEADY, False),
        (T.EUROPEAN_LIGHT_CAVALRY, None, STEADY, False),
        (T.WAGON, None, STEADY, False),
    ],
)
def test_who_fires_AWI_T_FIR_01(kind: TroopType, form: int | None, mood: int, fires: bool) -> None:
    g = table(Stand(0, kind, 48, 20, form=form))
    g.u[0].mood = mood
    assert sighting.can_fire(g.u[0]) == fires


def test_a_crew_away_from_its_gun_does_not_fire_AWI_T_FIR_01() -> None:
    g = table(Stand(0, T.EUROPEAN_ARTILLERY, 48, 20))
    g.u[0].gun_left = 1
    assert not sighting.can_fire(g.u[0])


@pytest.mark.parametrize(
    ("weapon", "inches", "band"),
    [
        ("light", 12.0, 1),
        ("light", 36.1, 0),
        ("howitzer", 12.0, 0),
        ("howitzer", 15.0, 2),
        ("galloper", 21.0, 3),
    ],
)
def test_bands_AWI_T_FIR_05_FIR_06_FIR_07(weapon: str, inches: float, band: int) -> None:
    g = table(gun(GunClass(weapon)))
    assert sighting.find_range_band(g.u[0], inches) == band


@pytest.mark.parametrize(
    ("x", "y", "inches"),
    [(48, 26, 6 - BASE), (48, 28.5, -1), (53, 25.5, None), (56, 21, -1), (48, 15, -1)],
)
def test_range_and_arc_AWI_T_FIR_02_FIR_04(x: float, y: float, inches: float | None) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, x, y, face=180))
    found = sighting.fire_range(g, 0, 1)
    if inches is None:
        assert found > 0
    else:
        assert found == pytest.approx(inches)


places = st.tuples(st.floats(-8, 8), st.floats(-8, 8), st.integers(0, 359))


@given(at=places, forms=st.tuples(st.booleans(), st.booleans()), face=st.integers(0, 359))
def test_the_cheap_filter_leaves_out_only_who_cannot_be_fired_at_AWI_T_FIR_02(
    at: tuple[float, float, int], forms: tuple[bool, bool], face: int
) -> None:
    kinds = [COLUMN if column else None for column in forms]
    g = table(
        Stand(0, T.JAEGERS, 48, 30, face=face, form=kinds[0]),
        Stand(1, LINE_FOOT, 48 + at[0], 30 + at[1], face=at[2], form=kinds[1]),
    )
    if sighting.far_off(g, 0, 1):
        for m in range(sighting.count_edges(g.u[0])):
            assert sighting.range_from(g, 0, 1, m, sighting.HIDDEN, 1e9) == -1
    assert (sighting.bare_range(g, 0, 1) >= 0) == sees(g), "there is nothing in the way"


@given(at=places, face=st.integers(0, 359))
def test_range_from_an_edge_is_the_gap_of_the_rectangles_AWI_T_FIR_02(
    at: tuple[float, float, int], face: int
) -> None:
    x, y, turned = at
    if sighting.in_arc(0.0, 0.0, face, x, y, turned):
        plain = rectangle_gap(0.0, 0.0, face, HALF, 0.0, x, y, turned, HALF, HALF)
        assert sighting.edge_range(0.0, 0.0, face, x, y, turned, HALF, HALF) == pytest.approx(plain)


@given(at=places, between=places)
def test_who_is_not_listed_as_between_is_not_in_the_way_AWI_T_FIR_02(
    at: tuple[float, float, int], between: tuple[float, float, int]
) -> None:
    stands = (
        Stand(0, T.JAEGERS, 48, 20),
        Stand(1, LINE_FOOT, 48 + at[0], 30 + at[1], face=at[2]),
        Stand(0, LINE_FOOT, 48 + between[0], 25 + between[1], face=between[2]),
    )
    g = table(*stands)
    sighting.list_between(g, 0, 1)
    if g.between_n == 0:
        assert sighting.fire_range(g, 0, 1) == sighting.fire_range(table(*stands[:2]), 0, 1)


def test_units_between_stop_the_fire_AWI_T_FIR_02() -> None:
    stands = (Stand(0, T.JAEGERS, 48, 20), TARGET)
    assert not sees(table(*stands, Stand(0, LINE_FOOT, 48, 25)))
    assert sees(table(*stands))


def test_half_a_target_in_sight_is_enough_if_it_is_a_whole_base_AWI_T_FIR_02() -> None:
    stands = (Stand(0, T.JAEGERS, 48, 20, form=COLUMN), Stand(1, LINE_FOOT, 48, 28, face=180))
    assert sees(table(*stands, Stand(0, LINE_FOOT, 45.6, 25, form=COLUMN)))
    assert not sees(table(*stands, Stand(0, LINE_FOOT, 47.4, 25, form=COLUMN)))


def test_a_building_in_the_way_stops_the_fire_but_for_who_is_in_it_AWI_T_FIR_02_TER_10() -> None:
    g = table(Stand(0, T.JAEGERS, 48, 20), TARGET)
    house(g, 48, 26)
    assert not sees(g)
    g.structures[0].sp = 0
    assert sees(g), "rubble does not"
    g = table(Stand(0, T.JAEGERS, 48, 20), TARGET)
    inside(g, 1, house(g, 48, 29))
    assert sees(g)


def test_ground_higher_than_both_stops_the_fire_AWI_T_FIR_02() -> None:
    g = table(gun(), Stand(1, LINE_FOOT, 48, 40, face=180))
    hill(g, 20, 30)
    assert not sees(g)
    hill(g, 8, 12)
    assert sees(g), "the gun stands as high"


@pytest.mark.parametrize(
    ("wood", "kind", "seen"),
    [
        (DENSE_WOODS, T.INDIANS, 1.0),
        (DENSE_WOODS, T.RANGERS, 1.0),
        (DENSE_WOODS, T.JAEGERS, 2.0),
        (DENSE_WOODS, LINE_FOOT, 4.0),
        (OPEN_WOODS, T.INDIANS, 3.0),
        (OPEN_WOODS, T.BRITISH_LIGHT_INFANTRY, 6.0),
        (OPEN_WOODS, LINE_FOOT, 12.0),
    ],
)
def test_units_in_woods_are_seen_at_their_distance_AWI_T_TER_06_TER_07(
    wood: int, kind: TroopType, seen: float
) -> None:
    for inches, visible in ((seen, True), (seen + 0.2, False)):
        if inches > 12:
            continue
        g = table(Stand(0, T.JAEGERS, 48, 20), Stand(1, kind, 48, 20 + BASE + inches, face=180))
        woods(g, wood, 21.0, 60.0)
        assert measure_gap(g, 0, 1) == pytest.approx(inches)
        g.u[1].y -= 1e-9
        assert sees(g) == visible
        g.u[1].shown = 1
        assert sees(g), "it has fired or charged since it last moved"


def test_a_unit_not_wholly_in_the_wood_is_in_the_open_AWI_T_TER_07() -> None:
    g = table(Stand(0, T.JAEGERS, 48, 20), Stand(1, T.INDIANS, 48, 26, face=180))
    woods(g, DENSE_WOODS, 26.0, 60.0)
    assert sees(g)


def test_woods_between_hide_who_stands_beyond_AWI_T_FIR_02_TER_07() -> None:
    for deep, visible in ((2.0, True), (6.0, False)):
        g = table(Stand(0, T.JAEGERS, 48, 20), TARGET)
        woods(g, DENSE_WOODS, 22.0, 22.0 + deep)
        assert sees(g) == visible
        g.u[1].shown = 1
        assert sees(g) == visible, "it shows itself only where it hides"


def test_howitzers_fire_over_distant_friends_AWI_T_FIR_10() -> None:
    target = Stand(1, LINE_FOOT, 48, 43, face=180)
    assert sighting.fire_range(table(gun(GunClass.HOWITZER), target, Stand(0, LINE_FOOT, 48, 28)), 0, 1) > 24
    assert not sees(table(gun(GunClass.HOWITZER), target, Stand(0, LINE_FOOT, 48, 20)))
    assert not sees(table(gun(GunClass.HOWITZER), target, Stand(0, LINE_FOOT, 48, 32)))
    assert not sees(table(gun(GunClass.HOWITZER), target, Stand(1, LINE_FOOT, 48, 28)))
    assert not sees(table(gun(), target, Stand(0, LINE_FOOT, 48, 28))), "a gun does not"


@pytest.mark.parametrize(("low", "high"), [(5, 15), (38, 50)])
def test_guns_fire_over_friends_from_or_to_higher_ground_AWI_T_FIR_10(low: float, high: float) -> None:
    target = Stand(1, LINE_FOOT, 48, 43, face=180)
    for y, visible in ((28, True), (22, False), (32, False)):
        g = table(gun(), target, Stand(0, LINE_FOOT, 48, y))
        hill(g, low, high)
        assert sees(g) == visible
    g = table(Stand(0, T.JAEGERS, 48, 33), target, Stand(0, LINE_FOOT, 48, 38))
    hill(g, low, high)
    assert not sees(g), "small arms never"


def test_a_friend_as_high_as_both_ends_is_not_fired_over_AWI_T_FIR_10() -> None:
    g = table(gun(), Stand(1, LINE_FOOT, 48, 43, face=180), Stand(0, LINE_FOOT, 48, 28))
    hill(g, 5, 30)
    assert not sees(g)


def test_enemies_between_are_fired_over_from_higher_ground_but_not_with_canister_AWI_T_FIR_10() -> None:
    g = table(gun(), Stand(1, LINE_FOOT, 48, 43, face=180), Stand(1, LINE_FOOT, 48, 38, face=180))
    assert not sees(g)
    hill(g, 5, 15)
    assert sees(g), "for enemies no distance is asked"
    g.u[1].y, g.u[2].y = 27, 20
    assert not sees(g), "in canister range nothing may be between"


def test_a_howitzer_still_needs_to_see_its_target_AWI_T_FIR_10() -> None:
    g = table(gun(GunClass.HOWITZER), Stand(1, LINE_FOOT, 48, 43, face=180))
    house(g, 48, 28)
    assert not sees(g)


def test_the_howitzers_dead_zone_AWI_T_FIR_07() -> None:
    for y, visible in ((19.9, True), (24, False), (28, True)):
        assert sees(table(gun(GunClass.HOWITZER), Stand(1, LINE_FOOT, 48, y, face=180))) == visible


def in_house(x: float, y: float, *more: Stand, large: bool = False) -> Any:
    """A table with Crown foot in a building at (48, 30) and an enemy at (x, y)."""
    g = table(Stand(0, LINE_FOOT, 48, 30), Stand(1, LINE_FOOT, x, y), *more)
    inside(g, 0, house(g, 48, 30, large=large))
    return g


@pytest.mark.parametrize(("x", "y"), [(48, 35), (48, 25), (53.5, 30), (42.5, 30)])
def test_a_unit_in_a_building_fires_out_of_any_side_AWI_T_TER_10(x: float, y: float) -> None:
    g = in_house(x, y)
    assert 0 < sighting.fire_range(g, 0, 1) < 6
    g.u[0].inside = -1
    g.structures[0].sp = 0
    assert sees(g) == (y > 30), "in the open only ahead"


def test_range_is_taken_from_the_wall_AWI_T_TER_10() -> None:
    assert sighting.fire_range(in_house(48, 35), 0, 1) == pytest.approx(5 - HALF - 25 / 25.4, abs=1e-5)
    assert sighting.fire_range(in_house(48, 37), 0, 1) == pytest.approx(7 - HALF - 25 / 25.4, abs=1e-5)
    assert not sees(in_house(48, 38))


@pytest.mark.parametrize(("y", "visible"), [(36, True), (24, False)])
def test_of_two_units_in_a_building_each_holds_its_side_AWI_T_TER_10(y: float, visible: bool) -> None:
    g = in_house(48, y, Stand(0, LINE_FOOT, 48, 29), large=True)
    inside(g, 2, 0, ahead=-1.0)
    inside(g, 0, 0, ahead=1.0)
    assert sees(g) == visible
    assert sees(g, 2) != visible
    g.u[2].inside, g.u[2].y = -1, 50
    assert sees(g), "alone it holds them all"


def test_fire_modifier_is_the_same_out_of_a_building_AWI_T_TER_10() -> None:
    g = in_house(48, 35)
    assert fire.fire_modifier(g, 0, 1, 3.0) == 0


corners = st.tuples(st.integers(0, 40), st.integers(0, 30), st.integers(1, 12), st.integers(1, 12))
spots = st.tuples(st.floats(0, 60), st.floats(0, 40))


@given(areas=st.lists(st.tuples(st.sampled_from(("open_woods", "dense_woods", "hill")), corners), max_size=4),
       ends=st.tuples(spots, spots), hides=st.integers(-1, 2))  # fmt: skip
def test_what_is_open_is_skipped_with_the_same_sight_AWI_T_FIR_02(
    areas: list[tuple[Any, tuple[int, int, int, int]]], ends: tuple[Any, Any], hides: int
) -> None:
    features = tuple(
        Feature(kind, ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth)))
        for kind, (x, y, width, depth) in areas
    )
    g = table(Stand(0, LINE_FOOT, 30, 20))
    raster_write(g, BattleGround(60.0, 40.0, features), terrain_for(options_resolve({})))
    (fx, fy), (tx, ty) = ends
    quick = ground.is_sight_open(g, fx, fy, tx, ty, hides, -1)
    assert g.known.any() == bool(features)
    g.known[:] = 0
    assert ground.is_sight_open(g, fx, fy, tx, ty, hides, -1) == quick
