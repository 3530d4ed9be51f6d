"""The sheets of the campaign's standing and of its food."""

import html
from dataclasses import asdict
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Campaign, DayRecord, Marker, Seat
from campaign.rules.world.markers import PeaceOffer
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.conftest import SECRET
from tests.factories.people import signed_in
from tests.factories.records import head_renew

PAGE = "/campaigns/saratoga/"
STANDING, TREAT = f"{PAGE}?sheet=standing", f"{PAGE}treaties/"
#: So many that they stand by chance in no number or token of a page.
POINTS = "87654321"


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def send(client: Client, kind: str, **values: str) -> int:
    return client.post(
        TREAT, {"kind": kind, **{f"{kind}-{key}": value for key, value in values.items()}}
    ).status_code


def test_points_are_told_to_the_umpire_alone_hr_vic_05(crown, desk, saratoga):
    Marker.objects.filter(campaign=saratoga, kind="scores").update(body={"points": int(POINTS), "days": 0})
    head_renew(saratoga)
    assert POINTS in text(desk, STANDING)
    page = text(crown, STANDING)
    assert POINTS not in page and "not told" in page
    assert "Chapter 1 ends on 19 July" in page and "Ticonderoga" in page


def test_points_are_told_when_the_end_can_no_more_be_undone_hr_vic_05(crown, saratoga):
    Marker.objects.filter(campaign=saratoga, kind="scores").update(body={"points": int(POINTS), "days": 0})
    head_renew(saratoga)
    Campaign.objects.update(state=Campaign.State.ENDED)
    head_renew(saratoga)
    assert POINTS not in text(crown, STANDING)
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert POINTS in text(crown, STANDING)


def test_a_side_reads_of_its_own_generals_hr_ldr_01(crown, rebel, desk):
    assert "Simon Fraser" in text(crown, STANDING) and "Enoch Poor" not in text(crown, STANDING)
    assert "Enoch Poor" in text(rebel, STANDING) and "Simon Fraser" not in text(rebel, STANDING)
    assert "Simon Fraser" in text(desk, STANDING) and "Enoch Poor" in text(desk, STANDING)


def test_terms_are_offered_and_accepted_hr_vic_08(crown, rebel, saratoga):
    assert send(crown, "offer_terms", winner="", text="Both armies go home.") == 302
    assert "Both armies go home." in text(rebel, STANDING)
    assert send(crown, "answer_terms", answer="accept") == 302
    saratoga.refresh_from_db()
    assert saratoga.state == Campaign.State.RUNNING
    assert send(rebel, "answer_terms", answer="accept") == 302
    saratoga.refresh_from_db()
    assert saratoga.state == Campaign.State.ENDED
    assert "terms are agreed; neither side has won" in text(crown, STANDING)
    assert DayRecord.objects.filter(campaign=saratoga, kind="act").count() == 2
    campaign_verify(campaign=saratoga)


def test_who_concedes_must_mean_it_hr_vic_07(crown, rebel, saratoga):
    assert send(crown, "concede") == 422
    assert send(crown, "concede", sure="on") == 302
    assert "Crown concedes; United States has won" in text(rebel, STANDING)
    assert send(rebel, "concede", sure="on") == 422
    campaign_verify(campaign=saratoga)


def test_the_umpire_ends_it_and_sides_cannot_hr_vic_09(crown, desk, stranger, saratoga):
    assert send(crown, "end", winner="crown", reason="We are done.") == 404
    assert send(stranger, "concede", sure="on") == 404
    assert send(desk, "end", winner="crown") == 422
    assert send(desk, "end", winner="crown", reason="The club's year is over.") == 302
    saratoga.refresh_from_db()
    assert saratoga.state == Campaign.State.ENDED
    assert "the umpire closes it; Crown has won" in text(crown, STANDING)


def test_terms_can_be_offered_while_a_battle_waits_but_not_accepted(crown, rebel, battle, saratoga):
    assert send(crown, "offer_terms", winner="", text="Both armies go home.") == 302
    send(rebel, "answer_terms", answer="accept")
    saratoga.refresh_from_db()
    assert saratoga.state == Campaign.State.RUNNING
    offer = PeaceOffer("", "Both armies go home.", saratoga.day)
    assert Marker.objects.get(campaign=saratoga, kind="offers").body == asdict(offer)


def test_drift_from_history_is_warned_of_hr_rec_08(crown, desk, saratoga):
    assert "HR-REC-08" not in text(crown, STANDING)
    units = saratoga.order_of_battle.units.filter(side__slug="rebel", status="present")
    units.update(points=10)
    head_renew(saratoga)
    assert "HR-REC-08" in text(desk, STANDING)
    assert "HR-REC-08" not in text(crown, STANDING)


@pytest.fixture
def fed(db, carleton, burgoyne) -> Campaign:
    return campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=SECRET,
        settings={"supply": "food", "start_days": 1, "supply_reach_days": 0},
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
        ),
    )


def test_food_is_a_sheet_only_where_it_is_played(crown):
    assert "sheet=supply" not in text(crown, PAGE)


def test_every_loss_by_hunger_is_explained_hr_sup_03(fed, burgoyne, carleton):
    for _ in range(2):
        day_advance(campaign=Campaign.objects.get(pk=fed.pk), actor=carleton)
    page = text(signed_in(burgoyne), f"{PAGE}?sheet=supply")
    assert "without food for 1 day" in page
    assert (
        "goes hungry, for no magazine is near enough" in page and "(no change" not in page and "(d6)" in page
    )
    assert "Poor's Brigade" not in page
    assert "Poor's Brigade" in text(signed_in(carleton), f"{PAGE}?sheet=supply")


def test_a_concession_by_mistake_is_undone_by_the_umpire_hr_vic_07(crown, saratoga, carleton):
    before = DayRecord.objects.get(campaign=saratoga)
    assert send(crown, "concede", sure="on") == 302
    campaign_rewind(campaign=saratoga, record=before, reason="A slip of the thumb.", actor=carleton)
    saratoga.refresh_from_db()
    assert saratoga.state == Campaign.State.RUNNING
    assert "is over" not in text(crown, STANDING)
    campaign_verify(campaign=saratoga)
