"""Coordinates of places against the base map they are drawn on: what lies beside it, and the likely cause."""

import json
from functools import cache

from campaign.rules.map.atlas import Atlas
from campaign.scenarios.head import GEO, surroundings_of

#: West, south, east and north, in degrees.
Bounds = tuple[float, float, float, float]


def coordinate_fault(lat: float, lon: float, base_map: str) -> str:
    """Explain why a place cannot lie at these coordinates, with what was probably meant; "" where it can."""
    west, south, east, north = map_bounds(base_map)

    def is_inside(lat: float, lon: float) -> bool:
        return south <= lat <= north and west <= lon <= east

    if is_inside(lat, lon):
        return ""
    where = f"{lat:g}, {lon:g} lies outside the base map {base_map}"
    if is_inside(lat, -lon):
        return f"{where}: the longitude lacks its minus (west is negative); write {lat:g}, {-lon:g}."
    for first, second in ((lon, lat), (lon, -lat), (-lon, lat)):
        if is_inside(first, second):
            return f"{where}: latitude and longitude are swapped; write {first:g}, {second:g}."
    reach = f"{south:g} to {north:g} north, {-east:g} to {-west:g} west"
    return f"{where} ({reach}); correct it or choose another map."


def misplaced_places(atlas: Atlas, base_map: str) -> dict[str, str]:
    """The fault of each place of a map that cannot lie where it is said to, by its id."""
    found = {place.id: coordinate_fault(place.lat, place.lon, base_map) for place in atlas.places.values()}
    return {key: fault for key, fault in found.items() if fault}


@cache
def map_bounds(base_map: str) -> Bounds:
    """Return the bounds of a base map, including the coarse map around it where it has one."""
    name = surroundings_of(base_map) or base_map
    west, south, east, north = json.loads((GEO / f"{name}.geojson").read_text(encoding="utf-8"))["bbox"]
    return float(west), float(south), float(east), float(north)
