"""Who is let in, with which scope, and what who sees late is told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Campaign, DayRecord, Job, Seat, User
from campaign.rules.umpire import corrections
from campaign.services.jobs.jobs import job_request
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
HERE = "campaigns/saratoga/"


@pytest.mark.parametrize("slug", ["saratoga", "nowhere"])
def test_a_stranger_is_told_the_same_whatever_he_sends(stranger_program, saratoga, slug):
    here = f"campaigns/{slug}/"
    for address in ("orders/", "letters/", "umpire/acts/", "umpire/rewind/", "advance/", "forecasts/"):
        for body in ({}, {"odd": 1}, [], "text"):
            problem(stranger_program.post(here + address, body), 404, "not-found")
            problem(stranger_program.post(here + address, body, Idempotency_Key="k"), 404, "not-found")
        odd = {"data": "{", "content_type": "application/json"}
        for headers in ({}, {"Idempotency-Key": "k"}):
            headers |= {"Authorization": f"Bearer {stranger_program.text}"}
            answer = stranger_program.client.post(f"/api/v1/{here}{address}", headers=headers, **odd)
            problem(answer, 404, "not-found")
            large = {"data": "x" * 300_000, "content_type": "text/plain"}
            answer = stranger_program.client.post(f"/api/v1/{here}{address}", headers=headers, **large)
            problem(answer, 404, "not-found")
    problem(stranger_program.put(f"{here}orders/1/", {"odd": 1}), 404, "not-found")
    problem(stranger_program.get(f"{here}journal/?odd=1"), 404, "not-found")
    problem(stranger_program.get(f"{here}map/", Accept="text/html"), 404, "not-found")


def test_who_is_let_in_is_told_what_is_wrong(crown_program):
    problem(crown_program.post(f"{HERE}orders/", {"odd": 1}), 400, "invalid")
    problem(crown_program.post(f"{HERE}orders/", {"odd": 1}, Idempotency_Key="k"), 400, "invalid")
    problem(crown_program.get(f"{HERE}journal/?odd=1"), 400, "invalid")


def test_work_is_stopped_with_the_scope_it_is_asked_for_with_HR_JOB_02(waiting, carleton, gates):
    def job(kind: str, user: User, **payload: object) -> Job:
        whole = {"battle": waiting.battles.get().pk, **payload}
        return job_request(kind=kind, key=f"{kind}{user}", payload=whole, campaign=waiting, actor=user)

    papers, umpires = Program(carleton, ("order",)), Program(carleton, ("umpire",))
    trial, odds = job("dry_run", carleton), job("battle_odds", carleton)
    forecast = job("forecast", gates, side="")
    for number in (trial.pk, forecast.pk):
        problem(papers.post(f"{HERE}jobs/{number}/cancel/"), 403, "scope")
        assert umpires.post(f"{HERE}jobs/{number}/cancel/").json()["state"] == "cancelled"
    problem(umpires.post(f"{HERE}jobs/{odds.pk}/cancel/"), 403, "scope")
    assert papers.post(f"{HERE}jobs/{odds.pk}/cancel/").json()["state"] == "cancelled"


@pytest.fixture
def over(saratoga) -> Campaign:
    """The campaign has ended two days ago."""
    DayRecord.objects.filter(campaign=saratoga).update(created_at=timezone.now() - timedelta(days=2))
    Campaign.objects.filter(pk=saratoga.pk).update(state=Campaign.State.ENDED)
    return Campaign.objects.get(pk=saratoga.pk)


def test_after_the_end_a_seat_has_the_archive_made_and_follows_it_HR_ARC_02(over, burgoyne, gates, carleton):
    problem(Program(carleton, ("order",)).post(f"{HERE}archive/"), 403, "scope")
    problem(Program(burgoyne, ("read",)).post(f"{HERE}archive/"), 403, "scope")
    asked = Program(burgoyne, ("order",)).post(f"{HERE}archive/")
    assert asked.status_code == 202
    address = f"{HERE}jobs/{asked.json()['number']}/"
    assert Program(burgoyne).get(address).json()["may_stop"] is True
    other = Program(gates).get(address).json()
    assert (other["kind"], other["may_stop"]) == ("campaign_archive", False)
    refused = problem(Program(gates).post(f"{address}cancel/"), 422, "rule")
    assert refused["rule"] == "HR-JOB-02"
    assert Program(burgoyne).post(f"{address}cancel/").json()["state"] == "cancelled"


def test_a_deadline_is_set_within_two_years_HR_UMP_11(umpire_program, saratoga):
    for until in ("9999-12-31T20:00:00+00:00", f"{timezone.now() + timedelta(days=800):%Y-%m-%dT%H:%M:%S}Z"):
        act = {"act": {"version": 1, "kind": "deadline", "until": until}, "reason": "Later."}
        refused = problem(umpire_program.post(f"{HERE}umpire/acts/", act), 422, "rule")
        assert (refused["rule"], refused["field"]) == ("HR-UMP-11", "act.until")
    saratoga.refresh_from_db()
    assert saratoga.deadline is None


def test_who_sees_it_late_is_told_how_it_stood_then_HR_SET_12(saratoga, carleton):
    looker = User.objects.create_user("walpole")
    Seat.objects.create(campaign=saratoga, user=looker, role=Seat.Role.SPECTATOR)
    Campaign.objects.filter(pk=saratoga.pk).update(
        spectator_days=1, deadline=timezone.now() - timedelta(days=1), revision=1
    )
    rests = corrections.Pause(True)
    act_perform(campaign=saratoga, act=rests, reason="Harvest.", actor=carleton)
    act_perform(campaign=saratoga, act=corrections.Pause(False), reason="On.", actor=carleton)
    for _ in range(2):
        day_advance(campaign=Campaign.objects.get(pk=saratoga.pk), actor=None)
    now = Campaign.objects.get(pk=saratoga.pk)
    act_perform(campaign=now, act=rests, reason="It leaked.", actor=carleton)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() - timedelta(days=1))
    shown, live = Program(looker).get(HERE).json(), Program(carleton).get(HERE).json()
    assert (live["paused"], live["calendar"]["deadline"] is not None) == ("It leaked.", True)
    assert (shown["paused"], shown["state"], shown["revision"]) == ("", "running", 1)
    assert (shown["calendar"]["deadline"], shown["calendar"]["overdue"]) == (None, False)
    assert shown["calendar"]["day"] == live["calendar"]["day"] - 1
    page = Program(looker).client
    page.force_login(looker)
    assert b"overdue" not in page.get("/campaigns/saratoga/").content.lower()
