"""Notifications carry what their reader's side knows, and nothing else (HR-DUE-03)."""

from datetime import UTC, datetime

import pytest

from campaign.models import Battle, Campaign, DayRecord, Job, Notice, ProvisionalDay, Seat, User
from campaign.selectors.notifications.facts import facts_add
from campaign.services.notifications.notifications import format_email
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind

pytestmark = pytest.mark.django_db
DEADLINE = datetime(2031, 5, 4, 18, 0, tzinfo=UTC)
UNTIL = "Sunday 4 May at 18:00 (UTC)"


def words(campaign: Campaign, user, kind: str, subject: str) -> str:
    campaign.refresh_from_db()
    notice = Notice.objects.create(campaign=campaign, user=user, kind=kind, subject=subject)
    return format_email(notice)[1].partition("\n")[0]


@pytest.fixture
def fought(saratoga) -> Battle:
    units = [{"unit": unit, "side": side} for unit, side in (("a", "crown"), ("b", "rebel"), ("c", "rebel"))]
    losses = [
        {"unit": "a", "sp_lost": 3, "sp_captured": 0},
        {"unit": "b", "sp_lost": 7, "sp_captured": 0},
        {"unit": "c", "sp_lost": 1, "sp_captured": 4},
    ]
    return Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
        inputs={"file": {"title": "Battle of Bennington"}, "contact": {"units": units}}, state="settled",
        settlement={"field_held_by": "crown", "losses": losses},
    )  # fmt: skip


def test_a_battle_that_waits_is_named_with_its_date_hr_due_03(saratoga, fought, burgoyne):
    Battle.objects.update(state="waiting", settlement=None)
    assert words(saratoga, burgoyne, "battle", f"battle {fought.pk}") == (
        "A battle waits for you. Battle of Bennington, 15 June 1777, Crown against United States."
    )


def test_a_result_says_who_holds_the_field_and_the_losses_hr_due_03(saratoga, fought, burgoyne, carleton):
    facts = (
        "Battle of Bennington, 15 June 1777, Crown against United States. Field held by Crown. "
        "Losses: Crown 3 SP, United States 12 SP."
    )
    assert words(saratoga, burgoyne, "result", f"battle {fought.pk}") == f"A battle has been settled. {facts}"
    Battle.objects.update(settlement={"field_held_by": "", "losses": []})
    told = words(saratoga, carleton, "result", f"battle {fought.pk}")
    assert "Field held by neither side. Losses: Crown 0 SP, United States 0 SP." in told


def test_only_the_notification_of_a_result_carries_it_hr_due_03(saratoga, fought, burgoyne, carleton):
    """Older ones about the same battle say that it is over, and ask for nothing any more."""
    named = "Battle of Bennington, 15 June 1777, Crown against United States."
    waits, entered, anew = (
        (burgoyne, "battle", f"battle {fought.pk}"),
        (carleton, "result", f"entered {fought.pk} crown"),
        (burgoyne, "result", f"anew {fought.pk} 2"),
    )
    over = f"{named} It has since been resolved."
    changed = (
        "The umpire has changed by which rules or with which units a battle is fought, so what was entered "
        "of it was taken back."
    )
    assert words(saratoga, *waits) == f"A battle waited for you. {over}"
    assert words(saratoga, *entered) == f"The result of a battle was entered. {over}"
    assert words(saratoga, *anew) == f"{changed} {over}"
    Notice.objects.all().delete()
    Battle.objects.update(state="waiting", settlement=None)
    assert words(saratoga, *waits) == f"A battle waits for you. {named}"
    assert words(saratoga, *entered) == (f"The result of a battle was entered. {named} Check and confirm it.")
    assert words(saratoga, *anew) == (
        f"{changed} {named} Look how it is to be settled; if on the table, enter the result anew."
    )


def test_who_may_not_see_the_battle_reads_nothing_of_it_hr_due_03(saratoga, fought, gates, burgoyne):
    Battle.objects.update(defender="canada")
    assert words(saratoga, gates, "result", f"battle {fought.pk}") == "A battle has been settled."
    Seat.objects.filter(user=burgoyne).delete()
    assert words(saratoga, burgoyne, "result", f"battle {fought.pk}") == "A battle has been settled."


def test_days_played_what_waits_and_until_when_hr_due_03(saratoga, burgoyne, carleton):
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
    Campaign.objects.update(deadline=DEADLINE)
    clock_strike()
    played = "The campaign was played on. Days played: 2. It is now the morning of 17 June 1777."
    notice = Notice.objects.get(kind="published", user=burgoyne)
    assert format_email(notice)[1].startswith(f"{played} Submit your orders by {UNTIL}.\n")
    notice = Notice.objects.get(kind="published", user=carleton)
    assert format_email(notice)[1].startswith(f"{played} Orders are due on {UNTIL}.\n")
    saratoga.refresh_from_db()
    day_advance(campaign=saratoga, actor=None)
    Campaign.objects.update(deadline=None)
    clock_strike()
    first, second = (format_email(each)[1] for each in Notice.objects.filter(kind="published", user=burgoyne))
    assert first.startswith(f"{played}\n"), "a deadline that is over is not told"
    assert second.startswith(
        "The campaign was played on. Days played: 1. It is now the morning of 18 June 1777. "
        "Submit your orders for the coming day; there is no deadline.\n"
    )


def test_days_played_provisionally_are_told_while_they_are_hr_cal_11(saratoga, played, burgoyne, gates):
    spectator = User.objects.create_user("looker")
    Seat.objects.create(campaign=saratoga, user=spectator, role="spectator")
    given = {"campaign": saratoga, "revision": 1, "snapshot": b""}
    for day in (1, 2, 3):
        ProvisionalDay.objects.create(**given, day=day)
    subject = f"record {played.pk}"
    told = (
        "Days played: 1, and 3 more provisionally. It is now the morning of 16 June 1777; "
        "other columns have moved on to 19 June 1777."
    )
    for reader in (burgoyne, gates):
        assert told in words(saratoga, reader, "published", subject)
    saratoga.refresh_from_db()
    assert "provisionally" not in words(saratoga, spectator, "published", subject)
    Notice.objects.all().delete()
    ProvisionalDay.objects.filter(day__gt=1).delete()
    shown = words(saratoga, burgoyne, "published", subject)
    assert "Days played: 1, and 1 more provisionally." in shown
    Notice.objects.all().delete()
    ProvisionalDay.objects.update(record=played)
    shown = words(saratoga, burgoyne, "published", subject)
    assert "Days played: 1. It is now the morning of 16 June 1777. Submit" in shown


@pytest.fixture
def played(saratoga) -> DayRecord:
    """A day played before anything is fought."""
    return day_advance(campaign=saratoga, actor=None).records[-1]


def test_a_battle_that_waits_is_counted_for_who_sees_it_hr_due_03(saratoga, played, fought, burgoyne, gates):
    Battle.objects.update(state="waiting", settlement=None, defender="canada")
    assert "1 battle waits to be resolved." in words(saratoga, burgoyne, "published", f"record {played.pk}")
    assert "battle" not in words(saratoga, gates, "published", f"record {played.pk}")


def test_a_turn_under_way_is_announced_when_it_is_played_hr_due_03(saratoga):
    day_advance(campaign=saratoga, actor=None)
    job = Job.objects.create(campaign=saratoga, kind="advance_day", key="turn", state="running")
    clock_strike()
    assert not Notice.objects.filter(kind="published").exists()
    Job.objects.filter(pk=job.pk).update(state="done")
    clock_strike()
    assert Notice.objects.filter(kind="published").count() == 3


def test_a_rewind_notifies_the_players_hr_due_03_hr_ump_14(saratoga, carleton, burgoyne):
    first = day_advance(campaign=saratoga, actor=None).records[-1]
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    campaign_rewind(campaign=saratoga, record=first, reason="An order was misread.", actor=carleton)
    rows = Notice.objects.filter(subject__startswith="rewound")
    assert sorted(rows.values_list("user__username", flat=True)) == ["burgoyne", "gates"]
    subject, text = format_email(rows.get(user=burgoyne))
    assert subject.endswith(": the campaign was rewound")
    assert text.startswith(
        "The umpire has rewound the campaign. The campaign is back on the morning of 16 June 1777. "
        "Submit your orders for the coming day; there is no deadline.\n"
    )


def test_a_rewound_battle_asks_for_nothing_hr_due_03_hr_ump_14(saratoga, fought, burgoyne, carleton, gates):
    """What was written before the rewind says so, to who may know the battle and to who may not."""
    start = saratoga.head
    Battle.objects.filter(pk=fought.pk).update(day=1, state="waiting", settlement=None, defender="canada")
    guest = User.objects.create_user("baum")
    Seat.objects.create(campaign=saratoga, user=guest, role="guest", side="crown", battle=fought)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    named = "Battle of Bennington, 16 June 1777, Crown against canada."
    waits, entered, anew = f"battle {fought.pk}", f"entered {fought.pk} crown", f"anew {fought.pk} 2"
    assert words(saratoga, burgoyne, "battle", waits) == f"A battle waits for you. {named}"
    Notice.objects.all().delete()
    campaign_rewind(campaign=saratoga, record=start, reason="An order was misread.", actor=carleton)
    undone = f"{named} It was undone when the umpire rewound the campaign."
    assert words(saratoga, burgoyne, "battle", waits) == f"A battle waited for you. {undone}"
    assert words(saratoga, carleton, "result", entered) == f"The result of a battle was entered. {undone}"
    assert words(saratoga, burgoyne, "result", anew).endswith(f"was taken back. {undone}")
    assert words(saratoga, burgoyne, "result", waits) == f"A battle has been settled. {undone}"
    for stranger in (gates, guest):
        assert words(saratoga, stranger, "battle", waits) == "A battle waited for you."


def test_a_list_takes_as_many_queries_as_one_hr_due_03(
    saratoga, played, fought, burgoyne, django_assert_max_num_queries
):
    for subject in (f"record {played.pk}", "record 1", "record x", "rewound 2"):
        Notice.objects.create(campaign=saratoga, user=burgoyne, kind="published", subject=subject)
    for subject in (f"battle {fought.pk}", f"anew {fought.pk} x", f"entered {fought.pk} crown", "battle 3"):
        Notice.objects.create(campaign=saratoga, user=burgoyne, kind="result", subject=subject)
    rows = list(Notice.objects.filter(user=burgoyne).select_related("campaign__head", "user").order_by("-pk"))
    with django_assert_max_num_queries(8):
        facts = [notice.facts for notice in facts_add(rows, {})]
    assert [bool(each) for each in facts] == [False, True, True, True, False, False, False, True]
