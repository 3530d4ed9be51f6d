"""Enemies who stand together when the day breaks fight, unless one side marches off (HR-CON-04)."""

from collections.abc import Iterator, Sequence

from campaign.rules.contact.contact import AT_HAND_YARDS
from campaign.rules.contact.engagement import Encounter
from campaign.rules.contact.siege import is_besieged
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column


def resolve_dawn(field: DayState, start: int) -> list[str]:
    """Settle at minute `start` what happens where both sides stand together.

    Who has orders that lead away leaves under cover of friends who stay. A whole side may leave,
    but if the enemy there has orders to attack, or besieges it, it must first get away on the escape die.

    Gives the places where both sides stood: who stays behind alone holds them once the others are gone.
    """
    together = list(_iter_facing_groups(field, start))
    places = [columns[0].place for columns in together if columns[0].route is None]
    for columns in together:
        staying = [column for column in columns if not _is_leaving(column, columns, start)]
        sides = {column.side for column in staying}
        if len(sides) == 2:
            Encounter(field, start, staying, [], staying[0].yard(start)).resolve()
        elif len(sides) == 1 and (
            any(column.stance == "attack" for column in staying)
            or is_besieged(field, columns[0].place, field.world.theatre.enemy_of(staying[0].side))
        ):
            Encounter(field, start, columns, [], columns[0].yard(start)).break_away(
                field.world.theatre.enemy_of(staying[0].side)
            )
    return places


def _iter_facing_groups(field: DayState, start: int) -> Iterator[list[Column]]:
    """Groups with both sides in them: at one place, or within a quarter of a mile along a route."""
    for place in sorted(field.at_place):
        columns = field.at(place)
        if _has_both_sides(columns):
            yield columns
    for route in sorted(field.on_route):
        ranked = sorted(field.along(route), key=lambda each: (each.yard(start), each.side, each.id))
        group: list[Column] = []
        for column in ranked:
            if group and column.yard(start) - group[-1].yard(start) > AT_HAND_YARDS:
                if _has_both_sides(group):
                    yield group
                group = []
            group.append(column)
        if _has_both_sides(group):
            yield group


def _has_both_sides(columns: Sequence[Column]) -> bool:
    return len({column.side for column in columns}) > 1


def _is_leaving(column: Column, columns: Sequence[Column], start: int) -> bool:
    """True if a column's orders lead it away: not through an enemy on its route, nor with one."""
    if not column.path or column.sets_off > start:
        return False
    if column.route is None:
        return not any(other.side != column.side and other.path[:1] == column.path[:1] for other in columns)
    forward = column.path[0][1] == column.route.a
    here = column.yard(start)
    ahead = (
        other.yard(start) >= here if forward else other.yard(start) <= here
        for other in columns
        if other.side != column.side
    )
    return not any(ahead)
