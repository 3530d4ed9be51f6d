"""What may become of a campaign: played on many times in memory, by both sides' staffs (HR-FRC-01, 02)."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings
from django.db import transaction

from campaign.assumption import assumed
from campaign.battle_inputs import file_now
from campaign.forecast_figures import forecast_figures
from campaign.models import Battle, Campaign, Job, User
from campaign.rules.errors import RuleViolation
from campaign.rules.play import may_forecast
from campaign.rules.settings import RuleSettings
from campaign.rules.world import World
from campaign.services.battle_files import campaign_officers
from campaign.services.dice import dice_for
from campaign.services.forecast_runs import Start, run_played, start_to_json
from campaign.services.jobs import job_request
from campaign.state import scenario_folder, world_load
from rosters.domain.dice import AddressedDice

KIND = "forecast"
RULE = "HR-FRC-01"
USUAL_WEEKS, USUAL_RUNS = 4, 200
MOST_WEEKS, MOST_RUNS = 52, 2000

#: Told the runs done and all of them; what it raises stops the forecast.
Progress = Callable[[int, int], None]


def forecast_verify(campaign: Campaign, side: str, weeks: int, runs: int) -> None:
    """Raise RuleViolation for a forecast that cannot be made."""
    sides = set(campaign.order_of_battle.sides.values_list("slug", flat=True))
    if side and side not in sides:
        raise RuleViolation(RULE, f"There is no side {side}; name one of {', '.join(sorted(sides))}.", "side")
    for name, value, most in (("weeks", weeks, MOST_WEEKS), ("runs", runs, MOST_RUNS)):
        if not 1 <= value <= most:
            raise RuleViolation(RULE, f"A forecast has 1 to {most} {name}, not {value}.", name)
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation(RULE, f"{campaign.title} has ended; there is nothing left to forecast.")


def forecast_start(campaign: Campaign, side: str, weeks: int, world: World | None = None) -> Start:
    """Where the runs begin: the world as it is, or with `side` as that side may reckon it to be."""
    world = world_load(campaign) if world is None else world
    dice = forecast_dice(campaign, side, world.day)
    return Start(
        world=assumed(world, side) if side else world,
        ruleset=campaign.ruleset,
        officers=campaign_officers(campaign),
        dice=dice,
        # the umpire's battles are fought on the campaign's own ground; a side does not know it yet
        ground=dice if side else dice_for(campaign, 0, 1),
        weeks=weeks,
        waiting={} if side else _waiting(campaign, world.day),
    )


def _waiting(campaign: Campaign, day: int) -> dict[str, Any]:
    """Battles of the coming day that wait, as they are to be fought, by contact."""
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


def forecast(
    *,
    campaign: Campaign,
    weeks: int = USUAL_WEEKS,
    runs: int = USUAL_RUNS,
    side: str = "",
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The campaign played on `runs` times for `weeks` weeks, as figures in JSON values. Writes nothing.

    `side` is whose knowledge it starts from, "" for what is true. The same campaign on the same day
    gives the same figures, whatever the number of `workers` (processes; left out, one for each core).
    """
    forecast_verify(campaign, side, weeks, runs)
    start = forecast_start(campaign, side, weeks)
    count = min(runs, workers or os.cpu_count() or 1)
    played = []
    told = progress or (lambda done, all_of_them: None)
    found = _alone(start, runs) if count == 1 else _shared(start, runs, count, scenario_folder(campaign))
    for run in found:
        played.append(run)
        told(len(played), runs)
    played.sort(key=lambda run: int(run["run"]))
    return {"campaign": campaign.slug, "side": side, **forecast_figures(start.world, weeks, played)}


def _alone(start: Start, runs: int) -> Iterator[dict[str, Any]]:
    for number in range(runs):
        yield run_played(start, number)


def _shared(start: Start, runs: int, count: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Runs in the order in which `count` processes finish them; the processes end with the generator."""
    told = json.dumps(start_to_json(start))
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(max_workers=count))
        processes = [stack.enter_context(_Worker(folder, told)) for _ in range(count)]
        numbers = iter(range(runs))
        waiting: dict[Future[dict[str, Any]], _Worker] = {
            threads.submit(process.play, number): process
            for process, number in zip(processes, numbers, strict=False)
        }
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                process = waiting.pop(future)
                result = future.result()
                number = next(numbers, None)
                if number is not None:
                    waiting[threads.submit(process.play, number)] = process
                yield result


class _Worker:
    """A process that plays runs one at a time; killed when it is left."""

    def __init__(self, folder: Path, told: str) -> None:
        self._faults = TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "campaign.services.forecast_worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._faults,
            text=True,
            cwd=settings.BASE_DIR,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE},
        )
        self._told = told + "\n"

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._faults.close()

    def play(self, number: int) -> dict[str, Any]:
        """One run. Raises RuntimeError when the process has died."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        try:
            requests.write(self._told + f"{number}\n")
            requests.flush()
        except OSError as error:
            raise self._stopped() from error
        self._told = ""
        line = answers.readline()
        if not line:
            raise self._stopped()
        result: dict[str, Any] = json.loads(line)
        return result

    def _stopped(self) -> RuntimeError:
        """Why the process has died, as its last words tell."""
        self._process.wait()
        self._faults.seek(0)
        last = (self._faults.read().strip().splitlines() or ["without a word"])[-1]
        return RuntimeError(f"A worker of the forecast stopped: {last}")


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
    if not may_forecast(RuleSettings.from_json(campaign.settings), side):
        raise RuleViolation(RULE, f"Forecasts are the umpire's in {campaign.title}.", "side")
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        key = f"forecast/{campaign.slug}/{side}/{campaign.head_id}/{weeks}/{runs}"
        going = Job.objects.filter(
            campaign=campaign,
            kind=KIND,
            payload__side=side,
            state__in=(Job.State.QUEUED, Job.State.RUNNING),
        )
        if going.exclude(key=key).exists():
            raise RuleViolation(
                RULE, "A forecast is being worked out already; wait until it is done, or stop it."
            )
        return job_request(
            kind=KIND,
            key=key,
            payload={
                "campaign": campaign.pk, "side": side, "weeks": weeks, "runs": runs, "day": campaign.day,
            },
            campaign=campaign,
            actor=actor,
        )  # fmt: skip


def forecast_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice.

    A cancelled job is noticed at the next report, which raises JobLost between two runs.
    """
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    head = campaign.head_id
    report(0, "The armies are being drawn up.")

    def progress(done: int, runs: int) -> None:
        report(100 * done // runs, f"{done:,} of {runs:,} courses of the campaign.")

    found = forecast(
        campaign=campaign,
        weeks=job.payload["weeks"],
        runs=job.payload["runs"],
        side=job.payload["side"],
        progress=progress,
    )
    return {**found, "head": head}
