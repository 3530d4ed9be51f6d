"""The public page, open to every seat of a campaign, also to waiting and future ones; taking and leaving
seats.
"""

from datetime import timedelta
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.api.seats.seats import SeatShape
from campaign.fog.viewers import campaign_of, list_person_seats
from campaign.models import Campaign, Seat
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.seats import all_rows, public_rows
from campaign.services.seats.changes import seat_leave, seat_take

#: Seats that only look on or wait, which their holders may give up themselves.
LEAVES = (Seat.Role.RESERVE, Seat.Role.SPECTATOR, Seat.Role.GUEST)


class MySeatShape(Shape):
    """A seat of one's own in a campaign."""

    number = serializers.IntegerField(source="pk")
    title = serializers.CharField(source="*")
    role = serializers.ChoiceField(Seat.Role.choices)
    side = serializers.CharField(allow_blank=True)
    from_day = serializers.IntegerField(help_text="Campaign day, from 0, on which it begins.")
    until_day = serializers.IntegerField(allow_null=True, help_text="On whose morning it ends; null: never.")
    now = serializers.SerializerMethodField(help_text="Whether it is held today.")
    may_leave = serializers.SerializerMethodField(help_text="Whether you may give it up yourself.")

    def get_now(self, seat: Seat) -> bool:
        return seat.holds(seat.campaign.day)

    def get_may_leave(self, seat: Seat) -> bool:
        return seat.role in LEAVES


class PublicShape(Shape):
    """The public page of a campaign."""

    slug = serializers.SlugField(source="campaign.slug")
    title = serializers.CharField(source="campaign.title")
    state = serializers.ChoiceField(Campaign.State.choices, source="campaign.state")
    date = serializers.DateField()
    day = serializers.IntegerField(min_value=1)
    days = serializers.IntegerField(min_value=1)
    seats = SeatShape(many=True, help_text="Umpires and commanders.")
    mine = MySeatShape(many=True)
    offers = SeatShape(many=True, help_text="For a person on the reserve: the seats they may take.")


class PublicView(ApiView):
    """A view for whoever has a seat of any kind, today or not."""

    @cached_property
    def campaign(self) -> Campaign:
        return campaign_of(self.person, self.kwargs["slug"])

    def admit(self) -> None:
        assert self.campaign


class Public(PublicView):
    """The public page."""

    @endpoint(
        "campaigns_public",
        "The public page of a campaign",
        answer=PublicShape,
        seen="Everybody with a seat of any kind, today or on other days; offers are told to the reserve.",
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The calendar, who commands, your own seats, and those you may take."""
        campaign = self.campaign
        theatre, mine = theatre_load(campaign), list_person_seats(self.person, campaign)
        day = min(campaign.day, theatre.days - 1)
        reserve = any(seat.role == Seat.Role.RESERVE for seat in mine)
        rows = all_rows(campaign, theatre.start) if reserve else []
        return {
            "campaign": campaign,
            "date": theatre.start + timedelta(days=day),
            "day": day + 1,
            "days": theatre.days,
            "seats": public_rows(campaign, theatre.start),
            "mine": mine,
            "offers": [row for row in rows if row.is_offered and row.state != "past"],
        }


class Take(PublicView):
    """A seat that is offered."""

    @endpoint("seats_take", "Take an offered seat", answer=MySeatShape, scope=Scope.ORDER)
    def post(self, request: Request, slug: str, seat: int) -> Seat:
        """Gives an offered seat to a person on the reserve. Rules: HR-SET-10."""
        found = get_object_or_404(Seat, campaign=self.campaign, pk=seat)
        return seat_take(seat=found, user=self.person)


class Leave(PublicView):
    """A seat given up."""

    @endpoint("seats_leave", "Give a seat of mine up", scope=Scope.ORDER)
    def post(self, request: Request, slug: str, seat: int) -> None:
        """You give up a seat that only looks on or waits; other seats the umpire takes."""
        own = [each for each in list_person_seats(self.person, self.campaign) if each.role in LEAVES]
        found = next((each for each in own if each.pk == seat), None)
        if found is None:
            raise Http404
        seat_leave(seat=found, user=self.person)
