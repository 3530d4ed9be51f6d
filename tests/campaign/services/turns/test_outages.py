"""Grace after an outage: no day is played that nobody could order for (HR-DUE-12)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Battle, Campaign, Grace, Heartbeat, Job, Notice
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.world.world import Order
from campaign.services.notifications.notifications import notice_text
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.turns import outages as graces
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.deadlines import deadline_roll
from campaign.services.turns.outages import CLOCK, restore_note
from campaign.services.turns.runs import advance_request, battles_overdue_settle
from campaign.services.umpire.corrections import act_perform
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MARCH = Order("advanced_corps", ("crown_point",))


def silent_for(how_long: timedelta) -> datetime:
    """The clock struck last so long ago."""
    last = timezone.now() - how_long
    Heartbeat.objects.update_or_create(name=CLOCK, defaults={"beat_at": last})
    return last


def due(campaign: Campaign, ago: timedelta, **more: object) -> None:
    more = {"advance_at_deadline": True, **more}
    Campaign.objects.filter(pk=campaign.pk).update(deadline=timezone.now() - ago, **more)
    campaign.refresh_from_db()


def readers() -> list[str]:
    return sorted(Notice.objects.filter(kind="grace").values_list("user__username", flat=True))


@pytest.mark.parametrize("ago", [HOUR, timedelta(minutes=-50)], ids=["in the silence", "just after it"])
def test_a_deadline_nobody_could_keep_gives_everybody_a_day_more_hr_due_12(saratoga, burgoyne, ago):
    since = silent_for(2 * HOUR)
    due(saratoga, ago, time_zone="America/New_York")
    missed, head = saratoga.deadline, saratoga.head
    clock_strike()
    assert not Job.objects.exists()
    saratoga.refresh_from_db()
    wait = saratoga.deadline - timezone.now()
    assert timedelta(hours=23, minutes=59) < wait < timedelta(hours=24, minutes=2)
    grace = saratoga.grace_now
    assert (grace.cause, grace.since, grace.until, grace.deadline) == (
        Grace.SILENCE,
        since,
        saratoga.deadline,
        missed,
    )
    assert readers() == ["burgoyne", "carleton", "gates"]
    # the journal has it, both sides read it, and the chain holds
    assert saratoga.head.parent == head and saratoga.head.actor is None
    entry = saratoga.head.entries.get(kind="deadline_moved")
    assert entry.sides == "|crown|rebel|"
    assert "The site was not fully running from" in entry.data["reason"]
    assert "(America/New York)" in entry.data["reason"]
    assert campaign_verify(campaign=saratoga)
    # the page says so, and orders are taken
    page = signed_in(burgoyne).get("/campaigns/saratoga/").content.decode()
    assert "The site was not fully running from" in page and "so what was due then has more time." in page
    assert order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    clock_strike()
    assert not Job.objects.exists() and len(readers()) == 3


def test_the_notice_has_its_facts_by_the_readers_clock_hr_due_12(saratoga, burgoyne, monkeypatch):
    burgoyne.time_zone = "Europe/London"
    burgoyne.save()
    now = datetime(2027, 1, 14, 21, 30, 40, tzinfo=UTC)
    due(saratoga, HOUR)
    graces._give_grace(saratoga, Grace.SILENCE, now - 26 * HOUR, now)
    subject, text = notice_text(Notice.objects.get(user=burgoyne, kind="grace"))
    assert subject == "Saratoga 1777: more time after an outage"
    assert text == (
        "The site was not fully running from 13 January, 19:30 to 14 January, 21:30 (Europe/London), so what "
        "was due then has more time. Orders are now due on Friday 15 January at 21:31 (Europe/London)."
    )


def test_a_short_silence_or_a_deadline_outside_it_changes_nothing_hr_due_12(saratoga):
    silent_for(timedelta(minutes=1))
    due(saratoga, timedelta(seconds=20))
    clock_strike()
    assert Job.objects.count() == 1 and readers() == []
    Job.objects.all().delete()
    silent_for(2 * HOUR)
    due(saratoga, 3 * HOUR)  # it had passed before
    clock_strike()
    assert Job.objects.count() == 1 and readers() == []
    silent_for(2 * HOUR)
    due(saratoga, -2 * HOUR)  # time enough
    clock_strike()
    assert readers() == []


@pytest.mark.parametrize(
    ("more", "asked"), [({"grace_hours": 0}, 1), ({"paused": "Holidays."}, 0), ({"state": "ended"}, 0)]
)
def test_no_grace_where_none_is_wanted_or_nothing_is_due_hr_due_12(saratoga, more, asked):
    silent_for(2 * HOUR)
    due(saratoga, HOUR, **more)
    before = saratoga.deadline
    clock_strike()
    saratoga.refresh_from_db()
    assert (saratoga.deadline, saratoga.grace, readers(), Job.objects.count()) == (before, {}, [], asked)


def test_a_worker_killed_meanwhile_leaves_the_silence_to_the_next_hr_due_12(saratoga, monkeypatch):
    last = silent_for(2 * HOUR)
    due(saratoga, HOUR)

    def killed(**_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(graces, "notices_write", killed)
        clock_strike()
    assert Heartbeat.objects.get(name=CLOCK).beat_at == last
    clock_strike()
    saratoga.refresh_from_db()
    assert saratoga.deadline > timezone.now() and len(readers()) == 3


def test_a_campaign_whose_rows_are_wrong_does_not_hold_up_the_others_hr_due_12(
    saratoga, staff_campaign, monkeypatch
):
    """Its deadline moves all the same; only the chain cannot have it."""
    silent_for(2 * HOUR)
    due(saratoga, HOUR)
    due(staff_campaign, HOUR)
    saratoga.stations.filter(on_map=True).first().delete()
    clock_strike()
    for campaign in (saratoga, staff_campaign):
        campaign.refresh_from_db()
        assert campaign.deadline > timezone.now()
    assert (saratoga.head.kind, staff_campaign.head.kind) == ("start", "act")


def test_the_cadence_goes_on_from_the_deadline_that_was_moved_hr_due_12(saratoga, monkeypatch):
    """Thursdays at eight stay so, whatever hour the grace ends."""
    thursday = datetime(2027, 1, 14, 20, tzinfo=UTC)
    Campaign.objects.filter(pk=saratoga.pk).update(
        cadence_days=7,
        deadline=thursday + 2 * 24 * HOUR,
        grace=Grace(Grace.SILENCE, thursday, thursday, thursday + 2 * 24 * HOUR, deadline=thursday).to_json(),
    )
    saratoga.refresh_from_db()
    monkeypatch.setattr(timezone, "now", lambda: thursday + 49 * HOUR)
    deadline_roll(saratoga)
    assert saratoga.deadline == thursday + 7 * 24 * HOUR
    # an umpire's own deadline counts by itself
    saratoga.deadline = thursday + 3 * 24 * HOUR
    monkeypatch.setattr(timezone, "now", lambda: thursday + 73 * HOUR)
    deadline_roll(saratoga)
    assert saratoga.deadline == thursday + 10 * 24 * HOUR


def test_after_a_grace_the_next_deadline_is_a_day_away_at_least_hr_due_12(saratoga, monkeypatch):
    eight = datetime(2027, 1, 14, 20, tzinfo=UTC)
    until = eight + 23 * HOUR
    saratoga.cadence_days, saratoga.deadline = 1, until
    saratoga.grace = Grace(Grace.SILENCE, eight, eight, until, deadline=eight).to_json()
    monkeypatch.setattr(timezone, "now", lambda: until + timedelta(minutes=1))
    deadline_roll(saratoga)
    assert saratoga.deadline == eight + 48 * HOUR


def test_a_battle_whose_wait_ran_out_meanwhile_waits_on_hr_due_12(saratoga, monkeypatch):
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
        inputs={"file": {"title": "Battle"}}, opened_at=timezone.now() - 25 * HOUR,
    )  # fmt: skip
    Campaign.objects.update(settle_after_days=1)
    silent_for(2 * HOUR)
    assert battles_overdue_settle() == 0
    assert saratoga.battles.get().state == Battle.State.WAITING
    assert readers() == ["burgoyne", "carleton", "gates"]
    text = notice_text(Notice.objects.filter(kind="grace").first())[1]
    assert text.endswith("so what was due then has more time.")


def test_after_a_restore_everybody_has_a_day_and_no_turn_of_before_is_played_hr_due_12(saratoga, burgoyne):
    due(saratoga, -2 * HOUR, time_zone="Europe/London")
    job = advance_request(campaign=saratoga, actor=None)
    made_at = timezone.now() - timedelta(minutes=3)
    [line] = restore_note(made_at=made_at)
    saratoga.refresh_from_db()
    assert line.startswith("saratoga: orders are due on ") and line.endswith("(Europe/London).")
    assert saratoga.deadline - timezone.now() > 23 * HOUR
    assert saratoga.grace_now.cause == Grace.RESTORE and saratoga.grace_now.since == made_at
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    text = notice_text(Notice.objects.get(user=burgoyne, kind="grace"))[1]
    assert text.startswith("The site was put back to its state of ")
    assert "What was sent after that is lost: look at your orders, and send again what is missing." in text
    assert "Orders are now due on" in text
    clock_strike()
    assert len(readers()) == 3 and campaign_verify(campaign=saratoga)


def test_after_a_restore_a_far_deadline_stays_and_people_are_told_hr_due_12(saratoga, carleton):
    due(saratoga, -72 * HOUR)
    before = saratoga.deadline
    assert restore_note(made_at=timezone.now() - HOUR) == []
    saratoga.refresh_from_db()
    assert saratoga.deadline == before and len(readers()) == 3
    assert "Orders are now due" not in notice_text(Notice.objects.filter(kind="grace").first())[1]


def test_after_a_restore_without_grace_people_are_told_what_is_lost_hr_due_12(saratoga, burgoyne):
    due(saratoga, -2 * HOUR, grace_hours=0)
    before = saratoga.deadline
    assert restore_note(made_at=timezone.now() - HOUR) == []
    saratoga.refresh_from_db()
    assert (saratoga.deadline, saratoga.grace_now, saratoga.head.kind) == (before, None, "start")
    assert readers() == ["burgoyne", "carleton", "gates"]
    text = notice_text(Notice.objects.get(user=burgoyne, kind="grace"))[1]
    assert "What was sent after that is lost: look at your orders, and send again what is missing." in text
    assert "Orders are now due" not in text


def test_the_umpire_says_how_long_the_grace_is_hr_due_12(saratoga, carleton):
    act_perform(campaign=saratoga, act=Rhythm(grace_hours=48), reason="We are slow.", actor=carleton)
    entry = saratoga.journal.get(kind="rhythm_changed")
    assert entry.data["grace_hours"] == 48
    act_perform(campaign=saratoga, act=Rhythm(grace_hours=24), reason="Not that slow.", actor=carleton)
    assert "grace_hours" not in saratoga.journal.filter(kind="rhythm_changed").last().data
    assert campaign_verify(campaign=Campaign.objects.get())
    with pytest.raises(RuleViolation, match="0 to 168 hours"):
        act_perform(campaign=saratoga, act=Rhythm(grace_hours=169), reason="Too slow.", actor=carleton)


def test_spectators_who_see_late_hear_of_no_deadline_hr_set_12(saratoga):
    silent_for(2 * HOUR)
    due(saratoga, HOUR)
    clock_strike()
    assert "fully running" not in Client().get("/campaigns/saratoga/").content.decode()
