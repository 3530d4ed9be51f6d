"""Invitations to seats: made by the umpire, used once, expiring (HR-SET-13)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import Invitation, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.notifications.notifications import format_email
from campaign.services.seats.changes import seat_fill, seat_open
from campaign.services.seats.invitations import (
    invitation_accept,
    invitation_find,
    invitation_keep,
    invitation_make,
    invitation_send,
    invitation_take_back,
    invitations_for,
    invitations_open,
)


@pytest.fixture
def empty(saratoga, carleton) -> Seat:
    """Gates has left."""
    return seat_fill(seat=saratoga.seats.get(side="rebel"), user=None, actor=carleton)


@pytest.fixture
def stark(db) -> User:
    return User.objects.create_user("stark")


def invited(seat: Seat, actor: User, **more) -> tuple[Invitation, str]:
    return invitation_make(campaign=seat.campaign, seat=seat, actor=actor, **more)


def test_hr_set_13_an_invitation_gives_an_empty_seat_once(empty, carleton, stark):
    invitation, token = invited(empty, carleton)
    assert invitation_find(token) == invitation
    assert invitation_accept(invitation=invitation, user=stark).user == stark
    invitation.refresh_from_db()
    assert (invitation.state, invitation.used_by) == ("used", stark)
    second = User.objects.create_user("lincoln")
    with pytest.raises(RuleViolation, match="has been used"):
        invitation_accept(invitation=invitation, user=second)
    assert Seat.objects.get(pk=empty.pk).user == stark


def test_hr_set_13_the_umpire_is_told_who_took_a_seat_by_invitation(empty, carleton, stark, burgoyne):
    stark.first_name = "John Stark"
    stark.save()
    invitation, _ = invited(empty, carleton)
    invitation_accept(invitation=invitation, user=stark)
    (notice,) = Notice.objects.filter(subject__startswith="taken")
    assert notice.user == carleton, "the umpires, and nobody else"
    subject, text = format_email(notice)
    assert subject == f"{empty.campaign.title}: a seat has been taken"
    told = f"John Stark has taken the seat “{empty}” by your invitation."
    assert text.startswith(f"{told}\n") and text.rstrip().endswith("/campaigns/saratoga/seats/")
    notice = Notice.objects.get(pk=notice.pk)
    notice.subject = notice.subject.replace(f" {stark.pk} ", " 0 ")  # of another installation's archive
    assert format_email(notice)[1].startswith(f"Somebody has taken the seat “{empty}” by your invitation.")


def test_hr_set_13_who_takes_the_umpires_seat_is_told_nothing_by_himself(saratoga, carleton, stark):
    seat = seat_open(campaign=saratoga, role=Seat.Role.ASSISTANT, side="", user=None, actor=carleton)
    invitation, _ = invited(seat, carleton)
    invitation_accept(invitation=invitation, user=stark)
    told = Notice.objects.filter(subject__startswith="taken")
    assert [notice.user for notice in told] == [carleton]


def test_hr_set_13_the_token_is_kept_nowhere(empty, carleton):
    _, token = invited(empty, carleton)
    assert len(token) >= 43
    assert token not in [str(value) for value in Invitation.objects.values_list().get()]
    assert invitation_find(token[:-1]) is None


def test_hr_set_13_an_invitation_expires(empty, carleton, stark):
    invitation, _ = invited(empty, carleton, days=1)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(RuleViolation, match="expired on"):
        invitation_accept(invitation=invitation, user=stark)


@pytest.mark.parametrize("days", [0, 61])
def test_hr_set_13_days_have_limits(empty, carleton, days):
    with pytest.raises(RuleViolation, match="1 to 60 days"):
        invited(empty, carleton, days=days)


def test_hr_set_13_an_invitation_is_taken_back(empty, carleton, stark, gates):
    invitation, _ = invited(empty, carleton)
    with pytest.raises(RuleViolation, match="Only the umpire"):
        invitation_take_back(invitation=invitation, actor=gates)
    invitation_take_back(invitation=invitation, actor=carleton)
    with pytest.raises(RuleViolation, match="taken this invitation back"):
        invitation_accept(invitation=invitation, user=stark)
    other, _ = invited(empty, carleton)
    invitation_accept(invitation=other, user=stark)
    with pytest.raises(RuleViolation, match="taken up meanwhile"):
        invitation_take_back(invitation=other, actor=carleton)


def test_hr_set_13_only_the_umpire_invites_and_only_to_an_empty_seat(saratoga, empty, burgoyne, carleton):
    with pytest.raises(RuleViolation, match="Only the umpire"):
        invited(empty, burgoyne)
    with pytest.raises(RuleViolation, match="is held"):
        invited(saratoga.seats.get(side="crown"), carleton)
    assert not Invitation.objects.exists()


def test_hr_set_13_a_newer_link_for_a_seat_ends_an_older_one(empty, carleton, stark):
    first, _ = invited(empty, carleton)
    second, _ = invited(empty, carleton)
    assert list(invitations_open(empty.campaign)) == [second]
    with pytest.raises(RuleViolation, match="or made a newer link"):
        invitation_accept(invitation=first, user=stark)
    invitation_accept(invitation=second, user=stark)


def test_hr_set_13_who_comes_when_the_seat_is_given_is_told_so(empty, carleton, stark):
    invitation, _ = invited(empty, carleton)
    seat_fill(seat=empty, user=User.objects.create_user("lincoln"), actor=carleton)
    with pytest.raises(RuleViolation, match="Somebody has taken this seat"):
        invitation_accept(invitation=invitation, user=stark)


def test_hr_set_13_who_has_a_seat_takes_no_second(empty, carleton, burgoyne):
    invitation, _ = invited(empty, carleton)
    with pytest.raises(RuleViolation, match="You have a seat of this campaign already: Lieutenant"):
        invitation_accept(invitation=invitation, user=burgoyne)
    assert Invitation.objects.get().state == "open"


def test_hr_set_13_from_the_reserve_one_may_move_up(saratoga, empty, carleton, stark):
    seat_open(campaign=saratoga, role="reserve", user=stark, actor=carleton)
    invitation, _ = invited(empty, carleton)
    invitation_accept(invitation=invitation, user=stark)
    assert Seat.objects.get(user=stark).role == "commander"


def test_an_invitation_is_kept_for_a_person_until_it_is_gone(empty, carleton, stark):
    invitation, _ = invited(empty, carleton)
    for _ in range(2):
        invitation_keep(invitation=invitation, user=stark)
    assert invitations_for(stark) == [invitation]
    invitation_take_back(invitation=invitation, actor=carleton)
    assert invitations_for(stark) == []


def test_a_letter_carries_the_link(empty, carleton, settings):
    settings.SITE_URL = "https://club.example"
    invitation, token = invited(empty, carleton, email="john@example.org")
    assert invitation_send(invitation=invitation, token=token)
    assert f"https://club.example/join/{token}/" in mail.outbox[0].body
    assert mail.outbox[0].to == ["john@example.org"]


def test_a_mail_server_that_is_down_loses_no_invitation(empty, carleton, monkeypatch):
    def down(*_args, **_more):
        raise ConnectionRefusedError("nobody there")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", down)
    invitation, token = invited(empty, carleton, email="john@example.org")
    assert not invitation_send(invitation=invitation, token=token)
    assert Invitation.objects.get().state == "open"
