"""The map as GeoJSON, of today and of mornings gone by, and how far a column can march."""

from typing import Any, get_args

from django.http import JsonResponse
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.models import Seat
from campaign.rules.world.world import Pace
from campaign.selectors.campaign_context import Reading
from campaign.selectors.map.geojson import map_features
from campaign.selectors.map.reach import reach_features
from campaign.selectors.turns.past_mornings import Mornings, PastReading

MEDIA = "application/geo+json"


class DayQuery(Shape):
    """The morning asked for."""

    day = serializers.IntegerField(
        min_value=1, max_value=100_000, required=False, help_text="Counted from 1; left out, the latest."
    )


class Map(CampaignView):
    """The map."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint(
        "map_read",
        "The map",
        query=DayQuery,
        files={MEDIA: "Routes, places, signs, formations, marches, battles; `feature` says which."},
        seen="A side sees its own and what it has sighted, as of when; the umpires all; a spectator late.",
    )
    def get(self, request: Request, slug: str) -> JsonResponse:
        """A FeatureCollection: what the page's map shows, and what programs reckon with. That is a route's
        ends, yards and crossing; who holds a place (a side's id; empty: not known); and where on a route a
        formation is."""
        reading = self.reading
        if "day" in self.asked:
            asked = Mornings(reading.viewer).find_morning(self.asked["day"])
            reading = PastReading(reading.viewer, asked) if asked else reading
        return JsonResponse(build_map_answer(reading), content_type=MEDIA)


def build_map_answer(reading: Reading) -> dict[str, Any]:
    """The page's features, with what programs reckon with."""
    found = map_features(reading)
    routes = reading.world.theatre.atlas.routes
    at = {seen.id: seen.position for seen in reading.view.formations}
    for feature in found["features"]:
        told = feature["properties"]
        if told["feature"] == "route":
            route = routes[told["id"]]
            told |= {
                name: getattr(route, name) for name in ("a", "b", "yards", "terrain", "crossing", "wheeled")
            }
        elif told["feature"] == "place":
            told["holder"] = reading.view.holders.get(told["id"], "")
        elif told["feature"] == "formation" and not at[told["id"]].place:
            position = at[told["id"]]
            told |= {
                "route": position.route,
                "origin": position.origin,
                "destination": position.destination,
                "yards": position.yards,
            }
    return found


class ReachQuery(Shape):
    """The column, and its pace."""

    formation = serializers.CharField(max_length=200)
    pace = serializers.ChoiceField(get_args(Pace), default="normal")
    light_order = serializers.BooleanField(default=False)
    by_water = serializers.BooleanField(default=False)


class ReachOf(CampaignView):
    """The reach of a column."""

    @endpoint(
        "map_reach",
        "How far a column can march",
        query=ReachQuery,
        files={MEDIA: "Stretches of road by the day, 1 to 3, on which they are first reached."},
        seen="Formations of one's own side; the umpires all.",
    )
    def get(self, request: Request, slug: str) -> JsonResponse:
        """The area a column can reach in three days of fair weather, from the place where it was last
        reported (HR-MAR-08).
        """
        asked = dict(self.asked)
        found = reach_features(self.reading, asked.pop("formation"), asked.pop("pace"), **asked)
        return JsonResponse(found, content_type=MEDIA)
