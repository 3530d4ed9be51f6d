"""Invitations to empty seats, by the umpire (HR-SET-13)."""

from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ChiefView
from campaign.models import Campaign, Invitation, Seat
from campaign.services.seats.invitations import (
    LONGEST,
    USUAL,
    invitation_link,
    invitation_make,
    invitation_replace,
    invitation_send,
    invitation_take_back,
    invitation_token,
    invitations_open,
)

SEEN = "For the umpire alone; for others there is nothing here."


class InviteShape(Shape):
    """The person to invite."""

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


class InvitationLinkShape(InvitationShape):
    """An invitation with its link."""

    link = serializers.CharField(
        allow_blank=True, help_text="To pass on. Empty: an older version of this site kept none; replace it."
    )


class InvitedShape(InvitationLinkShape):
    """An invitation just made."""

    sent = serializers.BooleanField(help_text="Whether an e-mail with the link has gone out.")


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
        together=False,
        once=("link",),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """A link to an empty seat, for whoever has it; sent by e-mail where an address is given.

        Links made for the seat before open nothing any more. Rules: HR-SET-13.
        """
        seat = get_object_or_404(Seat, pk=self.given["seat"], campaign=self.campaign)
        made, token = invitation_make(
            campaign=self.campaign,
            seat=seat,
            email=self.given["email"],
            days=self.given["days"],
            actor=self.person,
        )
        return build_sent_invitation(request, made, token)


class InvitationDetail(ChiefView):
    """One invitation."""

    @endpoint(
        "invitations_read",
        "Show an invitation again",
        answer=InvitationLinkShape,
        scope=Scope.UMPIRE,
        secret=True,
        seen=SEEN,
        refuses=(),
    )
    def get(self, request: Request, slug: str, number: int) -> dict[str, Any]:
        """An open invitation with its link, until it is used. Rules: HR-SET-13."""
        found = open_invitation(self.campaign, number)
        return build_invitation_link(request, found, invitation_token(found))

    @endpoint("invitations_take_back", "Take an invitation back", scope=Scope.UMPIRE, seen=SEEN)
    def delete(self, request: Request, slug: str, number: int) -> None:
        """Its link opens nothing any more."""
        invitation_take_back(invitation=open_invitation(self.campaign, number), actor=self.person)


class InvitationReplace(ChiefView):
    """Another link in the place of one."""

    @endpoint(
        "invitations_replace",
        "Replace an invitation",
        answer=InvitedShape,
        status=201,
        scope=Scope.UMPIRE,
        together=False,
        once=("link",),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str, number: int) -> dict[str, Any]:
        """Another link for the same seat and address; the present one opens nothing any more.

        Rules: HR-SET-13.
        """
        made, token = invitation_replace(invitation=open_invitation(self.campaign, number), actor=self.person)
        return build_sent_invitation(request, made, token)


def open_invitation(campaign: Campaign, number: int) -> Invitation:
    """An invitation to an empty seat that can be taken up. Raises Http404."""
    rows = invitations_open(campaign).select_related("campaign", "seat__user")
    return get_object_or_404(rows, pk=number, seat__user=None)


def build_invitation_link(request: Request, invitation: Invitation, token: str) -> dict[str, Any]:
    """An invitation with its link, as `InvitationLinkShape` has it."""
    names = ("pk", "seat_id", "seat", "email", "expires_at")
    link = invitation_link(token, request.build_absolute_uri("/")) if token else ""
    return {name: getattr(invitation, name) for name in names} | {"link": link}


def build_sent_invitation(request: Request, invitation: Invitation, token: str) -> dict[str, Any]:
    """An invitation just made, sent where an address is given and the site sends e-mail."""
    sent = bool(invitation.email) and settings.MAIL_IS_SENT
    sent = sent and invitation_send(invitation=invitation, token=token)
    return build_invitation_link(request, invitation, token) | {"sent": sent}
