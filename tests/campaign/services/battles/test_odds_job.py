"""Odds of a waiting battle as a job: asked once, cancellable, with dice of their own (HR-BAT-08)."""

from dataclasses import asdict, replace
from typing import Any

import pytest

from battles.engine.fighting import EngineError
from battles.files.reading import decode_battle
from battles.files.schema import BattleFile, BattleLeader, BattlePlan, BattleUnit
from battles.odds.odds import estimate_odds
from campaign import tasks
from campaign.ledger.dice import dice_for
from campaign.models import Battle, Campaign, Job
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.battles.odds import build_side_battle
from campaign.services.battles.odds import ODDS_DICE, odds_ask
from campaign.services.battles.outcomes import BATTLE_DICE
from campaign.services.jobs import jobs
from rosters.domain.vocabulary import TroopType

pytestmark = pytest.mark.django_db

RUNS = 16


@pytest.fixture
def battle(saratoga) -> Battle:
    """Two a side at Bennington, Stark against Baum."""
    line = TroopType.EUROPEAN_LINE
    file = BattleFile(
        "Battle of Bennington",
        "rebel",
        "crown",
        (
            BattleUnit("stark_1", "Stark's first", "rebel", TroopType.MILITIA, 5),
            BattleUnit("stark_2", "Stark's second", "rebel", TroopType.MILITIA, 5),
            BattleUnit("dragoons", "Brunswick dragoons", "crown", line, 4),
            BattleUnit("grenadiers", "Breymann's grenadiers", "crown", line, 3),
        ),
        leaders=(BattleLeader("stark", "John Stark", "rebel", commands=("stark_1", "stark_2")),),
    )
    return Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/bennington/1", minute=900, place="bennington",
        attacker="rebel", defender="crown", inputs={"contact": {}, "file": asdict(file)},
    )  # fmt: skip


def run(job: Job) -> Job:
    tasks.run_job(job.pk)
    job.refresh_from_db()
    return job


def test_asked_twice_it_is_one_job(battle, carleton):
    first = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    assert odds_ask(battle=battle, actor=carleton, runs=RUNS) == first
    assert (first.kind, first.state, first.requested_by) == ("battle_odds", "queued", carleton)
    assert odds_ask(battle=battle, actor=carleton, runs=2 * RUNS) != first


def test_the_result_is_kept_on_the_job_and_the_battle_still_waits(battle, carleton):
    done = run(odds_ask(battle=battle, actor=carleton, runs=RUNS))
    assert (done.state, done.progress, done.error) == ("done", 100, "")
    found = done.result
    assert found["runs"] == RUNS
    assert sum(found[end]["value"] for end in ("win", "draw", "loss")) == pytest.approx(1.0)
    assert [side["id"] for side in found["sides"]] == ["rebel", "crown"]
    assert [unit["id"] for unit in found["units"]] == ["stark_1", "stark_2", "dragoons", "grenadiers"]
    assert [one["id"] for one in found["generals"]] == ["stark"]
    battle.refresh_from_db()
    assert (battle.state, battle.settlement) == ("waiting", None)


def test_odds_have_dice_of_their_own(battle, carleton, monkeypatch):
    """HR-CON-10: whoever sees the odds has not seen the battle."""
    seeds = []

    def watched(file: BattleFile, *, seed: int, runs: int, progress: Any, cancelled: Any) -> Any:
        seeds.append(seed)
        return estimate_odds(file, seed=seed, runs=1, progress=progress)

    monkeypatch.setattr("campaign.services.battles.odds.estimate_odds", watched)
    run(odds_ask(battle=battle, actor=carleton, runs=RUNS))
    dice = dice_for(battle.campaign, battle.day, battle.revision)
    assert seeds == [dice.seed(ODDS_DICE, battle.contact)]
    assert seeds != [dice.seed(BATTLE_DICE, battle.contact)]


def test_cancelled_it_keeps_what_was_fought_and_may_be_asked_again(battle, carleton, monkeypatch):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    told: list[int] = []

    def slow(file: BattleFile, *, seed: int, runs: int, progress: Any, cancelled: Any) -> Any:
        for done in range(1, runs + 1):
            if done == 4:
                assert jobs.job_cancel(job=Job.objects.get(pk=job.pk))
            progress(done, runs)
            told.append(done)
            if cancelled():
                return estimate_odds(file, seed=seed, runs=done)
        raise AssertionError("It went on after it was cancelled.")

    monkeypatch.setattr("campaign.services.battles.odds.estimate_odds", slow)
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    assert run(job).state == "cancelled"
    assert told == [1, 2, 3, 4] and job.result["runs"] == 4
    monkeypatch.undo()
    again = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    assert again.pk == job.pk and again.result is None
    assert run(again).state == "done"


def test_progress_is_told_in_fights(battle, carleton, monkeypatch):
    notes = []
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    true_report = jobs.job_progress

    def noted(*, job: Job, percent: int, note: str = "") -> None:
        notes.append((percent, note))
        true_report(job=job, percent=percent, note=note)

    monkeypatch.setattr(jobs, "job_progress", noted)
    run(odds_ask(battle=battle, actor=carleton, runs=RUNS))
    assert notes[0][0] == 0 and notes[-1] == (100, f"{RUNS} of {RUNS} fights.")


def test_a_settled_battle_has_no_odds(battle, carleton):
    battle.state = Battle.State.SETTLED
    with pytest.raises(RuleViolation, match="settled"):
        odds_ask(battle=battle, actor=carleton)


def test_a_battle_beyond_the_engine_fails_with_its_reason_and_is_not_tried_again(
    battle, carleton, monkeypatch
):
    def void(*args: object, **options: object) -> None:
        raise EngineError("It needs more dice than there are.")

    monkeypatch.setattr("campaign.services.battles.odds.estimate_odds", void)
    done = run(odds_ask(battle=battle, actor=carleton, runs=RUNS))
    assert (done.state, done.attempts, done.error) == ("failed", 1, "It needs more dice than there are.")


def test_a_battle_that_cannot_be_fought_fails_with_the_reason_and_is_not_tried_again(battle, carleton):
    battle.inputs["file"]["units"][0]["sp"] = 9
    battle.save()
    done = run(odds_ask(battle=battle, actor=carleton, runs=RUNS))
    assert (done.state, done.attempts) == ("failed", 1)
    assert "Stark's first has 9 SP" in done.error


def test_a_worker_that_lost_its_job_to_another_leaves_nothing_on_it(battle, carleton):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    mine = jobs.job_claim(job_id=job.pk)
    jobs.job_cancel(job=job)
    Job.objects.filter(pk=job.pk).update(attempts=2)
    assert not jobs.job_leave(job=mine, result={"runs": 1})
    job.refresh_from_db()
    assert job.result is None


# --- for the sides ---


def allowed(battle: Battle) -> Battle:
    settings = RuleSettings.from_json({**battle.campaign.settings, "battle_odds": "sides"})
    Campaign.objects.filter(pk=battle.campaign_id).update(settings=settings.to_json())
    return Battle.objects.select_related("campaign").get(pk=battle.pk)


def test_a_side_may_not_ask_unless_it_is_allowed_hr_bat_11(battle, gates, rebel):
    with pytest.raises(RuleViolation, match="only the umpire"):
        odds_ask(battle=battle, actor=gates, side="rebel")
    assert rebel.post(f"/campaigns/saratoga/battles/{battle.pk}/odds/").status_code == 404
    assert (
        "What may come of it" not in rebel.get(f"/campaigns/saratoga/battles/{battle.pk}/").content.decode()
    )


def test_a_side_reckons_with_what_it_knows_hr_bat_11(battle):
    file = decode_battle(battle.inputs["file"])
    late = replace(file.units[2], arrives=9, reserve=True)
    stands = replace(
        file, units=(*file.units[:2], late, file.units[3]), plans={"crown": BattlePlan("withdraw")}
    )
    met = build_side_battle(stands, "rebel")
    assert met.units == file.units
    assert met.plans == {} and met.leaders == file.leaders
    assert build_side_battle(stands, "crown").leaders == ()


def test_each_side_sees_its_own_odds_alone_hr_bat_11(battle, gates, crown, rebel, desk):
    mine = run(odds_ask(battle=allowed(battle), actor=gates, runs=RUNS, side="rebel"))
    assert (mine.state, mine.error) == ("done", "")
    page = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert "HR-BAT-11" in rebel.get(page).content.decode()
    assert rebel.get(page).context["odds"].runs == RUNS
    for other in (crown, desk):
        assert other.get(page).context["odds"] is None
    watched = f"/campaigns/saratoga/jobs/{mine.pk}/"
    assert [client.get(watched).status_code for client in (rebel, crown, desk)] == [200, 404, 200]


def test_another_plan_is_another_question_hr_bat_11(battle, gates):
    battle = allowed(battle)
    first = odds_ask(battle=battle, actor=gates, runs=RUNS, side="rebel")
    battle.plans = {"rebel": asdict(BattlePlan("hold")), "crown": asdict(BattlePlan("withdraw"))}
    battle.save()
    second = odds_ask(battle=battle, actor=gates, runs=RUNS, side="rebel")
    assert second != first and "crown" not in second.payload["plans"]
    assert set(odds_ask(battle=battle, actor=gates, runs=RUNS).payload["plans"]) == {"rebel", "crown"}
