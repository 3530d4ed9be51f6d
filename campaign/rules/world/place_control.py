"""Possession of places: the one way for a place to change hands, with its event (HR-CON-13)."""

from collections.abc import Iterable

from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column, Exact, build_column_position
from campaign.rules.scouting.sighting import Keenness, find_keenness, list_onlookers
from campaign.rules.world.events import Event
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position, Theatre

#: Who stands where, of which side, and how far he sees.
Stand = tuple[str, Position, Keenness]


def hand_over(
    theatre: Theatre,
    holders: dict[str, str],
    place: str,
    taker: tuple[str, str],
    minute: int,
    stands: Iterable[Stand],
    settings: RuleSettings,
    weather: str,
) -> Event:
    """Give a place in `holders` to the side of `taker`, a side and its formation; gives the event.

    It is told to who takes it, who loses it, and who sees it from where it stands: `stands` are all
    who are on the map.
    """
    side, formation = taker
    before = holders.get(place, "")
    bodies: dict[str, list[tuple[str, Position, Keenness]]] = {each.id: [] for each in theatre.sides}
    for each, position, keen in stands:
        bodies[each].append(("", position, keen))
    seen_by = list_onlookers(theatre.atlas, settings, weather, place, bodies, holders)
    told = tuple(each.id for each in theatre.sides if each.id in (side, before) or each.id in seen_by)
    holders[place] = side
    return Event(
        "place_taken",
        minute,
        "HR-CON-13",
        told,
        formation=formation if told == (side,) else "",  # the enemy is not told by whom
        place=place,
        data={"side": side, "from": before},
    )


def claim_place(field: DayState, place: str, now: Exact) -> None:
    """A place where troops of one side stand alone falls to it if they have any strength (HR-CON-13)."""
    columns = field.at(place)
    strong = [column for column in columns if column.sp]
    if strong and len({column.side for column in columns}) == 1:
        take_by(field, place, strong[0], now)


def take_by(field: DayState, place: str, column: Column, now: Exact) -> None:
    """A column with strength takes a place without enemies that it comes to or passes (HR-CON-13)."""
    if not column.sp or field.holders.get(place, "") == column.side:
        return
    stands = [
        (
            each.side,
            build_column_position(each, int(each.yard(now))),
            find_keenness(field.units_of(each), field.settings),
        )
        for _, each in sorted(field.columns.items())
    ]
    field.events.append(
        hand_over(
            field.world.theatre,
            field.holders,
            place,
            (column.side, column.id),
            field.minute(now),
            stands,
            field.settings,
            field.conditions.weather,
        )
    )
