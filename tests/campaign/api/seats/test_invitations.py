"""Invitations through the API: the umpire's alone."""

import pytest

from campaign.models import Invitation, Seat
from tests.campaign.api.program import Program, problem

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
    assert made["Cache-Control"] == again["Cache-Control"] == "no-store"
    assert umpire_program.get(INVITATIONS)["Cache-Control"] == "private, no-cache"
    [row] = umpire_program.get(INVITATIONS).json()
    assert row["seat"] == empty.pk and "link" not in row
    held = saratoga.seats.get(role="commander", side="crown")
    refused = problem(umpire_program.post(INVITATIONS, {"seat": held.pk}), 422, "rule")
    assert refused["rule"] == "HR-SET-13"
    problem(umpire_program.post(INVITATIONS, {"seat": 99999}), 404, "not-found")
    problem(umpire_program.post(INVITATIONS, {"seat": empty.pk, "days": 0}), 400, "invalid")
    assert umpire_program.delete(f"{INVITATIONS}{row['number']}/").status_code == 204
    assert umpire_program.get(INVITATIONS).json() == []


def test_an_invitation_is_shown_again_until_it_is_used_HR_SET_13(
    umpire_program, crown_program, saratoga, burgoyne
):
    empty = saratoga.seats.create(role="column", side="rebel", title="General Arnold")
    made = umpire_program.post(INVITATIONS, {"seat": empty.pk}).json()
    here = f"{INVITATIONS}{made['number']}/"
    told = umpire_program.get(here)
    assert told.status_code == 200
    assert told.json() == {name: value for name, value in made.items() if name != "sent"}
    assert told["Cache-Control"] == "no-store"  # a link is a secret: no disk keeps it
    assert umpire_program.get(here, If_None_Match=told["ETag"])["Cache-Control"] == "no-store"
    problem(crown_program.get(here), 404, "not-found")
    problem(crown_program.post(f"{here}replace/"), 404, "not-found")
    problem(umpire_program.get(f"{INVITATIONS}999/"), 404, "not-found")
    invitation = Invitation.objects.get(pk=made["number"])
    Invitation.objects.filter(pk=invitation.pk).update(sealed="")  # of an older version
    assert umpire_program.get(here).json()["link"] == ""
    newer = umpire_program.post(f"{here}replace/", Idempotency_Key="k").json()
    assert newer["number"] != made["number"] and newer["seat"] == empty.pk
    assert "/join/" in newer["link"] and newer["link"] != made["link"]
    assert umpire_program.post(f"{here}replace/", Idempotency_Key="k").json() == {**newer, "link": ""}
    problem(umpire_program.get(here), 404, "not-found")  # the older opens nothing any more
    problem(umpire_program.post(f"{here}replace/"), 404, "not-found")
    taken = Invitation.objects.get(pk=newer["number"])
    Seat.objects.filter(pk=empty.pk).update(user=burgoyne)
    problem(umpire_program.get(f"{INVITATIONS}{taken.pk}/"), 404, "not-found")


def test_a_token_that_may_only_read_is_not_shown_links_HR_SET_13(carleton, saratoga):
    empty = saratoga.seats.create(role="column", side="rebel", title="General Arnold")
    made = Program(carleton).post(INVITATIONS, {"seat": empty.pk}).json()
    reader = Program(carleton, ("read",))
    problem(reader.get(f"{INVITATIONS}{made['number']}/"), 403, "scope")
