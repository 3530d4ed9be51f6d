"""Evening work: field works, crossings, boats (HR-WRK, HR-BRG, HR-BOA)."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.army.organisation import Detach, Join, organise_formations
from campaign.rules.errors import RuleViolation
from campaign.rules.map.bridges import atlas_now, build_known_atlas
from campaign.rules.orders.labour import men_of
from campaign.rules.orders.orders import list_formation_units, plan_march, verify_order
from campaign.rules.world.markers import Boats, Bridge, Works
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, Stage, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from rosters.domain.vocabulary import TroopType
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import (
    completed,
    day_dice,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)

BRIDGE = "albany--bennington--road"
FERRY = "bennington--castleton--road"
LAKE = "albany--castleton--lake"


def country(counted: bool = False, **forces: Any) -> World:
    """Albany, a bridge, Bennington, a ferry, Castleton, and the lake between the first and the last."""
    return little_world(
        (place("albany", port="lake"), place("bennington"), place("castleton", port="lake")),
        (
            way("albany", "bennington", 6, crossing="bridge"),
            way("bennington", "castleton", 6, crossing="ferry"),
            way("albany", "castleton", 10, "lake"),
        ),
        {"burgoyne": ("crown", "albany", 4), "gates": ("rebel", "castleton", 2), **forces},
        holders={"albany": "crown"},
        settings=RuleSettings(boats="counted" if counted else "unlimited", lake_foul_wind_on=0),
    )


def play(world: World, *given: Order) -> World:
    return completed(world, orders(*given), day_dice(world)).world


def test_hr_wrk_01_a_thousand_men_dig_four_sp_a_day_and_six_at_most() -> None:
    world = country()
    assert men_of(world.units.values()) == 6 * 250
    first = play(world, Order("burgoyne", activity="entrench"))
    assert first.works == {"albany": Works("crown", 4)}
    second = play(first)
    assert second.works == {"albany": Works("crown", 6)}
    assert second.formations["burgoyne"].order is None
    assert world_hash(world_from_json(world_to_json(second), second.theatre)) == world_hash(second)
    with pytest.raises(RuleViolation, match="no more can be dug"):
        verify_order(second, Order("burgoyne", activity="entrench"), "crown")


def test_hr_wrk_01_full_works_of_the_enemys_are_turned_round() -> None:
    world = replace(country(), works={"albany": Works("rebel", 6)})
    dig = Order("burgoyne", activity="entrench")
    verify_order(world, dig, "crown")
    after = play(world, dig)
    assert after.works == {"albany": Works("crown", 6)}
    assert after.formations["burgoyne"].order is None


def test_hr_wrk_01_labour_is_carried_over_and_two_formations_add_theirs() -> None:
    world = country(fraser=("crown", "albany", 1))
    half = {key: replace(world.units[key], points=60) for key in ("fraser_1", "burgoyne_1")}
    gone = {key: replace(world.units[key], points=0) for key in ("burgoyne_2", "burgoyne_3", "burgoyne_4")}
    world = replace(world, units={**world.units, **half, **gone})
    dig = (Order("burgoyne", activity="entrench"), Order("fraser", activity="entrench"))
    after = play(world, *dig)
    assert after.works == {"albany": Works("crown", 1, 50)}


def test_hr_wrk_02_works_come_down_with_half_the_labour() -> None:
    world = replace(country(), works={"albany": Works("rebel", 6, 100)})
    one = replace(world.units["burgoyne_1"], points=100)
    world = replace(world, units={key: unit for key, unit in world.units.items() if "burgoyne" not in key})
    world = replace(world, units={**world.units, one.id: one})
    first = play(world, Order("burgoyne", activity="dismantle"))
    assert first.works == {"albany": Works("rebel", 4, 100)}
    assert play(play(play(first))).works == {}
    with pytest.raises(RuleViolation, match="no field works"):
        verify_order(country(), Order("burgoyne", activity="dismantle"), "crown")


def test_hr_wrk_03_drivers_do_not_dig_and_nobody_does_on_the_road_or_before_the_enemy() -> None:
    world = country()
    wagons = {
        key: replace(unit, troop_type=TroopType.WAGON, points=0)
        for key, unit in world.units.items()
        if unit.formation == "burgoyne"
    }
    assert not is_allowed(
        verify_order, replace(world, units={**world.units, **wagons}), Order("burgoyne", activity="entrench")
    )
    marching = replace(world.formations["burgoyne"], position=Position("", BRIDGE, "albany", "bennington", 5))
    on_road = replace(world, formations={**world.formations, "burgoyne": marching})
    with pytest.raises(RuleViolation, match="on the march"):
        verify_order(on_road, Order("burgoyne", activity="entrench"))
    faced = country(stark=("rebel", "albany", 2))
    dig = orders(Order("burgoyne", activity="entrench"))
    draw = held_by(pending(faced, dig, day_dice(faced)), "")
    assert completed(faced, dig, day_dice(faced), draw).world.works == {}


def test_hr_ord_02_work_may_be_followed_by_a_march() -> None:
    order = Order("burgoyne", activity="entrench", stages=(Stage(("bennington",), wait=1),))
    world = play(country(), order)
    assert world.works["albany"].sp == 4
    assert play(world).formations["burgoyne"].position == Position(place="bennington")


def test_hr_ord_02_a_march_after_work_without_a_day_named_begins_when_the_work_is_done() -> None:
    order = Order("burgoyne", activity="entrench", stages=(Stage(("bennington",)),))
    first = play(country(), order)
    assert first.works["albany"].sp == 4
    second = play(first)
    assert second.works["albany"].sp == 6
    assert second.formations["burgoyne"].position == Position(place="albany")
    assert play(second).formations["burgoyne"].position == Position(place="bennington")


def test_hr_ord_06_a_rest_before_an_itinerary_is_a_days_rest_and_skips_no_stop() -> None:
    world = country()
    tired = replace(world.formations["burgoyne"], marched=3)
    world = replace(world, formations={**world.formations, "burgoyne": tired})
    for via in ((), ("bennington",)):
        rested = play(
            world, Order("burgoyne", via, activity="rest", stages=(Stage(("bennington", "albany")),))
        )
        assert rested.formations["burgoyne"].position == Position(place="albany")
        assert rested.formations["burgoyne"].marched == 0
    assert play(rested).formations["burgoyne"].position == Position(place="bennington")


# --- crossings ---


def test_hr_brg_01_a_broken_bridge_is_a_ford_and_bars_wheels() -> None:
    world = country()
    broken = play(world, Order("burgoyne", activity="break_bridge", target=BRIDGE))
    assert broken.bridges == {BRIDGE: Bridge(0, known_by="crown")}
    assert broken.formations["burgoyne"].order is None
    assert is_allowed(verify_order, broken, Order("burgoyne", ("bennington",)), "crown")


def with_gun(world: World) -> World:
    gun = replace(world.units["burgoyne_1"], troop_type=TroopType.EUROPEAN_ARTILLERY)
    return replace(world, units={**world.units, gun.id: gun})


def test_hr_brg_01_wheels_go_round_a_broken_bridge_or_not_at_all() -> None:
    world = replace(country(counted=True), bridges={BRIDGE: Bridge(0)})
    order = Order("burgoyne", ("bennington",))
    assert is_allowed(verify_order, world, order, "crown")
    with pytest.raises(RuleViolation):
        verify_order(with_gun(world), order, "crown")
    assert is_allowed(verify_order, with_gun(replace(world, bridges={})), order, "crown")


def test_hr_brg_01_after_wet_days_a_broken_bridge_holds_the_march_up() -> None:
    world = replace(country(counted=True), bridges={BRIDGE: Bridge(0)}, wet_days=2)
    done = completed(world, orders(Order("burgoyne", ("bennington",))), day_dice(world))
    assert done.world.formations["burgoyne"].position == Position(place="albany")
    assert told(done.events, "crossing_broken") or told(done.events, "march_held_up")


def test_hr_brg_01_without_its_ferry_a_route_is_closed_but_not_to_who_is_on_it() -> None:
    world = country(counted=True)
    world = replace(world, bridges={FERRY: Bridge(0)})
    with pytest.raises(RuleViolation):
        verify_order(world, Order("gates", ("bennington",)), "rebel")
    under_way = Position("", FERRY, "castleton", "bennington", 3 * 1760)
    gates = replace(world.formations["gates"], position=under_way)
    on_it = replace(world, formations={**world.formations, "gates": gates})
    assert play(on_it, Order("gates", ("bennington",))).formations["gates"].position == Position(
        place="bennington"
    )
    assert play(on_it, Order("gates", ("castleton",))).formations["gates"].position == Position(
        place="castleton"
    )


def test_hr_brg_02_a_crossing_is_mended_with_its_labour() -> None:
    world = replace(country(), bridges={BRIDGE: Bridge(0)})
    assert play(world, Order("burgoyne", activity="repair_bridge", target=BRIDGE)).bridges == {}
    few = {key: replace(unit, points=20) for key, unit in world.units.items()}
    first = play(replace(world, units=few), Order("burgoyne", activity="repair_bridge", target=BRIDGE))
    assert first.bridges == {BRIDGE: Bridge(0, 200)}
    assert play(first).bridges == {}
    assert play(first).formations["burgoyne"].order is None


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (Order("burgoyne", activity="break_bridge", target=FERRY), "HR-BRG-01"),
        (Order("burgoyne", activity="break_bridge", target=LAKE), "HR-BRG-01"),
        (Order("burgoyne", activity="break_bridge", target="nowhere"), "HR-BRG-01"),
        (Order("burgoyne", activity="repair_bridge", target=BRIDGE), "HR-BRG-02"),
        (Order("burgoyne", activity="gather_boats"), "HR-BOA-01"),
    ],
)
def test_work_that_cannot_be_done_there_is_refused(order: Order, rule: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_order(country(), order, "crown")
    assert refused.value.rule_id == rule


def test_hr_brg_03_the_enemy_learns_of_it_by_coming_there_and_not_by_a_refusal() -> None:
    world = replace(country(counted=True), bridges={FERRY: Bridge(0, known_by="crown")}, holders={})
    order = Order("gates", ("bennington",))
    assert is_allowed(verify_order, world, order, "rebel")
    assert build_known_atlas(world, "rebel") is world.theatre.atlas
    assert atlas_now(world).routes[FERRY].broken
    done = completed(world, orders(order), day_dice(world))
    (found,) = told(done.events, "crossing_broken")
    assert (found.sides, found.data["closed"]) == (("rebel",), True)
    assert done.world.bridges[FERRY].known_by == ""
    assert done.world.formations["gates"].position == Position(place="castleton")


# --- boats ---


def test_hr_boa_01_a_tenth_of_the_men_a_day_up_to_a_limit() -> None:
    world = country(counted=True)
    gather = Order("burgoyne", activity="gather_boats")
    first = play(world, gather)
    assert first.boats == {"albany": Boats("crown", 100)}
    most = replace(world, boats={"albany": Boats("crown", 950)})
    last = play(most, gather)
    assert last.boats == {"albany": Boats("crown", 1000)}
    assert last.formations["burgoyne"].order is None
    assert not is_allowed(verify_order, last, gather, "crown")


def test_hr_boa_02_nobody_boards_boats_that_are_not_there() -> None:
    world = country(counted=True)
    by_lake = Order("burgoyne", ("castleton",), by_water=True)
    for boats in ({}, {"albany": Boats("rebel", 2000)}, {"albany": Boats("crown", 999)}):
        with pytest.raises(RuleViolation) as refused:
            verify_order(replace(world, boats=boats), by_lake, "crown")
        assert (refused.value.rule_id, refused.value.field) == ("HR-BOA-02", "by_water")
    assert is_allowed(verify_order, replace(world, boats={"albany": Boats("crown", 1000)}), by_lake, "crown")
    assert not is_allowed(verify_order, world, Order("burgoyne", ("bennington",), by_water=True), "crown")


def test_hr_boa_02_who_embarks_first_leaves_the_rest_to_the_others() -> None:
    world = country(counted=True, fraser=("crown", "albany", 1))
    world = replace(world, boats={"albany": Boats("crown", 1100)})
    both = (
        Order("burgoyne", ("castleton",), by_water=True, stance="delay"),
        Order("fraser", ("castleton",), by_water=True),
    )
    assert all(is_allowed(verify_order, world, each, "crown") for each in both)
    done = completed(without(world, "gates"), orders(*both), day_dice(world))
    (refused,) = told(done.events, "order_refused")
    assert (refused.formation, refused.rule) == ("fraser", "HR-BOA-02")
    assert done.world.boats == {"albany": Boats("crown", 100), "castleton": Boats("crown", 1000)}


def test_hr_boa_02_nobody_embarks_from_the_road_and_who_is_afloat_shares_his_boats() -> None:
    by_lake = Order("burgoyne", ("albany",), by_water=True)
    for where, afloat in ((BRIDGE, False), (LAKE, True)):
        route = country().theatre.atlas.routes[where]
        world = country(counted=True)
        spot = Position("", where, route.b, route.a, 1760)
        there = replace(world.formations["burgoyne"], position=spot)
        boats = {"with/burgoyne": Boats("crown", 1000)} if afloat else {"albany": Boats("crown", 1000)}
        world = replace(world, formations={**world.formations, "burgoyne": there}, boats=boats)
        assert is_allowed(verify_order, world, by_lake, "crown") == afloat
    act = Detach("burgoyne", ("burgoyne_1",), "burgoyne-d1", "A boat's crew")
    parted, _ = organise_formations(world, [act])
    assert parted.boats == {"with/burgoyne": Boats("crown", 750), "with/burgoyne-d1": Boats("crown", 250)}
    joined, _ = organise_formations(parted, [Join("burgoyne-d1", "burgoyne")])
    assert joined.boats == boats


def without(world: World, formation: str) -> World:
    units = {key: unit for key, unit in world.units.items() if unit.formation != formation}
    kept = {key: each for key, each in world.formations.items() if key != formation}
    hold = {
        key: unit for key, unit in country(stark=("rebel", "bennington", 1)).units.items() if "stark" in key
    }
    stark = country(stark=("rebel", "bennington", 1)).formations["stark"]
    return replace(world, units={**units, **hold}, formations={**kept, "stark": stark})


def test_hr_boa_03_boats_travel_with_their_force_and_fall_to_who_holds_the_place() -> None:
    world = replace(country(counted=True), boats={"albany": Boats("crown", 1000)})
    long_lake = replace(world.theatre.atlas.routes[LAKE], yards=40 * 1760)
    atlas = replace(world.theatre.atlas, routes={**world.theatre.atlas.routes, LAKE: long_lake})
    world = without(replace(world, theatre=replace(world.theatre, atlas=atlas)), "gates")
    order = Order("burgoyne", ("castleton",), by_water=True)
    first = play(world, order)
    assert first.boats == {"with/burgoyne": Boats("crown", 1000)}
    assert first.formations["burgoyne"].position is not None
    landed = first
    while landed.formations["burgoyne"].position != Position(place="castleton"):
        landed = play(landed)
    assert landed.boats == {"castleton": Boats("crown", 1000)}
    lost = replace(without(landed, "burgoyne"), holders={"castleton": "rebel"})
    assert play(lost).boats == {"castleton": Boats("rebel", 1000)}


def test_hr_boa_02_where_boats_are_counted_a_march_keeps_to_the_land() -> None:
    """To Castleton it is 10 miles by lake; by land one must pass Bennington."""
    order = Order("burgoyne", ("castleton",), stance="avoid")
    for settings, plan in ((RuleSettings(), [LAKE]), (RuleSettings(boats="counted"), [BRIDGE, FERRY])):
        world = replace(country(), settings=settings)
        legs = plan_march(
            world, world.formations["burgoyne"], order, list_formation_units(world, "burgoyne")
        ).legs
        assert [leg.route for leg in legs] == plan


def test_hr_boa_02_where_boats_are_at_every_port_an_order_by_water_needs_a_port_and_a_lake() -> None:
    world = without(country(), "gates")
    crossed = play(world, Order("burgoyne", ("castleton",), by_water=True))
    assert crossed.formations["burgoyne"].position == Position(place="castleton")
    assert crossed.boats == {}
    there = replace(world.formations["burgoyne"], position=Position(place="bennington"))
    inland = replace(world, formations={**world.formations, "burgoyne": there})
    with pytest.raises(RuleViolation) as refused:
        verify_order(inland, Order("burgoyne", ("castleton",), by_water=True), "crown")
    assert refused.value.rule_id == "HR-BOA-02"
