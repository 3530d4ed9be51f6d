"""The umpire's page of seats, and a person's own of absences and quiet hours."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Absence, Campaign, Seat, User

pytestmark = pytest.mark.django_db
SEATS = "/campaigns/saratoga/seats/"
AWAY = "/account/away/"


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


def seat_of(side: str) -> Seat:
    return Seat.objects.get(role="commander", side=side)


def test_the_umpire_makes_a_seat_with_its_days_hr_set_07(desk, saratoga, anna):
    data = {
        "kind": "open",
        "open-role": "deputy",
        "open-stands_for": seat_of("crown").pk,
        "open-user": "anna",
    }
    data |= {"open-first": "1777-07-01", "open-last": "1777-07-10"}
    assert desk.post(SEATS, data).status_code == 302
    seat = Seat.objects.get(role="deputy")
    assert (seat.user, seat.from_day, seat.until_day, seat.side) == (anna, 16, 26, "crown")
    assert "from 1 July to 10 July, to come" in desk.get(SEATS).content.decode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"kind": "open", "open-role": "deputy"}, "name the seat."),
        ({"kind": "open", "open-role": "spectator", "open-user": "nobody"}, "Nobody here is called nobody"),
        ({"kind": "open", "open-role": "spectator", "open-user": "gates"}, "two seats"),
        ({"kind": "open", "open-role": "spectator", "open-first": "soon"}, "Give a day of the campaign"),
        (
            {"kind": "spectators", "spectators-days": "999", "spectators-reason": "Late."},
            "0 to 120 campaign days",
        ),
    ],
)
def test_a_wrong_form_comes_back_with_its_sentence(desk, saratoga, data, sentence):
    answer = desk.post(SEATS, {**data, "head": saratoga.head_id})
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert Seat.objects.count() == 3


def test_a_seat_is_given_dated_passed_offered_and_closed(desk, saratoga, anna):
    pk = seat_of("rebel").pk
    assert desk.post(SEATS, {"kind": "fill", "seat": pk, f"fill-{pk}-user": "anna"}).status_code == 302
    assert seat_of("rebel").user == anna
    data = {
        "kind": "pass",
        "seat": pk,
        f"pass-{pk}-morning": "1777-08-19",
        f"pass-{pk}-title": "General Gates",
    }
    assert desk.post(SEATS, data).status_code == 302
    later = Seat.objects.get(side="rebel", from_day=65)
    assert (later.user, later.title) == (None, "General Gates")
    assert desk.post(SEATS, {"kind": "offer", "seat": later.pk}).status_code == 302
    later.refresh_from_db()
    assert later.offered and "offered to the reserve" in desk.get(SEATS).content.decode()
    desk.post(SEATS, {"kind": "close", "seat": later.pk})
    assert not Seat.objects.filter(pk=later.pk).exists()
    refused = desk.post(SEATS, {"kind": "close", "seat": pk}, follow=True)
    assert "cannot be closed" in refused.content.decode()
    data = {"kind": "dates", "seat": pk, f"dates-{pk}-first": "", f"dates-{pk}-last": ""}
    desk.post(SEATS, data)
    assert seat_of("rebel").until_day is None


def test_what_spectators_see_is_set_hr_set_12(desk, saratoga):
    given = {"spectators-days": "", "spectators-side": "crown", "spectators-reason": "A leak."}
    desk.post(SEATS, {"kind": "spectators", "head": saratoga.head_id, **given})
    saratoga.refresh_from_db()
    assert (saratoga.spectator_days, saratoga.spectator_side) == (None, "crown")


def test_no_form_or_seat_of_another_campaign_is_found(desk, saratoga, staff_campaign):
    other = Seat.objects.create(campaign=staff_campaign, role="reserve")
    for data in ({"kind": "fly"}, {"kind": "close", "seat": other.pk}, {"kind": "fill", "seat": "x"}):
        assert desk.post(SEATS, data).status_code == 404
    assert Campaign.objects.count() == 2 and Seat.objects.filter(pk=other.pk).exists()


# --- a person's own page ---


def test_a_person_says_that_he_is_away_and_is_back_hr_set_09(crown, burgoyne, rebel):
    first = timezone.now().date() + timedelta(days=1)  # to come still should midnight pass meanwhile
    data = {"kind": "absence", "first": first, "last": first + timedelta(days=9), "word": "hiking"}
    assert crown.post(AWAY, data).status_code == 302
    again = crown.post(AWAY, data)
    assert again.status_code == 422 and "said so already" in again.content.decode()
    absence = Absence.objects.get(user=burgoyne)
    assert rebel.post(f"{AWAY}{absence.pk}/back/").status_code == 404
    crown.post(f"{AWAY}{absence.pk}/back/")
    assert not Absence.objects.exists()


def test_quiet_hours_are_kept_and_need_both_ends_hr_due_05(crown, burgoyne):
    wrong = crown.post(AWAY, {"kind": "quiet", "quiet_from": "22:00", "quiet_until": ""})
    assert wrong.status_code == 422 and "give both or neither" in wrong.content.decode()
    crown.post(AWAY, {"kind": "quiet", "quiet_from": "22:00", "quiet_until": "07:30"})
    burgoyne.refresh_from_db()
    assert f"{burgoyne.quiet_from:%H:%M} {burgoyne.quiet_until:%H:%M}" == "22:00 07:30"
