"""The map: its features as GeoJSON and as a list, and how far a column can march (HR-MAR-08)."""

import hashlib
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.models import Seat
from campaign.selectors.campaign_context import Reading
from campaign.selectors.map.features import (
    battle_facts,
    column_facts,
    place_facts,
    route_facts,
    ways_by_place,
)
from campaign.selectors.map.geojson import build_morning, find_waiting_battles, map_features
from campaign.selectors.map.reach import reach_features
from campaign.selectors.turns.mornings import RecordedMorning
from campaign.selectors.turns.past_mornings import Mornings, PastReading, compute_morning_etag
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number


@signed_in
@gzip_page
@require_safe
def campaign_map(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the viewer's map as GeoJSON; `?day=` asks for a morning, counted from 1.

    A browser asks every time and is told when nothing has changed; of a day gone by that is known
    before anything is read.
    """
    desk: Reading = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    asked = _find_morning(Mornings(desk.viewer), request)
    tag = compute_morning_etag(desk.viewer, asked) if asked else ""
    fresh = _find_not_modified(request, tag) if tag else None
    if fresh is None:
        if asked:
            desk = PastReading(desk.viewer, asked)
        answer = JsonResponse(map_features(desk), content_type="application/geo+json")
        tag = tag or hashlib.sha256(answer.content).hexdigest()
        fresh = _find_not_modified(request, tag) or answer
        fresh.headers.setdefault("ETag", f'"{tag}"')
    fresh["Cache-Control"] = "private, no-cache"
    patch_vary_headers(fresh, ["Cookie"])
    return fresh


def _find_morning(mornings: Mornings, request: HttpRequest) -> RecordedMorning | None:
    """The morning a page is asked for; None for the latest, and when none is."""
    text = request.GET.get("day", "")
    return mornings.find_morning(parse_whole_number(text)) if text else None


def _find_not_modified(request: HttpRequest, tag: str) -> HttpResponse | None:
    """ "Not modified", when the browser has what the tag stands for."""
    answer = get_conditional_response(request, etag=f'"{tag}"')
    return answer if answer is not None and answer.status_code == 304 else None


@signed_in
@never_cache
@gzip_page
@require_safe
def map_list(request: HttpRequest, slug: str) -> HttpResponse:
    """The map as a list: for readers of the screen, and without JavaScript."""
    desk: Reading = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    mornings = Mornings(desk.viewer)
    asked = _find_morning(mornings, request)
    if asked:
        desk = PastReading(desk.viewer, asked)
    return render(request, "campaign/map_list.html", _build_map_context(desk, mornings))


def _build_map_context(desk: Reading, mornings: Mornings) -> dict[str, Any]:
    world, view, names = desk.world, desk.view, desk.names
    columns = column_facts(view, world, names, desk.orders, find_waiting_battles(desk.ahead))
    own = [each for each in columns if each.seen.own]
    places = place_facts(view, world, names)
    known = [each for each in places if each.holder or each.there or each.signs or each.objective]
    ways = list(route_facts(view, world))
    number = world.day + 1
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "past": desk.past,
        "morning": build_morning(desk),
        "number": number,
        "latest": mornings.latest,
        "days": [
            (day, world.theatre.start + timedelta(days=day - 1)) for day in range(1, mornings.latest + 1)
        ],
        "columns": sorted(own, key=lambda each: (each.seen.garrison, each.side, each.seen.name)),
        "enemies": sorted(
            (each for each in columns if not each.seen.own), key=lambda each: (each.age, each.seen.name)
        ),
        "places": sorted(known, key=lambda each: (each.holder == "", each.holder, each.place.name)),
        "unknown": sorted((each for each in places if each not in known), key=lambda each: each.place.name),
        "ways": ways,
        "changed": sorted((way for way in ways if way.signs), key=lambda way: (way.start, way.end)),
        "leading": ways_by_place(ways),
        "battles": battle_facts(desk.battles, world, names),
        "rumours": view.rumours,
    }


@signed_in
@never_cache
@gzip_page
@require_safe
def show_reach(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the area that `?formation=` can reach in one, two and three days at `pace`; nothing without
    a formation.
    """
    desk: CampaignPage = CampaignPage.of(request.user, slug)
    asked = request.GET.get("formation", "")
    found = {"type": "FeatureCollection", "features": []}
    if asked:
        found = reach_features(
            desk,
            asked,
            request.GET.get("pace", "normal"),
            light_order="light_order" in request.GET,
            by_water="by_water" in request.GET,
        )
    return JsonResponse(found, content_type="application/geo+json")
