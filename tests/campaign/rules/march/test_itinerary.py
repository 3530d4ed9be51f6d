"""A march laid out day by day (HR-MAR-09) with rest, light order and forced marches."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.day.weather import Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.paths import MarchPlan, path_find
from campaign.rules.march.itinerary import PlaceArrival, Schedule, build_schedule
from campaign.rules.march.marching import FOOT, day_minutes, yards_at
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Pace, Position
from tests.campaign.rules.maps import MILE, atlas, route

SETTINGS = RuleSettings()
ALBANY_ROAD = atlas(
    route("albany", "half_moon", "road", 12),
    route("half_moon", "stillwater", "road", 12),
    route("stillwater", "saratoga", "road", 12),
    route("saratoga", "fort_edward", "road", 10),
)
START = Position(place="albany")
PACES: list[Pace] = ["normal", "plus_half", "double"]


def plan(*via: str) -> MarchPlan:
    return path_find(ALBANY_ROAD, START, via or ("fort_edward",), FOOT, SETTINGS)


def on(a: str, b: str, miles: int) -> Position:
    return Position(route=f"{a}--{b}--road", origin=a, destination=b, yards=miles * MILE)


@pytest.mark.parametrize(
    ("pace", "arrivals", "ends", "percents"),
    [
        (
            "normal",
            [("half_moon", 0, 840), ("stillwater", 1, 840), ("saratoga", 2, 840), ("fort_edward", 3, 740)],
            ["half_moon", "stillwater", "saratoga", "fort_edward"],
            [0, 0, 0, 0],
        ),
        (
            "plus_half",
            [("half_moon", 0, 840), ("stillwater", 1, 540), ("saratoga", 1, 1140), ("fort_edward", 2, 740)],
            [on("half_moon", "stillwater", 6), "saratoga", "fort_edward"],
            [50, 50, 0],
        ),
        (
            "double",
            [("half_moon", 0, 840), ("stillwater", 0, 1440), ("saratoga", 1, 840), ("fort_edward", 1, 1340)],
            ["stillwater", "fort_edward"],
            [100, 84],
        ),
    ],
)
def test_hr_mar_09_days_and_arrivals_at_the_three_paces(
    pace: Pace, arrivals: list[tuple[str, int, int]], ends: list[str | Position], percents: list[int]
) -> None:
    found = build_schedule(ALBANY_ROAD, plan(), pace, FOOT, SETTINGS)
    assert found.arrivals == tuple(PlaceArrival(*arrival) for arrival in arrivals)
    assert [day.end for day in found.days] == [
        Position(place=end) if isinstance(end, str) else end for end in ends
    ]
    assert [day.percent_over for day in found.days] == percents
    assert [day.day for day in found.days] == list(range(len(ends)))


def test_a_plan_without_legs_takes_no_day() -> None:
    assert build_schedule(ALBANY_ROAD, MarchPlan(), "double", FOOT, SETTINGS) == Schedule()


def test_hr_mar_05_the_fifth_day_of_marching_is_thrown_for() -> None:
    long_road = atlas(route("albany", "boston", "road", 72))
    way = path_find(long_road, START, ["boston"], FOOT, SETTINGS)
    fresh = build_schedule(long_road, way, "normal", FOOT, SETTINGS)
    assert [day.percent_over for day in fresh.days] == [0, 0, 0, 0, 1, 1]
    tired = build_schedule(long_road, way, "normal", FOOT, SETTINGS, marched=3)
    assert [day.percent_over for day in tired.days] == [0, 1, 1, 1, 1, 1]


def test_hr_mar_05_a_day_of_rest_puts_the_march_off_and_ends_the_count_of_days_without_one() -> None:
    rested = build_schedule(ALBANY_ROAD, plan(), "normal", FOOT, SETTINGS, marched=6, rest=True)
    assert [day.day for day in rested.days] == [1, 2, 3, 4]
    assert [arrival.day for arrival in rested.arrivals] == [1, 2, 3, 4]
    assert [(day.percent_over, day.marching) for day in rested.days] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    tired = build_schedule(ALBANY_ROAD, plan(), "normal", FOOT, SETTINGS, marched=6)
    assert [(day.percent_over, day.marching) for day in tired.days] == [(1, 7), (1, 8), (1, 9), (1, 10)]
    light = build_schedule(
        ALBANY_ROAD, plan(), "normal", FOOT, SETTINGS, light_order=True, light_days=2, rest=True
    )
    assert [day.light_order for day in light.days] == [True] * 3


def test_hr_mar_03_light_order_ends_after_its_third_day() -> None:
    long_road = atlas(route("albany", "boston", "road", 66))
    way = path_find(long_road, START, ["boston"], FOOT, SETTINGS, light_order=True)
    found = build_schedule(long_road, way, "normal", FOOT, SETTINGS, light_order=True)
    assert [day.light_order for day in found.days] == [True, True, True, False]
    assert [day.end.yards // MILE for day in found.days] == [18, 36, 54, 0]
    late = build_schedule(long_road, way, "normal", FOOT, SETTINGS, light_order=True, light_days=2)
    assert [day.light_order for day in late.days] == [True, False, False, False, False]


def test_hr_mar_06_bad_weather_lengthens_the_march() -> None:
    found = build_schedule(ALBANY_ROAD, plan("half_moon"), "normal", FOOT, SETTINGS, Conditions("storm"))
    assert [day.minutes for day in found.days] == [600, 600]
    assert found.days[0].end == on("albany", "half_moon", 6)


def test_a_column_that_turns_back_is_on_its_way_from_the_far_end() -> None:
    here = on("stillwater", "saratoga", 10)
    back = path_find(ALBANY_ROAD, here, ["half_moon"], FOOT, SETTINGS)
    found = build_schedule(ALBANY_ROAD, back, "normal", FOOT, SETTINGS)
    assert found.arrivals == (PlaceArrival("stillwater", 0, 740), PlaceArrival("half_moon", 1, 740))
    turned = replace(here, origin="saratoga", destination="stillwater", yards=7 * MILE)
    assert back.legs[0].position(yards_at(250, back.legs[0].rate, SETTINGS)) == turned


def test_a_route_closed_to_the_march_is_refused() -> None:
    sound = atlas(route("new_york", "kingston", "sea", 60), ports="new_york kingston")
    way = path_find(sound, Position(place="new_york"), ["kingston"], FOOT, SETTINGS)
    with pytest.raises(RuleViolation, match="wind is foul"):
        build_schedule(sound, way, "normal", FOOT, SETTINGS, Conditions(foul_wind=True))


def test_hours_too_short_to_march_are_refused() -> None:
    hurried = replace(SETTINGS, march_starts=1439, road_miles=1, wagons_percent=1, mountain_percent=1)
    peak = atlas(route("albany", "half_moon", "road", 1, terrain="mountain"))
    way = path_find(peak, START, ["half_moon"], FOOT, hurried)
    with pytest.raises(RuleViolation, match="too short") as refused:
        build_schedule(peak, way, "normal", FOOT, hurried)
    assert refused.value.rule_id == "HR-MAR-09"


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from(PACES))
def test_a_day_is_never_over_its_pace_and_all_yards_are_marched(miles: list[int], pace: Pace) -> None:
    ways = [route(f"p{number}", f"p{number + 1}", "track", length) for number, length in enumerate(miles)]
    chart = atlas(*ways)
    way = path_find(chart, Position(place="p0"), [f"p{len(miles)}"], FOOT, SETTINGS)
    found = build_schedule(chart, way, pace, FOOT, SETTINGS)
    budget = day_minutes(pace, SETTINGS)
    assert all(0 < day.minutes <= budget for day in found.days)
    assert all(day.minutes == budget for day in found.days[:-1])
    assert 0 <= sum(day.minutes for day in found.days) - way.minutes <= len(found.days)
    assert [arrival.place for arrival in found.arrivals] == list(way.places)
    assert found.days[-1].end == Position(place=way.places[-1])
    assert all(arrival.minute <= 24 * 60 for arrival in found.arrivals)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_a_faster_pace_never_arrives_later(miles: list[int]) -> None:
    chart = atlas(*(route(f"p{number}", f"p{number + 1}", "road", far) for number, far in enumerate(miles)))
    way = path_find(chart, Position(place="p0"), [f"p{len(miles)}"], FOOT, SETTINGS)
    last = [build_schedule(chart, way, pace, FOOT, SETTINGS).arrivals[-1] for pace in PACES]
    times = [(arrival.day, arrival.minute) for arrival in last]
    assert times == sorted(times, reverse=True)


def test_hr_ord_05_a_late_start_delays_the_first_day_and_shortens_it_by_midnight() -> None:
    """At 16:00 eight hours are left, at a double march four fifths of a normal day's road."""
    late = build_schedule(ALBANY_ROAD, plan(), "double", FOOT, SETTINGS, starts=12 * 60)
    assert late.arrivals[0] == PlaceArrival("half_moon", 1, 4 * 60 + 120)
    assert late.days[0].minutes == 8 * 60
    early = build_schedule(ALBANY_ROAD, plan("half_moon"), "normal", FOOT, SETTINGS, starts=60)
    assert early.arrivals == (PlaceArrival("half_moon", 0, 15 * 60),)
