"""Accounts closed and deactivated: what goes, what stays, and who is told (HR-SET-16)."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from campaign.ledger.audit import Kind, audit_note
from campaign.models import (
    Absence,
    ApiToken,
    CalendarFeed,
    Campaign,
    CampaignDraft,
    IdempotencyKey,
    Invitation,
    InvitationKept,
    Job,
    Notice,
    NoticeChannel,
    Restoration,
    Seat,
    User,
    Visit,
)
from campaign.rules.errors import RuleViolation
from campaign.services.notifications.notifications import seat_empty_tell
from campaign.services.seats.assignment import Role, lock_campaign, seat_put, tenure_end

RULE = "HR-SET-16"
#: What pages call the person of a closed account.
FORMER = "Former member"
#: What is the person's alone, and goes with the account.
GOES = (
    Absence,
    ApiToken,
    Authenticator,
    CalendarFeed,
    CampaignDraft,
    EmailAddress,
    IdempotencyKey,
    InvitationKept,
    Notice,
    NoticeChannel,
    Restoration,
    Visit,
)


def account_close(*, user: User, actor: User | None) -> User:
    """Close an account: nothing opens it any more, and nothing of the person is left in it.

    The seats fall empty as when the umpire empties them; deputies, orders and histories stay, and those
    concerned are told. Done twice it is done once. `actor` is the person, an administrator, or None for
    the machine. Raises RuleViolation for the umpire of a running campaign, the site's only administrator,
    and anybody who closes the account of somebody else.
    """
    with transaction.atomic():
        for campaign in Campaign.objects.filter(seats__user=user).order_by("pk").distinct():
            lock_campaign(campaign)  # before the person: as whoever gives a seat does
        user = User.objects.select_for_update().get(pk=user.pk)
        if user.closed_at is not None:
            return user
        _verify_may_close(user, actor)
        _seats_empty(user, actor)
        audit_note(Kind.ACCOUNT, actor, f"account {user.username} closed")
        addresses = [user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)]
        _own_delete(user)
        _addresses_forget(user, [each for each in addresses if each])
        Job.objects.filter(requested_by=user, campaign=None).update(requested_by=None)
        _anonymise_user(user)
    return user


def account_off_tell(*, user: User, actor: User | None) -> None:
    """Tell those concerned that an account was deactivated: nobody acts in its seats (HR-SET-16)."""
    for seat in _list_unended_seats(user):
        seat_empty_tell(seat=seat, why="off", actor=actor, before=user)


def seats_to_hand_over(user: User) -> list[Seat]:
    """The umpire's seats of running campaigns that the person holds, or is to hold."""
    running = _list_unended_seats(user).filter(role=Role.UMPIRE, campaign__state=Campaign.State.RUNNING)
    return list(running)


def seats_falling_empty(user: User) -> list[Seat]:
    """The person's other seats, which fall empty when the account is closed."""
    over = {seat.pk for seat in seats_to_hand_over(user)}
    return [seat for seat in _list_unended_seats(user) if seat.pk not in over]


def _list_unended_seats(user: User) -> QuerySet[Seat]:
    """List a person's seats that have not ended. Ended seats are history and stay."""
    lasting = Q(until_day=None) | Q(until_day__gt=F("campaign__day"))
    return Seat.objects.filter(lasting, user=user).select_related("campaign", "user").order_by("pk")


def _verify_may_close(user: User, actor: User | None) -> None:
    if actor is not None and actor.pk != user.pk and not (actor.is_active and actor.is_superuser):
        raise RuleViolation(RULE, "This is not your account; only its person or an administrator closes it.")
    if held := seats_to_hand_over(user):
        titles = ", ".join(dict.fromkeys(str(seat.campaign) for seat in held))
        raise RuleViolation(
            RULE,
            f"{user.username} is the umpire of {titles}; give that seat to somebody else first, on the page "
            "of seats, or end the campaign.",
            "user",
        )
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise RuleViolation(
            RULE,
            f"{user.username} is the only administrator of this site; make another account one first.",
            "user",
        )


def _seats_empty(user: User, actor: User | None) -> None:
    for seat in _list_unended_seats(user):
        if seat.role == Role.UMPIRE:  # of an ended campaign, which can do without
            tenure_end(seat)
            seat.user = None
            seat.save(update_fields=["user"])
        else:
            seat_put(seat, None)
        seat_empty_tell(seat=seat, why="closed", actor=actor, before=user)


def _own_delete(user: User) -> None:
    for model in GOES:
        mine = {"owner": user} if model is Restoration else {"user": user}
        model._default_manager.filter(**mine).delete()


def _addresses_forget(user: User, addresses: list[str]) -> None:
    """Invitations no longer say to which address of the person they went."""
    sent = Q(used_by=user)
    for address in addresses:
        sent |= Q(email__iexact=address)
    Invitation.objects.filter(sent).update(email="")


def _anonymise_user(user: User) -> None:
    """Remove all personal details from an account; its unusable password ends every session."""
    user.username, number = f"closed-{user.pk}", 1
    while User.objects.filter(username=user.username).exclude(pk=user.pk).exists():
        number += 1
        user.username = f"closed-{user.pk}-{number}"
    user.first_name, user.last_name, user.email, user.time_zone = FORMER, "", "", ""
    user.quiet_from = user.quiet_until = user.last_login = None
    user.is_active = user.is_staff = user.is_superuser = False
    user.closed_at = timezone.now()
    user.set_unusable_password()
    user.user_permissions.clear()
    user.groups.clear()
    user.save()
