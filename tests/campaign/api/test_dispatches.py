"""Letters by the API: the same boxes, threads and refusals as on the pages."""

import pytest

from campaign.models import Letter
from campaign.selectors.campaign_context import Reading
from campaign.selectors.dispatches import list_receivers, load_dispatch_box
from campaign.services.dispatches import LONGEST
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
LETTERS = "campaigns/saratoga/letters/"


def umpires_seat(program: Program) -> int:
    found = program.get(f"{LETTERS}receivers/").json()["receivers"]
    return next(row["seat"] for row in found if row["name"].startswith("The umpire"))


def test_a_letter_is_written_read_and_answered(crown_program, umpire_program, rebel_program):
    new = {"to": [umpires_seat(crown_program)], "subject": "Bridges", "text": "Do they stand?"}
    sent = crown_program.post(LETTERS, new)
    assert sent.status_code == 201, sent.content
    code = sent.json()["code"]
    [row] = umpire_program.get(LETTERS).json()["letters"]
    assert (row["code"], row["unread"], row["subject"]) == (code, True, "Bridges")
    assert "text" not in row
    opened = umpire_program.get(f"{LETTERS}{code}/").json()["letters"]
    assert [each["text"] for each in opened] == ["Do they stand?"]
    assert not umpire_program.get(LETTERS).json()["letters"][0]["unread"]
    [back] = umpire_program.get(f"{LETTERS}receivers/?answers={code}").json()["receivers"]
    answer = {"to": [back["seat"]], "text": "They do.", "answers": code}
    assert umpire_program.post(LETTERS, answer).status_code == 201
    assert len(crown_program.get(f"{LETTERS}{code}/").json()["letters"]) == 2
    hidden = rebel_program.get(f"{LETTERS}{code}/")
    assert hidden.content == rebel_program.get(f"{LETTERS}unknown/").content
    problem(hidden, 404, "not-found")


def test_boxes_and_receivers_are_those_of_the_page(crown_program, saratoga, burgoyne):
    crown_program.post(LETTERS, {"to": [umpires_seat(crown_program)], "text": "Once."})
    seat = saratoga.seats.get(user=burgoyne)
    start = Reading.of(burgoyne, "saratoga").world.theatre.start
    page = load_dispatch_box(seat, saratoga, start, "sent", 1)
    [row] = crown_program.get(f"{LETTERS}?box=sent").json()["letters"]
    assert (row["subject"], row["to"]) == (page.rows[0].subject, page.rows[0].to)
    listed = crown_program.get(f"{LETTERS}receivers/").json()["receivers"]
    sides = {side.id: side.name for side in Reading.of(burgoyne, "saratoga").world.theatre.sides}
    assert [(str(each["seat"]), each["name"]) for each in listed] == list_receivers(
        seat, saratoga, sides, None
    )


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"to": []}, 400, "invalid"),
        ({"to": ["x"]}, 400, "invalid"),
        ({"to": [999_999]}, 422, "rule"),
        ({"text": ""}, 400, "invalid"),
        ({"text": " \n"}, 422, "rule"),
        ({"text": "x" * (LONGEST + 1)}, 400, "invalid"),
        ({"from": "Gates"}, 400, "invalid"),
    ],
)
def test_a_letter_that_cannot_go_writes_nothing(crown_program, change, status, code):
    new = {"to": [umpires_seat(crown_program)], "text": "Hold fast.", **change}
    problem(crown_program.post(LETTERS, new), status, code)
    assert not Letter.objects.exists()


def test_a_letter_with_a_key_goes_once_HR_API_02(crown_program):
    new = {"to": [umpires_seat(crown_program)], "text": "Hold fast."}
    codes = {crown_program.post(LETTERS, new, Idempotency_Key="a").json()["code"] for _ in range(3)}
    assert len(codes) == Letter.objects.count() == 1
    problem(crown_program.post(LETTERS, {**new, "text": "Go."}, Idempotency_Key="a"), 409, "key-reused")


def test_only_a_letter_that_waits_is_called_back(crown_program, umpire_program):
    sent = crown_program.post(LETTERS, {"to": [umpires_seat(crown_program)], "text": "Once."}).json()
    refused = problem(crown_program.post(f"{LETTERS}{sent['code']}/withdraw/"), 422, "rule")
    assert refused["rule"] == "HR-LET-05"
    problem(crown_program.post(f"{LETTERS}unknown/withdraw/"), 404, "not-found")


def test_a_body_too_large_or_of_another_kind_is_refused(crown_program):
    problem(crown_program.post(LETTERS, {"to": [1], "text": "x" * 300_000}), 413, "too-large")
    headers = {"Authorization": f"Bearer {crown_program.text}"}
    answer = crown_program.client.post(f"/api/v1/{LETTERS}", {"text": "x"}, headers=headers)
    problem(answer, 415, "media-type")
