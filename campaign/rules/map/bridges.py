"""The map as bridges, ferries and roads now are, as it is and as a side knows it (HR-BRG, HR-OBS)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.rules.map.atlas import LAND_KINDS, Atlas, Route
from campaign.rules.world.markers import Bridge, Felled, Raft
from campaign.rules.world.world import World

#: Maps with changed routes kept on one atlas before they are dropped.
MAPS_KEPT = 16
#: Routes that can be felled and broken.
ROADS = LAND_KINDS - {"portage"}


def atlas_with(
    atlas: Atlas, broken: Iterable[str], rafts: Iterable[str] = (), felled: Mapping[str, int] | None = None
) -> Atlas:
    """The atlas with these crossings broken, fords bridged by rafts, and yards of road felled.

    It is kept on the atlas it was made from.
    """
    key = (
        frozenset(route for route in broken if route in atlas.routes),
        frozenset(route for route in rafts if route in atlas.routes and is_ford(atlas.routes[route])),
        frozenset((felled or {}).items()),
    )
    if not any(key):
        return atlas
    maps: dict[object, Atlas] = atlas.derived_tables.setdefault("maps with changed routes", {})
    if key not in maps:
        if len(maps) >= MAPS_KEPT:
            maps.clear()
        changed = dict(atlas.routes)
        for route in key[0]:
            if not is_ford(changed[route]):  # where rafts lay over a ford there is the ford again
                changed[route] = replace(changed[route], broken=True)
        for route in key[1] - key[0]:
            changed[route] = replace(changed[route], crossing="bridge")
        for route, yards in key[2]:
            changed[route] = replace(changed[route], felled=yards)
        maps[key] = Atlas(atlas.places, changed)
    return maps[key]


def is_ford(route: Route) -> bool:
    return route.crossing == "ford"


def atlas_now(world: World) -> Atlas:
    """The map as it is."""
    felled = {key: row.high - row.low for key, row in world.felled.items()}
    rafts = (key for key, raft in world.rafts.items() if not raft.left)
    return atlas_with(world.theatre.atlas, world.bridges, rafts, felled)


def build_known_atlas(world: World, side: str) -> Atlas:
    """The map as `side` knows it: who breaks a bridge or fells a road does not tell the enemy (HR-BRG-03)."""
    felled = {key: row.high - row.low for key, row in world.felled.items() if is_known_to(row, side)}
    rafts = (key for key, raft in world.rafts.items() if not raft.left and is_known_to(raft, side))
    return atlas_with(world.theatre.atlas, list_known_broken_routes(world, side), rafts, felled)


def is_known_to(counter: Bridge | Raft | Felled, side: str) -> bool:
    """True if a side knows of a changed crossing or road."""
    return counter.known_by in ("", side)


def list_known_broken_routes(world: World, side: str) -> frozenset[str]:
    """Routes whose crossing a side knows to be broken."""
    return frozenset(key for key, bridge in world.bridges.items() if is_known_to(bridge, side))
