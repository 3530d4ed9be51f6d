"""How far eyes reach, and how well they count (HR-FOG-01, HR-FOG-02, HR-FOG-05)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.scouting.knowledge import Sighting, side_view
from campaign.rules.scouting.sighting import Keenness, SideLookout, estimate_sp, eyes_of, find_keenness
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, World
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.little_wars import (
    MILE,
    battalion,
    completed,
    day_dice,
    little_world,
    orders,
    place,
    told,
    way,
)

ROAD = "albany--bennington--road"
WOODS = "bennington--castleton--road"
NAMES = ("albany", "bennington", "castleton")


def on(route: str, miles: int) -> Position:
    a, b, _ = route.split("--")
    return Position("", route, a, b, miles * MILE)


def row(gates: str | Position, holders: Mapping[str, str] | None = None, **facts: Any) -> World:
    """Albany -20- Bennington -20, all woods- Castleton; Burgoyne stands at Bennington."""
    woods = replace(way("bennington", "castleton", 20), terrain="forest")
    return little_world(
        (place(name) for name in NAMES),
        (way("albany", "bennington", 20), woods),
        {"burgoyne": ("crown", "bennington", 2), "gates": ("rebel", gates, 3)},
        holders=holders,
        **facts,
    )


def with_burgoyne(world: World, troops: TroopType, nation: Nation = Nation.BRITISH) -> World:
    units = {
        key: replace(unit, troop_type=troops, nation=nation) if unit.formation == "burgoyne" else unit
        for key, unit in world.units.items()
    }
    return replace(world, units=units)


def seen(world: World, side: str = "crown") -> list[Sighting]:
    return list(side_view(world, side).enemies)


@pytest.mark.parametrize(
    ("troops", "open_miles", "woods_miles"),
    [
        (TroopType.BRITISH_LINE, 3, 1),
        (TroopType.BRITISH_LIGHT_INFANTRY, 6, 3),
        (TroopType.EUROPEAN_LIGHT_CAVALRY, 6, 3),
        (TroopType.INDIANS, 10, 10),
    ],
)
def test_hr_fog_01_sight_by_arm_and_woods(troops: TroopType, open_miles: int, woods_miles: int) -> None:
    for miles in range(1, 12):
        west = with_burgoyne(row(on(ROAD, 20 - miles)), troops)
        east = with_burgoyne(row(on(WOODS, miles)), troops)
        assert bool(seen(west)) == (miles <= open_miles), miles
        assert bool(seen(east)) == (miles <= woods_miles), miles


def test_hr_fog_01_a_mixed_force_has_its_keenest_eyes() -> None:
    settings = RuleSettings()
    line, light = battalion("a", "crown", "f"), battalion("b", "crown", "f", troop_type=TroopType.RANGERS)
    warriors = battalion("c", "crown", "f", troop_type=TroopType.INDIANS)
    assert find_keenness([line], settings) == Keenness(3)
    assert find_keenness([line, light], settings) == Keenness(6)
    assert find_keenness([line, warriors], settings) == Keenness(3, 10)


@pytest.mark.parametrize(("miles", "post", "country"), [(5, True, True), (8, True, False), (9, False, False)])
def test_hr_fog_01_friendly_country_tells_five_miles_more(miles: int, post: bool, country: bool) -> None:
    at = on(ROAD, 20 - miles)
    assert bool(seen(row(at, {"bennington": "crown"}))) == post
    away = row(at, {"bennington": "crown"})
    gone = replace(away.formations["burgoyne"], position=Position(place="castleton"))
    away = replace(away, formations={**away.formations, "burgoyne": gone})
    assert bool(seen(away)) == country
    assert {each.source for each in seen(away)} <= {"country"}


@pytest.mark.parametrize(("weather", "miles"), [("fair", 8), ("rain", 6), ("storm", 4), ("fog", 4)])
def test_hr_fog_01_weather(weather: str, miles: int) -> None:
    world = row("castleton", {"bennington": "crown"})
    column = [("burgoyne", Position(place="bennington"), Keenness(3))]
    eyes = eyes_of(world.theatre.atlas, world.settings, weather, "crown", column, world.holders)
    lookout = SideLookout(world.theatre.atlas, world.settings, eyes)
    assert lookout.sees(on(ROAD, 20 - miles))
    assert not lookout.sees(on(ROAD, 20 - miles - 1))


def test_hr_fog_01_columns_on_one_route_see_each_other_along_it() -> None:
    world = row(on(ROAD, 9))
    moved = replace(world.formations["burgoyne"], position=replace(on(ROAD, 20), yards=12 * MILE))
    world = replace(world, formations={**world.formations, "burgoyne": moved})
    assert len(seen(world)) == len(seen(world, "rebel")) == 1
    far = replace(moved, position=on(ROAD, 13))
    assert not seen(replace(world, formations={**world.formations, "burgoyne": far}))


def test_hr_fog_01_sight_goes_on_past_a_place() -> None:
    """Two miles from Bennington on the Albany road, light troops see two miles of woods behind it."""
    light = with_burgoyne(row(on(WOODS, 2)), TroopType.RANGERS)
    moved = replace(light.formations["burgoyne"], position=on(ROAD, 18))
    assert seen(replace(light, formations={**light.formations, "burgoyne": moved}))


@pytest.mark.parametrize(
    ("miles", "error", "arm"), [(0, 20, "foot"), (3, 35, "foot"), (5, 50, "unknown"), (6, 50, "unknown")]
)
def test_hr_fog_05_the_error_grows_with_the_distance(miles: int, error: int, arm: str) -> None:
    world = with_burgoyne(row(on(ROAD, 20 - miles)), TroopType.RANGERS)
    (one,) = seen(world)
    assert (one.error, one.arm) == (error, arm)


def test_hr_fog_05_natives_count_badly() -> None:
    (one,) = seen(with_burgoyne(row(on(WOODS, 2)), TroopType.INDIANS))
    assert one.error == 30


@pytest.mark.parametrize(("sp", "told_as"), [(0, 5), (7, 5), (8, 10), (12, 10), (13, 15), (31, 30)])
def test_hr_fog_02_strength_is_rounded_to_five(sp: int, told_as: int) -> None:
    assert estimate_sp(sp) == told_as


def test_marches_are_told_to_their_own_side_and_a_lost_post_to_who_sees_it() -> None:
    world = row("castleton")
    done = completed(world, orders(Order("burgoyne", ("albany",), pace="double")), day_dice(world))
    marches = told(done.events, "arrives")
    assert [(each.formation, each.sides) for each in marches] == [("burgoyne", ("crown",))]
    (taken,) = [event for event in told(done.events, "place_taken") if event.place == "albany"]
    assert (taken.place, taken.sides) == ("albany", ("crown",))
    (weather,) = told(done.events, "weather")
    assert weather.sides == ("crown", "rebel")


@pytest.mark.parametrize(("miles", "sides"), [(3, ("crown", "rebel")), (4, ("rebel",))])
def test_hr_con_13_a_place_taken_is_told_to_who_sees_it(miles: int, sides: tuple[str, ...]) -> None:
    world = row(on(ROAD, 5))
    moved = replace(world.formations["burgoyne"], position=on(ROAD, 5 + miles))
    world = replace(world, formations={**world.formations, "burgoyne": moved})
    world = replace(
        world,
        formations={**world.formations, "gates": replace(world.formations["gates"], position=on(ROAD, 1))},
    )
    at_albany = replace(world.formations["burgoyne"], position=on(ROAD, miles))
    world = replace(world, formations={**world.formations, "burgoyne": at_albany})
    done = completed(world, orders(Order("gates", ("albany",))), day_dice(world))
    (taken,) = [each for each in told(done.events, "place_taken") if each.place == "albany"]
    assert taken.sides == sides


def test_hr_con_13_a_side_is_told_of_each_place_it_loses() -> None:
    world = row("castleton", {"albany": "crown"})
    gates = replace(world.formations["gates"], position=on(ROAD, 1))
    burgoyne = replace(world.formations["burgoyne"], position=Position(place="castleton"))
    world = replace(world, formations={"gates": gates, "burgoyne": burgoyne})
    done = completed(world, orders(Order("gates", ("albany",))), day_dice(world))
    (taken,) = [each for each in told(done.events, "place_taken") if each.place == "albany"]
    assert set(taken.sides) == {"crown", "rebel"}
    assert side_view(done.world, "crown").holders["albany"] == "rebel"
