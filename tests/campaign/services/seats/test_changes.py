"""Seats made, filled, dated, offered and closed (HR-SET-07 to HR-SET-12)."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, JournalEntry, Notice, Seat, Tenure, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.services.notifications.notifications import build_page_url, notice_text
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.absences import absence_add
from campaign.services.seats.assignment import seat_give
from campaign.services.seats.changes import (
    seat_close,
    seat_dates_set,
    seat_fill,
    seat_leave,
    seat_offer,
    seat_open,
    seat_pass,
    seat_take,
    spectators_set,
)
from campaign.services.turns.rewind import campaign_rewind
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of

pytestmark = pytest.mark.django_db
Role = Seat.Role
WHY = "What was seen could still be told."
MARCH = Order("advanced_corps", ("crown_point",))


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", email="anna@example.org")


@pytest.fixture
def bert() -> User:
    return User.objects.create_user("bert", email="bert@example.org")


def seat_of(campaign: Campaign, side: str) -> Seat:
    return Seat.objects.get(campaign=campaign, role=Role.COMMANDER, side=side)


def opened(campaign: Campaign, role: str, **more: object) -> Seat:
    return seat_open(campaign=campaign, role=role, actor=None, **more)  # type: ignore[arg-type]


# --- making and filling ---


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.RESERVE, Role.SPECTATOR])
def test_a_campaign_has_several_of_these_hr_set_08_hr_set_10_hr_set_12(saratoga, carleton, anna, bert, role):
    for user in (anna, bert):
        seat = seat_open(campaign=saratoga, role=role, user=user, actor=carleton)
        assert (seat.user, seat.side) == (user, "")


def test_an_empty_seat_is_filled_once_by_whoever_was_invited_hr_set_04(saratoga, anna):
    seat = opened(saratoga, Role.SPECTATOR)
    assert seat_fill(seat=seat, user=anna, actor=None).user == anna
    with pytest.raises(RuleViolation, match="two seats"):
        opened(saratoga, Role.ASSISTANT, user=anna)


def test_only_the_umpire_makes_seats_hr_set_08(saratoga, burgoyne, anna, bert):
    assistant = opened(saratoga, Role.ASSISTANT, user=anna)
    for actor in (burgoyne, anna):
        with pytest.raises(RuleViolation, match="Only the umpire"):
            seat_open(campaign=saratoga, role=Role.SPECTATOR, user=bert, actor=actor)
        with pytest.raises(RuleViolation, match="Only the umpire"):
            seat_close(seat=assistant, actor=actor)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"role": "king"}, "role"),
        ({"role": Role.COMMANDER, "side": "spain"}, "side"),
        ({"role": Role.COMMANDER, "side": "crown"}, "from_day"),
        ({"role": Role.RESERVE, "side": "crown"}, "side"),
        ({"role": Role.COLUMN, "side": "crown"}, "formations"),
        ({"role": Role.COLUMN, "side": "crown", "formations": ["poors_brigade"]}, "formations"),
        ({"role": Role.DEPUTY}, "stands_for"),
        ({"role": Role.GUEST, "side": "crown"}, "battle"),
        ({"role": Role.SPECTATOR, "from_day": 9, "until_day": 9}, "until_day"),
    ],
)
def test_a_seat_that_cannot_be_is_refused_with_its_field(saratoga, more, field):
    with pytest.raises(RuleViolation) as refused:
        opened(saratoga, **more)
    assert refused.value.field == field
    assert Seat.objects.filter(campaign=saratoga).count() == 3


def test_a_guest_who_leaves_is_no_news_to_the_enemy_hr_set_16(saratoga, battle, anna, gates):
    """The seat was gone before those concerned were sought, and everybody was told to act as its deputy."""
    seat = opened(saratoga, Role.GUEST, side="crown", battle=battle, user=anna)
    seat_leave(seat=seat, user=anna)
    assert not Notice.objects.filter(kind=Notice.Kind.VACANT, user=gates).exists()


def test_a_guest_fights_for_a_side_of_a_battle_that_waits_hr_set_11(saratoga, battle, anna):
    seat = opened(saratoga, Role.GUEST, side="crown", battle=battle, user=anna)
    assert (seat.battle, seat.side) == (battle, "crown")
    assert "Ticonderoga" not in str(seat)  # the list of seats is read by people who may not know of it
    battle.state = battle.State.SETTLED
    battle.save()
    with pytest.raises(RuleViolation, match="waits"):
        opened(saratoga, Role.GUEST, side="crown", battle=battle)


def test_a_closed_seat_is_gone_with_its_deputies_and_a_command_is_not_closed(saratoga, carleton, anna):
    deputy = opened(saratoga, Role.DEPUTY, stands_for=seat_of(saratoga, "crown"), user=anna)
    with pytest.raises(RuleViolation, match="cannot be closed"):
        seat_close(seat=seat_of(saratoga, "crown"), actor=carleton)
    seat_close(seat=deputy, actor=carleton)
    with pytest.raises(RuleViolation, match="closed meanwhile"):
        seat_fill(seat=deputy, user=anna, actor=carleton)


def test_the_rows_themselves_refuse_what_makes_no_sense(saratoga):
    for wrong in (
        {"role": Role.DEPUTY, "side": "crown"},
        {"role": Role.GUEST, "side": "crown"},
        {"role": Role.COMMANDER, "side": "crown"},
        {"role": Role.SPECTATOR, "from_day": 3, "until_day": 2},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Seat.objects.create(campaign=saratoga, **wrong)


# --- dates ---


def test_command_passes_on_a_morning_and_each_has_it_in_his_days_hr_set_07(saratoga, burgoyne, anna):
    before, after = seat_pass(
        seat=seat_of(saratoga, "crown"), day=3, user=anna, title="General Phillips", actor=None
    )
    assert (before.until_day, after.from_day, after.until_day) == (3, 3, None)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    with pytest.raises(RuleViolation, match="do not command"):
        order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)
    Campaign.objects.filter(pk=saratoga.pk).update(day=3)
    assert [seat.user for seat in Seat.objects.filter(side="crown").in_force()] == [anna]
    assert list(Tenure.objects.filter(side="crown").values_list("name", "from_day", "until_day")) == [
        ("John", 0, None),
        ("anna", 3, None),
    ]


def test_the_same_person_may_have_another_seat_later_but_not_two_at_once_hr_set_04(saratoga, burgoyne):
    seat_pass(seat=seat_of(saratoga, "crown"), day=5, user=None, actor=None)
    assert opened(saratoga, Role.ASSISTANT, from_day=5, user=burgoyne).user == burgoyne
    with pytest.raises(RuleViolation, match="two seats"):
        opened(saratoga, Role.SPECTATOR, from_day=4, user=burgoyne)


@pytest.mark.parametrize("day", [0, -1])
def test_command_passes_on_a_morning_to_come_hr_set_07(saratoga, anna, day):
    with pytest.raises(RuleViolation) as refused:
        seat_pass(seat=seat_of(saratoga, "crown"), day=day, user=anna, actor=None)
    assert refused.value.rule_id == "HR-SET-07"


def test_dates_do_not_overlap_and_there_is_always_an_umpire_hr_set_07(saratoga, carleton):
    _, later = seat_pass(seat=seat_of(saratoga, "crown"), day=5, user=None, actor=None)
    with pytest.raises(RuleViolation, match="same command"):
        seat_dates_set(seat=later, from_day=4, until_day=None, actor=carleton)
    umpire = Seat.objects.get(campaign=saratoga, role=Role.UMPIRE)
    with pytest.raises(RuleViolation, match="always has an umpire"):
        seat_dates_set(seat=umpire, from_day=1, until_day=None, actor=carleton)
    assert seat_dates_set(seat=later, from_day=6, until_day=9, actor=carleton).until_day == 9


def test_who_held_a_seat_is_remembered_hr_set_07(saratoga, carleton, anna):
    Campaign.objects.filter(pk=saratoga.pk).update(day=12)
    seat_give(campaign=saratoga, role="commander", side="rebel", user=anna, actor=carleton)
    rows = Tenure.objects.filter(side="rebel").values_list("name", "from_day", "until_day")
    assert list(rows) == [("gates", 0, 12), ("anna", 12, None)]


# --- deputies ---


@pytest.fixture
def deputy(saratoga, anna) -> Seat:
    return opened(saratoga, Role.DEPUTY, stands_for=seat_of(saratoga, "crown"), user=anna)


def test_a_deputy_waits_until_the_commander_is_away_hr_set_09(saratoga, deputy, anna, burgoyne):
    with pytest.raises(RuleViolation) as refused:
        order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)
    assert refused.value.rule_id == "HR-SET-09"
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today - timedelta(days=1), last=today + timedelta(days=1))
    assert order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna).submitted_by == anna
    with pytest.raises(RuleViolation):
        order_submit(campaign=saratoga, side="rebel", order=MARCH, actor=anna)


def test_a_deputy_leads_an_empty_seat_hr_set_09(saratoga, deputy, anna, carleton):
    seat_fill(seat=seat_of(saratoga, "crown"), user=None, actor=carleton)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)


def test_after_a_missed_deadline_the_deputy_acts_until_the_commander_is_back_hr_set_09(
    saratoga, deputy, anna, burgoyne
):
    seat = seat_of(saratoga, "crown")
    Seat.objects.filter(pk=seat.pk).update(missed_at=timezone.now() - timedelta(hours=1))
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    with pytest.raises(RuleViolation, match="not away"):
        order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)


def test_a_deputy_of_a_column_orders_that_column_hr_set_09(saratoga, anna):
    column = opened(saratoga, Role.COLUMN, side="crown", formations=["advanced_corps"])
    opened(saratoga, Role.DEPUTY, stands_for=column, user=anna)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)
    with pytest.raises(RuleViolation, match="do not command"):
        other = Order("british_2nd_brigade", ("montreal",))
        order_submit(campaign=saratoga, side="crown", order=other, actor=anna)


def test_deputies_come_along_when_command_passes_hr_set_07_hr_set_09(saratoga, deputy, anna, bert):
    _, after = seat_pass(seat=seat_of(saratoga, "crown"), day=3, user=bert, actor=None)
    later = Seat.objects.get(role=Role.DEPUTY, from_day=3)
    assert (later.stands_for, later.user, later.until_day) == (after, anna, None)
    deputy.refresh_from_db()
    assert deputy.until_day == 3
    _, last = seat_pass(seat=after, day=6, user=None, actor=None)
    assert Seat.objects.get(stands_for=last).user == anna


def test_a_deputy_takes_over_and_needs_one_himself_hr_set_07_hr_set_09(saratoga, deputy, anna):
    _, after = seat_pass(seat=seat_of(saratoga, "crown"), day=3, user=anna, actor=None)
    assert after.user == anna and Seat.objects.get(stands_for=after).user is None


# --- the reserve ---


def test_the_first_of_the_reserve_to_take_a_seat_has_it_hr_set_10(saratoga, carleton, anna, bert):
    for user in (anna, bert):
        opened(saratoga, Role.RESERVE, user=user)
    seat = seat_fill(seat=seat_of(saratoga, "rebel"), user=None, actor=carleton)
    with pytest.raises(RuleViolation, match="no longer"):
        seat_take(seat=seat, user=anna)
    seat_offer(seat=seat, offered=True, actor=carleton)
    assert Notice.objects.filter(kind="offered").count() == 2 and not mail.outbox
    stale = Seat.objects.get(pk=seat.pk)  # both have the page open
    assert seat_take(seat=seat, user=anna).user == anna
    (taken,) = Notice.objects.filter(subject__startswith="taken")
    assert taken.user == carleton
    assert notice_text(taken)[1] == f"anna has taken the seat “{seat}” from the reserve."
    with pytest.raises(RuleViolation, match="no longer") as refused:
        seat_take(seat=stale, user=bert)
    assert refused.value.rule_id == "HR-SET-10"
    assert list(Seat.objects.filter(role=Role.RESERVE).values_list("user__username", flat=True)) == ["bert"]


def test_only_an_empty_seat_is_offered_and_only_to_the_reserve_hr_set_10(saratoga, carleton, anna):
    seat = seat_of(saratoga, "rebel")
    with pytest.raises(RuleViolation, match="not empty"):
        seat_offer(seat=seat, offered=True, actor=carleton)
    seat_fill(seat=seat, user=None, actor=carleton)
    seat_offer(seat=seat, offered=True, actor=carleton)
    with pytest.raises(RuleViolation, match="Only the reserve"):
        seat_take(seat=seat, user=anna)


def test_a_person_leaves_his_own_seat_only(saratoga, burgoyne, carleton, anna):
    seat_leave(seat=seat_of(saratoga, "crown"), user=burgoyne)
    assert seat_of(saratoga, "crown").user is None
    watching = opened(saratoga, Role.SPECTATOR, user=anna)
    with pytest.raises(RuleViolation, match="not yours"):
        seat_leave(seat=watching, user=burgoyne)
    seat_leave(seat=watching, user=anna)
    assert not Seat.objects.filter(user=anna).exists()
    with pytest.raises(RuleViolation, match="cannot be umpire"):
        seat_leave(seat=Seat.objects.get(role=Role.UMPIRE), user=carleton)


# --- spectators ---


@pytest.mark.parametrize(
    ("days", "side", "field"),
    [(-1, "", "spectator_days"), (999, "", "spectator_days"), (3, "spain", "spectator_side")],
)
def test_a_wrong_delay_is_refused_hr_set_12(saratoga, carleton, days, side, field):
    with pytest.raises(RuleViolation) as refused:
        spectators_set(campaign=saratoga, days=days, side=side, reason=WHY, actor=carleton)
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-12", field)


def test_the_umpire_sets_what_spectators_see_hr_set_12(saratoga, carleton, burgoyne):
    done = spectators_set(campaign=saratoga, days=None, side="crown", reason=WHY, actor=carleton)
    assert (done.spectator_days, done.spectator_side) == (None, "crown")
    with pytest.raises(RuleViolation, match="Only the umpire"):
        spectators_set(campaign=saratoga, days=3, side="", reason=WHY, actor=burgoyne)


def test_a_spectators_delay_is_an_act_with_its_reason_that_going_back_leaves_hr_ump_18(saratoga, carleton):
    start = saratoga.head
    second = User.objects.create_user("tryon")
    seat_open(campaign=saratoga, role=Role.ASSISTANT, user=second, actor=carleton)
    for days, side, reason, actor in ((2, "", " ", carleton), (2, "", WHY, second), (7, "", WHY, carleton)):
        with pytest.raises(RuleViolation):
            spectators_set(campaign=saratoga, days=days, side=side, reason=reason, actor=actor)
    saratoga.refresh_from_db()
    assert (saratoga.head, saratoga.spectator_days) == (start, 7)

    for _ in range(2):  # the same click twice
        spectators_set(campaign=saratoga, days=None, side="rebel", reason=WHY, actor=carleton, seen=start.pk)
    saratoga.refresh_from_db()
    assert (saratoga.head.parent, saratoga.head.reason) == (start, WHY)
    told = JournalEntry.objects.get(record=saratoga.head, kind="conduct_changed")
    assert told.sides == "|crown|rebel|"
    words = narrate(event_from_entry(told), names_of(world_load(saratoga)))
    assert "spectators see nothing; spectators see what is known to United States" in words

    campaign_rewind(campaign=saratoga, record=start, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    assert (saratoga.spectator_days, saratoga.spectator_side) == (None, "rebel")


def test_absence_needs_days_to_come(saratoga, burgoyne):
    with pytest.raises(RuleViolation):
        absence_add(user=burgoyne, first=date(2001, 1, 1), last=date(2001, 1, 2))


# --- who loses a seat is told ---


def lost(user: User) -> list[str]:
    return [notice_text(notice)[1] for notice in Notice.objects.filter(user=user, kind="seat").order_by("pk")]


def test_who_is_replaced_is_told_and_who_replaces_him_is_not_hr_due_11(saratoga, gates, carleton, anna):
    seat_fill(seat=seat_of(saratoga, "rebel"), user=anna, actor=carleton)
    (sentence,) = lost(gates)
    assert sentence.startswith("From now on you no longer hold the seat Major General Gates;")
    assert "Orders you have put in stand." in sentence and not lost(anna)
    assert build_page_url(Notice.objects.get(kind="seat")) == "/"
    seat_give(campaign=saratoga, role="commander", side="rebel", user=None, actor=carleton)
    assert len(lost(anna)) == 1


def test_the_same_person_again_is_told_nothing_hr_due_11(saratoga, gates, carleton):
    seat_fill(seat=seat_of(saratoga, "rebel"), user=gates, actor=carleton)
    assert not lost(gates)


def test_who_gives_his_seat_up_or_hands_it_on_himself_is_not_told_hr_due_11(saratoga, gates, carleton, anna):
    seat_leave(seat=seat_of(saratoga, "rebel"), user=gates)
    seat_give(campaign=saratoga, role="umpire", side="", user=anna, actor=carleton)
    assert not lost(gates) and not lost(carleton)


def test_command_that_is_to_pass_is_told_with_its_morning_hr_due_11(saratoga, gates, carleton, anna):
    seat_pass(seat=seat_of(saratoga, "rebel"), day=3, user=anna, actor=carleton)
    start = world_load(saratoga).theatre.start + timedelta(days=3)
    assert lost(gates)[0].startswith(f"From the morning of {start.day} {start:%B %Y} you no longer hold")


def test_of_a_closed_seat_its_holder_and_his_deputy_are_told_hr_due_11(saratoga, carleton, anna, bert):
    column = opened(saratoga, Role.COLUMN, side="crown", formations=["advanced_corps"], user=anna)
    opened(saratoga, Role.DEPUTY, stands_for=column, user=bert)
    looks_on = opened(saratoga, Role.SPECTATOR, user=User.objects.create_user("press"))
    seat_close(seat=column, actor=carleton)
    seat_close(seat=looks_on, actor=carleton)
    assert len(lost(anna)) == len(lost(bert)) == Notice.objects.filter(kind="seat").count() - 1 == 1
