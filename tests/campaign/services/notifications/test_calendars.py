"""Deadlines as a calendar at a secret address (HR-DUE-10)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from campaign.models import CalendarFeed, Campaign, Seat, User
from campaign.services.notifications.calendars import calendar_end, calendar_make, calendar_of, calendar_owner
from campaign.services.seats.changes import seat_open

pytestmark = pytest.mark.django_db


def events(body: bytes) -> list[tuple[str, datetime, str]]:
    found = Calendar.from_ical(body).walk("VEVENT")
    return [(str(one["summary"]), one["dtstart"].dt, str(one["uid"])) for one in found]


def test_an_address_is_secret_made_anew_and_ended_hr_due_10(saratoga, burgoyne):
    first = calendar_make(user=burgoyne)
    assert first not in repr(CalendarFeed.objects.values().get()) and len(first) > 40
    assert calendar_owner(first) == burgoyne
    second = calendar_make(user=burgoyne)
    assert calendar_owner(first) is None and calendar_owner(second) == burgoyne
    User.objects.filter(pk=burgoyne.pk).update(is_active=False)
    assert calendar_owner(second) is None
    calendar_end(user=burgoyne)
    assert not CalendarFeed.objects.exists()


def test_it_tells_the_deadline_and_what_the_rhythm_lets_expect_hr_due_10(saratoga, burgoyne):
    assert events(calendar_of(burgoyne)) == []
    london = ZoneInfo("Europe/London")
    deadline = datetime(2030, 3, 28, 20, tzinfo=london)  # over the change to summer time
    Campaign.objects.update(deadline=deadline, cadence_days=7, time_zone="Europe/London")
    told = events(calendar_of(burgoyne))
    assert told[0][:2] == ("Saratoga 1777: orders are due", deadline.astimezone(UTC))
    assert [moment.astimezone(london).hour for _, moment, _ in told] == [20] * 5
    assert all(summary.endswith("(expected)") for summary, *_ in told[1:])
    Campaign.objects.update(deadline=deadline + timedelta(hours=2))
    assert events(calendar_of(burgoyne))[0][2] == told[0][2]  # moved, it keeps its name
    Campaign.objects.update(cadence_days=None)
    assert len(events(calendar_of(burgoyne))) == 1
    Campaign.objects.update(paused="Holidays.")
    assert events(calendar_of(burgoyne)) == []


def test_only_who_plays_reads_a_campaigns_deadlines_hr_due_10(saratoga, carleton, burgoyne):
    Campaign.objects.update(deadline=timezone.now() + timedelta(days=2))
    press, stranger = User.objects.create_user("press"), User.objects.create_user("stranger")
    seat_open(campaign=saratoga, role="spectator", user=press, actor=carleton)
    for user, many in ((burgoyne, 1), (carleton, 1), (press, 0), (stranger, 0)):
        assert len(events(calendar_of(user))) == many
    assert calendar_of(stranger, "saratoga") is None and calendar_of(burgoyne, "nowhere") is None
    Seat.objects.filter(user=burgoyne).update(user=None)
    assert calendar_of(burgoyne, "saratoga") is None


def test_the_feed_is_answered_without_signing_in_and_says_when_nothing_is_new_hr_due_10(saratoga, burgoyne):
    Campaign.objects.update(deadline=timezone.now() + timedelta(days=2))
    token, client = calendar_make(user=burgoyne), Client()
    for days, page in ((3, f"/calendar/{token}.ics"), (4, f"/calendar/{token}/saratoga.ics")):
        answer = client.get(page)
        assert answer.status_code == 200 and len(events(answer.content)) == 1
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        assert "private" in answer["Cache-Control"] and "Cookie" not in answer.get("Vary", "")
        again = client.get(page, headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304 and not again.content
        Campaign.objects.update(deadline=timezone.now() + timedelta(days=days))
        assert client.get(page, headers={"If-None-Match": answer["ETag"]}).status_code == 200
        assert client.post(page).status_code == 405


def test_a_wrong_address_tells_nothing_hr_due_10(saratoga, burgoyne):
    token, client = calendar_make(user=burgoyne), Client()
    for page in (f"/calendar/{token}x.ics", "/calendar/x/saratoga.ics", f"/calendar/{token}/nowhere.ics"):
        assert client.get(page).status_code == 404
