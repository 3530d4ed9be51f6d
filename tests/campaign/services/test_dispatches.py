"""Letters between seats: who, to whom, read by whom (HR-LET)."""

from dataclasses import replace

import pytest
from django.core import mail
from django.utils import timezone

from campaign.fog.dispatches import get_correspondent_seat, letter_seats, letters_for
from campaign.fog.viewers import NotSeated
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord, Letter, LetterCopy, Notice, Seat, User
from campaign.rules.dispatches.letter_rules import Carriage
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import World, present_units
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.dispatches import list_dispatch_thread, load_dispatch_box
from campaign.services import dispatches
from campaign.services.dispatches import LONGEST, letter_send, letter_withdraw, letters_read
from campaign.services.notifications.delivery import notices_send
from campaign.services.seats.assignment import column_give, seat_give
from campaign.services.seats.changes import seat_open
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.conftest import SECRET

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


SETTINGS = {"couriers": True, "supply": "food"}


def create(slug: str, umpire: User, crown: User, rebel: User, **more) -> Campaign:
    return campaign_create(
        scenario="saratoga-1777",
        slug=slug,
        secret=SECRET,
        settings={**SETTINGS, **more},
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=umpire),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", crown),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", rebel),
        ),
    )


@pytest.fixture
def couriers(burgoyne, gates, carleton) -> Campaign:
    return create("couriers", carleton, burgoyne, gates)


@pytest.fixture
def clinton(couriers) -> User:
    """He commands at New York, a week's ride from Burgoyne."""
    user = User.objects.create_user("clinton")
    far_column_give(couriers, user)
    return user


def far_column_give(campaign: Campaign, user: User) -> None:
    key = far_from_headquarters(world_load(campaign))
    column_give(campaign=campaign, side="crown", formations=[key], user=user, title="Clinton", actor=None)


def far_from_headquarters(world: World) -> str:
    """The Crown's southernmost formation with units."""
    present, places = present_units(world), world.theatre.atlas.places
    own = [
        (places[one.position.place].lat, key)
        for key, one in world.formations.items()
        if one.side == "crown" and one.position is not None and one.position.place and present.get(key)
    ]
    return min(own)[1]


def send_letter(campaign: Campaign, author: User, to: list[User], **more) -> Letter:
    keys = [get_correspondent_seat(each, campaign).pk for each in to]
    return letter_send(campaign=campaign, author=author, to=keys, **{"text": "I move upon Albany.", **more})


def play(campaign: Campaign) -> None:
    assert day_advance(campaign=campaign, actor=None).records
    campaign.refresh_from_db()


def letters_of(user: User, campaign: Campaign) -> list[Letter]:
    return list(letters_for(get_correspondent_seat(user, campaign), campaign))


def rides(monkeypatch, *, due: int = 1, taken: bool = False) -> None:
    """Every courier does the same."""
    way = Carriage(0, 1100, due, taken, 5 if taken else None)
    monkeypatch.setattr(dispatches, "carry_letter", lambda *_: way)


def test_a_letter_leaves_in_the_evening_and_is_read_when_it_is_in_hr_let_05(burgoyne, gates, carleton):
    couriers, clinton = (
        create("safe", carleton, burgoyne, gates, letters_taken=False),
        User(username="clinton"),
    )
    clinton.save()
    far_column_give(couriers, clinton)
    letter = send_letter(couriers, burgoyne, [clinton])
    assert letter.waits and letters_of(clinton, couriers) == [] and letters_of(carleton, couriers) == [letter]
    play(couriers)
    letter.refresh_from_db()
    copy = letter.copies.get()
    assert letter.left == 0 and not letter.waits
    assert copy.due > 2  # more than a day's ride
    while couriers.day < copy.due:
        assert letters_of(clinton, couriers) == []
        assert not LetterCopy.objects.all().unread_by(clinton)
        letters_read(letters=[letter], reader=clinton)  # nothing to open yet
        play(couriers)
    assert letters_of(clinton, couriers) == [letter]
    assert LetterCopy.objects.all().unread_by(clinton).count() == 1


def test_each_copy_rides_by_itself_and_the_umpires_is_in_at_once_hr_let_05(
    couriers, burgoyne, gates, clinton, carleton
):
    letter = send_letter(couriers, burgoyne, [carleton, gates, clinton])
    assert letter.copies.get(seat__user=carleton).due == 0
    play(couriers)
    due = {copy.seat.user: copy.due for copy in letter.copies.filter(captured=False)}
    assert due[carleton] == 0 and len({due[gates], due[clinton], 0}) >= 2


def test_the_umpires_letters_and_those_of_campaigns_without_couriers_go_at_once_hr_let_05(
    couriers, saratoga, burgoyne, gates, carleton
):
    assert send_letter(couriers, carleton, [burgoyne]) in letters_of(burgoyne, couriers)
    assert not send_letter(saratoga, burgoyne, [gates]).rides
    Campaign.objects.filter(pk=couriers.pk).update(settings={**couriers.settings, "letters_at_once": True})
    couriers.refresh_from_db()
    assert send_letter(couriers, burgoyne, [gates]) in letters_of(gates, couriers)


def test_an_open_letter_by_courier_is_read_by_those_it_is_for_hr_let_05(
    couriers, burgoyne, gates, clinton, carleton, monkeypatch
):
    rides(monkeypatch)
    letter = send_letter(couriers, burgoyne, [gates], sealed=False)
    play(couriers)
    assert letter in letters_of(gates, couriers) and letters_of(clinton, couriers) == []


def test_a_letter_is_called_back_before_it_leaves_and_not_after_hr_let_05(
    couriers, burgoyne, gates, monkeypatch
):
    rides(monkeypatch)
    first, second = (
        send_letter(couriers, burgoyne, [gates]),
        send_letter(couriers, burgoyne, [gates], text="Another."),
    )
    with pytest.raises(RuleViolation, match="Only its writer can call a letter back; write to them"):
        letter_withdraw(letter=first, author=gates)
    for _ in range(2):
        assert letter_withdraw(letter=first, author=burgoyne).withdrawn
    play(couriers)
    with pytest.raises(RuleViolation, match="courier has left"):
        letter_withdraw(letter=second, author=burgoyne)
    assert letters_of(gates, couriers) == [second]
    again = send_letter(couriers, burgoyne, [gates])
    assert again != first


def test_a_letter_that_was_in_at_once_is_not_called_back_hr_let_03(saratoga, burgoyne, gates):
    with pytest.raises(RuleViolation, match="in at once"):
        letter_withdraw(letter=send_letter(saratoga, burgoyne, [gates]), author=burgoyne)


def test_a_letter_taken_is_read_by_the_enemys_commander_and_its_writer_is_not_told_hr_let_06(
    couriers, burgoyne, gates, clinton, carleton, monkeypatch
):
    rides(monkeypatch, taken=True)
    letter = send_letter(couriers, burgoyne, [clinton])
    play(couriers)
    assert letters_of(gates, couriers) == [letter] and letters_of(clinton, couriers) == []
    start = theatre_load(couriers).start

    def seen(user: User) -> str:
        (row,) = list_dispatch_thread(get_correspondent_seat(user, couriers), couriers, start, letter.code)
        return f"{row.to} {' '.join(row.ways)}"

    assert "Taken from a courier" in seen(gates) and "Burgoyne" not in seen(gates)
    assert "taken" not in seen(burgoyne).lower() and "Gates" not in seen(burgoyne)
    assert "taken by the enemy, die 5" in seen(carleton) and "hands of Gates" in seen(carleton)
    assert [
        row.captured
        for row in load_dispatch_box(get_correspondent_seat(gates, couriers), couriers, start, "in", 1).rows
    ] == [True]
    assert not LetterCopy.objects.all().unread_by(clinton)


def test_mail_tells_of_a_letter_when_it_is_in_hr_due_03(couriers, burgoyne, gates, monkeypatch):
    rides(monkeypatch, due=2)
    User.objects.filter(pk=gates.pk).update(email="gates@example.org")
    send_letter(couriers, burgoyne, [gates])
    for told in (0, 0, 1):
        assert Notice.objects.filter(kind=Notice.Kind.LETTER).count() == told
        play(couriers)
    Notice.objects.exclude(kind=Notice.Kind.LETTER).delete()
    assert notices_send() == 1 and "Albany" not in mail.outbox[0].body


def test_couriers_of_undone_days_are_back_but_what_was_opened_stays_hr_let_04(
    couriers, burgoyne, gates, clinton, monkeypatch
):
    rides(monkeypatch, taken=True)
    taken = send_letter(couriers, burgoyne, [clinton])
    start = DayRecord.objects.get(campaign=couriers, kind="start")
    play(couriers)
    rides(monkeypatch)
    opened = send_letter(couriers, burgoyne, [gates], text="Of the second morning.")
    play(couriers)
    letters_read(letters=[opened], reader=gates)
    campaign_rewind(campaign=couriers, record=start, reason="An error.", actor=None)
    couriers.refresh_from_db()
    taken.refresh_from_db()
    assert taken.waits and not taken.copies.get().taken
    assert letters_of(gates, couriers) == [opened] and Letter.objects.get(pk=opened.pk).undone
    play(couriers)
    assert letters_of(clinton, couriers) == [taken]


def test_letters_leave_every_hash_of_the_campaign_alone(burgoyne, gates, carleton):
    """No letter, its ride or its die is part of a day."""
    users = (carleton, burgoyne, gates)
    quiet, busy = (create(slug, *users) for slug in ("quiet", "busy"))
    for user in (gates, carleton):
        send_letter(busy, burgoyne, [user])
    for campaign in (quiet, busy):
        play(campaign)
        play(campaign)
    heads = [DayRecord.objects.get(pk=each.head_id) for each in (quiet, busy)]
    assert heads[0].world_hash == heads[1].world_hash
    assert world_load(quiet) == replace(world_load(busy), theatre=world_load(quiet).theatre)
    assert LetterCopy.objects.filter(due=None).count() == 0


def test_a_writer_without_anybody_on_the_map_is_served_the_next_morning_hr_let_05(
    couriers, burgoyne, gates, monkeypatch
):
    monkeypatch.setattr(
        "campaign.rules.dispatches.letter_rules.find_recipient_position", lambda world, table: None
    )
    letter = send_letter(couriers, burgoyne, [gates])
    play(couriers)
    assert letter.copies.get().due == 1
