"""Forecasts: a campaign played on many times in memory, by both sides' staffs (HR-FRC-01, 02)."""

import hashlib
import hmac
import os
from collections.abc import Callable
from typing import Any

from django.db import transaction

from campaign.ai.estimated_world import build_estimated_world
from campaign.ledger.dice import dice_for
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, Job, User
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.battles.ruleset_options import list_chosen_options
from campaign.rules.day.play import may_forecast
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World
from campaign.scenarios.theatres import scenario_folder
from campaign.selectors.battles.battle_files import campaign_officers
from campaign.selectors.forecasts.figures import forecast_figures
from campaign.services.forecasts.runs import (
    Start,
    iter_courses,
    play_forecast_in_parts,
    play_part,
    split_runs,
    start_mark,
)
from campaign.services.jobs.jobs import GOES_ON, JobPutBack, job_put_back, job_request
from rosters.domain.dice import AddressedDice

KIND = "forecast"
RULE = "HR-FRC-01"
USUAL_WEEKS, USUAL_RUNS = 4, 200
MOST_WEEKS, MOST_RUNS = 52, 2000
#: What a form calls them.
NAMES = {"weeks": "weeks", "runs": "courses"}

#: Told the runs done and all of them; what it raises stops the forecast.
Progress = Callable[[int, int], None]


def forecast_verify(campaign: Campaign, side: str, weeks: int, runs: int) -> None:
    """Raise RuleViolation for a forecast that cannot be made."""
    sides = set(campaign.order_of_battle.sides.values_list("slug", flat=True))
    if side and side not in sides:
        raise RuleViolation(RULE, f"There is no side {side}; name one of {', '.join(sorted(sides))}.", "side")
    for name, value, most in (("weeks", weeks, MOST_WEEKS), ("runs", runs, MOST_RUNS)):
        if not 1 <= value <= most:
            raise RuleViolation(RULE, f"A forecast has 1 to {most} {NAMES[name]}, not {value}.", name)
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation(RULE, f"{campaign.title} has ended; there is nothing left to forecast.")


def forecast_start(campaign: Campaign, side: str, weeks: int, world: World | None = None) -> Start:
    """The starting point of the runs: the true world, or the world as `side` can estimate it."""
    world = world_load(campaign) if world is None else world
    dice = forecast_dice(campaign, side, world.day)
    return Start(
        world=build_estimated_world(world, side) if side else world,
        ruleset=campaign.ruleset,
        options=list_chosen_options(campaign.ruleset_options, campaign.ruleset),
        officers=campaign_officers(campaign),
        dice=dice,
        # the umpire's battles are fought on the campaign's own ground; a side does not know it yet
        ground=dice if side else dice_for(campaign, 0, 1),
        weeks=weeks,
        waiting={} if side else _collect_waiting_battles(campaign, world.day),
    )


def _collect_waiting_battles(campaign: Campaign, day: int) -> dict[str, Any]:
    """Collect the waiting battles of the coming day as they would be fought, by contact."""
    waiting = Battle.objects.filter(
        campaign=campaign, revision=campaign.revision, day=day, state=Battle.State.WAITING
    )
    return {
        battle.contact: {"contact": battle.inputs["contact"], "file": file_now(battle)} for battle in waiting
    }


def forecast_dice(campaign: Campaign, side: str, day: int) -> AddressedDice:
    """Dice of a forecast: of a secret derived from the campaign's, so that they tell nothing of its dice."""
    address = f"forecast/{side}/{campaign.revision}/{day}"
    secret = hmac.digest(bytes(campaign.secret), address.encode(), hashlib.sha256)
    return AddressedDice(secret, "forecast", 1, 0)


def compute_forecast(
    *,
    campaign: Campaign,
    weeks: int = USUAL_WEEKS,
    runs: int = USUAL_RUNS,
    side: str = "",
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play the campaign on `runs` times for `weeks` weeks; figures as JSON values, nothing written.

    `side` is whose knowledge it starts from, "" for what is true. The same campaign on the same day
    gives the same figures, whatever the number of `workers` (processes; left out, one for each core).
    """
    forecast_verify(campaign, side, weeks, runs)
    start = forecast_start(campaign, side, weeks)
    played = []
    told = progress or (lambda done, all_of_them: None)
    for run in iter_courses(start, range(runs), workers or os.cpu_count() or 1, scenario_folder(campaign)):
        played.append(run)
        told(len(played), runs)
    return {"campaign": campaign.slug, "side": side, **forecast_figures(start.world, weeks, played)}


# --- as a job (HR-FRC-01) ---


def forecast_ask(
    *,
    campaign: Campaign,
    actor: User | None,
    side: str = "",
    weeks: int = USUAL_WEEKS,
    runs: int = USUAL_RUNS,
) -> Job:
    """Ask for a forecast of the present morning, for the umpire or a side. Asked twice it is one job.

    Each of them has one worked out at a time. Raises RuleViolation while another is.
    """
    forecast_verify(campaign, side, weeks, runs)
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        key = _build_job_key(campaign, side, weeks, runs)
        _verify_may_ask(campaign, side, key)
        return job_request(
            kind=KIND,
            key=key,
            payload={
                "campaign": campaign.pk, "side": side, "weeks": weeks, "runs": runs, "day": campaign.day,
            },
            campaign=campaign,
            actor=actor,
        )  # fmt: skip


def forecast_verify_again(job: Job) -> None:
    """Raises RuleViolation where a forecast that failed would be another by now, or may not be asked for."""
    asked, campaign = job.payload, job.campaign
    assert campaign is not None
    side, weeks, runs = asked["side"], asked["weeks"], asked["runs"]
    forecast_verify(campaign, side, weeks, runs)
    if job.key != _build_job_key(campaign, side, weeks, runs):
        raise RuleViolation(RULE, "The campaign has gone on since; ask for another forecast.")
    _verify_may_ask(campaign, side, job.key)


def _build_job_key(campaign: Campaign, side: str, weeks: int, runs: int) -> str:
    return f"forecast/{campaign.slug}/{side}/{campaign.head_id}/{weeks}/{runs}"


def _verify_may_ask(campaign: Campaign, side: str, key: str) -> None:
    if not may_forecast(RuleSettings.from_json(campaign.settings), side):
        raise RuleViolation(RULE, f"Forecasts are the umpire's in {campaign.title}.", "side")
    going = Job.objects.filter(campaign=campaign, kind=KIND, payload__side=side, state__in=GOES_ON)
    if going.exclude(key=key).exists():
        raise RuleViolation(
            RULE, "A forecast is being worked out already; wait until it is done, or stop it."
        )


def forecast_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice.

    A cancelled job is noticed at the next report, which raises JobLost between two runs. Many runs are shared
    with other workers (HR-JOB-03).
    """
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    head, asked = campaign.head_id, job.payload
    report(0, "The armies are being drawn up.")
    if len(split_runs(asked["weeks"], asked["runs"])) > 1:
        start = forecast_start(campaign, asked["side"], asked["weeks"])
        found = play_forecast_in_parts(job=job, start=start, folder=scenario_folder(campaign), report=report)
        return {"campaign": campaign.slug, "side": asked["side"], **found, "head": head}

    def progress(done: int, runs: int) -> None:
        report(100 * done // runs, f"{done:,} of {runs:,} courses of the campaign.")

    found = compute_forecast(
        campaign=campaign, weeks=asked["weeks"], runs=asked["runs"], side=asked["side"], progress=progress
    )
    return {**found, "head": head}


def forecast_part_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """A part taken up by another worker. It writes nothing but its result.

    Where the campaign has gone on since, only the worker of the whole still knows where it began: the part
    is put back for him.
    """
    whole = Job.objects.select_related("campaign").get(pk=job.payload["of"])
    campaign, asked = whole.campaign, whole.payload
    if campaign is None or whole.state not in GOES_ON:
        raise RuleViolation("HR-JOB-03", "The forecast this is a part of has ended; ask for it anew.")
    start = forecast_start(campaign, asked["side"], asked["weeks"])
    if start_mark(start) != job.payload["mark"]:
        job_put_back(job=job)
        raise JobPutBack(job)
    return play_part(job, start, scenario_folder(campaign), lambda percent: report(percent, ""))
