"""What waits for somebody is found by looking and told once (HR-DUE-03, HR-DUE-09)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from campaign.fog.seat_roles import seats_in_force
from campaign.models import Battle, BattleEntry, Campaign, Notice, OrderPaper, User
from campaign.rules.battles.table_results import Entry
from campaign.rules.umpire.corrections import Add
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.table_results import battle_entry_save
from campaign.services.notifications.notifications import build_page_url, format_email, notices_read
from campaign.services.notifications.reminders import rounds_go
from campaign.services.seats.changes import seat_open
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db


def go(campaign: Campaign) -> int:
    campaign.refresh_from_db()
    return rounds_go(campaign, seats_in_force(campaign), timezone.now() - timedelta(days=1))


def told(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("user__username", flat=True))


def fight(campaign: Campaign) -> Battle:
    return Battle.objects.create(
        campaign=campaign, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
        inputs={"file": {"title": "Battle"}},
    )  # fmt: skip


def test_a_battle_that_waits_is_told_to_who_sees_it_once_hr_due_03(saratoga, carleton):
    battle = fight(saratoga)
    guest = User.objects.create_user("guest")
    seat_open(campaign=saratoga, role="guest", side="crown", battle=battle, user=guest, actor=carleton)
    press = User.objects.create_user("press")
    seat_open(campaign=saratoga, role="spectator", user=press, actor=carleton)
    assert go(saratoga) == 4 and go(saratoga) == 0
    assert told("battle") == ["burgoyne", "carleton", "gates", "guest"]
    notice = Notice.objects.filter(kind="battle")[0]
    assert build_page_url(notice) == f"/campaigns/saratoga/battles/{battle.pk}/"


def test_the_clock_tells_it_without_a_deadline_hr_due_03(saratoga):
    fight(saratoga)
    assert saratoga.deadline is None
    clock_strike()
    assert told("battle") == ["burgoyne", "carleton", "gates"]


def test_a_side_that_does_not_fight_is_not_told_hr_due_03(saratoga):
    battle = fight(saratoga)
    Battle.objects.filter(pk=battle.pk).update(defender="canada")
    go(saratoga)
    assert told("battle") == ["burgoyne", "carleton"]


def test_a_result_entered_is_the_umpires_to_confirm_hr_due_03(saratoga, burgoyne):
    battle = fight(saratoga)
    entry = BattleEntry.objects.create(battle=battle, side="crown", user=burgoyne, body={}, state="draft")
    go(saratoga)
    assert told("result") == []
    BattleEntry.objects.filter(pk=entry.pk).update(state="entered")
    go(saratoga)
    go(saratoga)
    notice = Notice.objects.get(kind="result")
    assert (notice.user.username, build_page_url(notice)) == (
        "carleton",
        f"/campaigns/saratoga/battles/{battle.pk}/result/compare/",
    )


def test_a_result_entered_anew_is_told_once_more_though_its_rules_are_the_old_ones_hr_due_09(
    saratoga, battle, burgoyne, carleton
):
    entered = {"battle": battle, "side": "crown", "entry": Entry(held_by="crown"), "actor": burgoyne}
    battle_entry_save(entered=True, **entered, version=0)
    go(saratoga)
    assert came_in() == [f"entered {battle.pk} crown"], "as it always was"
    for times, ruleset in ((1, "vb_wing"), (2, "awi")):
        battle_way_choose(battle=battle, way="table", ruleset=ruleset, reason="So.", actor=carleton)
        go(saratoga)
        assert len(came_in()) == times, "nothing is there to confirm"
        battle_entry_save(entered=True, **entered, version=2 * times)
        go(saratoga)
        go(saratoga)
        assert came_in()[-1] == f"entered {battle.pk} crown {times}" and len(came_in()) == times + 1
    assert {
        build_page_url(notice).rpartition("battles/")[2] for notice in Notice.objects.filter(kind="result")
    } == {
        f"{battle.pk}/",
        f"{battle.pk}/result/compare/",
    }


def came_in() -> list[str]:
    found = Notice.objects.filter(kind="result", user__username="carleton", subject__startswith="entered")
    return list(found.order_by("pk").values_list("subject", flat=True))


def test_a_battle_somebody_settled_is_told_to_the_others_hr_due_03(saratoga, carleton):
    battle = fight(saratoga)
    now = timezone.now()
    Battle.objects.filter(pk=battle.pk).update(state="settled", settled_by=carleton, settled_at=now)
    go(saratoga)
    assert told("result") == ["burgoyne", "gates"] and told("battle") == []
    Notice.objects.all().delete()
    Battle.objects.filter(pk=battle.pk).update(settled_at=now - timedelta(days=2))
    assert go(saratoga) == 0  # no news
    Battle.objects.filter(pk=battle.pk).update(settled_at=now, settled_by=None)
    assert go(saratoga) == 0  # the engine's own, told with the day


def test_orders_the_staff_wrote_are_told_to_who_missed_them_hr_due_03(saratoga, burgoyne):
    Campaign.objects.update(deadline=timezone.now() - timedelta(minutes=1), missed_orders="staff")
    saratoga.refresh_from_db()
    day_advance(campaign=saratoga, actor=None)
    assert OrderPaper.objects.filter(author="staff").exists()
    go(saratoga)
    assert told("staff") == ["burgoyne", "gates"]
    subject, text = format_email(Notice.objects.filter(kind="staff")[0])
    assert "staff" in subject and "has written them" in text


def test_what_was_seen_is_new_no_longer_hr_due_09(saratoga, burgoyne, gates):
    fight(saratoga)
    go(saratoga)
    assert notices_read(user=burgoyne) == 1 and notices_read(user=burgoyne) == 0
    assert set(Notice.objects.filter(read_at=None).values_list("user__username", flat=True)) == {
        "carleton",
        "gates",
    }


def test_nothing_in_a_notice_depends_on_what_is_hidden_hr_due_03(saratoga, burgoyne, carleton):
    """Two worlds that differ in an enemy nobody has seen give the same notices, word for word."""
    burgoyne.email = "johnny@example.org"
    burgoyne.save()
    past = timezone.now() - timedelta(days=2)
    hidden = Add(
        "hidden_1", "The Unseen Regiment", "rebel", "continental", "continental_line", 60, "unseen",
        formation_name="Unseen Brigade", place="albany",
    )  # fmt: skip

    def words() -> list[tuple[object, ...]]:
        mail.outbox.clear()
        for deadline in (past, past + timedelta(days=3)):
            Campaign.objects.update(deadline=deadline)
            clock_strike()
            saratoga.refresh_from_db()
            day_advance(campaign=saratoga, actor=None)
            clock_strike()
        rows = Notice.objects.filter(user=burgoyne).order_by("kind", "pk")
        told = [(row.kind, row.state, *format_email(row), build_page_url(row)) for row in rows]
        return [*told, *sorted((one.subject, one.body) for one in mail.outbox)]

    found = []
    for there in (False, True):
        with transaction.atomic():
            if there:
                act_perform(campaign=saratoga, act=hidden, reason="So.", actor=carleton)
            found.append(words())
            transaction.set_rollback(True)
        saratoga.refresh_from_db()
    assert found[0] == found[1] and len(found[0]) >= 6
    assert {row[0] for row in found[0]} >= {"late", "published", "due"}
