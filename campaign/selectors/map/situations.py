"""A viewer's map on one morning, as data for a drawing: bodies by spot and side, and battles."""

from collections import defaultdict
from collections.abc import Iterable
from math import hypot

from campaign.drawing.map_svg import Bounds, Coordinates, MapBattlefield, MapBody, MapSituation, bounds_around
from campaign.fog.visibility import Viewer, map_view
from campaign.rules.map.atlas import Atlas
from campaign.rules.world.events import Event
from campaign.rules.world.world import Position, World
from campaign.selectors.battles.battles import BattleRow
from campaign.selectors.map.features import BattleFacts, ColumnFacts, battle_facts, column_facts
from campaign.text.place_names import CampaignNames

#: Degrees round its middle that the larger drawing shows, and how much broader the whole must be.
NEAR, SMALLER = 0.5, 1.5
#: How high the larger drawing is by its breadth, at the most.
FLAT = 0.7


def build_map_situation(
    viewer: Viewer, world: World, names: CampaignNames, fought: Iterable[BattleRow], told: Event | None = None
) -> MapSituation:
    """The viewer's map of a world, with the battles given; the larger drawing shows what `told` is of."""
    view, atlas = map_view(viewer, world), world.theatre.atlas
    ordinals = {side.id: number for number, side in enumerate(world.theatre.sides)}
    columns = [each for each in column_facts(view, world, names, (), {}) if each.seen.sp]
    facts = battle_facts(fought, world, names)
    fields = [MapBattlefield(locate_position(each.position, atlas), each.row.title) for each in facts]
    about = _locate_event(told, facts, atlas)
    marching = [
        locate_position(each.seen.position, atlas)
        for each in columns
        if not (each.seen.garrison or each.ghost)
    ]
    shown = marching + [field.at for field in fields] + ([about] if about else [])
    bounds = bounds_around(shown or [(place.lon, place.lat) for place in atlas.places.values()])
    bodies = tuple(_iter_map_bodies(columns, atlas, ordinals))
    return MapSituation(
        base_map=world.theatre.base_map,
        bounds=bounds,
        near=_find_detail_bounds(columns, fields, about, atlas, bounds),
        bodies=bodies,
        fields=tuple(fields),
        held={place: names.tint(side) for place, side in sorted(view.holders.items()) if side},
    )


def _locate_event(told: Event | None, facts: Iterable[BattleFacts], atlas: Atlas) -> Coordinates | None:
    """Return the coordinates of an event: its battlefield, else its place; None for an event with neither."""
    if told is None:
        return None
    for each in facts:
        if told.contact and each.row.battle.contact == told.contact:
            return locate_position(each.position, atlas)
    return locate_position(Position(place=told.place), atlas) if told.place in atlas.places else None


def _find_detail_bounds(
    columns: Iterable[ColumnFacts],
    fields: list[MapBattlefield],
    about: Coordinates | None,
    atlas: Atlas,
    bounds: Bounds,
) -> Bounds | None:
    """Return the bounds around the main event: the headline, else the last battle, else the closest
    enemies, else the strongest body.

    None where that is not much less than the whole map.
    """
    moving = [each for each in columns if not each.ghost]
    spots = {locate_position(each.seen.position, atlas) for each in moving if not each.seen.garrison}
    middle = about or (fields[0].at if fields else _locate_closest_enemies(moving, atlas))
    if middle is None:
        return None
    spots |= {middle, *(field.at for field in fields)}
    close = [at for at in spots if abs(at[0] - middle[0]) <= NEAR and abs(at[1] - middle[1]) <= NEAR]
    found = bounds_around(close, FLAT)
    return found if bounds[2] - bounds[0] >= SMALLER * (found[2] - found[0]) else None


def _locate_closest_enemies(columns: Iterable[ColumnFacts], atlas: Atlas) -> Coordinates | None:
    """Return the coordinates where the sides are closest to each other; where only one side is seen,
    those of its strongest body.
    """
    ranked = sorted(columns, key=lambda each: (-each.seen.sp, each.seen.id))
    pairs = [
        (hypot(one[0] - other[0], one[1] - other[1]), one)
        for number, first in enumerate(ranked)
        for second in ranked[number + 1 :]
        if first.seen.side != second.seen.side
        for one, other in [
            (locate_position(first.seen.position, atlas), locate_position(second.seen.position, atlas))
        ]
    ]
    if pairs:
        return min(pairs)[1]
    return locate_position(ranked[0].seen.position, atlas) if ranked else None


def locate_position(position: Position, atlas: Atlas) -> Coordinates:
    """Longitude and latitude, on the straight line between a route's ends."""
    if position.place:
        place = atlas.places[position.place]
        return place.lon, place.lat
    start, end = atlas.places[position.origin], atlas.places[position.destination]
    share = min(1.0, position.yards / atlas.routes[position.route].yards)
    return (
        round(start.lon + (end.lon - start.lon) * share, 4),
        round(start.lat + (end.lat - start.lat) * share, 4),
    )


def _iter_map_bodies(
    columns: Iterable[ColumnFacts], atlas: Atlas, ordinals: dict[str, int]
) -> Iterable[MapBody]:
    """One for all the troops of a side at one spot, called after the strongest."""
    together: dict[tuple[Coordinates, str], list[ColumnFacts]] = defaultdict(list)
    for each in columns:
        together[locate_position(each.seen.position, atlas), each.seen.side].append(each)
    for (at, side), found in sorted(together.items()):
        found.sort(key=lambda each: (-each.seen.sp, each.seen.name))
        low, high = sum(each.low for each in found), sum(each.high for each in found)
        yield MapBody(
            at=at,
            name=found[0].seen.name,
            strength=f"{low}" if low == high else f"{low}\N{EN DASH}{high}",
            ordinal=ordinals[side],
            tint=found[0].tint,
            more=len(found) - 1,
            ghost=all(each.ghost for each in found),
        )
