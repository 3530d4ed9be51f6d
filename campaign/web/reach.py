"""How far a column can march in the coming days, as shaded roads for the map (HR-MAR-08)."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from campaign.rules.atlas import Atlas
from campaign.rules.bridges import atlas_known
from campaign.rules.marching import formation_mobility
from campaign.rules.reach import Reach, Stretch, reachable
from campaign.rules.world import PACE_PERCENT, Formation, Position, Unit, World
from campaign.web.access import signed_in
from campaign.web.desk import Desk
from campaign.web.geojson import coordinates

#: Days shown.
DAYS = 3


@signed_in
@never_cache
@gzip_page
@require_GET
def reach(request: HttpRequest, slug: str) -> HttpResponse:
    """What `?formation=` can reach in one, two and three days at `pace`; without one, nothing.

    It starts from where the column was last reported to be and knows the ways as its side knows them.
    """
    desk: Desk = Desk.of(request.user, slug)
    asked, pace = request.GET.get("formation", ""), request.GET.get("pace", "normal")
    features: list[dict[str, Any]] = []
    if asked:
        seen = next((seen for seen in desk.view.own if seen.id == asked), None)
        if seen is None or seen.formation is None:
            raise Http404("There is no such formation of yours.")
        if not seen.garrison and not all(unit.static for unit in seen.units):
            found = days_reached(
                desk.world,
                seen.formation,
                seen.units,
                PACE_PERCENT.get(pace, 100),  # type: ignore[call-overload]
                light_order="light_order" in request.GET,
                by_water="by_water" in request.GET,
            )
            features = list(_features(found, desk.world.theatre.atlas))
    return JsonResponse(
        {"type": "FeatureCollection", "features": features}, content_type="application/geo+json"
    )


def days_reached(
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
        reachable(
            atlas_known(world, formation.side),
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


def _features(found: tuple[Reach, ...], atlas: Atlas) -> Iterator[dict[str, Any]]:
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
                "geometry": {"type": "LineString", "coordinates": _ends(stretch, start, atlas)},
                "properties": {"day": day},
            }


def _ends(stretch: Stretch, start: int, atlas: Atlas) -> list[list[float]]:
    route = atlas.routes[stretch.route]
    far = route.other(stretch.origin)
    return [
        coordinates(Position(route=route.id, origin=stretch.origin, destination=far, yards=yards), atlas)
        for yards in (start, stretch.end)
    ]
