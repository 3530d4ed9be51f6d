"""Orders that are missed at a deadline, and what counts as orders (HR-DUE-02)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from campaign.fog.seat_roles import describe_absences
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, Notice, OrderPaper, Seat
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.selectors.turns.deadlines import sides_missing
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import nothing_new_say, order_submit, order_withdraw
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.factories.people import signed_in

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


HALTED = {"formation": CORPS, "via": [], "stance": "give_battle", "pace": "normal", "light_order": False}


def under_way(campaign: Campaign, burgoyne) -> Campaign:
    """The morning after the first day of a march of several days, its next deadline just past."""
    order_submit(campaign=campaign, side="crown", order=MARCH, actor=burgoyne)
    day_advance(campaign=campaign, actor=None)
    return due(campaign, timedelta(minutes=1), advance_at_deadline=True)


@pytest.mark.parametrize("policy", ["carry_on", "halt", "staff"])
def test_a_march_of_several_days_is_an_order_for_each_hr_due_02(saratoga, burgoyne, gates, policy):
    order_submit(campaign=saratoga, side="rebel", order=Order("poors_brigade", ("fort_anne",)), actor=gates)
    under_way(saratoga, burgoyne)
    Campaign.objects.update(missed_orders=policy)
    saratoga.refresh_from_db()
    assert world_load(saratoga).formations[CORPS].order.via == ("crown_point",)
    assert sides_missing(saratoga) == set()
    clock_strike()
    assert to("late") == []
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert saratoga.head.inputs["orders"] == []
    assert not saratoga.order_papers.filter(author="staff").exists()
    assert not saratoga.seats.exclude(missed_at=None).exists()


@pytest.mark.parametrize("author", ["staff", "umpire"])
def test_a_march_that_others_ordered_is_no_order_of_its_commander_hr_due_02(saratoga, burgoyne, author):
    under_way(saratoga, burgoyne)
    saratoga.order_papers.update(author=author)
    assert sides_missing(saratoga) == {"crown", "rebel"}
    clock_strike()
    assert to("late") == ["burgoyne", "gates"]


@pytest.mark.parametrize("way", ["ordered", "detached with it", "reorganised by the umpire", "by the umpire"])
def test_clock_and_desk_agree_on_who_was_heard_hr_due_02(saratoga, burgoyne, desk, way):
    """Whose order a formation is under is said by papers that order it, not by others about it."""
    under_way(saratoga, burgoyne)
    if way == "detached with it":
        saratoga.order_papers.update(kind="organise", formation="", body={"acts": [{"id": CORPS}]})
    if way == "reorganised by the umpire":
        acts = {"acts": [{"kind": "garrison", "formation": CORPS, "on": False}]}
        march = saratoga.order_papers.get()
        march.pk, march.number, march.kind, march.author, march.body = None, 9, "organise", "umpire", acts
        march.save()
    if way == "by the umpire":
        saratoga.order_papers.update(author="umpire")
    heard = set() if way == "by the umpire" else {"crown"}
    assert sides_missing(saratoga) == {"crown", "rebel"} - heard
    assert sides_missing(saratoga, world_load(saratoga)) == {"crown", "rebel"} - heard
    sides = desk.get("/campaigns/saratoga/desk/").context["sides"]
    assert {side.id for side in sides if side.state == "heard"} == heard


@pytest.mark.parametrize(("policy", "halts"), [("carry_on", False), ("halt", True)])
def test_missed_orders_carry_on_or_halt_hr_due_02(saratoga, burgoyne, policy, halts):
    """What has no end of its own halts: here a march the staff once ordered."""
    under_way(saratoga, burgoyne)
    saratoga.order_papers.update(author="staff")
    Campaign.objects.update(missed_orders=policy)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert (HALTED in saratoga.head.inputs["orders"]) is halts


def test_the_staff_leaves_alone_what_people_have_under_way_hr_due_02(saratoga, burgoyne, gates):
    """A column's commander ordered a march; nobody commands the rest of the side."""
    column = Seat.objects.create(
        campaign=saratoga, role="column", side="crown", title="Fraser", user=burgoyne, formations=[CORPS]
    )
    Seat.objects.filter(role="commander", side="crown").update(user=None)
    under_way(saratoga, burgoyne)
    day_advance(campaign=saratoga, actor=None)
    staff = set(saratoga.order_papers.filter(author="staff", day=1).values_list("formation", flat=True))
    assert CORPS not in staff
    column.delete()


# --- nothing new ---


def test_nothing_new_counts_as_orders_for_that_day_alone_hr_due_02(saratoga, burgoyne, gates):
    due(saratoga, timedelta(hours=-1), missed_orders="staff", advance_at_deadline=True)
    for _ in range(2):
        assert nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne, written=0) == 0
    clock_strike()
    assert to("due") == ["gates"]
    due(saratoga, timedelta(minutes=1))
    assert sides_missing(saratoga) == {"rebel"}
    clock_strike()
    assert to("late") == ["gates"]
    day_advance(campaign=saratoga, actor=None)
    assert set(saratoga.order_papers.values_list("side", flat=True)) == {"rebel"}
    due(saratoga, timedelta(minutes=1))
    assert sides_missing(saratoga) == {"crown", "rebel"}


def test_nothing_new_is_refused_when_an_order_would_be_hr_cal_04(saratoga, burgoyne, carleton):
    with pytest.raises(RuleViolation, match="order again") as refused:
        nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne, written=7)
    assert refused.value.rule_id == "HR-CAL-03"
    with pytest.raises(RuleViolation) as refused:
        nothing_new_say(campaign=saratoga, side="rebel", actor=burgoyne)
    assert refused.value.rule_id == "HR-SET-05"
    for late in ("refuse", "queue"):
        due(saratoga, timedelta(minutes=1), late_orders=late)
        with pytest.raises(RuleViolation) as refused:
            nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne)
        assert refused.value.rule_id == "HR-CAL-04"
    assert not Seat.objects.exclude(nothing_new=None).exists()


def test_nothing_new_brings_back_who_had_missed_a_deadline_hr_set_09(saratoga, burgoyne):
    seat = saratoga.seats.get(user=burgoyne)
    Seat.objects.filter(pk=seat.pk).update(missed_at=timezone.now() - timedelta(days=1))
    seat.refresh_from_db()
    assert describe_absences([seat]) == {seat.pk: "has missed the last deadline"}
    nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne)
    seat.refresh_from_db()
    assert describe_absences([seat]) == {}


def test_after_going_back_nothing_new_is_asked_anew_hr_ump_14(saratoga, burgoyne, carleton):
    start = saratoga.head
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne, written=1)
    campaign_rewind(campaign=saratoga, record=start, reason="A slip.", actor=carleton)
    assert not Seat.objects.exclude(nothing_new=None).exists()


def test_the_page_and_the_api_say_nothing_new_with_one_button_hr_due_02(saratoga, burgoyne):
    page, sheet = signed_in(burgoyne), "/campaigns/saratoga/?sheet=orders"
    assert "Keep the orders as they are: nothing new" in page.get(sheet).content.decode()
    order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    told = page.post(
        "/campaigns/saratoga/orders/nothing-new/", {"written": "0"}, follow=True
    ).content.decode()
    assert "You have nothing new: your older orders go on, and no deadline is missed." in told
    assert "Your drafts are not submitted, so they do not count." in told
    assert "You have said that there is nothing new." in told
    assert saratoga.seats.get(user=burgoyne).nothing_new == 0


def test_a_reminder_names_the_drafts_that_are_not_submitted_hr_due_03(saratoga, burgoyne, gates):
    order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne)  # heard, and yet it may have forgotten
    nothing_new_say(campaign=saratoga, side="rebel", actor=gates)
    due(saratoga, timedelta(hours=-1))
    clock_strike()
    assert to("due") == ["burgoyne"]
    assert (
        mail.outbox[0]
        .body.splitlines()[0]
        .endswith("Your draft for Advanced Corps is not submitted, so it does not count.")
    )


def test_the_staff_writes_for_one_who_misses_the_deadline_hr_due_02(saratoga):
    due(saratoga, timedelta(minutes=1), missed_orders="staff")
    day_advance(campaign=saratoga, actor=None)
    written = OrderPaper.objects.filter(campaign=saratoga, submitted_by=None)
    assert set(written.values_list("side", flat=True)) == {"crown", "rebel"}


def test_who_was_there_is_not_missed_though_he_withdrew_hr_due_02(saratoga, burgoyne):
    paper = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    order_withdraw(paper=paper, actor=burgoyne)
    due(saratoga, timedelta(minutes=1), missed_orders="staff")
    day_advance(campaign=saratoga, actor=None)
    assert not OrderPaper.objects.filter(side="crown", submitted_by=None).exists()


def test_before_the_deadline_nobody_has_missed_it_hr_due_02(saratoga):
    due(saratoga, -timedelta(hours=3), missed_orders="staff")
    day_advance(campaign=saratoga, actor=None)
    assert not OrderPaper.objects.exists()
