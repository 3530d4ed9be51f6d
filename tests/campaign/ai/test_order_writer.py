"""A staff's orders where boats are counted (HR-BOT-08), on a road of which one stretch is a lake."""

from dataclasses import replace

from campaign.ai.commander import staff_orders
from campaign.rules.map.atlas import Atlas, route_id
from campaign.rules.orders.labour import men_of
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.markers import Boats
from campaign.rules.world.world import Order, Position, World
from tests.factories.small_war import moved, small_atlas, small_world

ROAD, LAKE = route_id("st_johns", "crown_point", "road"), route_id("st_johns", "crown_point", "lake")


def lake_world(place: str = "montreal", boats: int = 0) -> World:
    """Burgoyne's eight battalions go for Ticonderoga; between St Johns and Crown Point there is a lake."""
    world = small_world({"burgoyne": ("crown", place, 8)})
    atlas = small_atlas()
    places = [
        replace(each, port="harbour") if each.id in ("st_johns", "crown_point") else each
        for each in atlas.places.values()
    ]
    routes = [
        replace(each, id=LAKE, kind="lake") if each.id == ROAD else each for each in atlas.routes.values()
    ]
    return replace(
        world,
        theatre=replace(world.theatre, atlas=Atlas.of(places, routes)),
        settings=replace(world.settings, boats="counted", fog="off"),
        boats={"st_johns": Boats("crown", boats)} if boats else {},
    )


def order(world: World) -> Order | None:
    """What the staff orders Burgoyne to do; whatever it is, the rules allow it."""
    found = staff_orders(world, "crown")
    for each in found:
        verify_order(world, each, "crown")
    return next(iter(found), None)


def standing(world: World, order: Order) -> World:
    burgoyne = replace(world.formations["burgoyne"], order=order)
    return replace(world, formations={"burgoyne": burgoyne})


def test_hr_bot_08_marches_by_land_to_the_water_first() -> None:
    world = lake_world(boats=5000)
    assert order(world) == Order("burgoyne", ("st_johns",), stance="attack")


def test_hr_bot_08_goes_by_water_where_boats_carry_it() -> None:
    world = lake_world("st_johns", boats=men_of(lake_world().units.values()))
    afloat = Order("burgoyne", ("crown_point",), stance="attack", by_water=True)
    assert order(world) == afloat
    assert order(standing(world, afloat)) is None


def test_hr_bot_08_gathers_boats_until_they_carry_it() -> None:
    gather = Order("burgoyne", stance="attack", activity="gather_boats")
    for lying in (0, 600):
        world = lake_world("st_johns", boats=lying)
        assert order(world) == gather
        assert order(standing(world, gather)) is None


def test_hr_bot_08_waits_where_no_more_boats_are_to_be_had() -> None:
    world = lake_world("st_johns", boats=1000)
    assert men_of(world.units.values()) > 1000
    assert order(world) == Order("burgoyne", stance="attack")


def test_hr_bot_08_halted_on_the_road_goes_on_to_the_water() -> None:
    road = route_id("montreal", "st_johns", "road")
    for origin, there in (("montreal", "st_johns"), ("st_johns", "montreal")):
        position = Position(route=road, origin=origin, destination=there, yards=3000)
        world = lake_world()
        burgoyne = replace(world.formations["burgoyne"], position=position)
        world = replace(world, formations={"burgoyne": burgoyne})
        assert order(world) == Order("burgoyne", ("st_johns",), stance="attack")


def test_hr_bot_08_beyond_the_water_marches_by_land_again() -> None:
    world = moved(lake_world("st_johns"), "burgoyne", "crown_point")
    assert order(world) == Order("burgoyne", ("ticonderoga",), stance="attack")


def test_hr_bot_08_boats_enough_at_every_port_are_simply_taken() -> None:
    world = lake_world()
    world = replace(world, settings=replace(world.settings, boats="unlimited"))
    assert order(world) == Order("burgoyne", ("ticonderoga",), stance="attack")
