"""Invitations one has been given: opened by their link's token, and taken up (HR-SET-13)."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.api.seats.public import MySeatShape
from campaign.models import Invitation, InvitationKept, Seat
from campaign.services.seats.invitations import (
    invitation_accept,
    invitation_find,
    invitation_keep,
    invitations_for,
    verify_acceptable,
)


class LinkTokenShape(Shape):
    """The link of an invitation."""

    token = serializers.CharField(max_length=100, help_text="What its link has between join/ and the end.")


class OwnInvitationShape(Shape):
    """A seat one is invited to."""

    number = serializers.IntegerField(source="pk")
    campaign = serializers.CharField(source="campaign.slug")
    campaign_title = serializers.CharField(source="campaign.title")
    title = serializers.CharField(source="seat")
    role = serializers.ChoiceField(Seat.Role.choices, source="seat.role")
    side = serializers.CharField(allow_blank=True, source="seat.side")
    expires_at = serializers.DateTimeField()


class OwnInvitations(ApiView):
    """One's invitations."""

    @endpoint("me_invitations", "My invitations", answer=OwnInvitationShape(many=True))
    def get(self, request: Request) -> list[Invitation]:
        """Those you have opened and could still take up, the last opened first."""
        return invitations_for(self.person)

    @endpoint(
        "me_invitation_open",
        "Open an invitation",
        body=LinkTokenShape,
        answer=OwnInvitationShape,
        scope=Scope.ORDER,
    )
    def post(self, request: Request) -> Invitation:
        """An invitation by the token of its link; it stands among yours from now on. Rules: HR-SET-13."""
        found = invitation_find(self.given["token"])
        if found is None:
            raise Http404
        verify_acceptable(found, self.person)
        invitation_keep(invitation=found, user=self.person)
        return found


class Accept(ApiView):
    """Taking up an invitation."""

    @endpoint("me_invitation_accept", "Take up an invitation", answer=MySeatShape, scope=Scope.ORDER)
    def post(self, request: Request, number: int) -> Any:
        """You take the seat of an invitation you have opened. Rules: HR-SET-04, HR-SET-13."""
        kept = InvitationKept.objects.filter(invitation=number, user=self.person)
        found = get_object_or_404(Invitation, pk__in=kept.values("invitation"))
        return invitation_accept(invitation=found, user=self.person)
