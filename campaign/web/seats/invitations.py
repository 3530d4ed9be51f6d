"""From an invitation's link to a seat: looked at, kept through signing up, and taken when confirmed."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.models import Invitation, InvitationKept, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.seats.invitations import (
    invitation_accept,
    invitation_find,
    invitation_keep,
    verify_acceptable,
)

Role = Seat.Role
DUTIES = {
    Role.UMPIRE: "You lead the campaign: you see both sides, set the deadlines and play the days.",
    Role.ASSISTANT: "You help the umpire: you see both sides and play the days with them.",
    Role.COMMANDER: "You command the side: you see what it sees, write its orders and settle its battles.",
    Role.COLUMN: "You command a column: you see what your side sees, and write the orders of the column.",
    Role.DEPUTY: "You see what the side sees, and act for its commander while they are away.",
    Role.GUEST: "You fight one battle for the side, and see nothing else of the campaign.",
    Role.RESERVE: "You wait for a seat to fall empty, and are told when one is offered.",
    Role.SPECTATOR: "You watch, some days behind the players.",
}


def describe_duties(seat: Seat) -> str:
    """One sentence about the seat's role."""
    return DUTIES[Role(seat.role)]


#: Where the session keeps the key of the invitation that was opened last.
OPENED = "invitation"


@never_cache
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation's link: it is kept with the session, and with the person who has signed in."""
    invitation = invitation_find(token)
    if invitation is None:
        return render(request, "campaign/invitation.html", {}, status=404)
    request.session[OPENED] = invitation.pk
    if isinstance(request.user, User):
        invitation_keep(invitation=invitation, user=request.user)
    return redirect("invitation", invitation.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the seat a person is invited to; posted, take it."""
    invitation = _get_opened_invitation(request, pk)
    user = request.user if isinstance(request.user, User) else None
    refusal = ""
    if user is not None and invitation.seat.user_id == user.pk:
        return redirect(invitation.campaign)  # the seat is his already, by another link or the umpire's hand
    try:
        if request.method == "POST" and user is not None:
            seat = invitation_accept(invitation=invitation, user=user)
            request.session.pop(OPENED, None)
            messages.success(request, f"You have taken your seat: {seat}.")
            return redirect(invitation.campaign)
        verify_acceptable(invitation, user)
    except RuleViolation as violation:
        if user is not None and Invitation.objects.filter(pk=pk, used_by=user).exists():
            return redirect(invitation.campaign)  # a second click at once, or the link opened again
        refusal = violation.message
    context = {"invitation": invitation, "refusal": refusal, "duties": describe_duties(invitation.seat)}
    return render(request, "campaign/invitation.html", context, status=409 if refusal else 200)


def _get_opened_invitation(request: HttpRequest, pk: int) -> Invitation:
    """An invitation whose link this browser or this person has opened."""
    invitation = get_object_or_404(Invitation.objects.select_related("seat", "campaign"), pk=pk)
    if request.session.get(OPENED) == pk:
        return invitation
    if isinstance(request.user, User):
        kept = InvitationKept.objects.filter(invitation=invitation, user=request.user)
        if kept.exists() or invitation.used_by_id == request.user.pk:
            return invitation
    raise Http404("Open the invitation's link once more.")


def invitation_waiting(request: HttpRequest) -> Invitation | None:
    """The invitation this browser has opened, if its seat is still to be had."""
    opened: int = request.session.get(OPENED, 0)
    invitation = Invitation.objects.select_related("seat", "campaign").filter(pk=opened).first()
    if invitation is None or invitation.state != Invitation.State.OPEN or invitation.seat.user_id:
        return None
    return invitation
