"""What the umpire sees of the odds of a battle, and where it is allowed a side."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from battles.intervals import Interval, interval_told, whole_shares
from campaign.models import Battle, Job
from campaign.visibility import Viewer
from campaign.visible_battles import odds_jobs

#: How long a worker may take to notice that it was stopped.
COUNTING = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Chance:
    """How often something happens, in words with its 95 % interval."""

    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What a side or unit loses, captured ones too, in SP and in campaign points (AWI-C-BAT-01 to 03).

    Each is the mean with the range of nine fights in ten.
    """

    name: str
    sp: int
    gone: str
    points: str
    destroyed: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """The job, and its figures once it is done, or has been `stopped` before all `asked` were fought.

    While `counting` it has been stopped just now and its figures are not in yet.
    """

    job: Job
    running: bool
    runs: int = 0
    asked: int = 0
    stopped: bool = False
    counting: bool = False
    ends: tuple[Chance, ...] = ()
    sides: tuple[Expected, ...] = ()
    units: tuple[Expected, ...] = ()
    generals: tuple[Chance, ...] = ()


def odds_job_latest(viewer: Viewer, battle: Battle) -> Job | None:
    """The viewer's last asking for the odds of a battle."""
    return odds_jobs(viewer, battle).first()


def odds_shown(viewer: Viewer, battle: Battle) -> Odds | None:
    """The odds of a battle as far as they are worked out; None when nobody has asked."""
    job = odds_job_latest(viewer, battle)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    stopped = job.state == Job.State.CANCELLED
    if not found or not (stopped or job.state == Job.State.DONE):
        return Odds(job, running, counting=stopped and _just_stopped(job))
    runs = found["runs"]
    attacker, defender = (side["name"] for side in found["sides"])
    names = {side["id"]: side["name"] for side in found["sides"]}
    units = sorted(found["units"], key=lambda unit: list(names).index(unit["side"]))
    whole = whole_shares([_interval(found[end]) for end in ("win", "loss", "draw")])
    return Odds(
        job,
        running,
        runs=runs,
        asked=found["asked"],
        stopped=stopped,
        ends=(
            _chance(f"{attacker} holds the field", found["win"], runs, whole[0]),
            _chance(f"{defender} holds the field", found["loss"], runs, whole[1]),
            _chance("Neither does", found["draw"], runs, whole[2]),
        ),
        sides=tuple(_expected(side) for side in found["sides"]),
        units=tuple(replace(_expected(unit, unit["destroyed"]), side=names[unit["side"]]) for unit in units),
        generals=tuple(_chance(one["name"], one["lost"], runs) for one in found["generals"]),
    )


def _just_stopped(job: Job) -> bool:
    """Whether a worker may still be counting what it has fought."""
    ended = job.finished_at
    return job.started_at is not None and ended is not None and timezone.now() - ended < COUNTING


def _chance(name: str, share: Mapping[str, float], runs: int, percent: int | None = None) -> Chance:
    return Chance(name, interval_told(_interval(share), runs, percent))


def _interval(share: Mapping[str, float]) -> Interval:
    return Interval(share["value"], share["low"], share["high"])


def _expected(row: Mapping[str, Any], destroyed: Mapping[str, float] | None = None) -> Expected:
    return Expected(
        row["name"],
        row["sp"],
        _spread(row["gone"], 1),
        _spread(row["points_gone"], 0),
        f"{100 * destroyed['value']:.0f} %" if destroyed else "",
    )


def _spread(found: Mapping[str, Any], digits: int) -> str:
    """The mean, and where nine fights in ten lie unless they all agree."""
    low, high = found["p5"], found["p95"]
    return f"{found['mean']:.{digits}f}" + (f" ({low:g} to {high:g})" if low != high else "")
