"""Seats given while a campaign runs (HR-SET-04)."""

import pytest

from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.seats.assignment import seat_give
from campaign.services.setup.campaigns import SeatPlan, campaign_create


@pytest.fixture
def schuyler(db) -> User:
    return User.objects.create_user("schuyler")


def give(campaign, user, *, role="commander", side="rebel", actor=None):
    return seat_give(campaign=campaign, role=role, side=side, user=user, actor=actor)


def test_the_umpire_gives_a_command_and_the_seat_keeps_its_title(saratoga, carleton, schuyler):
    seat = give(saratoga, schuyler, actor=carleton)
    assert (seat.user, seat.title) == (schuyler, "Major General Gates")
    assert Seat.objects.filter(campaign=saratoga).count() == 3


def test_a_seat_that_was_never_made_is_made(staff_campaign, schuyler):
    assert str(give(staff_campaign, schuyler)) == "United States"
    assert str(give(staff_campaign, User.objects.create_user("anna"), role="umpire", side="")) == "Umpire"


def test_a_commander_gives_no_seats_and_an_administrator_does(saratoga, burgoyne, schuyler):
    with pytest.raises(RuleViolation, match="Only the umpire"):
        give(saratoga, schuyler, actor=burgoyne)
    schuyler.is_superuser = True
    assert give(saratoga, None, actor=schuyler).user is None


def test_one_person_has_one_seat(saratoga, burgoyne, carleton):
    for user in (burgoyne, carleton):
        with pytest.raises(RuleViolation, match="two seats") as refused:
            give(saratoga, user)
        assert refused.value.rule_id == "HR-SET-04"


@pytest.mark.parametrize(("role", "side"), [("umpire", "crown"), ("commander", ""), ("general", "crown")])
def test_a_seat_that_does_not_exist_is_refused(saratoga, schuyler, role, side):
    with pytest.raises(RuleViolation, match="There is no seat"):
        give(saratoga, schuyler, role=role, side=side)


def test_a_seat_named_twice_at_the_start_is_refused_and_nothing_written(db):
    seats = (SeatPlan("commander", "crown"), SeatPlan("commander", "crown"))
    with pytest.raises(RuleViolation, match="named twice"):
        campaign_create(scenario="saratoga-1777", slug="war", seats=seats)
    assert not Campaign.objects.exists()
