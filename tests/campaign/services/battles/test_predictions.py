"""What odds said of a battle is kept when it is settled, however it is settled (HR-CAB-01)."""

from dataclasses import asdict

import pytest

from battles.files.schema import BattleFile, BattlePlan, BattleUnit
from campaign import tasks
from campaign.models import Battle, Job
from campaign.rules.errors import RuleViolation
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.predictions import predictions_ask
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word
from rosters.domain.vocabulary import TroopType

pytestmark = pytest.mark.django_db
RUNS = 16


@pytest.fixture
def battle(saratoga) -> Battle:
    file = BattleFile(
        "Battle of Bennington",
        "rebel",
        "crown",
        (
            BattleUnit("stark", "Stark's brigade", "rebel", TroopType.MILITIA, 4),
            BattleUnit("dragoons", "Brunswick dragoons", "crown", TroopType.EUROPEAN_LINE, 3),
        ),
    )
    return Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/bennington/1", minute=900, place="bennington",
        attacker="rebel", defender="crown", inputs={"contact": {}, "file": asdict(file)},
    )  # fmt: skip


def reckoned(battle: Battle, actor) -> None:
    tasks.run_job(odds_ask(battle=battle, actor=actor, runs=RUNS).pk)


def by_word(battle: Battle, actor) -> Battle:
    return battle_settle_by_word(
        battle=battle, field_held_by="rebel", percent_lost={"crown": 50}, actor=actor
    )


def test_hr_cab_01_the_umpires_odds_are_kept_with_the_result(battle, carleton) -> None:
    reckoned(battle, carleton)
    kept = by_word(battle, carleton).prediction
    assert kept["when"] == "before" and kept["runs"] == RUNS
    assert sum(kept[end] for end in ("win", "draw", "loss")) == pytest.approx(1, abs=1e-5)
    assert [side["id"] for side in kept["sides"]] == ["rebel", "crown"]


def test_hr_cab_01_the_same_when_the_engine_fights_it(battle, carleton) -> None:
    reckoned(battle, carleton)
    assert battle_settle_by_engine(battle=battle, actor=carleton).prediction["when"] == "before"


def test_nobody_asked_so_nothing_is_kept(battle, carleton) -> None:
    assert by_word(battle, carleton).prediction is None


def test_hr_cab_01_odds_with_other_plans_or_inputs_do_not_count(battle, carleton) -> None:
    reckoned(battle, carleton)
    battle.plans = {"crown": asdict(BattlePlan("hold")), "rebel": asdict(BattlePlan("demonstrate"))}
    battle.save()
    assert by_word(battle, carleton).prediction is None


def test_a_sides_own_odds_are_not_the_umpires(battle, carleton) -> None:
    battle.campaign.settings = {**battle.campaign.settings, "battle_odds": "sides"}
    battle.campaign.save()
    tasks.run_job(odds_ask(battle=battle, actor=carleton, runs=RUNS, side="crown").pk)
    assert by_word(battle, carleton).prediction is None


def test_hr_cab_01_what_had_no_odds_gets_them_afterwards_and_once(battle, carleton, monkeypatch) -> None:
    monkeypatch.setattr("campaign.services.battles.predictions.RUNS", RUNS)
    by_word(battle, carleton)
    assert predictions_ask(campaign=battle.campaign, actor=carleton) == 1
    assert predictions_ask(campaign=battle.campaign, actor=carleton) == 1
    job = Job.objects.get(kind="battle_prediction")
    tasks.run_job(job.pk)
    job.refresh_from_db()
    battle.refresh_from_db()
    assert job.state == "done", job.error
    assert battle.prediction["when"] == "after" and battle.prediction["runs"] == RUNS
    assert predictions_ask(campaign=battle.campaign, actor=carleton) == 0


def test_only_the_umpire_asks(battle, burgoyne) -> None:
    with pytest.raises(RuleViolation, match="Only the umpire"):
        predictions_ask(campaign=battle.campaign, actor=burgoyne)
    assert not Job.objects.exists()
