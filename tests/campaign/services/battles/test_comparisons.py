"""A battle file under every ruleset as a job: partial figures, refusals, stopping, whose (HR-BAT-12)."""

from collections.abc import Iterator
from typing import Any

import pytest

from battles.files.reading import battle_from_json, battle_to_json, read_document
from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.rulesets import registry
from campaign import tasks
from campaign.fog.visibility import fights_of
from campaign.models import Battle, Campaign, Job, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.battles.comparisons import build_comparison, comparison_rows, shipped_rows
from campaign.selectors.battles.odds import build_odds_battle
from campaign.services.battles.comparisons import comparison_again, comparison_ask, comparison_of_battle
from campaign.services.battles.standalone_fights import KEPT, FightRefused, fight_ask, fights_clean_up
from campaign.services.jobs import jobs, parts
from tests.battles.rulesets.example.line import EXAMPLE, registered

pytestmark = pytest.mark.django_db
RUNS = 4


@pytest.fixture(autouse=True)
def two_rulesets(monkeypatch) -> Iterator[None]:
    """The native rules and the example of the tests, which is compiled in no time."""
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    with registered():
        yield


@pytest.fixture
def stark(db) -> User:
    return User.objects.create_user("stark")


def document(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {**read_document("oriskany"), "turns": 4}
    return found | changes


def ask(actor: User, **how: Any) -> Job:
    return comparison_ask(data=document(), actor=actor, **({"runs": RUNS} | how))


def run(job: Job) -> Job:
    tasks.run_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_battle_is_fought_under_every_ruleset_and_its_figures_kept(stark):
    job = ask(stark)
    assert ask(stark) == job, "asked twice it is one"
    assert [system["id"] for system in job.payload["systems"]] == ["awi", "example"]
    done = run(job)
    assert (done.state, done.progress, done.error) == ("done", 100, "")
    assert not done.parts.exists(), "what they found is in the whole's result"
    shown = build_comparison(done)
    assert [under.state for under in shown.systems] == ["done", "done"]
    for under in shown.systems:
        assert under.figures is not None and under.odds is not None
        assert (under.figures.runs, under.odds["ruleset"]) == (RUNS, under.id)
    assert [side.name for side in shown.sides] and not Campaign.objects.exists()


def test_its_odds_are_those_that_are_worked_out_elsewhere(stark):
    """There is one way of running odds."""
    done = run(ask(stark))
    again = odds_to_json(estimate_odds(battle_from_json(document()), seed=done.payload["seed"], runs=RUNS))
    kept = {name: value for name, value in done.result["systems"][0].items() if name != "left_out"}
    assert {**kept, "seconds": 0} == {**again, "seconds": 0}


def test_a_ruleset_that_cannot_take_the_file_says_why_and_the_others_go_on(stark):
    done = run(ask(stark, options={"example": {"hits_on": 9}}))
    native, example = build_comparison(done).systems
    assert done.state == "done" and native.state == "done"
    assert (example.state, example.figures) == ("refused", None)
    assert "hits_on cannot be 9" in example.sentence and "EXA-FIR-01" in example.sentence


def test_what_a_ruleset_leaves_out_of_the_file_is_told(stark):
    wet = document(options={"rain_on_muskets": -1})
    done = run(comparison_ask(data=wet, actor=stark, runs=RUNS))
    native, example = build_comparison(done).systems
    assert native.left_out == () and "rain_on_muskets" in example.left_out[0]


def test_figures_of_one_come_while_another_is_still_fought(stark, monkeypatch):
    job, seen = ask(stark), []
    monkeypatch.setattr(parts, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    true_progress = jobs.job_progress

    def looked(*, job: Job, percent: int, note: str = "") -> None:
        true_progress(job=job, percent=percent, note=note)
        if job.kind == "comparison":
            seen.append([(one.state, bool(one.figures)) for one in build_comparison(job).systems])

    monkeypatch.setattr(jobs, "job_progress", looked)
    monkeypatch.setattr(tasks.jobs, "job_progress", looked)
    run(job)
    assert [("waiting", False), ("waiting", False)] in seen
    assert any(one[0] == ("done", True) and one[1][0] in ("waiting", "running") for one in seen)


def test_stopped_it_keeps_what_was_fought_and_goes_on_from_there(stark, monkeypatch):
    job, fought = ask(stark), []
    monkeypatch.setattr(parts, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)

    def counted(file: Any, **how: Any) -> Any:
        fought.append(file.ruleset)
        if file.ruleset == EXAMPLE.id and fought.count(EXAMPLE.id) == 1:
            jobs.job_cancel(job=Job.objects.get(pk=job.pk))
            how["progress"](1, how["runs"])
            assert how["cancelled"]()
            return estimate_odds(file, seed=how["seed"], runs=1)
        return estimate_odds(file, **how)

    monkeypatch.setattr("campaign.services.battles.odds.estimate_odds", counted)
    assert run(job).state == "cancelled"
    native, example = build_comparison(job).systems
    assert native.state == "done" and native.figures.runs == RUNS
    assert example.state == "stopped" and example.figures.runs == 1, "what was fought by then is kept"
    again = comparison_again(job=job, actor=stark)
    assert again.pk == job.pk and run(again).state == "done"
    assert fought == ["awi", EXAMPLE.id, EXAMPLE.id], "what was done stays done"
    with pytest.raises(RuleViolation, match="has not failed"):
        comparison_again(job=again, actor=stark)


def test_a_worker_that_finds_the_whole_has_ended_leaves_its_part(stark, monkeypatch):
    job = ask(stark)
    whole = jobs.job_claim(job_id=job.pk)
    payload = {"ruleset": "awi", "runs": RUNS}
    part = jobs.job_request(kind="comparison_part", key="part/x", payload=payload, parent=whole)
    Job.objects.filter(pk=whole.pk).update(state="cancelled")
    assert run(part).state == "failed" and "has ended" in part.error


def test_another_worker_takes_up_a_part(stark):
    whole = jobs.job_claim(job_id=ask(stark).pk)
    payload = {"ruleset": "example", "runs": RUNS}
    part = jobs.job_request(kind="comparison_part", key="part/x", payload=payload, parent=whole)
    done = run(part)
    assert done.state == "done" and done.result["ruleset"] == "example" and done.result["runs"] == RUNS


def test_what_cannot_be_fought_under_its_own_rules_is_refused_whole(stark):
    with pytest.raises(FightRefused) as refused:
        comparison_ask(data=document(units=[]), actor=stark)
    assert refused.value.faults and not Job.objects.exists()
    for runs in (0, 2401):
        with pytest.raises(RuleViolation, match="1 to 2400"):
            ask(stark, runs=runs)


def test_it_counts_among_the_two_fights_of_a_person_and_the_twenty_that_are_kept_hr_bat_12(stark):
    fight_ask(data=document(), runs=1, seed=1, actor=stark)
    ask(stark)
    with pytest.raises(RuleViolation, match="under way"):
        ask(stark, runs=RUNS + 1)
    for runs in range(1, KEPT + 5):
        Job.objects.update(state="done", result={"systems": [{"refused": "x"}] * 2})
        ask(stark, runs=100 + runs)
    assert fights_of(stark, "comparison").count() == KEPT


def test_it_is_its_persons_alone_and_forgotten_with_him_hr_bat_12(stark, carleton):
    job = run(ask(stark))
    assert [row.job.pk for row in comparison_rows(stark)] == [job.pk]
    assert comparison_rows(carleton) == []
    stark.delete()
    assert fights_clean_up() == 1 and not Job.objects.exists()


def test_when_a_ruleset_is_raised_to_another_version_it_is_fought_anew(stark, monkeypatch):
    first = ask(stark)
    raised = tuple(
        type(one)(one.id, one.title, "99", one.rules, one.fighting, one.about) for one in registry.RULESETS
    )
    monkeypatch.setattr(registry, "RULESETS", raised)
    assert ask(stark).pk != first.pk


# --- a campaign's battle ---


def known(job: Job) -> tuple[Any, Any]:
    return job.payload["file"], job.payload["options"]


def test_the_umpire_has_a_waiting_battle_fought_as_it_stands(battle, carleton):
    job = comparison_of_battle(battle=battle, actor=carleton, runs=RUNS)
    assert job.campaign is None and job.requested_by == carleton
    assert job.payload["file"] == battle_to_json(build_odds_battle(battle, "", {}))
    assert build_comparison(run(job)).battle == ("saratoga", battle.pk)
    battle.refresh_from_db()
    assert (battle.state, battle.settlement) == (Battle.State.WAITING, None)


def test_a_side_has_it_fought_with_what_it_knows_and_no_more_hr_bat_11(battle, burgoyne):
    with pytest.raises(RuleViolation, match="only the umpire"):
        comparison_of_battle(battle=battle, actor=burgoyne, side="crown")
    settings = RuleSettings.from_json({**battle.campaign.settings, "battle_odds": "sides"})
    Campaign.objects.filter(pk=battle.campaign_id).update(settings=settings.to_json())
    battle = Battle.objects.select_related("campaign").get(pk=battle.pk)
    before = known(comparison_of_battle(battle=battle, actor=burgoyne, side="crown", runs=RUNS))
    for unit in battle.inputs["file"]["units"]:
        if unit["side"] == "rebel":
            unit["arrives"] = 9
    battle.plans = {"rebel": {"kind": "withdraw"}}
    battle.inputs["file"]["leaders"] = []
    battle.save()
    after = known(comparison_of_battle(battle=battle, actor=burgoyne, side="crown", runs=RUNS))
    leaders = before[0].pop("leaders"), after[0].pop("leaders")
    assert before == after, "what is hidden of the enemy changes nothing that is asked"
    assert all(leader["side"] == "crown" for leader in leaders[0])


def test_a_battle_that_is_settled_is_not_asked_about(battle, carleton):
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.SETTLED)
    battle.refresh_from_db()
    with pytest.raises(RuleViolation, match="settled"):
        comparison_of_battle(battle=battle, actor=carleton)


def test_the_shipped_battles_are_listed_with_their_sides():
    rows = {row.name: row for row in shipped_rows()}
    assert rows["hubbardton"].sides[0].strength.endswith("SP") and rows["hubbardton"].minutes == 240
