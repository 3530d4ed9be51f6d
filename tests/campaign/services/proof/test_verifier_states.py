"""What became of orders and letters is vouched for, and what a rewind changes verifies (HR-PRF-03)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from campaign.models import (
    Campaign,
    DayRecord,
    Letter,
    LetterCopy,
    OrderPaper,
    RowDigest,
    Seat,
    User,
)
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Order
from campaign.services.archive.export import campaign_export
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.dispatches import letter_send, letter_withdraw
from campaign.services.orders.march_orders import order_submit, order_withdraw
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform
from tests.campaign.services.test_dispatches import create, far_column_give, play, send_letter

pytestmark = pytest.mark.django_db
State = OrderPaper.State


def note(campaign: Campaign, umpire: User, text: str = "Howe sails.") -> None:
    """An act of the umpire's: the next record."""
    act_perform(campaign=campaign, act=corrections.Rumour("crown", text), reason="x", actor=umpire)
    campaign.refresh_from_db()


@pytest.fixture
def clinton() -> User:
    return User.objects.create_user("clinton")


@pytest.fixture
def first_morning(burgoyne, gates, carleton, clinton) -> Campaign:
    """The first morning: orders of three fates; letters that ride, are in at once or called back."""
    campaign = create("record", carleton, burgoyne, gates)
    far_column_give(campaign, clinton)
    given = {"campaign": campaign, "side": "crown", "actor": burgoyne}
    order_submit(**given, order=Order("german_1st_brigade", ("crown_point",)))
    order_submit(**given, order=Order("german_1st_brigade", ("crown_point",), pace="plus_half"))
    order_withdraw(
        paper=order_submit(**given, order=Order("british_1st_brigade", ("crown_point",))), actor=burgoyne
    )
    first = send_letter(campaign, carleton, [burgoyne], subject="Orders")
    umpire = Seat.objects.get(campaign=campaign, user=carleton)
    letter_send(campaign=campaign, author=burgoyne, to=[umpire.pk], text="They are in.", answers=first.code)
    send_letter(campaign, burgoyne, [clinton], subject="Rides")
    letter_withdraw(
        letter=send_letter(campaign, burgoyne, [clinton], subject="Called back", text="Do not come."),
        author=burgoyne,
    )
    return campaign


@pytest.fixture
def day_later(first_morning, carleton) -> Campaign:
    """The same a day and an act later: everything is vouched for."""
    play(first_morning)
    note(first_morning, carleton)
    return first_morning


def said_of(campaign: Campaign) -> str:
    """What verification says is wrong; "" for nothing."""
    try:
        campaign_verify(campaign=campaign)
    except NotVerified as mismatch:
        return str(mismatch)
    return ""


def papers(state: str) -> Any:
    return OrderPaper.objects.filter(side="crown", day=0, version__gt=0, state=state)


def letter(subject: str) -> Any:
    return Letter.objects.filter(subject=subject)


def copies(subject: str) -> Any:
    return LetterCopy.objects.filter(letter__subject=subject)


def another_letter(campaign: Campaign) -> Letter:
    return Letter.objects.get(campaign=campaign, subject="Called back")


#: What is altered, and the field that is named.
ALTERED: dict[str, tuple[Callable[[Campaign], object], str]] = {
    "carried out": (lambda one: papers(State.CARRIED_OUT).update(state=State.WITHDRAWN), "state"),
    "replaced": (lambda one: papers(State.REPLACED).update(state=State.WITHDRAWN), "state"),
    "withdrawn": (lambda one: papers(State.WITHDRAWN).update(state=State.CARRIED_OUT), "state"),
    "made a draft": (lambda one: papers(State.REPLACED).update(state=State.DRAFT), "state"),
    "replaced text": (lambda one: papers(State.REPLACED).update(body={"activity": "rest"}), "body"),
    "called back": (lambda one: letter("Orders").update(withdrawn=True), "withdrawn"),
    "not called back": (lambda one: letter("Called back").update(withdrawn=False), "withdrawn"),
    "undone": (lambda one: letter("Orders").update(undone=True), "undone"),
    "left later": (lambda one: letter("Rides").update(left=3), "left"),
    "answers": (lambda one: letter("").update(answers=another_letter(one)), "answers"),
    "answers nothing": (lambda one: letter("").update(answers=None), "answers"),
    "thread": (lambda one: letter("").update(root=another_letter(one)), "root"),
    "copy of another side": (lambda one: copies("Orders").update(side="rebel"), "copies"),
    "copy of another title": (lambda one: copies("Orders").update(title="Gates"), "copies"),
    "copy put in": (
        lambda one: LetterCopy.objects.create(letter=letter("Orders").get(), side="rebel", due=0),
        "copies",
    ),
    "copy captured": (
        lambda one: LetterCopy.objects.create(
            letter=letter("Rides").get(), side="rebel", title="Gates", due=1, captured=True
        ),
        "deliveries",
    ),
    "copy taken out": (lambda one: copies("Orders").delete(), "copies"),
    "copy in later": (lambda one: copies("Orders").update(due=5), "deliveries"),
    "ride on another day": (lambda one: copies("Rides").update(day=9), "deliveries"),
    "ride at another minute": (lambda one: copies("Rides").update(minute=3), "deliveries"),
    "ride with another die": (lambda one: copies("Rides").update(die=6), "deliveries"),
    "ride taken": (lambda one: copies("Rides").update(taken=True), "deliveries"),
}  # fmt: skip


@pytest.mark.parametrize("name", ALTERED)
def test_hr_prf_03_what_became_of_orders_and_letters_is_covered(day_later, name):
    alter, field = ALTERED[name]
    assert said_of(day_later) == ""
    alter(day_later)
    assert f"has another {field} than was recorded." in said_of(day_later)


def test_hr_prf_03_an_order_put_in_for_a_day_that_is_played_is_named_whatever_its_state(day_later, carleton):
    play(day_later)
    like = papers(State.REPLACED).get()
    for number, state in enumerate((State.REPLACED, State.WITHDRAWN, State.LAPSED, State.STANDING)):
        with transaction.atomic():
            like.pk, like.version, like.number, like.state = None, 90 + number, 900, state
            like.save()
            assert f"/{like.version} was put in after its day was recorded" in said_of(day_later), state
            transaction.set_rollback(True)


def test_hr_prf_03_a_letter_put_in_for_a_day_that_is_played_is_named(day_later):
    like = letter("Orders").get()
    like.pk, like.code = None, "0123456789ab"
    like.save()
    assert "was put in after its day was recorded" in said_of(day_later)


def test_hr_prf_03_a_letter_that_waits_may_be_called_back_between_records(
    day_later, burgoyne, clinton, carleton
):
    waits = send_letter(day_later, burgoyne, [clinton], subject="Waits")
    note(day_later, carleton, "Clinton waits.")
    assert said_of(day_later) == ""
    assert not RowDigest.objects.filter(table="letter_states", row=waits.pk).exists()
    letter_withdraw(letter=waits, author=burgoyne)
    assert said_of(day_later) == ""
    note(day_later, carleton, "Clinton comes.")
    assert said_of(day_later) == ""
    letter("Waits").update(withdrawn=False)
    assert "has another withdrawn than was recorded." in said_of(day_later)


@pytest.mark.parametrize("papers_are", ["stand", "draft"])
def test_hr_prf_03_what_a_rewind_changes_verifies_and_is_vouched_for_anew(
    day_later, burgoyne, carleton, clinton, papers_are, tmp_path: Path
):
    """Orders stand again, letters are undone and couriers are back; then the day goes otherwise."""
    send_letter(day_later, burgoyne, [clinton], subject="Undone")
    note(day_later, carleton, "Undone soon.")
    start = DayRecord.objects.get(campaign=day_later, kind=DayRecord.Kind.START)
    campaign_rewind(campaign=day_later, record=start, reason="Again.", actor=carleton, papers=papers_are)
    day_later.refresh_from_db()
    assert said_of(day_later) == ""
    assert letter("Undone").get().undone and letter("Rides").get().left is None
    assert not papers(State.CARRIED_OUT).exists()
    if papers_are == "stand":
        order_withdraw(paper=papers(State.STANDING).get(), actor=burgoyne)
    letter_withdraw(letter=letter("Rides").get(), author=burgoyne)
    assert said_of(day_later) == ""
    play(day_later)
    note(day_later, carleton)
    assert said_of(day_later) == ""
    campaign_export(campaign=day_later, path=tmp_path / "war.zip", with_secret=True)
    archive_verify(archive_open(tmp_path / "war.zip"))
    for rows, change, field in (
        (letter("Undone"), {"undone": False}, "undone"),
        (letter("Rides"), {"withdrawn": False}, "withdrawn"),
        (papers(State.REPLACED), {"state": State.CARRIED_OUT}, "state"),
    ):
        with transaction.atomic():
            assert rows.update(**change)
            assert f"has another {field} than was recorded." in said_of(day_later)
            transaction.set_rollback(True)
    papers(State.REPLACED).update(state=State.WITHDRAWN)
    campaign_export(campaign=day_later, path=tmp_path / "forged.zip", with_secret=True)
    with pytest.raises(NotVerified, match="another state than was recorded"):
        archive_verify(archive_open(tmp_path / "forged.zip"))
