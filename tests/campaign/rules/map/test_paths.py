"""The fastest way, why there is none, and how far a day goes (HR-MAR-08, HR-WAT-01)."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.day.weather import Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import MarchPlan, path_find
from campaign.rules.map.reach import RouteStretch, find_reach
from campaign.rules.march.marching import FOOT, MarchClass, passes_with_weather
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position
from rosters.domain.vocabulary import Mobility
from tests.campaign.rules.maps import MILE, atlas, place, route
from tests.factories.march_minutes import minutes_for

SETTINGS = RuleSettings()
GUNS = MarchClass(Mobility.GUNS, wheels=True)
WET = Conditions("rain", wet_days=2)

#: Fort Edward to Albany by road, with the Hudson beside it below Saratoga, a trail cutting the corner
#: to Bennington and a ford on the way to Cambridge. Canada lies apart.
MAP = Atlas.of(
    [
        place("fort_edward"),
        place("saratoga", port="river"),
        place("stillwater", port="river"),
        place("albany", port="river"),
        place("cambridge"),
        place("bennington"),
        place("diamond_island"),
        place("quebec"),
        place("sorel"),
    ],
    [
        route("fort_edward", "saratoga", "road", 12),
        route("saratoga", "stillwater", "road", 12),
        route("saratoga", "stillwater", "river", 13, flow="ab"),
        route("stillwater", "albany", "road", 24),
        route("fort_edward", "cambridge", "road", 12, crossing="ford"),
        route("cambridge", "bennington", "road", 12),
        route("fort_edward", "bennington", "trail", 12, wheeled=False),
        route("fort_edward", "diamond_island", "lake", 10),
        route("quebec", "sorel", "road", 60),
    ],
)


def at(name: str) -> Position:
    return Position(place=name)


def on_road(yards: int) -> Position:
    """Marching from Fort Edward to Saratoga."""
    return Position(
        route="fort_edward--saratoga--road", origin="fort_edward", destination="saratoga", yards=yards
    )


def find(start: Position, *via: str, march: MarchClass = FOOT, **terms: Any) -> MarchPlan:
    return path_find(MAP, start, via, march, SETTINGS, **terms)


def test_hr_mar_08_the_faster_of_road_and_river_is_taken_each_way() -> None:
    down = find(at("fort_edward"), "stillwater")
    assert [leg.route for leg in down.legs] == ["fort_edward--saratoga--road", "saratoga--stillwater--river"]
    assert [leg.minutes for leg in down.legs] == [600, 312]
    up = find(at("stillwater"), "saratoga")
    assert [leg.route for leg in up.legs] == ["saratoga--stillwater--road"]
    assert up.yards == 12 * MILE


def test_hr_mar_08_places_are_marched_through_in_turn() -> None:
    plan = find(at("saratoga"), "fort_edward", "saratoga", "albany")
    assert plan.places == ("fort_edward", "saratoga", "stillwater", "albany")
    assert plan.minutes == 600 + 600 + 312 + 1200


def test_a_formation_at_its_goal_has_no_legs() -> None:
    assert find(at("albany"), "albany") == MarchPlan()
    assert find(at("albany")) == MarchPlan()


@pytest.mark.parametrize(
    ("yards", "goal", "first", "start", "minutes"),
    [
        (6 * MILE, "saratoga", "fort_edward", 6 * MILE, 300),
        (6 * MILE, "fort_edward", "saratoga", 6 * MILE, 300),
        (3 * MILE, "fort_edward", "saratoga", 9 * MILE, 150),
        (MILE, "stillwater", "fort_edward", MILE, 550),
        (11 * MILE, "bennington", "saratoga", MILE, 550),  # turns back, all the way
    ],
)
def test_hr_mar_08_part_way_a_column_goes_on_or_turns_back(
    yards: int, goal: str, first: str, start: int, minutes: int
) -> None:
    leg = find(on_road(yards), goal).legs[0]
    assert (leg.origin, leg.start, leg.minutes) == (first, start, minutes)
    assert leg.start + leg.yards == 12 * MILE


def test_hr_mar_02_guns_go_round_where_foot_take_the_trail() -> None:
    assert [leg.route for leg in find(at("fort_edward"), "bennington").legs] == [
        "fort_edward--bennington--trail"
    ]
    assert find(at("fort_edward"), "bennington", march=GUNS).places == ("cambridge", "bennington")


@pytest.mark.parametrize(
    ("goal", "march", "terms", "rule", "message"),
    [
        (
            "bennington",
            GUNS,
            {"conditions": WET},
            "HR-MAR-07",
            "ford on the road from Fort Edward to Cambridge",
        ),
        ("bennington", GUNS, {"avoid": {"cambridge"}}, "HR-MAR-02", "trail from Fort Edward to Bennington"),
        (
            "cambridge",
            FOOT,
            {"avoid": {"bennington"}, "conditions": WET},
            "HR-MAR-07",
            "closed after 2 wet days",
        ),
        ("albany", FOOT, {"avoid": {"saratoga"}}, "HR-MAR-08", "passes a place to be avoided"),
        ("diamond_island", FOOT, {}, "HR-WAT-01", "no port to take boats at"),
        ("quebec", FOOT, {}, "HR-MAR-08", "no way from Fort Edward to Quebec"),
        ("boston", FOOT, {}, "HR-MAR-08", "no place 'boston'"),
    ],
)
def test_no_way_says_what_is_in_it(
    goal: str, march: MarchClass, terms: dict[str, object], rule: str, message: str
) -> None:
    with pytest.raises(RuleViolation, match=message) as refused:
        find(at("fort_edward"), goal, march=march, **terms)
    assert (refused.value.rule_id, refused.value.field) == (rule, "via")
    assert passes_with_weather(refused.value) is (rule == "HR-MAR-07")


def test_hr_mar_08_a_formation_off_the_map_is_refused() -> None:
    with pytest.raises(RuleViolation, match="stands at boston") as refused:
        find(at("boston"), "albany")
    assert refused.value.field == "formation"


def test_hr_mar_07_a_column_before_a_closed_ford_may_turn_back() -> None:
    ford = "fort_edward--cambridge--road"
    here = Position(route=ford, origin="fort_edward", destination="cambridge", yards=4 * MILE)
    back = find(here, "fort_edward", conditions=WET)
    assert [(leg.origin, leg.yards) for leg in back.legs] == [("cambridge", 4 * MILE)]
    assert find(here, "cambridge").legs[0].yards == 8 * MILE
    guns = find(here, "fort_edward", march=GUNS, conditions=WET)
    assert guns.places == ("fort_edward",)


def test_hr_wat_01_boats_are_taken_where_there_is_a_port_and_land_anywhere() -> None:
    lake = atlas(route("crown_point", "split_rock", "lake", 20), ports="crown_point")
    assert path_find(lake, at("crown_point"), ["split_rock"], GUNS, SETTINGS).minutes == 600
    with pytest.raises(RuleViolation, match="no port"):
        path_find(lake, at("split_rock"), ["crown_point"], GUNS, SETTINGS)


def test_hr_wat_03_a_foul_wind_closes_tidal_water_for_the_day() -> None:
    sound = atlas(route("new_york", "verplancks_point", "river", 42, flow="tidal"), ports="new_york")
    with pytest.raises(RuleViolation, match="wind is foul") as refused:
        path_find(sound, at("new_york"), ["verplancks_point"], FOOT, SETTINGS, Conditions(foul_wind=True))
    assert passes_with_weather(refused.value)


def test_equal_ways_are_chosen_alike_whatever_the_order_of_the_map() -> None:
    ways = [route(a, b, "road", 6) for a, b in [("a", "b"), ("b", "d"), ("a", "c"), ("c", "d")]]
    plans = {path_find(atlas(*order), at("a"), ["d"], FOOT, SETTINGS) for order in (ways, ways[::-1])}
    assert len(plans) == 1


def test_a_leg_knows_where_its_yards_end() -> None:
    leg = find(on_road(4 * MILE), "saratoga").legs[0]
    assert leg.position(MILE) == on_road(5 * MILE)
    assert leg.position(leg.yards) == at("saratoga")
    assert find(at("fort_edward"), "saratoga").legs[0].position(0) == at("fort_edward")


# --- reach of a day ---


@pytest.mark.parametrize(
    ("percent", "places"),
    [
        (100, {"fort_edward": 0, "saratoga": 600, "cambridge": 600}),
        (150, {"fort_edward": 0, "saratoga": 600, "cambridge": 600, "bennington": 900}),
        (
            200,
            {
                "fort_edward": 0,
                "saratoga": 600,
                "cambridge": 600,
                "bennington": 900,
                "stillwater": 912,
            },
        ),
    ],
)
def test_reach_of_a_day_at_the_three_paces(percent: int, places: dict[str, int]) -> None:
    reach = find_reach(MAP, at("fort_edward"), percent, FOOT, SETTINGS)
    assert reach.places == places
    assert all(0 <= piece.start < piece.end <= MAP.routes[piece.route].yards for piece in reach.stretches)


def test_reach_tells_how_far_along_a_route_the_day_ends() -> None:
    reach = find_reach(MAP, at("fort_edward"), 100, FOOT, SETTINGS)
    assert RouteStretch("fort_edward--bennington--trail", "fort_edward", 0, 8 * MILE) in reach.stretches
    assert not any(piece.route == "saratoga--stillwater--road" for piece in reach.stretches)


def test_reach_from_part_way_goes_both_ways() -> None:
    reach = find_reach(MAP, on_road(3 * MILE), 100, FOOT, SETTINGS)
    assert reach.places["fort_edward"] == 150
    assert reach.places["saratoga"] == 450
    road = "fort_edward--saratoga--road"
    assert RouteStretch(road, "fort_edward", 3 * MILE, 12 * MILE) in reach.stretches
    assert RouteStretch(road, "saratoga", 9 * MILE, 12 * MILE) in reach.stretches


# --- against a slow oracle ---

NAMES = "abcdef"


@st.composite
def maps(draw: st.DrawFn) -> Atlas:
    """Up to six places and a dozen routes, connected or not, some wet, some barred to wheels."""
    ways = {}
    for _ in range(draw(st.integers(1, 12))):
        a, b = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
        kind = draw(st.sampled_from(["highway", "road", "track", "trail", "river", "lake", "portage"]))
        way = route(
            a,
            b,
            kind,
            draw(st.integers(1, 40)),
            terrain=draw(st.sampled_from(["open", "mountain"])),
            wheeled=draw(st.booleans()),
            crossing=draw(st.sampled_from(["none", "ford"])),
            flow=draw(st.sampled_from(["ab", "ba", "tidal", "none"])) if kind == "river" else "none",
        )
        ways[way.id] = way
    ports = draw(st.sets(st.sampled_from(NAMES)))
    places = [place(name, port="lake" if name in ports else "none") for name in NAMES]
    return Atlas.of(places, ways.values())


TERMS = st.tuples(
    st.sampled_from([FOOT, GUNS, MarchClass(Mobility.WAGONS, wheels=True, heavy=True)]),
    st.builds(
        Conditions,
        st.sampled_from(["fair", "rain", "storm", "fog"]),
        st.booleans(),
        st.integers(0, 3),
    ),
)


def slowly(chart: Atlas, start: str, goal: str, march: MarchClass, conditions: Conditions) -> int | None:
    """Minutes by the best of all ways without a circle, each tried in turn."""

    def walk(here: str, passed: frozenset[str]) -> list[int]:
        if here == goal:
            return [0]
        found = []
        for way in chart.routes.values():
            there = way.other(here)
            if here not in (way.a, way.b) or there in passed:
                continue
            if way.kind in ("river", "lake") and chart.places[here].port == "none":
                continue
            try:
                minutes = minutes_for(way, here, way.yards, march, SETTINGS, conditions)
            except RuleViolation:
                continue
            found += [minutes + rest for rest in walk(there, passed | {there})]
        return found

    return min(walk(start, frozenset({start})), default=None)


@settings(max_examples=150, deadline=None)
@given(maps(), TERMS)
def test_no_way_beats_the_path_found(chart: Atlas, terms: tuple[MarchClass, Conditions]) -> None:
    best = slowly(chart, "a", "f", *terms)
    try:
        plan = path_find(chart, at("a"), ["f"], terms[0], SETTINGS, terms[1])
    except RuleViolation:
        assert best is None
        return
    assert plan.minutes == best
    assert [plan.legs[0].origin, *plan.places][-1] == "f"
    assert all(before.destination == after.origin for before, after in pairwise(plan.legs))


@settings(max_examples=100, deadline=None)
@given(maps(), TERMS, st.sampled_from([100, 150, 200]))
def test_reach_and_path_agree(chart: Atlas, terms: tuple[MarchClass, Conditions], percent: int) -> None:
    reach = find_reach(chart, at("a"), percent, terms[0], SETTINGS, terms[1])
    for name in NAMES:
        best = slowly(chart, "a", name, *terms)
        within = best is not None and best <= 6 * percent
        assert reach.places.get(name) == (best if within else None)


@settings(max_examples=100, deadline=None)
@given(maps(), TERMS)
def test_a_wider_pace_reaches_no_less(chart: Atlas, terms: tuple[MarchClass, Conditions]) -> None:
    normal, forced = (
        find_reach(chart, at("a"), percent, terms[0], SETTINGS, terms[1]) for percent in (100, 200)
    )
    assert normal.places.items() <= forced.places.items()
    furthest = {(piece.route, piece.origin): piece.end for piece in forced.stretches}
    assert all(furthest[piece.route, piece.origin] >= piece.end for piece in normal.stretches)
