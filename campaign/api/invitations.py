"""Invitations to empty seats, by the umpire (HR-SET-13)."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.contract import Scope, endpoint
from campaign.api.serializers import Shape
from campaign.api.views import CampaignView
from campaign.models import Seat
from campaign.services.invitations import (
    LONGEST,
    USUAL,
    invitation_make,
    invitation_take_back,
    invitations_open,
)

SEEN = "For the umpire himself; for others there is nothing here."


class InviteShape(Shape):
    """Whom to invite."""

    seat = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="Its number, of seats_list.")
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST, default=USUAL, help_text="It is good for."
    )


class InvitationShape(Shape):
    """An invitation that may be taken up."""

    number = serializers.IntegerField(source="pk")
    seat = serializers.IntegerField(source="seat_id")
    title = serializers.CharField(source="seat")
    email = serializers.CharField(allow_blank=True, help_text="Where its link was sent, if anywhere.")
    expires_at = serializers.DateTimeField()


class InvitedShape(InvitationShape):
    """An invitation just made."""

    link = serializers.CharField(allow_blank=True, help_text="Told this once: pass it on.")


class Invitations(CampaignView):
    """Invitations to seats."""

    @endpoint("invitations_list", "Open invitations", answer=InvitationShape(many=True), seen=SEEN)
    def get(self, request: Request, slug: str) -> Any:
        """Those whose links are good."""
        self.chief()
        return list(invitations_open(self.campaign).select_related("seat__user").order_by("pk"))

    @endpoint(
        "invitations_make",
        "Invite to a seat",
        body=InviteShape,
        answer=InvitedShape,
        status=201,
        scope=Scope.UMPIRE,
        refuses=(422,),
        once=("link",),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """A link to an empty seat, for whoever has it; it is sent to nobody."""
        viewer = self.chief()
        seat = get_object_or_404(Seat, pk=self.given["seat"], campaign=self.campaign)
        made, token = invitation_make(
            campaign=self.campaign, seat=seat, days=self.given["days"], actor=viewer.user
        )
        link = request.build_absolute_uri(reverse("invitation-link", args=[token]))
        plain = {name: getattr(made, name) for name in ("pk", "seat_id", "seat", "email", "expires_at")}
        return {**plain, "link": link}


class TakeBack(CampaignView):
    """One invitation."""

    @endpoint(
        "invitations_take_back", "Take an invitation back", scope=Scope.UMPIRE, refuses=(422,), seen=SEEN
    )
    def delete(self, request: Request, slug: str, number: int) -> None:
        """Its link opens nothing any more."""
        viewer = self.chief()
        found = get_object_or_404(invitations_open(self.campaign), pk=number)
        invitation_take_back(invitation=found, actor=viewer.user)
