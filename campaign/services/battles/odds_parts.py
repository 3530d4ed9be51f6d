"""Odds of large battles, fought in parts by all workers and joined: the same figures (HR-JOB-03)."""

import time
from collections.abc import Callable
from typing import Any

from django.utils.module_loading import import_string

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError
from battles.files.reading import encode_value
from battles.files.schema import BattleFile
from battles.odds.parts import join_odds, odds_part
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Job
from campaign.rules.errors import RuleViolation
from campaign.services.jobs.jobs import GOES_ON, JobLost, JobPutBack, job_leave, job_put_back
from campaign.services.jobs.parts import Report, parts_ask, parts_work, split_evenly

KIND, RULE = "odds_part", "HR-BAT-08"
#: kind of the whole -> the function that says what it fights: the battle and the seed of its odds
ASKED: dict[str, str] = {
    "battle_odds": "campaign.services.battles.odds.odds_question",
    "battle_prediction": "campaign.services.battles.predictions.prediction_question",
    "fight": "campaign.services.battles.standalone_fights.fight_question",
}
#: What is worth sharing, and what one part has of it at the least: units of a battle times its fights.
WORTH, PART, MOST_PARTS = 120_000, 40_000, 16


def split_runs(units: int, runs: int) -> list[tuple[int, int]]:
    """The runs of each part; one part where sharing is not worth the messages."""
    work = units * runs
    return split_evenly(runs, 1 if work < WORTH else min(MOST_PARTS, runs, work // PART))


def fight_odds_in_parts(
    *, job: Job, file: BattleFile, seed: int, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """The odds a job asks for, fought with whoever lends a hand. Raises RuleViolation and JobLost.

    When the job is stopped, what has been fought by then is kept on it.
    """
    began, runs = time.perf_counter(), job.payload["runs"]
    mark = mark_of(file, seed)
    keys = parts_ask(
        job=job,
        kind=KIND,
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
    """Fight a part's runs; stopped, what was fought stays on it, and JobLost is raised."""
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
    """What tells one question from another: a battle and the dice of its odds."""
    return compute_digest({"file": encode_value(file), "seed": str(seed)})[:16]
