"""What the order form offers to choose from, and what its script is told of each choice."""

from collections.abc import Iterable
from typing import Any

from campaign.fog.visibility import MapView
from campaign.rules.map.atlas import WATER_KINDS, Route
from campaign.rules.map.bridges import is_ford
from campaign.rules.orders.labour import can_work
from campaign.rules.world.world import Activity, World
from campaign.selectors.orders.orders import FormationOrders
from campaign.text.place_names import CampaignNames

#: Work that is done to a route.
AT_ROUTES: tuple[Activity, ...] = ("break_bridge", "repair_bridge", "lay_bridge", "obstruct")
FOR_WORK = "Garrisons, for work only"


def by_duty(rows: Iterable[FormationOrders]) -> list[tuple[str, Any]]:
    """Formations to choose from: columns, then garrisons, which hold their places but work (HR-FOR-03).

    One without units takes no orders at all.
    """
    columns: list[tuple[str, Any]] = []
    garrisons: list[tuple[str, str]] = []
    for row in rows:
        seen = row.seen
        if not seen.units:
            continue
        stays = seen.garrison or all(unit.static for unit in seen.units)
        (garrisons if stays else columns).append((seen.id, f"{seen.name} ({row.where})"))
    return [*columns, (FOR_WORK, garrisons)] if garrisons else [*columns]


def list_crossings(
    world: World, view: MapView, names: CampaignNames
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Crossings and roads where formations of the viewer's side stand, by kind."""
    groups: dict[str, list[tuple[str, str]]] = {"Bridges and ferries": [], "Fords": [], "Roads": []}
    for route in _list_routes(world, view):
        kind = "Bridges and ferries" if route.crossing in ("bridge", "ferry") else "Roads"
        way = names.route(route.id)
        name = way if route.crossing == "none" else f"{route.crossing} on {way}"
        groups["Fords" if is_ford(route) else kind].append((route.id, name))
    return [(group, sorted(rows, key=lambda row: row[1])) for group, rows in groups.items() if rows]


def find_tasks_by_target(world: World, view: MapView) -> dict[str, dict[str, str]]:
    """For each enemy and route the activities it is good for; of a route, at which place."""
    found = {
        seen.id.removeprefix("seen-"): {"data-fits": "follow intercept"}
        for seen in view.formations
        if not seen.own
    }
    here = {(seen.side, seen.position.place) for seen in view.own if seen.position.place}
    for route in _list_routes(world, view):
        works = [
            f"{work}@{place}"
            for side, place in sorted(here)
            if place in (route.a, route.b)
            for work in AT_ROUTES
            if can_work(world, side, place, work, route.id)
        ]
        found[route.id] = {"data-fits": " ".join(works)}
    return found


def standing_at(view: MapView) -> dict[str, dict[str, str]]:
    """Where each formation of the viewer's side stands; on the march nowhere."""
    return {seen.id: {"data-place": seen.position.place} for seen in view.own if seen.position.place}


def _list_routes(world: World, view: MapView) -> list[Route]:
    here = {seen.position.place for seen in view.own if seen.position.place}
    routes = world.theatre.atlas.routes.values()
    return [each for each in routes if each.kind not in WATER_KINDS and here & {each.a, each.b}]
