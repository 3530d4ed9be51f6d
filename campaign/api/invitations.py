"""Invitations to empty seats, by the umpire (HR-SET-13)."""

from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.contract import Scope, endpoint
from campaign.api.serializers import Shape
from campaign.api.views import ChiefView
from campaign.models import Seat
from campaign.services.invitations import (
    LONGEST,
    USUAL,
    invitation_link,
    invitation_make,
    invitation_send,
    invitation_take_back,
    invitations_open,
)

SEEN = "For the umpire himself; for others there is nothing here."


class InviteShape(Shape):
    """Whom to invite."""

    seat = serializers.IntegerField(min_value=1, max_value=2**53 - 1, help_text="Its number, of seats_list.")
    email = serializers.EmailField(
        max_length=254,
        allow_blank=True,
        default="",
        help_text="Where its link is sent, if this site sends mail; empty: nowhere.",
    )
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
    sent = serializers.BooleanField(help_text="Whether a letter with the link has gone out.")


class Invitations(ChiefView):
    """Invitations to seats."""

    @endpoint("invitations_list", "Open invitations", answer=InvitationShape(many=True), seen=SEEN)
    def get(self, request: Request, slug: str) -> Any:
        """Those whose links are good."""
        return list(invitations_open(self.campaign).select_related("seat__user").order_by("pk"))

    @endpoint(
        "invitations_make",
        "Invite to a seat",
        body=InviteShape,
        answer=InvitedShape,
        status=201,
        scope=Scope.UMPIRE,
        refuses=(422,),
        together=False,
        once=("link",),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """A link to an empty seat, for whoever has it; sent by mail where an address is given.

        Links made for the seat before open nothing any more. Rules: HR-SET-13.
        """
        email = self.given["email"]
        seat = get_object_or_404(Seat, pk=self.given["seat"], campaign=self.campaign)
        made, token = invitation_make(
            campaign=self.campaign, seat=seat, email=email, days=self.given["days"], actor=self.person
        )
        sent = bool(email) and settings.MAIL_IS_SENT and invitation_send(invitation=made, token=token)
        link = invitation_link(token, request.build_absolute_uri("/"))
        plain = {name: getattr(made, name) for name in ("pk", "seat_id", "seat", "email", "expires_at")}
        return {**plain, "link": link, "sent": sent}


class TakeBack(ChiefView):
    """One invitation."""

    @endpoint(
        "invitations_take_back", "Take an invitation back", scope=Scope.UMPIRE, refuses=(422,), seen=SEEN
    )
    def delete(self, request: Request, slug: str, number: int) -> None:
        """Its link opens nothing any more."""
        found = get_object_or_404(invitations_open(self.campaign), pk=number)
        invitation_take_back(invitation=found, actor=self.person)
