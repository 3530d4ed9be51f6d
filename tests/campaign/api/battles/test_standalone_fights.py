"""Fights without a campaign by the API: a file checked, fought, its odds; each person his own (HR-BAT-12)."""

import json
from typing import Any

import pytest

from battles.files.reading import find_shipped_battles
from battles.rulesets.registry import RULESETS
from campaign.fog.viewers import viewer_of
from campaign.models import Campaign, Job, User
from campaign.selectors.jobs import job_rows
from campaign.services.battles.standalone_fights import KEPT, MOST_FEATURES, MOST_UNITS
from campaign.tasks import keys_clean_up, run_job
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
FIGHTS = "fights/"


@pytest.fixture
def file() -> dict[str, Any]:
    """The smallest shipped battle, cut to a few turns."""
    found: dict[str, Any] = json.loads(find_shipped_battles()["oriskany"].read_text())
    return found | {"turns": 3}


@pytest.fixture
def hobbyist(db) -> Program:
    """Somebody without a seat anywhere."""
    return Program(User.objects.create_user("riedesel"))


def test_whoever_is_signed_in_fights_a_file_once_HR_BAT_12(hobbyist, file):
    asked = hobbyist.post(FIGHTS, {"file": file, "seed": 7}, Idempotency_Key="once")
    assert asked.status_code == 202, asked.content
    row = asked.json()
    assert (row["title"], row["runs"], row["seed"], row["state"]) == (file["title"], 1, 7, "queued")
    again = hobbyist.post(FIGHTS, {"file": file, "seed": 7})
    assert again.json()["number"] == row["number"], "the same battle with the same seed is the same fight"
    run_job(row["number"])
    body = hobbyist.get(f"{FIGHTS}{row['number']}/").json()
    assert body["state"] == "done" and body["progress"] == 100
    assert body["figures"]["runs"] == 1 and body["account"]
    sides = {side["id"] for side in file["sides"]}
    assert body["outcome"]["field_held_by"] in ("", *sides) and body["outcome"]["seed"] == 7
    assert [each["number"] for each in hobbyist.get(FIGHTS).json()["results"]] == [row["number"]]
    assert not Campaign.objects.exists()


def test_a_file_is_fought_under_other_rules_and_told_what_they_leave_out_HR_BAT_12(hobbyist, file):
    file |= {"ruleset": "awi", "options": {"rain_on_muskets": -1}}
    asked = {"file": file, "ruleset": "vb_wing"}
    told = hobbyist.post(f"{FIGHTS}check/", asked).json()
    assert told["ruleset"] == "vb_wing"
    assert any("has no option rain_on_muskets; left out" in warning for warning in told["warnings"])
    number = hobbyist.post(FIGHTS, asked | {"seed": 7}).json()["number"]
    run_job(number)
    body = hobbyist.get(f"{FIGHTS}{number}/").json()
    assert (body["state"], body["figures"]["ruleset"]) == ("done", "vb_wing") and body["account"]
    assert body["outcome"]["ruleset"] == "vb_wing"
    start = {unit["id"]: unit["sp_start"] for unit in body["outcome"]["units"]}
    assert start == {unit["id"]: unit["sp"] for unit in file["units"] if "sp" in unit}, "SP are the file's"
    number = hobbyist.post(FIGHTS, asked | {"runs": 2, "seed": 7}).json()["number"]
    run_job(number)
    assert hobbyist.get(f"{FIGHTS}{number}/").json()["figures"]["runs"] == 2


@pytest.mark.parametrize("sent", [{}, {"ruleset": "vb_wing"}])
def test_a_file_that_names_rules_is_refused_for_an_option_they_do_not_know(hobbyist, file, sent):
    file |= {"ruleset": "vb_wing", "options": {"rain_on_muskets": -1}}
    for address in (f"{FIGHTS}check/", FIGHTS):
        refused = problem(hobbyist.post(address, {"file": file} | sent), 422, "rule")
        assert refused["field"] == "options.rain_on_muskets"
    assert not Job.objects.exists()


@pytest.mark.parametrize("sent", [{"ruleset": "vb-wing"}, {}])
def test_a_ruleset_nearly_named_is_offered(hobbyist, file, sent):
    if not sent:
        file |= {"ruleset": "vb-wing"}
    for address in (f"{FIGHTS}check/", FIGHTS):
        refused = problem(hobbyist.post(address, {"file": file} | sent), 422, "rule")
        assert refused["field"] == "ruleset" and "did you mean “vb_wing”" in refused["detail"]
    assert not Job.objects.exists()


def test_fights_of_who_is_no_more_are_forgotten_once_they_have_ended(hobbyist, file):
    number = hobbyist.post(FIGHTS, {"file": file, "seed": 7}).json()["number"]
    keys_clean_up()
    User.objects.get(username="riedesel").delete()
    keys_clean_up()
    assert Job.objects.filter(pk=number).exists(), "it is under way"
    run_job(number)
    keys_clean_up()
    assert not Job.objects.filter(pk=number).exists()


def test_odds_of_a_file_are_worked_out(hobbyist, file):
    row = hobbyist.post(FIGHTS, {"file": file, "runs": 4}).json()
    assert 0 <= row["seed"] < 2**48
    assert hobbyist.get(f"{FIGHTS}{row['number']}/").json()["figures"] == {}
    run_job(row["number"])
    body = hobbyist.get(f"{FIGHTS}{row['number']}/").json()
    figures = body["figures"]
    assert figures["runs"] == 4 and body["outcome"] == {} and body["account"] == []
    assert sum(figures[end]["value"] for end in ("win", "draw", "loss")) == pytest.approx(1)


def test_a_fight_is_its_persons_alone_HR_BAT_12(hobbyist, saratoga, carleton, umpire_program, file):
    number = hobbyist.post(FIGHTS, {"file": file}).json()["number"]
    other = umpire_program.post(FIGHTS, {"file": file, "seed": 1}).json()["number"]
    for program, hidden in ((umpire_program, number), (hobbyist, other)):
        problem(program.get(f"{FIGHTS}{hidden}/"), 404, "not-found")
        problem(program.post(f"{FIGHTS}{hidden}/cancel/"), 404, "not-found")
        assert program.get(FIGHTS).json()["count"] == 1
    problem(Program(None).get(FIGHTS), 401, "signed-out")
    problem(Program(None).post(FIGHTS, {"file": file}), 401, "signed-out")
    assert other not in [row.job.pk for row in job_rows(viewer_of(carleton, saratoga))]
    problem(umpire_program.get(f"campaigns/saratoga/jobs/{other}/"), 404, "not-found")


@pytest.mark.parametrize("role", ["umpire", "crown", "rebel", "spectator", "stranger"])
def test_no_seat_gives_or_takes_a_fight(role, request, file):
    program: Program = request.getfixturevalue(f"{role}_program")
    assert program.get("rulesets/").status_code == 200
    assert program.post(f"{FIGHTS}check/", {"file": file}).status_code == 200
    assert program.post(FIGHTS, {"file": file}).status_code == 202


def test_a_fight_is_stopped_and_a_third_waits_HR_BAT_12(hobbyist, file):
    first = hobbyist.post(FIGHTS, {"file": file, "seed": 1}).json()["number"]
    hobbyist.post(FIGHTS, {"file": file, "seed": 2})
    refused = problem(hobbyist.post(FIGHTS, {"file": file, "seed": 3}), 422, "rule")
    assert refused["rule"] == "HR-BAT-12" and "under way" in refused["detail"]
    assert Job.objects.count() == 2
    assert hobbyist.post(f"{FIGHTS}{first}/cancel/").json()["state"] == "cancelled"
    assert problem(hobbyist.post(f"{FIGHTS}{first}/cancel/"), 422, "rule")["rule"] == "HR-JOB-02"
    assert hobbyist.post(FIGHTS, {"file": file, "seed": 3}).status_code == 202


def test_the_last_twenty_are_kept_HR_BAT_12(hobbyist, umpire_program, file):
    kept = umpire_program.post(FIGHTS, {"file": file, "seed": 1}).json()["number"]
    Job.objects.update(state="done", result={})
    for seed in range(KEPT + 3):
        assert hobbyist.post(FIGHTS, {"file": file, "seed": seed}).status_code == 202
        Job.objects.update(state="done", result={})
    seeds = [row["seed"] for row in hobbyist.get(f"{FIGHTS}?page_size=200").json()["results"]]
    assert seeds == list(range(KEPT + 2, 2, -1))
    assert Job.objects.filter(pk=kept).exists()


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, ""),
        ({"file": "oriskany"}, 400, ""),
        ({"file": []}, 400, ""),
        ({"file": {}, "threads": 8}, 400, ""),
        ({"file": {}}, 422, ""),
        ({"runs": 0}, 422, "runs"),
        ({"runs": 2401}, 422, "runs"),
        ({"runs": "many"}, 400, ""),
        ({"seed": -1}, 422, "seed"),
        ({"seed": 2**48}, 422, "seed"),
        ({"ruleset": "chess"}, 422, "ruleset"),
    ],
)
def test_what_cannot_be_fought_is_refused_and_nothing_is_kept(hobbyist, file, body, status, field):
    sent = {"file": file} | body if body else body
    refused = problem(hobbyist.post(FIGHTS, sent), status, "invalid" if status == 400 else "rule")
    if field:
        assert refused["field"] == field
    assert not Job.objects.exists()


def test_every_fault_of_a_file_is_told(hobbyist, file):
    file["units"][0]["sp"] = 99
    file["units"][1]["troop_type"] = "elephants"
    for address in (f"{FIGHTS}check/", FIGHTS):
        refused = problem(hobbyist.post(address, {"file": file}), 422, "rule")
        places = " ".join(error["field"] for error in refused["errors"])
        assert "units[0]" in places and "units[1]" in places
    assert not Job.objects.exists()


def test_a_file_too_large_for_here_is_refused_before_it_is_read(hobbyist, file):
    many = {**file, "units": [{}] * (MOST_UNITS + 1)}
    refused = problem(hobbyist.post(FIGHTS, {"file": many}), 422, "rule")
    assert (refused["rule"], refused["field"]) == ("HR-BAT-12", "units")
    ground = {**file, "ground": {"features": [{}] * (MOST_FEATURES + 1)}}
    refused = problem(hobbyist.post(f"{FIGHTS}check/", {"file": ground}), 422, "rule")
    assert (refused["rule"], refused["field"]) == ("HR-BAT-12", "ground.features")
    problem(hobbyist.post(FIGHTS, {"file": {**file, "title": "x" * 300_000}}), 413, "too-large")


def test_a_file_is_checked_without_a_trace(hobbyist, file):
    told = hobbyist.post(f"{FIGHTS}check/", {"file": file}).json()
    facts = (told["title"], told["ruleset"], told["units"])
    assert facts == (file["title"], "awi", len(file["units"]))
    assert any("AWI-T-STR-02" in warning for warning in told["warnings"])
    assert not Job.objects.exists()
    weak = Program(User.objects.get(username="riedesel"), ("read",))
    assert weak.post(f"{FIGHTS}check/", {"file": file}).status_code == 200
    problem(weak.post(FIGHTS, {"file": file}), 403, "scope")


def test_rulesets_and_shipped_battles_are_told(hobbyist):
    told = hobbyist.get("rulesets/").json()["rulesets"]
    assert told == [
        {"id": one.id, "title": one.title, "version": one.version, "about": one.about} for one in RULESETS
    ]
    names = [row["name"] for row in hobbyist.get(f"{FIGHTS}shipped/").json()["battles"]]
    assert names == list(find_shipped_battles())
    for name in names:
        found = hobbyist.get(f"{FIGHTS}shipped/{name}/").json()["file"]
        assert hobbyist.post(f"{FIGHTS}check/", {"file": found}).status_code == 200
    problem(hobbyist.get(f"{FIGHTS}shipped/waterloo/"), 404, "not-found")
