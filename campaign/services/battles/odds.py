"""The odds of a waiting battle, as a job its umpire or a side asks for (HR-BAT-08, HR-BAT-11)."""

from collections.abc import Callable
from typing import Any

from battles.engine.fighting import ENGINE_VERSION, EngineError
from battles.errors import BattleFileError
from battles.files.schema import BattleFile
from battles.odds.odds import USUAL_RUNS, estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.rulesets.registry import get_ruleset
from campaign.ledger.dice import dice_for
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Job, User
from campaign.rules.battles.battle_inputs import file_now, ruleset_of
from campaign.rules.battles.plans import may_reckon_odds
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.battles.odds import build_odds_battle, digest_odds_file, select_odds_plans
from campaign.services.battles.odds_parts import fight_odds_in_parts, split_runs
from campaign.services.jobs.jobs import JobLost, job_leave, job_request

KIND = "battle_odds"
#: The odds' own address: their dice are never the battle's (HR-CON-10).
ODDS_DICE, SIDES = "HR-BAT-08", "HR-BAT-11"
READY = "The engine is being made ready."


def odds_ask(*, battle: Battle, actor: User | None, runs: int = USUAL_RUNS, side: str = "") -> Job:
    """Ask how a waiting battle may end. Asked twice it is one job; asked again after a stop it goes on.

    `side` asks with what that side knows; the umpire with all there is. A plan chosen since makes it
    another question. Raises RuleViolation for a battle that is settled, and a side that may not ask.
    """
    odds_verify(battle, side)
    campaign = battle.campaign
    plans = select_odds_plans(battle, side)
    adjusted = digest_odds_file(battle, side)
    question = {
        **({"side": side} if side else {}),
        **({"plans": plans} if plans else {}),
        **({"file": adjusted} if adjusted else {}),
    }
    asked = f"/{side}-{compute_digest(question)[:12]}" if question else ""
    ruleset = ruleset_of(battle)
    version = get_ruleset(ruleset).version
    return job_request(
        kind=KIND,
        key=f"odds/{campaign.slug}/{battle.pk}/{runs}/{ruleset}-{version}-{ENGINE_VERSION}{asked}",
        payload={"battle": battle.pk, "runs": runs, **question},
        campaign=campaign,
        actor=actor,
    )


def odds_verify(battle: Battle, side: str) -> None:
    """Raises RuleViolation for a battle that is settled, and a side that may not ask."""
    if battle.state != Battle.State.WAITING:
        raise RuleViolation(ODDS_DICE, f"The {battle} is settled; its odds are no longer of use.")
    if not may_reckon_odds(RuleSettings.from_json(battle.campaign.settings), side):
        raise RuleViolation(SIDES, "In this campaign only the umpire works out odds.")


def battle_odds_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice.

    A cancelled job is noticed at the next report; what was fought by then is kept on it.
    """
    battle = Battle.objects.select_related("campaign").get(pk=job.payload["battle"])
    # of what is fought now: while it is being fought the battle may be adjusted
    of = compute_digest(file_now(battle, plans=job.payload.get("plans", {})))
    file, seed = odds_question(job)
    found = odds_reckon(job=job, file=file, seed=seed, report=report)
    return found if job.payload.get("side", "") else {**found, "of": of}


def odds_question(job: Job) -> tuple[BattleFile, int]:
    """What such a job fights, and the seed of its odds. Raises RuleViolation when it was adjusted since."""
    battle = Battle.objects.select_related("campaign").get(pk=job.payload["battle"])
    side = job.payload.get("side", "")
    if digest_odds_file(battle, side) != job.payload.get("file", ""):
        raise RuleViolation(ODDS_DICE, "The battle was changed after these odds were asked for; ask again.")
    dice = dice_for(battle.campaign, battle.day, battle.dice_revision)
    seed = dice.seed(SIDES, f"{battle.contact}/{side}") if side else dice.seed(ODDS_DICE, battle.contact)
    return build_odds_battle(battle, side, job.payload.get("plans", {})), seed


def odds_reckon(
    *, job: Job, file: BattleFile, seed: int, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """Fight a battle as often as the job asks and count. Raises RuleViolation for one that cannot be fought.

    When the job is stopped, what has been fought by then is kept on it, and JobLost raised. Many fights of
    many units are shared with other workers.
    """
    if len(split_runs(len(file.units), job.payload["runs"])) > 1:
        report(0, READY)
        return fight_odds_in_parts(job=job, file=file, seed=seed, report=report)
    return odds_alone(job=job, file=file, seed=seed, report=report)


def odds_alone(
    *, job: Job, file: BattleFile, seed: int, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """The same, all of it by this worker."""
    report(0, READY)
    lost: list[JobLost] = []

    def progress(done: int, runs: int) -> None:
        try:
            report(100 * done // runs, f"{done:,} of {runs:,} fights.")
        except JobLost as error:
            lost.append(error)

    try:
        found = estimate_odds(
            file, seed=seed, runs=job.payload["runs"], progress=progress, cancelled=lambda: bool(lost)
        )
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error
    except EngineError as error:
        raise RuleViolation(ODDS_DICE, str(error)) from error
    if lost:
        job_leave(job=job, result=odds_to_json(found))
        raise lost[0]
    return odds_to_json(found)
