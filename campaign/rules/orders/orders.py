"""Checks of orders: one for the form, the programs and the turn itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.bridges import build_known_atlas
from campaign.rules.map.paths import MarchPlan, path_find
from campaign.rules.march.boats import verify_embark
from campaign.rules.march.interception import plan_pursuit
from campaign.rules.march.marching import formation_mobility, verify_light_order
from campaign.rules.orders.labour import lift_of
from campaign.rules.orders.siege_orders import verify_water
from campaign.rules.orders.tasks import HALTED, SEEKING, verify_activity, verify_manner, verify_stages
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Order, Unit, UnitStatus, World


def verify_order(world: World, order: Order, side: str | None = None) -> None:
    """Refuses an order the rules do not allow; `side` is who gives it, None for nobody in particular.

    Raises RuleViolation whose `field` is the order's field at fault.
    Checked for fair weather: a ford closed or a wind foul today is no reason to refuse (HR-MAR-08).
    """
    checked_march(world, order, side, {order.formation: list_formation_units(world, order.formation)})


def checked_march(
    world: World,
    order: Order,
    side: str | None,
    present: Mapping[str, Sequence[Unit]],
    conditions: Conditions = FAIR,
) -> MarchPlan:
    """The march of a valid order, without legs for a halt; the check of form and turn alike.

    `present` holds units on the map by formation. Raises RuleViolation as `verify_order`.
    """
    formation = _get_formation(world, order, side, present)
    units = present[formation.id]
    verify_manner(order)
    verify_activity(world, formation, order, units)
    if order.stages:
        assert formation.position is not None
        verify_stages(world, order, formation.position, units)
    if not order.via and not order.stages and order.activity not in SEEKING:
        return MarchPlan()
    if formation.garrison or all(unit.static for unit in units):
        raise RuleViolation(
            "HR-FOR-03",
            f"{formation.name} is a garrison and holds its place; order another formation.",
            "formation",
        )
    if order.light_order:
        verify_light_order(formation_mobility(units), formation.light_days, world.settings)
    plan = plan_march(world, formation, order, units, conditions)
    verify_water(world, formation, plan)
    if order.by_water and order.activity != "rest":
        verify_embark(
            world.theatre.atlas,
            world.boats,
            formation,
            lift_of(units),
            plan.legs,
            counted=world.settings.boats == "counted",
        )
    return MarchPlan() if order.activity in HALTED else plan


def verify_goes(world: World, order: Order) -> None:
    """Refuses a march to where a formation stands already: it would be listed as one and halt.

    Asked of who writes an order; one under way may come to its goal.
    """
    formation = world.formations.get(order.formation)
    if formation is None or formation.position is None or order.activity != "march" or order.stages:
        return
    here = formation.position.place
    if here and set(order.via) == {here}:
        name = world.theatre.atlas.places[here].name
        raise RuleViolation(
            "HR-MAR-08",
            f"{formation.name} stands at {name} already; choose another place, or no place for a halt.",
            "via",
        )


def plan_march(
    world: World,
    formation: Formation,
    order: Order,
    units: Sequence[Unit],
    conditions: Conditions = FAIR,
) -> MarchPlan:
    """The march an order asks for, from where the formation stands, on the map as its side knows it.

    Raises RuleViolation (`via`; `target` for an enemy there is no report of).
    """
    if formation.position is None:
        raise RuleViolation("HR-FOR-01", f"{formation.name} is not on the map.", "formation")
    atlas, march = build_known_atlas(world, formation.side), formation_mobility(units)
    if order.activity in SEEKING:
        return plan_pursuit(world, atlas, order, formation.position, formation.side, march, conditions)
    return path_find(
        atlas,
        formation.position,
        order.via,
        march,
        world.settings,
        conditions,
        light_order=order.light_order,
        by_water=order.by_water,
    )


def order_of_the_day(world: World, formation: Formation, order: Order | None) -> Order | None:
    """A formation's order at the start of the day; spent light order ends (HR-MAR-03)."""
    if order is not None and order.light_order and is_light_order_spent(formation, world.settings):
        return replace(order, light_order=False)
    return order


def is_light_order_spent(formation: Formation, settings: RuleSettings) -> bool:
    """True if a formation has been in light order for as many days as it may."""
    return formation.light_days >= settings.light_order_days


def list_formation_units(world: World, formation: str) -> list[Unit]:
    """Units a formation has on the map, in order of id."""
    return [
        world.units[key]
        for key in sorted(world.units)
        if world.units[key].formation == formation and world.units[key].status is UnitStatus.PRESENT
    ]


def _get_formation(
    world: World, order: Order, side: str | None, present: Mapping[str, Sequence[Unit]]
) -> Formation:
    formation = world.formations.get(order.formation)
    if formation is None or (side is not None and formation.side != side):
        raise RuleViolation(
            "HR-FOR-04",
            f"There is no formation {order.formation!r} of yours; choose one of your own.",
            "formation",
        )
    if formation.position is None:
        raise RuleViolation(
            "HR-FOR-04", f"{formation.name} has nobody on the map; order it when it has arrived.", "formation"
        )
    if not present.get(formation.id):
        raise RuleViolation("HR-FOR-04", f"{formation.name} has no units left to order.", "formation")
    return formation
