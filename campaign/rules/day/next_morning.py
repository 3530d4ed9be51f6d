"""What a day leaves: where everybody stands, what is left of orders, the counters on the map."""

from dataclasses import replace

from campaign.rules.army.generals import generals_apply
from campaign.rules.army.leaders import apply_general_losses, generals_evening
from campaign.rules.contact.siege import given_up
from campaign.rules.day.arrivals import empty_formations, rejoin_detachments
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.day.night import end_day
from campaign.rules.day.weather import is_adverse_weather
from campaign.rules.march.boats import boats_at_night
from campaign.rules.march.columns import Column, build_column_position, whole_positions
from campaign.rules.orders.tasks import evening_order
from campaign.rules.scouting.intelligence import Intelligence, look_out_at_nightfall
from campaign.rules.supply.supply import feed_formations
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Formation


def next_morning(field: DayState, known: Intelligence) -> Completed:
    """The next morning's world: whole yards, remaining orders, counters, and whether it is over."""
    positions: dict[str, int] = {}
    for route in sorted(field.on_route):
        positions.update(whole_positions(field.along(route), MIDNIGHT))
    formations = dict(field.world.formations)
    for key in sorted(formations):
        column = field.columns.get(key)
        formation = formations[key]
        if column is None:
            if formation.position is not None:
                formations[key] = replace(formation, position=None, order=None, marched=0, light_days=0)
            continue
        formations[key] = _build_morning_formation(column, positions.get(key, 0))
    world = replace(
        field.world,
        units=field.units,
        formations=formations,
        holders=dict(sorted(field.holders.items())),
        works=dict(sorted(field.works.items())),
        bridges=dict(sorted(field.bridges.items())),
        rafts=dict(sorted(field.rafts.items())),
        felled=dict(sorted(field.felled.items())),
        boats=boats_at_night(
            field.boats, {key: column.place for key, column in field.columns.items()}, field.holders
        ),
        sieges=dict(sorted(field.sieges.items())),
        terms=field.terms,
        warriors=dict(sorted(field.warriors.items())),
    )
    world = apply_general_losses(generals_apply(world, field.generals), field.generals)
    world, events = rejoin_detachments(empty_formations(world), MIDNIGHT)
    field.events += events
    world, events = generals_evening(world)
    field.events += events
    world, events = feed_formations(world, field.dice, is_adverse_weather(field.conditions.weather))
    field.events += events
    world, events = given_up(empty_formations(world))
    field.events += events
    return end_day(field, look_out_at_nightfall(field, known, world))


def _build_morning_formation(column: Column, yard: int) -> Formation:
    """A formation as its day's march leaves it."""
    formation, order = column.formation, evening_order(column.order, column.via)
    waits = order is not None and bool(order.stages) and not order.via and not column.marched
    light = formation.light_days + (1 if column.light else 0)
    return replace(
        formation,
        position=build_column_position(column, yard),
        order=order,
        marched=formation.marched + 1 if column.marched else 0,
        light_days=light if column.marched else 0,
        waited=formation.waited + 1 if waits else 0,
    )
