"""A person's deadlines as a calendar at a secret address (HR-DUE-10)."""

import hashlib
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from urllib.parse import urlsplit

from django.conf import settings
from icalendar import Calendar, Event

from campaign.fog.viewers import NotSeated, campaigns_for, viewer_of
from campaign.models import CalendarFeed, Campaign, User
from campaign.selectors.turns.deadlines import deadlines_after

#: Deadlines told ahead of the one that is set, as the rhythm lets expect them.
EXPECTED = 4


def calendar_make(*, user: User) -> str:
    """A new address for the person's calendar, and the token nobody can tell later; an older one is void."""
    token = secrets.token_urlsafe(32)
    CalendarFeed.objects.update_or_create(user=user, defaults={"token_hash": _hash_token(token)})
    return token


def calendar_end(*, user: User) -> int:
    """The address is void from now on; 1 if there was one."""
    return CalendarFeed.objects.filter(user=user).delete()[0]


def calendar_owner(token: str) -> User | None:
    """Find the owner of a calendar by its token; None for an unknown token or an inactive account."""
    found = CalendarFeed.objects.filter(token_hash=_hash_token(token), user__is_active=True)
    feed = found.select_related("user").first()
    return feed.user if feed else None


def calendar_of(user: User, slug: str = "") -> bytes | None:
    """The calendar of all campaigns a person plays in, or of one; None for one he does not play in."""
    campaigns = list(_iter_running_campaigns(user, slug))
    if slug and not campaigns:
        return None
    calendar = Calendar()
    calendar.add("prodid", "-//Campaign manager//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", campaigns[0].title if slug else "Campaigns: orders due")
    calendar.add("refresh-interval;value=duration", "PT1H")
    for campaign in campaigns:
        for event in _iter_deadline_events(campaign):
            calendar.add_component(event)
    return bytes(calendar.to_ical())


def _iter_running_campaigns(user: User, slug: str) -> Iterator[Campaign]:
    """Iterate over the running campaigns in which the person takes part today."""
    found = campaigns_for(user).filter(state=Campaign.State.RUNNING).select_related("head")
    for campaign in found.filter(slug=slug) if slug else found.order_by("pk"):
        try:
            viewer = viewer_of(user, campaign)
        except NotSeated:
            continue
        if not viewer.looks_on:
            yield campaign


def _iter_deadline_events(campaign: Campaign) -> Iterator[Event]:
    if campaign.deadline is None or campaign.paused:
        return
    yield _build_deadline_event(campaign, campaign.deadline, 0)
    expected = islice(deadlines_after(campaign, campaign.deadline), EXPECTED)
    for number, (moment, _) in enumerate(expected, 1):
        yield _build_deadline_event(campaign, moment, number)


def _build_deadline_event(campaign: Campaign, moment: datetime, number: int) -> Event:
    """Build a deadline's calendar event; number 0 is set, later ones expected. Its id stays when moved."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    event = Event()
    event.add("uid", f"{campaign.slug}-{campaign.revision}-{campaign.day}-{number}@{host}")
    made = campaign.head.created_at if campaign.head else campaign.created_at
    event.add("dtstamp", made.astimezone(UTC).replace(microsecond=0))
    event.add("dtstart", moment.astimezone(UTC).replace(microsecond=0))
    expected = " (expected)" if number else ""
    event.add("summary", f"{campaign.title}: orders are due{expected}")
    event.add("status", "TENTATIVE" if number else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    event.add("url", settings.SITE_URL.rstrip("/") + campaign.get_absolute_url())
    return event


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
