"""Standing, treaties and absences through the API."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Absence
from campaign.selectors.campaign_context import Reading
from campaign.selectors.victory import load_campaign_score
from tests.campaign.api.program import problem

pytestmark = pytest.mark.django_db
STANDING = "campaigns/saratoga/standing/"
TREATIES = "campaigns/saratoga/treaties/"


def test_the_standing_is_the_pages_for_each_role(
    crown_program, rebel_program, umpire_program, spectator_program, stranger_program, burgoyne
):
    body = crown_program.get(STANDING).json()
    reading = Reading.of(burgoyne, "saratoga")
    shown = load_campaign_score(reading.viewer, reading.world, reading.view, reading.names)
    assert [row["scored"] for row in body["points"]] == [row.scored for row in shown.points]
    assert [row["name"] for row in body["generals"]] == [row.name for row in shown.generals]
    assert [row["id"] for row in body["generals"]] == [row.id for row in shown.generals]
    for program in (rebel_program, umpire_program, spectator_program):
        assert program.get(STANDING).json()["posts"]
    problem(stranger_program.get(STANDING), 404, "not-found")


def test_terms_are_offered_and_answered_by_commanders_alone(crown_program, rebel_program, umpire_program):
    offer = {"kind": "offer_terms", "winner": "rebel", "text": "We march out with arms."}
    problem(umpire_program.post(TREATIES, offer), 404, "not-found")
    problem(crown_program.post(TREATIES, {"kind": "offer_terms"}), 400, "invalid")
    none = crown_program.post(TREATIES, {"kind": "answer_terms", "answer": "accept"})
    problem(none, 422, "rule")
    [made] = crown_program.post(TREATIES, offer).json()["offers"]
    assert (made["text"], made["mine"]) == (offer["text"], True)
    [seen] = rebel_program.get(STANDING).json()["offers"]
    assert seen["ours"]
    assert rebel_program.post(TREATIES, {"kind": "answer_terms", "answer": "refuse"}).json()["offers"] == []


def test_absences_are_ones_own_HR_SET_09(crown_program, rebel_program):
    today = timezone.now().date()
    days = {"first": str(today + timedelta(days=2)), "last": str(today + timedelta(days=4)), "word": "hiking"}
    made = crown_program.post("me/absences/", days)
    assert made.status_code == 201
    number = made.json()["number"]
    assert crown_program.get("me/absences/").json() == [made.json()]
    assert rebel_program.get("me/absences/").json() == []
    refused = crown_program.post("me/absences/", {**days, "last": "1999-01-01"})
    assert problem(refused, 422, "rule")["rule"] == "HR-SET-09"
    problem(crown_program.post("me/absences/", {"first": "soon"}), 400, "invalid")
    problem(rebel_program.delete(f"me/absences/{number}/"), 404, "not-found")
    assert crown_program.delete(f"me/absences/{number}/").status_code == 204
    assert not Absence.objects.exists()
