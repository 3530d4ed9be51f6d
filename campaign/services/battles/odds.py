"""The odds of a waiting battle, as a job its umpire or a side asks for (HR-BAT-08, HR-BAT-11).

Large battles are fought in parts by all workers and joined; the figures are the same (HR-JOB-03).
"""

import time
from collections.abc import Callable
from typing import Any

from django.utils.module_loading import import_string

from battles.engine.fighting import ENGINE_VERSION, EngineError
from battles.errors import BattleFileError
from battles.files.reading import encode_value
from battles.files.schema import BattleFile
from battles.odds.odds import USUAL_RUNS, estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.odds.parts import join_odds, odds_part
from battles.rulesets.registry import get_ruleset
from campaign.ledger.dice import dice_for
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Job, User
from campaign.rules.battles.battle_inputs import file_now, ruleset_of
from campaign.rules.battles.plans import may_reckon_odds
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.battles.odds import build_odds_battle, digest_odds_file, select_odds_plans
from campaign.services.jobs.jobs import GOES_ON, JobLost, JobPutBack, job_leave, job_put_back, job_request
from campaign.services.jobs.parts import Report, parts_ask, parts_work, split_evenly

PART_KIND, RULE = "odds_part", "HR-BAT-08"
#: kind of the whole -> the function that says what it fights: the battle and the seed of its odds
ASKED: dict[str, str] = {
    "battle_odds": "campaign.services.battles.odds.odds_question",
    "battle_prediction": "campaign.services.battles.predictions.prediction_question",
    "fight": "campaign.services.battles.standalone_fights.fight_question",
}
#: What is worth sharing, and what one part has of it at the least: units of a battle times its fights.
WORTH, PART, MOST_PARTS = 120_000, 40_000, 16


def split_runs(units: int, runs: int) -> list[tuple[int, int]]:
    """Split the runs into parts; one part when sharing is not worth the overhead."""
    work = units * runs
    return split_evenly(runs, 1 if work < WORTH else min(MOST_PARTS, runs, work // PART))


def fight_odds_in_parts(
    *, job: Job, file: BattleFile, seed: int, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """Fight a job's odds in parts with all workers and join them. Raises RuleViolation and JobLost.

    When the job is stopped, what has been fought by then is kept on it.
    """
    began, runs = time.perf_counter(), job.payload["runs"]
    mark = mark_of(file, seed)
    keys = parts_ask(
        job=job,
        kind=PART_KIND,
        mark=mark,
        payloads=[
            {"of": job.pk, "mark": mark, "start": start, "stop": stop}
            for start, stop in split_runs(len(file.units), runs)
        ],
    )

    def join_parts(parts: list[dict[str, Any]]) -> dict[str, Any]:
        seconds = time.perf_counter() - began
        return join_odds(file, parts, seed=seed, asked=runs, seconds=seconds)

    def report_progress(percent: int) -> None:
        report(percent, f"{runs * percent // 100:,} of {runs:,} fights, in {len(keys)} parts.")

    try:
        return join_parts(
            parts_work(
                job=job,
                keys=keys,
                work=lambda part, tell: fight_part(part, file, seed, tell),
                told=report_progress,
            )
        )
    except JobLost:
        found = Job.objects.filter(pk__in=keys, result__isnull=False).order_by("pk")
        job_leave(
            job=job, result=join_parts([part for part in found.values_list("result", flat=True) if part])
        )
        raise


def odds_part_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """A part taken up by another worker. It writes nothing but its result.

    Where the battle was changed since, only the worker of the whole still knows what is asked: the part is
    put back for him. Were he dead, the whole would be asked anew, and say that the battle was changed.
    """
    whole = Job.objects.get(pk=job.payload["of"])
    if whole.state not in GOES_ON:
        raise RuleViolation("HR-JOB-03", "The odds this is a part of have ended; ask for them anew.")
    try:
        file, seed = import_string(ASKED[whole.kind])(whole)
    except RuleViolation:
        changed = True
    else:
        changed = mark_of(file, seed) != job.payload["mark"]
    if changed:
        job_put_back(job=job)
        raise JobPutBack(job)
    return fight_part(job, file, seed, lambda percent: report(percent, ""))


def fight_part(part: Job, file: BattleFile, seed: int, report: Report) -> dict[str, Any]:
    """Fight the runs of a part. When stopped, finished runs are stored and JobLost is raised."""
    start, stop = part.payload["start"], part.payload["stop"]
    lost: list[JobLost] = []

    def progress(done: int) -> None:
        try:
            report(100 * done // (stop - start))
        except JobLost as error:
            lost.append(error)

    try:
        found = odds_part(
            file, seed=seed, start=start, stop=stop, progress=progress, cancelled=lambda: bool(lost)
        )
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error
    except EngineError as error:
        raise RuleViolation(RULE, str(error)) from error
    if lost:
        job_leave(job=part, result=found)
        raise lost[0]
    return found


def mark_of(file: BattleFile, seed: int) -> str:
    """Identifier of a question about odds: a digest of the battle and the seed."""
    return compute_digest({"file": encode_value(file), "seed": str(seed)})[:16]


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
    """The battle and the seed of the job's odds. Raises RuleViolation when the battle was adjusted since."""
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
