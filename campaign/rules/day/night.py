"""The end of a day: what forced marches cost, the calendar, and whether the campaign is over."""

from dataclasses import replace

from campaign.rules.contact.casualties import forced_march_loss
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.day.weather import is_adverse_weather, is_wet_weather
from campaign.rules.march.marching import march_percent
from campaign.rules.victory.victory import score_evening
from campaign.rules.world.outcome import Completed
from campaign.rules.world.place_control import claim_place
from campaign.rules.world.world import World


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
    """Units recover what the day's battles wore off (AWI-C-BAT-04); who stands alone holds his place.

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
