"""Felled roads and bridges of rafts (HR-OBS-01, HR-BRG-04)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.errors import RuleViolation
from campaign.rules.map.bridges import atlas_now, build_known_atlas
from campaign.rules.orders.orders import list_formation_units, plan_march, verify_order
from campaign.rules.world.markers import Bridge, Felled, Raft
from campaign.rules.world.outcome import Completed
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from rosters.domain.vocabulary import Nation, TroopType
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import (
    MILE,
    completed,
    day_dice,
    little_world,
    orders,
    place,
    told,
    way,
)

ROAD = "albany--bennington--road"
FORD = "bennington--castleton--road"
LAKE = "albany--castleton--lake"
#: The die for rafts on day 1: the water takes them, or does not.
TAKES, LEAVES = {f"test/1/1/HR-BRG-04/{FORD}/0": 1}, {f"test/1/1/HR-BRG-04/{FORD}/0": 2}


def country(weather: str = "fair", rafts: int = 1, **forces: Any) -> World:
    """A road of 12 miles to Bennington, a ford, Castleton, and a lake back; Crown south, rebels north."""
    return little_world(
        (place("albany", port="lake"), place("bennington"), place("castleton", port="lake")),
        (
            way("albany", "bennington", 12),
            way("bennington", "castleton", 6, crossing="ford"),
            way("albany", "castleton", 30, "lake"),
        ),
        forces or {"burgoyne": ("crown", "albany", 4), "schuyler": ("rebel", "castleton", 4)},
        settings=RuleSettings(boats="counted", raft_breaks_on=rafts),
        weather=weather,
    )


def day(world: World, *given: Order, **dice: int) -> Completed:
    return completed(world, orders(*given), day_dice(world, **dice))


def felled(world: World, low: int, high: int, known_by: str = "") -> World:
    return replace(world, felled={ROAD: Felled(low * MILE, high * MILE, known_by)})


def miles(world: World, formation: str) -> float:
    position = world.formations[formation].position
    assert position is not None
    assert position.origin == "albany"
    return position.yards / MILE


# --- felled roads ---


def test_hr_obs_01_a_thousand_men_fell_two_miles_a_day_from_where_they_stand() -> None:
    world = country(schuyler=("rebel", "bennington", 4))
    done = day(world, Order("schuyler", activity="obstruct", target=ROAD))
    assert done.world.felled == {ROAD: Felled(10 * MILE, 12 * MILE, "rebel")}
    (event,) = told(done.events, "road_felled")
    assert event.sides == ("rebel",)
    assert event.data == {"men": 1000, "yards": 2 * MILE}
    again = day(done.world)
    assert again.world.felled == {ROAD: Felled(8 * MILE, 12 * MILE, "rebel")}
    assert world_hash(world_from_json(world_to_json(again.world), world.theatre)) == world_hash(again.world)
    quick = replace(world, settings=RuleSettings(boats="counted", felling_men_days=100))
    assert day(quick, Order("schuyler", activity="obstruct", target=ROAD)).world.felled[ROAD].low == 2 * MILE


def test_hr_obs_01_it_ends_before_who_is_on_the_road_and_at_its_end() -> None:
    world = country(schuyler=("rebel", "bennington", 4), brooks=("rebel", "bennington", 1))
    on_road = replace(
        world.formations["brooks"], position=Position("", ROAD, "albany", "bennington", 11 * MILE)
    )
    world = replace(world, formations={**world.formations, "brooks": on_road})
    fell = Order("schuyler", activity="obstruct", target=ROAD)
    done = day(world, fell, Order("brooks"))
    assert done.world.felled[ROAD] == Felled(11 * MILE, 12 * MILE, "rebel")
    assert day(done.world).world.formations["schuyler"].order is None
    nearly = felled(country(schuyler=("rebel", "bennington", 4)), 1, 12, "rebel")
    whole = day(nearly, fell).world
    assert whole.felled == {ROAD: Felled(0, 12 * MILE, "rebel")}
    with pytest.raises(RuleViolation, match="from end to end"):
        verify_order(whole, fell, "rebel")


def test_hr_obs_01_who_marches_through_clears_a_mile_and_a_quarter_a_day() -> None:
    world = felled(country(), 6, 9)
    go = Order("burgoyne", ("bennington",))
    reached = []
    while ROAD in world.felled:
        done = day(world, go)
        world = done.world
        reached.append(miles(world, "burgoyne"))
    # six miles are half a day, 5/8 of a mile the other half; then 1 1/4 a day; then half a day on
    assert reached[:3] == pytest.approx([6.625, 7.875, 9 + 1.2], abs=0.05)
    (event,) = told(done.events, "road_cleared")
    assert event.sides == ("crown",)
    assert day(world).world.formations["burgoyne"].position == Position(place="bennington")


def test_hr_obs_01_what_is_cleared_is_open_for_who_comes_behind_or_turns_back() -> None:
    world = felled(country(burgoyne=("crown", "albany", 4), baum=("crown", "albany", 1)), 2, 12)
    first = day(world, Order("burgoyne", ("bennington",), "double")).world
    low = first.felled[ROAD].low
    assert low == round(miles(first, "burgoyne") * MILE)
    second = day(first, Order("burgoyne"), Order("baum", ("bennington",))).world
    assert second.felled[ROAD].low > low
    assert miles(second, "baum") > miles(first, "burgoyne")
    back = day(second, Order("burgoyne", ("albany",)), Order("baum")).world
    assert back.formations["burgoyne"].position == Position(place="albany")
    assert back.felled == second.felled


def test_hr_obs_01_light_troops_slip_through_and_clear_nothing() -> None:
    world = felled(country(), 6, 9)
    light = {
        key: replace(unit, troop_type=TroopType.INDIANS, nation=Nation.NATIVE)
        if unit.formation == "burgoyne"
        else unit
        for key, unit in world.units.items()
    }
    world = replace(world, units=light)
    done = day(world, Order("burgoyne", ("bennington",)))
    assert done.world.formations["burgoyne"].position == Position(place="bennington")
    assert done.world.felled == world.felled


def test_hr_obs_01_plans_reckon_with_it_once_it_is_known() -> None:
    order = Order("burgoyne", ("bennington",))
    hidden = felled(country(schuyler=("rebel", "bennington", 4), burgoyne=("crown", "albany", 4)), 2, 12)
    hidden = replace(hidden, felled={ROAD: replace(hidden.felled[ROAD], known_by="rebel")})
    units = list_formation_units(hidden, "burgoyne")

    def minutes(world: World) -> int:
        return plan_march(world, world.formations["burgoyne"], order, units).minutes

    assert minutes(hidden) == 600
    assert build_known_atlas(hidden, "crown") is hidden.theatre.atlas
    assert atlas_now(hidden).routes[ROAD].felled == 10 * MILE
    known = replace(hidden, felled={ROAD: replace(hidden.felled[ROAD], known_by="")})
    assert minutes(known) == pytest.approx(100 + 8 * 600, abs=5)
    faster = replace(known, settings=RuleSettings(boats="counted", clearing_yards=2 * 2200))
    assert minutes(faster) == pytest.approx(100 + 4 * 600, abs=5)


def test_hr_obs_01_who_comes_on_it_unawares_clears_on_and_knows() -> None:
    world = felled(country(), 2, 12, "rebel")
    done = day(world, Order("burgoyne", ("bennington",)))
    (event,) = told(done.events, "road_found_felled")
    assert event.sides == ("crown",)
    assert miles(done.world, "burgoyne") == pytest.approx(2 + 1.25 * 5 / 6, abs=0.01)
    assert done.world.felled[ROAD].known_by == ""


@settings(max_examples=25, deadline=None)
@given(low=st.integers(0, 11 * MILE), length=st.integers(1, 6 * MILE))
def test_hr_obs_01_the_march_takes_the_minutes_its_plan_says(low: int, length: int) -> None:
    """However the road is felled and the days fall; and it is open afterwards."""
    world = replace(country(), felled={ROAD: Felled(low, min(12 * MILE, low + length))})
    order = Order("burgoyne", ("bennington",))
    plan = plan_march(world, world.formations["burgoyne"], order, list_formation_units(world, "burgoyne"))
    marched, days = 0, 0
    while world.formations["burgoyne"].position != Position(place="bennington"):
        done = day(world, order)
        world, days = done.world, days + 1
        marched += sum(event.data["marched"] for event in done.events if event.kind in ("halts", "arrives"))
    assert days == -(-marched // 600)
    assert abs(marched - plan.minutes) <= 2 * days + 3  # minutes and yards are made whole every day
    assert world.felled == {}


@pytest.mark.parametrize("target", [LAKE, FORD, "nowhere"])
def test_hr_obs_01_what_is_no_road_there_cannot_be_felled(target: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_order(country(), Order("burgoyne", activity="obstruct", target=target), "crown")
    assert (refused.value.rule_id, refused.value.field) == ("HR-OBS-01", "target")


# --- bridges of rafts ---

LAY = Order("schuyler", activity="lay_bridge", target=FORD)


def test_hr_brg_04_a_bridge_of_rafts_over_a_ford_does_not_close_in_wet_days() -> None:
    laid = day(country(), LAY)
    assert laid.world.rafts == {FORD: Raft(0, known_by="rebel")}
    assert told(laid.events, "raft_laid")[0].sides == ("rebel",)
    wet = replace(laid.world, wet_days=3)
    assert atlas_now(wet).routes[FORD].crossing == "bridge"
    assert build_known_atlas(wet, "crown").routes[FORD].crossing == "ford"
    crossed = day(wet, Order("schuyler", ("bennington",))).world
    assert crossed.formations["schuyler"].position == Position(place="bennington")
    held_up = day(replace(wet, rafts={}), Order("schuyler", ("bennington",))).world
    assert held_up.formations["schuyler"].position == Position(place="castleton")
    with pytest.raises(RuleViolation, match="already"):
        verify_order(laid.world, LAY, "rebel")


def test_hr_brg_04_few_men_are_days_at_it() -> None:
    world = country(schuyler=("rebel", "castleton", 1))
    few = {key: replace(unit, points=60) for key, unit in world.units.items()}
    first = day(replace(world, units=few), LAY)
    assert first.world.rafts == {FORD: Raft(0, 100, "rebel")}
    assert told(first.events, "raft_begun")
    assert day(first.world).world.rafts == {FORD: Raft(0, 0, "rebel")}


def test_hr_brg_04_the_water_takes_it_on_a_one() -> None:
    world = replace(country("rain"), rafts={FORD: Raft(0)}, day=1)
    stands = day(world, **LEAVES)
    assert stands.world.bridges == {}
    assert told(stands.events, "raft_holds")[0].sides == ("rebel",)
    gone = day(world, **TAKES)
    assert gone.world.bridges == {FORD: Bridge(1, known_by="rebel")}
    (event,) = told(gone.events, "raft_breaks")
    assert (event.sides, event.rolls[0].value) == (("rebel",), 1)
    assert atlas_now(gone.world).routes[FORD].crossing == "ford"
    mended = day(
        replace(gone.world, wet_days=0), Order("schuyler", activity="repair_bridge", target=FORD)
    ).world
    assert mended.bridges == {}
    assert mended.rafts[FORD].day == 2


@pytest.mark.parametrize(
    ("weather", "breaks_on", "since"),
    [("fair", 1, 0), ("fog", 1, 0), ("rain", 0, 0), ("storm", 1, 1)],
)
def test_hr_brg_04_not_in_the_dry_nor_on_its_first_day_nor_switched_off(
    weather: str, breaks_on: int, since: int
) -> None:
    world = country(weather, breaks_on)
    world = replace(world, rafts={FORD: Raft(since)}, day=1)
    done = day(world, **TAKES)
    assert done.world.bridges == {}
    assert not told(done.events, "raft_holds")


def test_hr_brg_04_who_does_not_know_it_is_gone_comes_to_it_and_halts() -> None:
    world = country("rain", stark=("rebel", "albany", 2))
    world = replace(world, rafts={FORD: Raft(0)}, day=1)
    gone = day(world, **TAKES)
    assert gone.world.bridges == {FORD: Bridge(1, known_by="-")}
    assert told(gone.events, "raft_breaks")[0].sides == ()
    after = replace(gone.world, wet_days=3)
    assert build_known_atlas(after, "rebel").routes[FORD].crossing == "bridge"
    stark = replace(after.formations["stark"], position=Position(place="castleton"))
    after = replace(after, formations={"stark": stark})
    done = day(after, Order("stark", ("bennington",)))
    assert done.world.formations["stark"].position == Position(place="castleton")
    assert told(done.events, "crossing_broken")[0].data == {"closed": True}
    assert done.world.bridges[FORD].known_by == "rebel"


def test_hr_brg_04_a_bridge_mended_in_the_field_is_one_of_rafts() -> None:
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 6, crossing="bridge"),),
        {"burgoyne": ("crown", "albany", 4)},
    )
    world = replace(world, bridges={ROAD: Bridge(0)})
    mended = day(world, Order("burgoyne", activity="repair_bridge", target=ROAD)).world
    assert (mended.bridges, mended.rafts) == ({}, {ROAD: Raft(0, known_by="crown")})


def test_hr_brg_04_troops_break_it_like_any_bridge() -> None:
    world = replace(country(), rafts={FORD: Raft(0)})
    broken = day(world, Order("schuyler", activity="break_bridge", target=FORD)).world
    assert broken.bridges == {FORD: Bridge(0, known_by="rebel")}
    assert is_allowed(verify_order, broken, Order("schuyler", activity="repair_bridge", target=FORD), "rebel")
    assert not is_allowed(
        verify_order, country(), Order("schuyler", activity="break_bridge", target=FORD), "rebel"
    )


@pytest.mark.parametrize("target", [LAKE, ROAD, "nowhere"])
def test_hr_brg_04_there_must_be_a_ford(target: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_order(country(), Order("burgoyne", activity="lay_bridge", target=target), "crown")
    assert refused.value.rule_id == "HR-BRG-04"


def test_hr_brg_03_a_post_at_the_far_end_learns_of_it_the_same_evening() -> None:
    order = Order("burgoyne", activity="obstruct", target=ROAD)
    world = country()
    assert day(world, order).world.felled[ROAD].known_by == "crown"
    held = replace(world, holders={**world.holders, "bennington": "rebel"})
    assert day(held, order).world.felled[ROAD].known_by == ""
