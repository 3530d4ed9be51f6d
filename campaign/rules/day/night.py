"""The end of a day: forced marches, what is left of orders, the calendar, the end of the campaign."""

from dataclasses import replace

from campaign.rules.army.leaders import apply_general_losses, generals_apply, generals_evening
from campaign.rules.contact.casualties import forced_march_loss
from campaign.rules.contact.siege import given_up
from campaign.rules.day.arrivals import empty_formations, rejoin_detachments
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.day.weather import is_adverse_weather, is_wet_weather
from campaign.rules.march.boats import boats_at_night
from campaign.rules.march.columns import Column, build_column_position, whole_positions
from campaign.rules.march.marching import march_percent
from campaign.rules.orders.tasks import evening_order
from campaign.rules.scouting.intelligence import Intelligence, look_out_at_nightfall
from campaign.rules.supply.supply import feed_formations
from campaign.rules.victory.victory import score_evening
from campaign.rules.world.outcome import Completed
from campaign.rules.world.place_control import claim_place
from campaign.rules.world.world import Formation, World


def march_losses(field: DayState) -> None:
    """One roll for each unit of a formation that marched too far or too long without rest.

    AWI-C-MAR-01 to -03 on the day's whole march, and HR-MAR-05 for a missed day of rest.
    """
    bad = is_adverse_weather(field.conditions.weather)
    for key in sorted(field.columns):
        column = field.columns[key]
        percent = march_percent(column.marched, column.formation.marched, field.settings)
        if not percent:
            continue
        for unit in field.units_of(column):
            tired, events = forced_march_loss(
                unit, percent, bad, field.dice, column.last_minute, day=field.world.day
            )
            field.units[unit.id] = tired
            field.events += events
        field.reckon(column)


def recover_units(field: DayState) -> None:
    """Restore units after the day's battles (AWI-C-BAT-04); troops that stand alone hold their place.

    An enemy may have left it since morning: by levies gone, by march losses, by marching off.
    """
    field.sp_lost.clear()
    for key in sorted(field.columns):
        field.reckon(field.columns[key])
    for place in sorted(field.at_place):
        claim_place(field, place, MIDNIGHT)


def end_day(field: DayState, world: World) -> Completed:
    """The world on the next morning, and the day's events in order of time."""
    wet_days = field.world.wet_days + 1 if is_wet_weather(field.conditions.weather) else 0
    world, reckoned = score_evening(replace(world, day=world.day + 1, wet_days=wet_days))
    events = sorted([*field.events, *reckoned], key=lambda event: event.minute)
    return Completed(world, tuple(events))


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
