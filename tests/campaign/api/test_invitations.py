"""Invitations through the API: the umpire's alone."""

import pytest

from campaign.models import Invitation
from tests.campaign.api.program import problem

pytestmark = pytest.mark.django_db
INVITATIONS = "campaigns/saratoga/invitations/"


def test_the_umpire_invites_and_takes_back_HR_SET_13(
    umpire_program, crown_program, stranger_program, saratoga
):
    empty = saratoga.seats.create(role="column", side="rebel", title="General Arnold")
    for program in (crown_program, stranger_program):
        problem(program.get(INVITATIONS), 404, "not-found")
        problem(program.post(INVITATIONS, {"seat": empty.pk}), 404, "not-found")
        problem(program.delete(f"{INVITATIONS}1/"), 404, "not-found")
    assert not Invitation.objects.exists()
    made = umpire_program.post(INVITATIONS, {"seat": empty.pk}, Idempotency_Key="one")
    assert made.status_code == 201 and "/join/" in made.json()["link"]
    again = umpire_program.post(INVITATIONS, {"seat": empty.pk}, Idempotency_Key="one")
    assert again.json() == {**made.json(), "link": ""}  # the link is told once
    [row] = umpire_program.get(INVITATIONS).json()
    assert row["seat"] == empty.pk and "link" not in row
    held = saratoga.seats.get(role="commander", side="crown")
    refused = problem(umpire_program.post(INVITATIONS, {"seat": held.pk}), 422, "rule")
    assert refused["rule"] == "HR-SET-13"
    problem(umpire_program.post(INVITATIONS, {"seat": 99999}), 404, "not-found")
    problem(umpire_program.post(INVITATIONS, {"seat": empty.pk, "days": 0}), 400, "invalid")
    assert umpire_program.delete(f"{INVITATIONS}{row['number']}/").status_code == 204
    assert umpire_program.get(INVITATIONS).json() == []
