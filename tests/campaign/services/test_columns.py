"""Commanders of columns: who may order which formations (HR-SET-05)."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from campaign.fog.visibility import viewer_of
from campaign.models import Campaign, Notice, OrderPaper, Seat, User
from campaign.rules.army.organisation import Detach, Transfer
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Order, present_units
from campaign.services.orders.march_orders import order_submit, order_withdraw
from campaign.services.orders.organisation import organisation_submit, returns_submit
from campaign.services.seats.assignment import column_give
from campaign.services.seats.changes import seat_close
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.clock import clock_strike
from rosters.models import Formation
from tests.factories.people import signed_in

COLUMN = ("advanced_corps", "provincial_corps")


@pytest.fixture
def fraser(db) -> User:
    return User.objects.create_user("fraser")


@pytest.fixture
def column(saratoga, fraser, carleton) -> Seat:
    return column_give(
        campaign=saratoga, side="crown", formations=COLUMN, user=fraser, title="Fraser", actor=carleton
    )


def submit(campaign: Campaign, user: User, formation: str, via: str = "valcour_island") -> OrderPaper:
    return order_submit(campaign=campaign, side="crown", order=Order(formation, (via,)), actor=user)


def test_a_columns_commander_orders_his_column_and_no_other_hr_set_05(saratoga, column, fraser):
    assert submit(saratoga, fraser, "advanced_corps").state == OrderPaper.State.STANDING
    for refused in ("british_1st_brigade", "poors_brigade"):
        with pytest.raises(RuleViolation, match="do not command") as caught:
            submit(saratoga, fraser, refused)
        assert (caught.value.rule_id, caught.value.field) == ("HR-SET-05", "formation")
    assert OrderPaper.objects.count() == 1


def test_what_is_detached_from_a_column_belongs_to_it_hr_set_05(saratoga, column, fraser):
    viewer = viewer_of(fraser, saratoga)
    assert (viewer.side, viewer.role) == ("crown", "column")
    commanded = ("advanced_corps", "advanced_corps-d2", "advanced_corps-d1-d1", "advanced_corps-division")
    assert [viewer.commands(key) for key in commanded] == [True, True, True, False]


def test_the_sides_commander_orders_all_and_the_last_paper_counts_hr_set_05(
    saratoga, column, fraser, burgoyne
):
    first = submit(saratoga, fraser, "advanced_corps")
    second = submit(saratoga, burgoyne, "advanced_corps", "bouquet_river")
    first.refresh_from_db()
    assert (first.state, second.state) == (OrderPaper.State.REPLACED, OrderPaper.State.STANDING)
    other = submit(saratoga, burgoyne, "british_1st_brigade")
    with pytest.raises(RuleViolation, match="do not command"):
        order_withdraw(paper=other, actor=fraser)


def test_units_are_taken_only_from_ones_own_column_hr_set_05(saratoga, world, column, fraser):
    units = present_units(world)
    own = Detach(
        "advanced_corps", (units["advanced_corps"][0].id,), "advanced_corps-d1", "Light foot", "Balcarres"
    )
    assert organisation_submit(campaign=saratoga, side="crown", acts=[own], actor=fraser)
    taken = Transfer((units["british_1st_brigade"][0].id,), "advanced_corps")
    with pytest.raises(RuleViolation, match="do not command"):
        organisation_submit(campaign=saratoga, side="crown", acts=[taken], actor=fraser)
    with pytest.raises(RuleViolation, match="do not command"):
        returns_submit(campaign=saratoga, side="crown", choices=WeekChoices(), actor=fraser)


def detached(campaign: Campaign) -> None:
    """A detachment of the advanced corps is in the books."""
    book = Formation.objects.get(order_of_battle=campaign.order_of_battle, slug="advanced_corps")
    Formation.objects.create(
        order_of_battle=book.order_of_battle, side=book.side, slug="advanced_corps-d1", name="Light foot"
    )


@pytest.mark.parametrize(
    ("side", "formations", "sentence"),
    [
        ("crown", ("poors_brigade",), "has no formation"),
        ("crown", (), "at least one"),
        ("crown", ("provincial_corps",), "has a column commander already"),
        ("crown", ("advanced_corps-d1",), "has a column commander already"),
    ],
)
def test_a_column_is_of_its_sides_formations_once_hr_set_05(
    saratoga, column, carleton, side, formations, sentence
):
    detached(saratoga)
    peters = User.objects.create_user("peters")
    with pytest.raises(RuleViolation, match=sentence):
        column_give(
            campaign=saratoga, side=side, formations=formations, user=peters, title="", actor=carleton
        )
    assert Seat.objects.count() == 4


def test_a_side_commander_takes_no_column_besides_hr_set_04(saratoga, burgoyne, carleton):
    with pytest.raises(RuleViolation, match="two seats"):
        column_give(
            campaign=saratoga, side="crown", formations=COLUMN, user=burgoyne, title="", actor=carleton
        )


def test_what_a_column_was_detached_from_has_its_commander_too_hr_set_05(saratoga, world, fraser, carleton):
    detached(saratoga)
    column_give(
        campaign=saratoga,
        side="crown",
        formations=("advanced_corps-d1",),
        user=fraser,
        title="",
        actor=carleton,
    )
    other = User.objects.create_user("balcarres")
    with pytest.raises(RuleViolation, match="has a column commander already"):
        column_give(
            campaign=saratoga,
            side="crown",
            formations=("advanced_corps",),
            user=other,
            title="",
            actor=carleton,
        )


# --- letters ---


def letters(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("user__username", flat=True))


def test_a_column_gets_its_own_letters_hr_due_03(saratoga, column, fraser, burgoyne):
    for user in (fraser, burgoyne):
        user.email = f"{user.username}@example.org"
        user.save()
    submit(saratoga, burgoyne, "british_1st_brigade")
    Campaign.objects.update(deadline=timezone.now() + timedelta(hours=20), missed_orders="halt")
    clock_strike()
    assert letters("due") == ["fraser", "gates"]  # the side is heard, the column is not
    Campaign.objects.update(deadline=timezone.now() - timedelta(minutes=5))
    clock_strike()
    assert letters("late") == ["fraser", "gates"]
    (late,) = [letter for letter in mail.outbox if "missed" in letter.subject]  # Gates has no address
    assert "carry on" in late.body and "If nobody of your side" in late.body


def test_a_column_that_is_heard_gets_none_hr_due_03(saratoga, column, fraser, burgoyne):
    fraser.email = "fraser@example.org"
    fraser.save()
    submit(saratoga, burgoyne, "provincial_corps")
    Campaign.objects.update(deadline=timezone.now() + timedelta(hours=20))
    clock_strike()
    assert letters("due") == ["gates"]


def test_columns_are_changed_and_ended_hr_set_05(saratoga, column, fraser, carleton, burgoyne):
    changed = column_give(
        campaign=saratoga, side="crown", formations=COLUMN[:1], user=fraser, title="Fraser", actor=carleton
    )
    assert (changed.pk, changed.formations) == (column.pk, ["advanced_corps"])
    with pytest.raises(RuleViolation, match="Only the umpire"):
        seat_close(seat=changed, actor=burgoyne)
    seat_close(seat=changed, actor=carleton)
    with pytest.raises(RuleViolation, match="do not command"):
        submit(saratoga, fraser, "advanced_corps")


def test_a_campaign_begins_with_columns_hr_set_05(db, burgoyne, fraser):
    crown = SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne)
    first = SeatPlan(Seat.Role.COLUMN, "crown", "Fraser", fraser, ("advanced_corps",))
    again = SeatPlan(Seat.Role.COLUMN, "crown", "Another", None, ("advanced_corps",))
    with pytest.raises(RuleViolation, match="already"):
        campaign_create(scenario="saratoga-1777", slug="x", seats=(crown, first, again))
    made = campaign_create(scenario="saratoga-1777", slug="x", seats=(crown, first))
    assert made.seats.get(user=fraser).formations == ["advanced_corps"]


def test_the_page_offers_only_the_column_hr_set_05(saratoga, column, fraser):
    page = signed_in(fraser).get("/campaigns/saratoga/?sheet=orders").content.decode()
    (choices, *_) = re.findall(r'<select name="formation".*?</select>', page, re.DOTALL)
    assert 'value="advanced_corps"' in choices
    assert "british_1st_brigade" not in choices


def test_giveseat_gives_a_column_hr_set_05(saratoga, fraser, capsys):
    call_command("giveseat", "saratoga", "crown", "fraser", "--column", *COLUMN)
    assert "fraser now commands Advanced Corps, Provincials and Canadians of" in capsys.readouterr().out
    assert Seat.objects.get(user=fraser).formations == list(COLUMN)
