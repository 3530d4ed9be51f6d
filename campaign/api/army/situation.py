"""A side's knowledge in the rules' own terms, for programs such as an AI commander."""

from typing import Any, get_args

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.fog.known_world import build_known_theatre, known_of, known_to_json
from campaign.rules.map import atlas

SEEN = "For seats of a side, each as its own side knows things; umpires have the archive."


class TheatreSideShape(Shape):
    """A side."""

    id = serializers.CharField()
    name = serializers.CharField()
    colour = serializers.CharField()


class TheatrePlaceShape(Shape):
    """A place of the map."""

    id = serializers.CharField()
    name = serializers.CharField()
    lat = serializers.FloatField()
    lon = serializers.FloatField()
    kind = serializers.ChoiceField(get_args(atlas.PlaceKind))
    terrain = serializers.ChoiceField(get_args(atlas.Terrain))
    fortification = serializers.ChoiceField(get_args(atlas.Fortification))
    port = serializers.ChoiceField(get_args(atlas.Port))
    note = serializers.CharField(allow_blank=True)


class TheatreRouteShape(Shape):
    """A way between two places."""

    id = serializers.CharField()
    a = serializers.CharField(help_text="A place's id.")
    b = serializers.CharField(help_text="A place's id.")
    kind = serializers.ChoiceField(get_args(atlas.RouteKind))
    yards = serializers.IntegerField(min_value=0)
    terrain = serializers.ChoiceField(get_args(atlas.Terrain))
    crossing = serializers.ChoiceField(["none", "ford", "bridge", "ferry"])
    wheeled = serializers.BooleanField(help_text="Whether guns and wagons can go there.")
    flow = serializers.ChoiceField(get_args(atlas.Flow))
    note = serializers.CharField(allow_blank=True)


class ObjectiveShape(Shape):
    """A place worth points to one's side."""

    place = serializers.CharField()
    side = serializers.CharField()
    points = serializers.IntegerField()
    weight = serializers.IntegerField(help_text="How the scenario steers staffs; 0: not at all.")
    from_day = serializers.IntegerField(help_text="Campaign day, from 0, on which it begins to count.")


class TheatreShape(Shape):
    """The fixed parts of the scenario, which no day changes."""

    id = serializers.CharField()
    title = serializers.CharField()
    start = serializers.DateField()
    end = serializers.DateField()
    sides = TheatreSideShape(many=True)
    places = TheatrePlaceShape(many=True)
    routes = TheatreRouteShape(many=True)
    supply = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="A side's bases, places by side.",
    )
    objectives = ObjectiveShape(many=True, help_text="Of your side.")
    holders = serializers.DictField(
        child=serializers.CharField(), help_text="Who held each place on the first morning."
    )


class SituationShape(Shape):
    """A morning as a side knows it."""

    side = serializers.CharField()
    enemy_quality = serializers.IntegerField(
        min_value=0, help_text="How a staff weighs enemies, percent of Continental line (HR-BOT-07)."
    )
    world = serializers.DictField(
        help_text="In the form of an archive's snapshots: day, settings, units, formations, holders, reports "
        "of enemies (those in sight also as formations, `seen-` and their number), counters by kind."
    )


class SideKnowledgeView(CampaignView):
    """A view for seats of a side."""

    def side(self) -> str:
        """The viewer's side; others find nothing here."""
        if not self.viewer.side or self.viewer.is_umpire:
            raise Http404
        return self.viewer.side


class SituationDetail(SideKnowledgeView):
    """A side's knowledge this morning."""

    @endpoint("situation_read", "What my side knows", answer=SituationShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Everything your staff decides from, on the morning that orders are for: your columns as last
        reported, enemies as reported, who is believed to hold which place. Rules: HR-FOG-01, HR-BOT-01."""
        return known_to_json(known_of(self.reading.world, self.side()))


class TheatreOf(SideKnowledgeView):
    """The fixed parts of the scenario."""

    @endpoint("situation_theatre", "The map and what else stays as it is", answer=TheatreShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Places and routes as the map has them, bases, and your side's objectives; it changes with nothing
        that is played, so ask once."""
        return build_known_theatre(self.reading.world.theatre, self.side())
