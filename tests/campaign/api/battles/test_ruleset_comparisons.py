"""A battle file under every ruleset by the API: asked, read as it comes, stopped (HR-BAT-12, HR-BAT-11)."""

from collections.abc import Iterator
from typing import Any

import pytest

from battles.files.reading import read_document
from battles.rulesets import registry
from campaign.models import Campaign, Job, User
from campaign.rules.world.settings import RuleSettings
from campaign.tasks import run_job
from tests.battles.rulesets.example.line import EXAMPLE, registered
from tests.campaign.api.program import Program, problem
from tests.factories.comparisons import REFUSED, compared

pytestmark = pytest.mark.django_db
COMPARISONS = "comparisons/"


@pytest.fixture(autouse=True)
def two_rulesets(monkeypatch) -> Iterator[None]:
    """The native rules and the example of the tests, which is compiled in no time."""
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    with registered():
        yield


@pytest.fixture
def file() -> dict[str, Any]:
    return {**read_document("oriskany"), "turns": 3}


@pytest.fixture
def hobbyist(db) -> Program:
    """Somebody without a seat anywhere."""
    return Program(User.objects.create_user("riedesel"))


def test_a_file_is_fought_under_every_ruleset_and_read(hobbyist, file):
    asked = hobbyist.post(COMPARISONS, {"file": file, "runs": 3}, Idempotency_Key="once")
    assert asked.status_code == 202, asked.content
    row = asked.json()
    assert (row["title"], row["runs"], row["state"]) == (file["title"], 3, "queued")
    path = f"{COMPARISONS}{row['number']}/"
    waiting = hobbyist.get(path).json()
    assert [system["state"] for system in waiting["systems"]] == ["waiting", "waiting"]
    assert all(system["told"] is None and system["figures"] == {} for system in waiting["systems"])
    run_job(row["number"])
    body = hobbyist.get(path).json()
    assert [system["ruleset"] for system in body["systems"]] == ["awi", EXAMPLE.id]
    assert len(body["sides"]) == 2 and body["state"] == "done"
    for system in body["systems"]:
        assert system["state"] == "done" and system["told"]["runs"] == system["figures"]["runs"] == 3
        assert sum(system["figures"][end]["value"] for end in ("win", "draw", "loss")) == pytest.approx(1)
        assert [loss["side"] for loss in system["told"]["losses"]] == [side["name"] for side in body["sides"]]
    assert [each["number"] for each in hobbyist.get(COMPARISONS).json()["results"]] == [row["number"]]
    assert not Campaign.objects.exists()


def test_why_a_ruleset_cannot_take_it_stands_beside_the_others(hobbyist):
    job = compared(User.objects.get(username="riedesel"))
    native, example = hobbyist.get(f"{COMPARISONS}{job.pk}/").json()["systems"]
    assert native["state"] == "done" and example["state"] == "refused"
    assert example["sentence"] == REFUSED and example["told"] is None


def test_it_is_its_persons_alone_hr_bat_12(hobbyist, umpire_program, file):
    number = hobbyist.post(COMPARISONS, {"file": file, "runs": 1}).json()["number"]
    problem(umpire_program.get(f"{COMPARISONS}{number}/"), 404, "not-found")
    for act in ("cancel", "again"):
        problem(umpire_program.post(f"{COMPARISONS}{number}/{act}/"), 404, "not-found")
    assert umpire_program.get(COMPARISONS).json()["count"] == 0
    problem(Program(None).get(COMPARISONS), 401, "signed-out")
    problem(hobbyist.get(f"fights/{number}/"), 404, "not-found")
    weak = Program(User.objects.get(username="riedesel"), ("read",))
    problem(weak.post(COMPARISONS, {"file": file}), 403, "scope")


def test_it_is_stopped_and_asked_for_again(hobbyist, file):
    number = hobbyist.post(COMPARISONS, {"file": file, "runs": 2}).json()["number"]
    refused = problem(hobbyist.post(f"{COMPARISONS}{number}/again/"), 422, "rule")
    assert refused["rule"] == "HR-JOB-02"
    assert hobbyist.post(f"{COMPARISONS}{number}/cancel/").json()["state"] == "cancelled"
    assert problem(hobbyist.post(f"{COMPARISONS}{number}/cancel/"), 422, "rule")["rule"] == "HR-JOB-02"
    again = hobbyist.post(f"{COMPARISONS}{number}/again/")
    assert again.status_code == 202 and again.json()["number"] == number
    assert again.json()["state"] == "queued"


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, ""),
        ({"file": "oriskany"}, 400, ""),
        ({"file": {}}, 422, ""),
        ({"runs": 0}, 422, "runs"),
        ({"runs": 2401}, 422, "runs"),
        ({"ruleset": "awi"}, 400, ""),
    ],
)
def test_what_cannot_be_fought_is_refused_and_nothing_is_kept(hobbyist, file, body, status, field):
    sent = {"file": file} | body if body else body
    refused = problem(hobbyist.post(COMPARISONS, sent), status, "invalid" if status == 400 else "rule")
    assert not field or refused["field"] == field
    assert not Job.objects.exists()


def test_every_fault_of_a_file_is_told(hobbyist, file):
    file["units"][0]["sp"] = 99
    file["units"][1]["troop_type"] = "elephants"
    refused = problem(hobbyist.post(COMPARISONS, {"file": file}), 422, "rule")
    places = " ".join(error["field"] for error in refused["errors"])
    assert "units[0]" in places and "units[1]" in places


def test_a_campaigns_battle_is_asked_for_by_who_may_have_its_odds_hr_bat_11(
    umpire_program, crown_program, rebel_program, battle
):
    path = f"campaigns/saratoga/battles/{battle.pk}/comparison/"
    asked = umpire_program.post(path)
    assert asked.status_code == 202, asked.content
    assert umpire_program.get(f"{COMPARISONS}{asked.json()['number']}/").status_code == 200
    problem(crown_program.post(path), 404, "not-found")
    settings = RuleSettings.from_json({**battle.campaign.settings, "battle_odds": "sides"})
    Campaign.objects.filter(pk=battle.campaign_id).update(settings=settings.to_json())
    number = crown_program.post(path).json()["number"]
    file = Job.objects.get(pk=number).payload["file"]
    assert {leader["side"] for leader in file["leaders"]} <= {"crown"}
    problem(rebel_program.get(f"{COMPARISONS}{number}/"), 404, "not-found")
