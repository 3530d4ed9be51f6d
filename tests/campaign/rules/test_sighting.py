"""The first fog rule (HR-FOG-01, HR-FOG-02), and who is told what."""

import itertools
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.sighting import estimate, side_view
from campaign.rules.world import Order, Position, World
from tests.factories.little_wars import completed, day_dice, little_world, orders, place, told, way

ROAD = "castleton--dorset--road"


def row(gates_at: str | Position) -> World:
    names = ("albany", "bennington", "castleton", "dorset", "easton")
    return little_world(
        tuple(place(name) for name in names),
        tuple(way(a, b, 10) for a, b in itertools.pairwise(names)),
        {"burgoyne": ("crown", "bennington", 2), "gates": ("rebel", gates_at, 3)},
        holders={"bennington": "crown", "dorset": "rebel", "easton": "rebel"},
    )


@pytest.mark.parametrize(
    ("gates_at", "seen"),
    [
        ("castleton", True),
        ("dorset", False),
        (Position("", "bennington--castleton--road", "castleton", "bennington", 9000), True),
        (Position("", ROAD, "castleton", "dorset", 100), False),
    ],
)
def test_hr_fog_01_a_side_sees_one_place_and_route_around_it(gates_at: str | Position, seen: bool) -> None:
    view = side_view(row(gates_at), "crown")
    assert view.visible == {"albany", "bennington", "castleton"}
    assert [each.id for each in view.own] == ["burgoyne"]
    assert [(each.name, each.sp) for each in view.enemies] == ([("Gates", 15)] if seen else [])


@pytest.mark.parametrize(
    ("gates_at", "seen"),
    [
        ("castleton", True),
        ("dorset", False),
        (Position("", "bennington--castleton--road", "castleton", "bennington", 9000), True),
        (Position("", "albany--bennington--road", "albany", "bennington", 9000), False),
        (Position("", ROAD, "castleton", "dorset", 100), False),
    ],
)
def test_hr_fog_01_from_a_route_a_column_sees_that_route_and_its_two_ends(
    gates_at: str | Position, seen: bool
) -> None:
    """Part-way along a road a column sees no farther than from a place."""
    world = row(gates_at)
    road = Position("", "bennington--castleton--road", "bennington", "castleton", 8000)
    burgoyne = replace(world.formations["burgoyne"], position=road)
    world = replace(world, formations={**world.formations, "burgoyne": burgoyne}, holders={})
    view = side_view(world, "crown")
    assert view.visible == {"bennington", "castleton"}
    assert view.routes == {"bennington--castleton--road"}
    assert [each.name for each in view.enemies] == (["Gates"] if seen else [])


@pytest.mark.parametrize(("bound", "sides"), [("dorset", ("rebel",)), ("castleton", ("crown", "rebel"))])
def test_hr_con_13_who_marches_on_a_route_is_told_of_places_in_sight_only(
    bound: str, sides: tuple[str, ...]
) -> None:
    """Burgoyne stands between Bennington and Castleton while Gates takes a place one or two routes away."""
    world = row("easton" if bound == "dorset" else "dorset")
    road = Position("", "bennington--castleton--road", "bennington", "castleton", 8000)
    burgoyne = replace(world.formations["burgoyne"], position=road)
    world = replace(world, formations={**world.formations, "burgoyne": burgoyne}, holders={"easton": "rebel"})
    done = completed(world, orders(Order("gates", (bound,))), day_dice(world))
    (taken,) = [event for event in told(done.events, "place_taken") if event.place == bound]
    assert taken.sides == sides


UNSEEN = ("dorset", "easton")


@given(
    st.sampled_from([*UNSEEN, Position("", ROAD, "castleton", "dorset", 100)]),
    st.integers(1, 9),
    st.dictionaries(st.sampled_from(UNSEEN), st.sampled_from(("rebel", ""))),
)
def test_hr_fog_01_what_happens_out_of_sight_changes_nothing_in_the_view(
    gates_at: str | Position, day: int, taken: Mapping[str, str]
) -> None:
    quiet = row("easton")
    position = gates_at if isinstance(gates_at, Position) else Position(place=gates_at)
    formations = {**quiet.formations, "gates": replace(quiet.formations["gates"], position=position)}
    busy = replace(quiet, day=day, formations=formations, holders={**quiet.holders, **taken})
    assert side_view(busy, "crown") == side_view(quiet, "crown")


@pytest.mark.parametrize(
    ("first", "now", "believed"),
    [
        ({}, {"easton": "rebel"}, ""),
        ({"easton": "rebel"}, {}, "rebel"),
        ({"easton": "crown"}, {"easton": "rebel"}, "rebel"),
        ({}, {"castleton": "rebel"}, ""),
    ],
)
def test_hr_fog_01_a_place_out_of_sight_counts_as_on_the_first_morning_unless_lost(
    first: Mapping[str, str], now: Mapping[str, str], believed: str
) -> None:
    world = row("dorset")
    theatre = replace(world.theatre, holders={"bennington": "crown", **first})
    view = side_view(replace(world, theatre=theatre, holders={"bennington": "crown", **now}), "crown")
    assert view.holders.get("easton", "") == believed
    assert view.holders.get("castleton", "") == now.get("castleton", "")


@pytest.mark.parametrize(("sp", "told_as"), [(0, 5), (7, 5), (8, 10), (12, 10), (13, 15), (31, 30)])
def test_hr_fog_02_strength_is_rounded_to_five(sp: int, told_as: int) -> None:
    assert estimate(sp) == told_as


def test_marches_are_told_to_their_own_side_and_a_lost_post_to_who_sees_it() -> None:
    world = row("easton")
    done = completed(world, orders(Order("burgoyne", ("albany",))), day_dice(world))
    marches = told(done.events, "arrives")
    assert [(each.formation, each.sides) for each in marches] == [("burgoyne", ("crown",))]
    (taken,) = told(done.events, "place_taken")
    assert (taken.place, taken.sides) == ("albany", ("crown",))
    (weather,) = told(done.events, "weather")
    assert weather.sides == ("crown", "rebel")


def test_hr_con_13_a_side_is_told_of_each_place_it_loses() -> None:
    world = row("castleton")
    lost = replace(world, holders={**world.holders, "easton": "crown"})
    done = completed(lost, orders(Order("gates", ("easton",), pace="double")), day_dice(lost))
    (taken,) = [each for each in told(done.events, "place_taken") if each.place == "easton"]
    assert set(taken.sides) == {"crown", "rebel"}
