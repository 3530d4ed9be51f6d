"""What lies on a viewer's map on a morning, as a drawing takes it: bodies by spot and side, and battles."""

from collections import defaultdict
from collections.abc import Iterable

from campaign.map_drawing import Body, Coordinates, Field, Situation, bounds_around
from campaign.names import Names
from campaign.rules.atlas import Atlas
from campaign.rules.world import Position, World
from campaign.selectors.battles import BattleRow
from campaign.selectors.map_facts import ColumnFacts, battle_facts, column_facts
from campaign.visibility import Viewer, map_view


def situation(viewer: Viewer, world: World, names: Names, fought: Iterable[BattleRow]) -> Situation:
    """The viewer's map of a world, with the battles given."""
    view, atlas = map_view(viewer, world), world.theatre.atlas
    ordinals = {side.id: number for number, side in enumerate(world.theatre.sides)}
    columns = [each for each in column_facts(view, world, names, (), {}) if each.seen.sp]
    fields = [
        Field(spot(each.position, atlas), each.row.title) for each in battle_facts(fought, world, names)
    ]
    marching = [spot(each.seen.position, atlas) for each in columns if not (each.seen.garrison or each.ghost)]
    near = marching + [field.at for field in fields]
    return Situation(
        base_map=world.theatre.base_map,
        bounds=bounds_around(near or [(place.lon, place.lat) for place in atlas.places.values()]),
        bodies=tuple(_bodies(columns, atlas, ordinals)),
        fields=tuple(fields),
        held={place: names.tint(side) for place, side in sorted(view.holders.items()) if side},
    )


def spot(position: Position, atlas: Atlas) -> Coordinates:
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


def _bodies(columns: Iterable[ColumnFacts], atlas: Atlas, ordinals: dict[str, int]) -> Iterable[Body]:
    """One for all the troops of a side at one spot, called after the strongest."""
    together: dict[tuple[Coordinates, str], list[ColumnFacts]] = defaultdict(list)
    for each in columns:
        together[spot(each.seen.position, atlas), each.seen.side].append(each)
    for (at, side), found in sorted(together.items()):
        found.sort(key=lambda each: (-each.seen.sp, each.seen.name))
        low, high = sum(each.low for each in found), sum(each.high for each in found)
        yield Body(
            at=at,
            name=found[0].seen.name,
            strength=f"{low}" if low == high else f"{low}\N{EN DASH}{high}",
            ordinal=ordinals[side],
            tint=found[0].tint,
            more=len(found) - 1,
            ghost=all(each.ghost for each in found),
        )
