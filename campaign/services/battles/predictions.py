"""Odds of a battle, stored with its result as a prediction (HR-CAB-01)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from battles.engine.fighting import ENGINE_VERSION
from battles.files.reading import decode_battle
from battles.files.schema import BattleFile
from battles.odds.calibration import prediction_of
from campaign.fog.viewers import NotSeated, viewer_of
from campaign.fog.visibility import battles_for
from campaign.ledger.dice import dice_for
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Campaign, Job, User
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.errors import RuleViolation
from campaign.services.battles.odds import KIND as ODDS
from campaign.services.battles.odds import ODDS_DICE, odds_reckon
from campaign.services.jobs.jobs import job_finish, job_request

RULE = "HR-CAB-01"
#: The job that works out odds of a settled battle that had none.
KIND = "battle_prediction"
#: Fights it is reckoned from: shares to within three in a hundred.
RUNS = 1000


def prediction_now(battle: Battle) -> dict[str, Any] | None:
    """The umpire's latest odds of a battle with its inputs and plans as they are; None without any."""
    file = compute_digest(_get_battle_file(battle))
    asked = Job.objects.filter(
        campaign=battle.campaign_id,
        kind=ODDS,
        payload__battle=battle.pk,
        payload__side__isnull=True,
        state=Job.State.DONE,
    )
    for job in asked.order_by("-pk"):
        if job.result and job.result.get("of") == file:
            return prediction_of(job.result, "before")
    return None


def predictions_ask(*, campaign: Campaign, actor: User) -> int:
    """Ask for the odds of every settled battle of the present course that has none, one job each.

    Returns how many; asked twice they are the same jobs. Raises RuleViolation for anybody but the umpires.
    """
    refusal = RuleViolation(RULE, "Only the umpire of a campaign works out the odds of its battles.")
    try:
        viewer = viewer_of(actor, campaign)
    except NotSeated:
        raise refusal from None
    if not viewer.is_umpire:
        raise refusal
    without = battles_for(viewer).filter(state=Battle.State.SETTLED, prediction__isnull=True)
    for battle in without:
        job_request(
            kind=KIND,
            key=f"prediction/{campaign.slug}/{battle.pk}/{RUNS}/{ENGINE_VERSION}",
            payload={"battle": battle.pk, "runs": RUNS},
            campaign=campaign,
            actor=actor,
        )
    return len(without)


def battle_prediction_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work: odds from the battle's frozen inputs, with the dice of odds and never its own."""
    battle = Battle.objects.select_related("campaign").filter(pk=job.payload["battle"]).first()
    if battle is None or battle.prediction is not None:
        return {}
    file, seed = prediction_question(job)
    found = odds_reckon(job=job, file=file, seed=seed, report=report)
    with transaction.atomic():
        Battle.objects.filter(pk=battle.pk, prediction__isnull=True).update(
            prediction=prediction_of(found, "after")
        )
        job_finish(job=job, result={"runs": found["runs"]})
    return {}


def prediction_question(job: Job) -> tuple[BattleFile, int]:
    """The battle and the seed of the job's odds."""
    battle = Battle.objects.select_related("campaign").get(pk=job.payload["battle"])
    dice = dice_for(battle.campaign, battle.day, battle.dice_revision)
    return decode_battle(_get_battle_file(battle)), dice.seed(ODDS_DICE, battle.contact)


def _get_battle_file(battle: Battle) -> dict[str, Any]:
    return file_now(battle)
