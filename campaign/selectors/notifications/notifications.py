"""Notices as their readers and the umpire see them: the list, the ways, who is not reached."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet
from django.utils import timezone

from campaign.fog.seat_roles import DEPUTISED, seats_in_force
from campaign.models import Campaign, Delivery, Notice, NoticeChannel, User
from campaign.models.notifications import MAIL_KINDS, NO_MAIL

State = Delivery.State
#: How long it is told that somebody was not reached.
OF_LATE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class WayLine:
    """A way of a person's as the list has it: `troubled` is what is wrong with it, "" when nothing is."""

    channel: NoticeChannel
    name: str
    address: str
    carries: str
    troubled: str = ""


def notices_of(user: User) -> QuerySet[Notice]:
    """A person's notices, newest first."""
    rows = Notice.objects.filter(user=user).select_related("campaign", "user").order_by("-pk")
    return rows.prefetch_related("deliveries__channel")


def list_campaign_notifications(campaign: Campaign) -> QuerySet[Notice]:
    """A campaign's notices to everybody, newest first, with their ways: for umpires alone."""
    rows = Notice.objects.filter(campaign=campaign).select_related("campaign", "user").order_by("-pk")
    return rows.prefetch_related("deliveries__channel")


def notices_unread(user: User) -> int:
    """Count the notifications a person has not seen on the site."""
    return Notice.objects.filter(user=user, read_at=None).count()


def ways_of(user: User) -> list[WayLine]:
    """A person's ways, that to his account's address first."""
    rows = NoticeChannel.objects.filter(user=user).select_related("user")
    return [way_line(row) for row in sorted(rows, key=lambda row: (row.kind != row.Kind.ACCOUNT, row.pk))]


def way_line(channel: NoticeChannel) -> WayLine:
    """A way in words."""
    own = channel.kind == channel.Kind.ACCOUNT
    address = channel.user.email if own else channel.shown
    troubled = ""
    if channel.goes_nowhere:
        troubled = NO_MAIL
    elif own and not channel.user.email:
        troubled = "Your account has no address."
    elif not own and channel.verified_at is None and channel.failing_since is not None:
        troubled = (
            f"Nothing goes this way: its test notice did not arrive. {channel.error} Put that right and send "
            "another, or remove this way."
        )
    elif not own and channel.verified_at is None:
        troubled = "It waits for the code of its test notice."
    elif channel.failing_since is not None:
        troubled = (
            f"Not reached since {channel.failing_since.day} {channel.failing_since:%B}: {channel.error}"
        )
    return WayLine(channel, str(channel), address, describe_channel_schedule(channel), troubled)


def describe_channel_schedule(channel: NoticeChannel) -> str:
    """ "All notices, at once", "Three kinds of notices, every day at 18:00"."""
    if not channel.on:
        return "Switched off"
    number = len(set(Notice.Kind.values) - set(channel.left_out))
    what = (
        "All notices" if number == len(Notice.Kind.values) else f"{number} of {len(Notice.Kind.values)} kinds"
    )
    if not number:
        return "No notices"
    when = "at once" if channel.daily_at is None else f"every day at {channel.daily_at:%H:%M}"
    return f"{what}, {when}"


def find_unreachable_people(campaign: Campaign) -> tuple[list[User], list[User]]:
    """Return the people no channel has reached recently, and the people who give orders but have no
    channel besides the site (HR-DUE-08).
    """
    seats = [seat for seat in seats_in_force(campaign) if seat.role in DEPUTISED]
    users = [seat.user for seat in seats if seat.user]
    return out_of_reach({campaign.pk: users}, timezone.now() - OF_LATE)[campaign.pk]


def out_of_reach(
    people: Mapping[int, Collection[User]], since: datetime
) -> dict[int, tuple[list[User], list[User]]]:
    """Return the people no channel has reached since a moment, and those of `people` with no channel
    besides the site's pages.

    Both by the keys of campaigns, in one query.
    """
    Kind = NoticeChannel.Kind
    failed = FilteredRelation(
        "notices",
        condition=Q(
            notices__campaign__in=list(people),
            notices__state=Notice.State.FAILED,
            notices__created_at__gte=since,
        ),
    )
    own = NoticeChannel.objects.filter(user=OuterRef("pk"), kind=Kind.ACCOUNT, on=False)
    others = NoticeChannel.objects.filter(user=OuterRef("pk"), on=True, verified_at__isnull=False)
    mail = settings.MAIL_IS_SENT
    if not mail:
        others = others.exclude(kind__in=MAIL_KINDS)
    keys = {key: {user.pk for user in users} for key, users in people.items()}
    rows = User.objects.annotate(failed=failed, off=Exists(own), other=Exists(others))
    rows = rows.annotate(missed=F("failed__campaign"))
    asked = Q(missed__isnull=False) | Q(pk__in=set().union(*keys.values()))
    found: list[Any] = list(rows.filter(asked).order_by("pk").distinct())
    bare = {row.pk: row for row in found if not row.other}
    if mail:
        bare = {key: row for key, row in bare.items() if row.off or not row.email}
    return {
        key: (
            [row for row in found if row.missed == key],
            [bare[one] for one in sorted(bare.keys() & users)],
        )
        for key, users in keys.items()
    }
