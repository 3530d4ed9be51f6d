"""Deadlines by the club's clock, missed orders, and what the clock does (HR-DUE)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, Delivery, Heartbeat, Job, Notice
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import LATE_ORDERS, MISSED_ORDERS, RUN_UNTIL, Rhythm
from campaign.rules.umpire.corrections import Deadline, act_from_json
from campaign.rules.world.world import Order
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.services.notifications import delivery
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.seats.absences import is_quiet, quiet_hours_set
from campaign.services.turns import clock, deadlines
from campaign.services.turns.clock import clock_strike, find_clock_silence, overdue_since
from campaign.services.turns.days import day_advance
from campaign.services.turns.deadlines import deadline_roll, deadline_set
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

CORPS = "advanced_corps"
MARCH = Order(CORPS, ("crown_point",))


@pytest.fixture(autouse=True)
def _addresses(burgoyne, gates, carleton):
    for user in (burgoyne, gates, carleton):
        user.email = f"{user.username}@example.org"
        user.save()


def due(campaign: Campaign, ago: timedelta, **more: object) -> Campaign:
    """The campaign with a deadline that passed so long ago, or is to come for a negative time."""
    Campaign.objects.filter(pk=campaign.pk).update(deadline=timezone.now() - ago, **more)
    campaign.refresh_from_db()
    return campaign


def to(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("user__username", flat=True))


# --- the rhythm ---


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_zone", "Atlantis/Poseidonis"),
        ("cadence_days", 0),
        ("days_a_turn", 0),
        ("late_orders", "burn"),
        ("missed_orders", "despair"),
    ],
)
def test_a_wrong_rhythm_is_refused_with_its_field_hr_due_01(saratoga, carleton, field, value):
    with pytest.raises(RuleViolation) as refused:
        act_perform(campaign=saratoga, act=Rhythm(**{field: value}), reason="So.", actor=carleton)
    assert (refused.value.rule_id, refused.value.field) == ("HR-DUE-01", field)
    saratoga.refresh_from_db()
    assert rhythm_of(saratoga) == Rhythm()


def test_a_rhythm_is_an_act_both_sides_read_hr_due_01(saratoga, carleton):
    rhythm = Rhythm("Europe/London", 7, 3, True, "queue", "halt")
    record = act_perform(campaign=saratoga, act=rhythm, reason="We meet on Thursdays.", actor=carleton)
    saratoga.refresh_from_db()
    assert rhythm_of(saratoga) == rhythm
    assert act_from_json(record.inputs["act"]) == rhythm
    entry = record.entries.get(kind="rhythm_changed")
    assert (entry.sides, entry.data["cadence_days"]) == ("|crown|rebel|", 7)
    assert campaign_verify(campaign=saratoga)
    with pytest.raises(RuleViolation, match="the rhythm already"):
        act_perform(campaign=saratoga, act=rhythm, reason="Again.", actor=carleton)


def test_the_choices_of_a_rhythm_are_those_of_a_campaign():
    assert set(LATE_ORDERS) == set(Campaign.LateOrders.values)
    assert set(MISSED_ORDERS) == set(Campaign.MissedOrders.values)
    assert set(RUN_UNTIL) == set(Campaign.RunUntil.values)


def deadlines_rolled(campaign: Campaign, times: int, monkeypatch) -> list[str]:
    """The deadlines of a campaign by its club's clock, each rolled a minute after the one before it."""
    found = []
    for _ in range(times):
        later = campaign.deadline + timedelta(minutes=1)
        monkeypatch.setattr(deadlines.timezone, "now", lambda later=later: later)
        deadline_roll(campaign)
        found.append(f"{campaign.deadline.astimezone(ZoneInfo(campaign.time_zone)):%d %H:%M %z}")
    return found


@pytest.mark.parametrize(
    ("zone", "first", "following"),
    [
        # clocks go from 02:00 to 03:00 on the 28th
        (
            "Europe/Berlin",
            "2027-03-26T02:30+01:00",
            ["27 02:30 +0100", "28 03:30 +0200", "29 02:30 +0200", "30 02:30 +0200"],
        ),
        # and from 03:00 back to 02:00 on the 31st: an hour that occurs twice is the first of the two
        (
            "Europe/Berlin",
            "2027-10-29T02:30+02:00",
            ["30 02:30 +0200", "31 02:30 +0200", "01 02:30 +0100", "02 02:30 +0100"],
        ),
        # the second of the two, set by hand
        ("Europe/Berlin", "2027-10-31T02:30+01:00", ["01 02:30 +0100"]),
        # clocks go from midnight to 01:00 on the 14th
        (
            "America/Havana",
            "2027-03-12T00:15-05:00",
            ["13 00:15 -0500", "14 01:15 -0400", "15 00:15 -0400"],
        ),
        # half an hour is skipped
        ("Australia/Lord_Howe", "2027-10-02T02:10+10:30", ["03 02:40 +1100", "04 02:10 +1100"]),
    ],
)
def test_deadlines_keep_their_hour_through_the_nights_clocks_change_hr_due_01(
    zone, first, following, monkeypatch
):
    campaign = Campaign(time_zone=zone, cadence_days=1, deadline=datetime.fromisoformat(first))
    assert deadlines_rolled(campaign, len(following), monkeypatch) == following


def test_an_hour_set_by_hand_is_the_one_that_is_kept_hr_due_01(monkeypatch):
    """After a night that skipped the usual hour the umpire sets just the hour it became."""
    campaign = Campaign(
        time_zone="Europe/Berlin", cadence_days=1, deadline=datetime.fromisoformat("2027-03-27T02:30+01:00")
    )
    assert deadlines_rolled(campaign, 1, monkeypatch) == ["28 03:30 +0200"]
    until = campaign.deadline
    campaign.deadline = until - timedelta(minutes=30)
    deadline_set(campaign, until, earlier=False)
    assert deadlines_rolled(campaign, 1, monkeypatch) == ["29 03:30 +0200"]


def test_deadlines_that_passed_while_nobody_played_are_skipped_hr_due_01(monkeypatch):
    london = ZoneInfo("Europe/London")
    campaign = Campaign(
        time_zone="Europe/London", cadence_days=7, deadline=datetime(2026, 3, 26, 20, tzinfo=london)
    )
    assert deadlines_rolled(campaign, 1, monkeypatch) == ["02 20:00 +0100"]
    monkeypatch.setattr(deadlines.timezone, "now", lambda: datetime(2026, 4, 20, tzinfo=UTC))
    deadline_roll(campaign)
    assert campaign.deadline == datetime(2026, 4, 23, 20, tzinfo=london)
    campaign.cadence_days = None
    monkeypatch.setattr(deadlines.timezone, "now", lambda: datetime(2026, 4, 24, tzinfo=UTC))
    deadline_roll(campaign)
    assert campaign.deadline is None


def test_a_played_day_rolls_its_deadline_and_leaves_one_to_come_hr_due_01(saratoga):
    due(saratoga, timedelta(hours=1), cadence_days=2)
    old = saratoga.deadline
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert saratoga.deadline == old + timedelta(days=2)
    day_advance(campaign=saratoga, actor=None)  # early, by hand
    saratoga.refresh_from_db()
    assert saratoga.deadline == old + timedelta(days=2)


# --- letters ---


def test_who_has_not_ordered_is_reminded_once_hr_due_03(saratoga, burgoyne):
    due(saratoga, -timedelta(hours=30))
    clock_strike()
    assert to("due") == []
    due(saratoga, -timedelta(hours=20), time_zone="Europe/London")
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert clock_strike() == 1
    assert clock_strike() == 0
    (letter,) = mail.outbox
    assert letter.to == ["gates@example.org"] and "orders are due" in letter.subject
    assert "(Europe/London)" in letter.body and "/campaigns/saratoga/" in letter.body
    assert Notice.objects.get().state == "sent"


def test_letters_wait_until_the_quiet_hours_are_over_hr_due_05(saratoga, burgoyne, gates, monkeypatch):
    quiet_hours_set(user=gates, quiet_from=time(22), quiet_until=time(7))
    day = datetime(2026, 3, 2, tzinfo=UTC)
    assert [is_quiet(gates, day.replace(hour=hour)) for hour in (6, 7, 21, 22)] == [True, False, False, True]
    monkeypatch.setattr("campaign.services.notifications.delivery.is_quiet", lambda user, now: user == gates)
    due(saratoga, -timedelta(hours=20))
    clock_strike()
    assert [letter.to for letter in mail.outbox] == [["burgoyne@example.org"]]
    monkeypatch.undo()
    quiet_hours_set(user=gates, quiet_from=None, quiet_until=None)
    clock_strike()
    assert ["gates@example.org"] in [letter.to for letter in mail.outbox]


def test_an_extended_deadline_is_told_anew_hr_due_03(saratoga, carleton):
    due(saratoga, -timedelta(hours=20))
    clock_strike()
    later = timezone.now() + timedelta(hours=22)
    act_perform(campaign=saratoga, act=Deadline(later.isoformat()), reason="A cold.", actor=carleton)
    clock_strike()
    assert to("due") == ["burgoyne", "burgoyne", "gates", "gates"]


def test_missed_overdue_and_played_days_are_told_hr_due_03(saratoga, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    due(saratoga, timedelta(minutes=5))
    clock_strike()
    assert (to("late"), to("overdue")) == (["gates"], [])
    due(saratoga, timedelta(hours=25))
    clock_strike()
    assert to("overdue") == ["carleton"]
    assert overdue_since(saratoga) == saratoga.deadline
    day_advance(campaign=saratoga, actor=None)
    clock_strike()
    clock_strike()
    assert to("published") == ["burgoyne", "carleton", "gates"]
    saratoga.refresh_from_db()
    assert overdue_since(saratoga) is None


@pytest.mark.parametrize("after", [{"state": "ended"}, {"paused": "The umpire is away."}])
def test_the_last_day_is_told_and_no_deadline_after_it_hr_due_03(saratoga, after):
    due(saratoga, timedelta(hours=25))
    day_advance(campaign=saratoga, actor=None)
    Campaign.objects.update(deadline=timezone.now() - timedelta(hours=25), advance_at_deadline=True, **after)
    clock_strike()
    assert to("published") == ["burgoyne", "carleton", "gates"]
    assert (to("late"), to("overdue"), Job.objects.count()) == ([], [], 0)


def test_letters_hold_nothing_of_the_campaign_hr_due_03(saratoga, world):
    due(saratoga, timedelta(days=2))
    clock_strike()
    day_advance(campaign=saratoga, actor=None)
    clock_strike()
    assert len(mail.outbox) == 6
    names = [item.name for item in (*world.formations.values(), *world.units.values())]
    names += [place.name for place in world.theatre.atlas.places.values() if place.name != "Saratoga"]
    for letter in mail.outbox:
        assert not any(name in letter.subject + letter.body for name in names)


def test_a_letter_that_fails_is_tried_again_and_given_up_hr_due_08(saratoga, monkeypatch):
    due(saratoga, -timedelta(hours=20))

    def down(message: object, channel: object) -> None:
        raise delivery.NotReached("no mail server")

    with monkeypatch.context() as patch:
        patch.setattr(delivery, "message_send", down)
        for _ in range(delivery.ATTEMPTS):
            assert clock_strike() == 0
            Delivery.objects.update(due_at=timezone.now())
    assert set(Notice.objects.values_list("state", "error")) == {("failed", "no mail server")}
    assert clock_strike() == 0 and mail.outbox == []


def test_a_letter_is_sent_by_one_worker_only_hr_due_03(saratoga, monkeypatch):
    """While one sends, another strikes: nothing goes out twice."""
    due(saratoga, -timedelta(hours=20))
    send = delivery.message_send

    def slow(*args):
        monkeypatch.setattr(delivery, "message_send", send)
        clock_strike()
        return send(*args)

    monkeypatch.setattr(delivery, "message_send", slow)
    clock_strike()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["burgoyne@example.org", "gates@example.org"]


def test_a_resting_campaign_writes_no_letters_hr_due_01(saratoga):
    due(saratoga, timedelta(days=2), paused="Holidays.", advance_at_deadline=True)
    assert clock_strike() == 0
    assert not Notice.objects.exists() and not Job.objects.exists()


# --- days that play themselves ---


def test_the_clock_asks_for_a_due_day_once(saratoga):
    due(saratoga, timedelta(minutes=1), advance_at_deadline=True)
    clock_strike()
    clock_strike()
    job = Job.objects.get()
    assert (job.kind, job.requested_by) == ("advance_day", None)
    Job.objects.update(state="failed", finished_at=timezone.now())
    clock_strike()
    assert Job.objects.get().state == "failed"  # HR-DUE-14 says when it is tried again


def test_a_day_that_waits_for_a_battle_is_not_asked_for(saratoga):
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
        inputs={"file": {"title": "Battle"}},
    )  # fmt: skip
    due(saratoga, timedelta(hours=2), advance_at_deadline=True, run_on_days=0)
    clock_strike()
    assert not Job.objects.exists()
    assert to("overdue") == ["carleton"]


def test_a_due_day_runs_on_beside_a_battle_hr_cal_11(saratoga):
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
        inputs={"file": {"title": "Battle"}},
    )  # fmt: skip
    due(saratoga, timedelta(minutes=1), advance_at_deadline=True)
    clock_strike()
    clock_strike()
    assert Job.objects.get().payload["waited"] is True


def test_one_campaigns_failure_does_not_hold_up_the_others(saratoga, staff_campaign, monkeypatch):
    due(saratoga, timedelta(minutes=1), advance_at_deadline=True)
    due(staff_campaign, timedelta(minutes=1), advance_at_deadline=True)
    ask = clock.advance_request

    def broken(*, campaign, **more):
        if campaign == saratoga:
            raise RuntimeError("out of ink")
        return ask(campaign=campaign, **more)

    monkeypatch.setattr(clock, "advance_request", broken)
    clock_strike()
    assert Job.objects.get().campaign == staff_campaign


def test_a_clock_that_stands_still_is_noticed(db):
    assert find_clock_silence() is None
    clock_strike()
    assert find_clock_silence() is None
    silent = timezone.now() - timedelta(hours=1)
    Heartbeat.objects.update(beat_at=silent)
    assert find_clock_silence() == silent


def test_a_multi_day_turn_takes_no_orders_while_it_is_played(saratoga, burgoyne):
    due(saratoga, -timedelta(hours=1), days_a_turn=3)
    Job.objects.create(kind="advance_day", key="x", campaign=saratoga, state="running")
    with pytest.raises(RuleViolation, match="turn is being played"):
        order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert world_load(saratoga).day == 0
