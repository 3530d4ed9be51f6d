"""The map as bridges and ferries now stand, as it is and as a side knows it (HR-BRG)."""

from collections.abc import Iterable
from dataclasses import replace

from campaign.rules.atlas import Atlas
from campaign.rules.world import World

#: Maps with broken crossings kept on one atlas before they are dropped.
MAPS_KEPT = 16


def atlas_with(atlas: Atlas, broken: Iterable[str]) -> Atlas:
    """The atlas with the crossings of these routes broken; kept on the atlas it was made from."""
    key = frozenset(route for route in broken if route in atlas.routes)
    if not key:
        return atlas
    maps: dict[frozenset[str], Atlas] = atlas.derived.setdefault("maps with broken crossings", {})
    if key not in maps:
        if len(maps) >= MAPS_KEPT:
            maps.clear()
        changed = {route: replace(atlas.routes[route], broken=True) for route in sorted(key)}
        maps[key] = Atlas(atlas.places, {**atlas.routes, **changed})
    return maps[key]


def atlas_now(world: World) -> Atlas:
    """The map as it is."""
    return atlas_with(world.theatre.atlas, world.bridges)


def atlas_known(world: World, side: str) -> Atlas:
    """The map as `side` knows it: who breaks a bridge does not tell the enemy (HR-BRG-03)."""
    return atlas_with(world.theatre.atlas, known_broken(world, side))


def known_broken(world: World, side: str) -> frozenset[str]:
    """Routes whose crossing a side knows to be broken."""
    return frozenset(key for key, bridge in world.bridges.items() if bridge.known_by in ("", side))
