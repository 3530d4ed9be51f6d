"""People away and their deputies, letters in quiet hours, missed deadlines (HR-SET-09, HR-DUE-05)."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.core import mail
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from campaign.fog.seat_roles import deputy_acts, describe_absences
from campaign.models import Absence, Campaign, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.notifications import format_email
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.absences import absence_add, absence_end, is_quiet, quiet_hours_set
from campaign.services.seats.assignment import has_overlapping_dates
from campaign.services.seats.changes import seat_open
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.days import day_advance

pytestmark = pytest.mark.django_db
Role = Seat.Role
MARCH = Order("advanced_corps", ("crown_point",))


@pytest.fixture
def anna(burgoyne, gates, carleton) -> User:
    for user in (burgoyne, gates, carleton):
        user.email = f"{user.username}@example.org"
        user.save()
    return User.objects.create_user("anna", email="anna@example.org")


@pytest.fixture
def deputy(saratoga, anna) -> Seat:
    seat = Seat.objects.get(campaign=saratoga, side="crown")
    return seat_open(campaign=saratoga, role=Role.DEPUTY, stands_for=seat, user=anna, actor=None)


def gone(user: User, word: str = "") -> Absence:
    today = timezone.now().date()
    first, last = today - timedelta(days=2), today + timedelta(days=2)
    return absence_add(user=user, first=first, last=last, word=word)


def due(campaign: Campaign, hours: int) -> Campaign:
    moment = timezone.now() + timedelta(hours=hours)
    Campaign.objects.filter(pk=campaign.pk).update(deadline=moment)
    campaign.refresh_from_db()
    return campaign


def to(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("user__username", flat=True))


# --- letters ---


def test_the_reminder_goes_to_the_deputy_too_and_the_umpire_is_told_who_is_away_hr_set_09(
    saratoga, deputy, burgoyne
):
    gone(burgoyne, "hiking")
    due(saratoga, 5)
    clock_strike()
    assert to("due") == ["anna", "burgoyne", "gates"]
    assert to("away") == ["carleton"]
    _, text = format_email(Notice.objects.get(kind="away"))
    assert "Lieutenant General Burgoyne: away until" in text and "(hiking); anna may act." in text
    Seat.objects.filter(campaign=saratoga, user__username="carleton").update(user=None)
    _, text = format_email(Notice.objects.get(kind="away"))
    assert "Burgoyne" not in text, "who is umpire no more reads nothing of it"


def test_nobody_away_no_letter_of_it_hr_set_09(saratoga, deputy):
    due(saratoga, 5)
    clock_strike()
    assert to("due") == ["burgoyne", "gates"] and to("away") == []


def test_letters_wait_for_the_end_of_the_quiet_hours_hr_due_05(saratoga, deputy, burgoyne, monkeypatch):
    burgoyne.time_zone = "America/New_York"
    burgoyne.save()
    quiet_hours_set(user=burgoyne, quiet_from=time(22), quiet_until=time(7))
    due(saratoga, 5)
    night = datetime(2026, 6, 1, 8, tzinfo=UTC)  # four in the morning in New York
    monkeypatch.setattr("django.utils.timezone.now", lambda: night)
    Notice.objects.create(campaign=saratoga, user=burgoyne, kind="published", subject="record 1")
    assert notices_send() == 0 and not mail.outbox
    monkeypatch.setattr("django.utils.timezone.now", lambda: night + timedelta(hours=3))
    assert notices_send() == 1 and len(mail.outbox) == 1


@given(start=st.times(), end=st.times(), minutes=st.integers(0, 24 * 60 - 1))
def test_of_two_opposite_quiet_hours_one_holds_at_any_moment_hr_due_05(start, end, minutes):
    if start == end:
        return
    now = datetime(2026, 6, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    one, other = User(quiet_from=start, quiet_until=end), User(quiet_from=end, quiet_until=start)
    assert is_quiet(one, now) != is_quiet(other, now)


# --- away and back ---


def test_a_missed_deadline_is_noted_by_the_clock_and_by_a_day_played_hr_set_09(saratoga, deputy, gates):
    due(saratoga, -1)
    order_submitted = Seat.objects.get(side="rebel", role=Role.COMMANDER)
    clock_strike()
    assert to("late") == ["burgoyne", "gates"]
    order_submitted.refresh_from_db()
    assert order_submitted.missed_at == saratoga.deadline
    assert deputy_acts(Seat.objects.select_related("stands_for__campaign").get(pk=deputy.pk))
    Seat.objects.update(missed_at=None)
    day_advance(campaign=saratoga, actor=None)
    order_submitted.refresh_from_db()
    assert order_submitted.missed_at is not None


def test_who_gave_orders_in_time_has_missed_nothing_hr_set_09(saratoga, deputy, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    due(saratoga, -1)
    clock_strike()
    missed = Seat.objects.exclude(missed_at=None).values_list("side", flat=True)
    assert list(missed) == ["rebel"]


def test_back_early_the_deputy_acts_no_more_hr_set_09(saratoga, deputy, burgoyne):
    absence = gone(burgoyne)
    seat = Seat.objects.select_related("user").get(pk=deputy.stands_for_id)
    assert describe_absences([seat])
    absence_end(absence=absence, user=burgoyne)
    assert not describe_absences([seat])
    assert Absence.objects.get().last < timezone.now().date()
    with pytest.raises(RuleViolation):
        absence_end(absence=absence, user=deputy.user)


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [(3, 2, "last"), (-9, -8, "last"), (0, 400, "last"), (1, 5, "first")],
)
def test_days_away_that_cannot_be_are_refused_hr_set_09(burgoyne, first, last, field):
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today + timedelta(days=5), last=today + timedelta(days=6))
    with pytest.raises(RuleViolation) as refused:
        absence_add(user=burgoyne, first=today + timedelta(days=first), last=today + timedelta(days=last))
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-09", field)


def test_away_is_by_the_persons_own_calendar_hr_set_09(burgoyne):
    burgoyne.time_zone = "Pacific/Auckland"
    absence = Absence(user=burgoyne, first=date(2026, 6, 2), last=date(2026, 6, 2))
    assert absence.covers(datetime(2026, 6, 1, 13, tzinfo=UTC))
    assert not absence.covers(datetime(2026, 6, 2, 13, tzinfo=UTC))


# --- dates of seats ---


spans = st.tuples(st.integers(0, 9), st.one_of(st.none(), st.integers(1, 9))).map(
    lambda pair: Seat(from_day=pair[0], until_day=None if pair[1] is None else pair[0] + pair[1])
)


@given(one=spans, other=spans)
def test_two_seats_are_together_if_and_only_if_they_share_a_day_hr_set_07(one, other):
    shared = any(one.holds(day) and other.holds(day) for day in range(30))
    assert has_overlapping_dates(one, other) == has_overlapping_dates(other, one) == shared
