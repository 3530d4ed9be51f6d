"""Reach of a column in the coming days, as shaded roads for the map (HR-MAR-08)."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404

from campaign.rules.map.atlas import Atlas
from campaign.rules.map.bridges import build_known_atlas
from campaign.rules.map.reach import Reach, RouteStretch, find_reach
from campaign.rules.march.marching import formation_mobility
from campaign.rules.world.world import PACE_PERCENT, Formation, Position, Unit, World
from campaign.selectors.campaign_context import Reading
from campaign.selectors.map.geojson import find_coordinates

#: Days shown.
DAYS = 3


def reach_features(
    reading: Reading, key: str, pace: str, *, light_order: bool, by_water: bool
) -> dict[str, Any]:
    """Return the reach of one of the viewer's formations as a FeatureCollection. Raises Http404 for others.

    It starts from where the column was last reported to be and knows the ways as its side knows them.
    """
    seen = next((seen for seen in reading.view.own if seen.id == key), None)
    if seen is None or seen.formation is None:
        raise Http404("There is no such formation of yours.")
    features: list[dict[str, Any]] = []
    if not seen.garrison and not all(unit.static for unit in seen.units):
        found = list_daily_reach(
            reading.world,
            seen.formation,
            seen.units,
            PACE_PERCENT.get(pace, 100),  # type: ignore[call-overload]
            light_order=light_order,
            by_water=by_water,
        )
        features = list(_iter_reach_features(found, reading.world.theatre.atlas))
    return {"type": "FeatureCollection", "features": features}


def list_daily_reach(
    world: World,
    formation: Formation,
    units: tuple[Unit, ...],
    percent: int,
    *,
    light_order: bool = False,
    by_water: bool = False,
) -> tuple[Reach, ...]:
    """The reach of the coming days in fair weather; light order as long as it may last (HR-MAR-03)."""
    assert formation.position is not None
    march, settings = formation_mobility(units), world.settings
    return tuple(
        find_reach(
            build_known_atlas(world, formation.side),
            formation.position,
            percent,
            march,
            settings,
            light_order=light_order
            and not march.heavy
            and formation.light_days + days <= settings.light_order_days,
            by_water=by_water,
            days=days,
        )
        for days in range(1, DAYS + 1)
    )


def _iter_reach_features(found: tuple[Reach, ...], atlas: Atlas) -> Iterator[dict[str, Any]]:
    """Stretches of road by the day they are first reached on."""
    done: dict[tuple[str, str], int] = {}
    for day, each in enumerate(found, start=1):
        for stretch in each.stretches:
            key = (stretch.route, stretch.origin)
            start = max(stretch.start, done.get(key, 0))
            if stretch.end <= start:
                continue
            done[key] = stretch.end
            yield {
                "type": "Feature",
                "geometry": {
                    "type": "LineString",
                    "coordinates": _locate_stretch_ends(stretch, start, atlas),
                },
                "properties": {"day": day},
            }


def _locate_stretch_ends(stretch: RouteStretch, start: int, atlas: Atlas) -> list[list[float]]:
    route = atlas.routes[stretch.route]
    far = route.other(stretch.origin)
    return [
        find_coordinates(Position(route=route.id, origin=stretch.origin, destination=far, yards=yards), atlas)
        for yards in (start, stretch.end)
    ]
