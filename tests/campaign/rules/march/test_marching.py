"""March rates and forced marches (HR-MAR, HR-WAT, AWI-C-MAR), checked against the campaign of 1777."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import RouteKind
from campaign.rules.march.marching import (
    FOOT,
    MarchClass,
    day_minutes,
    find_obstacle,
    forced_march_risk,
    formation_mobility,
    march_percent,
    minutes_at,
    minutes_of_day,
    passes_with_weather,
    rest_is_due,
    verify_light_order,
    yards_at,
    yards_per_day,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import PACE_PERCENT, Pace, Unit
from rosters.domain.vocabulary import GunClass, Mobility, Nation, TroopType
from tests.campaign.rules.maps import MILE, route
from tests.factories.march_minutes import minutes_for

SETTINGS = RuleSettings()
LIGHT = MarchClass(Mobility.LIGHT)
MOUNTED = MarchClass(Mobility.MOUNTED)
GUNS = MarchClass(Mobility.GUNS, wheels=True)
WAGONS = MarchClass(Mobility.WAGONS, wheels=True, heavy=True)
STORM, RAIN, FOG = Conditions("storm"), Conditions("rain"), Conditions("fog")


def unit(troop_type: TroopType, gun_class: GunClass = GunClass.NONE) -> Unit:
    return Unit(
        troop_type, troop_type, "crown", Nation.BRITISH, troop_type, 100, "fraser", gun_class=gun_class
    )


LINE = unit(TroopType.BRITISH_LINE)
LIGHT_INFANTRY = unit(TroopType.BRITISH_LIGHT_INFANTRY)
DRAGOONS = unit(TroopType.EUROPEAN_LIGHT_CAVALRY)
SIX_POUNDERS = unit(TroopType.EUROPEAN_ARTILLERY, GunClass.LIGHT)
SIEGE_TRAIN = unit(TroopType.EUROPEAN_ARTILLERY, GunClass.HEAVY)
CARTS = unit(TroopType.WAGON)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ([], FOOT),
        ([LINE], FOOT),
        ([LIGHT_INFANTRY], LIGHT),
        ([DRAGOONS], MOUNTED),
        ([DRAGOONS, LIGHT_INFANTRY], LIGHT),
        ([DRAGOONS, LIGHT_INFANTRY, LINE], FOOT),
        ([LINE, SIX_POUNDERS], GUNS),
        ([DRAGOONS, SIX_POUNDERS], GUNS),
        ([LINE, CARTS], WAGONS),
        ([LINE, SIX_POUNDERS, SIEGE_TRAIN], WAGONS),
    ],
)
def test_hr_mar_02_the_slowest_unit_governs(units: list[Unit], expected: MarchClass) -> None:
    assert formation_mobility(units) == expected
    assert formation_mobility(reversed(units)) == expected


@pytest.mark.parametrize(
    ("kind", "march", "facts", "conditions", "light_order", "miles"),
    [
        ("highway", FOOT, {}, FAIR, False, 15),
        ("road", FOOT, {}, FAIR, False, 12),
        ("track", FOOT, {}, FAIR, False, 10),
        ("trail", FOOT, {}, FAIR, False, 8),
        ("road", GUNS, {}, FAIR, False, 12),
        ("road", WAGONS, {}, FAIR, False, 9),
        ("road", LIGHT, {}, FAIR, False, 15),
        ("road", MOUNTED, {}, FAIR, False, Fraction(1596, 100)),
        ("road", FOOT, {"terrain": "mountain"}, FAIR, False, 9),
        ("road", FOOT, {}, RAIN, False, 9),
        ("road", FOOT, {}, STORM, False, 6),
        ("road", FOOT, {}, FOG, False, 12),
        ("road", FOOT, {}, FAIR, True, 18),
        ("track", WAGONS, {"terrain": "mountain"}, RAIN, False, Fraction(421875, 100000)),
        ("lake", WAGONS, {"wheeled": False}, FAIR, False, 20),
        ("lake", FOOT, {}, Conditions(foul_wind=True), False, 5),
        ("lake", FOOT, {}, STORM, False, 5),
        ("lake", FOOT, {}, RAIN, False, 20),
        ("lake", LIGHT, {"terrain": "mountain"}, FAIR, True, 20),
        ("river", FOOT, {"flow": "ab"}, FAIR, False, 25),
        ("river", FOOT, {"flow": "ba"}, FAIR, False, 12),
        ("river", FOOT, {"flow": "ab_rapids"}, FAIR, False, 45),
        ("river", FOOT, {"flow": "ba_rapids"}, FAIR, False, 15),
        ("river", FOOT, {"flow": "ba"}, Conditions(foul_wind=True), False, 12),
        ("river", FOOT, {"flow": "tidal"}, FAIR, False, 40),
        ("river", FOOT, {"flow": "none"}, FAIR, False, 20),
        ("sea", FOOT, {}, FAIR, False, 40),
        ("portage", WAGONS, {}, FAIR, False, 8),
        ("portage", LIGHT, {}, FAIR, True, 8),
        ("portage", FOOT, {}, STORM, False, 4),
    ],
)
def test_hr_mar_01_and_hr_wat_02_miles_of_a_normal_day(
    kind: RouteKind,
    march: MarchClass,
    facts: dict[str, Any],
    conditions: Conditions,
    light_order: bool,
    miles: int | Fraction,
) -> None:
    way = route("saratoga", "albany", kind, **facts)
    rate = yards_per_day(way, "saratoga", march, SETTINGS, conditions, light_order=light_order)
    assert rate == int(miles * MILE)


def test_hr_wat_02_the_stream_helps_one_way_only() -> None:
    way = route("wood_creek", "oswego", "river", flow="ab")
    assert yards_per_day(way, "wood_creek", FOOT, SETTINGS) == 25 * MILE
    assert yards_per_day(way, "oswego", FOOT, SETTINGS) == 12 * MILE


@pytest.mark.parametrize(
    ("way", "march", "conditions", "rule"),
    [
        (route("a", "b", "track", wheeled=False), GUNS, FAIR, "HR-MAR-02"),
        (route("a", "b", "track", wheeled=False), WAGONS, FAIR, "HR-MAR-02"),
        (route("a", "b", "portage", wheeled=False), GUNS, FAIR, "HR-MAR-02"),
        (route("a", "b", crossing="ford"), FOOT, Conditions("fair", wet_days=2), "HR-MAR-07"),
        (route("a", "b", "river", flow="tidal"), FOOT, Conditions(foul_wind=True), "HR-WAT-03"),
        (route("a", "b", "sea"), FOOT, STORM, "HR-WAT-03"),
    ],
)
def test_obstacles_bar_the_way_and_say_why(
    way: Any, march: MarchClass, conditions: Conditions, rule: str
) -> None:
    violation = find_obstacle(way, "a", march, SETTINGS, conditions)
    assert violation is not None
    assert violation.rule_id == rule
    assert violation.field == "via"
    assert way.kind in violation.message or "ford" in violation.message
    assert passes_with_weather(violation) is (rule != "HR-MAR-02")
    assert yards_per_day(way, "a", march, SETTINGS, conditions) is None
    with pytest.raises(RuleViolation, match="another way"):
        minutes_for(way, "a", 100, march, SETTINGS, conditions)


def test_hr_mar_07_fords_close_after_two_wet_days_and_bridges_do_not() -> None:
    ford, bridge = route("a", "b", crossing="ford"), route("a", "b", crossing="bridge")
    assert find_obstacle(ford, "a", FOOT, SETTINGS, Conditions("rain", wet_days=1)) is None
    assert find_obstacle(bridge, "a", FOOT, SETTINGS, Conditions("rain", wet_days=9)) is None
    never = replace(SETTINGS, wet_days_close_fords=0)
    assert find_obstacle(ford, "a", FOOT, never, Conditions("rain", wet_days=9)) is None


@pytest.mark.parametrize("settings", [{"road_miles": 0}, {"march_minutes": 0}, {"march_starts": 1440}])
def test_hr_mar_01_settings_that_stop_marching_are_named(settings: dict[str, int]) -> None:
    violation = find_obstacle(route("a", "b"), "a", FOOT, replace(SETTINGS, **settings))
    assert violation is not None
    assert "rates" in violation.message


# --- the history the rates were taken from ---


def test_hr_mar_03_st_clair_marches_190_percent_of_a_normal_day_in_light_order() -> None:
    """6 July 1777, Mount Independence to Castleton: 28.5 miles of track, none of it mountain."""
    legs = [
        route("mount_independence", "hubbardton", "track", 22),
        route("hubbardton", "castleton", "track", 6.5),
    ]
    minutes = sum(minutes_for(leg, leg.a, leg.yards, FOOT, SETTINGS, light_order=True) for leg in legs)
    assert minutes == Fraction(190, 100) * SETTINGS.march_minutes
    assert march_percent(minutes, 0, SETTINGS) == 90  # AWI-C-MAR-02
    assert forced_march_risk(90, militia=False, adverse=False) == (Fraction(4, 6), Fraction(20, 3))
    assert forced_march_risk(90, militia=True, adverse=False)[1] == 10
    without = sum(minutes_for(leg, leg.a, leg.yards, FOOT, SETTINGS) for leg in legs)
    assert without > day_minutes("double", SETTINGS)


def test_hr_mar_01_schuylers_46_miles_take_four_days() -> None:
    way = route("albany", "fort_edward", "road", 46)
    assert 3 * 600 < minutes_for(way, "albany", way.yards, FOOT, SETTINGS) <= 4 * 600


def test_hr_mar_02_herkimers_carts_take_three_days_for_25_miles() -> None:
    way = route("german_flatts", "oriskany", "road", 25)
    assert 2 * 600 < minutes_for(way, "german_flatts", way.yards, WAGONS, SETTINGS) <= 3 * 600


def test_hr_mar_06_breymann_makes_half_of_24_miles_in_a_day_of_storm() -> None:
    way = route("batten_kill", "cambridge", "road", 24)
    budget = day_minutes("double", SETTINGS)
    rate = yards_per_day(way, "batten_kill", GUNS, SETTINGS, STORM)
    assert rate is not None
    assert yards_at(budget, rate, SETTINGS) == 12 * MILE


@pytest.mark.parametrize(("start", "least", "most"), [("oswegatchie", 2, 3), ("lachine", 6, 9)])
def test_hr_wat_02_the_rapids_of_the_st_lawrence(start: str, least: int, most: int) -> None:
    """120 miles: six to nine days up, two or three down."""
    way = route("oswegatchie", "lachine", "river", 120, flow="ab_rapids")
    days = Fraction(minutes_for(way, start, way.yards, FOOT, SETTINGS), SETTINGS.march_minutes)
    assert least <= days <= most


def test_hr_wat_02_burgoynes_54_miles_of_lake_fit_20_to_26_june() -> None:
    """Seven days from Cumberland Head to Crown Point; rested days and foul winds filled the rest."""
    way = route("cumberland_head", "crown_point", "lake", 54)
    fair = minutes_for(way, way.a, way.yards, FOOT, SETTINGS)
    foul = minutes_for(way, way.a, way.yards, FOOT, SETTINGS, Conditions(foul_wind=True))
    assert fair < 7 * SETTINGS.march_minutes < foul


# --- minutes, paces, percent over ---


@given(st.integers(1, 500_000), st.integers(1, 100_000))
def test_nobody_gains_by_rounding(yards: int, rate: int) -> None:
    minutes = minutes_at(yards, rate, SETTINGS)
    assert yards_at(minutes, rate, SETTINGS) >= yards
    assert yards_at(minutes - 1, rate, SETTINGS) < yards


@given(
    st.sampled_from(["highway", "road", "track", "trail", "river", "lake", "portage"]),
    st.sampled_from([FOOT, LIGHT, MOUNTED, GUNS, WAGONS]),
    st.sampled_from(["open", "mountain"]),
)
def test_bad_weather_never_speeds_a_march(kind: RouteKind, march: MarchClass, terrain: str) -> None:
    way = route("a", "b", kind, terrain=terrain)
    rates = [yards_per_day(way, "a", march, SETTINGS, item) or 0 for item in (FAIR, FOG, RAIN, STORM)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] > 0
    light = yards_per_day(way, "a", march, SETTINGS, light_order=True)
    assert light is not None
    assert light >= rates[0]


@pytest.mark.parametrize(("pace", "minutes"), [("normal", 600), ("plus_half", 900), ("double", 1200)])
def test_awi_c_mar_01_and_02_paces_are_shares_of_the_normal_day(pace: Pace, minutes: int) -> None:
    assert day_minutes(pace, SETTINGS) == minutes == minutes_of_day(PACE_PERCENT[pace], SETTINGS)


def test_hr_mar_04_no_march_goes_on_past_midnight() -> None:
    assert day_minutes("double", replace(SETTINGS, march_starts=12 * 60)) == 12 * 60


@pytest.mark.parametrize(
    ("minutes", "marched", "percent"),
    [
        (600, 0, 0),
        (0, 9, 0),
        (601, 0, 1),
        (900, 0, 50),  # AWI-C-MAR-01, CHK-MAR-09
        (901, 0, 51),  # AWI-C-MAR-02: anything over 50 %
        (950, 0, 59),  # CHK-MAR-10
        (1200, 0, 100),  # CHK-MAR-11
        (300, 3, 0),
        (300, 4, 1),  # HR-MAR-05: the fifth day is one of rest
        (300, 7, 1),
        (900, 4, 50),
        (901, 4, 51),
    ],
)
def test_hr_mar_05_what_a_day_counts_for_the_forced_march_die(
    minutes: int, marched: int, percent: int
) -> None:
    assert march_percent(minutes, marched, SETTINGS) == percent


def test_hr_mar_05_the_day_of_rest_may_be_switched_off() -> None:
    assert [rest_is_due(marched, SETTINGS) for marched in range(6)] == [False] * 4 + [True] * 2
    assert not rest_is_due(30, replace(SETTINGS, rest_every_days=0))


@pytest.mark.parametrize(
    ("percent", "militia", "adverse", "chance", "points"),
    [
        (0, True, True, Fraction(0), Fraction(0)),
        (50, False, False, Fraction(1, 3), Fraction(5, 2)),
        (50, True, True, Fraction(2, 3), Fraction(35, 6)),  # CHK-MAR-04
        (51, False, True, Fraction(5, 6), Fraction(10)),  # CHK-MAR-07
        (100, True, True, Fraction(1), Fraction(40, 3)),
    ],
)
def test_awi_c_mar_03_risk_of_a_forced_march(
    percent: int, militia: bool, adverse: bool, chance: Fraction, points: Fraction
) -> None:
    assert forced_march_risk(percent, militia, adverse) == (chance, points)


def test_hr_mar_03_light_order_is_for_three_days_and_not_for_wagons() -> None:
    verify_light_order(GUNS, 2, SETTINGS)
    with pytest.raises(RuleViolation, match="3 is the limit") as late:
        verify_light_order(FOOT, 3, SETTINGS)
    assert (late.value.rule_id, late.value.field) == ("HR-MAR-03", "light_order")
    with pytest.raises(RuleViolation, match="cannot march in light order"):
        verify_light_order(WAGONS, 0, SETTINGS)
