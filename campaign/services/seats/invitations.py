"""Invitations to seats: a link that is used once and expires (HR-SET-13)."""

import hashlib
import ipaddress
import secrets
from collections.abc import Iterable
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from campaign.ledger.dice import verify_secret
from campaign.models import Campaign, Invitation, InvitationKept, Seat, User
from campaign.ops.encryption import decrypt_text, encrypt_text
from campaign.rules.errors import RuleViolation
from campaign.services.notifications.email import mails_send_or_keep
from campaign.services.notifications.notifications import seat_taken_tell
from campaign.services.seats.assignment import has_overlapping_dates, lock_campaign, seats_note, verify_actor
from campaign.services.seats.changes import seat_fill

RULE = "HR-SET-13"
#: Days an invitation is good for: usual, and at most.
USUAL, LONGEST = 14, 60
#: Open invitations a campaign may have at one time.
MOST = 50
State = Invitation.State


def invitation_make(
    *, campaign: Campaign, seat: Seat, email: str = "", days: int = USUAL, actor: User | None
) -> tuple[Invitation, str]:
    """An invitation to an empty seat, and the token of its link.

    Links made for the seat before open nothing any more: of two that look alike nobody could tell which
    to pass on. Raises RuleViolation for a seat that is held or another campaign's, and an actor who may
    not give seats.
    """
    verify_secret(campaign)
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        verify_actor(campaign, actor)
        current = Seat.objects.filter(pk=seat.pk, campaign=campaign).first()
        if current is None:
            raise RuleViolation(RULE, "That seat has been closed meanwhile; load the page again.", "seat")
        if current.user_id is not None:
            raise RuleViolation(RULE, f"{current} is held; empty the seat before you invite.", "seat")
        if not 1 <= days <= LONGEST:
            raise RuleViolation(RULE, f"An invitation is good for 1 to {LONGEST} days.", "days")
        if invitations_open(campaign).filter(seat=current).update(taken_back_at=timezone.now(), sealed=""):
            seats_note(actor, f"older invitation to {current} ended", campaign)
        if invitations_open(campaign).count() >= MOST:
            raise RuleViolation(RULE, f"{MOST} invitations are open; take some back first.", "seat")
        token = secrets.token_urlsafe(32)
        invitation = Invitation.objects.create(
            campaign=campaign,
            seat=current,
            token_hash=_hash_token(token),
            sealed=encrypt_text(token),
            email=email,
            expires_at=timezone.now() + timedelta(days=days),
            made_by=actor,
        )
        seats_note(actor, f"invitation to {current} made", campaign)
    return invitation, token


def invitations_open(campaign: Campaign) -> QuerySet[Invitation]:
    """Invitations of a campaign that could be taken up."""
    rows = Invitation.objects.filter(campaign=campaign, used_at=None, taken_back_at=None)
    return rows.filter(expires_at__gt=timezone.now())


def invitation_replace(*, invitation: Invitation, actor: User | None) -> tuple[Invitation, str]:
    """Another link for the same seat and address; the present one opens nothing any more.

    Raises RuleViolation as `invitation_make` does, and for an invitation that is used or ended.
    """
    if invitation.state != State.OPEN:
        raise RuleViolation(
            RULE,
            f"This invitation is {State(invitation.state).label}; invite to the seat again.",
            "invitation",
        )
    return invitation_make(
        campaign=invitation.campaign, seat=invitation.seat, email=invitation.email, actor=actor
    )


def invitation_token(invitation: Invitation) -> str:
    """The token of a link that can still be used; "" if it cannot, or an older version kept none."""
    if invitation.state != State.OPEN or not invitation.sealed:
        return ""
    return decrypt_text(invitation.sealed) or ""


def invitation_link(token: str, here: str) -> str:
    """The address to pass on: at SITE_URL, or where that leads to this computer alone at the site as it is
    open `here`, "http://192.168.1.20:8000/".
    """
    base = here if only_here(settings.SITE_URL) else settings.SITE_URL
    return base.rstrip("/") + reverse("invitation-link", args=[token])


def only_here(address: str) -> bool:
    """True when an address points at the reader's own computer: localhost, 127.0.0.1, 0.0.0.0 or ::1."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified


def invitation_send(*, invitation: Invitation, token: str) -> bool:
    """Send the link to the invitation's address; False if it is not sent, and `letter` says why.

    What may still succeed is tried again by itself.
    """
    return bool(invitations_send([(invitation, token)]))


def invitations_send(given: Iterable[tuple[Invitation, str]]) -> set[int]:
    """The same for several with their tokens, in the time of one; gives the keys of those sent."""
    rows = list(given)
    said = mails_send_or_keep([(_build_invitation_email(*row), row[0]) for row in rows])
    for (invitation, _), why in zip(rows, said, strict=True):
        if why:
            invitation.letter = why[:200]
            invitation.save(update_fields=["letter"])
    return {invitation.pk for (invitation, _), why in zip(rows, said, strict=True) if not why}


def _build_invitation_email(invitation: Invitation, token: str) -> EmailMessage:
    link = invitation_link(token, settings.SITE_URL)
    until = f"{invitation.expires_at.day} {invitation.expires_at:%B}"
    text = (
        f"You are invited to {invitation.campaign}, as {invitation.seat}. The link is for you alone and good "
        f"until {until}:\n\n{link}\n\nIt asks before anything is settled.\n"
    )
    subject = f"{invitation.campaign}: a seat for you"
    return EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [invitation.email])


def invitation_take_back(*, invitation: Invitation, actor: User | None) -> None:
    """The link is void from now on. Raises RuleViolation when it has been taken up meanwhile."""
    with transaction.atomic():
        campaign = lock_campaign(invitation.campaign)
        verify_actor(campaign, actor)
        current = Invitation.objects.get(pk=invitation.pk)
        if current.state == State.USED:
            raise RuleViolation(
                RULE, "The invitation has been taken up meanwhile; empty the seat instead.", "invitation"
            )
        if current.state == State.OPEN:
            current.taken_back_at, current.sealed = timezone.now(), ""
            current.save(update_fields=["taken_back_at", "sealed"])
            seats_note(actor, f"invitation to {current.seat} taken back", campaign)


def invitation_accept(*, invitation: Invitation, user: User) -> Seat:
    """A person takes the seat he is invited to; of two at once the second is refused.

    Raises RuleViolation with a sentence for him when the invitation or the seat is no longer to be had.
    """
    verify_secret(invitation.campaign)
    with transaction.atomic():
        lock_campaign(invitation.campaign)
        current = Invitation.objects.select_related("seat", "campaign").get(pk=invitation.pk)
        verify_acceptable(current, user)
        seat = seat_fill(seat=current.seat, user=user, actor=None)
        seat_taken_tell(seat=seat, how="invited")
        current.used_by, current.used_at, current.sealed = user, timezone.now(), ""
        current.save(update_fields=["used_by", "used_at", "sealed"])
        InvitationKept.objects.filter(invitation=current).delete()
    return seat


def verify_acceptable(invitation: Invitation, user: User | None) -> None:
    """Refuses an invitation that cannot be taken up, in words for the invited; None is not signed in."""
    words = {
        State.USED: "This invitation has been used already. Ask the umpire for another.",
        State.TAKEN_BACK: "The umpire has taken this invitation back, or made a newer link. "
        "Ask the umpire for the newer one, or which seat is for you.",
        State.EXPIRED: f"This invitation expired on {invitation.expires_at.day} "
        f"{invitation.expires_at:%B %Y}. Ask the umpire for a new link.",
    }
    if invitation.state != State.OPEN:
        raise RuleViolation(RULE, words[State(invitation.state)], "invitation")
    if invitation.seat.user_id is not None:
        raise RuleViolation(
            RULE, "Somebody has taken this seat meanwhile. Ask the umpire for another.", "invitation"
        )
    own = Seat.objects.filter(campaign=invitation.campaign_id, user=user).exclude(role=Seat.Role.RESERVE)
    for seat in own if user is not None and invitation.seat.role != Seat.Role.RESERVE else ():
        if has_overlapping_dates(invitation.seat, seat):
            raise RuleViolation(
                RULE,
                f"You have a seat of this campaign already: {seat}. A person has one; if you are to change, "
                "ask the umpire to empty yours first.",
                "invitation",
            )


def invitation_find(token: str) -> Invitation | None:
    """The invitation of a link."""
    found = Invitation.objects.filter(token_hash=_hash_token(token))
    return found.select_related("seat", "campaign").first()


def invitation_keep(*, invitation: Invitation, user: User) -> None:
    """Keep for a person the invitation they opened, so that they find it on their own page."""
    InvitationKept.objects.get_or_create(invitation=invitation, user=user)


def invitations_for(user: User) -> list[Invitation]:
    """The invitations a person has opened and could still take up, the last opened first."""
    now = timezone.now()
    rows = InvitationKept.objects.filter(
        user=user,
        invitation__used_at=None,
        invitation__taken_back_at=None,
        invitation__expires_at__gt=now,
        invitation__seat__user=None,
    )
    return [row.invitation for row in rows.select_related("invitation__seat", "invitation__campaign")]


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
