"""Letters that go by courier: on their way, in, called back, taken, undone (HR-LET-05, HR-LET-06)."""

from dataclasses import replace

import pytest
from django.core import mail

from campaign.fog.dispatches import get_correspondent_seat, letters_for
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord, Letter, LetterCopy, Notice, Seat, User
from campaign.rules.dispatches.letter_rules import Carriage
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import World, present_units
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.dispatches import list_dispatch_thread, load_dispatch_box
from campaign.services import letters_ride
from campaign.services.dispatches import letter_send, letter_withdraw, letters_read
from campaign.services.notifications.delivery import notices_send
from campaign.services.seats.assignment import column_give
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.conftest import SECRET

pytestmark = pytest.mark.django_db
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


def write(campaign: Campaign, author: User, to: list[User], **more) -> Letter:
    keys = [get_correspondent_seat(each, campaign).pk for each in to]
    return letter_send(campaign=campaign, author=author, to=keys, **{"text": "I move upon Albany.", **more})


def play(campaign: Campaign) -> None:
    assert day_advance(campaign=campaign, actor=None).records
    campaign.refresh_from_db()


def reads(user: User, campaign: Campaign) -> list[Letter]:
    return list(letters_for(get_correspondent_seat(user, campaign), campaign))


def rides(monkeypatch, *, due: int = 1, taken: bool = False) -> None:
    """Every courier does the same."""
    way = Carriage(0, 1100, due, taken, 5 if taken else None)
    monkeypatch.setattr(letters_ride, "carry_letter", lambda *_: way)


def test_a_letter_leaves_in_the_evening_and_is_read_when_it_is_in_hr_let_05(burgoyne, gates, carleton):
    couriers, clinton = (
        create("safe", carleton, burgoyne, gates, letters_taken=False),
        User(username="clinton"),
    )
    clinton.save()
    far_column_give(couriers, clinton)
    letter = write(couriers, burgoyne, [clinton])
    assert letter.waits and reads(clinton, couriers) == [] and reads(carleton, couriers) == [letter]
    play(couriers)
    letter.refresh_from_db()
    copy = letter.copies.get()
    assert letter.left == 0 and not letter.waits
    assert copy.due > 2  # more than a day's ride
    while couriers.day < copy.due:
        assert reads(clinton, couriers) == []
        assert not LetterCopy.objects.all().unread_by(clinton)
        letters_read(letters=[letter], reader=clinton)  # nothing to open yet
        play(couriers)
    assert reads(clinton, couriers) == [letter]
    assert LetterCopy.objects.all().unread_by(clinton).count() == 1


def test_each_copy_rides_by_itself_and_the_umpires_is_in_at_once_hr_let_05(
    couriers, burgoyne, gates, clinton, carleton
):
    letter = write(couriers, burgoyne, [carleton, gates, clinton])
    assert letter.copies.get(seat__user=carleton).due == 0
    play(couriers)
    due = {copy.seat.user: copy.due for copy in letter.copies.filter(captured=False)}
    assert due[carleton] == 0 and len({due[gates], due[clinton], 0}) >= 2


def test_the_umpires_letters_and_those_of_campaigns_without_couriers_go_at_once_hr_let_05(
    couriers, saratoga, burgoyne, gates, carleton
):
    assert write(couriers, carleton, [burgoyne]) in reads(burgoyne, couriers)
    assert not write(saratoga, burgoyne, [gates]).rides
    Campaign.objects.filter(pk=couriers.pk).update(settings={**couriers.settings, "letters_at_once": True})
    couriers.refresh_from_db()
    assert write(couriers, burgoyne, [gates]) in reads(gates, couriers)


def test_an_open_letter_by_courier_is_read_by_those_it_is_for_hr_let_05(
    couriers, burgoyne, gates, clinton, carleton, monkeypatch
):
    rides(monkeypatch)
    letter = write(couriers, burgoyne, [gates], sealed=False)
    play(couriers)
    assert letter in reads(gates, couriers) and reads(clinton, couriers) == []


def test_a_letter_is_called_back_before_it_leaves_and_not_after_hr_let_05(
    couriers, burgoyne, gates, monkeypatch
):
    rides(monkeypatch)
    first, second = write(couriers, burgoyne, [gates]), write(couriers, burgoyne, [gates], text="Another.")
    with pytest.raises(RuleViolation, match="Only its writer can call a letter back; write to them"):
        letter_withdraw(letter=first, author=gates)
    for _ in range(2):
        assert letter_withdraw(letter=first, author=burgoyne).withdrawn
    play(couriers)
    with pytest.raises(RuleViolation, match="courier has left"):
        letter_withdraw(letter=second, author=burgoyne)
    assert reads(gates, couriers) == [second]
    again = write(couriers, burgoyne, [gates])
    assert again != first


def test_a_letter_that_was_in_at_once_is_not_called_back_hr_let_03(saratoga, burgoyne, gates):
    with pytest.raises(RuleViolation, match="in at once"):
        letter_withdraw(letter=write(saratoga, burgoyne, [gates]), author=burgoyne)


def test_a_letter_taken_is_read_by_the_enemys_commander_and_its_writer_is_not_told_hr_let_06(
    couriers, burgoyne, gates, clinton, carleton, monkeypatch
):
    rides(monkeypatch, taken=True)
    letter = write(couriers, burgoyne, [clinton])
    play(couriers)
    assert reads(gates, couriers) == [letter] and reads(clinton, couriers) == []
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
    write(couriers, burgoyne, [gates])
    for told in (0, 0, 1):
        assert Notice.objects.filter(kind=Notice.Kind.LETTER).count() == told
        play(couriers)
    Notice.objects.exclude(kind=Notice.Kind.LETTER).delete()
    assert notices_send() == 1 and "Albany" not in mail.outbox[0].body


def test_couriers_of_undone_days_are_back_but_what_was_opened_stays_hr_let_04(
    couriers, burgoyne, gates, clinton, monkeypatch
):
    rides(monkeypatch, taken=True)
    taken = write(couriers, burgoyne, [clinton])
    start = DayRecord.objects.get(campaign=couriers, kind="start")
    play(couriers)
    rides(monkeypatch)
    opened = write(couriers, burgoyne, [gates], text="Of the second morning.")
    play(couriers)
    letters_read(letters=[opened], reader=gates)
    campaign_rewind(campaign=couriers, record=start, reason="An error.", actor=None)
    couriers.refresh_from_db()
    taken.refresh_from_db()
    assert taken.waits and not taken.copies.get().taken
    assert reads(gates, couriers) == [opened] and Letter.objects.get(pk=opened.pk).undone
    play(couriers)
    assert reads(clinton, couriers) == [taken]


def test_letters_leave_every_hash_of_the_campaign_alone(burgoyne, gates, carleton):
    """No letter, its ride or its die is part of a day."""
    users = (carleton, burgoyne, gates)
    quiet, busy = (create(slug, *users) for slug in ("quiet", "busy"))
    for user in (gates, carleton):
        write(busy, burgoyne, [user])
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
    letter = write(couriers, burgoyne, [gates])
    play(couriers)
    assert letter.copies.get().due == 1
