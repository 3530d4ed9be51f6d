"""The campaigns of a person, and one of them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView, CampaignView
from campaign.fog.visibility import find_pause_reason, record_late
from campaign.models import Campaign, Seat
from campaign.selectors.campaign_context import Reading
from campaign.selectors.setup.campaigns import campaign_rows
from campaign.selectors.turns.calendar import load_calendar


class OwnSeatShape(Shape):
    """A seat of one's own."""

    title = serializers.CharField(source="*")
    role = serializers.ChoiceField(Seat.Role.choices)
    side = serializers.CharField(allow_blank=True, help_text="Empty for a seat of no side.")
    from_day = serializers.IntegerField(min_value=0, help_text="Campaign day, from 0, on which it begins.")
    until_day = serializers.IntegerField(min_value=0, allow_null=True, help_text="On whose morning it ends.")


class CampaignRowShape(Shape):
    """A campaign in which one has a seat."""

    slug = serializers.SlugField(source="campaign.slug")
    title = serializers.CharField(source="campaign.title")
    scenario = serializers.CharField(source="campaign.scenario")
    state = serializers.ChoiceField(Campaign.State.choices)
    days_completed = serializers.IntegerField(min_value=0)
    deadline = serializers.DateTimeField(allow_null=True, help_text="null: none is set, or none is yours.")
    seats = OwnSeatShape(many=True)


class SideShape(Shape):
    """A side of the war."""

    id = serializers.CharField()
    name = serializers.CharField()
    colour = serializers.CharField()


class ViewerShape(Shape):
    """The seat by which one sees the campaign."""

    role = serializers.ChoiceField(Seat.Role.choices)
    side = serializers.CharField(allow_blank=True)
    title = serializers.CharField()
    formations = serializers.ListField(
        child=serializers.CharField(), help_text="Those a column commander orders; empty: all of the side."
    )
    may_order = serializers.BooleanField()
    may_forecast = serializers.BooleanField()


class CalendarShape(Shape):
    """The campaign's calendar."""

    date = serializers.DateField(help_text="The morning that orders are for.")
    day = serializers.IntegerField(min_value=1)
    days = serializers.IntegerField(min_value=1)
    week = serializers.IntegerField(min_value=1)
    weeks = serializers.IntegerField(min_value=1)
    weather = serializers.CharField(allow_blank=True, help_text="Of the last day played.")
    ended = serializers.BooleanField()
    deadline = serializers.DateTimeField(allow_null=True, help_text="When orders for the next day are due.")
    overdue = serializers.BooleanField(source="past")


class CampaignShape(Shape):
    """A campaign as one's seat sees it."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    scenario = serializers.CharField()
    ruleset = serializers.CharField()
    state = serializers.ChoiceField(Campaign.State.choices)
    revision = serializers.IntegerField(min_value=1, help_text="Counts up when the umpire goes back.")
    paused = serializers.CharField(allow_blank=True, help_text="Why it rests; empty: it runs.")
    time_zone = serializers.CharField()
    sides = SideShape(many=True)
    calendar = CalendarShape()
    provisional_days = serializers.IntegerField(
        min_value=0, help_text="Days that have run on while a battle waits; orders are for the next."
    )
    waiting_battles = serializers.ListField(child=serializers.IntegerField(), help_text="Their numbers.")
    viewer = ViewerShape()


class Campaigns(ApiView):
    """One's campaigns."""

    @endpoint(
        "campaigns_list",
        "My campaigns",
        answer=build_page_shape(CampaignRowShape),
        query=PageQuery,
        seen="A spectator is told the morning they see, and no deadline (HR-SET-12).",
    )
    def get(self, request: Request) -> dict[str, Any]:
        """Every campaign in which you have a seat, at this time or another, the newest first."""
        return build_page(campaign_rows(self.person), self.asked)


class CampaignDetail(CampaignView):
    """One campaign."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint(
        "campaigns_read",
        "A campaign",
        answer=CampaignShape,
        seen="A spectator sees it as late as the umpire allows; reserves and guests do not see it.",
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The state of the campaign, and the seat by which you see it."""
        return build_campaign_answer(self.reading)


def build_campaign_answer(reading: Reading) -> dict[str, Any]:
    """Build the answer for `CampaignShape`."""
    campaign, viewer = reading.campaign, reading.viewer
    late = viewer.day_limit is not None
    return {
        **{name: getattr(campaign, name) for name in ("slug", "title", "scenario", "ruleset", "time_zone")},
        "state": Campaign.State.RUNNING if late and not reading.world.ended else campaign.state,
        "revision": record_late(viewer).revision if late else campaign.revision,
        "paused": find_pause_reason(viewer),
        "sides": reading.world.theatre.sides,
        "calendar": load_calendar(viewer, reading.world),
        "provisional_days": len(reading.outlook.days),
        "waiting_battles": [row.battle.pk for row in reading.battles if row.waiting],
        "viewer": viewer,
    }
