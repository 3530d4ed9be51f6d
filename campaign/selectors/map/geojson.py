"""The map as GeoJSON: what `visibility.map_view` lets through, with words for people.

Coordinates of columns on the march are for drawing only; the rules know yards along a route.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import reverse

from campaign.fog.visibility import MapView
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.orders.orders import plan_march
from campaign.rules.world.world import Position, World
from campaign.selectors.battles.battles import BattleRow
from campaign.selectors.campaign_context import Reading
from campaign.selectors.map.features import (
    BattleFacts,
    ColumnFacts,
    PlaceFacts,
    SignFacts,
    WayFacts,
    battle_facts,
    column_facts,
    morning_words,
    place_facts,
    route_facts,
    sign_facts,
)
from campaign.selectors.orders.orders import FormationOrders
from campaign.selectors.turns.calendar import load_calendar
from campaign.selectors.turns.provisional_days import ProvisionalPlay
from campaign.text.place_names import CampaignNames

Coordinates = list[float]
#: Degrees of country shown around what the viewer commands.
MARGIN = 0.4


def map_features(desk: Reading) -> dict[str, Any]:
    """A FeatureCollection of routes, places, signs, formations, ordered marches and battles."""
    world, view, names = desk.world, desk.view, desk.names
    atlas = world.theatre.atlas
    ordinals = {side.id: number for number, side in enumerate(world.theatre.sides)}
    links = Links(desk)
    features = [
        *(_build_route_feature(each, atlas) for each in route_facts(view, world)),
        *(_build_place_feature(each, links) for each in place_facts(view, world, names)),
        *(_build_sign_feature(each, atlas) for each in sign_facts(view, world, names)),
        *(
            _build_formation_feature(each, atlas, ordinals[each.seen.side], links)
            for each in column_facts(view, world, names, desk.orders, find_waiting_battles(desk.ahead))
        ),
        *(
            _build_march_feature(row, path, names)
            for row in desk.orders
            if (path := _list_march_coordinates(row, world))
        ),
        *_iter_battle_features(battle_facts(desk.battles, world, names), atlas),
    ]
    return {
        "type": "FeatureCollection",
        "bounds": _find_map_corners(view, atlas),
        "morning": build_morning(desk),
        "features": features,
    }


def build_morning(desk: Reading) -> dict[str, Any]:
    """The day of a map: number, date and sky in words, and the weather of the day before."""
    day = load_calendar(desk.viewer, desk.world)
    return {
        "day": desk.world.day + 1,
        "date": morning_words(desk.world),
        "weather": day.weather,
        "sun": day.sky.sun,
        "moon": day.sky.moon,
        "past": desk.past,
    }


def find_waiting_battles(ahead: ProvisionalPlay) -> dict[str, tuple[BattleRow, ...]]:
    """The battles each of the viewer's formations waits for."""
    return {waiter.id: waiter.battles for waiter in ahead.waiters}


class Links:
    """Link targets of a map's cards; on a past day none leads to new orders."""

    def __init__(self, desk: Reading) -> None:
        self.slug = desk.campaign.slug
        self.page = reverse("campaign", args=[self.slug])
        self.looks_on = desk.viewer.looks_on
        self.commands = not desk.past and desk.viewer.may_order and not desk.world.ended

    def march(self, place: str) -> str:
        return f"{self.page}?sheet=orders&to={place}" if self.commands else ""

    def orders(self, facts: ColumnFacts) -> str:
        able = self.commands and facts.mine and not facts.locked
        return f"{self.page}?sheet=orders&formation={facts.seen.id}" if able else ""

    def papers(self, facts: ColumnFacts) -> dict[str, str]:
        """Returns and journal of an own formation."""
        if not facts.seen.own or self.looks_on:
            return {}
        key = facts.seen.id
        organise = f"{self.page}?sheet=orders&formation={key}#organisation"
        return {
            "organise": organise if self.commands and facts.mine else "",
            "ordered": reverse("orders-of", args=[self.slug, key]),
            "returns": f"{self.page}?sheet=returns#formation-{key}",
            "journal": f"{reverse('journal', args=[self.slug])}?formation={key}",
        }


def find_coordinates(position: Position, atlas: Atlas) -> Coordinates:
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


def _build_feature(feature: str, geometry: str, at: Any, /, **properties: Any) -> dict[str, Any]:
    """A feature; what is empty, nought or false is left out."""
    kept = {key: value for key, value in properties.items() if value not in ("", None, [], {}, False)}
    return {
        "type": "Feature",
        "geometry": {"type": geometry, "coordinates": at},
        "properties": {"feature": feature, **kept},
    }


def _build_route_feature(facts: WayFacts, atlas: Atlas) -> dict[str, Any]:
    route = facts.route
    ends = (atlas.places[route.a], atlas.places[route.b])
    return _build_feature(
        "route",
        "LineString",
        [[place.lon, place.lat] for place in ends],
        id=route.id,
        kind=route.kind,
        name=f"{facts.start} to {facts.end}",
        facts=facts.line,
    )


def _build_place_feature(facts: PlaceFacts, links: Links) -> dict[str, Any]:
    place = facts.place
    return _build_feature(
        "place",
        "Point",
        [place.lon, place.lat],
        id=place.id,
        name=place.name,
        kind=place.kind,
        fortification=place.fortification,
        objective=facts.objective,
        points=facts.points,
        tint=facts.tint,
        held=f"Held by {facts.holder}" if facts.holder else "",
        facts=facts.ground,
        note=place.note,
        march=links.march(place.id),
    )


def _build_sign_feature(facts: SignFacts, atlas: Atlas) -> dict[str, Any]:
    if facts.place:
        at = find_coordinates(Position(place=facts.place), atlas)
    else:
        route = atlas.routes[facts.route]
        middle = Position(route=route.id, origin=route.a, destination=route.b, yards=route.yards // 2)
        at = find_coordinates(middle, atlas)
    return _build_feature(
        "sign",
        "Point",
        at,
        kind=facts.kind,
        place=facts.place,
        route=facts.route,
        tint=facts.tint,
        name=facts.text,
    )


def _build_formation_feature(facts: ColumnFacts, atlas: Atlas, ordinal: int, links: Links) -> dict[str, Any]:
    seen = facts.seen
    return _build_feature(
        "formation",
        "Point",
        find_coordinates(seen.position, atlas),
        id=seen.id,
        name=seen.name,
        side=seen.side,
        army=facts.side,
        tint=facts.tint,
        ordinal=ordinal,
        own=seen.own,
        sp=seen.sp,
        low=facts.low if facts.low < facts.high else None,
        high=facts.high if facts.low < facts.high else None,
        arm=seen.arm,
        arms=facts.arm,
        garrison=seen.garrison,
        commander=seen.commander,
        strength=facts.strength,
        sighted=facts.report,
        age=facts.age,
        in_sight=seen.in_sight,
        ghost=facts.ghost,
        where=facts.where,
        place=seen.position.place,
        state=facts.state,
        doing=facts.orders,
        waits=bool(facts.locked),
        locked=[
            {"name": row.title, "url": reverse("battle", args=[row.battle.campaign.slug, row.battle.pk])}
            for row in facts.locked
        ],
        orders=links.orders(facts),
        **links.papers(facts),
    )


def _list_march_coordinates(row: FormationOrders, world: World) -> list[Coordinates]:
    """The way a formation has been told to march, place by place; empty when it stands."""
    formation, order, atlas = row.seen.formation, row.order, world.theatre.atlas
    if formation is None or order is None or not order.via:
        return []
    try:
        places = plan_march(world, formation, order, row.seen.units).places
    except RuleViolation:  # an order that has become impossible is refused at the turn, not here
        return []
    return [
        find_coordinates(row.seen.position, atlas),
        *([atlas.places[place].lon, atlas.places[place].lat] for place in places),
    ]


def _build_march_feature(
    row: FormationOrders, path: list[Coordinates], names: CampaignNames
) -> dict[str, Any]:
    return _build_feature(
        "march",
        "LineString",
        path,
        id=row.seen.id,
        tint=names.tint(row.seen.side),
        name=f"{row.seen.name} {row.text}.",
    )


def _iter_battle_features(found: Iterable[BattleFacts], atlas: Atlas) -> Iterator[dict[str, Any]]:
    """One mark for all the battles fought at one spot."""
    spots: dict[tuple[float, ...], list[BattleFacts]] = {}
    for each in found:
        spots.setdefault(tuple(find_coordinates(each.position, atlas)), []).append(each)
    for at, fought in spots.items():
        yield _build_feature(
            "battle",
            "Point",
            list(at),
            waiting=any(each.row.waiting for each in fought),
            fresh=any(each.fresh for each in fought),
            battles=[
                {
                    "name": each.row.title,
                    "state": each.state,
                    "url": reverse("battle", args=[each.row.battle.campaign.slug, each.row.battle.pk]),
                }
                for each in fought
            ],
        )


def _find_map_corners(view: MapView, atlas: Atlas) -> list[Coordinates]:
    """South-west and north-east corners, latitude first, around the viewer's marching formations."""
    marching = [seen for seen in view.own if not seen.garrison] or list(view.own)
    spots = [find_coordinates(seen.position, atlas) for seen in marching]
    spots = spots or [[place.lon, place.lat] for place in atlas.places.values()]
    return [
        [min(lat for _, lat in spots) - MARGIN, min(lon for lon, _ in spots) - MARGIN],
        [max(lat for _, lat in spots) + MARGIN, max(lon for lon, _ in spots) + MARGIN],
    ]
