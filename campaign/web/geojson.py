"""The map as GeoJSON: what `visibility.map_view` lets through, with words for people.

Coordinates of columns on the march are for drawing only; the rules know yards along a route.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.urls import reverse

from campaign.ground_words import place_signs, route_signs
from campaign.models import Battle
from campaign.narration import Names, order_text, position_text
from campaign.rules.atlas import Atlas, Place, Route
from campaign.rules.errors import RuleViolation
from campaign.rules.orders import plan_march
from campaign.rules.world import YARDS_PER_MILE, Position, World
from campaign.scouting_words import sighting_text, strength_text
from campaign.selectors.battles import BattleRow
from campaign.selectors.orders import FormationOrders
from campaign.visibility import MapView, SeenFormation, Viewer

Coordinates = list[float]
#: Degrees of country shown around what the viewer commands.
MARGIN = 0.4


def map_features(
    viewer: Viewer,
    world: World,
    view: MapView,
    names: Names,
    orders: Iterable[FormationOrders],
    battles: Iterable[BattleRow],
    waiting: Collection[str] = (),
) -> dict[str, Any]:
    """A FeatureCollection of routes, places, formations, ordered marches and battles.

    `waiting` are ids of the viewer's formations that wait for a battle's outcome (HR-CAL-10).
    """
    theatre, atlas = world.theatre, world.theatre.atlas
    page = reverse("campaign", args=[viewer.campaign.slug])
    commands = not viewer.is_umpire
    objectives = {objective.place for objective in theatre.objectives}
    ordinals = {side.id: number for number, side in enumerate(theatre.sides)}
    features = [
        *(_route(route, atlas, view) for route in atlas.routes.values()),
        *(
            _place(place, view, names, place.id in objectives, page if commands else "")
            for place in atlas.places.values()
        ),
        *(
            _formation(
                seen,
                atlas,
                names,
                ordinals[seen.side],
                page if commands and seen.own and not seen.garrison and seen.id not in waiting else "",
                sighting_text(seen.sighting, theatre, names) if seen.sighting else "",
                waits=seen.id in waiting,
            )
            for seen in view.formations
        ),
        *(_march(row, path, names) for row in orders if (path := _path(row, world))),
        *(_battle(row, atlas) for row in battles if row.waiting),
    ]
    return {"type": "FeatureCollection", "bounds": _bounds(view, atlas), "features": features}


def coordinates(position: Position, atlas: Atlas) -> Coordinates:
    """Longitude and latitude of a position, on the straight line between its route's ends."""
    if position.place:
        place = atlas.places[position.place]
        return [place.lon, place.lat]
    start, end = atlas.places[position.origin], atlas.places[position.destination]
    share = min(1.0, position.yards / atlas.routes[position.route].yards)
    return [
        round(start.lon + (end.lon - start.lon) * share, 4),
        round(start.lat + (end.lat - start.lat) * share, 4),
    ]


def _feature(feature: str, geometry: str, at: Any, /, **properties: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": geometry, "coordinates": at},
        "properties": {"feature": feature, **properties},
    }


def _route(route: Route, atlas: Atlas, view: MapView) -> dict[str, Any]:
    ends = [atlas.places[route.a], atlas.places[route.b]]
    miles = route.yards / YARDS_PER_MILE
    facts = [
        f"{route.kind.capitalize()}, {miles:.0f} miles"
        if miles >= 2
        else f"{route.kind.capitalize()}, {miles:.1f} miles"
    ]
    facts.append(f"{route.terrain} country")
    if route.crossing != "none":
        facts.append(f"{route.crossing}")
    if not route.wheeled and route.kind in ("track", "trail"):
        facts.append("no guns or wagons")
    facts += route_signs(view.counters, route.id, route.crossing)
    return _feature(
        "route",
        "LineString",
        [[place.lon, place.lat] for place in ends],
        kind=route.kind,
        name=f"{ends[0].name} to {ends[1].name}",
        facts=", ".join(facts),
    )


def _place(place: Place, view: MapView, names: Names, objective: bool, page: str) -> dict[str, Any]:
    holder = view.holders.get(place.id, "")
    signs = "".join(f"; {sign}" for sign in place_signs(view.counters, place.id, names))
    works = "" if place.fortification in ("none", place.kind) else f", {place.fortification}"
    landing = "" if place.port == "none" else f", {place.port} landing"
    return _feature(
        "place",
        "Point",
        [place.lon, place.lat],
        id=place.id,
        name=place.name,
        kind=place.kind,
        fortification=place.fortification,
        objective=objective,
        tint=names.tint(holder) if holder else "",
        held=f"Held by {names.side(holder)}" if holder else "",
        facts=f"{place.kind.capitalize()}{works}{landing}; {place.terrain}{signs}",
        note=place.note,
        march=f"{page}?sheet=orders&to={place.id}" if page else "",
    )


def _formation(
    seen: SeenFormation, atlas: Atlas, names: Names, ordinal: int, page: str, sighted: str, *, waits: bool
) -> dict[str, Any]:
    order = seen.formation.order if seen.formation else None
    return _feature(
        "formation",
        "Point",
        coordinates(seen.position, atlas),
        id=seen.id,
        name=seen.name,
        side=seen.side,
        tint=names.tint(seen.side),
        ordinal=ordinal,
        own=seen.own,
        sp=seen.sp,
        arm=seen.arm,
        garrison=seen.garrison,
        commander=seen.commander,
        strength=f"{seen.sp} SP"
        if seen.own or seen.sighting is None
        else strength_text(seen.sp, seen.sighting.error),
        sighted=sighted,
        in_sight=seen.in_sight,
        waits=waits,
        where=position_text(seen.position, names)[:1].upper() + position_text(seen.position, names)[1:],
        doing=order_text(order, names) if order else "",
        orders=f"{page}?sheet=orders&formation={seen.id}" if page else "",
    )


def _path(row: FormationOrders, world: World) -> list[Coordinates]:
    """The way a formation has been told to march, place by place; empty when it stands."""
    formation, order, atlas = row.seen.formation, row.order, world.theatre.atlas
    if formation is None or order is None or not order.via:
        return []
    try:
        places = plan_march(world, formation, order, row.seen.units).places
    except RuleViolation:  # an order that has become impossible is refused at the turn, not here
        return []
    return [
        coordinates(row.seen.position, atlas),
        *([atlas.places[place].lon, atlas.places[place].lat] for place in places),
    ]


def _march(row: FormationOrders, path: list[Coordinates], names: Names) -> dict[str, Any]:
    return _feature(
        "march",
        "LineString",
        path,
        tint=names.tint(row.seen.side),
        name=f"{row.seen.name} {row.text}.",
    )


def _battle(row: BattleRow, atlas: Atlas) -> dict[str, Any]:
    battle: Battle = row.battle
    if battle.place:
        place = atlas.places[battle.place]
        where = [place.lon, place.lat]
    else:
        contact = battle.inputs["contact"]
        route = atlas.routes[battle.route]
        where = coordinates(
            Position(
                route=route.id,
                origin=route.a,
                destination=route.b,
                yards=int(contact.get("yards") or route.yards // 2),
            ),
            atlas,
        )
    return _feature(
        "battle",
        "Point",
        where,
        name=row.title,
        state="Not settled yet" if row.waiting else "Settled",
        url=reverse("battle", args=[battle.campaign.slug, battle.pk]),
    )


def _bounds(view: MapView, atlas: Atlas) -> list[Coordinates]:
    """South-west and north-east corners, latitude first, around the viewer's marching formations."""
    marching = [seen for seen in view.own if not seen.garrison] or list(view.own)
    spots = [coordinates(seen.position, atlas) for seen in marching]
    spots = spots or [[place.lon, place.lat] for place in atlas.places.values()]
    return [
        [min(lat for _, lat in spots) - MARGIN, min(lon for lon, _ in spots) - MARGIN],
        [max(lat for _, lat in spots) + MARGIN, max(lon for lon, _ in spots) + MARGIN],
    ]
