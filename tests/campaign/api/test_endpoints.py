"""Campaigns, seats, days and jobs: the same as the pages, for each role."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, DayRecord, Job, User
from campaign.selectors.campaign_context import Reading
from campaign.selectors.proof import load_proof
from campaign.services.jobs.jobs import job_request
from campaign.services.turns.days import day_advance
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db


def test_campaigns_are_those_of_ones_seats(crown_program, stranger_program):
    [row] = crown_program.get("campaigns/").json()["results"]
    assert (row["slug"], row["state"], row["days_completed"]) == ("saratoga", "running", 0)
    assert [(seat["role"], seat["side"]) for seat in row["seats"]] == [("commander", "crown")]
    assert row["seats"][0]["title"] == "Lieutenant General Burgoyne"
    assert stranger_program.get("campaigns/").json()["count"] == 0


def row_of(program: Program) -> dict[str, Any]:
    """The one campaign of a program's list."""
    [row] = program.get("campaigns/").json()["results"]
    return dict(row)


def test_the_list_tells_a_spectator_of_his_morning_and_no_deadline_hr_set_12(
    saratoga, spectator_program, crown_program
):
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
    due = timezone.now() + timedelta(days=1)
    Campaign.objects.update(spectator_days=1, deadline=due)
    assert (row_of(crown_program)["days_completed"], row_of(spectator_program)["days_completed"]) == (2, 1)
    assert row_of(crown_program)["deadline"] and row_of(spectator_program)["deadline"] is None
    shown = spectator_program.get("campaigns/saratoga/").json()["calendar"]
    assert shown["day"] == row_of(spectator_program)["days_completed"] + 1
    for nothing_yet in (3, None):
        Campaign.objects.update(spectator_days=nothing_yet)
        row = row_of(spectator_program)
        assert (row["days_completed"], row["deadline"], row["state"]) == (0, None, "running")


def test_the_list_tells_a_late_spectator_of_no_end_before_he_sees_it_hr_set_12(saratoga, spectator_program):
    Campaign.objects.update(state=Campaign.State.ENDED, day=2, spectator_days=2)
    assert row_of(spectator_program)["state"] == "running"
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=2))  # the dice are told
    assert (row_of(spectator_program)["state"], row_of(spectator_program)["days_completed"]) == ("ended", 2)


def test_the_list_tells_those_who_wait_no_deadline(saratoga, stranger_program):
    saratoga.seats.create(user=User.objects.get(username="howe"), role="reserve")
    Campaign.objects.update(deadline=timezone.now() + timedelta(days=1))
    assert row_of(stranger_program)["deadline"] is None


def test_the_list_asks_no_more_for_more_campaigns(saratoga, crown_program, django_assert_max_num_queries):
    crown_program.get("campaigns/")
    with django_assert_max_num_queries(6):
        crown_program.get("campaigns/")


def test_a_campaign_tells_where_it_stands_and_who_looks(crown_program, umpire_program, spectator_program):
    body = crown_program.get("campaigns/saratoga/").json()
    assert (body["calendar"]["date"], body["calendar"]["day"]) == ("1777-06-15", 1)
    assert body["viewer"]["side"] == "crown" and body["viewer"]["may_order"]
    assert umpire_program.get("campaigns/saratoga/").json()["viewer"]["role"] == "umpire"
    assert not spectator_program.get("campaigns/saratoga/").json()["viewer"]["may_order"]


def test_seats_are_told_as_far_as_each_may_know(crown_program, umpire_program, saratoga):
    saratoga.seats.create(role="column", side="rebel", title="General Arnold")
    told = [row["title"] for row in crown_program.get("campaigns/saratoga/seats/").json()["seats"]]
    assert told == ["The umpire", "Lieutenant General Burgoyne", "Major General Gates"]
    assert len(umpire_program.get("campaigns/saratoga/seats/").json()["seats"]) == 4


def test_days_are_the_chain_the_page_of_proof_shows(crown_program, spectator_program, burgoyne, saratoga):
    body = crown_program.get("campaigns/saratoga/days/").json()
    reading = Reading.of(burgoyne, "saratoga")
    shown = load_proof(reading.viewer, reading.world)
    assert [step["hash"] for step in body["steps"]] == [link.hash for link in shown.links]
    assert (body["head"], body["secret"]) == (shown.head, "")
    problem(spectator_program.get("campaigns/saratoga/days/"), 404, "not-found")


@pytest.fixture
def odds(saratoga, battle, carleton) -> Job:
    """The battle's odds, asked for."""
    return job_request(
        kind="battle_odds", key="odds", payload={"battle": battle.pk}, campaign=saratoga, actor=carleton
    )


def test_work_is_followed_and_stopped_by_who_may(odds, umpire_program, crown_program):
    address = f"campaigns/saratoga/jobs/{odds.pk}/"
    [row] = umpire_program.get("campaigns/saratoga/jobs/").json()["jobs"]
    assert row == umpire_program.get(address).json()
    assert (row["state"], row["may_stop"]) == ("queued", True)
    assert umpire_program.post(f"{address}cancel/").json()["state"] == "cancelled"
    refused = problem(umpire_program.post(f"{address}cancel/"), 422, "rule")
    assert refused["rule"] == "HR-JOB-02"


def test_work_that_failed_is_asked_for_again_by_who_may_hr_job_02(
    odds, umpire_program, crown_program, saratoga, burgoyne, carleton
):
    address = f"campaigns/saratoga/jobs/{odds.pk}/"
    assert problem(umpire_program.post(f"{address}again/"), 422, "rule")["rule"] == "HR-JOB-02"
    Job.objects.update(state="failed", attempts=5, error="Its worker died.")
    assert umpire_program.get(address).json()["may_again"]
    again = umpire_program.post(f"{address}again/", Idempotency_Key="a")
    assert again.status_code == 200, again.content
    again = again.json()
    assert (again["state"], again["may_again"], again["error"]) == ("queued", False, "")
    assert umpire_program.post(f"{address}again/", Idempotency_Key="a")["Idempotency-Replayed"] == "true"
    problem(crown_program.post(f"{address}again/"), 404, "not-found")  # it is not told of it
    Job.objects.update(state="failed")
    problem(Program(carleton, ("read",)).post(f"{address}again/"), 403, "scope")
    Campaign.objects.update(settings={**saratoga.settings, "battle_odds": "sides"})
    own = {"battle": odds.payload["battle"], "side": "crown"}
    sides = job_request(kind="battle_odds", key="own", payload=own, campaign=saratoga, actor=burgoyne)
    Job.objects.update(state="failed")
    assert crown_program.post(f"campaigns/saratoga/jobs/{sides.pk}/again/").json()["state"] == "queued"
    Job.objects.filter(pk=sides.pk).update(state="failed", requested_by=carleton)
    assert not crown_program.get(f"campaigns/saratoga/jobs/{sides.pk}/").json()["may_again"]
    refused = problem(crown_program.post(f"campaigns/saratoga/jobs/{sides.pk}/again/"), 422, "rule")
    assert refused["rule"] == "HR-JOB-02"


def test_others_work_does_not_exist(saratoga, carleton, crown_program):
    day = job_request(kind="advance_day", key="day", payload={}, campaign=saratoga, actor=carleton)
    hidden = crown_program.get(f"campaigns/saratoga/jobs/{day.pk}/")
    assert hidden.content == crown_program.get("campaigns/saratoga/jobs/99999/").content
    problem(crown_program.post(f"campaigns/saratoga/jobs/{day.pk}/cancel/"), 404, "not-found")
    day.refresh_from_db()
    assert day.state == "queued"


def test_an_answer_one_has_already_is_304(crown_program):
    first = crown_program.get("campaigns/saratoga/")
    again = crown_program.get("campaigns/saratoga/", If_None_Match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert crown_program.get("campaigns/saratoga/", If_None_Match='"other"').status_code == 200


@pytest.mark.parametrize("written", ["W/{}", "{gzip}", "W/{gzip}"])
def test_an_etag_is_known_again_as_a_proxy_that_packs_has_written_it(crown_program, written):
    """nginx makes it weak, Caddy and Apache write the packing's name behind it."""
    first = crown_program.get("me/")
    tag = written.format(first["ETag"], gzip=first["ETag"][:-1] + '-gzip"')
    assert crown_program.get("me/", If_None_Match=tag).status_code == 304
    mine = {"name": "Gentleman Johnny", "time_zone": "Europe/London"}
    assert crown_program.put("me/", mine, If_Match=tag).status_code == 200
    problem(crown_program.put("me/", mine, If_Match=tag), 412, "stale")
    problem(
        crown_program.put("me/", mine, If_Match=tag.replace("-gzip", "").replace("W/", "")[1:-1]),
        412,
        "stale",
    )


@pytest.mark.parametrize("address", ["me", "campaigns/saratoga/jobs/1/cancel"])
def test_what_writes_to_an_address_without_its_last_stroke_stays_what_it_is(crown_program, address):
    """A 301 makes programs ask with GET instead: nothing is done, and it looks like success."""
    for verb in ("POST", "PUT"):
        answer = crown_program.call(verb, address, {"name": "", "time_zone": ""})
        assert (answer.status_code, answer["Location"]) == (308, f"/api/v1/{address}/")
    assert crown_program.get(address).status_code == 301


def test_a_body_in_pieces_is_told_what_it_wants(crown_program):
    answer = crown_program.call("POST", "me/ways/", Transfer_Encoding="chunked")
    assert "Content-Length" in problem(answer, 400, "invalid")["detail"]


def test_the_same_key_does_it_once_HR_API_02(odds, umpire_program, carleton):
    address = f"campaigns/saratoga/jobs/{odds.pk}/cancel/"
    first = umpire_program.post(address, Idempotency_Key="one")
    again = umpire_program.post(address, Idempotency_Key="one")
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first
    other = umpire_program.post(address, {"reason": "none"}, Idempotency_Key="one")
    problem(other, 409, "key-reused")
    problem(umpire_program.post(address, Idempotency_Key="two"), 422, "rule")
    problem(umpire_program.post(address, Idempotency_Key="x" * 101), 400, "invalid")


def test_the_document_and_its_page_are_served_from_here(client):
    page = client.get(reverse("api-docs"))
    assert b"swagger-ui-bundle.js" in page.content
    assert "'unsafe-inline'" not in page["Content-Security-Policy"]
    document = client.get(reverse("api-document")).json()
    assert document["openapi"] == "3.1.0"
    for path, methods in document["paths"].items():
        for verb, operation in methods.items():
            codes = set(operation["responses"])
            assert {"400", "401", "404", "429"} <= codes, (path, verb)
            assert operation["operationId"].startswith(operation["tags"][0])


@pytest.mark.parametrize("address", ["/api/v1/", "/api/v1"])
def test_who_looks_at_the_apis_own_address_is_led_to_its_document(client, crown_program, address):
    for answer in (client.get(address, follow=True), client.head(address, follow=True)):
        assert answer.status_code == 200 and answer.redirect_chain[-1][0] == reverse("api-docs")
    problem(client.post("/api/v1/", {}), 405, "method")
    assert crown_program.get("").status_code == 302


def test_a_person_sees_only_his_own_tokens_page_HR_API_01(client, burgoyne):
    client.force_login(burgoyne)
    form = {"name": "my bot", "scopes": ["read", "order"], "days": "30"}
    page = client.post(reverse("tokens"), form, follow=True)
    text = page.content.decode().partition('value="awi_')[2].partition('"')[0]
    assert text and "my bot" in page.content.decode()
    assert "awi_" not in client.get(reverse("tokens")).content.decode()
    program = Program(None)
    program.text = f"awi_{text}"
    assert program.get("me/").json()["token"]["scopes"] == ["read", "order"]
    token = burgoyne.api_tokens.get()
    client.post(reverse("token-revoke", args=[token.pk]))
    problem(program.get("me/"), 401, "signed-out")
    assert client.post(reverse("tokens"), {"name": "", "days": "0"}).status_code == 422
