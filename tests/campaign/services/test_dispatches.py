"""Letters between seats: who, to whom, read by whom (HR-LET)."""

from dataclasses import replace

import pytest
from django.core import mail
from django.utils import timezone

from campaign.fog.dispatches import get_correspondent_seat, letter_seats, letters_for
from campaign.fog.viewers import NotSeated
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord, Letter, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import World
from campaign.selectors.dispatches import list_dispatch_thread, load_dispatch_box
from campaign.services.dispatches import LONGEST, letter_send, letters_read
from campaign.services.notifications.delivery import notices_send
from campaign.services.seats.assignment import column_give, seat_give
from campaign.services.seats.changes import seat_open
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind

pytestmark = pytest.mark.django_db
Role = Seat.Role
TEXT = "Sir, I have the honour to propose an exchange of prisoners."


def seat(user: User, campaign: Campaign) -> Seat:
    return get_correspondent_seat(user, campaign)


def write(campaign: Campaign, author: User, to: list[User], **more) -> Letter:
    keys = [seat(each, campaign).pk for each in to]
    return letter_send(campaign=campaign, author=author, to=keys, **{"text": TEXT, **more})


def reads(user: User, campaign: Campaign) -> list[Letter]:
    return list(letters_for(seat(user, campaign), campaign))


@pytest.fixture
def fraser(saratoga) -> User:
    user = User.objects.create_user("fraser")
    column_give(
        campaign=saratoga, side="crown", formations=["advanced_corps"], user=user, title="Fraser", actor=None
    )
    return user


@pytest.fixture
def poor(saratoga) -> User:
    user = User.objects.create_user("poor")
    column_give(
        campaign=saratoga, side="rebel", formations=["poors_brigade"], user=user, title="Poor", actor=None
    )
    return user


# --- who writes to whom ---


def test_a_side_writes_to_its_own_to_the_enemys_commander_and_to_the_umpire_hr_let_01(
    saratoga, burgoyne, gates, carleton, fraser, poor
):
    assert {each.user for each in letter_seats(seat(fraser, saratoga), saratoga)} == {
        burgoyne, gates, carleton,
    }  # fmt: skip
    assert {each.user for each in letter_seats(seat(carleton, saratoga), saratoga)} == {
        burgoyne, gates, fraser, poor,
    }  # fmt: skip
    with pytest.raises(RuleViolation, match="cannot write to one of these"):
        write(saratoga, burgoyne, [poor])


@pytest.mark.parametrize("role", [Role.RESERVE, Role.SPECTATOR])
def test_who_looks_on_writes_to_the_umpire_alone_and_is_written_to_by_him_hr_let_01(
    saratoga, carleton, burgoyne, role
):
    user = User.objects.create_user("anna")
    seat_open(campaign=saratoga, role=role, user=user, actor=carleton)
    assert [each.user for each in letter_seats(seat(user, saratoga), saratoga)] == [carleton]
    assert user not in {each.user for each in letter_seats(seat(burgoyne, saratoga), saratoga)}
    letter = write(saratoga, carleton, [user], sealed=False)
    assert reads(user, saratoga) == [letter]
    assert reads(burgoyne, saratoga) == []


def test_who_was_written_to_may_answer_a_seat_he_does_not_know_hr_let_01(saratoga, gates, fraser):
    letter = write(saratoga, fraser, [gates])
    answer = write(saratoga, gates, [fraser], answers=letter.code)
    assert answer.answers == letter
    assert set(reads(fraser, saratoga)) == {letter, answer}
    with pytest.raises(RuleViolation):
        write(saratoga, gates, [fraser])


@pytest.mark.parametrize("allowed", ["off", "open"])
def test_the_campaign_may_forbid_letters_to_the_enemy_or_their_seals_hr_let_01(
    saratoga, burgoyne, gates, allowed
):
    Campaign.objects.update(settings={**saratoga.settings, "letters_to_enemy": allowed})
    saratoga.refresh_from_db()
    with pytest.raises(RuleViolation, match="cannot write" if allowed == "off" else "flag of truce"):
        write(saratoga, burgoyne, [gates])
    if allowed == "open":
        assert write(saratoga, burgoyne, [gates], sealed=False).copies.count() == 1
    assert Letter.objects.count() == (allowed == "open")


def test_a_stranger_writes_no_letters(saratoga, burgoyne):
    with pytest.raises(NotSeated):
        letter_send(campaign=saratoga, author=User.objects.create_user("anna"), to=[1], text=TEXT)


# --- who reads what ---


def test_a_sealed_letter_is_read_by_writer_receiver_and_umpire_hr_let_02(
    saratoga, burgoyne, gates, carleton, fraser, poor
):
    letter = write(saratoga, burgoyne, [gates])
    for user in (burgoyne, gates, carleton):
        assert reads(user, saratoga) == [letter]
    for user in (fraser, poor):
        assert reads(user, saratoga) == []


def test_a_letter_names_no_seat_its_reader_may_not_know_hr_let_02(
    saratoga, burgoyne, gates, fraser, poor, carleton
):
    """A letter to many: the enemy's columns are his own affair, and a spectator's are both sides'."""
    anna = User.objects.create_user("anna")
    seat_open(campaign=saratoga, role=Role.SPECTATOR, user=anna, actor=carleton)
    everybody = [burgoyne, fraser, gates, poor, anna]
    letter = write(saratoga, carleton, everybody)
    start = world_load(saratoga).theatre.start

    def to(user: User) -> str:
        (row,) = list_dispatch_thread(seat(user, saratoga), saratoga, start, letter.code)
        (boxed,) = load_dispatch_box(
            seat(user, saratoga), saratoga, start, "in" if user != carleton else "sent", 1
        ).rows
        assert boxed.to == row.to
        return row.to.replace("Lieutenant General ", "").replace("Major General ", "")

    assert to(carleton) == "Burgoyne, Fraser, Gates, Poor, Spectator"
    assert to(burgoyne) == to(fraser) == "Burgoyne, Fraser, Gates and others"
    assert to(poor) == "Burgoyne, Gates, Poor and others"
    assert to(anna) == "Burgoyne, Gates, Spectator and others"


def test_an_open_letter_is_read_by_both_sides_it_touches_hr_let_02(
    saratoga, burgoyne, gates, carleton, fraser, poor
):
    own = write(saratoga, burgoyne, [fraser], sealed=False)
    assert reads(fraser, saratoga) == [own] and reads(gates, saratoga) == []
    across = write(saratoga, fraser, [gates], sealed=False)
    for user in (burgoyne, poor):
        assert across in reads(user, saratoga)


def test_letters_go_with_the_seat_but_no_sealed_one_that_was_opened_hr_let_02(saratoga, burgoyne, gates):
    opened, waits = write(saratoga, gates, [burgoyne]), write(saratoga, gates, [burgoyne], subject="Again")
    plain = write(saratoga, gates, [burgoyne], sealed=False)
    letters_read(letters=[opened], reader=burgoyne)
    heir = User.objects.create_user("phillips")
    seat_give(campaign=saratoga, role=Role.COMMANDER, side="crown", user=heir, actor=None)
    assert set(reads(heir, saratoga)) == {waits, plain}
    with pytest.raises(NotSeated):
        reads(burgoyne, saratoga)


def test_a_letter_is_opened_once_and_only_by_whom_it_is_for_hr_let_02(saratoga, burgoyne, gates, carleton):
    letter = write(saratoga, burgoyne, [gates])
    for user in (burgoyne, carleton):
        letters_read(letters=[letter], reader=user)
    copy = letter.copies.get()
    assert copy.read_at is None
    letters_read(letters=[letter], reader=gates)
    copy.refresh_from_db()
    assert copy.read_by == gates and copy.read_at is not None


# --- limits ---


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"text": " \n "}, "text"),
        ({"text": "x" * (LONGEST + 1)}, "text"),
        ({"subject": "x" * 101}, "subject"),
    ],
)
def test_letters_too_long_or_empty_are_refused_and_nothing_is_written_hr_let_03(
    saratoga, burgoyne, gates, more, field
):
    with pytest.raises(RuleViolation) as refused:
        write(saratoga, burgoyne, [gates], **more)
    assert (refused.value.rule_id, refused.value.field) == ("HR-LET-03", field)
    assert not Letter.objects.exists() and not Notice.objects.exists()


def test_a_letter_goes_to_somebody_hr_let_01(saratoga, burgoyne):
    with pytest.raises(RuleViolation, match="name at least one"):
        write(saratoga, burgoyne, [])


def test_twenty_letters_in_a_day_hr_let_03(saratoga, burgoyne, gates):
    for number in range(20):
        write(saratoga, burgoyne, [gates], text=f"Letter {number}")
    with pytest.raises(RuleViolation, match="written 20 letters in 24 hours"):
        write(saratoga, burgoyne, [gates])


def test_the_same_form_sent_twice_is_one_letter_and_another_text_its_own(saratoga, burgoyne, gates):
    opened = timezone.now()
    letter = write(saratoga, burgoyne, [gates], opened=opened)
    assert write(saratoga, burgoyne, [gates], opened=opened) == letter
    other = write(saratoga, burgoyne, [gates], opened=opened, text="Another, from the other tab.")
    assert other != letter and Letter.objects.count() == 2
    assert write(saratoga, burgoyne, [gates], opened=timezone.now()) not in (letter, other)


# --- told by mail ---


def test_a_letter_is_told_by_mail_without_its_text_hr_due_03(saratoga, burgoyne, gates):
    User.objects.filter(pk=gates.pk).update(email="gates@example.org")
    write(saratoga, burgoyne, [gates], subject="Secret matters")
    assert notices_send() == 1
    (sent,) = mail.outbox
    assert sent.to == ["gates@example.org"] and "/campaigns/saratoga/letters/" in sent.body
    assert "prisoners" not in sent.body + sent.subject and "Secret" not in sent.body + sent.subject
    assert "Burgoyne" not in sent.body + sent.subject


# --- no part of the course ---


def test_letters_are_no_part_of_the_days_and_those_of_undone_days_say_so_hr_let_04(saratoga, burgoyne, gates):
    first = write(saratoga, burgoyne, [gates])
    before: World = world_load(saratoga)
    assert replace(before) == world_load(saratoga)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    later = write(saratoga, burgoyne, [gates], text="Of the second morning.")
    start = DayRecord.objects.get(campaign=saratoga, kind="start")
    campaign_rewind(campaign=saratoga, record=start, reason="An error.", actor=None)
    saratoga.refresh_from_db()
    first.refresh_from_db()
    later.refresh_from_db()
    assert (first.undone, later.undone) == (False, True)
    assert later in reads(burgoyne, saratoga) and first in reads(gates, saratoga)
