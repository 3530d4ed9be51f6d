"""An account closed or switched off: what goes, what stays, and who is told (HR-SET-16)."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import models
from django.db.models import ProtectedError, RestrictedError
from django.utils import timezone

from campaign.fog.seat_roles import deputy_acts, describe_absences, umpires_of
from campaign.fog.viewers import NotSeated, campaigns_for, list_chief_campaigns, viewer_of
from campaign.models import (
    ApiToken,
    CalendarFeed,
    Campaign,
    Delivery,
    Invitation,
    Notice,
    NoticeChannel,
    OrderPaper,
    Seat,
    Tenure,
    User,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.selectors.turns.deadlines import list_commanded_sides
from campaign.services.accounts.closing import GOES, account_close, seats_to_hand_over
from campaign.services.accounts.tokens import token_find, token_make
from campaign.services.notifications.calendars import calendar_make
from campaign.services.notifications.delivery import notices_expand, notices_send
from campaign.services.notifications.notifications import notice_text
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.absences import absence_add
from campaign.services.seats.assignment import column_give, list_seat_plans, seat_give, verify_command
from campaign.services.seats.changes import seat_fill, seat_leave, seat_open
from campaign.services.seats.invitations import invitation_accept, invitation_make
from campaign.services.setup.campaigns import SeatPlan, campaign_create

pytestmark = pytest.mark.django_db
Role = Seat.Role
MARCH = Order("advanced_corps", ("crown_point",))


@pytest.fixture
def anna(db) -> User:
    return User.objects.create_user("anna", email="anna@example.org", first_name="Anna")


@pytest.fixture
def bert(db) -> User:
    return User.objects.create_user("bert")


@pytest.fixture
def command(saratoga) -> Seat:
    return Seat.objects.get(campaign=saratoga, role=Role.COMMANDER, side="crown")


@pytest.fixture
def deputy(saratoga, command, anna) -> Seat:
    return seat_open(campaign=saratoga, role=Role.DEPUTY, stands_for=command, user=anna, actor=None)


def told_to(user: User) -> list[tuple[str, str]]:
    return [notice_text(notice) for notice in Notice.objects.filter(user=user)]


# --- closed ---


def test_an_account_is_never_deleted_with_seats_and_takes_nobody_elses_hr_set_16(burgoyne, deputy, anna):
    with pytest.raises(ProtectedError):
        burgoyne.delete()
    with pytest.raises(RestrictedError):
        deputy.stands_for.delete()
    deputy.refresh_from_db()
    assert deputy.user == anna


def test_nothing_that_hangs_on_a_person_but_their_own_goes_with_them_hr_set_16():
    third = {"admin.logentry"}  # Django's own; the row of a person is never deleted
    cascades = {
        each.related_model
        for each in User._meta.get_fields(include_hidden=True)
        if getattr(each, "on_delete", None) is models.CASCADE
        and each.related_model._meta.label_lower not in third
        and not each.related_model._meta.auto_created
    }
    assert cascades == set(GOES)


def test_the_seat_falls_empty_and_the_deputy_stays_and_acts_hr_set_16(saratoga, burgoyne, command, deputy):
    paper = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    account_close(user=burgoyne, actor=burgoyne)
    command.refresh_from_db()
    deputy.refresh_from_db()
    assert command.user is None
    assert (deputy.user.username, deputy.stands_for) == ("anna", command)
    assert deputy_acts(deputy)
    assert order_submit(campaign=saratoga, side="crown", order=MARCH, actor=deputy.user)
    assert OrderPaper.objects.filter(pk=paper.pk).exists()


def test_an_invitation_the_holder_outlived_is_void_as_when_the_umpire_empties_hr_set_16(
    saratoga, carleton, command, burgoyne
):
    seat_fill(seat=command, user=None, actor=carleton)
    older, _ = invitation_make(campaign=saratoga, seat=command, actor=carleton)
    seat_fill(seat=command, user=burgoyne, actor=carleton)
    account_close(user=burgoyne, actor=None)
    older.refresh_from_db()
    assert older.state == Invitation.State.TAKEN_BACK


def test_the_history_keeps_who_sat_there_hr_set_07_hr_set_16(saratoga, burgoyne):
    Campaign.objects.filter(pk=saratoga.pk).update(day=3)
    account_close(user=burgoyne, actor=burgoyne)
    tenure = Tenure.objects.get(campaign=saratoga, side="crown")
    assert (tenure.name, tenure.from_day, tenure.until_day) == ("John", 0, 3)


def test_what_opens_or_reaches_the_account_is_gone_hr_set_16(saratoga, burgoyne, client):
    burgoyne.email = "jack@example.org"
    burgoyne.is_staff = burgoyne.is_superuser = True
    burgoyne.save()
    User.objects.create_superuser("keeper")
    EmailAddress.objects.create(user=burgoyne, email="jack@example.org", primary=True, verified=True)
    Authenticator.objects.create(user=burgoyne, type=Authenticator.Type.TOTP, data={"secret": "x"})
    NoticeChannel.objects.create(user=burgoyne, kind=NoticeChannel.Kind.MAIL, address="sealed")
    _, text = token_make(user=burgoyne, name="bot", scopes=["read"])
    calendar_make(user=burgoyne)
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today, last=today + timedelta(days=3), word="hiking")
    sent = Invitation.objects.create(
        campaign=saratoga,
        seat=Seat.objects.get(campaign=saratoga, side="crown"),
        token_hash="h",
        email="Jack@example.org",
        expires_at=timezone.now(),
        used_by=burgoyne,
    )
    client.force_login(burgoyne)
    account_close(user=burgoyne, actor=burgoyne)
    for model in (ApiToken, NoticeChannel, CalendarFeed, EmailAddress, Authenticator):
        assert not model.objects.filter(user=burgoyne).exists(), model
    assert not burgoyne.absences.exists()
    assert token_find(text) is None
    gone = User.objects.get(pk=burgoyne.pk)
    assert (gone.username, gone.get_full_name(), gone.email) == (f"closed-{gone.pk}", "Former member", "")
    assert not (gone.is_active or gone.is_staff or gone.is_superuser or gone.has_usable_password())
    assert gone.closed_at is not None
    sent.refresh_from_db()
    assert sent.email == ""
    assert client.get("/account/").status_code == 302, "signed out"


def test_those_concerned_are_told_hr_set_16(saratoga, burgoyne, gates, carleton, deputy, anna, bert):
    column_give(
        campaign=saratoga,
        side="crown",
        formations=["advanced_corps"],
        user=bert,
        title="Riedesel",
        actor=None,
    )
    account_close(user=bert, actor=bert)
    account_close(user=burgoyne, actor=burgoyne)
    (subject, first), (_, second) = told_to(carleton)
    assert subject == f"{saratoga}: a seat is empty"
    assert first == (
        "Nobody holds the seat “Riedesel” any more: the account of its holder was closed. Orders already "
        "submitted stand. Give it to somebody else on the page of seats."
    )
    assert "“Lieutenant General Burgoyne”" in second
    ((_, sentence),) = told_to(anna)
    assert sentence.endswith("Orders already submitted stand. You act as deputy until somebody holds it.")
    assert not told_to(gates)


def test_the_holder_is_told_when_their_deputy_closes_hr_set_16(saratoga, burgoyne, deputy, anna):
    account_close(user=anna, actor=anna)
    ((subject, sentence),) = told_to(burgoyne)
    assert subject == f"{saratoga}: a seat is empty"
    assert "“Deputy of Lieutenant General Burgoyne”" in sentence


def test_a_seat_given_up_is_told_as_well_hr_set_16(saratoga, burgoyne, carleton, command, deputy, anna):
    seat_leave(seat=command, user=burgoyne)
    for person in (carleton, anna):
        ((_, sentence),) = told_to(person)
        assert "its holder gave it up" in sentence
    assert not told_to(burgoyne)


def test_an_umpire_who_empties_a_seat_tells_the_deputy_hr_set_16(carleton, command, deputy, anna):
    seat_fill(seat=command, user=None, actor=carleton)
    ((_, sentence),) = told_to(anna)
    assert "it was emptied" in sentence
    assert not told_to(carleton)


def test_the_umpire_of_a_running_campaign_hands_it_over_first_hr_set_16(saratoga, carleton, anna):
    assert [str(each) for each in seats_to_hand_over(carleton)] == ["The umpire"]
    with pytest.raises(RuleViolation, match=f"umpire of {saratoga}.*give that seat") as refused:
        account_close(user=carleton, actor=carleton)
    assert refused.value.rule_id == "HR-SET-16"
    carleton.refresh_from_db()
    assert carleton.username == "carleton"
    assert carleton.is_active
    seat_give(campaign=saratoga, role="umpire", side="", user=anna, actor=carleton)
    account_close(user=carleton, actor=carleton)
    assert Seat.objects.get(campaign=saratoga, role=Role.UMPIRE).user == anna


def test_an_umpires_seat_to_come_is_handed_over_first_too_hr_set_16(saratoga, anna):
    Seat.objects.filter(campaign=saratoga, role=Role.UMPIRE).update(until_day=9)
    seat_open(campaign=saratoga, role=Role.UMPIRE, from_day=9, user=anna, actor=None)
    with pytest.raises(RuleViolation, match="umpire of"):
        account_close(user=anna, actor=anna)


def test_the_umpire_of_an_ended_campaign_closes_freely_hr_set_16(saratoga, carleton):
    Campaign.objects.filter(pk=saratoga.pk).update(state=Campaign.State.ENDED)
    account_close(user=carleton, actor=carleton)
    assert Seat.objects.get(campaign=saratoga, role=Role.UMPIRE).user is None


def test_the_last_administrator_stays_hr_set_16(db):
    keeper = User.objects.create_superuser("keeper")
    with pytest.raises(RuleViolation, match="only administrator"):
        account_close(user=keeper, actor=keeper)


def test_nobody_closes_anybody_elses_account_hr_set_16(burgoyne, gates):
    with pytest.raises(RuleViolation, match="not your account"):
        account_close(user=burgoyne, actor=gates)


def test_closed_twice_is_closed_once_hr_set_16(saratoga, burgoyne, carleton):
    account_close(user=burgoyne, actor=None)
    account_close(user=burgoyne, actor=None)
    assert len(told_to(carleton)) == 1


# --- switched off ---


@pytest.fixture
def off(saratoga, burgoyne) -> User:
    User.objects.filter(pk=burgoyne.pk).update(is_active=False)
    burgoyne.refresh_from_db()
    return burgoyne


def test_a_deactivated_commander_commands_nothing_hr_set_16(saratoga, off, command):
    with pytest.raises(RuleViolation, match="deactivated"):
        order_submit(campaign=saratoga, side="crown", order=MARCH, actor=off)
    with pytest.raises(NotSeated):
        viewer_of(off, saratoga)
    assert not campaigns_for(off).exists()
    assert describe_absences([command]) == {command.pk: "the account is deactivated"}


def test_a_deactivated_deputy_does_not_act_hr_set_16(saratoga, command, deputy, anna, burgoyne):
    seat_fill(seat=command, user=None, actor=None)
    assert "crown" in list_commanded_sides(saratoga)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    anna.refresh_from_db()
    with pytest.raises(RuleViolation, match="deactivated"):
        verify_command(campaign=saratoga, side="crown", actor=anna, formations=["advanced_corps"])
    assert list_commanded_sides(saratoga) == {"rebel"}, "nobody is there: the staff leads the side"


def test_the_deputy_of_a_deactivated_commander_acts_hr_set_16(saratoga, off, deputy, anna):
    assert deputy_acts(Seat.objects.get(pk=deputy.pk))
    assert order_submit(campaign=saratoga, side="crown", order=MARCH, actor=anna)


def test_a_deactivated_umpire_or_administrator_does_nothing_hr_set_16(saratoga, carleton, anna):
    for person in (carleton, User.objects.create_superuser("keeper")):
        User.objects.filter(pk=person.pk).update(is_active=False)
        person.refresh_from_db()
        with pytest.raises(RuleViolation, match="deactivated"):
            seat_give(campaign=saratoga, role="commander", side="crown", user=None, actor=person)
    carleton.refresh_from_db()
    assert not list_chief_campaigns(carleton).exists()
    assert umpires_of(Seat.objects.filter(campaign=saratoga)) == []


def test_a_deactivated_account_is_given_no_seat_hr_set_16(saratoga, carleton, anna, command):
    User.objects.filter(pk=anna.pk).update(is_active=False)
    anna.refresh_from_db()
    with pytest.raises(RuleViolation, match="The account anna is deactivated"):
        seat_fill(seat=command, user=anna, actor=carleton)
    with pytest.raises(RuleViolation, match="deactivated"):
        seat_open(campaign=saratoga, role=Role.SPECTATOR, user=anna, actor=carleton)
    with pytest.raises(RuleViolation, match="deactivated"):
        column_give(
            campaign=saratoga,
            side="crown",
            formations=["advanced_corps"],
            user=anna,
            title="",
            actor=carleton,
        )
    seat_fill(seat=command, user=None, actor=carleton)
    invitation, _ = invitation_make(campaign=saratoga, seat=command, actor=carleton)
    with pytest.raises(RuleViolation, match="deactivated"):
        invitation_accept(invitation=invitation, user=anna)
    with pytest.raises(RuleViolation, match="deactivated"):
        token_make(user=anna, name="bot", scopes=["read"])
    with pytest.raises(RuleViolation, match="deactivated"):
        campaign_create(
            scenario="saratoga-1777", slug="war", seats=(SeatPlan("commander", "crown", user=anna),)
        )


def test_a_new_season_leaves_the_seats_of_deactivated_accounts_empty_hr_set_16(saratoga, off):
    carried = {plan.side: plan.user for plan in list_seat_plans(saratoga)}
    assert carried["crown"] is None
    assert carried["rebel"] is not None


def test_what_waits_for_a_deactivated_account_is_not_sent_hr_set_16(saratoga, burgoyne, mailoutbox):
    burgoyne.email = "jack@example.org"
    burgoyne.save()
    Notice.objects.create(campaign=saratoga, user=burgoyne, kind=Notice.Kind.LETTER, subject="1")
    notices_expand()
    assert Delivery.objects.filter(state=Delivery.State.PENDING).exists()
    User.objects.filter(pk=burgoyne.pk).update(is_active=False)
    notices_send()
    assert mailoutbox == []
